// `lockstep completion`: the possible continuations of a command line; three shells request them and understand the
// answer. Also the manual page.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/cost_presets.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "outputs.hpp"
#include "shell/command.hpp"
#include "shell/manual_page.hpp"

namespace lockstep::test::completion_test {
namespace {

using Words = std::vector<std::string>;

/// The completions of the last word; no word is empty.
Words completed(const Words& words) {
  std::vector<std::string> arguments{"completion", "words"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const Finished answer = lockstep(arguments);
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  Words found;
  for (const std::string& line : lines(answer.out)) {
    EXPECT_NE(line.find('\t'), std::string::npos) << line;
    found.push_back(line.substr(0, line.find('\t')));
    EXPECT_TRUE(found.back().starts_with(words.back())) << line;
  }
  return found;
}

bool has(const Words& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }

/// The flags of a subcommand, or of `lockstep` itself, from its help.
Words flags_of(const std::string& subcommand) {
  Words flags;
  for (const std::string& line : lines(lockstep(subcommand + " --help").out)) {
    if (!line.starts_with("  --") && !line.starts_with("  -h,--")) continue;
    const std::size_t begin = line.find("--");
    flags.push_back(line.substr(begin, line.find_first_of(" =\t", begin) - begin));
  }
  return flags;
}

Words sorted(Words words) {
  std::ranges::sort(words);
  return words;
}

TEST(Completion, KnowsTheSubcommandsAndTheirFlags) {
  const Words commands = completed({""});
  for (const std::string command : {"run", "sweep", "list", "explain", "completion", "--version", "--help"}) {
    EXPECT_TRUE(has(commands, command)) << command;
  }
  EXPECT_EQ(completed({"exp"}), Words{"explain"});
  for (const std::string& command : commands) {
    if (command.starts_with("-")) continue;
    EXPECT_EQ(sorted(completed({command, "--"})), sorted(flags_of(command))) << command;
  }
  EXPECT_EQ(completed({"nonsense", ""}), Words());
}

TEST(Completion, KnowsMachinesMethodsAndPresets) {
  Words machines, methods, presets;
  for (const MachineFamily& family : machine_families()) machines.push_back(family.name + ":");
  for (const Method* method : catalogue()) {
    if (methods.empty() || methods.back() != method->name) methods.emplace_back(method->name);
  }
  for (const CostPreset& preset : cost_presets()) presets.emplace_back(preset.name);
  EXPECT_EQ(completed({"run", "--machine", ""}), machines);
  EXPECT_EQ(completed({"info", "to"}), Words{"torus:"});
  EXPECT_EQ(completed({"run", "--machine=tor"}), Words{"--machine=torus:"});
  EXPECT_EQ(sorted(completed({"run", "--algorithm", ""})), sorted(methods));
  EXPECT_EQ(completed({"run", "--preset", ""}), presets);
  EXPECT_EQ(completed({"compare", "--operation", "allg"}), Words{"allgather"});
}

TEST(Completion, OffersOnlyWhatTheMethodAndTheMachineTake) {
  EXPECT_EQ(completed({"run", "--machine", "rh:2,1", "--algorithm", "scan/"}),
            (Words{"scan/gossip-sums", "scan/hub", "scan/in-order-tree", "scan/in-order-trees"}));
  EXPECT_EQ(completed({"run", "--algorithm", "broadcast/sbt", "--ro"}), Words{"--root"});
  EXPECT_EQ(completed({"run", "--algorithm", "broadcast/sbt", "--mat"}), Words());
  EXPECT_EQ(completed({"run", "--algorithm=transpose/2d-spt", "--mat"}), Words{"--matrix"});
}

TEST(Completion, KnowsTheChoicesOfAFlag) {
  EXPECT_EQ(completed({"run", "--ports", ""}), (Words{"one", "one-strict", "all", "ring"}));
  EXPECT_EQ(completed({"run", "--duplex", "half"}), (Words{"half-link", "half-node"}));
  EXPECT_EQ(completed({"run", "--multicast", ""}), (Words{"on", "off"}));
  EXPECT_EQ(completed({"run", "--executor", "se"}), (Words{"sequential", "seeded"}));
  EXPECT_EQ(completed({"compare", "--multigraph", ""}), (Words{"refuse", "merge", "count"}));
  EXPECT_EQ(completed({"info", "--edge-column", ""}), (Words{"weight", "multiplicity", "capacity"}));
  EXPECT_EQ(completed({"run", "--machine", "rh:2,1", "--algorithm", "broadcast/drbt", "--order", ""}),
            (Words{"longest-first", "cross-first"}));
  EXPECT_TRUE(has(completed({"run", "--machine", "rh:2,1", "--algorithm", "scan/hub", "--operator", ""}), "concat"));
  EXPECT_TRUE(has(completed({"compare", "--by", ""}), "messages"));
  EXPECT_EQ(completed({"run", "--threads", ""}), Words());
  EXPECT_EQ(completed({"run", "--json", ""}), Words());
}

TEST(Completion, OffersMethodsOnlyWhereAFlagTakesOne) {
  EXPECT_EQ(completed({"info", "ring:4", "--algorithm", "alltoall/fac"}), Words{"alltoall/factor"});
  EXPECT_EQ(completed({"judge", "--algorithm", "alltoall/fac"}), Words{"alltoall/factor"});
  EXPECT_EQ(completed({"trace", "--against", "alltoall/fac"}), Words{"alltoall/factor"});
  EXPECT_EQ(completed({"run", "--method", "alltoall/fac"}), Words{"alltoall/factor"});
  for (const std::string command : {"compare", "sweep"}) {
    EXPECT_EQ(completed({command, "--algorithm", ""}), Words()) << command;  // file:FILE
  }
  EXPECT_EQ(completed({"judge", "--against", ""}), Words());  // programs
  EXPECT_EQ(completed({"judge", "--machine", "tor"}), Words{"torus:"});
}

TEST(Completion, KnowsArgumentsWithoutAFlag) {
  EXPECT_EQ(completed({"list", "pre"}), Words{"presets"});
  EXPECT_EQ(completed({"list", "machines", "hyp"}), Words{"hypercube"});
  EXPECT_EQ(completed({"explain", "deadl"}), Words{"deadlock"});
  EXPECT_EQ(completed({"explain", "port"}), Words{"port-model"});
  EXPECT_EQ(completed({"errata", "muk"}), Words{"mukherjee"});
  EXPECT_EQ(completed({"demo", "deadl"}), Words{"deadlock"});
  EXPECT_EQ(completed({"completion", ""}), (Words{"bash", "zsh", "fish", "--help"}));
  EXPECT_TRUE(has(completed({"reproduce", "saad"}), "saad-schultz-table-1"));
  EXPECT_EQ(completed({"validate", "sched"}), Words());  // a file: the shell knows those
}

TEST(Completion, OtherShellsAreRefusedInOneLine) {
  expect_refused(lockstep("completion"), {"completion needs a shell: bash, zsh or fish"});
  expect_refused(lockstep("completion csh"), {"completion 'csh' is not one of bash, zsh, fish", "did you mean 'zsh'?"});
}

/// The output of a shell that runs a program with the command under test first in its PATH.
std::string said_by(const std::string& shell, const std::string& program) {
  const TemporaryDirectory directory;
  write_file(directory.file("program"), program);
  const std::string command = LOCKSTEP_COMMAND;
  const std::string line = "PATH='" + command.substr(0, command.rfind('/')) + "':\"$PATH\" " + shell + " '" +
                           directory.file("program") + "' 2>&1";
  std::FILE* pipe = popen(line.c_str(), "r");
  std::string output;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), size);
  pclose(pipe);
  return output;
}

/// The reason to leave out a test of a shell; empty if the shell is there.
std::string lack_of(const std::string& shell) {
  if (std::system(("command -v " + shell + " > /dev/null").c_str()) == 0) return {};
  return "there is no " + shell + " here";
}

/// Bash's completions of a line, whose words are split as bash does: also at ":" and "=".
std::string by_bash(const std::string& line, const std::string& words) {
  return said_by("bash --norc", "source <(lockstep completion bash)\nCOMP_LINE='" + line +
                                    "' COMP_POINT=${#COMP_LINE} COMP_WORDS=(" + words +
                                    ") COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_lockstep\necho \"${COMPREPLY[*]}\"\n");
}

TEST(Completion, BashAsksAndUnderstands) {
  EXPECT_EQ(by_bash("lockstep exp", "lockstep exp"), "explain\n");
  EXPECT_EQ(by_bash("lockstep run --machine tor", "lockstep run --machine tor"), "torus:\n");
  EXPECT_EQ(by_bash("lockstep run --machine=tor", "lockstep run --machine = tor"), "torus:\n");
  EXPECT_TRUE(by_bash("lockstep run --machine=", "lockstep run --machine =")
                  .starts_with("hypercube: incomplete-hypercube: rh: "));
  EXPECT_EQ(
      by_bash("lockstep run --machine rh:2,1 --algorithm scan/h", "lockstep run --machine rh : 2,1 --algorithm scan/h"),
      "scan/hub\n");
  EXPECT_EQ(by_bash("lockstep run --duplex half-", "lockstep run --duplex half-"), "half-link half-node\n");
  EXPECT_EQ(by_bash("lockstep validate sched", "lockstep validate sched"), "\n");
}

TEST(Completion, ZshReadsTheScript) {
  if (const std::string lack = lack_of("zsh"); !lack.empty()) GTEST_SKIP() << lack;
  const Finished script = lockstep("completion zsh");
  EXPECT_EQ(said_by("zsh -n", script.out), "");
  EXPECT_EQ(said_by("zsh -f",
                    "compdef() { echo \"$1 completes $2\" }\n"
                    "compadd() { echo open ${(P)${@[-1]}} }\n"
                    "_describe() { echo plain ${(P)${@[-1]}} }\n"
                    "source <(lockstep completion zsh)\n"
                    "words=(lockstep run --machine tor) CURRENT=4\n_lockstep\n"
                    "words=(lockstep run --ports one) CURRENT=4\n_lockstep\n"),
            "_lockstep completes lockstep\nopen torus:\nplain one one-strict\n");
}

TEST(Completion, FishReadsTheScript) {
  if (const std::string lack = lack_of("fish"); !lack.empty()) GTEST_SKIP() << lack;
  EXPECT_EQ(said_by("fish --no-execute", lockstep("completion fish").out), "");
  EXPECT_EQ(said_by("fish --no-config",
                    "lockstep completion fish | source\n"
                    "complete -C 'lockstep run --ports one'\n"
                    "complete -C 'lockstep exp' | string match -r '^\\S+'\n"),
            "one\none-strict\nexplain\n");
}

TEST(Manual, HasEverySubcommandAndFlag) {
  const std::string page = cli::shell::manual_page(cli::shell::shown_command());
  for (const std::string& command : completed({""})) {
    if (command.starts_with("-")) continue;
    EXPECT_NE(page.find("\n.SS lockstep " + command + "\n"), std::string::npos) << command;
    for (std::string flag : flags_of(command)) {
      for (std::size_t at = flag.find('-'); at != std::string::npos; at = flag.find('-', at + 2)) flag.insert(at, "\\");
      EXPECT_NE(page.find(flag), std::string::npos) << flag;
    }
  }
}

TEST(Manual, GivesNoWarning) {
  const TemporaryDirectory directory;
  write_file(directory.file("lockstep.1"), cli::shell::manual_page(cli::shell::shown_command()));
  const std::string page =
      said_by("bash", "groff -man -ww -Tutf8 -P-c -P-b -P-u '" + directory.file("lockstep.1") + "' >/dev/null\n");
  EXPECT_EQ(page, "");
}

}  // namespace
}  // namespace lockstep::test::completion_test
