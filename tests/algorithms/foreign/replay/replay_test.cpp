// Messages of other programs: GOAL, and the plans made from it.
#include "lockstep/algorithms/replay.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <utility>

#include "../../../sanitized.hpp"
#include "lockstep/algorithms/run_observer.hpp"
#include "replayed.hpp"

namespace lockstep::replay_test {
namespace {

constexpr const char* relay = R"(num_ranks 3
rank 0 {
s1: send 6b to 1 tag 4
}
rank 1 {
r1: recv 6b from 0 tag 4
c1: calc 10
s1: send 3b to 2
c1 requires r1
s1 requires c1
}
rank 2 {
r1: recv 3b from 1
}
)";

TEST(Goal, IsSentOnceItIsRequired) {
  Model model;
  model.cost = {.beta = 100, .tau = 7, .flop = 2};
  const Ran ran = run_text(relay, model);
  EXPECT_EQ(ran.outcome.wrong, "");
  EXPECT_EQ(ran.outcome.report.steps, 2U);
  EXPECT_EQ(ran.outcome.report.messages, 2U);
  EXPECT_EQ(ran.outcome.report.words, 7U);  // 5 and 2: bytes are charged from the second on
  EXPECT_EQ(ran.outcome.report.operations, 10U);
  EXPECT_EQ(ran.outcome.report.time_asynchronous, 100 + 35 + 20 + 100 + 14);
  EXPECT_EQ(ran.bound.steps, 2U);
  EXPECT_EQ(ran.bound.longest_sum, 5U);
}

TEST(Goal, IsReadWithBlanksCommentsAndOptions) {
  const ReplayProgram program = read_replay({{"'file'", R"(// made by hand
num_ranks 2
/* a longer
   comment */
rank 0 {
  first: send 9 b to 1 tag 3 cpu 1 nic 2   // behind it
	send 1b to 1
}
rank 1 {
r: recv 9b from -1 tag -1
later: recv 1b from 0 cpu 0
later irequires r
}
)"}},
                                            4);
  ASSERT_EQ(program.nodes, 2U);
  ASSERT_EQ(program.ranks[0].size(), 2U);
  EXPECT_EQ(program.ranks[0][0].amount, 2U);  // 8 bytes after the first, 4 a word
  EXPECT_EQ(program.ranks[0][0].tag, 3);
  EXPECT_EQ(program.ranks[0][1].amount, 0U);
  EXPECT_EQ(program.ranks[1][0].peer, no_rank);
  EXPECT_EQ(program.ranks[1][0].tag, any_tag);
  EXPECT_EQ(program.ranks[1][1].after_begin, std::vector<std::uint32_t>{0});
  EXPECT_EQ(program.place(1, 0), "rank 1, line 10 (receive 2 words from any rank, any tag)");
  ASSERT_EQ(program.warnings.size(), 1U);
  EXPECT_NE(program.warnings.front().find("cpu and nic are ignored"), std::string::npos);
}

TEST(Goal, OfALabelThatIsThereTwiceTheFirstIsMeant) {
  const ReplayProgram program = read_replay({{"'file'",
                                              "num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\nb: calc 3\n"
                                              "b requires a\n}\n"}});
  EXPECT_EQ(program.ranks[0][2].after_end, std::vector<std::uint32_t>{0});
  ASSERT_EQ(program.warnings.size(), 1U);
  EXPECT_EQ(program.warnings.front(),
            "label 'a' of rank 0 is given twice; requirements mean the first, as in LogGOPSim");
}

TEST(Goal, ThatIsNoneIsRefusedWithItsLine) {
  const std::string begin = "num_ranks 2\nrank 0 {\n";
  for (const auto& [text, wrong] : std::vector<std::pair<std::string, std::string>>{
           {"num_ranks 0\n", "line 1: num_ranks is '0', not a whole number from 1 to 1048576"},
           {"num_ranks 2\nrank 1 {\n}\n", "line 2: the rank (all ranks are required, in order) is '1'"},
           {"num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n", "line 4: there are more ranks than num_ranks states"},
           {"num_ranks 2\nrank 0 {\n}\n", "it ends with 1 of 2 ranks"},
           {begin + "send 1b to 1\n", "the line } of rank 0 is missing"},
           {begin + "send 1b to 2\n", "line 3: the rank is '2', not a whole number from 0 to 1"},
           {begin + "send 1b from 1\n", "line 3: to and a rank are missing"},
           {begin + "send 0b to 1\n", "line 3: the size is '0', not a whole number from 1"},
           {begin + "send 8 to 1\n", "line 3: a size is '8', without b behind it"},
           {begin + "send\n", "line 3: it breaks off"},
           {begin + "recv 8b from 1 tag\n", "line 3: it breaks off"},
           {begin + "calc 5 tag 1\n", "line 3: 'tag' has no place here; options are tag, cpu and nic with a number"},
           {begin + "put 8b to 1\n", "line 3: 'put' is none of send, recv, calc, requires, irequires and }"},
           {begin + "a: calc 1\na requires b\n", "line 4: nothing before is labelled 'b'"},
           {begin + "send 8b to 1 tag 4294967296\n", "line 3: tag is '4294967296', not a whole number from 0"}}) {
    EXPECT_NE(refusal_of(text).find(wrong), std::string::npos) << text << refusal_of(text);
    EXPECT_TRUE(refusal_of(text).starts_with("'file': ")) << refusal_of(text);
  }
}

/// The relay with one text replaced by another.
std::string changed_relay(const std::string& from, const std::string& to) {
  std::string text = relay;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos);
  return text.replace(place, from.size(), to);
}

TEST(Goal, WhatDoesNotMatchIsNamed) {
  EXPECT_EQ(fault_of(changed_relay("recv 3b from 1", "recv 3b from 1 tag 2")),
            "file: rank 2, line 13 (receive 2 words from 1, tag 2) gets no message");
  EXPECT_EQ(fault_of(changed_relay("recv 3b from 1", "calc 3")),
            "file: rank 1, line 8 (send 2 words to 2, tag 0) is never received");
  EXPECT_EQ(fault_of(changed_relay("recv 6b", "recv 5b")),
            "file: rank 1, line 6 (receive 4 words from 0, tag 4) is too short for its message: rank 0, line 3 (send 5 "
            "words to 1, tag 4)");
  EXPECT_EQ(fault_of(relay, {}, "path:3"), "");
  EXPECT_EQ(fault_of(changed_relay("send 3b to 2", "send 3b to 0"), {}, "path:3"),
            "file: rank 2, line 13 (receive 2 words from 1, tag 0) gets no message");
  EXPECT_EQ(
      fault_of("num_ranks 3\nrank 0 {\nsend 2b to 2\n}\nrank 1 {\n}\nrank 2 {\nrecv 2b from 0\n}\n", {}, "path:3"),
      "file: rank 0, line 3 (send 1 word to 2, tag 0): path:3 has no link from 0 to 2");
}

TEST(Goal, RequirementsInACycleAreNamed) {
  EXPECT_EQ(
      fault_of(changed_relay("c1 requires r1", "c1 requires s1")),
      "file: operations wait for one another: rank 1, line 7 (compute) requires rank 1, line 8 (send 2 words to 2, "
      "tag 0) requires rank 1, line 7 (compute)");
  const std::string both =
      "num_ranks 2\nrank 0 {\nr: recv 2b from 1\ns: send 2b to 1\ns requires r\n}\nrank 1 {\n"
      "r: recv 2b from 0\ns: send 2b to 0\ns requires r\n}\n";
  EXPECT_EQ(
      fault_of(both),
      "file: no processor can continue after cycle 0: rank 0, line 3 (receive 1 word from 1, tag 0) waits for rank 1, "
      "line 9 (send 1 word to 0, tag 0) requires rank 1, line 8 (receive 1 word from 0, tag 0) waits for rank 0, line "
      "4 (send 1 word to 1, tag 0) requires rank 0, line 3 (receive 1 word from 1, tag 0)");
  // To have begun is less: the receives begin, and so the sends may.
  std::string begun = both;
  for (std::size_t place = 0; (place = begun.find("s requires", place)) != std::string::npos; place += 3) {
    begun.replace(place, 10, "s irequires");
  }
  EXPECT_EQ(fault_of(begun), "");
}

TEST(Goal, MessagesAreForTheFirstReceiveThatTakesThem) {
  // As in MPI: a receive takes the first message that arrived, and a message goes to the receive that began first.
  const std::string text =
      "num_ranks 2\nrank 0 {\na: send 2b to 1 tag 1\nb: send 3b to 1 tag 2\nc: send 4b to 1 tag 1\n"
      "b requires a\nc requires b\n}\nrank 1 {\nx: recv 2b from 0 tag 1\ny: recv 4b from -1 tag 1\n"
      "z: recv 3b from 0 tag -1\ny requires x\nz irequires x\n}\n";
  EXPECT_EQ(fault_of(text), "");
  // If z began first, it would receive a, and x would be too short for c.
  std::string swapped = text;
  swapped.replace(swapped.find("z irequires x"), 13, "x irequires z");
  EXPECT_EQ(fault_of(swapped),
            "file: rank 1, line 10 (receive 1 word from 0, tag 1) is too short for its message: rank 0, line 5 (send 3 "
            "words to 1, tag 1)");
}

TEST(Goal, ToOneselfTakesNoLink) {
  const std::string text = "num_ranks 1\nrank 0 {\ns: send 5b to 0\nr: recv 5b from 0\n}\n";
  EXPECT_EQ(run_text(text).outcome.report.messages, 0U);
  EXPECT_EQ(fault_of(text), "");
  EXPECT_EQ(fault_of("num_ranks 1\nrank 0 {\nr: recv 5b from 0\n}\n"),
            "file: rank 0, line 3 (receive 4 words from 0, tag 0) gets no message");
}

/// Every rank sends `times` messages to every other one, in no order.
std::string everybody(Rank ranks, unsigned times) {
  std::string text = "num_ranks " + std::to_string(ranks) + "\n";
  for (Rank rank = 0; rank < ranks; ++rank) {
    text += "rank " + std::to_string(rank) + " {\n";
    for (Rank other = 0; other < ranks; ++other) {
      for (unsigned time = 0; time < times && other != rank; ++time) {
        text += "send 3b to " + std::to_string(other) + "\nrecv 3b from " + std::to_string(other) + "\n";
      }
    }
    text += "}\n";
  }
  return text;
}

TEST(Goal, KeepsTheRulesOfThePorts) {
  for (const Rank p : {2U, 3U, 5U, 8U}) {
    for (const unsigned times : {1U, 3U}) {
      const std::string text = everybody(p, times);
      const std::uint64_t each = std::uint64_t{p - 1} * times;
      const Ran one = run_text(text);
      EXPECT_EQ(one.outcome.wrong, "");
      EXPECT_EQ(one.outcome.report.messages, p * each);
      EXPECT_GE(one.outcome.report.steps, each);
      EXPECT_EQ(one.bound.steps, each);
      EXPECT_EQ(one.bound.longest_sum, 2 * each);
      // With all ports all messages go at once, limited only by the links.
      const Ran all = run_text(text, with_ports(PortModel::all));
      EXPECT_EQ(all.outcome.report.steps, times);
      EXPECT_EQ(all.bound.steps, times);
      for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
        EXPECT_EQ(fault_of(text, with_ports(PortModel::one, duplex), "complete:" + std::to_string(p)), "");
        EXPECT_EQ(fault_of(text, with_ports(PortModel::all, duplex), "complete:" + std::to_string(p)), "");
      }
      EXPECT_EQ(fault_of(text, with_ports(PortModel::one_strict), "complete:" + std::to_string(p)), "");
    }
  }
}

/// A random program that can be run: messages are drawn, and each operation of a rank requires some earlier ones.
std::string random_goal(std::mt19937_64& random, Rank ranks, unsigned messages) {
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  std::vector<std::string> bodies(ranks);
  std::vector<unsigned> labels(ranks);
  const auto add = [&](Rank rank, const std::string& text) {
    const unsigned label = labels[rank]++;
    bodies[rank] += "l" + std::to_string(label) + ": " + text + "\n";
    // Required operations were drawn earlier, so no cycle of waits exists.
    for (std::uint64_t times = below(3); times > 0 && label > 0; --times) {
      bodies[rank] += "l" + std::to_string(label) + (below(4) == 0 ? " irequires l" : " requires l") +
                      std::to_string(below(label)) + "\n";
    }
  };
  for (unsigned message = 0; message < messages; ++message) {
    const auto from = static_cast<Rank>(below(ranks)), to = static_cast<Rank>(below(ranks));
    const std::string size = std::to_string(1 + below(20)) + "b ";
    // Its own tag, so that it matches its receive whenever it arrives.
    const std::string tag = " tag " + std::to_string(message);
    add(from, "send " + size + "to " + std::to_string(to) + tag);
    if (below(3) == 0) add(from, "calc " + std::to_string(below(9)));
    add(to, "recv " + size + "from " + (below(3) == 0 ? "-1" : std::to_string(from)) + tag);
  }
  std::string text = "num_ranks " + std::to_string(ranks) + "\n";
  for (Rank rank = 0; rank < ranks; ++rank) text += "rank " + std::to_string(rank) + " {\n" + bodies[rank] + "}\n";
  return text;
}

TEST(Goal, RandomProgramsRunTheSameOnEveryExecutor) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto ranks = static_cast<Rank>(1 + random() % 9);
    const auto messages = static_cast<unsigned>(random() % 60);
    const std::vector<NamedText> files{{"'file'", random_goal(random, ranks, messages)}};
    const PortModel ports = seed % 2 == 0 ? PortModel::one : PortModel::all;
    const Ran sequential = run_files(files, with_ports(ports));
    EXPECT_EQ(sequential.outcome.wrong, "");
    EXPECT_LE(sequential.outcome.report.messages, messages);
    for (const ExecutorKind kind : {ExecutorKind::seeded, ExecutorKind::tbb}) {
      const Ran other = run_files(files, with_ports(ports), "", {}, kind);
      EXPECT_EQ(other.outcome.data_digest, sequential.outcome.data_digest);
      EXPECT_EQ(other.outcome.report.steps, sequential.outcome.report.steps);
      EXPECT_EQ(other.outcome.report.time_asynchronous, sequential.outcome.report.time_asynchronous);
    }
    if (sequential.bound.steps) {
      EXPECT_GE(sequential.outcome.report.steps, *sequential.bound.steps);
    }
  }
}

TEST(Goal, FaultsOfMessagesAreCaught) {
  const std::string text = everybody(4, 2);
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::swap, FaultKind::corrupt}) {
      unsigned planted = 0;
      for (std::uint64_t transfer = 0; transfer < 24; ++transfer) {
        bool done = false;
        const std::string wrong =
            fault_of(text, with_ports(ports), "", Fault{.kind = kind, .transfer = transfer, .done = &done});
        if (!done) continue;  // there is no message to swap with
        ++planted;
        EXPECT_NE(wrong, "") << transfer;
      }
      EXPECT_GE(planted, 12U);
    }
  }
}

TEST(Replay, FilesAreKnownByTheirFirstLine) {
  EXPECT_TRUE(is_replay("num_ranks 3\n"));
  EXPECT_TRUE(is_replay("// by hand\n\nnum_ranks 3\n"));
  EXPECT_TRUE(is_replay("# a trace\n0 init\n"));
  EXPECT_FALSE(is_replay("{\"steps\": []}"));
  EXPECT_FALSE(is_replay("<algo/>"));
  EXPECT_FALSE(is_replay(""));
  EXPECT_EQ(files_of_trace_list("# a list\na.txt\n\nb/c.txt\n"), (std::vector<std::string>{"a.txt", "b/c.txt"}));
  EXPECT_TRUE(files_of_trace_list("{\n").empty());
  EXPECT_TRUE(files_of_trace_list("0 init\n").empty());
  EXPECT_TRUE(files_of_trace_list("").empty());
  EXPECT_EQ(files_of_trace_list("a name with spaces.txt \r\n"), (std::vector<std::string>{"a name with spaces.txt"}));
  EXPECT_TRUE(
      is_replay("\xef\xbb\xbf"
                "0 init\r\n"));
}

TEST(Goal, TheSenderIsCheckedWhereAReceiveTakesAnyMessage) {
  // Two receives that take any message: only the link shows that their messages have been exchanged.
  const std::string text =
      "num_ranks 3\nrank 0 {\nrecv 3b from -1\nrecv 3b from -1\n}\nrank 1 {\nsend 3b to 0\n}\n"
      "rank 2 {\nsend 3b to 0\n}\n";
  EXPECT_EQ(fault_of(text, with_ports(PortModel::all)), "");
  bool done = false;
  const Fault swapped{.kind = FaultKind::swap, .transfer = 0, .done = &done};
  EXPECT_NE(fault_of(text, with_ports(PortModel::all), "", swapped).find("has received no message of the file"),
            std::string::npos);
  EXPECT_TRUE(done);
}

/// The message of cycle 0 arrives twice; that of cycle 2, as long and on the same link, does not arrive.
class FirstInPlaceOfSecond : public RunObserver {
 public:
  void barrier(MovingMessages& messages) override {
    if (messages.cycle() == 0) messages.repeat(0);
    if (messages.cycle() == 2) messages.drop(0);
  }
};

TEST(Goal, AMessageThatComesTwiceInPlaceOfAnotherIsSeen) {
  const auto program = std::make_shared<const ReplayProgram>(
      read_replay({{"'file'",
                    "num_ranks 2\nrank 0 {\nsend 3b to 1\nr: recv 1b from 1\ns: send 3b to 1\ns requires r\n}\n"
                    "rank 1 {\nr: recv 3b from 0\nrecv 3b from 0\ns: send 1b to 0\ns requires r\n}\n"}}));
  const MachineSpec machine = parse_machine("complete:2");
  const Topology topology = build(machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  const Model model;
  Settings settings;
  settings.written_schedule = program;
  replay_method().resolve(machine, model, settings);
  FirstInPlaceOfSecond observer;
  const Outcome outcome = replay_method().run({.machine = machine,
                                               .topology = topology,
                                               .model = model,
                                               .settings = settings,
                                               .executor = *executor,
                                               .options = {.name = "file"},
                                               .observer = &observer});
  EXPECT_EQ(outcome.wrong, "rank 0, line 3 (send 2 words to 1, tag 0) was received twice");
}

/// `times` messages there and back, one after the other: the operations of both ranks, the first one after `begin`.
std::pair<std::string, std::string> ping_pong(Rank one, Rank other, unsigned times, const std::string& begin) {
  std::string first, second;
  for (unsigned time = 0; time < times; ++time) {
    const std::string number = std::to_string(time);
    const std::string there = " tag " + std::to_string(100 + time), back = " tag " + std::to_string(200 + time);
    const std::string before = time == 0 ? begin : "q" + std::to_string(time - 1);
    first += "p" + number + ": send 2b to " + std::to_string(other) + there + "\n";
    if (!before.empty()) first += "p" + number + " requires " + before + "\n";
    first += "q" + number + ": recv 2b from " + std::to_string(other) + back + "\n";
    second += "p" + number + ": recv 2b from " + std::to_string(one) + there + "\n";
    second +=
        "q" + number + ": send 2b to " + std::to_string(one) + back + "\nq" + number + " requires p" + number + "\n";
  }
  return {first, second};
}

TEST(Replay, ABoundIsNoneWherePortsDecideWhichMessageAReceiveTakes) {
  // Rank 0 sends a at once, and b, with the same tag, after a long exchange; another long exchange follows y. Rank 1
  // takes x after a message of rank 3 and y after one of rank 2. Without port limits both arrive at once, x takes a,
  // and y waits for b; with one port rank 2's message is first, and y takes a.
  const auto [way_0, way_4] = ping_pong(0, 4, 20, "");
  const auto [way_1, way_5] = ping_pong(1, 5, 20, "y");
  const std::string text = "num_ranks 6\nrank 0 {\na: send 2b to 1\n" + way_0 + "b: send 2b to 1\nb requires q19\n}\n" +
                           "rank 1 {\nm2: recv 2b from 2 tag 1\nm3: recv 2b from 3 tag 1\nx: recv 2b from 0\n" +
                           "x requires m3\ny: recv 2b from 0\ny requires m2\n" + way_1 + "}\n" +
                           "rank 2 {\nsend 2b to 1 tag 1\n}\nrank 3 {\nsend 2b to 1 tag 1\n}\n" + "rank 4 {\n" + way_4 +
                           "}\nrank 5 {\n" + way_5 + "}\n";
  const Ran ran = run_text(text);
  EXPECT_EQ(ran.outcome.wrong, "");
  EXPECT_LT(ran.outcome.report.steps, 60U);                      // not both exchanges, one after the other
  EXPECT_EQ(ran.bound.steps, std::optional<std::uint64_t>(24));  // rank 1 receives a, b, two more and 20
}

/// Rank 0 sends `messages` messages with distinct tags; rank 1 receives them in that order or reversed, from the start
/// or, if `late`, after all have arrived.
std::string many_messages(unsigned messages, bool reversed, bool late) {
  std::string text = "num_ranks 2\nrank 0 {\n";
  for (unsigned message = 0; message < messages; ++message) {
    text += "send 9b to 1 tag " + std::to_string(message) + "\n";
  }
  text += "last: send 9b to 1 tag " + std::to_string(messages) + "\n}\nrank 1 {\n";
  text += "all: recv 9b from 0 tag " + std::to_string(messages) + "\n";
  for (unsigned message = 0; message < messages; ++message) {
    const std::string tag = std::to_string(reversed ? messages - 1 - message : message);
    text += "r" + tag + ": recv 9b from 0 tag " + tag + "\n";
    if (late) text += "r" + tag + " requires all\n";
  }
  return text + "}\n";
}

// Each would take minutes if receives, waiting messages, or sends to a busy port were searched one by one.
TEST(Replay, LongFilesArePlannedInTimeInProportion) {
  constexpr unsigned messages = sanitized ? 1'000 : 100'000;
  for (const bool late : {false, true}) {
    EXPECT_EQ(run_text(many_messages(messages, true, late)).outcome.report.steps, messages + 1);
  }
  EXPECT_EQ(run_text(many_messages(messages, false, false), with_ports(PortModel::all)).outcome.report.steps,
            messages + 1);
  std::string chain = "num_ranks 1\nrank 0 {\nl0: recv 1b from 0\n";
  for (unsigned label = 1; label < messages; ++label) {
    const std::string number = std::to_string(label);
    chain.append("l").append(number).append(": calc 1\nl").append(number).append(" requires l");
    chain.append(std::to_string(label - 1)).append("\n");
  }
  EXPECT_EQ(fault_of(chain + "}\n"), "file: rank 0, line 3 (receive 0 words from 0, tag 0) gets no message");
}

}  // namespace
}  // namespace lockstep::replay_test
