// The program beside a trace: the line and the values of a cycle agree with the messages that move in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "coded_run.hpp"
#include "lockstep/machines/gray_code.hpp"

namespace lockstep::cli::learn::pseudo_code_trace_test {
namespace {

/// 3 for "d = 3" anywhere among the values.
std::uint64_t number_of(const std::string& variable, const std::string& values) {
  const std::string start = variable + " = ";
  std::size_t place = values.rfind(start);
  EXPECT_NE(place, std::string::npos) << values;
  return std::stoull(values.substr(place + start.size()));
}

/// Calls check(step, messages of its cycle).
template <class Check>
void for_each_step(const CodedRun& run, const Check& check) {
  const auto& steps = run.code.value().steps;
  for (std::size_t index = 0; index < steps.size(); ++index) {
    SCOPED_TRACE("cycle " + std::to_string(steps[index].cycle));
    check(steps[index], run.trace.messages_of(index));
  }
}

// The messages show the dimension, too.
TEST(PseudoCode, NamesThePortOfAllMessages) {
  struct {
    const char* method;
    const char* variable;
  } const cases[] = {{"broadcast/sbt", "i"}, {"allgather/adea", "d"}, {"alltoall/exchange", "d"}, {"scatter/sbt", "d"},
                     {"gather/sbt", "d"},    {"scan/cube", "i"},      {"sort/bitonic", "d"},      {"reduce/tree", "i"}};
  for (const auto& [method, variable] : cases) {
    SCOPED_TRACE(method);
    const CodedRun run = run_with(flags_for("hypercube:4", method));
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      for (const run::TracedMessage& message : messages) EXPECT_EQ(message.port, number_of(variable, step.values));
    });
  }
  for_each_step(run_with(flags_for("hypercube:6", "transpose/2d-spt")),
                [](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
                  const std::string dimension = step.values.substr(step.values.rfind(' ') + 1);
                  for (const run::TracedMessage& message : messages) EXPECT_EQ(std::to_string(message.port), dimension);
                });
}

// So do the parts of a dimension: ports k and c + i, and the phases that the programs name.
TEST(PseudoCode, AgreesWithPortsAndPhasesOfReducedHypercubes) {
  for (const std::string method : {"sort/resort", "sort/merge", "sort/classic"}) {
    for (const std::string machine : {"rh:2,2", "rh:3,1", "rh:3,2"}) {
      SCOPED_TRACE(method + " " + machine);
      const CodedRun run = run_with(flags_for(machine, method));
      const std::uint64_t k = run.plan.machine.parameters[0], n = run.plan.machine.parameters[1];
      for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
        const std::string& line = run.line(step);
        const std::string phase = run.trace.phase(messages.front());
        const bool travels = line.find("lists move") != std::string::npos;
        EXPECT_EQ(phase, line == "    compare-split over port d"     ? "block sort"
                         : line.find("gather") != std::string::npos  ? "gather"
                         : line.find("go back") != std::string::npos ? "scatter"
                                                                     : "between blocks");
        for (const run::TracedMessage& message : messages) {
          EXPECT_EQ(run.trace.phase(message), phase);
          if (travels) {
            EXPECT_TRUE(message.port >= k - n && message.port < k);
          } else if (line.ends_with("over port k")) {
            EXPECT_EQ(message.port, k);
          } else if (line.find("port k - n + i") != std::string::npos) {
            EXPECT_EQ(message.port, k - n + number_of("i", step.values));
          } else {
            EXPECT_EQ(message.port, number_of("d", step.values));
          }
        }
      });
    }
  }
  for (const std::string machine : {"rh:1,1", "rh:2,2", "rh:3,2"}) {
    for (const std::string method : {"reduce/tree", "scan/hub"}) {
      SCOPED_TRACE(method + " " + machine);
      const CodedRun run = run_with(flags_for(machine, method));
      const std::uint64_t k = run.plan.machine.parameters[0];
      for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
        const std::size_t link = step.values.find("link ");
        for (const run::TracedMessage& message : messages) {
          if (link == std::string::npos) {
            EXPECT_EQ(message.port, number_of("i", step.values));
          } else {  // the path between two blocks leaves its block in the middle
            const std::uint64_t number = std::stoull(step.values.substr(link + 5));
            const std::uint64_t links = std::stoull(step.values.substr(step.values.find(" of ", link) + 4));
            EXPECT_EQ(message.port == k, 2 * number == links + 1);
          }
        }
      });
    }
  }
  const auto expect_phases = [](const std::string& flags,
                                const std::vector<std::pair<std::string, std::string>>& phases) {
    SCOPED_TRACE(flags);
    const CodedRun run = run_with(flags);
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      for (const run::TracedMessage& message : messages) {
        const auto phase = std::ranges::find_if(
            phases, [&](const auto& one) { return run.line(step).find(one.first) != std::string::npos; });
        ASSERT_NE(phase, phases.end()) << run.line(step);
        EXPECT_EQ(run.trace.phase(message), phase->second);
      }
    });
  };
  for (const std::string machine : {"rh:1,1", "rh:3,1", "rh:2,2", "rh:3,2"}) {
    for (const std::string hub : {"", "--hub 0"}) {
      expect_phases(flags_for(machine, "scan/hub", hub), {{"scan as", "blocks"},
                                                          {"send total", "between blocks"},
                                                          {"send what came", "between blocks"},
                                                          {"each processor that knows left", "spread"}});
    }
    for (const std::string ports : {"", "--ports all"}) {
      expect_phases(flags_for(machine, "barrier/tree", ports), {{"send the token", "arrival"}, {"release", "release"}});
    }
  }
  expect_phases(flags_for("torus:4x4", "allgather/two-pass"), {{"row", "columns"}, {"column", "rows"}});
}

// The first link of a path between two blocks shows the sender and its value (mukherjee.md, Prefix, phase 2): for each
// m there are 2^(D-1-m) totals, and (D-1-m) 2^(D-2-m) forwarded values.
TEST(PseudoCode, AgreesWithTheBlocksThatSendOnInScans) {
  const CodedRun run = run_with(flags_for("rh:2,2", "scan/hub"));
  std::size_t totals = 0, passed_on = 0;
  for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
    if (step.values.find("link 1 of") == std::string::npos) return;
    const std::uint64_t i = number_of("i", step.values), m = number_of("m", step.values);
    const bool sends_total = run.line(step) == "      send total";
    for (const run::TracedMessage& message : messages) {
      const Rank block = message.from >> 2;
      const Rank up_to_m = block % (2U << m);
      EXPECT_EQ(sends_total, m == i);
      EXPECT_EQ(up_to_m, (sends_total ? 1U << m : 2U << m) - 1) << block;
      EXPECT_EQ(block >> i & 1U, sends_total ? 0U : 1U);
      ++(sends_total ? totals : passed_on);
    }
  });
  EXPECT_EQ(totals, 8U + 4 + 2 + 1);
  EXPECT_EQ(passed_on, 3U * 4 + 2 * 2 + 1);
}

// The distances of messages around the ranks, and their lengths in blocks or parts of one word.
TEST(PseudoCode, AgreesWithDistancesAndLengthsOfCollectives) {
  struct {
    const char* method;
    const char* distance;  // the variable with the distance
    const char* unit;      // of the count; empty if there is none
    std::uint64_t words;
  } const cases[] = {{"allgather/circulant", "skip", "block", 1}, {"allgather/sparbit", "d", "block", 1},
                     {"allreduce/circulant", "skip", "part", 13}, {"alltoall/pairwise", "t", "", 1},
                     {"exscan/123-doubling", "d", "", 1},         {"reduce-scatter/circulant", "skip", "part", 13},
                     {"reduce-scatter/pairwise", "t", "", 13},    {"scan/doubling", "d", "", 1}};
  for (const auto& [method, distance, unit, words] : cases) {
    SCOPED_TRACE(method);
    const CodedRun run = run_with(flags_for("switch:13", method, "--words " + std::to_string(words)));
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      const std::string text = std::string(distance) + (distance == std::string("skip") ? " " : " = ");
      const std::uint64_t far = std::stoull(step.values.substr(step.values.rfind(text) + text.size()));
      const std::size_t count = step.values.find_last_of(",:");
      for (const run::TracedMessage& message : messages) {
        const Rank to = run.trace.receivers(message).front().rank;
        const bool upwards = run.line(step).find("to rank - ") == std::string::npos;
        const std::uint64_t on = (upwards ? 13 + to - message.from : 13 + message.from - to) % 13;
        EXPECT_EQ(on, far) << message.from << " to " << to << ", " << step.values;
        if (*unit == '\0') continue;
        const std::string counted = step.values.substr(count + 2);
        EXPECT_NE(counted.find(unit), std::string::npos);
        EXPECT_EQ(message.words, counted.starts_with("a ") ? 1U : std::stoull(counted)) << counted;
      }
    });
  }
}

// Ports 0 and 1 lead along the first dimension of a torus, which is A, ports 2 and 3 along B.
TEST(PseudoCode, AgreesWithTheDimensionsOfProducts) {
  const CodedRun run = run_with(flags_for("torus:5x4", "alltoall/product"));
  for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
    const bool in_b = run.line(step).find("copies of B") != std::string::npos;
    for (const run::TracedMessage& message : messages) {
      EXPECT_EQ(message.port >= 2, in_b);
      const Rank destination = run.trace.blocks(message).front().destination;
      const Rank origin = run.trace.blocks(message).front().origin;
      // In phase 1 r is the destination's place in A, in phase 2 q the origin's place in B.
      EXPECT_EQ(in_b ? destination / 4 : origin % 4, number_of(in_b ? "r" : "q", step.values));
    }
  });
}

// Blocks show how far they have come.
TEST(PseudoCode, AgreesWithTheBlocksOfDaisyChains) {
  const auto expect_places = [](const std::string& machine, const auto& place_of) {
    SCOPED_TRACE(machine);
    const CodedRun run = run_with(flags_for(machine, "allgather/daisy-chain"));
    const std::uint64_t k = run.plan.machine.processors;
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      EXPECT_EQ(messages.size(), k);
      for (const run::TracedMessage& message : messages) {
        const std::uint64_t from = place_of(message.from);
        const std::uint64_t begin = place_of(run.trace.blocks(message).front().origin);
        EXPECT_EQ((from + k - begin) % k + 1, number_of("t", step.values));
        EXPECT_EQ(place_of(run.trace.receivers(message).front().rank), (from + 1) % k);
      }
    });
  };
  const auto by_rank = [](Rank rank) { return rank; };
  expect_places("ring:7", by_rank);
  expect_places("switch:6", by_rank);
  expect_places("hypercube:4", inverse_gray);
  expect_places("torus:5x5", [](Rank rank) { return rank / 5 * 5 + (rank % 5 + rank / 5) % 5; });
}

// The distance that a block must go is d; on a path all go to the right, then to the left.
TEST(PseudoCode, AgreesWithTheBlocksOfFactors) {
  for (const std::string machine : {"ring:6", "ring:7", "complete:6"}) {
    SCOPED_TRACE(machine);
    const CodedRun run = run_with(flags_for(machine, "alltoall/factor"));
    const std::uint64_t m = run.plan.machine.processors;
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      EXPECT_EQ(messages.size(), m);
      for (const run::TracedMessage& message : messages) {
        const BlockLabels& block = run.trace.blocks(message).front();
        EXPECT_EQ((block.destination + m - block.origin) % m, number_of("d", step.values));
        const std::size_t link = step.values.find("link ");
        if (link == std::string::npos) continue;
        const std::uint64_t walked =
            std::min((message.from + m - block.origin) % m, (block.origin + m - message.from) % m);
        EXPECT_EQ(std::stoull(step.values.substr(link + 5)), walked + 1);
      }
    });
  }
  for (const std::string machine : {"path:5", "path:6"}) {
    SCOPED_TRACE(machine);
    const CodedRun run = run_with(flags_for(machine, "alltoall/factor"));
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      if (step.values == "the middle") {
        EXPECT_EQ(messages.size(), 2U);
        return;
      }
      const bool to_the_left = run.line(step).find("left") != std::string::npos;
      for (const run::TracedMessage& message : messages) EXPECT_EQ(message.port == 1, to_the_left);
    });
  }
}

// A processor that sends its own packet sends the first or second of a round.
TEST(PseudoCode, AgreesWithThePacketsOfMultiplePaths) {
  for (const std::string flags : {"", "--rounds 2"}) {
    const CodedRun run = run_with(flags_for("hypercube:6", "transpose/2d-mpt", flags));
    for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
      std::map<unsigned, std::set<bool>> from_origin;  // by H
      for (const run::TracedMessage& message : messages) {
        const Rank origin = run.trace.blocks(message).front().origin;
        const auto H = static_cast<unsigned>(std::popcount((origin >> 3 ^ origin) & 7U));
        from_origin[H].insert(message.from == origin);
      }
      for (unsigned H = 1; H <= 3; ++H) {
        const std::size_t place = step.values.find("H = " + std::to_string(H));
        ASSERT_EQ(place != std::string::npos, from_origin.contains(H));
        if (place == std::string::npos) continue;
        const std::string of_class = step.values.substr(place, step.values.find(';', place) - place);
        const bool is_last = of_class.find("last") != std::string::npos;
        EXPECT_EQ(from_origin[H].contains(true), !is_last && number_of("e", of_class) <= 2) << of_class;
      }
    });
  }
}

// Each moving packet crosses one link of a ring.
TEST(PseudoCode, AgreesWithTheNumberOfPacketsThatMove) {
  const CodedRun run = run_with(flags_for("ring:6", "broadcast/one-way", "--packets 4"));
  for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
    const std::string packets = step.values.substr(step.values.find(": packet"));
    const std::size_t to = packets.find(" to ");
    const std::uint64_t first = std::stoull(packets.substr(packets.find_first_of("0123456789")));
    const std::uint64_t last = to == std::string::npos ? first : std::stoull(packets.substr(to + 4));
    EXPECT_EQ(messages.size(), last - first + 1);
  });
}

// Left children have even labels.
TEST(PseudoCode, AgreesWithTheChildrenOfTrees) {
  const CodedRun run = run_with(flags_for("switch:16", "broadcast/tree", "--packets 3 --root 5"));
  for_each_step(run, [&](const PseudoCode::Step& step, std::span<const run::TracedMessage> messages) {
    for (const run::TracedMessage& message : messages) {
      const Rank label = (run.trace.receivers(message).front().rank + 16 - 5) % 16 + 1;
      EXPECT_EQ(label % 2 == 0 && label != 16, run.line(step).find("left") != std::string::npos);
    }
  });
}

}  // namespace
}  // namespace lockstep::cli::learn::pseudo_code_trace_test
