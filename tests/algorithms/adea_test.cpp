// allgather/adea against Saad & Schultz 1985, (4.3) (saad-schultz-1985.md, ADEA): S = f n, W = f (k - 1) m, M = n k, V
// = k (k - 1) m with f = 1 in full form and 2 in half form.
#include "allgather/adea.hpp"

#include <gtest/gtest.h>

#include <set>

#include "../sanitized.hpp"
#include "built_machine.hpp"
#include "lockstep/algorithms/run_program.hpp"

namespace lockstep {
namespace {

constexpr std::string_view name_of_adea = "allgather/adea";

Settings block_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

void expect_counts(const Report& report, std::uint64_t n, std::uint64_t m, std::uint64_t f) {
  const std::uint64_t k = std::uint64_t{1} << n;
  EXPECT_EQ(report.steps, f * n);
  EXPECT_EQ(report.cycles, f * n);
  EXPECT_EQ(report.longest_sum, f * (k - 1) * m);
  EXPECT_EQ(report.messages, n * k);
  EXPECT_EQ(report.sends, n * k);
  EXPECT_EQ(report.startups, n * k);
  EXPECT_EQ(report.words, k * (k - 1) * m);
  // Exchange i moves 2^(i-1) blocks over each link of its dimension; a processor holds k blocks in the end.
  EXPECT_EQ(report.busiest_link_words, n == 0 ? 0 : k / 2 * m);
  EXPECT_EQ(report.peak_words_held, k * m);
  EXPECT_EQ(report.copied_words, 0U);
  EXPECT_DOUBLE_EQ(report.time_synchronous,
                   static_cast<double>(f * n) * 3 + static_cast<double>(f * (k - 1) * m) * 0.5);
}

class Adea : public testing::TestWithParam<unsigned> {};

TEST_P(Adea, gathers_everywhere_with_the_counts_of_the_paper_in_every_model) {
  const unsigned n = GetParam();
  const BuiltMachine machine("hypercube:" + std::to_string(n));
  for (const std::uint64_t words : {1U, 2U, 5U}) {
    for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
      for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
        SCOPED_TRACE("words " + std::to_string(words) + ", " + std::string(name(ports)) + ", " +
                     std::string(name(duplex)));
        const Outcome outcome = machine.run(name_of_adea, model_of(ports, duplex), block_settings(words));
        EXPECT_EQ(outcome.wrong, "");
        const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
        expect_counts(outcome.report, n, words, f);
        // A processor that has only one clock for sending is never early.
        if (ports == PortModel::all && f == 2) {
          EXPECT_LE(outcome.report.time_asynchronous, outcome.report.time_synchronous);
        } else {
          EXPECT_DOUBLE_EQ(outcome.report.time_asynchronous, outcome.report.time_synchronous);
        }
      }
    }
  }
}

TEST_P(Adea, predicts_the_counts_of_the_paper) {
  const std::uint64_t n = GetParam();
  const std::uint64_t k = std::uint64_t{1} << n;
  const MachineSpec spec = parse_machine("hypercube:" + std::to_string(n));
  const Method& method = find_method(name_of_adea, spec.family);
  for (const std::uint64_t m : {1U, 512U}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
      const Prediction predicted = method.predict(spec, model_of(PortModel::one, duplex), block_settings(m));
      EXPECT_EQ(predicted.steps.value().value, f * n);
      EXPECT_EQ(predicted.longest_sum.value().value, f * (k - 1) * m);
      EXPECT_EQ(predicted.messages.value().value, n * k);
      EXPECT_EQ(predicted.words.value().value, k * (k - 1) * m);
      EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
      EXPECT_TRUE(predicted.messages->exact && predicted.words->exact);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(hypercubes, Adea, testing::Range(0U, sanitized ? 8U : 10U));

TEST(Adea, charges_the_packets_of_a_whole_message) {
  Model model = model_of(PortModel::one);
  model.cost.max_packet_words = 4;
  // Messages of 3, 6, 12 words: 1, 2, 3 packets, where blocks of their own would take 1, 2, 4.
  const Report report = BuiltMachine("hypercube:3").run(name_of_adea, model, block_settings(3)).report;
  EXPECT_EQ(report.startups, 8U * (1 + 2 + 3));
  EXPECT_DOUBLE_EQ(report.time_synchronous, 3 * (1 + 2 + 3) + 0.5 * 21);
}

// "n cycles and (k-1)m words (full), 2(k-1)m (half-node)" (1.7); "with all ports (k-1)m/n in full, 2(k-1)m/n in
// half-link" (1.9).
TEST(Adea, is_bounded_as_the_paper_says) {
  const auto bound = [](const char* text, PortModel ports, Duplex duplex) {
    const MachineSpec spec = parse_machine(text);
    const Method& method = find_method(name_of_adea, spec.family);
    const LowerBound found = method.lower_bound(spec, model_of(ports, duplex), block_settings(2));
    return std::pair(found.steps.value(), found.longest_sum.value());
  };
  using Bound = std::pair<std::uint64_t, std::uint64_t>;
  for (const PortModel ports : {PortModel::one, PortModel::one_strict}) {
    EXPECT_EQ(bound("hypercube:0", ports, Duplex::half_node), Bound(0, 0));
    EXPECT_EQ(bound("hypercube:4", ports, Duplex::full), Bound(4, 30));
    EXPECT_EQ(bound("hypercube:4", ports, Duplex::half_link), Bound(4, 30));
    EXPECT_EQ(bound("hypercube:4", ports, Duplex::half_node), Bound(4, 60));
  }
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::full), Bound(4, 8));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::half_link), Bound(4, 15));
  EXPECT_EQ(bound("hypercube:4", PortModel::all, Duplex::half_node), Bound(4, 15));
}

// What --duplex chooses by itself: the full form needs links that carry both directions at once.
TEST(Adea, full_form_is_refused_where_links_are_half_duplex) {
  const BuiltMachine machine("hypercube:3");
  const auto executor = make_executor(ExecutorKind::sequential);
  Settings settings = block_settings(1);
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    const Model model = model_of(PortModel::all, duplex);
    const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
    const auto run = [&](allgather::ExchangeForm form) {
      allgather::Holdings held(request);
      return run_program<allgather::Blocks>(
          request, [&](Processor<allgather::Blocks>& self) { return allgather::adea(self, form, held); });
    };
    EXPECT_NO_THROW(run(allgather::ExchangeForm::half));
    try {
      run(allgather::ExchangeForm::full);
      FAIL() << name(duplex);
    } catch (const RunError& error) {
      EXPECT_TRUE(error.is_violation()) << error.what();
      EXPECT_EQ(error.cycle(), 0U);
    }
  }
}

TEST(Adea, leaves_every_processor_with_memory_of_its_own) {
  const BuiltMachine machine("hypercube:5");
  const auto executor = make_executor(ExecutorKind::threads, 3);
  const Settings settings = block_settings(3);
  const Model model = model_of(PortModel::one);
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
  allgather::Holdings held(request);
  run_program<allgather::Blocks>(request, [&](Processor<allgather::Blocks>& self) {
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

TEST(Adea, needs_the_memory_of_all_blocks_everywhere) {
  const auto bytes = [](const char* text, std::uint64_t words) {
    const MachineSpec spec = parse_machine(text);
    const Method& method = find_method(name_of_adea, spec.family);
    return method.bytes(spec, method.defaults, block_settings(words));
  };
  const std::uint64_t gathered = std::uint64_t{1024} * 1024 * 512 * 8;
  EXPECT_GE(bytes("hypercube:10", 512), gathered);
  EXPECT_LE(bytes("hypercube:10", 512), gathered + gathered / 100);
  EXPECT_EQ(bytes("hypercube:31", most_words), ~std::uint64_t{0});
}

TEST(Adea, catches_faults_in_half_form_too) {
  const BuiltMachine machine("hypercube:4");
  for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::swap, FaultKind::corrupt}) {
    for (std::uint64_t transfer = 0; transfer < 64; ++transfer) {
      std::string caught;
      try {
        caught = machine
                     .run(name_of_adea, model_of(PortModel::one, Duplex::half_node), block_settings(2),
                          Fault{kind, transfer})
                     .wrong;
      } catch (const RunError& error) {
        caught = error.what();
      }
      EXPECT_NE(caught, "") << "fault " << static_cast<int>(kind) << " in transfer " << transfer;
    }
  }
}

TEST(Adea, refuses_what_it_cannot_do) {
  EXPECT_EQ(refusal(name_of_adea, "hypercube:3", block_settings(0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(name_of_adea, "hypercube:3", block_settings(1)), "");
  EXPECT_THROW(find_method(name_of_adea, "rh"), InputError);
  Settings settings;
  find_method(name_of_adea, "hypercube").resolve(parse_machine("hypercube:2"), {}, settings);
  EXPECT_EQ(settings.words, 1U);
}

}  // namespace
}  // namespace lockstep
