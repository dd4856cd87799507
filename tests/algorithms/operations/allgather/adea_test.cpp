// allgather/adea against Saad & Schultz 1985, (4.3) (saad-schultz-1985.md, ADEA): S = f n, W = f (k - 1) m, M = n k, V
// = k (k - 1) m with f = 1 in full form and 2 in half form.
#include "operations/allgather/adea.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lockstep/algorithms/run_program.hpp"
#include "method_run.hpp"

namespace lockstep::adea_test {
namespace {

constexpr std::string_view name_of_adea = "allgather/adea";

SpecCounts counts(std::uint64_t n, std::uint64_t m, std::uint64_t f) {
  const std::uint64_t k = std::uint64_t{1} << n;
  return {.steps = f * n,
          .longest_sum = f * (k - 1) * m,
          .messages = n * k,
          .words = k * (k - 1) * m,
          .peak_words_held = k * m,                       // k blocks at the end
          .busiest_link_words = n == 0 ? 0 : k / 2 * m};  // exchange i moves 2^(i-1) blocks over links of its dimension
}

class Adea : public testing::TestWithParam<unsigned> {};

TEST_P(Adea, GathersEverywhereWithTheCountsOfThePaperInEveryModel) {
  const unsigned n = GetParam();
  const BuiltMachine machine(cube(n));
  for (const std::uint64_t words : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
        const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
        const Report report =
            expect_run(machine, name_of_adea, model_of(ports, duplex), block_settings(words), counts(n, words, f));
        // A processor with only one send clock is never early.
        if (ports != PortModel::all || f == 1) {
          EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
        }
      }
    }
  }
}

TEST_P(Adea, PredictsTheCountsOfThePaper) {
  const std::uint64_t n = GetParam();
  const BuiltMachine machine(cube(n));
  for (const std::uint64_t m : {1U, 512U}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
      expect_predicted(machine.predict(name_of_adea, model_of(PortModel::one, duplex), block_settings(m)),
                       counts(n, m, f));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, Adea, testing::Range(0U, sanitized ? 8U : 10U));

TEST(Adea, ChargesThePacketsOfAWholeMessage) {
  Model model = model_of(PortModel::one);
  model.cost.max_packet_words = 4;
  // Messages of 3, 6, 12 words: 1, 2, 3 packets, where blocks of their own would take 1, 2, 4.
  const Report report = BuiltMachine("hypercube:3").run(name_of_adea, model, block_settings(3)).report;
  EXPECT_EQ(report.startups, 8U * (1 + 2 + 3));
  EXPECT_DOUBLE_EQ(report.time_synchronous, 3 * (1 + 2 + 3) + 0.5 * 21);
}

// "n cycles and (k-1)m words (full), 2(k-1)m (half-node)" (1.7); "with all ports (k-1)m/n in full, 2(k-1)m/n in
// half-link" (1.9). Where processors take turns, some send in the n-th cycle and do not know all after it.
TEST(Adea, IsBoundedByTheWordsOfThePaperAndByTurns) {
  const auto bound = [](const char* text, PortModel ports, Duplex duplex) {
    return lockstep::bound(name_of_adea, text, block_settings(2), model_of(ports, duplex));
  };
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(bound("hypercube:0", ports, Duplex::half_node), Bound(0, 0));
    EXPECT_EQ(bound("hypercube:4", ports, Duplex::full), Bound(4, 30));
    EXPECT_EQ(bound("hypercube:4", ports, Duplex::half_node), Bound(4 + 1, 60));
  }
  EXPECT_EQ(bound("hypercube:4", PortModel::one, Duplex::half_link), Bound(4, 30));
  // One port for both, with a link that carries one direction: as half duplex of processors.
  EXPECT_EQ(bound("hypercube:4", PortModel::one_strict, Duplex::half_link), Bound(4 + 1, 60));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::full), Bound(4, 8));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::half_link), Bound(4, 15));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::half_node), Bound(4 + 1, 15));
}

// The default form for each --duplex: the full form needs links that carry both directions at once.
TEST(Adea, FullFormIsRefusedWhereLinksAreHalfDuplex) {
  const BuiltMachine machine("hypercube:3");
  const auto executor = make_executor(ExecutorKind::sequential);
  Settings settings = block_settings(1);
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    const Model model = model_of(PortModel::all, duplex);
    const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
    const auto run = [&](allgather::ExchangeForm form) {
      allgather::HeldParts held(request);
      return run_program<LabelledBlock>(
          request, [&](Processor<LabelledBlock>& self) { return allgather::adea(self, form, held); });
    };
    EXPECT_NO_THROW(run(allgather::ExchangeForm::half));
    const auto error = broken_rule([&] { run(allgather::ExchangeForm::full); });
    ASSERT_TRUE(error) << name(duplex);
    EXPECT_EQ(error->cycle(), 0U);
  }
}

TEST(Adea, LeavesEveryProcessorWithMemoryOfItsOwn) {
  const BuiltMachine machine("hypercube:5");
  const auto executor = make_executor(ExecutorKind::threads, 3);
  const Settings settings = block_settings(3);
  const Model model = model_of(PortModel::one);
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
  allgather::HeldParts held(request);
  run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return allgather::adea(self, allgather::ExchangeForm::full, held);
  });
  std::set<const Word*> words;
  for (Rank rank = 0; rank < 32; ++rank) {
    for (Rank source = 0; source < 32; ++source) {
      const auto block = held.block(rank, source);
      ASSERT_EQ(block.size(), 3U);
      for (const Word& word : block) words.insert(&word);
    }
  }
  EXPECT_EQ(words.size(), 32U * 32U * 3U);
}

TEST(Adea, NeedsTheMemoryOfAllBlocksEverywhere) {
  const std::uint64_t gathered = std::uint64_t{1024} * 1024 * 512 * 8;
  expect_bytes(name_of_adea, "hypercube:10", block_settings(512), gathered, gathered + gathered / 100);
  EXPECT_EQ(bytes_of(name_of_adea, "hypercube:31", block_settings(most_words)), too_many_bytes);
}

TEST(Adea, CatchesFaultsInHalfFormToo) {
  expect_catches_faults(name_of_adea, "hypercube:4", block_settings(2), model_of(PortModel::one, Duplex::half_node));
}

TEST(Adea, RefusesWhatItCannotDo) {
  expect_words_from(1, name_of_adea, "hypercube:3");
  EXPECT_THROW(find_method(name_of_adea, "rh"), InputError);
}

}  // namespace
}  // namespace lockstep::adea_test
