// scan/pipelined and exscan/pipelined against collectives.md, Scan: n packets of m words over p - 1 hops.
#include <gtest/gtest.h>

#include <array>

#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::scan_pipelined_test {
namespace {

constexpr std::array scans{"scan/pipelined", "exscan/pipelined"};
constexpr std::array machines{"path:", "ring:", "complete:", "switch:"};

Settings in_packets(const std::string& name, std::uint64_t words, std::uint64_t packets) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  settings.packets = packets;
  return settings;
}

class ScanPipelined : public testing::TestWithParam<const char*> {
 protected:
  /// Combinations of a packet: each rank but the first, and without its own value also but the last.
  static std::uint64_t combining(std::uint64_t p) {
    return std::string_view(GetParam()) == "scan/pipelined" || p == 1 ? p - 1 : p - 2;
  }
};

TEST_P(ScanPipelined, TakesAStepAHopAndAPacketMore) {
  for (const char* family : machines) {
    for (const std::uint64_t p : {3U, 4U, 9U}) {
      for (const std::uint64_t n : {1U, 2U, 7U}) {
        Model model = model_of(PortModel::one);
        model.cost.flop = 2;
        const std::uint64_t steps = p - 1 + n - 1;
        expect_run(BuiltMachine(family + std::to_string(p)), GetParam(), model, in_packets("sum", 5 * n, n),
                   {.steps = steps,
                    .longest_sum = 5 * steps,
                    .messages = (p - 1) * n,
                    .words = (p - 1) * 5 * n,
                    .operations = combining(p) * 5 * n,
                    .message_words = 5});
      }
    }
  }
}

// 5 words in 3 packets of 2, 2 and 1: the last step of all moves the short one alone.
TEST_P(ScanPipelined, SendsTheLongerPacketsFirst) {
  expect_run(BuiltMachine("path:4"), GetParam(), model_of(PortModel::one), in_packets("sum", 5, 3),
             {.steps = 5, .longest_sum = 9, .messages = 9, .words = 15});
}

// 3 matrices of 4 words in 2 packets: the first has two of them, although 12 words could be divided evenly.
TEST_P(ScanPipelined, DividesNoElement) {
  expect_run(BuiltMachine("path:3"), GetParam(), model_of(PortModel::one), in_packets("matrix2", 12, 2),
             {.steps = 3, .longest_sum = 8 + 8 + 4, .messages = 4, .words = 24});
}

// Where a rank either sends or receives, packets follow each other at every other step.
TEST_P(ScanPipelined, WaitsWhereRanksTakeTurns) {
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    expect_run(BuiltMachine("path:5"), GetParam(), model_of(PortModel::one, duplex), in_packets("sum", 12, 4),
               {.steps = 4 + (duplex == Duplex::half_node ? 6U : 3U)});
  }
}

TEST_P(ScanPipelined, KeepsTheOrderOfTheRanks) {
  for (const char* machine : {"path:1", "path:2", "ring:6", "complete:5", "switch:7", "omega:8"}) {
    for (const Operator& op : operators()) {
      Model model = model_of(PortModel::one);
      model.cost.beta = 10;
      model.cost.max_packet_words = 3;
      Settings settings;
      settings.operator_name = op.name;
      settings.words = 20 * op.element_words;
      expect_run(BuiltMachine(machine), GetParam(), model, settings, {});
      settings.packets = 3;
      expect_run(BuiltMachine(machine), GetParam(), model, settings, {});
    }
  }
}

TEST_P(ScanPipelined, CatchesFaults) {
  for (const char* machine : {"path:4", "ring:3", "complete:4"}) {
    for (const char* name : {"sum", "min", "or", "concat"}) {
      expect_catches_faults(GetParam(), machine, in_packets(name, 5, 3));
    }
  }
  expect_catches_faults(GetParam(), "switch:4", in_packets("matrix2", 12, 2));
}

TEST_P(ScanPipelined, HasAnElementInEveryPacket) {
  const BuiltMachine machine("path:4");
  Settings settings = in_packets("matrix2", 8, 3);
  EXPECT_THROW(machine.method(GetParam()).resolve(machine.spec, model_of(PortModel::one), settings), InputError);
}

INSTANTIATE_TEST_SUITE_P(All, ScanPipelined, testing::ValuesIn(scans));

}  // namespace
}  // namespace lockstep::scan_pipelined_test
