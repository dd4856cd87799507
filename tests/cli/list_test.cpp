// `lockstep list` shows every entry of the catalogue and every machine family.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::test {
namespace {

using Json = nlohmann::json;

Json list_json(const std::string& what) {
  const Finished list = lockstep("list " + what + " --json -");
  EXPECT_EQ(list.exit_code, 0) << list.err;
  return Json::parse(list.out);
}

/// The words of a text with one space between them: long texts are shown on several lines.
std::string on_one_line(const std::string& text) {
  std::string result;
  std::istringstream words(text);
  for (std::string word; words >> word;) result += word + " ";
  return result;
}

TEST(List, JsonHasEveryMethodWithItsParameters) {
  const Json listed = list_json("algorithms")["algorithms"];
  ASSERT_EQ(listed.size(), catalogue().size());
  for (std::size_t index = 0; index < listed.size(); ++index) {
    const Method& method = *catalogue()[index];
    const Json& entry = listed[index];
    SCOPED_TRACE(method.name);
    EXPECT_EQ(entry["name"], method.name);
    EXPECT_EQ(entry["operation"], method.operation);
    EXPECT_EQ(entry["known_as"], method.known_as);
    EXPECT_EQ(entry["source"], method.source);
    EXPECT_EQ(entry["summary"], method.summary);
    EXPECT_EQ(entry["families"].size(), method.families.size());
    EXPECT_EQ(entry["port_models"].size(), method.port_models.size());
    EXPECT_EQ(entry["defaults"]["ports"], name(method.defaults.ports));
    ASSERT_EQ(entry["parameters"].size(), method.parameters.size());
    for (std::size_t parameter = 0; parameter < method.parameters.size(); ++parameter) {
      EXPECT_EQ(entry["parameters"][parameter]["name"], method.parameters[parameter].name);
      EXPECT_EQ(entry["parameters"][parameter]["meaning"], method.parameters[parameter].meaning);
      EXPECT_EQ(entry["parameters"][parameter]["default"], method.parameters[parameter].fallback);
    }
  }
}

TEST(List, TheMethodsAreThere) {
  const Json listed = list_json("algorithms")["algorithms"];
  std::vector<std::string> names;
  for (const Json& entry : listed) names.push_back(entry["name"]);
  for (const std::string name : {"broadcast/sbt", "broadcast/drbt", "alltoall/factor", "alltoall/product",
                                 "allgather/adea", "reduce/tree", "sort/bitonic"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

TEST(List, EveryParameterOfEveryMethodIsAFlagOfRun) {
  const std::string help = lockstep("run --help").out;
  for (const Method* method : catalogue()) {
    for (const Parameter& parameter : method->parameters) {
      EXPECT_NE(help.find("--" + std::string(parameter.name) + " "), std::string::npos) << parameter.name;
    }
  }
}

TEST(List, JsonHasEveryMachineFamily) {
  const Json listed = list_json("machines")["machines"];
  ASSERT_EQ(listed.size(), machine_families().size());
  std::vector<std::string> names;
  for (const Json& entry : listed) {
    names.push_back(entry["family"]);
    // The example of a graph lies in this directory.
    const Finished info =
        lockstep({"info", entry["example"].get<std::string>()}, [] { std::filesystem::current_path(LOCKSTEP_GRAPHS); });
    EXPECT_EQ(info.exit_code, 0) << entry["example"];
  }
  for (const std::string name : {"hypercube", "rh", "ring", "path", "complete", "torus", "mesh", "product", "ccc",
                                 "shuffle-exchange", "star", "pancake", "circulant", "graph"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

TEST(List, JsonWithoutAFileGoesToStandardOutput) {
  const std::string all = lockstep("list --json -").out;
  EXPECT_EQ(lockstep("list --json").out, all);
  EXPECT_TRUE(Json::parse(all).contains("machines"));
  const std::string machines = lockstep("list machines --json -").out;
  EXPECT_EQ(lockstep("list machines --json").out, machines);
  EXPECT_EQ(lockstep("list --json machines").out, machines);
  EXPECT_NE(machines, all);
}

TEST(List, LinesFitAHundredColumns) {
  const Finished list = lockstep("list");
  for (const std::string& line : lines(list.out)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(List, TheArgumentChooses) {
  EXPECT_TRUE(list_json("").contains("machines"));
  EXPECT_TRUE(list_json("").contains("algorithms"));
  EXPECT_FALSE(list_json("machines").contains("algorithms"));
  EXPECT_FALSE(list_json("algorithms").contains("machines"));
  for (const std::string other : {"machines", "algorithms"}) EXPECT_FALSE(list_json(other).contains("presets"));
}

TEST(List, TablesNameOperationsAsMpiAndThePapersDo) {
  const Finished list = lockstep("list");
  EXPECT_EQ(list.exit_code, 0);
  const std::string text = on_one_line(list.out);
  for (const Method* method : catalogue()) {
    for (const std::string_view part : {method->name, method->known_as, method->source, method->summary}) {
      EXPECT_NE(text.find(part), std::string::npos) << part;
    }
  }
  for (const MachineFamily& family : machine_families()) EXPECT_NE(text.find(family.form), std::string::npos);
  EXPECT_EQ(list.out, lockstep("list machines").out + "\n" + lockstep("list algorithms").out + "\n" +
                          lockstep("list presets").out);
}

}  // namespace
}  // namespace lockstep::test
