#pragma once

#include <chrono>
#include <optional>

#include "lockstep/algorithms/fault.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/engine.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

struct MoveLog;

/// One run of a method: everything resolved.
struct RunRequest {
  const MachineSpec& machine;
  const Topology& topology;  ///< build(machine)
  const Model& model;
  const Settings& settings;
  Executor& executor;
  RunOptions options;
  std::optional<Fault> fault;  ///< planted on purpose, to see it caught
  MoveLog* log = nullptr;      ///< takes down what moves, if there is one and no fault
  /// Set-up begins: what a method prepares before its programs run counts as such.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

}  // namespace lockstep
