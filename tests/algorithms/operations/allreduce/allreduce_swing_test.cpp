// allreduce/swing on the rings of a torus: the counts of one dimension, the longest messages from the table of parts,
// and partners typed by hand.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "lockstep/algorithms/operators.hpp"
#include "lockstep/algorithms/run_observer.hpp"
#include "method_run.hpp"

namespace lockstep::allreduce_swing_test {
namespace {

using Sides = std::vector<std::uint64_t>;

constexpr std::string_view method = "allreduce/swing";

Settings swing_settings(const std::string& name, std::uint64_t words, const Sides& sides = {}) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  if (!sides.empty()) settings.sides = sides;
  return settings;
}

std::string text_of(const Sides& sides) {
  std::string text;
  for (const std::uint64_t side : sides) text += (text.empty() ? "" : "x") + std::to_string(side);
  return text;
}

std::uint64_t product_of(const Sides& sides) {
  std::uint64_t product = 1;
  for (const std::uint64_t side : sides) product *= side;
  return product;
}

/// Ranks of a torus, the first side most significant, by coordinates.
struct Torus {
  Sides sides;

  Sides coordinates(std::uint64_t rank) const {
    Sides of(sides.size());
    for (std::size_t i = sides.size(); i-- > 0; rank /= sides[i]) of[i] = rank % sides[i];
    return of;
  }
  std::uint64_t rank(const Sides& of) const {
    std::uint64_t rank = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) rank = rank * sides[i] + of[i];
    return rank;
  }
  /// The dimension of every step and the number of earlier steps in it: dimensions take turns until each has all its
  /// steps.
  std::vector<std::pair<std::size_t, std::size_t>> steps() const {
    std::vector<std::size_t> taken(sides.size());
    std::vector<std::pair<std::size_t, std::size_t>> dealt;
    for (std::uint64_t left = product_of(sides), next = 0; left > 1; ++next) {
      const std::size_t dimension = next % sides.size();
      if (std::uint64_t{1} << taken[dimension] == sides[dimension]) continue;
      dealt.emplace_back(dimension, taken[dimension]++);
      left /= 2;
    }
    return dealt;
  }
  std::uint64_t partner(std::uint64_t rank, std::size_t dimension, std::size_t turn) const {
    constexpr std::array rho{1, -1, 3, -5, 11, -21};
    Sides at = coordinates(rank);
    const auto side = static_cast<std::int64_t>(sides[dimension]);
    const auto place = static_cast<std::int64_t>(at[dimension]);
    const std::int64_t there = place + (place % 2 == 0 ? rho[turn] : -rho[turn]);
    at[dimension] = static_cast<std::uint64_t>((there % side + side) % side);
    return this->rank(at);
  }
  /// Words of the longest message of every step of the reduce-scatter.
  Lengths longest(std::uint64_t m) const {
    const auto all = steps();
    const std::uint64_t p = product_of(sides);
    Lengths longest(all.size());
    for (std::size_t step = 0; step < all.size(); ++step) {
      for (std::uint64_t rank = 0; rank < p; ++rank) {
        std::set<std::uint64_t> reached{partner(rank, all[step].first, all[step].second)};
        for (std::size_t later = step + 1; later < all.size(); ++later) {
          const std::set<std::uint64_t> before = reached;
          for (const std::uint64_t other : before) {
            reached.insert(partner(other, all[later].first, all[later].second));
          }
        }
        EXPECT_EQ(reached.size(), p >> (step + 1));
        std::uint64_t words = 0;
        for (const std::uint64_t part : reached) words += m * (part + 1) / p - m * part / p;
        longest[step] = std::max(longest[step], words);
      }
    }
    return longest;
  }
};

/// The receiver of every rank's message, step by step.
struct WhoTalks : RunObserver {
  std::map<Rank, std::vector<Rank>> partners;

  void barrier(MovingMessages& messages) override {
    for (std::size_t index = 0; index < messages.size(); ++index) {
      const MovingMessage message = messages.message(index);
      partners[message.from].push_back(message.to.rank);
    }
  }
};

const std::vector<Sides> tori{{1},    {1, 1}, {2},    {2, 2},    {1, 8},    {8, 1},    {4, 4},       {2, 8},
                              {8, 2}, {4, 8}, {8, 8}, {4, 2, 2}, {2, 4, 8}, {4, 4, 4}, {2, 2, 2, 2}, {1, 2, 1, 16}};

TEST(TorusSwing, HasTheCountsOfOneDimension) {
  for (const Sides& sides : tori) {
    const std::uint64_t p = product_of(sides);
    if (sanitized && p > 16) continue;
    const auto q = static_cast<std::uint64_t>(std::bit_width(p)) - 1;
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t m : {std::uint64_t{1}, p, 3 * p + 2, 6 * p}) {
        SCOPED_TRACE(text_of(sides));
        const std::uint64_t longest_sum = m % p == 0 ? 2 * (m / p) * (p - 1) : 2 * sum_of(Torus{sides}.longest(m));
        const SpecCounts counts{
            .steps = 2 * q, .longest_sum = longest_sum, .messages = 2 * p * q, .words = 2 * (p - 1) * m};
        expect_run(machine, method, model_of(PortModel::one), swing_settings("sum", m, sides), counts);
        expect_predicted(machine.predict(method, model_of(PortModel::one), swing_settings("sum", m, sides)), counts);
      }
    }
  }
}

// By hand: the side of 2 is done after its first step, that of 4 after its second.
TEST(TorusSwing, TakesDimensionsInTurnAndLeavesThoseOutThatAreDone) {
  struct Case {
    Sides sides;
    std::vector<Rank> of_rank_0, of_rank_5;
  };
  const std::vector<Case> cases{
      // 0 = (0,0): (1,0) (0,1) (3,0) (0,3); 5 = (1,1): (0,1) (1,0) (2,1) (1,2).
      {{4, 4}, {4, 1, 12, 3}, {1, 4, 9, 6}},
      // 0 = (0,0): (1,0) (0,1) (0,7) (0,3); 5 = (0,5): (1,5) (0,4) (0,6) (0,2).
      {{2, 8}, {8, 1, 7, 3}, {13, 4, 6, 2}},
      // 0 = (0,0): (1,0) (0,1) (7,0) (3,0); 5 = (2,1): (3,1) (2,0) (1,1) (5,1).
      {{8, 2}, {2, 1, 14, 6}, {7, 4, 3, 11}},
      // 0 = (0,0,0): (1,0,0) (0,1,0) (0,0,1) (0,3,0); 5 = (0,2,1): (1,2,1) (0,3,1) (0,2,0) (0,1,1).
      {{2, 4, 2}, {8, 2, 1, 6}, {13, 7, 4, 3}},
      {{16}, {1, 15, 3, 11}, {4, 6, 2, 10}}};
  const BuiltMachine machine("complete:16");
  const Model model = model_of(PortModel::one);
  const auto executor = make_executor(ExecutorKind::sequential);
  for (const Case& one : cases) {
    SCOPED_TRACE(text_of(one.sides));
    Settings settings = swing_settings("sum", 16, one.sides);
    machine.method(method).resolve(machine.spec, model, settings);
    WhoTalks who;
    EXPECT_EQ(
        machine.method(method).run({machine.spec, machine.topology, model, settings, *executor, {}, {}, &who}).wrong,
        "");
    const auto there_and_back = [](std::vector<Rank> partners) {
      for (std::size_t step = partners.size(); step-- > 0;) partners.push_back(partners[step]);
      return partners;
    };
    EXPECT_EQ(who.partners[0], there_and_back(one.of_rank_0));
    EXPECT_EQ(who.partners[5], there_and_back(one.of_rank_5));
  }
}

TEST(TorusSwing, TakesEveryOperatorThatCommutesAndCatchesFaults) {
  const BuiltMachine machine("switch:16");
  for (const Operator& op : operators()) {
    const Settings settings = swing_settings(std::string(op.name), 21 * op.element_words, {2, 8});
    if (op.commutative) {
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "") << op.name;
    } else {
      EXPECT_NE(refusal(method, "switch:16", settings).find("does not commute"), std::string::npos) << op.name;
    }
  }
  for (const char* name : {"sum", "max"}) {
    expect_catches_faults(method, "switch:8", swing_settings(name, 19, {4, 2}));
    expect_catches_faults(method, "complete:8", swing_settings(name, 8, {2, 2, 2}));
  }
}

TEST(TorusSwing, RefusesSidesThatAreNone) {
  const auto refused = [](const Sides& sides) {
    return refusal(method, "switch:16", swing_settings("sum", 16, sides));
  };
  EXPECT_EQ(refused({4, 3}), "--sides: 3 is no power of two, as every side has to be");
  EXPECT_EQ(refused({4, 8}), "--sides: the product of the sides is not 16, the processors of switch:16");
  EXPECT_EQ(refused({2, 2, 2}), "--sides: the product of the sides is not 16, the processors of switch:16");
  EXPECT_EQ(refused({std::uint64_t{1} << 63, 2, 16}),
            "--sides: the product of the sides is not 16, the processors of switch:16");
  EXPECT_EQ(refused({16}), "");
  EXPECT_EQ(refused({2, 1, 8}), "");
}

}  // namespace
}  // namespace lockstep::allreduce_swing_test
