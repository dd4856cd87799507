#include "processes_info.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "host/number_text.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "run/memory_need.hpp"
#include "run/run_plan.hpp"

namespace lockstep::cli::machine {
namespace {

/// The predicted counts of the method's run; empty if there is no prediction.
std::optional<RunLoad> load_of(const InfoArguments& arguments) {
  run::RunArguments run;
  run.machine = arguments.machine;
  run.algorithm = *arguments.algorithm;
  run.settings = arguments.settings;
  const run::RunPlan plan = run::plan_prediction(run);
  const Prediction predicted = plan.method->predict(plan.machine, plan.model, plan.settings);
  if (!predicted.messages || !predicted.words || !predicted.steps) return {};
  return RunLoad{.messages = static_cast<double>(predicted.messages->value),
                 .words = static_cast<double>(predicted.words->value),
                 .cycles = static_cast<double>(predicted.steps->value)};
}

/// "0.0488%".
std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  return host::short_number(100 * share, 3) + "%";
}

}  // namespace

ProcessesInfo processes_info(const InfoArguments& arguments, const MachineSpec& machine, std::uint64_t bytes,
                             StartedProcesses* processes) {
  if (machine.medium) {
    throw InputError("--processes shows which links are cut, and " + printable(machine.text) + " has none");
  }
  ProcessesInfo info{.processes = *arguments.processes,
                     .partition = arguments.partition.value_or(PartitionKind::block),
                     .cut = {},
                     .links = facts(machine).links,
                     .bytes = bytes,
                     .costs = {},
                     .full_cycle = 0,
                     .idle_cycle = 0};
  std::optional<RunLoad> load;
  if (arguments.algorithm) load = load_of(arguments);
  info.cut = cut_of(machine, info.partition, info.processes);
  if (bytes != run::beyond_measure) {
    constexpr std::uint64_t bytes_of_map = 8;
    const Wide own = Wide{bytes} * info.cut.processors_most / machine.processors;
    const bool has_map = info.partition != PartitionKind::block && info.processes > 1;
    info.bytes = saturated(own + (has_map ? Wide{machine.processors} * bytes_of_map : 0));
  }
  info.costs = process_costs(info.cut.processors_most, processes);
  info.is_message_given = arguments.message_time.has_value();
  if (info.is_message_given) info.costs.message = *arguments.message_time;
  const auto seconds = [&](const RunLoad& of) {
    return predicted_seconds(info.costs, of, machine.processors, info.links, info.cut, info.processes);
  };
  const double both_ways = 2 * static_cast<double>(info.links);
  info.full_cycle = seconds({.messages = both_ways, .words = both_ways, .cycles = 1});
  info.idle_cycle = seconds({.messages = 1, .words = 1, .cycles = 1});
  if (arguments.algorithm) info.method = *arguments.algorithm;
  if (load) info.seconds = seconds(*load);
  return info;
}

nlohmann::ordered_json json_of(const ProcessesInfo& info) {
  using Json = nlohmann::ordered_json;
  const Cut& cut = info.cut;
  const ProcessCosts& costs = info.costs;
  return {{"processes", info.processes},
          {"partition", name(info.partition)},
          {"processors_most", cut.processors_most},
          {"cut",
           {{"links", cut.links},
            {"of_links", info.links},
            {"links_of_one", cut.links_of_one},
            {"neighbours", cut.neighbours},
            {"is_estimated", cut.is_estimated}}},
          {"bytes", info.bytes == run::beyond_measure ? Json() : Json(info.bytes)},
          {"costs",
           {{"message_seconds", costs.message},
            {"crossing_seconds", costs.crossing},
            {"exchange_seconds", costs.exchange},
            {"agreement_seconds", costs.agreement},
            {"byte_seconds", costs.byte},
            {"measured_between", costs.measured_between}}},
          {"predicted",
           {{"full_cycle_seconds", info.full_cycle},
            {"idle_cycle_seconds", info.idle_cycle},
            {"algorithm", info.method.empty() ? Json() : Json(info.method)},
            {"run_seconds", info.seconds ? Json(*info.seconds) : Json()}}}};
}

std::vector<std::pair<std::string, std::string>> rows_of(const ProcessesInfo& info) {
  const Cut& cut = info.cut;
  const ProcessCosts& costs = info.costs;
  const std::string about = cut.is_estimated ? "about " : "";
  std::vector<std::pair<std::string, std::string>> rows;
  rows.emplace_back("processes", host::grouped(info.processes) + " (" + std::string(name(info.partition)) +
                                     "), of up to " + host::counted(cut.processors_most, "processor") + " each");
  rows.emplace_back("cut", about + host::counted(cut.links, "link") + ", " + percent(cut.links, info.links) +
                               " of all; at one process up to " + about + host::grouped(cut.links_of_one) + ", to " +
                               host::counted(cut.neighbours, "other"));
  rows.emplace_back("memory of one", info.bytes == run::beyond_measure
                                         ? "more than any host has"
                                         : format_bytes(info.bytes) + " for a run, without its data");
  rows.emplace_back(
      "costs", host::duration(costs.message) + " a message" + (info.is_message_given ? " (as given), " : ", ") +
                   host::duration(costs.crossing) + " more where it leaves or enters a process; " +
                   host::duration(costs.exchange) + " an exchange, " + host::duration(costs.agreement) +
                   " an agreement of two; " +
                   (costs.byte > 0 ? format_bytes(static_cast<std::uint64_t>(1 / costs.byte)) : "any number of bytes") +
                   " a second");
  rows.emplace_back("", costs.measured_between > 1
                            ? "measured between these " + host::grouped(costs.measured_between) + " processes"
                            : "those of the wire assumed, and not measured, since there is one process: start "
                              "this with mpirun");
  rows.emplace_back("predicted", "with one thread each: " + host::duration(info.full_cycle) +
                                     " for a cycle in which a word goes over every link both ways, " +
                                     host::duration(info.idle_cycle) + " for one in which next to nothing moves");
  if (!info.method.empty()) {
    rows.emplace_back("", printable(info.method) + ": " +
                              (info.seconds ? host::duration(*info.seconds) : "its counts are not predicted"));
  }
  return rows;
}

}  // namespace lockstep::cli::machine
