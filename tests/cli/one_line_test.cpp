// One line means one line: for any content of an argument, a file's name or a file, the message is one short line of
// printable characters.
#include <gtest/gtest.h>

#include <algorithm>

#include "command_line.hpp"
#include "flags/setting_flags.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::test::one_line_test {
namespace {

using Arguments = std::vector<std::string>;

/// Line ends, sequences that colour a terminal or set its title, Unicode marks, and bytes that are not text.
const std::string controls = "7\n8\r\033[31m\033]0;title\a\b\x7f\xc2\x9b\xe2\x80\xa8\xe2\x80\xae\xff";
constexpr std::size_t long_length = 100'000;

/// Texts without a zero byte, as for arguments.
std::vector<std::string> hostile_texts() {
  std::string mixed(long_length, 'x');
  for (std::size_t index = 0; index < mixed.size(); index += 5) mixed[index] = static_cast<char>(1 + index / 5 % 255);
  return {controls, mixed};
}

bool is_disturbing(const std::string& text) {
  const bool has_control = std::any_of(text.begin(), text.end(),
                                       [](char letter) { return (letter >= 0 && letter < ' ') || letter == 0x7f; });
  const auto holds = [&text](const char* bytes) { return text.find(bytes) != std::string::npos; };
  return has_control || holds("\xc2\x9b") || holds("\xe2\x80\xa8") || holds("\xe2\x80\xae") || holds("\xff");
}

void expect_one_line(const Finished& run, int exit_code = 2) {
  constexpr std::size_t longest = 2500;
  EXPECT_EQ(run.exit_code, exit_code) << run.err.substr(0, longest);
  EXPECT_EQ(run.out, "");
  EXPECT_LE(run.err.size(), longest);
  ASSERT_TRUE(run.err.ends_with('\n'));
  EXPECT_TRUE(run.err.starts_with("lockstep: ")) << run.err.substr(0, longest);
  EXPECT_FALSE(is_disturbing(run.err.substr(0, run.err.size() - 1))) << run.err.substr(0, longest);
}

/// A command with that flag and a method that takes it, without the flag's value.
Arguments command_with(const SettingFlag& flag) {
  for (const Method* method : catalogue()) {
    if (!cli::flags::takes(*method, flag.name)) continue;
    const auto& families = machine_families();
    const auto family = std::find_if(families.begin(), families.end(),
                                     [&](const MachineFamily& one) { return one.name == method->families.front(); });
    return {"run", "--machine", std::string(family->example), "--algorithm", std::string(method->name), flag.flag()};
  }
  EXPECT_TRUE(cli::flags::takes(replay_method(), flag.name)) << "no method takes " << flag.flag();
  return {"validate", "application.trace", flag.flag()};
}

TEST(OneLine, IsSaidOfTheValueOfEveryFlag) {
  for (const std::string& text : hostile_texts()) {
    for (const SettingFlag& flag : setting_flags()) {
      if (flag.type.empty()) continue;
      SCOPED_TRACE(flag.flag() + ", " + std::to_string(text.size()) + " letters");
      Arguments arguments = command_with(flag);
      arguments.push_back(flag.name == "output" ? "/none/" + text : text);
      expect_one_line(lockstep(arguments));
    }
    for (const std::string flag :
         {"--ports",     "--duplex",     "--multicast",  "--beta",        "--tau",           "--max-packet",
          "--copy-cost", "--flop",       "--scan-cost",  "--stage-cost",  "--preset",        "--switching",
          "--hop-cost",  "--startup",    "--threads",    "--executor",    "--schedule-seed", "--repeat",
          "--warmup",    "--max-cycles", "--multigraph", "--edge-column", "--memory-limit"}) {
      SCOPED_TRACE(flag + ", " + std::to_string(text.size()) + " letters");
      expect_one_line(lockstep({"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt", flag, text}));
    }
    for (const std::string flag : {"--json", "--csv"}) {
      SCOPED_TRACE(flag);
      expect_one_line(
          lockstep({"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt", flag, "/none/" + text}));
    }
  }
}

TEST(OneLine, IsSaidOfEveryOtherArgument) {
  for (const std::string& text : hostile_texts()) {
    SCOPED_TRACE(std::to_string(text.size()) + " letters");
    for (const Arguments& arguments :
         {Arguments{text},
          {"--" + text},
          {"run", text},
          {"run", "--" + text},
          {"run", "--words", "1", "-" + text},
          {"run", "--machine", "hypercube:3", "--algorithm", text},
          {"list", text},
          {"info", "ring:3", text},
          {"list", "--json", "/none/" + text},
          {"errata", text},
          {"explain", text},
          {"demo", text},
          {"demo", "deadlock", "--auto", text},
          {"demo", "deadlock", "--html", "/none/" + text},
          {"new", text, "--operation", "scan"},
          {"new", "mine", "--operation", text},
          {"new", "mine", "--operation", "scan", "--machine", text},
          {"completion", text},
          {"run", "--machine", "rh:2,1", "--algorithm", "broadcast/sbt", "--emulate", text},
          {"run", "--machine", "hypercube:3", "--algorithm", "broadcast/sbt", "--embed", text},
          {"info", "hypercube:3", "--embed", text},
          {"judge", "--algorithm", text},
          {"judge", "--algorithm", "alltoall/factor", "--machine", text},
          {"judge", "--memory-limit", text},
          {"info", "ring:3", "--json", "/none/" + text},
          {"plan", "--machine", "ring:3", "--algorithm", text},
          {"plan", "--machine", "ring:3", "--algorithm", "alltoall/factor", "--output", "/none/" + text},
          {"validate", "/none/" + text, "--machine", "ring:3"}}) {
      SCOPED_TRACE(arguments.front());
      expect_one_line(lockstep(arguments));
    }
  }
}

TEST(OneLine, IsSaidOfEveryMachine) {
  for (const std::string& text : hostile_texts()) {
    expect_one_line(lockstep({"info", text}));
    for (const MachineFamily& family : machine_families()) {
      SCOPED_TRACE(family.name + ", " + std::to_string(text.size()) + " letters");
      expect_one_line(lockstep({"info", std::string(family.name) + ":" + text}));
      expect_one_line(lockstep({"info", std::string(family.example) + text}));
    }
    expect_one_line(lockstep({"info", "product:ring:3*" + text}));
    expect_one_line(lockstep({"info", "product:ring:3*graph:/none/" + text}));
  }
}

TEST(OneLine, IsSaidOfAMachineThatIsSpeltAtLength) {
  std::string machine = "product:ring:3";
  for (int factors = 0; factors < 10'000; ++factors) machine += "*path:1";
  expect_one_line(lockstep({"run", "--machine", machine, "--algorithm", "broadcast/sbt"}));
  expect_one_line(lockstep({"run", "--machine", machine, "--algorithm", "alltoall/product"}));
  expect_one_line(
      lockstep({"run", "--machine", machine, "--algorithm", "alltoall/greedy", "--max-cycles", "1", "--quiet"}), 1);
}

class OneLineOfFiles : public testing::Test {
 protected:
  std::string file(const std::string& text) const {
    write_file(directory_.file("file"), text);
    return directory_.file("file");
  }
  TemporaryDirectory directory_;
};

TEST_F(OneLineOfFiles, IsSaidOfTheirContents) {
  std::vector<std::string> texts = hostile_texts();
  texts.push_back(std::string("nul\0nul", 7));
  for (const std::string& text : texts) {
    SCOPED_TRACE(std::to_string(text.size()) + " letters");
    const std::string path = file(text);
    for (const auto& [machine, method, flag] :
         {std::tuple("hypercube:2", "broadcast/sbt", "--input"), std::tuple("hypercube:2", "scatter/sbt", "--input"),
          std::tuple("hypercube:2", "reduce/tree", "--input"), std::tuple("hypercube:2", "sort/bitonic", "--input"),
          std::tuple("hypercube:2", "transpose/1d-exchange", "--input"),
          std::tuple("hypercube:2", "route/ecube", "--pattern"),
          std::tuple("hypercube:2", "permute/two-alltoall", "--permutation")}) {
      SCOPED_TRACE(method);
      expect_one_line(lockstep({"run", "--machine", machine, "--algorithm", method, flag, path}));
    }
    expect_one_line(lockstep({"validate", path, "--machine", "ring:3"}));
    expect_one_line(lockstep({"info", "graph:" + path}));
    expect_one_line(lockstep({"run", "--machine", "hypercube:2", "--algorithm", "broadcast/sbt", "--csv", path}));
  }
}

TEST_F(OneLineOfFiles, IsSaidOfMatrixHeadsGraphsAndSchedules) {
  for (const std::string& text : hostile_texts()) {
    for (const std::string& head : {"%%MatrixMarket matrix " + text + " real general\n2 2\n",
                                    "%%MatrixMarket matrix array " + text + " general\n2 2\n",
                                    "%%MatrixMarket matrix array real general\n" + text + " 2\n",
                                    "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n" + text + "\n"}) {
      expect_one_line(
          lockstep({"run", "--machine", "hypercube:1", "--algorithm", "transpose/1d-exchange", "--input", file(head)}));
    }
  }
  const std::string label = nlohmann::json(std::string(long_length, 'x') + "\n").dump();
  const std::string digits(long_length, '7');
  for (const std::string& value : {label, digits, "-" + digits, "0." + digits, "{" + label + ": 1}"}) {
    SCOPED_TRACE(value.substr(0, 20));
    const std::string links = "\"links\": [{\"target\": 0, \"source\": " + value + "}]";
    expect_one_line(lockstep({"info", "graph:" + file("{\"nodes\": [{\"id\": 0}], " + links + "}")}));
    expect_one_line(lockstep({"info", "graph:" + file("{\"nodes\": " + value + "}")}));
    expect_one_line(lockstep({"info", "graph:" + file("{\"directed\": " + value + "}")}));
    expect_one_line(lockstep({"info", "graph:" + file("{" + label + ": " + value + "}")}));
    expect_one_line(lockstep({"validate", file("{\"steps\": " + value + "}"), "--machine", "ring:3"}));
    expect_one_line(lockstep({"validate", file("{\"steps\": [[" + value + "]]}"), "--machine", "ring:3"}));
    expect_one_line(lockstep({"validate", file("{\"steps\": [[[" + value + "]]]}"), "--machine", "ring:3"}));
    expect_one_line(lockstep({"validate", file("{\"processors\": " + value + "}"), "--machine", "ring:3"}));
  }
}

// The text report of a good run has as many lines with a file of any name; JSON has the full name.
TEST_F(OneLineOfFiles, IsShownOfTheirNames) {
  const std::string path = directory_.file("in" + controls.substr(0, controls.size() - 1));
  write_file(path, "1 2 3");
  const Arguments run{"run", "--machine", "hypercube:2", "--algorithm", "broadcast/sbt", "--input"};
  Arguments plain = run, weird = run;
  plain.push_back(file("1 2 3"));
  weird.push_back(path);
  const Finished shown = lockstep(weird);
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(lines(shown.out).size(), lines(lockstep(plain).out).size());
  for (const std::string& line : lines(shown.out)) EXPECT_FALSE(is_disturbing(line)) << line;
  weird.insert(weird.end(), {"--json", "-"});
  EXPECT_EQ(nlohmann::json::parse(lockstep(weird).out)["algorithm"]["parameters"]["input"], path);
}

TEST_F(OneLineOfFiles, IsShortForPeopleAndWholeForPrograms) {
  const std::string graph = "graph:" + directory_.file(std::string(200, 'g'));
  write_file(graph.substr(6), R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})");
  const Arguments run{"run", "--machine", graph, "--algorithm", "alltoall/greedy"};
  const Finished shown = lockstep(run);
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out.find(graph), std::string::npos);
  EXPECT_NE(shown.out.find("ggg...ggg"), std::string::npos);
  Arguments with_csv = run;
  with_csv.insert(with_csv.end(), {"--csv", "-"});
  EXPECT_NE(lockstep(with_csv).out.find(graph), std::string::npos);
}

}  // namespace
}  // namespace lockstep::test::one_line_test
