#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machines/embedding.hpp"
#include "run_options.hpp"

namespace lockstep::cli::run {

/// A run, checked and completed as far as possible before it starts.
struct RunPlan {
  MachineSpec machine;
  std::shared_ptr<const Embedding> embedding{};  ///< of the guest whose method runs on the machine; null: its own does
  const Method* method = nullptr;
  std::string name;  ///< of the method, or of the file of a schedule
  Settings settings;
  Model model;
  std::optional<double> given_beta{};  ///< the start-up without a network's stages, which the model's includes
  double stage_cost = 0;               ///< added to it by each stage
  flags::FaultArguments faults{};      ///< of the run
  /// From which costs are that no flag gives, and the unit of all; null without --preset.
  const CostPreset* preset = nullptr;
  std::uint64_t estimated_bytes = 0;  ///< of memory that the run takes

  /// The machine that the method is for.
  const MachineSpec& stage() const { return embedding ? *embedding->machine : machine; }
};

/// The file of the schedule to run; none for a method of the catalogue.
std::optional<std::string> schedule_file(const RunArguments& arguments);

/// The embedding that --embed or --emulate asks for; null without them. Throws InputError and MachineSpecError.
std::shared_ptr<const Embedding> embedding_for(const RunArguments& arguments, const MachineSpec& host);

/// The machine that the method is for: that of --embed or --emulate, else that of --machine.
MachineSpec stage_of(const RunArguments& arguments);

/// The rules and costs as they were given.
Model given_model(const RunPlan& plan);

/// Throws InputError if the machine or the algorithm is missing.
void refuse_if_missing(const RunArguments& arguments);

/// Throws InputError for flags that belong to another executor and would have no effect.
void refuse_idle_flags(const RunArguments& arguments);

/// A parameter that is a rank of the guest, with the rank of the same processor in the host.
struct PlacedRank {
  std::string_view parameter;  ///< "root"
  std::uint64_t of_guest;
  std::uint64_t of_host;
};

/// Those of the method's root, source and destination; none without a guest.
std::vector<PlacedRank> placed_ranks(const RunPlan& plan);

/// Checks, in this order: machine, method for it, parameters, memory. Allocates nothing large.
/// `kept_bytes` of another run's trace are held meanwhile. Throws MachineSpecError, InputError or MemoryError.
RunPlan plan_run(const RunArguments& arguments, std::uint64_t kept_bytes = 0);

/// The same for a prediction, which needs no memory.
RunPlan plan_prediction(const RunArguments& arguments);

/// The counts by theory: the method's own or, of a guest, those on its host.
Prediction prediction_of(const RunPlan& plan);
/// The same under other costs, with other parameters.
Prediction prediction_of(const RunPlan& plan, const Model& model, const Settings& settings);

/// "scatter/two-phase on path:16": a method of one machine, embedded in another.
struct MethodOnMachine {
  std::string method;
  std::string machine;
};

/// The parts of such a name; none of a method's own.
std::optional<MethodOnMachine> method_on_machine(const std::string& name);
/// The name of such parts; without a guest the method's own.
std::string name_on(const std::string& method, const std::string& guest);

/// Splits the algorithm "scatter/two-phase on path:16" into the method and the machine to embed. Throws InputError if
/// another is given.
RunArguments with_named_guest(RunArguments arguments);

/// The predicted number of block moves; empty where it is not known.
std::optional<std::uint64_t> predicted_blocks(const RunPlan& plan);

}  // namespace lockstep::cli::run
