// `lockstep reproduce`: all printed results of the papers are present, its values are those of the specifications, and
// differences are noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "command_line.hpp"
#include "host/interrupt.hpp"
#include "reproduce/reproduce_command.hpp"
#include "reproduced.hpp"

namespace lockstep::test::reproduce_test {
namespace {

std::vector<std::string> names() {
  const Json list = Json::parse(lockstep("reproduce --json").out);
  std::vector<std::string> names;
  for (const Json& entry : list["reproductions"]) names.push_back(entry["name"]);
  return names;
}

TEST(Reproduce, ListsWhatThereIs) {
  const std::vector<std::string> all = names();
  for (const std::string name : {"saad-schultz-table-1", "saad-schultz-table-2", "saad-schultz-1985", "mukherjee",
                                 "dimakopoulos", "johnsson-ho-table-3", "johnsson-ho-9", "johnsson-ho-10",
                                 "johnsson-ho-12", "johnsson-ho-14a", "johnsson-ho-15", "johnsson-ho-19"}) {
    EXPECT_NE(std::ranges::find(all, name), all.end()) << name;
    EXPECT_NE(lockstep("reproduce").out.find("\n" + name + "\n"), name == all.front() ? 0 : std::string::npos);
  }
}

TEST(Reproduce, AgreesQuicklyWithEveryPaper) {
  for (const std::string& name : names()) {
    const Json& reproduction = quickly(name);
    EXPECT_EQ(reproduction["disagreements"], Json::array()) << name;
    std::size_t judged = 0;
    std::set<std::string> marks;
    for (const Json& note : reproduction["notes"]) marks.insert(note["mark"]);
    EXPECT_EQ(marks.size(), reproduction["notes"].size()) << name << ": a mark has two notes";
    std::set<std::string> used;
    for (const Json& table : reproduction["tables"]) {
      for (const Json& row : table["rows"]) {
        EXPECT_EQ(row["values"].size(), table["columns"].size()) << name;
        EXPECT_NE(row["verdict"], "differs") << name << ": " << row;
        if (!row["verdict"].is_null()) ++judged;
        const bool is_explained = !row["note"].is_null() || table["name"] == "orders" || table["name"] == "little_data";
        EXPECT_TRUE(row["verdict"].is_null() || row["verdict"] == "equal" || is_explained) << name << ": " << row;
        if (!row["note"].is_null()) used.insert(row["note"]);
      }
    }
    EXPECT_GT(judged, 0U) << name;
    EXPECT_EQ(used, marks) << name << ": notes that no row has, or marks without a note";
    for (const std::string& mark : marks) {
      const bool is_letter = mark.size() == 1;  // the entry's own notes
      EXPECT_TRUE(is_letter || lockstep({"errata", mark}).exit_code == 0) << name << ": " << mark << " is no erratum";
    }
  }
}

TEST(Reproduce, HasEveryCellOfTheTablesOfSaadAndSchultz) {
  const std::array<std::pair<std::string, std::set<std::string>>, 2> tables{
      {{"saad-schultz-table-1", {"bus", "shared memory", "ring"}},
       {"saad-schultz-table-2", {"grid", "hypercube", "switch"}}}};
  for (const auto& [name, machines] : tables) {
    std::set<std::pair<std::string, std::string>> cells;
    for (const std::string operation : {"one to one", "one to all", "all to all", "scatter", "multiscatter"}) {
      for (const std::string& machine : machines) cells.insert({operation, machine});
    }
    for (const std::string table : {"entries", "counted"}) {
      std::set<std::pair<std::string, std::string>> shown;
      for (const Json& row : table_of(quickly(name), table)["rows"]) {
        shown.emplace(row["values"][0].get<std::string>(), row["values"][1].get<std::string>());
      }
      EXPECT_EQ(shown, cells) << name << ", " << table;
    }
  }
}

// k = 64, N = 24,576, k* = 16, beta = 1000, tau = 1: m = N/k = 384 words of a processor, b = N/k^2 = 6 of a pair.
TEST(Reproduce, ShowsWhatTheTablesOfSaadAndSchultzComeTo) {
  const std::vector<std::string> columns{"steps", "longest sum", "time", "paper"};
  const Json& first = table_of(quickly("saad-schultz-table-1"), "counted");
  const Json& second = table_of(quickly("saad-schultz-table-2"), "counted");
  using Row = std::vector<Json>;
  // 2 transfers of N, paper: 2 N tau + beta
  EXPECT_EQ(cells(first, {"one to one", "shared memory"}, columns), (Row{2, 49152, 51152.0, 50152.0, "wrong", "B24"}));
  // 1 + ceil(63/16) = 5 rounds of N
  EXPECT_EQ(cells(first, {"one to all", "shared memory"}, columns),
            (Row{5, 122880, 127880.0, 127880.0, "equal", nullptr}));
  // 2 * 4 rounds; 4 * 64 * 384 words; paper: 65/16 N + 2/16 beta
  EXPECT_EQ(cells(first, {"all to all", "shared memory"}, columns), (Row{8, 98304, 106304.0, 99965.0, "wrong", "B24"}));
  // 63 blocks, then 4 rounds of one; paper: every processor reads N
  EXPECT_EQ(cells(first, {"scatter", "shared memory"}, columns), (Row{5, 25728, 30728.0, 127880.0, "wrong", "B16"}));
  EXPECT_EQ(cells(first, {"scatter", "ring"}, columns), (Row{32, 12288, 44288.0, 44288.0, "equal", nullptr}));
  // 64 * 63/2 * 6 words
  EXPECT_EQ(cells(first, {"multiscatter", "ring"}, columns), (Row{63, 12096, 75096.0, 76288.0, "bound", "B21"}));
  EXPECT_EQ(cells(first, {"scatter", "bus"}, columns), (Row{63, 24192, 87192.0, 88576.0, "bound", "B15"}));
  // 2 (sum of ceil(C(6,i)/6) = 1 + 3 + 4 + 3 + 1 + 1 = 13) * 384 words; paper: 2 N / 6
  EXPECT_EQ(cells(second, {"all to all", "hypercube"}, columns), (Row{12, 9984, 21984.0, 20192.0, "wrong", "B30"}));
  // 2 * 6 steps, k b = 384 words
  EXPECT_EQ(cells(second, {"multiscatter", "hypercube"}, columns), (Row{12, 384, 12384.0, 12384.0, "equal", "B28"}));
  // 6 * 32 * 6 words
  EXPECT_EQ(cells(second, {"multiscatter", "switch"}, columns), (Row{6, 1152, 7152.0, 14304.0, "wrong", "B23"}));
  // 8^2 * 7 * 6 words
  EXPECT_EQ(cells(second, {"multiscatter", "grid"}, columns), (Row{14, 2688, 16688.0, 65152.0, "bound", "B22"}));
  // h (s + 1) m = 4 * 9 * 384
  EXPECT_EQ(cells(second, {"scatter", "grid"}, columns), (Row{8, 13824, 21824.0, 40576.0, "bound", "B24"}));
}

TEST(Reproduce, ShowsWhatSaadAndSchultzConclude) {
  const Json& reproduction = quickly("saad-schultz-table-2");
  const Json& much = table_of(reproduction, "much_data");
  const std::vector<std::string> columns{"paper: best", "exactly: best"};
  using Row = std::vector<Json>;
  EXPECT_EQ(cells(much, {"one to one"}, columns), (Row{"hypercube", "hypercube", "equal", nullptr}));
  EXPECT_EQ(cells(much, {"one to all"}, columns), (Row{"bus", "grid", "wrong", "c"}));  // N/2 words, and N over the bus
  EXPECT_EQ(cells(much, {"all to all"}, columns), (Row{"hypercube", "hypercube", "equal", nullptr}));
  EXPECT_EQ(cells(much, {"scatter"}, columns), (Row{"hypercube", "ring", "wrong", "B25"}));  // N/2 words there
  EXPECT_EQ(cells(much, {"multiscatter"}, columns), (Row{"hypercube", "hypercube", "equal", nullptr}));
  const Json& little = table_of(reproduction, "little_data");
  const std::vector<std::string> sizes{"k = 64", "k = 256", "k = 1024"};
  EXPECT_EQ(cells(little, {"all to all", "ring"}, sizes), (Row{63, 255, 1023, "bound", nullptr}));
  EXPECT_EQ(cells(little, {"all to all", "shared memory"}, sizes), (Row{8, 32, 128, "bound", nullptr}));
  EXPECT_EQ(cells(little, {"scatter", "grid"}, sizes), (Row{8, 16, 32, "bound", nullptr}));
  EXPECT_EQ(cells(little, {"multiscatter", "switch"}, sizes), (Row{6, 8, 10, "bound", nullptr}));
  // With P packets the hypercube takes (P + 5)(beta + N/(6 P) tau), the bus N tau + beta. With x = N tau / beta that is
  // less for P = 3 from 8 (1 + x/18) = 1 + x on, x = 12.6; for P = 2 from 14.4, for P = 4 from 12.8 on.
  const Json& crossovers = table_of(reproduction, "crossovers");
  std::vector<double> from;
  for (const Json& row : crossovers["rows"]) {
    if (row["values"][0] == "one to one" && row["values"][2] == "hypercube") from.push_back(row["values"][1]);
  }
  ASSERT_FALSE(from.empty());
  EXPECT_NEAR(*std::ranges::min_element(from), 12.6, 0.03);
}

// n = 6, m = 64, beta = 100, tau = 1.
TEST(Reproduce, ShowsWhatTheFormulasOf1985ComeTo) {
  const Json& reproduction = quickly("saad-schultz-1985");
  const Json& exchange = table_of(reproduction, "exchange_counted");
  const std::vector<std::string> columns{"steps", "longest sum", "time"};
  using Row = std::vector<Json>;
  EXPECT_EQ(cells(exchange, {"(4.2) daisy chain"}, columns), (Row{63, 4032, 10332.0, "equal", nullptr}));
  EXPECT_EQ(cells(exchange, {"(4.3) ADEA"}, columns), (Row{12, 8064, 9264.0, "equal", nullptr}));
  EXPECT_EQ(cells(exchange, {"(4.4) TEA1"}, columns), (Row{12, 4096, 5296.0, "equal", nullptr}));
  EXPECT_EQ(cells(exchange, {"(4.5) TEA2"}, columns), (Row{12, 1664, 2864.0, "bound", "A3"}));  // 26 blocks
  // 2 + ceil(21/6) + ceil(35/6) + ceil(35/6) + ceil(21/6) + ceil(7/6) = 2 + 4 + 6 + 6 + 4 + 2 = 24 blocks
  EXPECT_EQ(cells(exchange, {"(4.5) TEA2, grouped"}, columns), (Row{7, 1536, 2236.0, "bound", "A5"}));
  const Json& others = table_of(reproduction, "others_counted");
  EXPECT_EQ(cells(others, {"(5.1) scatter"}, columns), (Row{6, 4032, 4632.0, "equal", nullptr}));
  EXPECT_EQ(cells(others, {"section 6, MTADEA"}, columns), (Row{12, 24576, 25776.0, "equal", nullptr}));
  const Json& paths = table_of(reproduction, "paths");
  const std::vector<std::string> of_paths{"distance", "messages", "steps", "busiest link"};
  const std::string on_cube = "Prop. 3.1; 1988, Prop. 3.3";
  // On the 4-cube, distance 1: one path of 1 link and three of 3.
  EXPECT_EQ(cells(paths, {on_cube, "hypercube:4", 1}, of_paths), (Row{1, 10, 3, 1, "equal", nullptr}));
  EXPECT_EQ(cells(paths, {on_cube, "hypercube:4", 15}, of_paths), (Row{4, 16, 4, 1, "equal", nullptr}));
  // On the torus neighbours have paths of 1, 3, 5 and 7 links.
  EXPECT_EQ(cells(paths, {"1988, Prop. 3.2", "torus:8x8", 1}, of_paths), (Row{1, 16, 7, 1, "equal", "B7"}));
}

TEST(Reproduce, ShowsMukherjeesExamplesOfDilations) {
  const Json& dilations = table_of(quickly("mukherjee"), "dilations");
  using Row = std::vector<Json>;
  EXPECT_EQ(cells(dilations, {"rh:5,2", "3"}, {"edges", "paper"}), (Row{2, 2, "equal", nullptr}));
  EXPECT_EQ(cells(dilations, {"rh:5,2", "mean"}, {"edges", "paper"}), (Row{17.0 / 9.0, 1.88, "wrong", "R18"}));
  EXPECT_EQ(cells(dilations, {"rh:8,3", "7"}, {"edges", "paper"}), (Row{1, 1, "equal", nullptr}));
  EXPECT_EQ(cells(dilations, {"rh:8,3", "mean"}, {"edges", "paper"}), (Row{2.5, 2.5, "equal", nullptr}));
}

TEST(Reproduce, ShowsMukherjeesOrders) {
  const Json& orders = table_of(quickly("mukherjee"), "orders");
  const std::vector<std::string> columns{"steps", "longest sum", "order's value"};
  using Row = std::vector<Json>;
  const std::string trees = "k + n 2^n";
  // B1(0) + (3 + 1) 8 + 1; the prose's order takes 44.
  EXPECT_EQ(cells(orders, {"broadcast", "rh:3,3", trees}, columns), (Row{33, 33, 27.0, "bound", nullptr}));
  EXPECT_EQ(cells(orders, {"broadcast, thesis' order", "rh:3,3", trees}, columns), (Row{44, 44, 27.0, "bound", "R5"}));
  EXPECT_EQ(cells(orders, {"broadcast, all ports", "rh:3,3", trees}, columns), (Row{32, 32, 27.0, "bound", nullptr}));
  EXPECT_EQ(cells(orders, {"reduction", "rh:5,2", trees}, columns),
            (Row{17, 17, 13.0, "bound", nullptr}));                                                        // 5 + 3 * 4
  EXPECT_EQ(cells(orders, {"barrier", "rh:3,3", trees}, columns), (Row{68, 68, 27.0, "bound", nullptr}));  // 35 + 33
  // 2 * 3 + 36 + 24 + 4 * 28
  EXPECT_EQ(cells(orders, {"prefix", "rh:3,3", "k + n 4^n"}, columns), (Row{178, 178, 195.0, "bound", nullptr}));
  const Json& sort = row_of(orders, {"sorting", "rh:5,2", "k^2 + n + 8^n"});
  EXPECT_EQ(sort["verdict"], "wrong");
  EXPECT_EQ(sort["note"], "R14");
  const Json& cubes = table_of(quickly("mukherjee"), "cubes");
  // 7 dimensions; (3 + 1) 64 links of 7 * 64
  EXPECT_EQ(cells(cubes, {"reduction", "rh:3,2"}, {"steps", "cube's steps", "links"}),
            (Row{15, 7, 4.0 / 7.0, "equal", nullptr}));
  EXPECT_EQ(cells(cubes, {"sorting", "rh:3,3"}, {"cube's steps"}), (Row{66, "equal", nullptr}));  // 11 * 12 / 2
}

TEST(Reproduce, ShowsTheTotalExchangesOfDimakopoulos) {
  const Json& reproduction = quickly("dimakopoulos");
  const Json& families = table_of(reproduction, "families");
  const std::vector<std::string> columns{"bound", "T", "steps"};
  using Row = std::vector<Json>;
  EXPECT_EQ(cells(families, {"torus", "torus:4x3"}, columns), (Row{20, 20, 20, "equal", nullptr}));
  EXPECT_EQ(cells(families, {"torus", "torus:3x4x5"}, columns), (Row{172, 172, 172, "equal", nullptr}));
  EXPECT_EQ(cells(families, {"product", "product:complete:4*ring:5"}, columns), (Row{39, 39, 39, "equal", nullptr}));
  EXPECT_EQ(cells(families, {"product", "product:star:3*ring:4"}, columns), (Row{60, 60, 60, "equal", nullptr}));
  EXPECT_EQ(cells(families, {"product", "product:path:3*ring:4"}, columns), (Row{23, 28, 28, "equal", "D8"}));
  EXPECT_EQ(cells(families, {"hypercube", "hypercube:6"}, columns), (Row{192, 192, 192, "equal", nullptr}));
  EXPECT_EQ(cells(families, {"mesh", "mesh:4x4"}, columns), (Row{40, 56, 56, "equal", nullptr}));
  const Json& meshes = table_of(reproduction, "meshes");
  EXPECT_EQ(cells(meshes, {"mesh:3x2"}, {"bound", "steps of A2", "steps of a search"}), (Row{9, 11, 9, "wrong", "D9"}));
}

TEST(Reproduce, WritesTheSameInEveryForm) {
  const Json& reproduction = quickly("saad-schultz-table-1");
  std::size_t rows = 0;
  for (const Json& table : reproduction["tables"]) rows += table["rows"].size();
  const std::vector<std::string> csv = lines(lockstep("reproduce saad-schultz-table-1 --quick --csv -").out);
  EXPECT_EQ(csv.size(), rows + 1);
  EXPECT_EQ(
      csv.front(),
      "table,operation,machine,paper's_entry,method,exact_steps,exact_longest_sum,k,N,steps,longest_sum,time,paper,"
      "verdict,note");
  const std::string counted = "counted,one to one,shared memory,,,,,64,24576,2,49152,51152.0,50152.0,wrong,B24";
  EXPECT_NE(std::ranges::find(csv, counted), csv.end());
  const std::string markdown = lockstep("reproduce saad-schultz-table-1 --quick --markdown -").out;
  const std::string row = "| one to one | shared memory | 64 | 24,576 | 2 | 49,152 | 51,152 | 50,152 | wrong (B24) |\n";
  EXPECT_NE(markdown.find(row), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("\n- B24: "), std::string::npos);
  EXPECT_EQ(lockstep("reproduce saad-schultz-table-1 --quick --quiet").out, "");
}

TEST(Reproduce, RefusesBadInputInOneLine) {
  const auto refused = [](const std::string& flags, const std::vector<std::string>& said) {
    expect_refused(lockstep("reproduce " + flags), said);
  };
  refused("dimakopulos", {"'dimakopulos'", "did you mean 'dimakopoulos'?"});
  refused("nonsense", {"reproduce 'nonsense' is not one of saad-schultz-table-1, saad-schultz-table-2"});
  refused("--json dimakopulos", {"did you mean 'dimakopoulos'?"});
  refused("mukherjee dimakopoulos", {"unexpected argument 'dimakopoulos'"});
  refused("--quick", {"needs the name of a reproduction for --quick"});
  refused("--csv -", {"needs the name of a reproduction for --csv"});
  refused("dimakopoulos --plot a.svg", {"--plot: dimakopoulos has no plot"});
  refused("dimakopoulos --csv - --markdown -", {"--markdown and --csv cannot both go to '-'"});
  refused("dimakopoulos --csv /nonexistent/a.csv", {"/nonexistent/a.csv"});
  refused("dimakopoulos --quik", {"did you mean '--quick'?"});
  const TemporaryDirectory directory;
  const std::string file = directory.file("a.csv");
  refused("dimakopulos --csv " + file, {"did you mean 'dimakopoulos'?"});
  EXPECT_FALSE(std::filesystem::exists(file));
}

/// A reproduction whose only line states that a broadcast on the 3-cube takes four steps.
cli::reproduce::Reproduction wrong_reproduction(cli::reproduce::ReproductionRuns& runs, bool is_erratum,
                                                std::uint64_t dimension) {
  const cli::run::RunRecord record =
      runs.run(cli::reproduce::arguments_for("hypercube:" + std::to_string(dimension), "broadcast/sbt", 1));
  cli::reproduce::Judgement judgement;
  cli::reproduce::ReproducedTable table{
      .name = "counted", .title = "Counted", .columns = {"formula", "steps", "longest sum", "time", "paper"}};
  cli::reproduce::add_timed_row(table, {"broadcast"}, {"broadcast", cli::reproduce::PaperClaim::equal, "", is_erratum},
                                8, record, judgement);
  return {.tables = {std::move(table)}, .disagreements = judgement.disagreements()};
}

Finished reproduced(cli::reproduce::Reproduction (*reproduce)(cli::reproduce::ReproductionRuns&)) {
  cli::reproduce::ReproduceArguments arguments;
  arguments.quiet = true;
  const std::atomic<bool> stop{false};
  testing::internal::CaptureStderr();
  const int code = cli::reproduce::reproduce({"planted", "a test", "a planted error", reproduce}, arguments, stop);
  return {.exit_code = code, .out = {}, .err = testing::internal::GetCapturedStderr()};
}

TEST(Reproduce, FailsWhereAnEntryDoesNotHold) {
  const Finished differs =
      reproduced([](cli::reproduce::ReproductionRuns& runs) { return wrong_reproduction(runs, false, 3); });
  EXPECT_EQ(differs.exit_code, 1);
  EXPECT_EQ(differs.err, "lockstep: broadcast: the paper has 8, counted 6\n");
  const Finished holds =
      reproduced([](cli::reproduce::ReproductionRuns& runs) { return wrong_reproduction(runs, false, 4); });
  EXPECT_EQ(holds.exit_code, 0);
  EXPECT_EQ(holds.err, "");
}

TEST(Reproduce, FailsWhereAnErratumIsNotSeen) {
  const Finished seen =
      reproduced([](cli::reproduce::ReproductionRuns& runs) { return wrong_reproduction(runs, true, 3); });
  EXPECT_EQ(seen.exit_code, 0);
  const Finished not_seen =
      reproduced([](cli::reproduce::ReproductionRuns& runs) { return wrong_reproduction(runs, true, 4); });
  EXPECT_EQ(not_seen.exit_code, 1);
  EXPECT_EQ(not_seen.err, "lockstep: broadcast: holds wherever it was counted, but the errata deny it\n");
}

TEST(Reproduce, FailsWhereARunFails) {
  const Finished failed = reproduced([](cli::reproduce::ReproductionRuns& runs) {
    cli::run::RunArguments arguments = cli::reproduce::arguments_for("hypercube:3", "broadcast/sbt", 1);
    arguments.max_cycles = 1;  // too few
    runs.run(arguments);
    return cli::reproduce::Reproduction{};
  });
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_TRUE(failed.err.starts_with("lockstep: broadcast/sbt on hypercube:3: ")) << failed.err;
}

TEST(Reproduce, DrawsWhatHasAPlot) {
  const TemporaryDirectory directory;
  cli::reproduce::ReproduceArguments arguments;
  arguments.quiet = true;
  arguments.plot = directory.file("planted.svg");
  const auto drawn = [](cli::reproduce::ReproductionRuns&) {
    cli::reproduce::Reproduction reproduction;
    reproduction.plot = {
        .title = {}, .x = {"n"}, .y = {"time"}, .series = {{"line", {{1, 2}, {3, 4}}, {{1, 2}}}}, .marks = {}};
    return reproduction;
  };
  const cli::reproduce::ReproductionEntry entry{
      .name = "drawn", .source = "a test", .summary = "a plot", .compute = drawn, .plot_title = "planted"};
  const std::atomic<bool> stop{false};
  EXPECT_EQ(cli::reproduce::reproduce(entry, arguments, stop), 0);
  EXPECT_NE(read_file(*arguments.plot).find("planted"), std::string::npos);
}

TEST(Reproduce, JudgesBounds) {
  using cli::reproduce::PaperClaim;
  using cli::reproduce::PaperVerdict;
  cli::reproduce::Judgement judgement;
  EXPECT_EQ(judgement.of({"at most", PaperClaim::at_most}, 8, 6), PaperVerdict::bound);
  EXPECT_EQ(judgement.of({"at most", PaperClaim::at_most}, 6, 6), PaperVerdict::equal);
  EXPECT_EQ(judgement.of({"at least", PaperClaim::at_least}, 6, 8), PaperVerdict::bound);
  EXPECT_EQ(judgement.disagreements(), std::vector<std::string>{});
  EXPECT_EQ(judgement.of({"at most", PaperClaim::at_most}, 6, 8), PaperVerdict::differs);
  EXPECT_EQ(judgement.of({"at least", PaperClaim::at_least}, 8, 6), PaperVerdict::differs);
  EXPECT_EQ(judgement.disagreements().size(), 2U);
}

TEST(Reproduce, EndsWhenItIsInterrupted) {
  cli::reproduce::ReproduceArguments arguments;
  arguments.name = "dimakopoulos";
  arguments.quiet = true;
  const std::atomic<bool> stop{true};
  EXPECT_THROW(cli::reproduce::reproduce_command(arguments, stop), cli::host::Interrupted);
}

}  // namespace
}  // namespace lockstep::test::reproduce_test
