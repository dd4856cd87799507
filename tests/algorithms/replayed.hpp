#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../planted_fault.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

// Shared by the tests of traces and of GOAL.
namespace lockstep {

struct Ran {
  Outcome outcome;
  LowerBound bound;
};

inline Ran run_files(const std::vector<NamedText>& files, const Model& model = {}, std::string machine_text = "",
                     const std::optional<Fault>& fault = {}, ExecutorKind kind = ExecutorKind::sequential) {
  const auto program = std::make_shared<const ReplayProgram>(read_replay(files));
  if (machine_text.empty()) {
    machine_text = (model.ports == PortModel::all ? "complete:" : "switch:") + std::to_string(program->nodes);
  }
  const MachineSpec machine = parse_machine(machine_text);
  const Topology topology = build(machine);
  const auto executor = make_executor(kind);
  Settings settings;
  settings.written_schedule = program;
  replay_method().resolve(machine, model, settings);
  PlantedFault planted(fault);
  Outcome outcome = replay_method().run({.machine = machine,
                                         .topology = topology,
                                         .model = model,
                                         .settings = settings,
                                         .executor = *executor,
                                         .options = {.name = "file"},
                                         .observer = planted.observer()});
  return {std::move(outcome), lower_bound(replay_method(), machine, model, settings)};
}

inline Ran run_text(const std::string& text, const Model& model = {}, const std::string& machine = "") {
  return run_files({{"'file'", text}}, model, machine);
}

/// The fault of the text; empty if there is none.
inline std::string fault_of(const std::string& text, const Model& model = {}, const std::string& machine = "",
                            const std::optional<Fault>& fault = {}) {
  try {
    return run_files({{"'file'", text}}, model, machine, fault).outcome.wrong;
  } catch (const RunError& error) {
    return error.what();
  }
}

/// The reason why it cannot be read; empty if it can.
inline std::string refusal_of(const std::string& text) {
  try {
    read_replay({{"'file'", text}});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

inline Model with_ports(PortModel ports, Duplex duplex = Duplex::full) {
  Model model;
  model.ports = ports;
  model.duplex = duplex;
  return model;
}

}  // namespace lockstep
