// The conclusions of Saad & Schultz 1985, section 4, measured: how the allgathers of the hypercube compare.
#include "method_run.hpp"

namespace lockstep::claims_allgather_test {
namespace {

constexpr std::string_view daisy_chain = "allgather/daisy-chain";
constexpr std::string_view adea = "allgather/adea";
constexpr std::string_view tea1 = "allgather/tea1";
constexpr std::string_view tea2 = "allgather/tea2";
constexpr std::string_view tea1_grouped = "allgather/tea1-grouped";

/// A machine on which a start-up costs beta and a word tau.
struct Costs {
  double beta = 1;
  double tau = 1;
};

class AllgatherClaims : public testing::TestWithParam<unsigned> {
 protected:
  /// In the port model of the method's section.
  Report run(std::string_view method, Duplex duplex, std::uint64_t words, Costs costs = {}) const {
    Model model = machine.method(method).defaults;
    model.duplex = duplex;
    model.cost.beta = costs.beta;
    model.cost.tau = costs.tau;
    const Outcome outcome = machine.run(method, model, block_settings(words));
    EXPECT_EQ(outcome.wrong, "") << method;
    return outcome.report;
  }

  const unsigned n = GetParam();
  const std::uint64_t others = (std::uint64_t{1} << n) - 1;  // k - 1
  const BuiltMachine machine{cube(n)};
};

TEST_P(AllgatherClaims, AdeaMovesTheWordsOfTheDaisyChainWithNStartUpsInFullDuplex) {
  for (const std::uint64_t words : {1U, 4U}) {
    const Report chain = run(daisy_chain, Duplex::full, words);
    const Report exchange = run(adea, Duplex::full, words);
    EXPECT_EQ(exchange.words, chain.words);
    EXPECT_EQ(exchange.longest_sum, chain.longest_sum);
    EXPECT_EQ(chain.steps, others);
    EXPECT_EQ(exchange.steps, n);
    // So it wins at any costs, by the start-ups that it saves.
    EXPECT_DOUBLE_EQ(chain.time_synchronous - exchange.time_synchronous, static_cast<double>(others - n));
  }
}

TEST_P(AllgatherClaims, Tea1TakesHalfOfTheTimeOfAdeaForWords) {
  for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
    const Report exchange = run(adea, duplex, 2);
    const Report total = run(tea1, duplex, 2);
    EXPECT_EQ(total.steps, exchange.steps);
    // 2^(n-1) blocks instead of 2^n - 1, or twice both.
    const std::uint64_t block = duplex == Duplex::full ? 2 : 4;
    EXPECT_EQ(2 * total.longest_sum, exchange.longest_sum + block);
  }
}

TEST_P(AllgatherClaims, Tea2TakesAnNthOfTheTimeOfAdeaForWords) {
  for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
    const std::uint64_t exchanged = run(adea, duplex, 1).longest_sum;
    const Report total = run(tea2, duplex, 1);
    EXPECT_EQ(total.steps, duplex == Duplex::full ? n : 2 * n);
    EXPECT_GE(total.longest_sum * n, exchanged);
    // The only loss is rounding at each distance, less than a word a step.
    EXPECT_LT(total.longest_sum * n, exchanged + total.steps * n);
    EXPECT_LE(total.longest_sum, run(tea1, duplex, 1).longest_sum);
  }
}

// In half duplex the daisy chain needs no more words, but ADEA twice as many: the chain is cheaper from (k-1-2n) beta /
// ((k-1) tau) words a block on. The costs chosen make this 4 words.
TEST_P(AllgatherClaims, AdeaBeatsTheDaisyChainInHalfDuplexForShortBlocksOnly) {
  if (n == 1) return;  // the chain of two needs full duplex
  const auto time = [&](std::string_view method, std::uint64_t words, Costs costs) {
    return run(method, Duplex::half_link, words, costs).time_synchronous;
  };
  EXPECT_EQ(run(adea, Duplex::half_link, 3).longest_sum, 2 * run(daisy_chain, Duplex::half_link, 3).longest_sum);
  if (others <= 2 * n) {
    // The chain does not need more start-ups either.
    for (const Costs costs : {Costs{1000, 1}, Costs{1, 1000}}) {
      EXPECT_LT(time(daisy_chain, 1, costs), time(adea, 1, costs));
    }
    return;
  }
  const Costs costs{.beta = 4 * static_cast<double>(others), .tau = static_cast<double>(others - 2 * n)};
  EXPECT_LT(time(adea, 3, costs), time(daisy_chain, 3, costs));
  EXPECT_DOUBLE_EQ(time(adea, 4, costs), time(daisy_chain, 4, costs));
  EXPECT_GT(time(adea, 5, costs), time(daisy_chain, 5, costs));
}

// TEA1 sends over n links at once and the chain over one, but duplicates cost TEA1 the gain in words in half duplex:
// 2^n blocks against 2^n - 1. TEA2, without duplicates, is quicker.
TEST_P(AllgatherClaims, DuplicatesCostTea1ItsAdvantageInHalfDuplex) {
  if (n == 1) return;
  const std::uint64_t chained = run(daisy_chain, Duplex::half_link, 1).longest_sum;
  EXPECT_EQ(run(tea1, Duplex::half_link, 1).longest_sum, chained + 1);
  EXPECT_LE(run(tea2, Duplex::half_link, 1).longest_sum, chained + 1);
  if (n > 2) {
    EXPECT_LT(run(tea2, Duplex::half_link, 1).longest_sum, chained);
  }
}

TEST_P(AllgatherClaims, GroupedPassesSaveStartUpsAndCostNoWords) {
  const Report half = run(tea1, Duplex::half_node, 2);
  const Report grouped = run(tea1_grouped, Duplex::half_node, 2);
  EXPECT_EQ(half.steps, 2 * n);
  EXPECT_EQ(grouped.steps, n + 1);
  EXPECT_EQ(grouped.longest_sum, half.longest_sum);
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, AllgatherClaims, testing::Range(1U, 8U));

}  // namespace
}  // namespace lockstep::claims_allgather_test
