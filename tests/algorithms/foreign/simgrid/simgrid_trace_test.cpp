// Traces of MPI programs, as SimGrid writes them.
#include <gtest/gtest.h>

#include <utility>

#include "../../../text_of_file.hpp"
#include "replayed.hpp"

namespace lockstep::simgrid_trace_test {
namespace {

std::string trace_of(const std::vector<std::vector<std::string>>& ranks) {
  std::string text;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    for (const std::string& action : ranks[rank]) text += std::to_string(rank) + " " + action + "\n";
  }
  return text;
}

TEST(SimGridTrace, IsOfOrdersAndSizes) {
  const std::string text = trace_of({{"init", "send 1 5 16", "irecv 1 6 9", "compute 12.6", "wait 1 0 6", "finalize"},
                                     {"init", "recv 0 5 16", "isend 0 6 9", "waitall", "finalize"}});
  Model model;
  model.cost = {.beta = 100, .tau = 7, .flop = 2};
  const Ran ran = run_text(text, model);
  EXPECT_EQ(ran.outcome.wrong, "");
  EXPECT_EQ(ran.outcome.report.steps, 2U);
  EXPECT_EQ(ran.outcome.report.words, 4U);  // bytes; 8 a word, rounded up: 2 and 2
  EXPECT_EQ(ran.outcome.report.operations, 13U);
  EXPECT_EQ(ran.outcome.report.time_asynchronous, 100 + 14 + 100 + 14);
  // With an argument after init, sizes count doubles unless a type is given (1: int).
  EXPECT_EQ(run_text(trace_of({{"init 1", "send 1 0 3", "send 1 1 3 1"}, {"init 1", "recv 0 0 3", "recv 0 1 3 1"}}))
                .outcome.report.words,
            5U);
}

TEST(SimGridTrace, SendReceiveIsBothAtOnce) {
  const std::string text = trace_of({{"sendRecv 8 1 8 1 6 6"}, {"sendRecv 8 0 8 0 6 6"}});
  const Ran ran = run_text(text);
  EXPECT_EQ(ran.outcome.report.steps, 1U);
  EXPECT_EQ(ran.outcome.report.words, 2U);
  // Two blocking receives before the sends wait for ever.
  const auto crossed = trace_of({{"recv 1 0 8", "send 1 0 8"}, {"recv 0 0 8", "send 0 0 8"}});
  EXPECT_NE(fault_of(crossed).find("no processor can continue"), std::string::npos);
}

TEST(SimGridTrace, NoRankAndAnyRank) {
  // -666 is MPI_PROC_NULL; any other negative number is any source or any tag; size -1 is any size.
  const std::string text = trace_of(
      {{"send -666 0 8", "recv -666 0 8", "recv -333 -444 -1", "recv -555 9 8"}, {"send 0 3 800", "send 0 9 8"}});
  const Ran ran = run_text(text);
  EXPECT_EQ(ran.outcome.wrong, "");
  EXPECT_EQ(ran.outcome.report.messages, 2U);
  EXPECT_EQ(ran.bound.steps, std::optional<std::uint64_t>(2));
}

TEST(SimGridTrace, TestsAndWaitsForWhatIsDoneAreNothing) {
  const std::string text = trace_of({{"isend 1 0 8", "test 0 1 0", "wait 0 1 0", "wait 0 1 0"}, {"recv 0 0 8"}});
  EXPECT_EQ(fault_of(text), "");
  const ReplayProgram program = read_replay({{"'file'", text + "1 sleep 0.5\n"}});
  EXPECT_EQ(program.warnings,
            (std::vector<std::string>{
                "test: nothing waits for requests that are only tested", "sleep: takes no time here",
                "wait: 1 of the lines name a request that was never begun, or that an earlier line waited for"}));
}

/// The counts of the collective on the given number of ranks.
Report counted(const std::vector<std::string>& actions) {
  std::vector<std::vector<std::string>> ranks;
  for (const std::string& action : actions) ranks.push_back({action});
  const Ran ran = run_text(trace_of(ranks));
  EXPECT_EQ(ran.outcome.wrong, "");
  return ran.outcome.report;
}
Report counted(Rank ranks, const std::string& action) { return counted(std::vector<std::string>(ranks, action)); }

std::uint64_t ceil_log2(std::uint64_t p) {
  std::uint64_t q = 0;
  while (std::uint64_t{1} << q < p) ++q;
  return q;
}

// Steps, messages and words of collectives.md.
TEST(SimGridTrace, CollectivesAreThoseOfTheCatalogue) {
  for (Rank p = 1; p <= 17; ++p) {
    SCOPED_TRACE(p);
    const std::uint64_t q = ceil_log2(p), last = p - 1;
    std::uint64_t whole = 0;  // floor(log2 p)
    while (std::uint64_t{2} << whole <= p) ++whole;
    const std::uint64_t beyond = p - (std::uint64_t{1} << whole);
    const std::string root = std::to_string(p / 2);
    struct Case {
      std::string action;
      std::uint64_t steps, messages, words;
    };
    for (const auto& [action, steps, messages, words] : std::vector<Case>{
             {"barrier", q, p * q, 0},
             {"bcast 40 " + root + " 6", q, last, 5 * last},
             {"reduce 40 0 " + root + " 6", q, last, 5 * last},
             {"allreduce 40 0 6", whole + (beyond > 0 ? 2 : 0), (std::uint64_t{1} << whole) * whole + 2 * beyond,
              5 * ((std::uint64_t{1} << whole) * whole + 2 * beyond)},
             {"allgather 24 24 6 6", q, p * q, 3 * p * last},
             {"alltoall 16 16 6 6", last, p * last, 2 * p * last},
             {"gather 16 16 " + root + " 6 6", last, last, 2 * last},
             {"scatter 16 16 " + root + " 6 6", last, last, 2 * last},
             {"scan 8 0 6", q, p * q - ((std::uint64_t{1} << q) - 1), p * q - ((std::uint64_t{1} << q) - 1)}}) {
      SCOPED_TRACE(action);
      const Report report = counted(p, action);
      EXPECT_EQ(report.steps, steps);
      EXPECT_EQ(report.messages, messages);
      EXPECT_EQ(report.words, words);
    }
    std::string counts;
    for (Rank rank = 0; rank < p; ++rank) counts += " " + std::to_string(rank + 1);
    const std::uint64_t all = std::uint64_t{p} * (p + 1) / 2;
    const Report scattered = counted(p, "reducescatter" + counts + " 0 0");  // doubles
    EXPECT_EQ(scattered.steps, last);
    EXPECT_EQ(scattered.words, last * all);
    std::vector<std::string> gatherv, allgatherv, scatterv, alltoallv;
    for (Rank rank = 0; rank < p; ++rank) {
      gatherv.push_back("gatherv " + std::to_string(rank + 1) + counts + " 0 0 0");
      allgatherv.push_back("allgatherv " + std::to_string(rank + 1) + counts + " 0 0");
      scatterv.push_back("scatterv" + counts + " " + std::to_string(rank + 1) + " 0 0 0");
      std::string sent;
      for (Rank other = 0; other < p; ++other) sent += " " + std::to_string(rank + 2 * other);
      alltoallv.push_back("alltoallv 99" + sent + " 99" + counts + " 0 0");
    }
    EXPECT_EQ(counted(gatherv).words, all - 1);
    EXPECT_EQ(counted(scatterv).words, all - 1);
    EXPECT_EQ(counted(allgatherv).words, last * all);
    // The sum of r + 2 s over all r and s, minus the terms 3 r with r = s.
    EXPECT_EQ(counted(alltoallv).words, 3 * last * (std::uint64_t{p} * last / 2));
    EXPECT_EQ(counted(alltoallv).messages, p * last);
  }
}

TEST(SimGridTrace, OperationsOfCollectivesAreCharged) {
  EXPECT_EQ(counted(4, "allreduce 8 250 6").operations, 1000U);
  EXPECT_EQ(counted(3, "reducescatter 1 1 1 20 0").operations, 60U);
}

TEST(SimGridTrace, ARealProgramRuns) {
  std::vector<NamedText> files;
  for (const std::string& name : files_of_trace_list(text_of_file(LOCKSTEP_TEST_DATA "/simgrid/halo.txt"))) {
    files.push_back({name, text_of_file(LOCKSTEP_TEST_DATA "/simgrid/" + name)});
  }
  ASSERT_EQ(files.size(), 8U);
  // In the order of halo.c: bcast, 3 times the halo and an allreduce, sendrecv, 2 messages to rank 0, gather,
  // allgather, alltoall, scatter, reduce, scan, exscan, gatherv, allgatherv, scatterv, reduce_scatter, alltoallv,
  // barrier.
  constexpr std::uint64_t messages =
      7 + 3 * (32 + 24) + 8 + 2 + 7 + 24 + 56 + 7 + 7 + 17 + (7 + 6 + 4 + 1) + 7 + 56 + 7 + 56 + 56 + 24;
  constexpr std::uint64_t words = 7 * 3 + 3 * (32 * 16 + 24) + 8 + 2 + 7 * 16 + 56 + 56 * 2 + 7 * 2 + 7 + 17 + 18 + 35 +
                                  7 * 36 + 35 + 7 * 36 + (64 - 8);
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    const Ran ran = run_files(files, with_ports(ports));
    EXPECT_EQ(ran.outcome.wrong, "");
    EXPECT_EQ(ran.outcome.report.messages, messages);
    EXPECT_EQ(ran.outcome.report.words, words);
    EXPECT_GE(ran.outcome.report.steps, ran.bound.steps.value_or(0));
  }
  EXPECT_EQ(run_files(files).bound.longest_sum.has_value(), true);
}

TEST(SimGridTrace, ThatIsNoneIsRefusedWithItsPlace) {
  for (const auto& [text, wrong] : std::vector<std::pair<std::string, std::string>>{
           {"0 fly 3\n", "line 1: 'fly' is not a known action of traces"},
           {"0 init\n1\n", "line 2: it breaks off after the rank"},
           {"0 init\nx init\n", "line 2: the rank is 'x', not a whole number from 0"},
           {"0 send 1 2\n", "line 1: send needs 3 numbers"},
           {"0 send 1 2 many\n", "line 1: 'many' is not a number up to 2^50"},
           {"0 send 1 2 nan\n", "line 1: 'nan' is not a number up to 2^50"},
           {"0 send 1 2 3\n", "rank 0, line 1: there is no rank 1"},
           {"0 send 0 2 -3\n", "rank 0, line 1: send: its size is -3"},
           {"0 send 0 2 3 55\n", "rank 0, line 1: send: there is no type of data 55"},
           {"0 bcast 8\n1 barrier\n", "rank 1, line 2: barrier where rank 0, line 1 has bcast"},
           {"0 bcast 8 0 6\n1 bcast 9 0 6\n", "rank 1, line 2: bcast where rank 0, line 1 has 8 bytes"},
           {"0 bcast 8 0 6\n1 bcast 8 1 6\n", "rank 1, line 2: bcast where rank 0, line 1 has root 0"},
           {"0 bcast 8 2 6\n1 bcast 8 2 6\n", "line 1: there is no root 2"},
           {"0 barrier\n1 init\n", "rank 0, line 1: barrier is a collective operation that rank 1 does not call"},
           {"0 init\n1 barrier\n", "rank 1, line 2: barrier is a collective operation that rank 0 does not call"},
           {"0 alltoallv 1 2\n1 alltoallv 1 2\n", "alltoallv has only 2 numbers"}}) {
    EXPECT_NE(refusal_of(text).find(wrong), std::string::npos) << text << refusal_of(text);
    EXPECT_TRUE(refusal_of(text).starts_with("'file': ")) << refusal_of(text);
  }
}

TEST(SimGridTrace, MessagesOfCollectivesAreForThemAlone) {
  // As in MPI, whose collectives have their own context: no receive of any tag takes their messages.
  EXPECT_EQ(fault_of(trace_of({{"barrier", "send 1 7 800"}, {"irecv 0 -444 800", "barrier", "waitall"}})), "");
  EXPECT_EQ(fault_of(trace_of({{"allreduce 800 0 6", "send 1 7 8"}, {"irecv -333 -444 8", "allreduce 800 0 6"}})), "");
  EXPECT_EQ(refusal_of("0 send 1 2147483648 8\n1 init\n"), "'file': rank 0, line 1: there is no tag 2147483648");
}

TEST(SimGridTrace, AWaitIsForTheFirstOfItsKindThatWasNotTestedSince) {
  // Both receives are of one kind; the test moves the first behind the second, so the wait is for the second.
  const std::string text = trace_of({{"irecv 1 0 8", "irecv 1 0 8", "test 1 0 0", "wait 1 0 0", "send 1 9 8"},
                                     {"send 0 0 8", "recv 0 9 8", "send 0 0 8"}});
  EXPECT_NE(fault_of(text).find("no processor can continue"), std::string::npos);
  EXPECT_EQ(fault_of(trace_of({{"irecv 1 0 8", "irecv 1 0 8", "wait 1 0 0", "send 1 9 8"},
                               {"send 0 0 8", "recv 0 9 8", "send 0 0 8"}})),
            "");
}

TEST(SimGridTrace, WhatIsLeftOutIsSaid) {
  const ReplayProgram program = read_replay({{"'file'", "0 comm_split 1\n0 wait 0 1 3\n"}});
  EXPECT_EQ(program.warnings,
            (std::vector<std::string>{
                "communicators: all ranks take part in all collective operations here",
                "wait: 1 of the lines name a request that was never begun, or that an earlier line waited for"}));
}

TEST(SimGridTrace, OfAListNamesTheFileThatIsWrong) {
  const auto refusal = [](const std::string& second) {
    try {
      read_replay({{"'0.txt'", "0 init\n0 barrier\n"}, {"'1.txt'", second}});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("1 barrier\n"), "");
  EXPECT_EQ(refusal("1 barrier\n1 send 9 0 8\n"), "'1.txt': rank 1, line 2: there is no rank 9");
  EXPECT_EQ(refusal("1 bcast 8 0 6\n"), "'1.txt': rank 1, line 1: bcast where rank 0, line 2 has barrier");
  EXPECT_EQ(refusal("1 barrier\n1 send 0 0 8 77\n"), "'1.txt': rank 1, line 2: send: there is no type of data 77");
}

TEST(SimGridTrace, WithMoreMessagesThanFitIsRefused) {
  const std::string text = trace_of(std::vector<std::vector<std::string>>(5000, {"alltoall 8 8"}));
  EXPECT_EQ(refusal_of(text), "'file': collective operations of 5000 ranks are more than 2^24 messages");
}

}  // namespace
}  // namespace lockstep::simgrid_trace_test
