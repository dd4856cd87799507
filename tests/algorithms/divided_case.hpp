#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "catalogue_cases.hpp"
#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processes.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {

/// The result of a run.
struct Result {
  Outcome outcome{};
  std::string error{};

  friend std::ostream& operator<<(std::ostream& out, const Result& result) {
    return out << result.error << result.outcome.wrong << ", " << result.outcome.report.messages << " messages, "
               << result.outcome.report.time_asynchronous << ", digests " << result.outcome.report.digest() << ' '
               << result.outcome.data_digest;
  }
};

inline bool are_equal(const Result& a, const Result& b) {
  const auto are_alike = [](const Measure& one, const Measure& other) {
    return one.name == other.name && one.value == other.value;
  };
  return a.error == b.error && a.outcome.wrong == b.outcome.wrong && a.outcome.data_digest == b.outcome.data_digest &&
         a.outcome.report.digest() == b.outcome.report.digest() &&
         std::ranges::equal(a.outcome.measures, b.outcome.measures, are_alike);
}

/// A method of the catalogue on a machine, for runs that are divided over processes and for whole ones.
class DividedCase {
 public:
  explicit DividedCase(const Case& one) : method_(*one.method), machine_(parse_machine(one.machine)) {}

  Rank processors() const { return topology_.processors(); }

  /// The settings to run.
  std::vector<Settings> variants() const {
    Settings given = required_settings(method_);
    if (takes(method_, "root")) given.root = topology_.processors() - 1;
    std::vector<Settings> all{given};
    method_.resolve(machine_, model_, all.front());
    const auto add = [&](Settings settings) {
      if (!accepts(method_, machine_, settings)) return;
      method_.resolve(machine_, model_, settings);
      all.push_back(settings);
    };
    // Blocks long enough to be shared, also across the cut.
    if (takes(method_, "words") && !given.words) {
      Settings with_long_blocks = given;
      with_long_blocks.words = 2 * Block::most_copied * *all.front().words;
      add(with_long_blocks);
    }
    // An operator that may absorb wrong values: partial results are checked on the way, too.
    if (takes(method_, "operator")) {
      Settings that_absorbs = given;
      that_absorbs.operator_name = "min";
      add(that_absorbs);
    }
    return all;
  }

  Result run(const Settings& settings, const Division* division) const {
    const auto executor = make_executor(ExecutorKind::sequential);
    Result result;
    try {
      result.outcome = method_.run({.machine = machine_,
                                    .topology = topology_,
                                    .model = model_,
                                    .settings = settings,
                                    .executor = *executor,
                                    .options = {.name = "test"},
                                    .division = division});
    } catch (const std::exception& error) {
      result.error = error.what();
    }
    return result;
  }

 private:
  const Method& method_;
  MachineSpec machine_;
  Topology topology_ = build(machine_);
  Model model_ = method_.defaults;
};

/// The whole catalogue on machines of at least two processors and at most the given number.
inline std::vector<Case> divided_cases(std::uint64_t most) {
  std::vector<Case> all = catalogue_cases();
  std::erase_if(all, [&](const Case& one) {
    const MachineSpec machine = parse_machine(one.machine);
    return machine.processors < 2 || machine.processors > most;
  });
  return all;
}

}  // namespace lockstep
