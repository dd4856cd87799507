// Properties of every method of the catalogue, on machines of each of its families: exact predictions equal the counts,
// all executors give the same result, and planted faults are caught.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep::catalogue_test {
namespace {

TEST(CatalogueTable, HasMachinesForEveryFamily) {
  const std::vector<Case> all = catalogue_cases();
  for (const Method* method : catalogue()) {
    ASSERT_FALSE(method->families.empty()) << method->name;
    for (const std::string_view family : method->families) {
      EXPECT_TRUE(machines_by_family().contains(family))
          << method->name << " runs on " << family
          << ", of which machines_by_family() in tests/algorithms/catalogue_cases.hpp has no machine";
      EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                              [&](const Case& one) {
                                const MachineSpec machine = parse_machine(one.machine);
                                return one.method == method && machine.family == family && machine.processors >= 4;
                              }))
          << method->name << " accepts no machine of " << family << " that has 4 processors";
    }
  }
  for (const auto& [family, list] : machines_by_family()) {
    EXPECT_FALSE(list.empty()) << family;
    for (const std::string& machine : list) EXPECT_EQ(parse_machine(machine).family, family) << machine;
  }
}

class Catalogue : public testing::TestWithParam<Case> {
 protected:
  const Method& method() const { return *GetParam().method; }
  Rank processors() const { return machine_.topology.processors(); }
  bool is_large() const { return processors() >= (sanitized ? 100 : 128); }

  /// The method's defaults, but with `times` the fewest words, in `times` packets, and another root than 0.
  Settings settings(const Model& model, std::uint64_t times) const {
    Settings fewest = required_settings(method());
    method().resolve(machine_.spec, model, fewest);
    Settings settings = required_settings(method());
    if (takes(method(), "words") && !settings.words) settings.words = times * *fewest.words;
    if (takes(method(), "packets")) settings.packets = times;
    if (takes(method(), "root")) settings.root = processors() - 1;
    if (takes(method(), "source")) settings.source = processors() - 1;
    if (takes(method(), "matrix")) {
      settings.matrix = MatrixSize{fewest.matrix->rows * std::bit_ceil(times), fewest.matrix->columns};
      if (!accepts(method(), machine_.spec, settings)) settings.matrix = fewest.matrix;  // one element a processor
    }
    if (!accepts(method(), machine_.spec, settings)) settings.packets.reset();  // more than are combined at once
    method().resolve(machine_.spec, model, settings);
    return settings;
  }

  /// Resolved settings, but with packets of different lengths, if the method chooses packets and there are enough
  /// words.
  Settings with_unequal_packets(const Settings& settings) const {
    Settings unequal = settings;
    if (takes(method(), "packets") && settings.packets > 1U) --*unequal.packets;
    if (takes(method(), "packet-words") && settings.packet_words > 1U) --*unequal.packet_words;
    if (takes(method(), "rounds")) unequal.rounds = 3;
    return accepts(method(), machine_.spec, unequal) ? unequal : settings;
  }

  Model model(PortModel ports) const {
    Model model = method().defaults;
    model.ports = ports;
    model.cost.beta = 3;
    model.cost.tau = 0.5;
    model.cost.flop = 0.125;
    return model;
  }

  Outcome run(const Model& model, const Settings& settings, Executor& executor,
              const std::optional<Fault>& fault = {}) const {
    RunOptions options;
    options.name = method().name;
    options.record_cycles = true;
    if (!is_large()) options.share_from = 1;  // threads share the cycles of small machines too
    options.oversubscribe_from = 1;
    return method().run(
        {machine_.spec, machine_.topology, model, settings, executor, options, {}, PlantedFault(fault).observer()});
  }
  Outcome run(const Model& model, const Settings& settings, const std::optional<Fault>& fault = {}) const {
    return run(model, settings, *make_executor(ExecutorKind::sequential), fault);
  }

  const BuiltMachine machine_{GetParam().machine};
};

// These run one processor at a time, where ThreadSanitizer finds nothing.
#ifndef LOCKSTEP_THREAD_SANITIZER
TEST_P(Catalogue, CountsWhatItPredictsAndNoLessThanItsBounds) {
  for (const PortModel ports : port_models_on(method(), machine_.spec.family)) {
    for (const std::uint64_t times : {1U, 3U}) {
      if (sanitized && is_large() && times > 1) continue;  // other builds check the counts of more words
      SCOPED_TRACE(std::string(name(ports)) + ", words times " + std::to_string(times));
      const Settings resolved = settings(model(ports), times);
      const Outcome outcome = run(model(ports), resolved);
      const Report& report = outcome.report;
      EXPECT_EQ(outcome.wrong, "");

      const Prediction predicted = method().predict(machine_.spec, model(ports), resolved);
      expect_kept(predicted, report, model(ports).cost);
      if (predicted.message_words) {
        EXPECT_EQ(report.words, report.messages * *predicted.message_words);
        EXPECT_DOUBLE_EQ(report.time_synchronous - report.time_arithmetic,
                         static_cast<double>(report.steps) * model(ports).cost.time(1, *predicted.message_words));
      }
      const LowerBound bound = lower_bound(method(), machine_.spec, model(ports), resolved);
      EXPECT_GE(report.steps, bound.steps.value_or(0));
      EXPECT_GE(report.longest_sum, bound.longest_sum.value_or(0));
    }
  }
}

/// 'predicted exactly', 'predicted at most' or 'not predicted'.
std::string_view kind_of(const std::optional<ModelledTime>& time) {
  return !time ? "not predicted" : time->exact ? "predicted exactly" : "predicted at most";
}

// Packets of the given words, 0 for no limit, and multiples of the fewest words: messages shorter than a packet, of one
// packet and a part, and of many packets of one word.
TEST_P(Catalogue, PredictsTimesInPacketsAsItDoesWithout) {
  struct Trial {
    std::uint64_t packet;
    std::uint64_t times;
  };
  for (const PortModel ports : port_models_on(method(), machine_.spec.family)) {
    for (const auto& [packet, times] : {Trial{7, 5}, Trial{3, 4}, Trial{1, 2}, Trial{0, 3}}) {
      if (is_large() && (sanitized || packet != 7)) continue;
      if (sanitized && packet != 7) continue;  // other builds check the times of other packets
      SCOPED_TRACE(std::string(name(ports)) + ", packets of " + std::to_string(packet) + ", words times " +
                   std::to_string(times));
      Model unlimited = model(ports);
      unlimited.cost.copy_cost = 0.25;
      Model limited = unlimited;
      limited.cost.max_packet_words = packet;
      const Settings resolved = with_unequal_packets(settings(limited, times));
      const Prediction without = method().predict(machine_.spec, unlimited, resolved);
      const Prediction within = method().predict(machine_.spec, limited, resolved);
      const auto synchronous = synchronous_time(within, limited.cost);
      EXPECT_EQ(kind_of(synchronous), kind_of(synchronous_time(without, unlimited.cost)));
      EXPECT_EQ(kind_of(within.asynchronous), kind_of(without.asynchronous));
      if (synchronous || within.asynchronous) expect_kept(within, run(limited, resolved).report, limited.cost);
    }
  }
}

TEST_P(Catalogue, CatchesPlantedFaults) {
  if (sanitized && is_large()) return;  // the code that runs after a fault is the same on small machines
  const Model defaults = model(method().defaults.ports);
  const Settings resolved = settings(defaults, 2);
  const Report right = run(defaults, resolved).report;
  // SweepOfMethods plants them in every message on machines of up to 16 processors.
  const unsigned trials = right.messages == 0 ? 0 : is_large() ? 2 : sanitized ? 1 : processors() <= 16 ? 3 : 12;
  std::mt19937_64 random(17);
  for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::swap, FaultKind::corrupt}) {
    if (kind != FaultKind::corrupt && sends_copies(method())) continue;
    for (unsigned trial = 0; trial < trials; ++trial) {
      bool done = false;  // not if there is nothing else in the cycle to swap with, or no word to corrupt
      const Fault fault{kind, random() % right.messages, &done};
      SCOPED_TRACE("fault " + std::to_string(static_cast<int>(kind)) + " in transfer " +
                   std::to_string(fault.transfer));
      try {
        const Outcome outcome = run(defaults, resolved, fault);
        EXPECT_EQ(outcome.wrong.empty(), !done)
            << "if other messages make up for it, name the method in sends_copies(), catalogue_cases.hpp";
      } catch (const RunError& error) {
        EXPECT_TRUE(done) << error.what();
      }
      EXPECT_TRUE(done || kind == FaultKind::swap || (kind == FaultKind::corrupt && right.words == 0));
    }
  }
}
#endif

TEST_P(Catalogue, ComesToTheSameOnAllExecutors) {
#ifdef LOCKSTEP_ADDRESS_SANITIZER
  if (is_large()) return;  // has run in CountsWhatItPredicts; ThreadSanitizer checks what threads share
#endif
  const Model defaults = model(method().defaults.ports);
  const Settings resolved = settings(defaults, 2);
  const Outcome expected = run(defaults, resolved);
  EXPECT_EQ(expected.wrong, "");
  const auto expect_same = [&](ExecutorKind kind, unsigned threads, std::uint64_t seed) {
    SCOPED_TRACE(std::string(name(kind)) + ", threads " + std::to_string(threads) + ", schedule seed " +
                 std::to_string(seed));
    const Outcome outcome = run(defaults, resolved, *make_executor(kind, threads, seed));
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.digest(), expected.report.digest());
    EXPECT_EQ(outcome.data_digest, expected.data_digest);
  };
  // ThreadSanitizer needs many threads; schedule seeds show it nothing.
#ifdef LOCKSTEP_THREAD_SANITIZER
  const std::vector<unsigned> numbers{8};
#else
  const std::vector<unsigned> numbers = sanitized ? std::vector<unsigned>{2} : std::vector<unsigned>{1, 2, 4, 8};
#endif
  for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::threads}) {
    for (const unsigned threads : numbers) {
      expect_same(kind, threads, 1);
    }
  }
  const std::uint64_t seeds = sanitized ? (is_large() ? 0 : 1) : is_large() ? 5 : 20;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) expect_same(ExecutorKind::seeded, 1, seed);
}

INSTANTIATE_TEST_SUITE_P(Methods, Catalogue, testing::ValuesIn(catalogue_cases()), test_name);

}  // namespace
}  // namespace lockstep::catalogue_test
