#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flags/fault_options.hpp"
#include "flags/model_options.hpp"
#include "flags/value_option.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processes.hpp"
#include "lockstep/machines/embedding.hpp"
#include "lockstep/machines/partition.hpp"
#include "memory_need.hpp"
#include "trace_options.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::cli::run {

/// The format of a written schedule.
enum class ScheduleFormat {
  lockstep,  ///< Lockstep's own JSON
  msccl,     ///< MSCCL XML
  sccl       ///< the JSON of SCCL and TACCL
};
/// Its name for --format.
std::string_view name(ScheduleFormat format);

/// The arguments of `lockstep run`, `plan`, `validate` or `trace`, each flag checked by itself.
struct RunArguments {
  std::string machine;
  std::string algorithm;
  std::optional<std::string> emulate{};  ///< the family of the emulated machine whose methods run
  std::optional<std::string> embed{};    ///< the embedded machine whose methods run
  std::optional<std::string> map{};      ///< the order or file that places its processors
  /// The embedding in that machine, where it is made already.
  std::shared_ptr<const Embedding> embedding{};
  bool tunes = false;  ///< chooses parameters that are not given by the predicted time, as tables of methods do
  bool observes_guest = false;  ///< observers see the messages of its method, not those over the machine's links
  Settings settings;
  flags::ModelArguments model;
  flags::FaultArguments faults{};  ///< of `run` and `trace`
  ExecutorKind executor = ExecutorKind::tbb;
  unsigned threads = 0;  ///< 0: all of the host
  std::optional<std::uint64_t> schedule_seed;
  std::optional<ChannelKind> channels;  ///< empty: chosen for the machine
  std::uint64_t repeat = 1;
  std::uint64_t warmup = 0;  ///< runs before those that are measured
  Cycle max_cycles = RunOptions{}.max_cycles;
  bool cycles = false;
  bool quiet = false;
  bool discards_data = false;       ///< the data of --output, because another process of the run writes it
  std::optional<std::string> json;  ///< a file or "-"
  std::optional<std::string> csv;
  /// Of `plan`: where the schedule goes, a file or "-".
  std::optional<std::string> plan;
  ScheduleFormat format = ScheduleFormat::lockstep;  ///< of `plan`
  /// Of `validate`: the file of the schedule to run, instead of an algorithm.
  std::optional<std::string> schedule;
  MemoryRule memory{};
  /// Of `run`: the processes that share it.
  Sharing sharing{};
  PartitionKind partition = PartitionKind::block;  ///< of `run`: how they divide the processors
  /// Of `run`: the processes among which the processors are divided; none: all are here.
  const Division* division = nullptr;
  /// Of `trace`: what is recorded of the run, and where it goes.
  std::optional<TraceArguments> trace{};
};

/// Adds the flags of the method parameters for which is_wanted(name) is true; `take` gets their values.
void add_setting_options(CLI::App& app, const std::function<bool(std::string_view name)>& is_wanted,
                         const std::function<void(const SettingFlag& flag, const std::string& text)>& take);
/// Adds --max-cycles; `otherwise` is the default as the help shows it.
flags::Flag add_max_cycles_option(CLI::App& app, const std::string& otherwise, Cycle& max_cycles);
/// Adds --threads --executor --schedule-seed --channels --repeat --warmup --max-cycles --memory-limit --force.
void add_execution_options(CLI::App& app, RunArguments& arguments);

/// Adds --emulate, --embed and --map.
void add_guest_options(CLI::App& app, RunArguments& arguments);
/// Adds --embed and --map, whose values `embed` and `map` get; without a group if its name is empty.
void add_embed_options(CLI::App& app, const std::string& group, const std::string& description,
                       std::optional<std::string>& embed, std::optional<std::string>& map);

/// Adds --partition.
void add_partition_option(CLI::App& app, const std::string& description,
                          std::function<void(PartitionKind partition)> take);

/// Adds the flags of `lockstep run` and its help text. The arguments must outlive the app.
void add_run_options(CLI::App& app, RunArguments& arguments);
/// Add those of `lockstep plan`, `lockstep validate` and `lockstep trace`.
void add_plan_options(CLI::App& app, RunArguments& arguments);
void add_validate_options(CLI::App& app, RunArguments& arguments);
void add_trace_options(CLI::App& app, RunArguments& arguments);

}  // namespace lockstep::cli::run
