// A real MPI gives the same results: mpi_collectives runs MPI's collectives, in one process for each processor, on the
// data of every method of the catalogue. Words are compared one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "../cli/command_line.hpp"

namespace lockstep::test::mpi_collectives_test {
namespace {

using Words = std::vector<std::string>;  // numbers as text
using Results = std::vector<Words>;      // by rank

/// Which ranks hold the words that the command's --output writes.
enum class Place { everywhere, root, parts, parts_from_1_on };

/// A collective of MPI on given data.
struct Collective {
  std::string operation;  ///< in the catalogue
  std::string mpi;        ///< in the program
  Place place = Place::everywhere;
  std::string operator_name = "-";
  std::string type = "int64";
  unsigned words = 1;  ///< of a block or a vector
  unsigned root = 0;
  Words data{};

  bool is_reduction() const { return operator_name != "-"; }
  std::string job() const {
    std::string text = "collective " + mpi + " " + operator_name + " " + type + " " + std::to_string(words) + " " +
                       std::to_string(root);
    for (const std::string& number : data) text += " " + number;
    return text + "\n";
  }
};

/// Lets Open MPI start more processes than cores, also as root.
void allow_everything() {
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
}

Words words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// The command as mpirun ends it.
Finished with_mpi(unsigned ranks, const std::string& jobs) {
  const TemporaryDirectory directory;
  write_file(directory.file("jobs"), jobs);
  return Running({"-n", std::to_string(ranks), LOCKSTEP_MPI_COLLECTIVES, directory.file("jobs")},
                 Running::Outputs::pipes, allow_everything, LOCKSTEP_MPIEXEC)
      .finish();
}

/// The words of each rank after each job.
std::vector<Results> results_of(unsigned ranks, const std::string& jobs) {
  const Finished run = with_mpi(ranks, jobs);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::vector<Results> results;
  for (const std::string& line : lines(run.out)) {
    if (results.empty() || results.back().size() == ranks) results.emplace_back();
    results.back().push_back(words_of(line));
  }
  return results;
}

/// Data that is the same in every run. Sums of the doubles are exact in any order.
Words drawn(std::mt19937_64& random, const std::string& type, const std::string& operator_name, std::size_t count) {
  Words words;
  const bool is_of_bits = operator_name == "and" || operator_name == "or" || operator_name == "xor";
  for (std::size_t index = 0; index < count; ++index) {
    const auto limit = operator_name == "matrix2" ? 3 : 4000;
    const auto number = std::uniform_int_distribution<std::int64_t>(-limit, limit)(random);
    if (type == "double") {
      std::ostringstream text;
      text << std::fixed << static_cast<double>(number) / 8;
      words.push_back(text.str());
    } else {
      words.push_back(std::to_string(is_of_bits ? static_cast<std::int64_t>(random() >> 1) : number));
    }
  }
  return words;
}

/// Machines with `ranks` processors.
std::vector<std::string> machines_of(unsigned ranks) {
  const std::string number = std::to_string(ranks);
  std::vector<std::string> machines{"switch:" + number, "complete:" + number, "ring:" + number,
                                    "path:" + number,   "bus:" + number,      "shared:" + number + ",kstar=1"};
  const std::map<unsigned, std::vector<std::string>> further{
      {2, {"hypercube:1", "rh:0,0", "omega:2"}},
      {3, {"hypercube:1+0", "bus:3,kstar=2"}},
      {4, {"hypercube:2", "rh:1,0", "torus:2x2", "omega:4", "inverse-omega:4", "data-manipulator:4"}},
      {5, {"hypercube:2+0", "circulant:5,1,2"}},
      {6, {"hypercube:2+1", "torus:2x3", "mesh:3x2", "star:3", "pancake:3", "product:ring:3*path:2"}},
      {8,
       {"hypercube:3", "rh:2,0", "rh:1,1", "torus:2x4", "mesh:4x2", "circulant:8,1,3", "shuffle-exchange:3", "omega:8",
        "indirect-cube:8", "data-manipulator:8"}}};
  if (const auto found = further.find(ranks); found != further.end()) {
    machines.insert(machines.end(), found->second.begin(), found->second.end());
  }
  return machines;
}

/// The methods of the operation on the machine that have the parameters.
std::vector<nlohmann::json> methods_of(const std::string& machine, const std::string& operation,
                                       const std::vector<std::string>& wanted = {"input", "output"}) {
  const Finished listed = lockstep("list algorithms --json --machine " + machine + " --operation " + operation);
  std::vector<nlohmann::json> methods;
  if (listed.exit_code != 0) return methods;
  nlohmann::json all = nlohmann::json::parse(listed.out);
  for (nlohmann::json& method : all["algorithms"]) {
    std::set<std::string> names;
    for (const nlohmann::json& parameter : method["parameters"]) names.insert(parameter["name"]);
    method["has_root"] = names.contains("root");
    method["has_time_limit"] = names.contains("time-limit");
    const bool has_all =
        std::all_of(wanted.begin(), wanted.end(), [&](const auto& name) { return names.contains(name); });
    if (has_all) methods.push_back(std::move(method));
  }
  return methods;
}

std::vector<Collective> collectives_of(unsigned ranks) {
  std::vector<Collective> all;
  std::mt19937_64 random(ranks);
  for (const unsigned root : {0U, ranks / 2}) {
    all.push_back({.operation = "broadcast", .mpi = "bcast", .words = 6 * ranks, .root = root});
    all.push_back({.operation = "scatter", .mpi = "scatter", .place = Place::parts, .words = 12, .root = root});
    all.push_back({.operation = "gather", .mpi = "gather", .place = Place::root, .words = 12, .root = root});
    if (root == 0 && ranks / 2 == 0) break;
  }
  struct Kind {
    std::string operation, mpi;
    Place place;
  };
  const std::vector<Kind> reductions{{"reduce", "reduce", Place::root},
                                     {"allreduce", "allreduce", Place::everywhere},
                                     {"reduce-scatter", "reduce-scatter", Place::parts},
                                     {"scan", "scan", Place::parts},
                                     {"exscan", "exscan", Place::parts_from_1_on}};
  for (const Kind& kind : reductions) {
    const auto add = [&](const std::string& operator_name, const std::string& type) {
      all.push_back({.operation = kind.operation,
                     .mpi = kind.mpi,
                     .place = kind.place,
                     .operator_name = operator_name,
                     .type = type,
                     .words = 8 * ranks,
                     .root = kind.operation == "reduce" ? ranks / 2 : 0});
    };
    for (const std::string name : {"sum", "matrix2"}) add(name, "int64");
    const std::vector<std::string> others{"min", "max", "and", "or", "xor"};
    add(others[(ranks + all.size()) % others.size()], "int64");
    if (kind.operation == "reduce" || kind.operation == "scan") add(ranks % 2 == 0 ? "sum" : "matrix2", "double");
  }
  for (Collective& collective : all) {
    const unsigned blocks = collective.operation == "broadcast" ? 1 : ranks;
    collective.data = drawn(random, collective.type, collective.operator_name, std::size_t{blocks} * collective.words);
  }
  return all;
}

Words part_of(const Words& words, std::size_t part, std::size_t parts) {
  const std::size_t size = words.size() / parts;
  const auto first = words.begin() + static_cast<std::ptrdiff_t>(part * size);
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

/// The words of each rank, from the command's output.
Results placed(const Collective& collective, unsigned ranks, const Words& output) {
  Results results(ranks);
  for (unsigned rank = 0; rank < ranks; ++rank) {
    if (collective.place == Place::everywhere) results[rank] = output;
    if (collective.place == Place::root && rank == collective.root) results[rank] = output;
    if (collective.place == Place::parts) results[rank] = part_of(output, rank, ranks);
    if (collective.place == Place::parts_from_1_on && rank > 0) results[rank] = part_of(output, rank - 1, ranks - 1);
  }
  return results;
}

/// The number of words that differ, and of all words.
struct Difference {
  std::size_t wrong = 0;
  std::size_t words = 0;
};

Difference difference(const Results& one, const Results& other, const std::string& type) {
  Difference found;
  for (std::size_t rank = 0; rank < std::max(one.size(), other.size()); ++rank) {
    const Words empty;
    const Words& left = rank < one.size() ? one[rank] : empty;
    const Words& right = rank < other.size() ? other[rank] : empty;
    found.words += std::max(left.size(), right.size());
    for (std::size_t word = 0; word < std::max(left.size(), right.size()); ++word) {
      const bool is_there = word < left.size() && word < right.size();
      const bool is_same =
          is_there && (type == "double" ? std::stod(left[word]) == std::stod(right[word]) : left[word] == right[word]);
      if (!is_same) ++found.wrong;
    }
  }
  return found;
}

/// The command's output for the method; nothing where the method needs a commutative operator and this one is not.
Words output_of(const Collective& collective, const std::string& machine, const nlohmann::json& method) {
  const TemporaryDirectory directory;
  std::string input;
  for (const std::string& number : collective.data) input += number + "\n";
  write_file(directory.file("in"), input);
  std::vector<std::string> flags{"run",        "--machine",          machine,    "--algorithm",         method["name"],
                                 "--input",    directory.file("in"), "--output", directory.file("out"), "--quiet",
                                 "--executor", "sequential"};
  if (collective.is_reduction()) {
    flags.insert(flags.end(), {"--operator", collective.operator_name, "--type", collective.type});
  }
  if (method["has_root"]) flags.insert(flags.end(), {"--root", std::to_string(collective.root)});
  const Finished run = lockstep(flags);
  if (run.exit_code == 2) {
    EXPECT_NE(run.err.find("does not commute"), std::string::npos) << run.err;
    return {};
  }
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return words_of(read_file(directory.file("out")));
}

/// The moves of a schedule of the catalogue, as a job of the program; empty where it divides blocks or sends through a
/// memory.
std::string schedule_job(const std::string& machine, const nlohmann::json& method, const Collective& collective) {
  std::vector<std::string> flags{
      "trace",        "--machine", machine, "--algorithm", method["name"], "--words", std::to_string(collective.words),
      "--trace-json", "-"};
  if (method["has_time_limit"]) flags.insert(flags.end(), {"--time-limit", "1"});
  const Finished run = lockstep(flags);
  if (run.exit_code == 2) return {};  // the method needs more words
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json trace = nlohmann::json::parse(run.out);
  if (trace["has_parts"]) return {};
  std::ostringstream moves;
  std::size_t count = 0;
  for (const nlohmann::json& message : trace["transfers"]) {
    if (message["from"].is_null() || message["to"].is_null() || message["blocks"].is_null()) return {};
    const nlohmann::json receivers = message["to"].is_array() ? message["to"] : nlohmann::json::array({message["to"]});
    for (const nlohmann::json& receiver : receivers) {
      moves << ' ' << message["cycle"] << ' ' << message["from"] << ' ' << receiver << ' ' << message["blocks"].size();
      for (const nlohmann::json& block : message["blocks"]) {
        const bool is_pair = block.is_array();
        moves << ' ' << (is_pair ? block[0] : block) << ' ' << (is_pair ? block[1] : nlohmann::json(0));
      }
      ++count;
    }
  }
  std::string text = "moves " + collective.mpi + " " + std::to_string(collective.words);
  for (const std::string& number : collective.data) text += " " + number;
  return text + " " + std::to_string(count) + moves.str() + "\n";
}

class MpiCollectives : public testing::TestWithParam<unsigned> {};

TEST_P(MpiCollectives, ComeToTheSameAsEveryMethodOfTheCatalogue) {
  const unsigned ranks = GetParam();
  const std::vector<Collective> collectives = collectives_of(ranks);
  std::string jobs;
  for (const Collective& collective : collectives) jobs += collective.job();
  const std::vector<Results> results = results_of(ranks, jobs);
  ASSERT_EQ(results.size(), collectives.size());
  std::size_t words = 0, runs = 0, refused = 0;
  for (const std::string& machine : machines_of(ranks)) {
    std::map<std::string, std::vector<nlohmann::json>> methods;
    for (std::size_t index = 0; index < collectives.size(); ++index) {
      const Collective& collective = collectives[index];
      if (!methods.contains(collective.operation)) {
        methods[collective.operation] = methods_of(machine, collective.operation);
      }
      for (const nlohmann::json& method : methods[collective.operation]) {
        SCOPED_TRACE(machine + " " + method["name"].get<std::string>() + " " + collective.operator_name + " " +
                     collective.type);
        if (collective.root != 0 && !method["has_root"]) continue;
        const Words output = output_of(collective, machine, method);
        if (output.empty()) {
          ++refused;
          continue;
        }
        const Difference found = difference(placed(collective, ranks, output), results[index], collective.type);
        EXPECT_EQ(found.wrong, 0U) << "of " << found.words;
        words += found.words;
        ++runs;
      }
    }
  }
  std::cout << runs << " runs, " << words << " words; " << refused << " refused\n";
  EXPECT_GE(runs, 70U);
}

// Allgathers and total exchanges write no data. Their schedules are run with plain messages of MPI.
TEST_P(MpiCollectives, ComeToTheSameAsSchedulesThatMpiCarriesOut) {
  const unsigned ranks = GetParam();
  std::mt19937_64 random(ranks);
  for (const std::string name : {"allgather", "alltoall"}) {
    Collective collective{.operation = name, .mpi = name, .words = 3};
    const unsigned blocks = name == "alltoall" ? ranks * ranks : ranks;
    collective.data = drawn(random, "int64", "-", std::size_t{blocks} * collective.words);
    std::string jobs = collective.job();
    std::vector<std::string> schedules;
    for (const std::string& machine : machines_of(ranks)) {
      for (const nlohmann::json& method : methods_of(machine, name, {})) {
        const std::string job = schedule_job(machine, method, collective);
        jobs += job;
        if (!job.empty()) schedules.push_back(machine + " " + method["name"].get<std::string>());
      }
    }
    const std::vector<Results> results = results_of(ranks, jobs);
    ASSERT_EQ(results.size(), 1 + schedules.size());
    std::size_t words = 0;
    for (std::size_t index = 0; index < schedules.size(); ++index) {
      const Difference found = difference(results[1 + index], results[0], "int64");
      EXPECT_EQ(found.wrong, 0U) << schedules[index];
      words += found.words;
    }
    std::cout << name << ": " << schedules.size() << " schedules, " << words << " words\n";
    EXPECT_GE(schedules.size(), 10U);
  }
}

// A total exchange transposes a matrix with one row per rank: block j of row i goes to rank j.
TEST_P(MpiCollectives, ComeToTheSameAsTranspositions) {
  const unsigned ranks = GetParam();
  if (!std::has_single_bit(ranks) || ranks == 1) GTEST_SKIP() << "no hypercube has " << ranks << " processors";
  std::mt19937_64 random(ranks);
  Collective exchange{.operation = "transpose", .mpi = "alltoall", .words = 4};
  const std::size_t columns = std::size_t{ranks} * exchange.words;
  exchange.data = drawn(random, "int64", "-", ranks * columns);
  const Results results = results_of(ranks, exchange.job()).at(0);
  const std::string header = "%%MatrixMarket matrix array integer general\n";
  std::string input = header + std::to_string(ranks) + " " + std::to_string(columns) + "\n";
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < ranks; ++row) input += exchange.data[row * columns + column] + "\n";
  }
  const std::string machine = "hypercube:" + std::to_string(std::countr_zero(ranks));
  std::size_t runs = 0;
  for (const nlohmann::json& method : methods_of(machine, "transpose", {"matrix", "input", "output"})) {
    SCOPED_TRACE(method["name"].get<std::string>());
    const TemporaryDirectory directory;
    write_file(directory.file("in"), input);
    const Finished run = lockstep({"run", "--machine", machine, "--algorithm", method["name"], "--input",
                                   directory.file("in"), "--output", directory.file("out"), "--quiet"});
    if (run.exit_code == 2) continue;
    ASSERT_EQ(run.exit_code, 0) << run.err;
    Words numbers;
    for (const std::string& line : lines(read_file(directory.file("out")))) {
      if (!line.starts_with("%"))
        for (const std::string& number : words_of(line)) numbers.push_back(number);
    }
    ASSERT_EQ(numbers.size(), 2 + ranks * columns);
    EXPECT_EQ(numbers[0] + " " + numbers[1], std::to_string(columns) + " " + std::to_string(ranks));
    numbers.erase(numbers.begin(), numbers.begin() + 2);
    Results transposed(ranks);  // column i holds the words that rank i sent, by receiver
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (std::size_t column = 0; column < ranks; ++column) {
        const Words block = part_of(numbers, column * ranks + rank, std::size_t{ranks} * ranks);
        transposed[rank].insert(transposed[rank].end(), block.begin(), block.end());
      }
    }
    EXPECT_EQ(difference(transposed, results, "int64").wrong, 0U);
    ++runs;
  }
  std::cout << runs << " transpositions\n";
  EXPECT_GE(runs, 4U);
}

INSTANTIATE_TEST_SUITE_P(Ranks, MpiCollectives, testing::Values(1U, 2U, 3U, 6U, 8U));

// A wrong word, operands in another order, and a lost message.
TEST(MpiCollectivesFaults, AreNoticed) {
  constexpr unsigned ranks = 4;
  std::mt19937_64 random(1);
  Collective product{.operation = "allreduce", .mpi = "allreduce", .operator_name = "matrix2", .words = 8};
  product.data = drawn(random, "int64", "matrix2", std::size_t{ranks} * product.words);
  const nlohmann::json doubling{{"name", "allreduce/recursive-doubling"}, {"has_root", false}};
  Collective changed = product, exchanged = product;
  changed.data[9] = "5000";
  std::swap_ranges(exchanged.data.begin(), exchanged.data.begin() + 8, exchanged.data.begin() + 8);
  const Results right = placed(product, ranks, output_of(product, "switch:4", doubling));
  const std::vector<Results> results = results_of(ranks, product.job() + changed.job() + exchanged.job());
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(difference(right, results[0], "int64").wrong, 0U);
  EXPECT_GT(difference(right, results[1], "int64").wrong, 0U);
  EXPECT_GT(difference(right, results[2], "int64").wrong, 0U);

  Collective exchange{.operation = "alltoall", .mpi = "alltoall"};
  exchange.data = drawn(random, "int64", "-", std::size_t{ranks} * ranks);
  const nlohmann::json pairwise{{"name", "alltoall/pairwise"}, {"has_time_limit", false}};
  const std::string job = schedule_job("switch:4", pairwise, exchange);
  EXPECT_EQ(with_mpi(ranks, job).exit_code, 0);
  const std::size_t count = job.find(" 12 0 ");  // moves, the first of which is in cycle 0
  ASSERT_NE(count, std::string::npos) << job;
  EXPECT_NE(with_mpi(ranks, job.substr(0, count) + " 11 0 " + job.substr(count + 6)).exit_code, 0);
}

}  // namespace
}  // namespace lockstep::test::mpi_collectives_test
