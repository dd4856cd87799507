#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "../planted_fault.hpp"
#include "../sanitized.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {

/// A machine to run methods of the catalogue on, as the command would.
struct BuiltMachine {
  explicit BuiltMachine(const std::string& text) : spec(parse_machine(text)), topology(build(spec)) {}

  const Method& method(std::string_view name) const { return find_method(name, spec.family); }

  /// Resolves the settings and runs the method; without an executor on the calling thread.
  Outcome run(std::string_view name, const Model& model, Settings settings, const std::optional<Fault>& fault = {},
              Executor* executor = nullptr) const {
    const auto sequential = make_executor(ExecutorKind::sequential);
    method(name).resolve(spec, model, settings);
    RunOptions options;
    options.name = name;
    options.share_from = 1;  // threads, where there are some, share cycles of any size
    options.oversubscribe_from = 1;
    return method(name).run({spec, topology, model, settings, executor != nullptr ? *executor : *sequential, options,
                             PlantedFault(fault).observer()});
  }

  MachineSpec spec;
  Topology topology;
};

/// The line with which the run ends in a model in which the method is not legal; empty if it is legal.
inline std::string violation(std::string_view method, const std::string& machine, const Model& model,
                             const Settings& settings = {}) {
  try {
    BuiltMachine(machine).run(method, model, settings);
  } catch (const RunError& error) {
    EXPECT_TRUE(error.is_violation()) << error.what();
    return error.what();
  }
  return {};
}

/// Plants each fault in each transfer of a run in turn, and expects that all are caught; in the method's own model
/// unless another is given. With a sanitizer in every 7th transfer, which is none of a fixed port or rank: whether all
/// are caught does not depend on the build, and what is done after a fault is done often enough.
inline void expect_catches_faults(std::string_view method, const std::string& text, const Settings& settings,
                                  const std::optional<Model>& given = {}) {
  const BuiltMachine machine(text);
  const Model model = given.value_or(machine.method(method).defaults);
  constexpr std::uint64_t stride = sanitized ? 7 : 1;
  std::uint64_t transfers = 0;
  for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt, FaultKind::swap}) {
    for (std::uint64_t transfer = 0; kind != FaultKind::swap || transfer < transfers; transfer += stride) {
      SCOPED_TRACE(std::string(method) + " on " + text + ": fault " + std::to_string(static_cast<int>(kind)) +
                   " in transfer " + std::to_string(transfer));
      bool done = false;
      std::string caught;
      try {
        caught = machine.run(method, model, settings, Fault{kind, transfer, &done}).wrong;
      } catch (const RunError& error) {
        caught = error.what();
      }
      EXPECT_EQ(!caught.empty(), done) << caught;
      if (!done && kind != FaultKind::swap) break;  // there are no more transfers
      if (kind == FaultKind::drop) transfers = transfer + 1;
    }
  }
  EXPECT_GT(transfers, 0U);
}

/// Settings with these words and this root.
inline Settings item_settings(std::uint64_t words, std::uint64_t root) {
  Settings settings;
  settings.words = words;
  settings.root = root;
  return settings;
}

/// What resolve() says is wrong with the settings; empty if nothing.
inline std::string refusal(std::string_view method, const std::string& machine, Settings settings) {
  const MachineSpec spec = parse_machine(machine);
  try {
    const Method& entry = find_method(method, spec.family);
    entry.resolve(spec, entry.defaults, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// The model with these ports and duplex, and a start-up that costs 3, a word 0.5.
inline Model model_of(PortModel ports, Duplex duplex = Duplex::full, bool multicast = false) {
  Model model;
  model.ports = ports;
  model.duplex = duplex;
  model.multicast = multicast;
  model.cost.beta = 3;
  model.cost.tau = 0.5;
  return model;
}

}  // namespace lockstep
