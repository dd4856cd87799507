// `lockstep list` shows every entry of the catalogue and every machine family.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "command_line.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::test::list_test {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

Json list_json(const std::string& what) {
  const Finished list = lockstep("list " + what + " --json -");
  EXPECT_EQ(list.exit_code, 0) << list.err;
  return Json::parse(list.out);
}

/// The words of a text with one space between them, as long texts are shown on several lines.
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
    EXPECT_EQ(entry["aliases"], Json(method.aliases));
    EXPECT_EQ(entry["source"], method.source);
    EXPECT_EQ(entry["summary"], method.summary);
    EXPECT_EQ(entry["families"].size(), method.families.size());
    EXPECT_EQ(entry["port_models"].size(), method.port_models.size());
    EXPECT_EQ(entry["defaults"]["ports"], name(method.defaults.ports));
    Json forms = Json::array();
    for (const Duplex duplex : duplex_forms(method)) forms.push_back(name(duplex));
    EXPECT_EQ(entry["duplex_forms"], forms);
    EXPECT_EQ(entry["combines"], method.combines);
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
    // The example graph is in this directory.
    const Finished info =
        lockstep({"info", entry["example"].get<std::string>()}, [] { std::filesystem::current_path(LOCKSTEP_GRAPHS); });
    EXPECT_EQ(info.exit_code, 0) << entry["example"];
  }
  for (const std::string name : {"hypercube", "incomplete-hypercube", "rh", "ring", "path", "complete", "torus", "mesh",
                                 "product", "ccc", "shuffle-exchange", "star", "pancake", "circulant", "graph"}) {
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

Names names_of(const Json& entries) {
  Names names;
  for (const Json& entry : entries) names.push_back(entry["name"]);
  return names;
}

TEST(List, ShowsTheAlgorithmsOfAnOperation) {
  const Names scans{"scan/cube",           "scan/direct",         "scan/direct",    "scan/direct",
                    "scan/doubling",       "scan/gossip-sums",    "scan/hub",       "scan/in-order-tree",
                    "scan/in-order-trees", "scan/in-order-trees", "scan/pipelined", "scan/pipelined",
                    "scan/pipelined"};
  for (const std::string how : {"algorithms scan", "--operation scan", "algorithms --operation scan"}) {
    const Json listed = list_json(how);
    EXPECT_EQ(names_of(listed["algorithms"]), scans) << how;
    EXPECT_FALSE(listed.contains("machines")) << how;
    const Finished table = lockstep("list " + how);
    EXPECT_NE(table.out.find("\n  scan/hub on rh\n"), std::string::npos) << table.out;
    EXPECT_EQ(table.out.find("sort/"), std::string::npos) << table.out;
  }
  const Json broadcasts = list_json("algorithms broadcast")["algorithms"];
  EXPECT_GE(broadcasts.size(), 10U);
  for (const Json& entry : broadcasts) EXPECT_EQ(entry["operation"], "broadcast");
}

TEST(List, ShowsTheAlgorithmsOfAName) {
  EXPECT_EQ(names_of(list_json("algorithms sort/merge")["algorithms"]), Names{"sort/merge"});
  EXPECT_EQ(names_of(list_json("algorithms drbt")["algorithms"]), Names{"broadcast/drbt"});
  EXPECT_EQ(names_of(list_json("algorithms sbt")["algorithms"]),
            (Names{"broadcast/sbt", "broadcast/sbt", "gather/sbt", "scatter/sbt"}));
}

TEST(List, KnowsThePapersNamesInAnyCaseOfLetters) {
  const Json smg = list_json("algorithms smg")["algorithms"];
  ASSERT_EQ(names_of(smg), Names{"alltoall/sequential-gather"});
  EXPECT_EQ(smg[0]["aliases"], Json::array({"SMG"}));
  EXPECT_EQ(list_json("algorithms broadcast/axis")["algorithms"][0]["aliases"], Json::array());
  EXPECT_EQ(names_of(list_json("algorithms MTADEA")["algorithms"]), (Names{"alltoall/exchange", "alltoall/exchange"}));
  EXPECT_EQ(names_of(list_json("algorithms A2 --machine mesh:2x3")["algorithms"]), Names{"alltoall/product"});
  EXPECT_NE(on_one_line(lockstep("list algorithms Spt").out).find("alias SPT "), std::string::npos);
}

TEST(List, ShowsTheAlgorithmsOfAMachine) {
  const Json info = Json::parse(lockstep("info rh:3,2 --json").out);
  EXPECT_EQ(names_of(list_json("--machine rh:3,2")["algorithms"]), info["algorithms"].get<Names>());
  EXPECT_EQ(names_of(list_json("--machine rh:3,2 --operation scan")["algorithms"]),
            (Names{"scan/gossip-sums", "scan/hub", "scan/in-order-tree", "scan/in-order-trees"}));
  EXPECT_EQ(names_of(list_json("algorithms alltoall --machine torus:4x3")["algorithms"]),
            (Names{"alltoall/cayley", "alltoall/greedy", "alltoall/multiport", "alltoall/product",
                   "alltoall/product-columns", "alltoall/rotate-drop", "alltoall/search", "alltoall/two-phase"}));
  EXPECT_EQ(list_json("--machine ring:5 --operation sort")["algorithms"], Json::array());
  EXPECT_NE(lockstep("list --machine ring:5 --operation sort").out.find("\n  none\n"), std::string::npos);
}

TEST(List, ShowsOneMachineOrPreset) {
  const Json machines = list_json("machines torus")["machines"];
  ASSERT_EQ(machines.size(), 1U);
  EXPECT_EQ(machines[0]["family"], "torus");
  EXPECT_EQ(names_of(list_json("presets ipsc")["presets"]), Names{"ipsc"});
}

TEST(List, JsonMayStandBeforeWhatIsListed) {
  for (const std::string how : {"--operation scan", "algorithms scan"}) {
    const std::string wanted = lockstep("list " + how + " --json -").out;
    EXPECT_EQ(lockstep("list --json " + how).out, wanted) << how;
    EXPECT_EQ(lockstep("list --json - " + how).out, wanted) << how;
  }
  EXPECT_EQ(lockstep("list torus --json machines").out, lockstep("list machines torus --json -").out);
}

// The names of MPI's collective operations and its point-to-point send, in the words of its standard.
TEST(List, SaysOfMpiOnlyWhatMpiHas) {
  const std::string text = on_one_line(lockstep("list algorithms").out);
  for (const std::string operation :
       {"send", "broadcast", "gather", "scatter", "allgather", "alltoall", "reduce", "scan", "barrier"}) {
    EXPECT_NE(text.find("operation " + operation + " (MPI), "), std::string::npos) << operation;
  }
  for (const std::string operation :
       {"transpose", "convert", "permute", "sort", "route", "some-to-all", "all-to-some"}) {
    EXPECT_NE(text.find("operation " + operation + ", "), std::string::npos) << operation;
    EXPECT_EQ(text.find("operation " + operation + " (MPI)"), std::string::npos) << operation;
  }
}

}  // namespace
}  // namespace lockstep::test::list_test
