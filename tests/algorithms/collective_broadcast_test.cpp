// Broadcasts and reductions of today against collectives.md (Broadcast; Reduce): steps S, messages M, words in all and
// longest sums, for many numbers p of ranks, n of packets, and vectors that these divide and that they do not.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>

#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep {
namespace {

/// m words in n packets from, or to, that root.
Settings item(std::uint64_t m, std::uint64_t n, std::uint64_t root = 0) {
  Settings settings;
  settings.words = m;
  settings.packets = n;
  settings.root = root;
  return settings;
}

std::uint64_t log_ceil(std::uint64_t p) { return static_cast<std::uint64_t>(std::bit_width(p - 1)); }

/// What n packets of the m words take: (p - 1) n messages, and, if n divides m, S m / n words of longest messages.
SpecCounts packets_in(std::uint64_t steps, std::uint64_t p, std::uint64_t m, std::uint64_t n) {
  SpecCounts counts{.steps = p == 1 ? 0 : steps, .messages = (p - 1) * n, .words = (p - 1) * m};
  if (m % n == 0) counts.longest_sum = *counts.steps * (m / n);
  return counts;
}

/// Runs it with n packets, which divide the words and which do not, and from several roots.
void expect_packets(const BuiltMachine& machine, std::string_view method, const Model& model, std::uint64_t steps,
                    std::uint64_t n) {
  const std::uint64_t p = machine.topology.processors();
  for (const std::uint64_t m : {n, 3 * n, 2 * n + n / 2, 3 * n - 1, n + 1}) {
    const Settings settings = item(m, n, (m + n) % p);
    expect_run(machine, method, model, settings, packets_in(steps, p, m, n));
  }
}

TEST(BroadcastCirculant, TakesTheStepsOfTheSpecForAnyRanksAndPackets) {
  for (std::uint64_t p = 1; p <= (sanitized ? 12 : 40); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t n : {1U, 2U, 3U, 5U, 8U, 17U}) {
      expect_packets(machine, "broadcast/circulant", model_of(PortModel::one), n - 1 + log_ceil(p), n);
    }
  }
}

TEST(BroadcastCirculant, CatchesFaults) {
  expect_catches_faults("broadcast/circulant", "switch:7", item(9, 4, 2));
  expect_catches_faults("broadcast/circulant", "complete:5", item(5, 5));
}

/// The same for a reduction.
void expect_reduced_in_packets(const BuiltMachine& machine, std::string_view method, std::uint64_t steps,
                               std::uint64_t n) {
  const std::uint64_t p = machine.topology.processors();
  std::size_t turn = 0;
  const std::array names{"sum", "max", "xor", "and"};
  for (const std::uint64_t m : {n, 3 * n, 2 * n + n / 2, 3 * n - 1, n + 1}) {
    Settings settings = item(m, n, (m + n) % p);
    settings.operator_name = names[turn++ % names.size()];
    expect_run(machine, method, model_of(PortModel::one), settings, packets_in(steps, p, m, n));
  }
}

TEST(ReduceInReverse, TakesTheStepsOfTheSpecForAnyRanksAndPackets) {
  for (std::uint64_t p = 1; p <= (sanitized ? 9 : 33); ++p) {
    const BuiltMachine machine((p % 2 == 0 ? "switch:" : "complete:") + std::to_string(p));
    for (const std::uint64_t n : {1U, 2U, 3U, 5U, 8U, 17U}) {
      expect_reduced_in_packets(machine, "reduce/circulant", n - 1 + log_ceil(p), n);
      expect_reduced_in_packets(machine, "reduce/chain", p + n - 2, n);
    }
  }
}

TEST(ReduceBinomial, TakesDoublingsOfTheWholeVector) {
  for (std::uint64_t p = 1; p <= (sanitized ? 12 : 40); ++p) {
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t m : {1U, 7U}) {
        Settings settings;
        settings.words = m;
        settings.root = (3 * m) % p;
        settings.operator_name = m == 1 ? "min" : "sum";
        const std::uint64_t q = log_ceil(p);
        expect_run(machine, "reduce/binomial", model_of(PortModel::one), settings,
                   {.steps = q, .longest_sum = q * m, .messages = p - 1, .words = (p - 1) * m, .message_words = m});
      }
    }
  }
}

TEST(ReduceInReverse, TakesEveryOperatorThatCommutes) {
  for (const char* method : {"reduce/binomial", "reduce/chain", "reduce/circulant"}) {
    const BuiltMachine machine("switch:11");
    for (const Operator& op : operators()) {
      SCOPED_TRACE(std::string(method) + ", " + std::string(op.name));
      Settings settings;
      settings.words = 5 * op.element_words;
      settings.root = 4;
      settings.operator_name = std::string(op.name);
      if (!op.commutative) {
        EXPECT_EQ(refusal(method, machine.spec.text, settings),
                  "--operator " + std::string(op.name) +
                      " does not commute, and operands are combined in another order than that of the ranks");
        continue;
      }
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
      settings.type = "double";
      EXPECT_EQ(machine.run(method, model_of(PortModel::one), settings).wrong, "");
    }
  }
}

TEST(ReduceInReverse, CatchesFaults) {
  for (const char* name : {"sum", "min", "or"}) {
    Settings settings = item(9, 4, 2);
    settings.operator_name = name;
    expect_catches_faults("reduce/circulant", "switch:7", settings);
    expect_catches_faults("reduce/chain", "complete:5", settings);
    settings.packets.reset();
    expect_catches_faults("reduce/binomial", "complete:6", settings);
  }
}

TEST(CollectiveBroadcasts, AreBoundedByDoublingsAndTheRootsPort) {
  for (const char* method : {"broadcast/circulant", "reduce/circulant", "reduce/chain"}) {
    EXPECT_EQ(bound(method, "switch:12", item(20, 5), model_of(PortModel::one)), Bound(4, 23)) << method;
    EXPECT_EQ(bound(method, "complete:12", item(20, 20), model_of(PortModel::one)), Bound(4, 23)) << method;
    EXPECT_EQ(bound(method, "switch:1", item(20, 5), model_of(PortModel::one)), Bound(0, 0)) << method;
    EXPECT_EQ(bound(method, "switch:2", item(1, 1), model_of(PortModel::one)), Bound(1, 1)) << method;
  }
}

}  // namespace
}  // namespace lockstep
