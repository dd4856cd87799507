#pragma once

#include <vector>

#include "built_machine.hpp"

namespace lockstep {

/// Words of the longest message of every step of a run.
inline std::vector<std::uint64_t> longest_of_each_step(std::string_view method, const BuiltMachine& machine,
                                                       const Model& model, Settings settings) {
  machine.method(method).resolve(machine.spec, model, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  RunOptions options;
  options.record_cycles = true;
  const Report report =
      machine.method(method).run({machine.spec, machine.topology, model, settings, *executor, options, {}}).report;
  std::vector<std::uint64_t> longest;
  for (const CycleCounts& cycle : report.per_cycle) {
    if (cycle.messages > 0) longest.push_back(cycle.longest);  // in the last cycle messages only arrive
  }
  return longest;
}

/// The same of a scatter or gather with blocks of 3 words, root 5, in the method's own model.
inline std::vector<std::uint64_t> longest_of_each_step(std::string_view method, const std::string& text) {
  const BuiltMachine machine(text);
  return longest_of_each_step(method, machine, machine.method(method).defaults, item_settings(3, 5));
}

}  // namespace lockstep
