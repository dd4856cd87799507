#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lockstep/machines/embedding.hpp"
#include "run_options.hpp"

namespace lockstep::cli::run {

/// A run with everything checked and filled in that can be before it starts.
struct RunPlan {
  MachineSpec machine;
  std::shared_ptr<const Embedding> embedding{};  ///< of the guest whose method runs on the machine; null: its own does
  const Method* method = nullptr;
  std::string name;  ///< of the method, or of the file of a schedule
  Settings settings;
  Model model;
  std::optional<double> given_beta{};  ///< a start-up without the stages of a network, where the model's has them
  double stage_cost = 0;               ///< what each stage adds to it
  flags::FaultArguments faults{};      ///< what is to fail in the run

  /// The machine that the method is for.
  const MachineSpec& stage() const { return embedding ? *embedding->machine : machine; }
};

/// The file of the schedule to carry out; none if a method of the catalogue is to run.
std::optional<std::string> schedule_file(const RunArguments& arguments);

/// The rules and costs as they were given.
Model given_model(const RunPlan& plan);

/// Throws InputError if there is no machine, or nothing to run on it.
void refuse_if_missing(const RunArguments& arguments);

/// Throws InputError for flags of an executor other than the chosen one, which would change nothing.
void refuse_idle_flags(const RunArguments& arguments);

/// Checks, in this order: machine, method for it, parameters, memory. Allocates nothing large.
/// `kept_bytes` of another run's trace are kept meanwhile. Throws MachineSpecError, InputError or MemoryError.
RunPlan plan_run(const RunArguments& arguments, std::uint64_t kept_bytes = 0);

/// The same of what is only predicted, for which no memory is needed.
RunPlan plan_prediction(const RunArguments& arguments);

/// Blocks that are predicted to move, each counted as often as it does; empty where that is not known.
std::optional<std::uint64_t> predicted_blocks(const RunPlan& plan);

}  // namespace lockstep::cli::run
