// `lockstep demo`: the screens of every demonstration at every width; keys, pages and notes.
#include "learn/demo.hpp"

#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "command_line.hpp"
#include "learn/demo_player.hpp"
#include "page.hpp"

namespace lockstep::test::demo_test {
namespace {

using cli::host::Style;
using cli::learn::Demo;
using cli::learn::demos;
using cli::learn::DemoStory;
using cli::learn::find_demo;
using cli::learn::ShownRun;

const std::atomic<bool> never{false};

/// The words of a text, regardless of line breaks.
std::string unwrapped(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;) words += (words.empty() ? "" : " ") + word;
  return words;
}

std::string unwrapped(std::string_view text) { return unwrapped(std::string(text)); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Finished in_plain_text(const std::string& name) {
  Finished run = lockstep("demo " + name);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return run;
}

/// The demonstrations that a lecture on the five papers needs.
const std::set<std::string> wanted{"broadcast-hypercube",
                                   "tea1-tea2",
                                   "disjoint-paths",
                                   "total-exchange-torus",
                                   "rh-scan",
                                   "rh-sort",
                                   "mpt",
                                   "gray-transposition",
                                   "six-machines",
                                   "bus-switch",
                                   "one-all-ports",
                                   "pipelining",
                                   "port-violation",
                                   "any-threads",
                                   "channel-overflow",
                                   "deadlock"};

TEST(Demos, AreAllThere) {
  std::set<std::string> names;
  for (const Demo& demo : demos()) names.emplace(demo.name);
  EXPECT_EQ(names, wanted);
  EXPECT_EQ(names.size(), demos().size()) << "a name appears twice";
  const std::string list = in_plain_text("").out;
  for (const Demo& demo : demos()) EXPECT_TRUE(has(list, "  " + std::string(demo.name) + " ")) << demo.name;
}

class EveryDemo : public testing::TestWithParam<std::string> {
 protected:
  const Demo& demo() const { return find_demo(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Names, EveryDemo, testing::ValuesIn(wanted), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EveryDemo, IsShownInFull) {
  for (const std::string_view text :
       {demo().title, demo().summary, demo().introduction, demo().ending, demo().question, demo().answer}) {
    EXPECT_GE(std::ranges::count(text, ' '), 2) << text;
  }
  EXPECT_GE(demo().notes.size(), 2U);
  EXPECT_TRUE(has(std::string(demo().question), "?")) << demo().question;
}

TEST_P(EveryDemo, SaysSomethingInEveryStep) {
  const DemoStory story(demo(), never);
  EXPECT_GT(story.steps(), 0U);
  for (const cli::learn::Sentence& sentence : demo().sentences) {
    EXPECT_LE(sentence.step, story.steps()) << "never shown: " << sentence.text;
  }
  for (std::size_t step = 1; step <= story.steps(); ++step) {
    const std::string screen = story.screen(step, 100, {});
    EXPECT_TRUE(has(screen, "step " + std::to_string(step) + " of ")) << screen;
    bool is_said = has(screen, "▸");
    for (const auto& [at, text] : demo().sentences) {
      if (at != step) continue;
      is_said = true;
      EXPECT_TRUE(has(unwrapped(screen), unwrapped(text))) << text;
    }
    EXPECT_TRUE(is_said) << "no text for step " << step;
  }
}

TEST_P(EveryDemo, FitsItsWidthAndEndsInItsQuestion) {
  const DemoStory story(demo(), never);
  for (const std::size_t width : {40U, 80U, 120U}) {
    const std::string text = told(story, width, Style());
    for (const std::string& line : lines(text)) EXPECT_LE(cli::host::columns(line), width) << line;
    EXPECT_EQ(text.find('\033'), std::string::npos);
    EXPECT_TRUE(unwrapped(text).ends_with(unwrapped(demo().question))) << text.substr(text.size() - 300);
    EXPECT_FALSE(has(text, std::string(demo().answer))) << "the answer is for the lecturer";
    EXPECT_TRUE(has(unwrapped(text), unwrapped(demo().introduction)));
    EXPECT_TRUE(has(unwrapped(text), unwrapped(demo().ending)));
  }
}

TEST_P(EveryDemo, ShowsRunsThatAreVerifiedOrProgramsOfItsOwn) {
  const DemoStory story(demo(), never);
  ASSERT_EQ(story.runs().size(), demo().exhibits.size());
  for (const ShownRun& run : story.runs()) {
    EXPECT_EQ(run.exhibit().program.has_value(), run.exhibit().arguments.empty());
    if (run.exhibit().program) continue;
    EXPECT_EQ(run.record().status, cli::run::Status::verified) << run.exhibit().title;
    EXPECT_TRUE(run.record().problems.empty());
  }
}

TEST_P(EveryDemo, IsWhatTheCommandPrints) {
  const DemoStory story(demo(), never);
  EXPECT_EQ(in_plain_text(GetParam()).out, told(story, 100, Style()));
}

TEST_P(EveryDemo, IsAPageToo) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("html");
  const Finished run = lockstep("demo " + GetParam() + " --html " + file);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with(file + ": ")) << run.out;
  const Page page = page_of(read_file(file));
  EXPECT_TRUE(has(page.document["title"], std::string(demo().title)));
  ASSERT_EQ(page.document["runs"].size(), demo().exhibits.size());
  for (std::size_t index = 0; index < demo().exhibits.size(); ++index) {
    const std::string& title = demo().exhibits[index].title;
    EXPECT_EQ(page.run(index)["name"], title.empty() ? Json() : Json(title));
  }
  const Json& first = page.run()["sections"][0];
  EXPECT_EQ(first["title"], "this demonstration");
  EXPECT_EQ(first["text"], std::string(demo().introduction));
  std::size_t said = 0;
  for (const Json& section : page.run()["sections"]) said += section["text"] == std::string(demo().question) ? 1 : 0;
  EXPECT_EQ(said, 1U);
}

TEST_P(EveryDemo, HasNotesForTheLecturer) {
  const Finished run = lockstep("demo " + GetParam() + " --speaker");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string text = unwrapped(run.out);
  for (const std::string_view note : demo().notes) EXPECT_TRUE(has(text, unwrapped(note))) << note;
  for (const cli::learn::Sentence& sentence : demo().sentences) EXPECT_TRUE(has(text, unwrapped(sentence.text)));
  EXPECT_TRUE(has(text, "Answer " + unwrapped(demo().answer)));
  for (const cli::learn::Exhibit& exhibit : demo().exhibits) {
    if (exhibit.program) continue;
    const std::string command = cli::learn::command_of(exhibit);
    EXPECT_TRUE(has(text, unwrapped(command))) << command;
    EXPECT_EQ(lockstep(command.substr(std::string("lockstep ").size())).exit_code, 0) << command;
  }
}

struct Counted {
  std::uint64_t steps;
  std::uint64_t messages;
  double time;

  friend bool operator==(const Counted&, const Counted&) = default;
  friend void PrintTo(const Counted& counted, std::ostream* out) {
    *out << counted.steps << " steps, " << counted.messages << " messages, time " << counted.time;
  }
};

std::vector<Counted> counts_of(std::string_view name) {
  const DemoStory story(find_demo(name), never);
  std::vector<Counted> counts;
  for (const ShownRun& run : story.runs()) {
    const Report& report = run.record().outcome.report;
    counts.push_back({report.steps, report.messages, report.time_synchronous});
  }
  return counts;
}

// k = 16, N = 16, beta = 10: the item is one packet of 16 words, or two streams of 8.
TEST(Demos, SixMachinesBroadcastAsThePaperCounts) {
  EXPECT_EQ(counts_of("six-machines"),
            (std::vector<Counted>{{1, 1, 26}, {5, 16, 130}, {8, 15, 208}, {4, 30, 72}, {4, 15, 104}, {6, 15, 156}}));
}

// N = 1,536, beta = 10, k = 16, by the methods of the paper's tables with their best numbers of packets.
TEST(Demos, SixMachinesEndsInATableWithAWinnerForEachOperation) {
  const std::string text = unwrapped(in_plain_text("six-machines").out);
  for (const std::string row : {"bus 1546", "torus 1102", "hypercube 1996", "ring 2262"}) {
    EXPECT_TRUE(has(text, row)) << row << " in " << text;
  }
  EXPECT_TRUE(has(text, "Fastest: torus, hypercube, ring.")) << text;
}

// n + nu - 1 steps of beta + N/nu for nu packets, n = 3, N = 64, beta = 10.
TEST(Demos, PipeliningTakesAStepAPacketMore) {
  EXPECT_EQ(counts_of("pipelining"), (std::vector<Counted>{{3, 7, 222}, {6, 28, 156}, {10, 56, 180}}));
  const std::string text = in_plain_text("pipelining").out;
  EXPECT_TRUE(has(text, "◆ best: 4 packets, time 156")) << text;
  EXPECT_TRUE(has(text, "  408 │")) << "32 packets: 34 steps of 12";
}

struct Fault {
  std::string demo;
  std::string exhibit;
  std::string kind;
  std::string said;
  friend std::ostream& operator<<(std::ostream& out, const Fault& fault) {
    return out << fault.kind << ", " << fault.exhibit;
  }
};

class FaultsOnPurpose : public testing::TestWithParam<Fault> {};

INSTANTIATE_TEST_SUITE_P(
    Kinds, FaultsOnPurpose,
    testing::Values(
        Fault{"port-violation", "hurried, one port", "send-limit", "cycle 1, rank 1, ports 0 and 1: a second send"},
        Fault{"channel-overflow", "sends at once", "overflow", "cycle 3, rank 0, port 0: the channel is full"},
        Fault{"deadlock", "all wait first", "deadlock", "rank 0 waits on port 1 for rank 3 since cycle 0"}),
    [](const auto& test) { return test.param.exhibit.substr(0, 3) + test.param.kind.substr(0, 4); });

TEST_P(FaultsOnPurpose, EndInWhatTheMachineSays) {
  const auto& [demo, exhibit, kind, said] = GetParam();
  const DemoStory story(find_demo(demo), never);
  for (const ShownRun& run : story.runs()) {
    const bool is_faulty = run.exhibit().title == exhibit;
    ASSERT_EQ(run.failure().has_value(), is_faulty) << run.exhibit().title;
    if (!is_faulty) {
      EXPECT_EQ(run.record().status, cli::run::Status::ended);
      continue;
    }
    EXPECT_EQ(run.failure()->kind, kind);
    EXPECT_TRUE(has(run.failure()->text, said)) << run.failure()->text;
  }
  const std::string end = unwrapped(story.screen(story.steps() + 1, 80, {}));
  EXPECT_TRUE(has(end, "The machine says:")) << end;
  EXPECT_TRUE(has(end, "lockstep explain " + kind)) << end;
  EXPECT_EQ(lockstep("explain " + kind).exit_code, 0);
}

// The texts' statements about the right programs.
TEST(Demos, RemediesTakeAsManyStepsAsIsSaid) {
  const std::vector<Counted> ports = counts_of("port-violation");
  EXPECT_EQ(ports[1], (Counted{4, 6, 8})) << "all ports: 0 to 3 and back a link";
  EXPECT_EQ(ports[2], (Counted{4, 6, 8})) << "one port and patience: as many";
  EXPECT_EQ(counts_of("channel-overflow")[1], (Counted{8, 8, 16})) << "an item and an answer, four times";
  const std::vector<Counted> waits = counts_of("deadlock");
  EXPECT_EQ(waits[1], (Counted{4, 4, 8})) << "one after the other";
  EXPECT_EQ(waits[2], (Counted{1, 4, 2})) << "all at once";
}

TEST(Demos, AnyNumberOfThreadsComesToOneDigest) {
  const std::string text = in_plain_text("any-threads").out;
  std::vector<std::string> digests;
  const std::regex digest("  ([0-9a-f]{16})\n");
  for (std::sregex_iterator found(text.begin(), text.end(), digest), end; found != end; ++found) {
    digests.push_back((*found)[1]);
  }
  ASSERT_EQ(digests.size(), 6U) << text;
  EXPECT_EQ(std::set(digests.begin(), digests.end()).size(), 1U) << text;
}

TEST(Demos, OtherNamesAndFlagsAreRefusedInOneLine) {
  expect_refused(lockstep("demo deadlok"), {"'deadlok'", "did you mean 'deadlock'?", "lockstep demo lists them"});
  expect_refused(lockstep("demo deadlock --auto 0"), {"--auto '0'", "above 0, up to 3600"});
  expect_refused(lockstep("demo deadlock --auto soon"), {"--auto 'soon' is not a number"});
  expect_refused(lockstep("demo --auto 1"), {"--auto", "needs the name of a demonstration"});
  expect_refused(lockstep("demo --html x"), {"--html", "needs the name of a demonstration"});
  expect_refused(lockstep("demo --speaker"), {"--speaker", "needs the name of a demonstration"});
  expect_refused(lockstep("demo deadlock --speaker --html -"), {"choose one"});
  expect_refused(lockstep("demo deadlock --speaker --auto 1"), {"--auto", "for the terminal"});
  expect_refused(lockstep("demo deadlock --html /none/there.html"), {"/none/there.html"});
  expect_refused(lockstep("demo dead lock"), {"unexpected argument 'lock'"});
}

// On a terminal.

const std::vector<std::string> on_stage{"demo", "deadlock"};
constexpr const char* other_screen = "\033[?1049h";
constexpr const char* own_screen = "\033[?1049l";

TEST(DemoOnATerminal, GoesForwardAndBackAndEnds) {
  Running run(on_stage, Running::Outputs::terminal);
  ASSERT_TRUE(run.wait_for_text("Enter goes on, b back, q quits"));
  EXPECT_FALSE(run.shows_keys());
  run.type("\n");
  ASSERT_TRUE(run.wait_for_text("step 1 of 4"));
  run.type(" ");
  ASSERT_TRUE(run.wait_for_text("step 2 of 4"));
  run.type("b");
  ASSERT_TRUE(run.wait_for_text("step 1 of 4", 2));
  run.type("bb");  // the second has no effect
  ASSERT_TRUE(run.wait_for_text("before the run", 2));
  run.type("nnnn");
  ASSERT_TRUE(run.wait_for_text("step 4 of 4"));
  run.type("\033[C");
  ASSERT_TRUE(run.wait_for_text("Enter ends"));
  run.type("\r");
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 0);
  const std::size_t left = finished.out.find(own_screen);
  ASSERT_NE(left, std::string::npos);
  EXPECT_LT(finished.out.find(other_screen), left);
  EXPECT_TRUE(has(finished.out.substr(left), "To think about")) << "the last screen stays";
}

/// Expects the exit code of a demonstration that ends this way, and the terminal in its former state.
void expect_end(const std::function<void(Running&)>& end, int exit_code) {
  Running run(on_stage, Running::Outputs::terminal);
  ASSERT_TRUE(run.wait_for_text("Enter goes on"));
  end(run);
  ASSERT_TRUE(run.wait_for_text(own_screen));
  EXPECT_TRUE(run.shows_keys());
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, exit_code);
  EXPECT_EQ(has(finished.out, "lockstep: interrupted"), exit_code != 0);
}

TEST(DemoOnATerminal, LeavesTheTerminalAsItWas) {
  expect_end([](Running& run) { run.type("q"); }, 0);
  expect_end([](Running& run) { run.type("\003"); }, 130);
  expect_end([](Running& run) { run.send(SIGTERM); }, 143);
  const auto twice = [](Running& run) {
    run.send(SIGTERM);
    run.send(SIGTERM);
  };
  expect_end(twice, 143);
}

TEST(DemoOnATerminal, IsPlainTextWhereTheTerminalCannotClearIt) {
  const Finished run = Running(on_stage, Running::Outputs::terminal, [] { setenv("TERM", "dumb", 1); }).finish();
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_FALSE(has(run.out, other_screen));
  EXPECT_TRUE(has(run.out, "To think about"));
}

TEST(DemoOnATerminal, GoesOnByItself) {
  const auto start = std::chrono::steady_clock::now();
  const Finished run =
      Running({"demo", "deadlock", "--auto", "0.1"}, Running::Outputs::terminal, [] { unsetenv("NO_COLOR"); }).finish();
  EXPECT_EQ(run.exit_code, 0);
  for (const std::string step : {"before the run", "step 1 of 4", "step 4 of 4", "after the run"}) {
    EXPECT_TRUE(has(run.out, step)) << step;
  }
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(600)) << "six screens";
}

TEST(DemoOnATerminal, ScrollsWhatIsHigherThanIt) {
  const auto small = [] {
    const winsize size{.ws_row = 12, .ws_col = 40, .ws_xpixel = 0, .ws_ypixel = 0};
    ioctl(STDOUT_FILENO, TIOCSWINSZ, &size);
    setenv("NO_COLOR", "1", 1);
    unsetenv("COLUMNS");
  };
  Running run({"demo", "six-machines"}, Running::Outputs::terminal, small);
  ASSERT_TRUE(run.wait_for_text("q quits  ↓ more"));
  run.type("k");  // already at the top
  ASSERT_TRUE(run.wait_for_text("q quits  ↓ more", 2));
  run.type("j\033[B");
  ASSERT_TRUE(run.wait_for_text("q quits  ↓ more", 4));
  run.type(std::string(200, 'j'));
  ASSERT_TRUE(run.wait_for_text("q quits  ↑ more"));
  run.type("q");
  const Finished finished = run.finish();
  EXPECT_EQ(finished.exit_code, 0);
  std::string screens = finished.out.substr(0, finished.out.find(own_screen));
  for (std::string line : lines(std::regex_replace(screens, std::regex("\033\\[[?0-9]*[a-zA-Z]"), "\n"))) {
    if (line.ends_with('\r')) line.pop_back();
    EXPECT_LE(cli::host::columns(line), 40U) << line;
  }
}

}  // namespace
}  // namespace lockstep::test::demo_test
