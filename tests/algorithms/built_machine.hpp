#pragma once

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

  /// Resolves the settings and runs the method; on the calling thread if no executor is given.
  Outcome run(std::string_view name, const Model& model, Settings settings, const std::optional<Fault>& fault = {},
              Executor* executor = nullptr) const {
    const auto sequential = make_executor(ExecutorKind::sequential);
    method(name).resolve(spec, model, settings);
    RunOptions options;
    options.name = name;
    options.record_cycles = true;
    options.share_from = 1;  // threads, if any, share cycles of any size
    options.oversubscribe_from = 1;
    return method(name).run({spec,
                             topology,
                             model,
                             settings,
                             executor != nullptr ? *executor : *sequential,
                             options,
                             {},
                             PlantedFault(fault).observer()});
  }

  /// The method's prediction for a run with these settings, once they are resolved.
  Prediction predict(std::string_view name, const Model& model, Settings settings) const {
    method(name).resolve(spec, model, settings);
    return method(name).predict(spec, model, settings);
  }

  MachineSpec spec;
  Topology topology;
};

/// The n-cube.
inline std::string cube(std::uint64_t n) { return "hypercube:" + std::to_string(n); }

/// The square torus of that side.
inline std::string square(std::uint64_t side) { return "torus:" + std::to_string(side) + "x" + std::to_string(side); }

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

/// Settings with these words.
inline Settings block_settings(std::uint64_t words) {
  Settings settings;
  settings.words = words;
  return settings;
}

/// Settings with these words and this root.
inline Settings item_settings(std::uint64_t words, std::uint64_t root) {
  Settings settings = block_settings(words);
  settings.root = root;
  return settings;
}

/// The same in this number of packets.
inline Settings packet_settings(std::uint64_t words, std::uint64_t packets, std::uint64_t root) {
  Settings settings = item_settings(words, root);
  settings.packets = packets;
  return settings;
}

}  // namespace lockstep
