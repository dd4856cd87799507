// `lockstep best --write`: the choices that libraries would read in the files, with readers written from their
// grammars, against formulas and the ranges of `best --json`.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "command_line.hpp"

namespace lockstep::test::selection_file_test {
namespace {

using Json = nlohmann::ordered_json;

/// The library's choice for a message of `bytes` among `ranks`; "-" where the file leaves it to the library.
using Choice = std::function<std::string(std::uint64_t ranks, std::uint64_t bytes)>;

struct Read {
  std::string collective;
  Choice choice;
  std::vector<std::string> problems{};
};

std::string number(const Json& value) { return std::to_string(value.get<std::uint64_t>()); }

/// Open MPI 6: for each collective a list of communicator sizes, each with rules; the first that fits counts.
Read read_openmpi_json(const std::string& text) {
  const Json file = Json::parse(text);
  Read read;
  if (file["rule_file_version"] != 3 || file["module"] != "tuned") read.problems.push_back("head");
  if (file["collectives"].size() != 1) read.problems.push_back("collectives");
  read.collective = file["collectives"].begin().key();
  const Json sizes = file["collectives"].begin().value();
  read.choice = [sizes](std::uint64_t ranks, std::uint64_t bytes) -> std::string {
    for (const Json& size : sizes) {
      if (ranks < size["comm_size_min"] || ranks > size["comm_size_max"]) continue;
      for (const Json& rule : size["rules"]) {
        if (bytes < rule["msg_size_min"] || bytes > rule["msg_size_max"]) continue;
        return rule["alg"].get<std::string>() + " " + number(rule["faninout"]) + " " + number(rule["seg_size"]);
      }
    }
    return "-";
  };
  return read;
}

/// Open MPI 4 and 5: numbers, with comments from # to the end of the line. The largest size not above the
/// communicator's counts, and within it the largest not above the message's; algorithm 0 is no choice.
Read read_openmpi_text(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  Read read;
  std::getline(lines, line);
  if (line != "rule-file-version-2") read.problems.push_back("version");
  std::vector<std::uint64_t> numbers;
  while (std::getline(lines, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::uint64_t value = 0; words >> value;) numbers.push_back(value);
    if (!words.eof()) read.problems.push_back("no number in " + line);
  }
  std::size_t at = 0;
  const auto next = [&] {
    if (at == numbers.size()) read.problems.push_back("too short");
    return at == numbers.size() ? 0 : numbers[at++];
  };
  if (next() != 1) read.problems.push_back("collectives");
  read.collective = std::to_string(next());
  std::map<std::uint64_t, std::map<std::uint64_t, std::string>> sizes;
  for (std::uint64_t count = next(); count > 0; --count) {
    auto& rules = sizes[next()];
    for (std::uint64_t left = next(); left > 0; --left) {
      const std::uint64_t bytes = next();
      if (rules.empty() && bytes != 0) read.problems.push_back("the first rule is not for 0 bytes");
      if (!rules.empty() && bytes <= rules.rbegin()->first) read.problems.push_back("order");
      std::string rule = std::to_string(next());
      rule += " " + std::to_string(next());
      rule += " " + std::to_string(next());
      rules[bytes] = rule == "0 0 0" ? "-" : rule;
    }
  }
  if (at != numbers.size()) read.problems.push_back("too long");
  read.choice = [sizes](std::uint64_t ranks, std::uint64_t bytes) -> std::string {
    const auto size = sizes.upper_bound(ranks);
    if (size == sizes.begin()) return "-";
    const auto& rules = std::prev(size)->second;
    return std::prev(rules.upper_bound(bytes))->second;
  };
  return read;
}

/// MPICH's questions, for a call with a built-in commutative operation, not in place.
bool holds(const std::string& question, std::uint64_t ranks, std::uint64_t bytes) {
  const auto limit = [&](const std::string& key) -> std::optional<std::uint64_t> {
    if (!question.starts_with(key + "<=")) return {};
    return std::stoull(question.substr(key.size() + 2));
  };
  if (question.ends_with("=any")) return true;
  if (const auto most = limit("comm_size")) return ranks <= *most;
  if (const auto most = limit("avg_msg_size")) return bytes <= *most;
  if (const auto most = limit("total_msg_size")) return bytes <= *most;
  if (question == "count<pow2") return bytes / 8 < std::bit_floor(ranks);
  if (question == "comm_type=intra" || question == "is_op_built_in=yes" || question == "is_commutative=yes" ||
      question == "is_sendbuf_inplace=no") {
    return true;
  }
  if (question == "is_op_built_in=no" || question == "is_commutative=no" || question == "is_sendbuf_inplace=yes") {
    return false;
  }
  throw std::runtime_error("MPICH does not ask " + question);
}

/// Questions in order; the first that holds is followed. Sizes need a branch for any.
std::string answer(const Json& node, std::uint64_t ranks, std::uint64_t bytes) {
  for (const auto& [question, below] : node.items()) {
    if (question.starts_with("algorithm=")) {
      if (!below.is_object() || !below.empty() || node.size() != 1) throw std::runtime_error("leaf " + question);
      return question.substr(std::string("algorithm=").size());
    }
    if (holds(question, ranks, bytes)) return answer(below, ranks, bytes);
  }
  throw std::runtime_error("MPICH asserts that there is an answer");
}

Read read_mpich(const std::string& text) {
  const Json file = Json::parse(text);
  Read read;
  if (file.size() != 1) read.problems.push_back("collectives");
  read.collective = file.begin().key();
  const Json node = file.begin().value();
  read.choice = [node](std::uint64_t ranks, std::uint64_t bytes) { return answer(node, ranks, bytes); };
  return read;
}

/// NCCL's example of a tuner: the first line that fits; # begins a comment.
Read read_nccl(const std::string& text) {
  struct Rule {
    std::uint64_t first, last, ranks;
    std::string choice;
  };
  std::vector<Rule> rules;
  std::istringstream lines(text);
  Read read;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) fields.push_back(cell);
    const auto is_any = [&fields](std::size_t field) { return fields[field] == "-1"; };
    if (fields.size() != 10 || !is_any(5) || !is_any(6) || !is_any(8) || !is_any(9)) {
      read.problems.push_back(line);
      continue;
    }
    read.collective = fields[0];
    rules.push_back(
        {std::stoull(fields[1]), std::stoull(fields[2]), std::stoull(fields[7]), fields[3] + " " + fields[4]});
  }
  read.choice = [rules](std::uint64_t ranks, std::uint64_t bytes) -> std::string {
    for (const Rule& rule : rules) {
      if (ranks == rule.ranks && bytes >= rule.first && bytes <= rule.last) return rule.choice;
    }
    return "-";
  };
  return read;
}

Read written(const std::string& format, const std::string& flags) {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/rules";
  const Finished best = lockstep("best " + flags + " --no-run --quiet --write " + format + " " + path);
  EXPECT_EQ(best.exit_code, 0) << best.err;
  EXPECT_EQ(best.out, "");
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  Read read = format == "openmpi-json"   ? read_openmpi_json(text.str())
              : format == "openmpi-text" ? read_openmpi_text(text.str())
              : format == "mpich-json"   ? read_mpich(text.str())
                                         : read_nccl(text.str());
  EXPECT_TRUE(read.problems.empty()) << text.str();
  return read;
}

/// Time of an allreduce of m words among p ranks with start-ups of beta: collectives.md, Allreduce.
std::map<std::string, std::uint64_t> allreduce_times(std::uint64_t p, std::uint64_t m, std::uint64_t beta) {
  const auto q = static_cast<std::uint64_t>(std::bit_width(p) - 1);
  const std::uint64_t x = std::has_single_bit(p) ? 0 : 2;
  std::uint64_t halves = 0;
  for (std::uint64_t i = 1; i <= q; ++i) halves += (m + (std::uint64_t{1} << i) - 1) >> i;
  return {{"recursive_doubling", (q + x) * (beta + m)},
          {"rabenseifner", (2 * q + x) * beta + 2 * halves + x * m},
          {"ring", 2 * (p - 1) * (beta + (m + p - 1) / p)}};
}

const std::map<std::string, std::map<std::string, std::string>> allreduce_names{
    {"openmpi-json",
     {{"recursive_doubling 0 0", "recursive_doubling"}, {"rabenseifner 0 0", "rabenseifner"}, {"ring 0 0", "ring"}}},
    {"openmpi-text", {{"3 0 0", "recursive_doubling"}, {"6 0 0", "rabenseifner"}, {"4 0 0", "ring"}}},
    {"mpich-json",
     {{"MPIR_Allreduce_intra_recursive_doubling", "recursive_doubling"},
      {"MPIR_Allreduce_intra_reduce_scatter_allgather", "rabenseifner"},
      {"MPIR_Allreduce_intra_ring", "ring"}}}};

// The leader is the fastest of the three at the first and the last words for which it is chosen, and there faster than
// the previous leader.
TEST(SelectionFile, ChoosesTheFastestAllreduceThatTheLibraryHas) {
  constexpr std::uint64_t last = 10'000;
  std::size_t changes = 0;
  for (const auto& [format, names] : allreduce_names) {
    for (const std::uint64_t p : {2U, 3U, 8U, 12U, 33U}) {
      for (const std::uint64_t beta : {1U, 100U, 2000U}) {
        const std::string where = format + ", " + std::to_string(p) + " ranks, beta " + std::to_string(beta);
        const Read read =
            written(format, "--operation allreduce --machine switch:" + std::to_string(p) + " --words 1.." +
                                std::to_string(last) + "*10 --beta " + std::to_string(beta));
        EXPECT_EQ(read.collective, format == "openmpi-json"   ? "allreduce"
                                   : format == "openmpi-text" ? "2"
                                                              : "collective=allreduce");
        const auto chosen = [&](std::uint64_t bytes) {
          const auto known = names.find(read.choice(p, bytes));
          return known == names.end() ? "-" : known->second;
        };
        const bool is_total = format == "mpich-json";
        EXPECT_EQ(chosen(7) == "-", !is_total) << where;
        EXPECT_EQ(chosen(8 * last + 1) == "-", !is_total) << where;
        if (!is_total) {
          EXPECT_EQ(read.choice(p + 1, 800), "-") << where;
          EXPECT_EQ(read.choice(p - 1, 800), "-") << where;
        } else {
          EXPECT_EQ(read.choice(p + 1, 8 * 10'000), "MPIR_Allreduce_intra_recursive_doubling") << where;
          EXPECT_EQ(read.choice(p - 1, 8 * 10'000), "MPIR_Allreduce_intra_recursive_doubling") << where;
        }
        std::string before;
        for (std::uint64_t m = 1; m <= last; ++m) {
          const auto times = allreduce_times(p, m, beta);
          const std::string now = chosen(8 * m);
          ASSERT_TRUE(times.contains(now)) << where << ", " << m << " words: " << now;
          EXPECT_EQ(chosen(8 * m + 7), m == last && !is_total ? "-" : chosen(8 * m)) << where << ", " << m;
          if (is_total && m < std::bit_floor(p)) continue;  // where MPICH has no reduce-scatter to continue with
          const bool is_edge = now != before || m == last;
          if (!is_edge) continue;
          const auto fastest = [](const auto& one, const auto& other) { return one.second < other.second; };
          if (m == 1 || m == last) {
            EXPECT_EQ(times.at(now), std::ranges::min_element(times, fastest)->second) << where << ", " << m;
          }
          if (before.empty() || now == before) {
            before = now;
            continue;
          }
          ++changes;
          EXPECT_GT(times.at(before), times.at(now)) << where << ", " << m;
          const auto earlier = allreduce_times(p, m - 1, beta);
          EXPECT_LE(earlier.at(before), earlier.at(now)) << where << ", " << m - 1;
          before = now;
        }
      }
    }
  }
  EXPECT_GE(changes, 20U);
}

// If the library knows one of the winners of every range, its ranges are those of best. A message of an alltoall is all
// data that a rank sends.
TEST(SelectionFile, HasTheRangesOfBest) {
  const std::map<std::string, std::map<std::string, std::string>> names{
      {"openmpi-json", {{"alltoall/bruck", "modified_bruck 2 0"}, {"alltoall/pairwise", "pairwise 0 0"}}},
      {"openmpi-text", {{"alltoall/bruck", "3 2 0"}, {"alltoall/pairwise", "2 0 0"}}},
      {"mpich-json",
       {{"alltoall/bruck", "MPIR_Alltoall_intra_brucks"}, {"alltoall/pairwise", "MPIR_Alltoall_intra_pairwise"}}}};
  for (const std::uint64_t p : {5U, 11U, 13U}) {
    const std::string flags =
        "--operation alltoall --machine switch:" + std::to_string(p) + " --words 1..4096*8 --beta 50 --radix 2";
    const Json ranges = Json::parse(lockstep("best " + flags + " --no-run --json").out)["ranges"];
    ASSERT_EQ(ranges.size(), 2U) << ranges;
    for (const auto& [format, of] : names) {
      const Read read = written(format, flags);
      EXPECT_EQ(read.collective, format == "openmpi-json"   ? "alltoall"
                                 : format == "openmpi-text" ? "3"
                                                            : "collective=alltoall");
      for (const Json& range : ranges) {
        std::vector<std::string> winners{range["algorithm"]};
        for (const Json& other : range["as_good"]) winners.push_back("alltoall/" + other.get<std::string>());
        const auto winner = std::ranges::find_if(winners, [&](const std::string& name) { return of.contains(name); });
        ASSERT_NE(winner, winners.end()) << range;
        const std::string& expected = of.at(*winner);
        for (const char* const edge : {"from", "to"}) {
          EXPECT_EQ(read.choice(p, 8 * p * range[edge].get<std::uint64_t>()), expected) << format << range;
        }
      }
    }
  }
}

TEST(SelectionFile, WritesIdsOfEveryOperation) {
  const auto first = [](const std::string& format, const std::string& flags, std::uint64_t bytes) {
    const Read read = written(format, "--words 1..100000*10 --beta 100 " + flags);
    return read.collective + ": " + read.choice(16, bytes);
  };
  EXPECT_EQ(first("openmpi-json", "--operation allgather --machine switch:16", 16 * 8),
            "allgather: bruck-k-fanout 2 0");
  EXPECT_EQ(first("openmpi-text", "--operation allgather --machine hypercube:4", 16 * 8), "0: 3 0 0");
  EXPECT_EQ(first("mpich-json", "--operation allgather --machine hypercube:4", 16 * 8),
            "collective=allgather: MPIR_Allgather_intra_recursive_doubling");
  EXPECT_EQ(first("nccl-csv", "--operation allgather --machine ring:16", 16 * 8), "allgather: ring simple");
  EXPECT_EQ(first("openmpi-text", "--operation broadcast --machine hypercube:4", 8), "7: 6 0 0");
  EXPECT_EQ(first("openmpi-text", "--operation broadcast --machine switch:16", 8), "7: 6 0 0");
  EXPECT_EQ(first("nccl-csv", "--operation broadcast --machine switch:16", 8), "broadcast: ring simple");
  EXPECT_EQ(first("openmpi-text", "--operation reduce --machine switch:16", 8), "11: 5 0 0");
  EXPECT_EQ(first("nccl-csv", "--operation reduce --machine switch:16", 8), "reduce: ring simple");
  EXPECT_EQ(first("openmpi-json", "--operation reduce-scatter --machine switch:16", 8),
            "reduce_scatter: recursive_halving 0 0");
  EXPECT_EQ(first("mpich-json", "--operation reduce-scatter --machine switch:12", 8),
            "collective=reduce_scatter: MPIR_Reduce_scatter_intra_pairwise");
  EXPECT_EQ(first("nccl-csv", "--operation reduce-scatter --machine switch:16", 8), "reducescatter: ring simple");
  EXPECT_EQ(first("nccl-csv", "--operation allreduce --machine switch:16", 8), "allreduce: tree simple");
  EXPECT_EQ(first("nccl-csv", "--operation allreduce --machine switch:16", 800'000), "allreduce: ring simple");
}

// At the last size of the range: 100,000 words in nu packets of the chain, (nu + p - 2)(beta + m/nu), p = 16: 26.46..
TEST(SelectionFile, GivesAPipelineItsSegment) {
  const Read read = written("openmpi-text", "--operation reduce --machine switch:16 --words 1..100000*10 --beta 100");
  std::istringstream rule(read.choice(16, 800'000));
  std::uint64_t algorithm = 0;
  std::uint64_t fanout = 0;
  std::uint64_t segment = 0;
  rule >> algorithm >> fanout >> segment;
  EXPECT_EQ(algorithm, 3U);
  const auto time = [](std::uint64_t packets) {
    return (packets + 14) * 100 + 14 * ((100'000 + packets - 1) / packets) + 100'000;
  };
  std::uint64_t best = 1;
  for (std::uint64_t packets = 1; packets <= 1000; ++packets) {
    if (time(packets) < time(best)) best = packets;
  }
  const std::uint64_t words = segment / 8;
  EXPECT_EQ(segment % 8, 0U);
  const std::uint64_t packets = (100'000 + words - 1) / words;
  EXPECT_NEAR(static_cast<double>(packets), static_cast<double>(best), 1.0);
}

TEST(SelectionFile, NamesWhatIsLeftOut) {
  const std::string run = "best --operation allreduce --machine switch:12 --words 1..100*10 --no-run --write ";
  const Finished text = lockstep(run + "openmpi-text -");
  EXPECT_EQ(text.exit_code, 0);
  const std::string named = "Open MPI has no id for allreduce/circulant, allreduce/two-tree";
  EXPECT_EQ(text.err, "lockstep: " + named + "\n");
  EXPECT_TRUE(text.out.ends_with("\n# " + named + "\n")) << text.out;
  const Finished nccl = lockstep(run + "nccl-csv -");
  EXPECT_EQ(nccl.err,
            "lockstep: NCCL has no id for allreduce/circulant, allreduce/rabenseifner, allreduce/recursive-doubling\n");
  EXPECT_TRUE(nccl.out.starts_with("# NCCL has no id for allreduce/circulant")) << nccl.out;
  EXPECT_TRUE(Json::accept(lockstep(run + "mpich-json -").out));
  // Open MPI's digits are binary.
  const Finished radix = lockstep(
      "best --operation alltoall --machine switch:9 --radix 3 --words 1..100*10 --no-run --write openmpi-text -");
  EXPECT_EQ(radix.exit_code, 0) << radix.err;
  EXPECT_EQ(radix.err, "lockstep: Open MPI has no id for alltoall/bruck, alltoall/hierarchical\n");
}

TEST(SelectionFile, RefusesWhatMakesNoSense) {
  const std::string best = "best --no-run --machine switch:16 --words 1..100*10 --operation ";
  expect_refused(lockstep(best + "allreduce --write xml -"), {"--write 'xml'", "openmpi-json", "nccl-csv"});
  expect_refused(lockstep(best + "allreduce --write openmpi-json"), {"--write", "value"});
  expect_refused(lockstep(best + "allreduce --write nccl-csv a --write nccl-csv b"), {"--write is given 2 times"});
  expect_refused(lockstep(best + "allreduce --write nccl-csv /nowhere/rules"), {"cannot write '/nowhere/rules'"});
  expect_refused(lockstep(best + "scan --write openmpi-json -"), {"openmpi-json is for allgather", "not scan"});
  expect_refused(lockstep(best + "alltoall --write nccl-csv -"), {"nccl-csv is for allgather", "not alltoall"});
  expect_refused(lockstep(best + "allreduce --ports all --write nccl-csv -"), {"--ports one"});
  expect_refused(lockstep("best --no-run --machine switch:2..9 --words 8 --operation allreduce --write mpich-json -"),
                 {"a range of --words, not of machine"});
  expect_refused(lockstep("best --no-run --machine torus:4x4 --words 1..9*3 --operation broadcast --write nccl-csv -"),
                 {"NCCL has no id for", "broadcast/axis", "none of its other methods runs here"});
  expect_refused(lockstep(best + "allreduce --csv rules --write nccl-csv ./rules"), {"--csv", "--write"});
}

}  // namespace
}  // namespace lockstep::test::selection_file_test
