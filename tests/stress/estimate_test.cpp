// What Method::bytes() estimates, against the peak of processes that do nothing else: every entry of the catalogue, of
// many processors with a word each, of some with 64 words, and of few with many. With LOCKSTEP_MEASURE_ALL only: the
// whole takes a quarter of an hour.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/settings.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::estimate_test {
namespace {

constexpr double mebibyte = 1 << 20;
constexpr double least_estimated = 80 * mebibyte;
constexpr double most_estimated = 1500 * mebibyte;
constexpr double least_judged = 50;            // below it the program's own memory matters too much
constexpr double of_program = 3.5 * mebibyte;  // threads, and first use of the libraries
constexpr unsigned most_seconds = 60;

/// A size of a run: processors are 2^rank_bits, and each has 2^word_bits words.
struct Size {
  unsigned rank_bits;
  unsigned word_bits;
};

enum class Growth { of_ranks_with_a_word, of_ranks_with_64_words, of_words };

struct Problem {
  MachineSpec machine;
  Model model;
  Settings settings;
};

/// A machine of about 2^bits processors; empty for families without a rule here.
std::string machine_of(std::string_view family, unsigned bits) {
  const std::string name(family);
  const auto power = [](unsigned exponent) { return std::to_string(std::uint64_t{1} << exponent); };
  if (family == "hypercube" || family == "shuffle-exchange") return name + ":" + std::to_string(bits);
  if (family == "torus" || family == "mesh") return name + ":" + power(bits / 2) + "x" + power(bits - bits / 2);
  if (family == "shared") return name + ":" + power(bits) + ",kstar=8";
  for (const std::string_view other : {"ring", "path", "complete", "bus", "switch", "omega"}) {
    if (family == other) return name + ":" + power(bits);
  }
  return {};
}

bool has_parameter(const Method& method, std::string_view name) {
  return std::ranges::any_of(method.parameters, [&](const Parameter& one) { return one.name == name; });
}

/// Whether its data is a matrix or a grid of --size rows.
bool is_square(const Method& method) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"adi", "conjugate-gradient", "gaussian-elimination", "power-iteration"},
      [&](std::string_view name) { return own_name(method) == name; });
}

void set(Settings& settings, std::string_view name, const std::string& value) {
  for (const SettingFlag& flag : setting_flags()) {
    if (flag.name == name) flag.set(settings, value);
  }
}

/// Empty if the method takes no such size.
std::optional<Problem> problem_of(const Method& method, std::string_view family, const Size& size) {
  const auto power = [](unsigned bits) { return std::to_string(std::uint64_t{1} << bits); };
  const unsigned bits = size.rank_bits + size.word_bits;
  try {
    Problem problem{parse_machine(machine_of(family, size.rank_bits)), method.defaults, {}};
    Settings& settings = problem.settings;
    if (has_parameter(method, "words")) set(settings, "words", power(size.word_bits));
    if (has_parameter(method, "matrix")) set(settings, "matrix", power(bits / 2) + "x" + power(bits - bits / 2));
    if (has_parameter(method, "size")) set(settings, "size", power(is_square(method) ? (bits + 1) / 2 : bits));
    if (has_parameter(method, "pairs")) set(settings, "pairs", "0:" + std::to_string(bits - 1));
    if (has_parameter(method, "from")) set(settings, "from", "row-consecutive");
    if (has_parameter(method, "to")) set(settings, "to", "row-cyclic");
    method.resolve(problem.machine, problem.model, settings);
    return problem;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The first size whose estimate is large enough to be judged; empty if there is none that a host has memory for.
std::optional<Problem> large_problem(const Method& method, std::string_view family, Growth growth) {
  constexpr unsigned few_ranks = 6;
  constexpr unsigned most_rank_bits = 19;
  constexpr unsigned most_word_bits = 26;
  const bool grows_words = growth == Growth::of_words;
  for (unsigned bits = 4; bits <= (grows_words ? most_word_bits : most_rank_bits); ++bits) {
    const Size size =
        grows_words ? Size{few_ranks, bits} : Size{bits, growth == Growth::of_ranks_with_a_word ? 0U : 6U};
    std::optional<Problem> problem = problem_of(method, family, size);
    if (!problem) continue;
    const auto bytes = static_cast<double>(method.bytes(problem->machine, problem->model, problem->settings));
    if (bytes > most_estimated) return std::nullopt;
    if (bytes >= least_estimated) return problem;
  }
  return std::nullopt;
}

/// What a process tells of its run.
struct MeasuredRun {
  double estimated = 0;  ///< bytes; 0 if there is no problem to measure, or it took too long
  double taken = 0;      ///< bytes at the peak, beyond those before the estimate
  char machine[100] = {};
  char wrong[200] = {};
};

void put(std::span<char> place, const std::string& text) { text.copy(place.data(), place.size() - 1); }

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// Estimates count as well, as they do in the command: they keep plans.
MeasuredRun run_here(const Method& method, std::string_view family, Growth growth) {
  MeasuredRun run;
  const double before = peak_bytes();
  try {
    const std::optional<Problem> problem = large_problem(method, family, growth);
    if (!problem) return run;
    run.estimated = static_cast<double>(method.bytes(problem->machine, problem->model, problem->settings));
    put(run.machine, problem->machine.text);
    const Topology topology = build(problem->machine);
    const auto executor = make_executor(ExecutorKind::tbb, 2);
    RunOptions options;
    options.name = method.name;
    put(run.wrong,
        method.run({problem->machine, topology, problem->model, problem->settings, *executor, options}).wrong);
  } catch (const std::exception& error) {
    put(run.wrong, error.what());
  }
  run.taken = peak_bytes() - before;
  return run;
}

/// In a process of its own.
MeasuredRun measure(const Method& method, std::string_view family, Growth growth) {
  MeasuredRun run;
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    const MeasuredRun here = run_here(method, family, growth);
    _exit(write(ends[1], &here, sizeof here) == sizeof here ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &run, sizeof run) != sizeof run) {
    run = {};
    put(run.wrong, "no measurement: it took more than " + std::to_string(most_seconds) + " s, or was killed");
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return run;
}

class Estimate : public testing::TestWithParam<std::pair<const Method*, std::string_view>> {};

TEST_P(Estimate, IsWithinOneAndAHalfTimesOfThePeak) {
  if (std::getenv("LOCKSTEP_MEASURE_ALL") == nullptr) GTEST_SKIP() << "LOCKSTEP_MEASURE_ALL is not set";
  const auto [method, family] = GetParam();
  for (const Growth growth : {Growth::of_ranks_with_a_word, Growth::of_ranks_with_64_words, Growth::of_words}) {
    const MeasuredRun run = measure(*method, family, growth);
    SCOPED_TRACE(std::string(run.machine) + ", growth " + std::to_string(static_cast<int>(growth)));
    EXPECT_STREQ(run.wrong, "");
    const double taken = std::max(run.taken - of_program, 1.0) / mebibyte;
    const double estimated = run.estimated / mebibyte;
    if (run.estimated == 0 || (taken < least_judged && estimated < least_judged)) continue;
    EXPECT_LE(estimated, 1.5 * taken);
    EXPECT_GE(estimated, taken / 1.5);
  }
}

/// Every entry with one of its machines with links, and one of its media.
std::vector<std::pair<const Method*, std::string_view>> entries() {
  std::vector<std::pair<const Method*, std::string_view>> all;
  for (const Method* method : catalogue()) {
    if (method->name == "alltoall/search") continue;  // whose time has no bound
    bool has_links = false;
    for (const std::string_view family : method->families) {
      if (machine_of(family, 4).empty()) continue;
      const bool is_medium = family == "bus" || family == "shared" || family == "switch" || family == "omega";
      if (is_medium ? family != "omega" : !has_links) all.emplace_back(method, family);
      has_links = has_links || !is_medium;
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Estimate, testing::ValuesIn(entries()), [](const auto& entry) {
  std::string name = std::string(entry.param.first->name) + "_on_" + std::string(entry.param.second);
  std::ranges::replace_if(
      name, [](char letter) { return !std::isalnum(static_cast<unsigned char>(letter)); }, '_');
  return name;
});

}  // namespace
}  // namespace lockstep::estimate_test
