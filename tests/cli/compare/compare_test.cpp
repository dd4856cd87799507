// `lockstep compare`: the groups that it ranks, figures equal to those of `lockstep run`, and refusals.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <sstream>

#include "../../temporary_directory.hpp"
#include "command_line.hpp"
#include "compare/compare_command.hpp"
#include "compare/comparison.hpp"
#include "lockstep/algorithms/method.hpp"
#include "run/trial.hpp"

namespace lockstep::test::compare_test {
namespace {

using Json = nlohmann::json;

Json compare_json(const std::string& flags) {
  const Finished compared = lockstep("compare " + flags + " --json -");
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  return Json::parse(compared.out);
}

std::vector<std::string> methods_in_order(const Json& comparison) {
  std::vector<std::string> names;
  for (const Json& row : comparison["rows"]) names.push_back(row["algorithm"]);
  return names;
}

/// The reasons by method name.
std::map<std::string, std::string> reasons(const Json& comparison) {
  std::map<std::string, std::string> by_method;
  for (const Json& refused : comparison["refused"]) by_method[refused["algorithm"]] = refused["reason"];
  return by_method;
}

/// The digests of all processors' data at the end, by ranked group.
std::map<std::string, std::set<std::uint64_t>> digests_by_task(const std::string& operation, const std::string& machine,
                                                               const std::string& flag, const std::string& text) {
  cli::run::TrialArguments arguments{
      .operation = operation, .machines = {machine}, .ports = {}, .settings = {}, .run = {}};
  arguments.run.executor = ExecutorKind::sequential;
  for (const SettingFlag& setting : setting_flags()) {
    if (setting.name == flag) arguments.settings.emplace_back(&setting, text);
  }
  std::vector<cli::run::Trial> trials = cli::run::plan_trials(arguments);
  const std::atomic<bool> stop{false};
  for (cli::run::Trial& trial : trials) {
    if (!trial.record) continue;
    run_trial(trial, stop);
    EXPECT_EQ(trial.reason, "") << trial.method;
  }
  std::map<std::string, std::set<std::uint64_t>> digests;
  const cli::compare::Comparison comparison =
      cli::compare::compared(arguments, trials, cli::report::find_criterion("time", false));
  for (const cli::compare::Comparison::ComparedTask& group : comparison.groups) {
    for (const auto& row : group.rows) digests[group.task].insert(row.trial->record->outcome.data_digest);
  }
  return digests;
}

// The oracle of this test is the data itself: the digest covers only the words that the ranks hold.
TEST(Compare, RanksTogetherWhatTurnsEqualDataIntoEqualData) {
  std::size_t ranked = 0;
  for (const std::string operation : {"allgather", "alltoall", "broadcast", "gather", "scatter", "send", "permute",
                                      "scan", "reduce", "sort", "some-to-all", "transpose"}) {
    for (const std::string machine :
         {"hypercube:4", "torus:4x4", "ring:16", "switch:16", "bus:16", "shared:16,kstar=4", "rh:2,1"}) {
      const auto& all = catalogue();
      const std::string family = machine.substr(0, machine.find(':'));
      if (std::ranges::none_of(all, [&](const Method* method) {
            return method->operation == operation &&
                   std::ranges::find(method->families, family) != method->families.end();
          })) {
        continue;
      }
      const bool is_matrix = operation == "transpose" && family == "hypercube";
      const std::string words = operation == "some-to-all" ? "1024" : "16";
      for (const auto& [task, digests] :
           digests_by_task(operation, machine, is_matrix ? "matrix" : "words", is_matrix ? "64x64" : words)) {
        EXPECT_EQ(digests.size(), 1U) << task << " on " << machine;
        ++ranked;
      }
    }
  }
  EXPECT_GT(ranked, 40U);
}

// For Gray to binary code and two-dimensional transposition only the results are equal: their initial data differs.
TEST(Compare, DoesNotRankTogetherWhatComesToOtherData) {
  std::map<std::uint64_t, std::set<std::string>> tasks;
  for (const auto& [operation, flag, text] :
       {std::tuple("transpose", "matrix", "64x64"), std::tuple("permute", "words", "16")}) {
    for (const auto& [task, digests] : digests_by_task(operation, "hypercube:4", flag, text)) {
      tasks[*digests.begin()].insert(task);
    }
  }
  for (const auto& [digest, equal] : tasks) {
    if (equal.size() == 1) continue;
    EXPECT_EQ(equal, (std::set<std::string>{"transpose, two-dimensional, --matrix 64x64",
                                            "transpose, two-dimensional, Gray to binary code, --matrix 64x64"}));
  }
  EXPECT_GE(tasks.size(), 8U);
}

// Saad & Schultz 1985, with n = 4 and m = 8: TEA1 takes n + 2^(n-1) m = 68, ADEA n + (2^n - 1) m = 124, TEA1 in groups
// n + 1 + 2^n m = 133, the daisy chain 15 (1 + m) = 135; TEA2 sends each token once and is faster than TEA1. A block a
// step over every link takes 15/n steps, rounded up: 4 (1 + m) = 36; the torus with the same links divides blocks in 4
// parts, 4 + 15 m / 4 = 34. Methods that are not named here may stand anywhere.
TEST(Compare, PutsTheBestFirst) {
  const auto expect_order = [](const std::string& flags, const std::vector<std::string>& order) {
    std::vector<std::string> methods =
        methods_in_order(compare_json("--operation allgather --machine hypercube:4 --words 8 " + flags));
    std::erase_if(methods, [&](const std::string& name) { return std::ranges::find(order, name) == order.end(); });
    EXPECT_EQ(methods, order) << flags;
  };
  expect_order("--ports all", {"allgather/torus", "allgather/rarest-first", "allgather/tea2", "allgather/gossip",
                               "allgather/tea1", "allgather/tea2-grouped", "allgather/adea", "allgather/tea1-grouped",
                               "allgather/daisy-chain", "allgather/sequential", "allgather/bfs-tree"});
  const std::vector<std::string> by_steps{"allgather/adea",        "allgather/gossip",       "allgather/bfs-tree",
                                          "allgather/daisy-chain", "allgather/rarest-first", "allgather/sequential"};
  expect_order("--ports one --by steps", by_steps);
  const Json words = compare_json("--operation allgather --machine hypercube:4 --words 8 --ports one --by words");
  for (const Json& row : words["rows"]) {
    const bool is_known = std::ranges::find(by_steps, row["algorithm"].get<std::string>()) != by_steps.end();
    EXPECT_TRUE(!is_known || row["rank"] == 1) << row;
  }
}

// One entry of scan/in-order-trees is for all machines with links, the other for switches.
TEST(Compare, ShowsAMethodOfTwoEntriesOnce) {
  for (const std::string machine : {"ring:5", "switch:5"}) {
    const auto methods = methods_in_order(compare_json("--operation scan --words 5 --machine " + machine));
    EXPECT_EQ(std::ranges::count(methods, "scan/in-order-trees"), 1) << machine;
  }
}

// A run with the packets and the radix that the row names.
TEST(Compare, HasTheFiguresOfRun) {
  for (const std::string flags : {"--machine hypercube:4 --words 48", "--machine torus:4x4 --words 48 --beta 7",
                                  "--machine bus:5 --max-packet 3"}) {
    for (const std::string operation : {"broadcast", "alltoall"}) {
      const Json comparison = compare_json("--operation " + operation + " " + flags);
      ASSERT_FALSE(comparison["rows"].empty());
      for (const Json& row : comparison["rows"]) {
        const std::string method = row["algorithm"];
        std::string tuned = row.contains("guest") ? " --embed " + row["guest"].get<std::string>() : "";
        for (const std::string name : {"packets", "radix"}) {
          const Json value = row["parameters"].value(name, Json());
          if (!value.is_null()) tuned += " --" + name + " " + value.dump();
        }
        const Json run = Json::parse(lockstep("run --algorithm " + method + " " + flags + tuned + " --json -").out);
        const Json& figures = row["figures"];
        SCOPED_TRACE(method + " " + flags);
        for (const char* count : {"steps", "messages", "words", "longest_sum", "startups", "copied_words"}) {
          EXPECT_EQ(figures[count], run["counted"][count]) << count;
        }
        EXPECT_EQ(figures["time_synchronous"], run["modelled_time"]["synchronous"]);
        EXPECT_EQ(figures["time_asynchronous"], run["modelled_time"]["asynchronous"]);
        EXPECT_EQ(figures["lower_bound_steps"], run["lower_bound"]["steps"]);
        EXPECT_EQ(figures["lower_bound_steps_ratio"], run["lower_bound"]["steps_ratio"]);
        EXPECT_EQ(figures["lower_bound_longest_sum_ratio"], run["lower_bound"]["longest_sum_ratio"]);
        EXPECT_EQ(figures["links"], run["machine"]["links"]);
        EXPECT_EQ(row["model"], run["model"]);
        EXPECT_EQ(row["parameters"], run["algorithm"]["parameters"]);
        EXPECT_EQ(row["digest"], run["digest"]);
      }
    }
  }
}

TEST(Compare, PredictsWhatRunCounts) {
  const std::string flags = "--operation broadcast --machine hypercube:5 --words 100 --root 3";
  const Json run = compare_json(flags);
  const Json predicted = compare_json(flags + " --predict");
  EXPECT_EQ(methods_in_order(run), methods_in_order(predicted));
  for (std::size_t index = 0; index < run["rows"].size(); ++index) {
    const Json& guess = predicted["rows"][index];
    EXPECT_EQ(guess["digest"], Json());
    EXPECT_EQ(guess["figures"]["run_s"], Json());
    for (const char* figure : {"steps", "messages", "words", "longest_sum", "time_synchronous"}) {
      EXPECT_EQ(guess["figures"][figure], run["rows"][index]["figures"][figure]) << guess["algorithm"] << figure;
    }
  }
}

// 2^30 processors, each with 64 words for all: ADEA takes 30 steps and (2^30 - 1) 64 words a processor.
TEST(Compare, PredictsMachinesOfAnySize) {
  const Json adea =
      compare_json("--operation allgather --machine hypercube:30 --words 64 --ports one --predict")["rows"][0];
  EXPECT_EQ(adea["algorithm"], "allgather/adea");
  EXPECT_EQ(adea["figures"]["steps"], 30);
  EXPECT_EQ(adea["figures"]["longest_sum"], 68719476672);
  EXPECT_EQ(adea["figures"]["processors"], 1073741824);
}

TEST(Compare, SaysWhatIsOnlyABoundOrNotPredicted) {
  const std::string flags = "--operation alltoall --machine hypercube:20 --predict --by steps";
  const Json rows = compare_json(flags)["rows"];
  for (const Json& row : rows) {
    const bool is_search = row["algorithm"] == "alltoall/greedy" || row["algorithm"] == "alltoall/search";
    EXPECT_EQ(row["at_most"].empty(), !is_search) << row;
    EXPECT_EQ(row["rank"].is_null(), is_search) << row;
  }
  const std::string shown = lockstep("compare " + flags).out;
  EXPECT_NE(shown.find("<= "), std::string::npos) << shown;
  EXPECT_NE(shown.find("  -"), std::string::npos) << shown;
  // A method without a value for the criterion has no rank and comes last.
  const Json by_time = compare_json("--operation alltoall --machine hypercube:20 --words 20 --predict")["rows"];
  EXPECT_EQ(by_time[0]["rank"], 1);
  EXPECT_EQ(by_time[by_time.size() - 1]["rank"], Json());
}

TEST(Compare, SaysWhyAMethodIsNotThere) {
  const auto why = reasons(compare_json("--operation allgather --machine hypercube:3 --ports one"));
  EXPECT_TRUE(why.at("allgather/tea1").starts_with("is not legal under --ports one: cycle 0, rank 0, "))
      << why.at("allgather/tea1");
  const auto guess = reasons(compare_json("--operation allgather --machine hypercube:3 --ports one --predict"));
  EXPECT_EQ(guess.at("allgather/tea1"), "is meant for --ports all");
  EXPECT_EQ(why.at("allgather/two-pass"), "is for torus, mesh, path");
  const auto halved = reasons(compare_json("--operation alltoall --machine hypercube:3 --duplex half-node --predict"));
  EXPECT_EQ(halved.at("alltoall/cayley"), "is meant for --duplex full");
  const auto by_root = reasons(compare_json("--operation transpose --machine torus:4x4 --words 2"));
  EXPECT_EQ(by_root.at("transpose/2d-spt"), "is for hypercube");
  const auto permuted = reasons(compare_json("--operation permute --machine hypercube:3 --permutation 2,0,1"));
  EXPECT_EQ(permuted.at("permute/bit-reversal"), "takes no --permutation");
}

// --packets is an option of some methods: a method without packets is still compared.
TEST(Compare, GivesEachMethodTheParametersThatItHas) {
  const Json rows = compare_json("--operation broadcast --machine hypercube:3 --words 8 --packets 2")["rows"];
  std::map<std::string, Json> parameters;
  for (const Json& row : rows) parameters[row["algorithm"]] = row["parameters"];
  EXPECT_EQ(parameters.at("broadcast/sbt-pipelined")["packets"], 2);
  EXPECT_EQ(parameters.at("broadcast/sbt")["words"], 8);
  EXPECT_FALSE(parameters.at("broadcast/sbt").contains("packets"));
}

TEST(Compare, ComparesMachinesAndPortModels) {
  Json machines = compare_json("--operation reduce --machine rh:5,2 --machine hypercube:9 --predict");
  std::erase_if(machines["rows"].get_ref<Json::array_t&>(),
                [](const Json& row) { return row["algorithm"] != "reduce/tree"; });
  ASSERT_EQ(machines["rows"].size(), 2U);
  EXPECT_EQ(machines["rows"][0]["machine"], "hypercube:9");  // 9 steps; RH(5,2) takes 5 + (2+1) 4
  EXPECT_EQ(machines["rows"][0]["figures"]["steps"], 9);
  EXPECT_EQ(machines["rows"][1]["figures"]["steps"], 17);
  EXPECT_EQ(machines["rows"][1]["figures"]["links"], 1536);
  EXPECT_EQ(machines["rows"][1]["figures"]["time_times_links"], 34 * 1536);
  EXPECT_EQ(machines["rows"][1]["figures"]["time_times_processors"], 34 * 512);
  const Json models = compare_json("--operation scatter --machine hypercube:3 --ports one --ports all --predict");
  std::set<std::string> ports;
  for (const Json& row : models["rows"]) ports.insert(row["model"]["ports"]);
  EXPECT_EQ(ports, (std::set<std::string>{"one", "all"}));
}

/// A comparison by predictions; without rows if nothing can be compared.
Json predicted(const std::string& operation, const std::string& machine, const std::vector<PortModel>& ports) {
  cli::run::TrialArguments arguments{
      .operation = operation, .machines = {machine}, .ports = ports, .settings = {}, .run = {}, .predict = true};
  try {
    const std::vector<cli::run::Trial> trials = cli::run::plan_trials(arguments);
    return cli::compare::json_of(cli::compare::compared(arguments, trials, cli::report::find_criterion("time", true)));
  } catch (const InputError&) {
    return {{"rows", Json::array()}};
  }
}

std::set<std::string> all_operations() {
  std::set<std::string> operations;
  for (const Method* method : catalogue()) operations.emplace(method->operation);
  return operations;
}

/// The rows of each table, in the order of the tables.
std::vector<std::vector<Json>> tables(const Json& comparison) {
  std::vector<std::vector<Json>> all;
  std::set<std::pair<std::string, std::string>> known;
  for (const Json& row : comparison["rows"]) {
    if (known.emplace(row["task"], row["rules"]).second) all.emplace_back();
    all.back().push_back(row);
  }
  return all;
}

// Messages of one block each: Dimakopoulos & Dimopoulos, and Lockstep's own search.
bool combines(const Json& row) {
  static const std::set<std::string> single{"cayley",  "factor",          "greedy", "multiport",
                                            "product", "product-columns", "search"};
  const std::string name = row["algorithm"];
  return !name.starts_with("alltoall/") || !single.contains(name.substr(name.find('/') + 1));
}

TEST(Compare, NoTableMixesRules) {
  std::size_t compared = 0;
  std::size_t with_several = 0;
  for (const std::string& operation : all_operations()) {
    for (const char* const machine : {"hypercube:4", "torus:4x4", "mesh:3x4", "ring:6", "path:5", "complete:8",
                                      "switch:8", "bus:6", "shared:8,kstar=4", "rh:2,1"}) {
      for (const std::vector<PortModel>& ports :
           {std::vector<PortModel>{}, {PortModel::one}, {PortModel::all}, {PortModel::all, PortModel::one}}) {
        const Json comparison = predicted(operation, machine, ports);
        std::set<std::string> rules;
        for (const std::vector<Json>& table : tables(comparison)) {
          rules.insert(table.front()["rules"].get<std::string>());
          EXPECT_TRUE(table.front()["rank"].is_null() || table.front()["rank"] == 1) << table.front();
          for (const Json& row : table) {
            for (const char* const rule : {"ports", "duplex", "multicast", "switching"}) {
              EXPECT_EQ(row["model"][rule], table.front()["model"][rule]) << row;
            }
            EXPECT_EQ(row["task"], table.front()["task"]) << row;
            EXPECT_EQ(combines(row), combines(table.front())) << row;
          }
          ++compared;
        }
        with_several += rules.size() > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, 400U);
  EXPECT_GT(with_several, 60U);
}

// A bound is of the problem, and what is in one table solves one problem.
TEST(Compare, ATableHasOneBound) {
  std::size_t compared = 0;
  for (const char* const operation : {"broadcast", "scatter", "gather", "allgather", "alltoall", "reduce", "allreduce",
                                      "reduce-scatter", "scan", "exscan", "barrier"}) {
    for (const char* const machine : {"hypercube:4", "torus:4x4", "path:5", "complete:8", "switch:12", "bus:6"}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        for (const std::vector<Json>& table : tables(predicted(operation, machine, {ports}))) {
          for (const Json& row : table) {
            for (const char* const bound : {"lower_bound_steps", "lower_bound_longest_sum"}) {
              EXPECT_EQ(row["figures"][bound], table.front()["figures"][bound]) << row;
            }
            ++compared;
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 200U);
}

// With one port, msbt takes 16 packets and more down its trees; sbt-pipelined needs multicast.
TEST(Compare, ShowsOtherRulesApart) {
  const Finished compared =
      lockstep("compare --operation broadcast --machine hypercube:4 --words 64 --ports one --predict");
  const std::size_t first =
      compared.out.find("broadcast, --words 64 on hypercube:4 (16 processors, 32 links), one port; ");
  const std::size_t other =
      compared.out.find("\n\nbroadcast, --words 64 on hypercube:4, under other rules: one port, multicast\n");
  EXPECT_EQ(first, 0U) << compared.out;
  ASSERT_NE(other, std::string::npos) << compared.out;
  EXPECT_LT(compared.out.find("\n1  broadcast/msbt "), other) << compared.out;
  EXPECT_GT(compared.out.find("broadcast/sbt-pipelined"), other) << compared.out;
  EXPECT_NE(compared.out.find("\n1  broadcast/sbt-pipelined"), std::string::npos) << compared.out;
  // What all ports make needless is not asked for.
  const Json all = compare_json("--operation broadcast --machine hypercube:4 --ports all --predict");
  for (const Json& row : all["rows"]) EXPECT_EQ(row["rules"], "all ports") << row;
  const Json asked = compare_json("--operation broadcast --machine hypercube:4 --multicast on --predict");
  for (const Json& row : asked["rows"]) EXPECT_EQ(row["rules"], "one port, multicast") << row;
}

TEST(Compare, WritesMarkdownAndCsv) {
  const TemporaryDirectory directory;
  const std::string markdown = directory.file("table.md");
  const std::string csv = directory.file("table.csv");
  const Finished finished =
      lockstep("compare --operation send --machine hypercube:3 --words 8 --ports all --quiet --markdown " + markdown +
               " --csv " + csv);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_EQ(finished.out, "");
  std::istringstream lines(read_file(markdown));
  std::string heading;
  for (std::string line; heading.empty() && std::getline(lines, line);) {
    if (line.starts_with("|")) heading = line;
  }
  const auto bars = std::ranges::count(heading, '|');
  EXPECT_GT(bars, 10);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("|"); ++rows) {
    EXPECT_EQ(std::ranges::count(line, '|'), bars) << line;
  }
  EXPECT_EQ(rows, 5U);  // the separator and four methods
  std::istringstream table(read_file(csv));
  std::string names;
  std::getline(table, names);
  EXPECT_TRUE(names.starts_with("rank,task,rules,machine,algorithm,ports,")) << names;
  EXPECT_NE(names.find(",run_s,at_most,failed,reason,setup_s,"), std::string::npos) << names;
  std::size_t trials = 0;
  for (std::string line; std::getline(table, line); ++trials) {
    bool is_quoted = false;
    std::size_t cells = 1;
    for (const char letter : line) {
      if (letter == '"') is_quoted = !is_quoted;
      cells += letter == ',' && !is_quoted ? 1 : 0;
    }
    EXPECT_EQ(cells, 1 + static_cast<std::size_t>(std::ranges::count(names, ','))) << line;
  }
  EXPECT_EQ(trials, 5U);  // send/direct is for other machines
}

TEST(Compare, OfMachinesOfDifferentSizeIsNoRanking) {
  const Json rows =
      compare_json("--operation allgather --machine hypercube:2 --machine hypercube:3 --ports one")["rows"];
  std::map<std::string, std::set<std::string>> tasks;
  for (const Json& row : rows) tasks[row["task"]].insert(row["machine"]);
  EXPECT_EQ(tasks,
            (std::map<std::string, std::set<std::string>>{{"allgather, --words 1 on 4 processors", {"hypercube:2"}},
                                                          {"allgather, --words 1 on 8 processors", {"hypercube:3"}}}));
}

// Methods that `run` accepts under some rules are compared under them.
TEST(Compare, RunsWhateverIsLegal) {
  for (const std::string flags : {"--machine ring:8 --ports one-strict", "--machine hypercube:3 --duplex half-link",
                                  "--machine torus:4x4 --multicast off --duplex half-node"}) {
    for (const std::string operation : {"alltoall", "broadcast"}) {
      const Finished finished = lockstep("compare --operation " + operation + " " + flags + " --json -");
      const Json comparison = Json::parse(finished.out);
      EXPECT_EQ(finished.exit_code, comparison["rows"].empty() ? 2 : 0) << finished.err;
      for (const Json& row : comparison["rows"]) {
        const std::string method = row["algorithm"];
        const std::string guest = row.contains("guest") ? " --embed " + row["guest"].get<std::string>() : "";
        EXPECT_EQ(lockstep("run --algorithm " + method + " " + flags + guest + " --quiet").exit_code, 0)
            << method << flags << guest;
      }
      for (const Json& refused : comparison["refused"]) {
        const std::string method = refused["algorithm"];
        EXPECT_EQ(lockstep("run --algorithm " + method + " " + flags + " --quiet").exit_code, 2) << method << flags;
      }
    }
  }
}

TEST(Compare, NeverWritesOverWhatItReads) {
  const TemporaryDirectory directory;
  const std::string input = directory.file("in.txt");
  write_file(input, "1\n2\n");
  const Finished refused =
      lockstep("compare --operation broadcast --machine hypercube:2 --input " + input + " --csv " + input);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "lockstep: --csv cannot go to '" + input + "', which is --input\n");
  EXPECT_EQ(read_file(input), "1\n2\n");
}

TEST(Compare, EndsWithOneIfARunFails) {
  const Finished finished = lockstep("compare --operation allgather --machine hypercube:3 --ports one --max-cycles 4");
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_NE(finished.err.find("lockstep: allgather/daisy-chain on hypercube:3: livelock: "), std::string::npos)
      << finished.err;
  EXPECT_NE(finished.out.find("\n     1  allgather/adea"), std::string::npos) << finished.out;
}

// In a separate process that the user has asked to stop from the start.
TEST(Compare, WritesWhatIsKnownWhenItIsInterrupted) {
  const TemporaryDirectory directory;
  cli::compare::CompareArguments arguments;
  arguments.trials.operation = "allgather";
  arguments.trials.machines = {"hypercube:3"};
  arguments.trials.ports = {PortModel::one};
  arguments.trials.run.executor = ExecutorKind::sequential;
  arguments.trials.run.quiet = true;
  arguments.places.json = directory.file("compare.json");
  const std::atomic<bool> stop{true};
  EXPECT_EXIT(_exit(cli::compare::compare_command(arguments, stop)), testing::ExitedWithCode(130),
              "^lockstep: interrupted\n$");
  const Json document = Json::parse(read_file(*arguments.places.json), nullptr, false);
  ASSERT_TRUE(document.is_object());
  EXPECT_TRUE(document["rows"].empty());
  EXPECT_EQ(reasons(document).at("allgather/adea"), "was not run to its end: interrupted");
  EXPECT_EQ(reasons(document).at("allgather/sequential"), "was not run to its end: interrupted");
}

TEST(Compare, EndsWithTwoIfNothingCouldRun) {
  const Finished finished = lockstep("compare --operation alltoall --machine torus:3x3 --ports one --duplex half-node");
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_TRUE(finished.err.starts_with("lockstep: nothing could be compared: alltoall/")) << finished.err;
}

TEST(Compare, RefusesWithOneLine) {
  const std::string some = "--operation allgather --machine hypercube:3 ";
  const std::pair<std::string, std::string> refusals[] = {
      {"--machine ring:3",
       "compare needs --operation, e.g. lockstep compare --operation allgather --machine hypercube:8 --words 64"},
      {some + "--by tim",
       "--by 'tim' is not one of steps, messages, words, longest, hops, busiest-link, startups, time, async, "
       "processors, links, wall; did "
       "you mean 'time'?"},
      {some + "--by wall --predict", "--by wall needs runs, and --predict makes none"},
      {some + "--root 0", "--root is not a parameter of any method of allgather"},
      {some + "--words 0",
       "no method of allgather can be compared on hypercube:3: allgather/adea: --words 0 is out of range: 1 to "
       "2147483648"},
      {"--operation convert --machine bus:4",
       "no method of convert can be compared on bus:4: convert/exchange: is for hypercube"},
      {some + "--machine hypercube:3", "--machine 'hypercube:3' is given twice"},
      {some + "--executor sequential --threads 2",
       "--threads is for --executor tbb and threads; sequential uses one thread"},
      {"--operation permute --machine hypercube:3 --permutation 2,0,x",
       "no method of permute can be compared on hypercube:3: permute/dimension-halving: --permutation: dimension 'x' "
       "is not "
       "a whole number from 0 to 2 (digits only: no sign, no leading zero)"},
      {some + "--json x --csv x", "--csv and --json cannot both go to 'x'"},
      {some + "--csv /nowhere/x", "cannot write '/nowhere/x': No such file or directory"},
      {some + "--words 1 --words 2", "--words is given 2 times"},
  };
  for (const auto& [flags, text] : refusals) {
    const Finished refused = lockstep("compare " + flags);
    EXPECT_EQ(refused.exit_code, 2) << flags;
    EXPECT_EQ(refused.err, "lockstep: " + text + "\n") << flags;
  }
}

// In a ring of two both ways round are one link, which half duplex lets carry one message: no such schedule is
// predicted.
TEST(Compare, LeavesOutRingsOfTwoInHalfDuplex) {
  const std::string flags =
      "compare --operation allgather --duplex half-link --ports all --words 5 --predict --machine ";
  EXPECT_NE(lockstep(flags + "torus:4x4").out.find("allgather/torus "), std::string::npos);
  for (const char* machine : {"torus:2x2x2x2", "hypercube:4"}) {
    const Finished compared = lockstep(flags + machine);
    EXPECT_EQ(compared.exit_code, 0) << compared.err;
    EXPECT_EQ(compared.out.find("allgather/torus on torus:2x2x2x2 "), std::string::npos) << compared.out;
  }
  EXPECT_NE(lockstep(flags + "torus:2x4").out.find("may use both directions of a link at once"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::test::compare_test
