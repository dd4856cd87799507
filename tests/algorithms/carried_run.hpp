#pragma once

#include <gtest/gtest.h>

#include "built_machine.hpp"
#include "lockstep/algorithms/carried_prediction.hpp"
#include "lockstep/algorithms/carrier.hpp"

namespace lockstep {

/// A guest in a host, to run the guest's methods on, as the command would.
struct CarriedMachine {
  CarriedMachine(const std::string& guest, const std::string& host)
      : embedded(embedding(guest, parse_machine(host))), topology(build(*embedded.machine)) {}

  const Method& method(std::string_view name) const { return find_method(name, embedded.machine->family); }

  struct Result {
    Outcome outcome;
    CarriedCounts carried;
    Prediction predicted;
    LowerBound bound;
  };

  /// Resolves the settings and runs the method; on the calling thread if no executor is given.
  Result run(const Method& entry, const Model& model, Settings settings, const std::optional<Fault>& fault = {},
             Executor* executor = nullptr, RunObserver* of_hops = nullptr) const {
    const auto sequential = make_executor(ExecutorKind::sequential);
    Executor& used = executor != nullptr ? *executor : *sequential;
    const MachineSpec& guest = *embedded.machine;
    const Model known = known_to_guest(model);
    entry.resolve(guest, known, settings);
    Carrier::refuse_rules(embedded, model);
    RunOptions options;
    options.name = entry.name;
    options.record_cycles = true;
    options.share_from = 1;  // threads, if any, share cycles of any size
    options.oversubscribe_from = 1;
    Carrier carrier(embedded, model, used, options, {}, of_hops);
    PlantedFault planted(fault);
    Result result;
    result.outcome = entry.run({.machine = guest,
                                .topology = topology,
                                .model = known,
                                .settings = settings,
                                .executor = used,
                                .options = options,
                                .observer = planted.observer(),
                                .carrier = &carrier});
    result.carried = carrier.counts();
    result.predicted = carried_prediction(embedded, entry, model, settings);
    result.bound = carried_lower_bound(embedded, entry, model, settings);
    return result;
  }
  Result run(std::string_view name, const Model& model, const Settings& settings) const {
    return run(method(name), model, settings);
  }

  Embedding embedded;
  Topology topology;
};

/// The hypercube of as many processors on RH(k,n).
inline CarriedMachine emulated(unsigned k, unsigned n) {
  return {cube(k + (1U << n)), "rh:" + std::to_string(k) + "," + std::to_string(n)};
}

}  // namespace lockstep
