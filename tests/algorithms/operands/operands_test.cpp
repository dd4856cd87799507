// Generated operands: for any operator and number of ranks, a wrong operand or partial result makes the result wrong;
// and the check of partial results.
#include "lockstep/algorithms/operation/operands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "built_machine.hpp"
#include "operands/partials.hpp"

namespace lockstep::operands::operands_test {
namespace {

/// The values of a machine with these settings; not movable, as the values refer to the other members.
class Generated {
 public:
  Generated(const std::string& machine, const std::string& operation, const std::string& type, std::uint64_t words,
            std::uint64_t seed)
      : machine_(machine) {
    settings_.operator_name = operation;
    settings_.type = type;
    settings_.words = words;
    settings_.seed = seed;
    resolve(machine_.spec, settings_);
    executor_ = make_executor(ExecutorKind::sequential);
    values_.emplace(RunRequest{machine_.spec, machine_.topology, model_, settings_, *executor_, {}, {}});
  }
  Generated(const Generated&) = delete;
  Generated& operator=(const Generated&) = delete;

  const NumberValues& values() const { return *values_; }
  Rank ranks() const { return values_->ranks(); }

  /// The combined values of the first `count` ranks; those of rank `corrupted`, if given, with all bits inverted.
  Block combined(Rank count, const std::optional<Rank>& corrupted = {}) const {
    Block all = operand(0, corrupted);
    for (Rank rank = 1; rank < count; ++rank) values_->combine(all, operand(rank, corrupted));
    return all;
  }

 private:
  Block operand(Rank rank, const std::optional<Rank>& corrupted) const {
    Block value = values_->value(rank);
    if (rank == corrupted) {
      for (std::uint64_t index = 0; index < value.size(); ++index) value[index] = ~value[index];
    }
    return value;
  }

  BuiltMachine machine_;
  Model model_;
  Settings settings_;
  std::unique_ptr<Executor> executor_;
  std::optional<NumberValues> values_;
};

double number(Word word, const std::string& type) {
  return type == "double" ? std::bit_cast<double>(word) : static_cast<double>(std::bit_cast<std::int64_t>(word));
}

constexpr std::uint64_t seeds = 5;
const char* const machines[] = {"ring:1", "ring:2", "ring:3", "ring:16", "ring:37", "hypercube:7"};

TEST(GeneratedOperands, ChangeEveryWordOfTheResultIfInverted) {
  for (const char* machine : machines) {
    for (const char* operation : {"sum", "xor", "and", "or", "min", "max"}) {
      for (const char* type : {"int64", "double"}) {
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
          SCOPED_TRACE(std::string(operation) + " of " + type + " on " + machine + ", seed " + std::to_string(seed));
          const Generated generated(machine, operation, type, 3, seed);
          const Block right = generated.combined(generated.ranks());
          for (Rank rank = 0; rank < generated.ranks(); ++rank) {
            const Block wrong = generated.combined(generated.ranks(), rank);
            for (std::uint64_t index = 0; index < 3; ++index) EXPECT_NE(wrong[index], right[index]) << rank;
          }
        }
      }
    }
  }
}

TEST(GeneratedOperands, OfAndAndOrDecideABitEachAsFarAsThereAreBits) {
  constexpr std::uint64_t bits = 26;  // of each word, decided by one operand
  for (const char* machine : machines) {
    for (const std::string operation : {"and", "or"}) {
      for (const char* type : {"int64", "double"}) {
        for (const std::uint64_t words : {1U, 2U, 4U}) {
          for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            SCOPED_TRACE(operation + " of " + type + " on " + machine + ", words " + std::to_string(words) + ", seed " +
                         std::to_string(seed));
            const Generated generated(machine, operation, type, words, seed);
            const Word flip = operation == "and" ? ~Word{0} : 0;
            std::set<Rank> deciding;
            for (std::uint64_t index = 0; index < words; ++index) {
              std::vector<int> decided(64);  // the number of operands whose bit differs from most others
              for (Rank rank = 0; rank < generated.ranks(); ++rank) {
                const Word word = generated.values().value(rank)[index] ^ flip;
                for (unsigned bit = 0; bit < 52; ++bit) {
                  if ((word >> bit & 1) == 0) continue;
                  ++decided[bit];
                  deciding.insert(rank);
                }
              }
              EXPECT_EQ(std::ranges::count(decided, 1), bits);
              EXPECT_EQ(std::ranges::count(decided, 0), 64 - bits);
              const Word result = generated.combined(generated.ranks())[index];
              EXPECT_NE(result, 0U);
              EXPECT_NE(result, ~Word{0});
              EXPECT_EQ(std::popcount(result & ((Word{1} << 52) - 1)), bits);
              if (type == std::string("double")) {
                EXPECT_GE(number(result, type), 1);
                EXPECT_LT(number(result, type), 2);
              } else {
                EXPECT_EQ(result >> 52, 0U);
              }
            }
            EXPECT_EQ(deciding.size(), std::min<std::uint64_t>(generated.ranks(), bits * words));
          }
        }
      }
    }
  }
}

TEST(GeneratedOperands, OfMinAndMaxHaveTheExtremeOfEveryWordAtAnotherRank) {
  for (const char* machine : machines) {
    for (const std::string operation : {"min", "max"}) {
      for (const char* type : {"int64", "double"}) {
        for (const std::uint64_t words : {1U, 3U, 40U}) {
          for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            SCOPED_TRACE(operation + " of " + type + " on " + machine + ", words " + std::to_string(words) + ", seed " +
                         std::to_string(seed));
            const Generated generated(machine, operation, type, words, seed);
            const Block result = generated.combined(generated.ranks());
            std::set<Rank> extremes;
            for (std::uint64_t index = 0; index < words; ++index) {
              std::uint64_t at = 0;
              for (Rank rank = 0; rank < generated.ranks(); ++rank) {
                const Word word = generated.values().value(rank)[index];
                EXPECT_GE(std::abs(number(word, type)), 1);
                EXPECT_LE(std::abs(number(word, type)), 1000);
                EXPECT_EQ(number(word, type) > 0, operation == "min");
                if (word != result[index]) continue;
                ++at;
                extremes.insert(rank);
              }
              EXPECT_EQ(at, 1U);
            }
            EXPECT_EQ(extremes.size(), std::min<std::uint64_t>(generated.ranks(), words));
          }
        }
      }
    }
  }
}

class PartialJudge : public testing::Test {
 protected:
  using Role = Judge<NumberValues>::Role;

  /// The combined values of `count` ranks from `first` on.
  Partial<Block> partial(Rank first, Rank count) const {
    Partial<Block> all{first, count, values().value(first)};
    for (Rank rank = first + 1; rank < first + count; ++rank) values().combine(all.value, values().value(rank));
    return all;
  }
  const NumberValues& values() const { return generated_.values(); }
  static std::string what_is_wrong(Judge<NumberValues>& judge,
                                   const std::function<Rank(Rank)>& rank_of = std::identity()) {
    Outcome outcome;
    judge.judge(outcome, rank_of);
    return outcome.wrong;
  }

  const Generated generated_{"ring:6", "max", "int64", 2, 1};
  const std::vector<Rank> none_;
};

TEST_F(PartialJudge, SaysNothingOfThoseThatWereLost) {
  std::vector<Partial<Block>> wrong{partial(0, 6)};
  --wrong.front().value[0];
  const std::vector<Rank> lost{1, 4};
  Judge<NumberValues> judge(values(), lost);
  judge.received(4, wrong);
  judge.expect(1, Role::result, wrong.front(), 0, 6);
  judge.expect(4, Role::total, wrong.front(), 0, 5);
  EXPECT_EQ(what_is_wrong(judge), "");
}

TEST_F(PartialJudge, SaysNothingOfWhatIsRight) {
  Judge<NumberValues> judge(values(), none_);
  std::vector<Partial<Block>> all;
  for (Rank first = 0; first < 6; ++first) {
    for (Rank count = 1; first + count <= 6; ++count) all.push_back(partial(first, count));
  }
  judge.received(2, all);
  judge.expect(1, Role::result, all[0], 0, 1);
  EXPECT_EQ(what_is_wrong(judge), "");
}

TEST_F(PartialJudge, NamesTheFirstThatIsWrong) {
  const std::vector<Partial<Block>> right{partial(0, 6), partial(2, 3), partial(2, 1)};
  for (std::size_t one = 0; one < right.size(); ++one) {
    std::vector<Partial<Block>> wrong = right;
    --wrong[one].value[1];  // a little less, and no other is more
    Judge<NumberValues> judge(values(), none_);
    judge.received(4, wrong);
    judge.received(5, right);
    EXPECT_EQ(what_is_wrong(judge), "rank 4 received a result of 2 words of 2, the first 1 right");
  }
  std::vector<Partial<Block>> wrong = right;
  for (Partial<Block>& partial : wrong) --partial.value[0];
  Judge<NumberValues> judge(values(), none_);
  judge.received(1, wrong);
  judge.expect(3, Role::total, wrong[2], 2, 1);
  judge.expect(4, Role::result, wrong[2], 2, 1);
  judge.expect(3, Role::result, wrong[2], 2, 1);
  EXPECT_EQ(what_is_wrong(judge), "rank 3 holds a result of 2 words of 2, the first 0 right");
}

TEST_F(PartialJudge, LooksAtWhatPartialResultsStandFor) {
  Judge<NumberValues> shifted(values(), none_);
  const Partial<Block> one = partial(1, 2);
  shifted.expect(2, Role::result, one, 0, 3);
  EXPECT_EQ(what_is_wrong(shifted), "rank 2 holds a combination of 2 values from 1 on instead of 3 values from 0 on");
  Judge<NumberValues> beyond(values(), none_);
  std::vector<Partial<Block>> last{partial(4, 2)};
  last.front().count = 3;
  beyond.received(0, last);
  EXPECT_EQ(what_is_wrong(beyond), "rank 0 received a combination of 3 values from 4 on");
}

TEST_F(PartialJudge, FindsWhoseValueAnAddressHas) {
  const auto turned = [](Rank node) { return node ^ 1; };
  std::vector<Partial<Block>> all{{0, 1, values().value(1)}, {1, 1, values().value(0)}, partial(0, 2)};
  Judge<NumberValues> right(values(), none_);
  right.received(0, all);
  EXPECT_EQ(what_is_wrong(right, turned), "");
  Judge<NumberValues> wrong(values(), none_);
  wrong.received(0, all);
  EXPECT_NE(what_is_wrong(wrong), "");
}

}  // namespace
}  // namespace lockstep::operands::operands_test
