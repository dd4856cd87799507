// some-to-all and all-to-some of Johnsson & Ho (johnsson-ho.md, Some to all): k splitting steps and l exchanges, or the
// reverse, where 2^l of the 2^(k+l) processors hold or receive all data.
#include <gtest/gtest.h>

#include <algorithm>

#include "arithmetic.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/core/machine.hpp"
#include "method_run.hpp"
#include "operations/some_to_all/exchange.hpp"

namespace lockstep::some_to_all_test {
namespace {

constexpr std::string_view exchange = "some-to-all/exchange";
constexpr std::string_view rotated = "some-to-all/rotated-sbt";
constexpr std::string_view collecting = "all-to-some/exchange";
constexpr std::string_view collecting_rotated = "all-to-some/rotated-sbt";

Settings total_settings(std::optional<std::uint64_t> words, std::optional<std::uint64_t> sources) {
  Settings settings;
  settings.words = words;
  settings.sources = sources;
  return settings;
}

/// Runs the method and expects right data, k+l steps, PQ (k+l)/2 words, these longest messages, and exact predictions.
Report expect_lengths(std::string_view method, std::uint64_t l, std::uint64_t k, const Model& model, std::uint64_t PQ,
                      const Lengths& lengths) {
  SCOPED_TRACE(std::string(method) + ", l " + std::to_string(l) + ", k " + std::to_string(k) + ", words " +
               std::to_string(PQ) + ", " + std::string(name(model.ports)));
  const BuiltMachine machine(cube(k + l));
  Report report =
      expect_run(machine, method, model, total_settings(PQ, l),
                 {.steps = k + l, .words = PQ * (k + l) / 2, .peak_words_held = PQ >> l, .longest = lengths});
  SpecCounts counts = counts_of(report);
  counts.startups = report.startups;
  expect_predicted(machine.predict(method, model, total_settings(PQ, l)), counts);
  return report;
}

/// PQ/2^(k+l-i) for i = k-1 down to 0, one for every splitting step.
Lengths splitting_lengths(std::uint64_t l, std::uint64_t k, std::uint64_t PQ) {
  Lengths lengths;
  for (std::uint64_t i = k; i-- > 0;) lengths.push_back(PQ >> (k + l - i));
  return lengths;
}

/// l PQ/2^(k+l+1) + sum_{i=0}^{k-1} PQ/2^(k+l-i), term by term.
Lengths one_port_lengths(std::uint64_t l, std::uint64_t k, std::uint64_t PQ) {
  Lengths lengths = splitting_lengths(l, k, PQ);
  lengths.insert(lengths.end(), l, PQ >> (k + l + 1));
  return lengths;
}

TEST(SomeToAllExchange, HasTheCountsOfTheSpecInEveryModel) {
  for (std::uint64_t n = 0; n <= 8; ++n) {
    for (std::uint64_t l = 0; l <= n; ++l) {
      const std::uint64_t k = n - l;
      for (const std::uint64_t b : n <= 5 ? Lengths{1, 3} : Lengths{1}) {
        const std::uint64_t PQ = b << (k + 2 * l);
        const Lengths lengths = one_port_lengths(l, k, PQ);
        const Lengths reversed(lengths.rbegin(), lengths.rend());
        for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
          const Report report = expect_lengths(exchange, l, k, model_of(ports), PQ, lengths);
          // Splitting sends every rank but the sources a first message.
          EXPECT_EQ(report.messages, (1U << n) - (1U << l) + (l << n));
          EXPECT_EQ(expect_lengths(collecting, l, k, model_of(ports), PQ, reversed).messages, report.messages);
        }
      }
    }
  }
}

// The same terms, divided by B_m and rounded up.
TEST(SomeToAllExchange, TakesTheStartUpsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 6; ++n) {
    for (std::uint64_t l = 0; l <= n; ++l) {
      for (const std::uint64_t B_m : std::initializer_list<std::uint64_t>{1, 3, 5, 8}) {
        const std::uint64_t k = n - l;
        const std::uint64_t PQ = std::uint64_t{3} << (k + 2 * l);
        const Lengths lengths = one_port_lengths(l, k, PQ);
        std::uint64_t startups = 0;
        for (const std::uint64_t length : lengths) startups += (length + B_m - 1) / B_m;
        Model model = model_of(PortModel::one);
        model.cost.max_packet_words = B_m;
        for (const std::string_view method : {exchange, collecting}) {
          const Report report = expect_lengths(
              method, l, k, model, PQ, method == exchange ? lengths : Lengths(lengths.rbegin(), lengths.rend()));
          EXPECT_DOUBLE_EQ(report.time_synchronous,
                           static_cast<double>(startups) * 3 + static_cast<double>(sum_of(lengths)) * 0.5);
        }
      }
    }
  }
}

// PQ/2^(k+l+1) + (1/k) sum PQ/2^(k+l-i), without the first term if l = 0 and without the second if k = 0.
TEST(SomeToAllRotated, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 7; ++n) {
    for (std::uint64_t l = 0; l <= n; ++l) {
      const std::uint64_t k = n - l;
      const std::uint64_t parts = std::max<std::uint64_t>(k, 1) * std::max<std::uint64_t>(l, 1);
      for (const std::uint64_t times : n <= 5 ? Lengths{1, 2} : Lengths{1}) {
        const std::uint64_t PQ = times * parts << (k + 2 * l);
        Lengths lengths = splitting_lengths(l, k, PQ);
        for (std::uint64_t& length : lengths) length /= k;
        lengths.insert(lengths.end(), l, l == 0 ? 0 : (PQ >> (k + l + 1)) / l);
        const Report report = expect_lengths(rotated, l, k, model_of(PortModel::all), PQ, lengths);
        EXPECT_EQ(report.messages, k * ((1U << n) - (1U << l)) + l * (l << n));
        const Lengths reversed(lengths.rbegin(), lengths.rend());
        EXPECT_EQ(expect_lengths(collecting_rotated, l, k, model_of(PortModel::all), PQ, reversed).messages,
                  report.messages);
      }
    }
  }
}

// Every block is cut separately for each phase, the longer parts first.
TEST(SomeToAllRotated, DividesAnyBlocksThatHaveAWordForEveryPart) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    for (std::uint64_t l = 0; l <= n; ++l) {
      const std::uint64_t k = n - l;
      const std::uint64_t parts = std::max<std::uint64_t>(k, 1) * std::max<std::uint64_t>(l, 1);
      for (std::uint64_t b = parts; b <= 2 * parts; ++b) {
        const std::uint64_t blocks = std::uint64_t{1} << (k + 2 * l);  // with one word they would be PQ
        Lengths lengths = splitting_lengths(l, k, blocks);
        for (std::uint64_t& length : lengths) length *= (b + k - 1) / k;
        lengths.insert(lengths.end(), l, l == 0 ? 0 : (blocks >> (n + 1)) * ((b + l - 1) / l));
        Model model = model_of(PortModel::all);
        model.cost.max_packet_words = 4;
        expect_lengths(rotated, l, k, model, b * blocks, lengths);
        expect_lengths(collecting_rotated, l, k, model, b * blocks, Lengths(lengths.rbegin(), lengths.rend()));
      }
    }
  }
}

// The exchange before the splitting, or after the accumulating, is among the 2^l with all words: 2^k times as long.
TEST(SomeToAllRotated, ExchangesLongerInTheOtherOrder) {
  for (std::uint64_t n = 2; n <= 6; ++n) {
    for (std::uint64_t l = 1; l < n; ++l) {
      const std::uint64_t k = n - l;
      for (const std::uint64_t b : {k * l, k * l + 1}) {
        const std::uint64_t PQ = b << (n + l);
        Lengths lengths(l, (std::uint64_t{1} << (n - 1)) * divided_up(b, l));
        for (std::uint64_t i = 1; i <= k; ++i) lengths.push_back((std::uint64_t{1} << (n - i)) * divided_up(b, k));
        Settings settings = total_settings(PQ, l);
        settings.order = "exchange-first";
        Model model = model_of(PortModel::all);
        model.cost.max_packet_words = 7;
        const BuiltMachine machine(cube(n));
        const auto expect_longer = [&](std::string_view method, const Lengths& longest) {
          const Report report = expect_run(machine, method, model, settings,
                                           {.steps = n,
                                            .messages = k * ((1U << n) - (1U << l)) + l * (l << l),
                                            .words = PQ * n / 2,
                                            .startups = machine.predict(method, model, settings).startups->value,
                                            .longest = longest});
          SpecCounts counts = counts_of(report);
          counts.startups = report.startups;
          expect_predicted(machine.predict(method, model, settings), counts);
        };
        expect_longer(rotated, lengths);
        settings.order = "accumulate-first";
        expect_longer(collecting_rotated, Lengths(lengths.rbegin(), lengths.rend()));
      }
    }
  }
}

TEST(SomeToAll, HaveDefaults) {
  const auto resolved = [](std::string_view name, std::uint64_t n, std::optional<std::uint64_t> sources) {
    const Settings settings = lockstep::resolved(name, cube(n), total_settings({}, sources));
    return std::pair(settings.sources.value(), settings.words.value());
  };
  for (const std::string_view method : {exchange, collecting}) {
    EXPECT_EQ(resolved(method, 0, {}), std::pair(0UL, 1UL));
    EXPECT_EQ(resolved(method, 5, {}), std::pair(2UL, 128UL));
    EXPECT_EQ(resolved(method, 5, 5), std::pair(5UL, 1024UL));
    expect_defaults(method, "hypercube", PortModel::one);
  }
  for (const std::string_view method : {rotated, collecting_rotated}) {
    EXPECT_EQ(resolved(method, 0, {}), std::pair(0UL, 1UL));
    EXPECT_EQ(resolved(method, 5, {}), std::pair(2UL, 6 * 128UL));
    EXPECT_EQ(resolved(method, 5, 0), std::pair(0UL, 5 * 32UL));
    EXPECT_EQ(resolved(method, 5, 5), std::pair(5UL, 5 * 1024UL));
    expect_defaults(method, "hypercube", PortModel::all);
  }
}

TEST(SomeToAll, AreRefusedNumbersThatDoNotFit) {
  for (const std::string_view method : {exchange, collecting, rotated, collecting_rotated}) {
    EXPECT_EQ(refusal(method, "hypercube:4", total_settings({}, 5)), "--sources 5 is out of range: 0 to 4");
  }
  EXPECT_EQ(refusal(exchange, "hypercube:3", total_settings(40, 2)),
            "--words 40 cannot be divided evenly among the 32 pairs of a source and a destination that hypercube:3 has "
            "with --sources 2: 32 or 64 would fit");
  EXPECT_EQ(
      refusal(exchange, "hypercube:3", total_settings(31, 2)),
      "--words 31 is too few for the 32 pairs of a source and a destination that hypercube:3 has with --sources 2: "
      "32 would fit, 1 word for each");
  EXPECT_EQ(
      refusal(rotated, "hypercube:3", total_settings(32, 2)),
      "--words 32 is too few for the 32 pairs of a source and a destination that hypercube:3 has with --sources 2: "
      "64 would fit, 2 words for each");
  EXPECT_EQ(refusal(rotated, "hypercube:3", total_settings(96, 2)), "");
  EXPECT_EQ(refusal(collecting, "hypercube:20", {}), "");
  EXPECT_EQ(
      refusal(collecting, "hypercube:22", {}),
      "the 8589934592 pairs of a source and a destination that hypercube:22 has with --sources 11 need more words "
      "than 2147483648");
  EXPECT_EQ(refusal(rotated, "hypercube:31", total_settings({}, 31)).rfind("the 4611686018427387904 pairs", 0), 0U);
}

// n steps. With 4 of 8 processors as sources and one word a pair: 7 words through one port, or 7/3 through three.
TEST(SomeToAll, AreBounded) {
  for (const std::string_view method : {exchange, collecting, rotated, collecting_rotated}) {
    const auto bound = [&](std::uint64_t n, std::uint64_t l, PortModel ports) {
      return bound_as_given(method, cube(n), total_settings(std::uint64_t{1} << (n + l), l), model_of(ports));
    };
    EXPECT_EQ(bound(0, 0, PortModel::one), Bound(0, 0));
    EXPECT_EQ(bound(3, 2, PortModel::one), Bound(3, 7));
    EXPECT_EQ(bound(3, 2, PortModel::all), Bound(3, 3));
    EXPECT_EQ(bound(4, 4, PortModel::one), Bound(4, 32));  // n PQ/(2N): all to all
    EXPECT_EQ(bound(4, 4, PortModel::all), Bound(4, 8));
  }
}

TEST(SomeToAll, AreRefusedWhereTheModelIsStricter) {
  for (const std::string_view method : {rotated, collecting_rotated}) {
    EXPECT_NE(violation(method, "hypercube:4", model_of(PortModel::one)), "");
    EXPECT_NE(violation(method, "hypercube:4", model_of(PortModel::one_strict)), "");
  }
  EXPECT_NE(violation(rotated, "hypercube:4", model_of(PortModel::all, Duplex::half_link)), "");
}

TEST(SomeToAll, CatchEveryFault) {
  for (const std::string_view method : {exchange, collecting, rotated, collecting_rotated}) {
    expect_catches_faults(method, "hypercube:4", total_settings({}, 2));
    expect_catches_faults(method, "hypercube:3", total_settings({}, 1));
    expect_catches_faults(method, "hypercube:3", total_settings({}, 0));
    expect_catches_faults(method, "hypercube:3", total_settings({}, 3));
  }
}

/// Moves blocks on the n-cube, that from s to t with length(s, t) words, and expects them at their destinations.
template <class Program, class Length>
Report expect_moved(Port n, Rank origins, Rank destinations, const Program& program, const Length& length) {
  const BuiltMachine machine(cube(n));
  std::vector<Bundle> held(machine.topology.processors());
  std::vector<Bundle> expected(machine.topology.processors());
  for (Rank origin = 0; origin < origins; ++origin) {
    for (Rank destination = 0; destination < destinations; ++destination) {
      const std::uint64_t words = length(origin, destination);
      if (words == 0) continue;
      const Block block = generated_block(7, origin, destination, words);
      const Piece piece{origin, destination, 0, block.words()};
      held[origin].add(piece);
      expected[destination].add(piece);
    }
  }
  const auto executor = make_executor(ExecutorKind::sequential);
  const Model model = model_of(PortModel::one_strict);
  Machine<Bundle> cells(machine.topology, model, *executor);
  Report report = cells.run([&](Processor<Bundle>& self) { return program(self, held[self.rank()]); }, RunOptions{});
  for (Rank rank = 0; rank < held.size(); ++rank) {
    std::vector<Piece> pieces = held[rank].pieces();
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.origin < b.origin; });
    EXPECT_EQ(pieces, expected[rank].pieces());
  }
  return report;
}

Process some_to_all_of_four(Processor<Bundle>& self, Bundle& held) {
  static const some_to_all::StepOrder order{{3, 2, 1, 0}, 2, some_to_all::Direction::some_to_all};
  return some_to_all::exchange_in_order(self, held, order);
}
Process all_to_some_of_four(Processor<Bundle>& self, Bundle& held) {
  static const some_to_all::StepOrder order{{0, 1, 2, 3}, 2, some_to_all::Direction::all_to_some};
  return some_to_all::exchange_in_order(self, held, order);
}

// As where a matrix has fewer columns than there are processors, or sizes that the processors do not divide.
TEST(SomeToAllExchange, MovesBlocksOfAnyLengthsAndSendsNoEmptyMessages) {
  const auto uneven = [](Rank origin, Rank destination) { return std::uint64_t{(3 * origin + destination) % 5}; };
  expect_moved(4, 4, 16, some_to_all_of_four, uneven);
  expect_moved(4, 16, 4, all_to_some_of_four, uneven);
  // From 1 to 14: over every dimension, nothing else anywhere.
  const auto single = [](Rank origin, Rank destination) {
    return std::uint64_t{origin + destination == 15 && (origin == 1 || destination == 1) ? 6U : 0U};
  };
  for (const Report& report :
       {expect_moved(4, 4, 16, some_to_all_of_four, single), expect_moved(4, 16, 4, all_to_some_of_four, single)}) {
    EXPECT_EQ(report.messages, 4U);
    EXPECT_EQ(report.words, 24U);
    EXPECT_EQ(report.steps, 4U);
  }
  // Only 0 has data, for its neighbour over dimension 2.
  const auto near = [](Rank origin, Rank destination) {
    return std::uint64_t{origin == 0 && destination == 4 ? 1U : 0U};
  };
  EXPECT_EQ(expect_moved(4, 4, 16, some_to_all_of_four, near).messages, 1U);
}

}  // namespace
}  // namespace lockstep::some_to_all_test
