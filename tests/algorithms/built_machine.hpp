#pragma once

#include <optional>
#include <string>

#include "lockstep/algorithms/method.hpp"
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
    return method(name).run(
        {spec, topology, model, settings, executor != nullptr ? *executor : *sequential, options, fault});
  }

  MachineSpec spec;
  Topology topology;
};

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
