// docs/json.md against the command's output: every field that occurs is described, and every described field occurs.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "documents.hpp"

namespace lockstep::test::json_page_test {
namespace {

using Json = nlohmann::json;
using Names = std::set<std::string>;

/// The names in the first cells of the tables of a section: "| `counted.steps` | ...", several separated by ", ".
Names names_in_tables(const std::string& title) {
  Names names;
  for (const std::string& line : lines_of(section(contents("docs/json.md"), title))) {
    if (!line.starts_with("| `")) continue;
    const std::string cell = line.substr(0, line.find(" | "));
    for (std::size_t begin = cell.find('`'); begin != std::string::npos; begin = cell.find('`', begin)) {
      const std::size_t end = cell.find('`', ++begin);
      names.insert(cell.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  EXPECT_FALSE(names.empty()) << title;
  return names;
}

/// Adds the paths of all values that are not objects: "counted.steps", "phases[].name" in a list of objects.
void add_paths(const Json& value, const std::string& path, Names& paths) {
  if (value.is_object() && !value.empty()) {
    const std::string before = path.empty() ? "" : path + ".";
    for (const auto& [name, inner] : value.items()) add_paths(inner, before + name, paths);
  } else if (value.is_array() && !value.empty() && value.front().is_object()) {
    for (const Json& inner : value) add_paths(inner, path + "[]", paths);
  } else {
    paths.insert(path);
  }
}

/// Whether other paths describe the content of the value at this one, which was null or empty where it occurred.
bool is_detailed(const std::string& path, const Names& paths) {
  for (const std::string separator : {".", "[]."}) {
    const auto next = paths.lower_bound(path + separator);
    if (next != paths.end() && next->starts_with(path + separator)) return true;
  }
  return false;
}

/// The paths of all fields in the documents that these commands write, with NAME for the parameters of a method.
Names paths_of(const std::vector<std::string>& lines) {
  Names all;
  for (const std::string& line : lines) {
    const Given given = give_in_repository("./dev " + line + " 2>/dev/null");
    const Json document = Json::parse(given.output, nullptr, false);
    EXPECT_TRUE(document.is_object()) << line << "\n" << given.output;
    add_paths(document, "", all);
  }
  Names paths;
  const std::string parameter = "parameters.";
  for (const std::string& path : all) {
    if (is_detailed(path, all)) continue;
    const std::size_t found = path.find(parameter);
    paths.insert(found == std::string::npos ? path : path.substr(0, found + parameter.size()) + "NAME");
  }
  return paths;
}

TEST(JsonPage, DescribesTheFieldsOfARun) {
  EXPECT_EQ(names_in_tables("Runs"),
            paths_of({
                "run --machine hypercube:3 --algorithm broadcast/sbt --json",
                "run --machine hypercube:3 --algorithm broadcast/sbt --cycles --json",
                "run --machine hypercube:3 --algorithm broadcast/sbt --max-cycles 1 --json",  // fails
                "run --machine hypercube:3 --algorithm broadcast/sbt --root 8 --json",        // is refused
                "run --machine hypercube:4 --algorithm transpose/2d-mpt --json",
                "run --machine hypercube:4 --algorithm transpose/1d-buffered --copy-cost 1 --json",
                "run --machine hypercube:3 --algorithm application/inner-product --json",
                "run --machine rh:1,1 --algorithm barrier/tree --json",
                "run --machine rh:1,1 --algorithm route/ecube --json",
                "run --machine path:4 --algorithm alltoall/search --tries 10 --json",
                "run --machine rh:1,1 --emulate hypercube --algorithm broadcast/sbt --json",
                "run --machine bus:4 --algorithm broadcast/direct --json",
                "run --machine hypercube:4 --algorithm broadcast/msbt-redundant --fail-processor 7 --drop 0-2@1 --json",
                "run --machine hypercube:4 --algorithm broadcast/msbt-redundant --fail-link 0-1 --straggler 2:3 --json",
                "run --machine hypercube:2 --algorithm allgather/tea1 --scan-cost 1 --json",
                "run --machine hypercube:1 --algorithm reduce/tree --input tests/cli/beyond_64_bits.txt --json",
                "validate tests/cli/two_at_once.json --machine path:3 --ports all --json",
                "validate tests/data/msccl/ndv4_a2a2ll.xml --json",
            }));
}

TEST(JsonPage, DescribesTheFieldsOfComparisons) {
  EXPECT_EQ(names_in_tables("Comparisons"),
            paths_of({"compare --operation allgather --machine hypercube:3 --json",
                      "compare --operation alltoall --machine hypercube:3 --predict --ports one --json",
                      "compare --operation allgather --machine ring:4 --embed complete:4 --json",
                      "compare --operation allgather --machine hypercube:99 --json"}));  // is refused
}

TEST(JsonPage, DescribesTheFieldsOfComparisonsPerUnit) {
  EXPECT_EQ(names_in_tables("Comparisons per unit"),
            paths_of({"compare --machine rh:2,1 --machine hypercube:4 --per link --predict --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfRanges) {
  EXPECT_EQ(names_in_tables("Ranges"),
            paths_of({"best --operation broadcast --machine torus:2x4 --words 1..1000*10 --beta 100 --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfSearches) {
  EXPECT_EQ(names_in_tables("Searches"),
            paths_of({"search --operation allgather --machine mesh:3x2 --json",
                      "search --operation broadcast --machine ring:5 --steps 4 --ports all --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfReproductions) {
  EXPECT_EQ(names_in_tables("Reproductions"),
            paths_of({"reproduce --json", "reproduce saad-schultz-table-1 --quick --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfJudgements) {
  EXPECT_EQ(
      names_in_tables("Judgements"),
      paths_of({"judge --algorithm allgather/daisy-chain --machine hypercube:2 --seeds 1 --against /bin/true --json",
                "judge --algorithm allgather/daisy-chain --machine rh:1,1 --embed ring:8 --seeds 0 --json",
                "judge --json"}));  // is refused
}

TEST(JsonPage, DescribesTheFieldsOfLists) { EXPECT_EQ(names_in_tables("Lists"), paths_of({"list --json"})); }

TEST(JsonPage, DescribesTheFieldsOfInfo) {
  EXPECT_EQ(names_in_tables("Machines"),
            paths_of({"info rh:2,1 --json", "info path:4 --json", "info bus:3 --json", "info path:3 --status --json",
                      "info path:3 --processes 2 --algorithm broadcast/bfs-tree --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfEmbeddings) {
  EXPECT_EQ(names_in_tables("Embeddings"), paths_of({"info hypercube:3 --embed ring:6 --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfErrata) { EXPECT_EQ(names_in_tables("Errata"), paths_of({"errata --json"})); }

TEST(JsonPage, DescribesTheFieldsOfExplanations) {
  EXPECT_EQ(names_in_tables("Explanations"), paths_of({"explain --json"}));
}

TEST(JsonPage, DescribesTheFieldsOfGraphs) {
  EXPECT_EQ(names_in_tables("Graphs"), paths_of({"info mesh:2x2 --graph-json -", "info ring:3 --graph-json -"}));
}

TEST(JsonPage, DescribesTheFieldsOfSchedules) {
  EXPECT_EQ(names_in_tables("Schedules"),
            paths_of({"plan --machine path:3 --algorithm alltoall/factor",
                      "plan --machine hypercube:2 --algorithm scatter/sbt",
                      "plan --machine hypercube:2 --algorithm some-to-all/exchange",
                      "plan --machine switch:3 --algorithm allreduce/recursive-doubling",
                      "plan --machine graph:tests/machines/petersen.json --algorithm alltoall/greedy"}));
}

// TracePage.HasWhatTheOtherFormsHave checks these in a page.
TEST(JsonPage, DescribesTheFieldsOfPages) {
  EXPECT_EQ(names_in_tables("Pages"),
            (Names{"title", "runs[].report", "runs[].name", "runs[].summary", "runs[].sections[].title",
                   "runs[].sections[].text", "runs[].graph", "runs[].medium", "runs[].code.lines", "runs[].code.why",
                   "runs[].code.cycles", "runs[].trace"}));
}

TEST(JsonPage, DescribesTheFieldsOfTraces) {
  EXPECT_EQ(names_in_tables("Traces"),
            paths_of({"trace --machine rh:1,1 --algorithm barrier/tree --trace-json -",
                      "trace --machine hypercube:2 --algorithm alltoall/exchange --trace-json -",
                      "trace --machine bus:3 --algorithm broadcast/direct --trace-json -",
                      "trace --machine shared:3,kstar=1 --algorithm allgather/direct --trace-json -",
                      "trace --machine hypercube:2 --algorithm broadcast/msbt-redundant --drop 0-1@0 --trace-json -"}));
}

TEST(JsonPage, DescribesTheColumnsOfATable) {
  const Json list = Json::parse(give_in_repository("./dev list algorithms --json").output, nullptr, false);
  Names parameters;
  for (const Json& method : list["algorithms"]) {
    for (const Json& parameter : method["parameters"]) {
      std::string column = parameter["name"];
      std::replace(column.begin(), column.end(), '-', '_');
      parameters.insert(column);
    }
  }
  Names columns;
  std::istringstream header(
      lines_of(give_in_repository("./dev run --machine ring:3 --algorithm alltoall/factor --csv -").output).front());
  for (std::string column; std::getline(header, column, ',');) columns.insert(column);
  Names described = names_in_tables("CSV");
  EXPECT_TRUE(columns.contains("words_parameter"));
  parameters.insert({"words_parameter", "seed"});
  for (const std::string& parameter : parameters) {
    if (!described.contains(parameter)) columns.erase(parameter);
  }
  EXPECT_EQ(described, columns);
}

}  // namespace
}  // namespace lockstep::test::json_page_test
