// `lockstep search`: never worse than the catalogue; its front, its files, and refusals.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../../sanitized.hpp"
#include "../../temporary_directory.hpp"
#include "command_line.hpp"

namespace lockstep::test::search_test {
namespace {

using Json = nlohmann::json;

const std::string petersen = "graph:" LOCKSTEP_GRAPHS "/petersen.json";
const std::string dgx1 = "graph:" LOCKSTEP_GRAPHS "/dgx1.json";

Json search_json(const std::string& flags) {
  const Finished search = lockstep("search " + flags + " --json");
  EXPECT_EQ(search.exit_code, 0) << flags << ": " << search.err;
  return Json::parse(search.out, nullptr, false);
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

using Pair = std::pair<std::uint64_t, std::uint64_t>;

/// Steps and longest sum of every method that `lockstep compare` can run there.
std::vector<Pair> methods_on(const std::string& flags) {
  const Finished compared = lockstep("compare " + flags + " --multicast off --json");
  std::vector<Pair> found;
  if (compared.exit_code == 2) return found;  // no method can
  const Json document = Json::parse(compared.out);
  for (const Json& row : document.at("rows")) {
    found.emplace_back(row.at("figures").at("steps"), row.at("figures").at("longest_sum"));
  }
  return found;
}

TEST(Search, IsNeverWorseThanTheCatalogue) {
  const std::vector<std::pair<std::string, std::uint64_t>> machines{
      {"path:4", 4},     {"ring:6", 6},   {"complete:6", 6}, {"hypercube:3", 8}, {"hypercube:4", 16},
      {"torus:4x4", 16}, {"mesh:3x3", 9}, {"rh:2,1", 16},    {petersen, 10},     {"path:2", 2}};
  std::size_t compared = 0, number = 0;
  for (const auto& [machine, processors] : machines) {
    if (sanitized && ++number % 4 != 1) continue;
    for (const std::string operation : {"allgather", "broadcast", "allreduce", "alltoall"}) {
      if (operation == "alltoall" && processors > 8) continue;  // alltoall/search takes long
      for (const std::string ports : {"one", "all"}) {
        const std::string flags = "--machine " + machine + " --operation " + operation + " --ports " + ports;
        const Json found = search_json(flags + " --chunks 2 --words 3 --tries 2000");
        ASSERT_TRUE(found.is_object()) << flags;
        EXPECT_EQ(found["verified"], true) << flags;
        const Pair its(found["counted"]["steps"], found["counted"]["longest_sum"]);
        EXPECT_GE(its.first, found["lower_bound"]["steps"]) << flags;
        EXPECT_GE(found["counted"]["rounds"], found["lower_bound"]["rounds"]) << flags;
        EXPECT_GE(3 * found["counted"]["rounds"].get<std::uint64_t>(), its.second) << flags;
        const std::uint64_t words = 2 * 3 * (operation == "allreduce" ? processors : 1);
        for (const Pair& method : methods_on(flags + " --words " + std::to_string(words))) {
          EXPECT_LE(its, method) << flags;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, sanitized ? 25U : 100U);
}

TEST(Search, ShowsBoundsCatalogueAndCounts) {
  const Finished search = lockstep("search --operation allgather --machine " + petersen + " --ports all");
  EXPECT_EQ(search.exit_code, 0) << search.err;
  for (const std::string part : {"2 steps, 3 rounds, longest sum 3, 60 messages, 90 words",
                                 "steps 2 (met), rounds 3 (met)", "all data is right"}) {
    EXPECT_NE(search.out.find(part), std::string::npos) << search.out;
  }
  // Recursive doubling, which a search would have to find by chance.
  const Finished cube = lockstep("search --operation allgather --machine hypercube:4 --tries 10");
  EXPECT_NE(cube.out.find("allgather/adea: 4 steps, 15 rounds"), std::string::npos) << cube.out;
  EXPECT_EQ(lockstep("search --operation allgather --machine mesh:3x3 --quiet").out, "");
}

// Dimension exchange takes log2 P steps with whole vectors; a reduce-scatter and an allgather take twice as many, with
// 2 (P - 1) parts in all, which no schedule beats (Thakur, Rabenseifner, Gropp 2005, section 4).
TEST(Search, GivesTheFrontOfStepsAndRounds) {
  const Json found = search_json("--operation allreduce --machine hypercube:3 --chunks 2");
  const Json expected = Json::array({{{"by", "allreduce/dimension-exchange"}, {"steps", 3}, {"rounds", 2 * 8 * 3}},
                                     {{"by", "search"}, {"steps", 6}, {"rounds", 2 * 2 * 7}}});
  Json front = found["front"];
  for (Json& one : front) one.erase("time");
  EXPECT_EQ(front, expected);
  EXPECT_EQ(found["taken"], "allreduce/dimension-exchange");
  EXPECT_EQ(found["lower_bound"], Json({{"steps", 3}, {"rounds", 2 * 2 * 7}}));
}

TEST(Search, TakesTheCheapest) {
  const std::string broadcast = "--operation broadcast --machine torus:4x4 --chunks 8 --ports all";
  EXPECT_EQ(search_json(broadcast)["counted"]["steps"], 4);
  const Json dear_words = search_json(broadcast + " --beta 2 --tau 10");
  const std::uint64_t steps = dear_words["counted"]["steps"];
  const std::uint64_t rounds = dear_words["counted"]["rounds"];
  EXPECT_EQ(rounds, 5);  // the root has eight chunks and four links, the farthest is four links away
  std::size_t more = 0;
  for (const Json& one : dear_words["front"]) {
    EXPECT_EQ(one["time"], 2.0 * one["steps"].get<double>() + 10.0 * one["rounds"].get<double>());
    EXPECT_GE(one["time"], 2.0 * static_cast<double>(steps) + 10.0 * static_cast<double>(rounds));
    more += one["time"] > 2.0 * static_cast<double>(steps) + 10.0 * static_cast<double>(rounds) ? 1U : 0U;
  }
  EXPECT_GE(more, 1U);
  EXPECT_EQ(search_json(broadcast + " --beta 1000")["counted"]["steps"], 4);
}

TEST(Search, WritesWhatIsReported) {
  const Json found = search_json("--operation allgather --machine " + dgx1 + " --ports all --chunks 6 --steps 3");
  EXPECT_EQ(found["counted"], Json({{"steps", 3},
                                    {"rounds", 7},
                                    {"messages", found["counted"]["messages"]},
                                    {"words", 8 * 7 * 6},
                                    {"longest_sum", found["counted"]["longest_sum"]}}));
  EXPECT_EQ(found["lower_bound"], Json({{"steps", 2}, {"rounds", 7}}));
  EXPECT_EQ(found["gap"], Json({{"steps", 1}, {"rounds", 0}}));
  EXPECT_EQ(found["steps_allowed"], 3);
  EXPECT_EQ(found["root"], Json());
}

// `lockstep validate` runs the schedule that was found.
TEST(Search, WritesSchedulesThatValidateReads) {
  const TemporaryDirectory directory;
  for (const std::string operation : {"allgather", "broadcast", "alltoall"}) {
    const std::string file = directory.file(operation + ".json");
    const std::string flags = "--machine " + petersen + " --ports all";
    const Finished search = lockstep("search --operation " + operation + " " + flags + " --output " + file + " --json");
    ASSERT_EQ(search.exit_code, 0) << search.err;
    const Finished validated = lockstep("validate " + file + " " + flags + " --json");
    ASSERT_EQ(validated.exit_code, 0) << validated.err;
    const Json found = Json::parse(search.out)["counted"];
    const Json counted = Json::parse(validated.out)["counted"];
    for (const std::string name : {"steps", "messages", "words", "longest_sum"}) {
      EXPECT_EQ(counted[name], found[name]) << operation << " " << name;
    }
  }
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream text(row.substr(2));
  for (std::string cell; std::getline(text, cell, '|') && !cell.empty();) {
    const std::size_t begin = cell.find_first_not_of(' ');
    cells.push_back(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin));
  }
  return cells;
}

std::string without_ticks(std::string text) {
  std::erase(text, '`');
  return text;
}

// docs/search.md, What it finds, all ports: the rows that need no long search.
TEST(Search, FindsWhatItsPageSays) {
  std::ifstream page(LOCKSTEP_GRAPHS "/../../docs/search.md");
  const std::map<std::string, std::string> graphs{{"DGX-1", dgx1}, {"Petersen", petersen}};
  std::size_t rows = 0;
  for (std::string line; std::getline(page, line) && !line.starts_with("With one port, one chunk:");) {
    if (!line.starts_with("| ") || !line.ends_with("met |")) continue;
    ++rows;
    if (sanitized && rows % 5 != 0) continue;
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 5U) << line;
    const std::string machine = graphs.contains(cells[0]) ? graphs.at(cells[0]) : without_ticks(cells[0]);
    const std::size_t comma = cells[1].find(", ");
    const std::string steps = comma == std::string::npos ? "" : " " + without_ticks(cells[1].substr(comma + 2));
    const Json found = search_json("--ports all --operation " + cells[1].substr(0, comma) + " --machine " + machine +
                                   " --chunks " + cells[2] + steps);
    EXPECT_EQ(found["counted"]["steps"], std::stoull(cells[3])) << line;
    EXPECT_EQ(found["counted"]["rounds"], std::stoull(cells[4])) << line;
    EXPECT_EQ(found["gap"]["rounds"], 0) << line;
  }
  EXPECT_GE(rows, 20U);
}

TEST(Search, IsTheSameForTheSameSeed) {
  const TemporaryDirectory directory;
  const std::string flags = "search --operation alltoall --machine mesh:3x3 --ports all --tries 5000 --seed 4 --quiet";
  for (const std::string file : {"a", "b"}) {
    EXPECT_EQ(lockstep(flags + " --chunks 2 --output " + directory.file(file)).exit_code, 0);
  }
  EXPECT_NE(text_of(directory.file("a")), "");
  EXPECT_EQ(text_of(directory.file("a")), text_of(directory.file("b")));
}

TEST(Search, SaysWithinHowManyStepsTheCatalogueIsBest) {
  const std::string broadcast = "search --operation broadcast --machine torus:4x4 --chunks 8 --ports all --tries 1000 ";
  EXPECT_NE(lockstep(broadcast + "--steps 5").out.find("best within 5 steps is broadcast/"), std::string::npos);
  EXPECT_NE(lockstep(broadcast).out.find("best is broadcast/"), std::string::npos);
}

TEST(Search, RefusesWhatItCannotDo) {
  const auto refused = [](const std::string& flags, const std::vector<std::string>& said) {
    expect_refused(lockstep("search " + flags), said);
  };
  const std::string gather = "--operation allgather --machine ";
  refused("", {"search needs --operation and --machine"});
  refused("--operation gossip --machine ring:4", {"--operation 'gossip' is not one of allgather, allreduce"});
  refused(gather + "bus:4", {"search is for machines with links; bus:4 has none"});
  refused(gather + "hypercube:11", {"up to 1024 processors; hypercube:11 has 2048"});
  refused(gather + "hypercube:10 --chunks 5", {"--chunks 5 on hypercube:10", "at most 4"});
  refused(gather + "ring:4 --chunks 0", {"--chunks"});
  refused(gather + "ring:4 --root 1", {"--root is for --operation broadcast"});
  refused("--operation broadcast --machine ring:4 --root 4", {"--root 4 does not exist, ring:4 has 0 to 3"});
  refused(gather + "ring:8 --ports all --steps 3", {"--steps 3: the lower bound is 4 steps"});
  refused(gather + "ring:4 --beta -1", {"--beta '-1'"});
  refused(gather + "ring:4 --tau much", {"--tau 'much'"});
  refused(gather + "ring:4 --ports ring", {"--ports 'ring' is not one of one, all"});
  refused(gather + "ring:4 --output - --json -", {"--json", "--output"});
  refused(gather + "ring:4 --json --ports two", {"--ports 'two'"});
  refused(gather + "graph:/nowhere.json", {"/nowhere.json"});
}

TEST(Search, RefusesLinksOfNoCables) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("two.json");
  for (const std::string bad : {"0", "1.5", "\"2\"", "1001", "-1"}) {
    std::ofstream(file) << R"({"nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1, "multiplicity": )"
                        << bad << "}]}";
    expect_refused(lockstep("search --operation allgather --machine graph:" + file),
                   {"edges[0].multiplicity is", "not a whole number from 1 to 1000"});
  }
}

const std::vector<std::string> long_search{"search",   "--operation", "alltoall", "--machine", "mesh:6x6",
                                           "--chunks", "8",           "--tries",  "1000000000"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// On a terminal, so that it is known when there is a schedule.
TEST(Search, WritesWhatItHasWhenItIsInterrupted) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("best.json"), report = directory.file("report.json");
  Running running(with(long_search, {"--output", file, "--json", report}), Running::Outputs::terminal);
  ASSERT_TRUE(running.wait_for_text("so far "));
  running.send(SIGINT);
  const Finished ended = running.finish();
  EXPECT_EQ(ended.exit_code, 130);
  EXPECT_NE(ended.out.find("lockstep: interrupted; the best schedule so far was taken"), std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("all data is right"), std::string::npos) << ended.out;
  const Json found = Json::parse(text_of(report), nullptr, false);
  EXPECT_EQ(found["cut"], "interrupted");
  EXPECT_EQ(found["verified"], true);
  const Finished validated = lockstep("validate " + file + " --words 8 --json");
  ASSERT_EQ(validated.exit_code, 0) << validated.err;
  EXPECT_EQ(Json::parse(validated.out)["counted"]["steps"], found["counted"]["steps"]);
}

TEST(Search, TakesWhatIsFoundInTime) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("best.json");
  const Finished search = lockstep(with(long_search, {"--time-limit", "0.5", "--output", file, "--json", "-"}));
  EXPECT_EQ(search.exit_code, 0) << search.err;
  const Json found = Json::parse(search.out, nullptr, false);
  EXPECT_EQ(found["cut"], "out of time");
  EXPECT_EQ(found["time_limit_s"], 0.5);
  EXPECT_EQ(found["verified"], true);
  EXPECT_EQ(lockstep("validate " + file + " --words 8 --quiet").exit_code, 0);
  const Finished shown = lockstep(with(long_search, {"--time-limit", "0.001"}));
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("; out of time\n"), std::string::npos) << shown.out;
  EXPECT_EQ(search_json("--operation broadcast --machine ring:4")["cut"], Json());
}

TEST(Search, GoesOnFromAFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("best.json");
  const std::string task = "--operation allgather --machine mesh:4x4 --ports all --chunks 2 --steps 8 ";
  const Json first = search_json(task + "--tries 10 --output " + file);
  const Json second = search_json(task + "--tries 20000 --seed 2 --resume " + file + " --output " + file);
  EXPECT_EQ(second["resumed"], file);
  EXPECT_LE(second["counted"]["rounds"], first["counted"]["rounds"]);
  EXPECT_EQ(lockstep("validate " + file + " --ports all --words 2 --quiet").exit_code, 0);
  // What cannot be improved stays: with no tries the file's schedule is as good as any.
  const Json third = search_json(task + "--tries 0 --resume " + file);
  EXPECT_LE(third["counted"]["rounds"], second["counted"]["rounds"]);
}

const std::string two_chunks = R"({"operation": "broadcast", "root": 0, "processors": 4, "chunks": 2, "steps": [
  [{"from": 0, "to": 1, "blocks": [[0,0],[0,1]]}],
  [{"from": 0, "to": 3, "blocks": [[0,0],[0,1]]}, {"from": 1, "to": 2, "blocks": [[0,0],[0,1]]}]]})";

TEST(Search, CutsTheChunksOfAFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("s.json");
  std::ofstream(file) << two_chunks;
  const Json found =
      search_json("--machine ring:4 --operation broadcast --chunks 6 --steps 2 --tries 0 --resume " + file);
  EXPECT_EQ(found["counted"]["steps"], 2);
  EXPECT_LE(found["counted"]["rounds"], 12);  // all six chunks over a link in each step
}

// A dimension exchange of whole vectors, which one owner numbers: every processor adds what its neighbour has.
TEST(Search, CutsTheVectorOfAnAllreduce) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("s.json");
  std::ofstream(file) << R"({"operation": "allreduce", "processors": 2, "chunks": 1, "owners": 1, "steps": [
    [{"from": 0, "to": 1, "adds": true, "blocks": [[0,0]]}, {"from": 1, "to": 0, "adds": true, "blocks": [[0,0]]}]]})";
  const Json found = search_json("--machine path:2 --operation allreduce --chunks 3 --steps 1 --resume " + file);
  EXPECT_EQ(found["counted"]["steps"], 1);
  EXPECT_EQ(found["counted"]["words"], 12);  // two messages of the vector, 2 * 3 parts of a word
}

TEST(Search, RefusesFilesOfOtherSearches) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("s.json");
  std::ofstream(file) << two_chunks;
  const auto refused = [&](const std::string& flags, const std::vector<std::string>& said) {
    expect_refused(lockstep("search " + flags + " --resume " + file), said);
  };
  const std::string broadcast = "--operation broadcast --chunks 2 --machine ";
  const std::string has = "is a schedule of broadcast from 0 of 2 chunks on 4 processors, and the search is for ";
  refused("--operation broadcast --chunks 3 --machine ring:4", {file, has + "broadcast from 0 of 3 chunks"});
  refused(broadcast + "ring:5", {has + "broadcast from 0 of 2 chunks on 5 processors"});
  refused(broadcast + "ring:4 --root 1", {has + "broadcast from 1 of 2 chunks on 4 processors"});
  refused("--operation allgather --chunks 2 --machine ring:4", {has + "allgather of 2 chunks on 4 processors"});
  refused(broadcast + "path:4", {"cannot be carried out there under --ports one: "});
  refused(broadcast + "ring:4 --steps 1", {"has 2 steps, more than --steps 1"});
  refused(broadcast + "ring:4 --json " + file, {"--json cannot go to", "which is --resume"});
  expect_refused(lockstep("search " + broadcast + "ring:4 --resume /nowhere.json"), {"cannot read '/nowhere.json'"});
  expect_refused(lockstep("search " + broadcast + "ring:4 --time-limit 0"), {"--time-limit"});
  std::ofstream(file) << "{\"chunks\": 2,";
  refused(broadcast + "ring:4", {"it is not JSON at line 1, column 14"});
}

}  // namespace
}  // namespace lockstep::test::search_test
