// `lockstep explain`: every item has a text, and every command in a text ends as the text states.
#include <gtest/gtest.h>

#include <algorithm>

#include "../../sanitized.hpp"
#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "quoted_commands.hpp"
#include "texts/explanations.hpp"
#include "texts/topic.hpp"

namespace lockstep::test::explain_test {
namespace {

using cli::texts::error_texts;
using cli::texts::Explanation;
using cli::texts::explanation_of;
using cli::texts::machine_texts;
using cli::texts::method_texts;
using cli::texts::Section;
using cli::texts::term_texts;
using cli::texts::text_of_operation;
using cli::texts::Topic;
using cli::texts::topics;
using Json = nlohmann::json;

std::vector<std::string> titles(const Explanation& explanation) {
  std::vector<std::string> found;
  for (const Section& section : explanation.sections) found.push_back(section.title);
  return found;
}

/// Minimum of a text: several words and an end.
void expect_text(std::string_view text, const std::string& what) {
  EXPECT_GE(std::ranges::count(text, ' '), 3) << what << ": " << text;
  EXPECT_TRUE(text.ends_with('.') || text.ends_with('?') || text.ends_with('`')) << what << ": " << text;
}

TEST(Explain, EveryMethodHasAText) {
  for (const Method* method : catalogue()) {
    SCOPED_TRACE(std::string(method->name) + " on " + std::string(method->families.front()));
    const Explanation* explanation = explanation_of(*method);
    ASSERT_NE(explanation, nullptr) << "cli/texts/methods has no " << method->name;
    EXPECT_EQ(titles(*explanation),
              (std::vector<std::string>{"idea", "invariant", "count", "use", "paper", "exercise"}));
    for (const auto& [title, text] : explanation->sections) expect_text(text, title);
    EXPECT_NE(explanation->text("exercise").find("`lockstep "), std::string_view::npos) << "an exercise has a command";
  }
}

TEST(Explain, NoTextIsOfAMethodThatDoesNotExist) {
  std::vector<const Explanation*> used;
  for (const Method* method : catalogue()) used.push_back(explanation_of(*method));
  for (const Explanation& one : method_texts()) {
    EXPECT_EQ(std::ranges::count(used, &one), 1) << one.name << " on " << one.families;
  }
}

TEST(Explain, EveryOperationMachineAndKindOfErrorHasAText) {
  for (const Method* method : catalogue())
    EXPECT_NE(text_of_operation(method->operation), nullptr) << method->operation;
  for (const MachineFamily& family : machine_families()) {
    const auto text = std::ranges::find(machine_texts(), family.name, &Explanation::name);
    ASSERT_NE(text, machine_texts().end()) << "cli/texts/machines.md has no " << family.name;
    for (const std::string title : {"built", "why", "distances", "routing"}) expect_text(text->text(title), title);
  }
  const int last = static_cast<int>(ErrorKind::invalid_schedule);
  ASSERT_EQ(error_texts().size(), static_cast<std::size_t>(last + 1));
  for (int kind = 0; kind <= last; ++kind) {
    const Explanation& text = error_texts()[static_cast<std::size_t>(kind)];
    EXPECT_EQ(text.name, name(static_cast<ErrorKind>(kind)));
    for (const std::string title : {"meaning", "provoke", "mend"}) expect_text(text.text(title), title);
  }
}

TEST(Explain, EveryTermHasATextAndANameOfItsOwn) {
  EXPECT_GE(term_texts().size(), 40U);
  std::vector<std::string_view> names;
  for (const Explanation& term : term_texts()) {
    expect_text(term.text("meaning"), term.name);
    names.push_back(term.name);
    names.insert(names.end(), term.also.begin(), term.also.end());
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  EXPECT_EQ(twice, names.end()) << *twice;
}

TEST(Explain, EveryParameterHasATextWithTheMethodsThatTakeIt) {
  for (const SettingFlag& flag : setting_flags()) {
    const auto topic = std::ranges::find_if(topics(), [&](const Topic& one) {
      return one.kind == cli::texts::TopicKind::parameter && one.name == flag.name;
    });
    ASSERT_NE(topic, topics().end()) << flag.name;
    EXPECT_GE(std::ranges::count(topic->summary, ' '), 2) << flag.name;
    ASSERT_EQ(topic->sections.size(), 2U) << flag.name << " is taken by no method";
    EXPECT_TRUE(topic->sections[0].text.starts_with(flag.flag()));
  }
}

TEST(Explain, EveryParameterOfAMethodHasAMeaningAndADefault) {
  for (const Method* method : catalogue()) {
    for (const Parameter& parameter : method->parameters) {
      EXPECT_FALSE(parameter.meaning.empty() || parameter.fallback.empty()) << method->name << " " << parameter.name;
    }
  }
}

TEST(Explain, EveryCommandInATextEndsAsTheTextSays) {
  std::vector<std::string> tried;
  for (const Topic& topic : topics()) {
    for (const auto& [title, text] : topic.sections) {
      EXPECT_EQ(std::ranges::count(text, '`') % 2, 0) << topic.name << ": " << text;
      for (const auto& [line, exit_code] : commands_in(text)) {
        if (std::ranges::find(tried, line) != tried.end()) continue;
        tried.push_back(line);
        if (sanitized && tried.size() % 6 != 0) continue;
        std::string output;
        const TemporaryDirectory directory;
        EXPECT_EQ(run_in_shell(line, directory.path(), output), exit_code) << line << "\n" << output.substr(0, 500);
      }
    }
  }
  EXPECT_GE(tried.size(), catalogue().size());
}

TEST(Explain, ACommandThatEndsOtherwiseWouldBeSeen) {
  const auto commands = commands_in("Try `lockstep list` and `lockstep rnu` (exit code 2), not `self.send(0, x)`.");
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].line, "lockstep list");
  EXPECT_EQ(commands[0].exit_code, 0);
  EXPECT_EQ(commands[1].exit_code, 2);
  std::string output;
  EXPECT_EQ(run_in_shell("lockstep rnu", "/", output), 2);
  EXPECT_NE(output.find("did you mean 'run'?"), std::string::npos) << output;
}

TEST(Explain, TrialsOfErrorsShowTheirKind) {
  for (const Explanation& error : error_texts()) {
    const auto commands = commands_in(std::string(error.text("try")));
    if (commands.empty()) continue;
    const std::string& command = commands.front().line;
    // A schedule that breaks a rule is refused as a whole, and a run ended by a time limit has no report on standard
    // output.
    if (command.starts_with("echo") || command.starts_with("timeout")) continue;
    const Finished run = lockstep(command.substr(std::string("lockstep ").size()) + " --json");
    EXPECT_EQ(Json::parse(run.out, nullptr, false)["error"]["kind"], error.name) << command;
  }
}

Json explained(const std::string& arguments) {
  const Finished run = lockstep("explain " + arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(run.out, nullptr, false)["topics"];
}

TEST(Explain, FindsEverythingByItsNames) {
  for (const std::string how : {"TEA1 --json", "--json tea1", "--json - Tea1", "allgather/TEA1 --json"}) {
    const Json found = explained(how);
    ASSERT_EQ(found.size(), 1U) << how;
    EXPECT_EQ(found[0]["name"], "allgather/tea1");
    EXPECT_EQ(found[0]["kind"], "method");
    EXPECT_EQ(found[0]["families"], Json::array({"hypercube"}));
    EXPECT_EQ(found[0]["sections"][0]["title"], "idea");
  }
  EXPECT_EQ(explained("allgather/daisy-chain --json").size(), 6U);
  const Json on_torus = explained("allgather/daisy-chain --machine torus:4x4 --json");
  ASSERT_EQ(on_torus.size(), 1U);
  EXPECT_EQ(on_torus[0]["families"], Json::array({"torus"}));
  EXPECT_EQ(explained("MPI_Bcast --json")[0]["name"], "broadcast");
  EXPECT_EQ(explained("gray-code --json")[0]["name"], "Gray code");
  EXPECT_EQ(explained("torus --json")[0]["kind"], "machine");
  EXPECT_EQ(explained("deadlock --json")[0]["kind"], "error");
  const Json both = explained("livelock --json");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["kind"], "term");
  EXPECT_EQ(both[1]["kind"], "error");
}

TEST(Explain, WithoutANameListsWhatThereIs) {
  const std::string text = lockstep("explain").out;
  for (const std::string title : {"operations", "machines", "terms", "parameters", "errors", "methods"}) {
    EXPECT_NE(text.find("\n  " + title + " "), std::string::npos) << title;
  }
  EXPECT_EQ(explained("--json").size(), topics().size());
}

TEST(Explain, ShowsAnOperationWithItsMethods) {
  const std::string text = lockstep("explain scan").out;
  EXPECT_NE(text.find("MPI_Scan"), std::string::npos);
  EXPECT_NE(text.find("scan/cube"), std::string::npos);
  EXPECT_NE(text.find("scan/hub"), std::string::npos);
}

TEST(Explain, AMethodOnAMachineSaysWhatThatMeans) {
  const auto json = [](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"explain", "--json", "-"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Finished run = lockstep(all);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out, nullptr, false)["topics"];
  };
  const Json alone = json({"scatter/two-phase", "--machine", "path:16"});
  const Json named = json({"scatter/two-phase on path:16"});
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named[0]["name"], "scatter/two-phase");
  EXPECT_EQ(named[0]["sections"][0]["title"], "embedded");
  EXPECT_TRUE(named[0]["sections"][0]["text"].get<std::string>().starts_with(
      "The method runs on path:16, which is embedded in the machine of --machine: "));
  Json others = named[0]["sections"];
  others.erase(0);
  EXPECT_EQ(others, alone[0]["sections"]);
  const auto text = [&](const std::string& name, const std::string& host) {
    return json({name, "--machine", host})[0]["sections"][0]["text"].get<std::string>();
  };
  EXPECT_NE(text("scatter/two-phase on path:16", "ring:16").find("Every link of it is a link of ring:16"),
            std::string::npos);
  EXPECT_NE(text("TEA1 on hypercube:4", "ring:16").find("Not every link of it is a link of ring:16"),
            std::string::npos);
  EXPECT_TRUE(lockstep(std::vector<std::string>{"explain", "scatter/two-phase on path:16"})
                  .out.starts_with("scatter/two-phase on torus, mesh, path (method)\n"));
  const auto refuse = [](const std::vector<std::string>& flags, const std::string& said) {
    std::vector<std::string> all{"explain"};
    all.insert(all.end(), flags.begin(), flags.end());
    expect_refused(lockstep(all), {said});
  };
  refuse({"scatter/two-phases on path:16"}, "did you mean 'scatter/two-phase'?");
  refuse({"scatter/two-phase on pth:16"}, "did you mean path?");
  refuse({"scatter/two-phase on ring:16"}, "scatter/two-phase does not run on ring");
  refuse({"broadcast/direct on bus:4"}, "lockstep explain broadcast/direct --machine bus:4");
  refuse({"scatter/two-phase on path:17", "--machine", "ring:16"}, "ring:16 has 16 processors, too few for path:17");
  refuse({"scatter/two-phase on path:16", "--machine", "rng:16"}, "did you mean ring?");
}

TEST(Explain, OtherNamesAreRefusedInOneLine) {
  expect_refused(lockstep("explain deadlok"), {"nothing to explain is called 'deadlok'; did you mean 'deadlock'?"});
  expect_refused(lockstep("explain broadcast/sbtt --json"), {"did you mean 'broadcast/sbt'?"});
  expect_refused(lockstep("explain scan/hub --machine ring:4"), {"no method called 'scan/hub' runs on ring"});
  expect_refused(lockstep("explain --machine ring:4"), {"--machine", "none is given"});
  expect_refused(lockstep("explain tea1 --machine rng:4"), {"did you mean ring?"});
  expect_refused(lockstep("explain port model"), {"unexpected argument 'model'"});
}

}  // namespace
}  // namespace lockstep::test::explain_test
