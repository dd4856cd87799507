#include "lockstep/core/detail/machine_core.hpp"

#include <chrono>
#include <stdexcept>

#include "host/cores.hpp"
#include "lockstep/core/memory_limit.hpp"
#include "processes/divided_run.hpp"
#include "run/lone_run.hpp"
#include "run/run.hpp"

namespace lockstep::detail {

namespace {

std::uint64_t bytes_without_network(std::uint64_t processors) {
  constexpr std::uint64_t small_frame = 320;
  return processors * (sizeof(Control) + 2 + small_frame);
}

/// Throws std::invalid_argument if the machine cannot be divided this way.
void check_division(const Topology& topology, const PayloadOperations& payload, const Division& division) {
  const std::string& machine = topology.name();
  if (payload.pack == nullptr) {
    throw std::invalid_argument(machine + " is divided over processes, but its messages cannot be packed");
  }
  if (division.placement.processes() != division.processes.count()) {
    throw std::invalid_argument(machine + " is divided over " + std::to_string(division.placement.processes()) +
                                " processes, of which there are " + std::to_string(division.processes.count()));
  }
}

void require_memory(const std::string& what_for, std::uint64_t bytes) {
  if (MemoryChecked::is_checked()) return;
  if (const auto limit = exceeded_limit(bytes)) throw MemoryError(what_for, bytes, limit->available);
}

std::unique_ptr<MachineParts> make_parts(const Topology& topology, const Model& model, Executor& executor,
                                         const PayloadOperations& payload, std::size_t capacity, const LinkType& links,
                                         const Division* division) {
  if (division != nullptr) check_division(topology, payload, *division);
  const bool on_medium = topology.medium().has_value();
  const bool holds_all = division == nullptr || on_medium;
  const Rank held = holds_all ? topology.processors() : division->placement.count(division->processes.own());
  const std::uint64_t needed = on_medium ? MachineCore::medium_bytes(held, held, model.ports, capacity, payload)
                                         : MachineCore::bytes(held, topology.ports(), model.ports, links.record_bytes);
  require_memory(topology.name() + " (port model " + name(model.ports) + ")", needed);
  if (on_medium && model.ports != PortModel::one && !(is_k_ports(model.ports) && topology.medium()->takes_k_ports())) {
    throw std::invalid_argument(topology.name() +
                                " has no ports: a processor sends and receives as under port model one");
  }
  if (!on_medium && model.ports == PortModel::ring && topology.ports() > 2) {
    throw std::invalid_argument(topology.name() + " has " + std::to_string(topology.ports()) +
                                " ports a processor; port model ring is for two");
  }
  auto parts = std::make_unique<MachineParts>(MachineParts{{topology, model, payload, capacity, {}, division, {}},
                                                           executor,
                                                           host_cores(),
                                                           links.channels,
                                                           nullptr,
                                                           nullptr,
                                                           {}});
  if (on_medium) {
    parts->medium = std::make_unique<MediumNetwork>(parts->ground);
  } else {
    parts->links = links.make(parts->ground);
  }
  return parts;
}

template <class Company>
Report run_timed(MachineParts& parts, Control* controls, const MachineCore::Start& start, const MachineCore::Show& show,
                 const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  parts.until_error = {};
  Run<Company> run(parts, controls, show, options);
  run.start(start);
  const auto ready = std::chrono::steady_clock::now();
  try {
    run.cycles();
  } catch (const RunError&) {
    if (parts.ground.division == nullptr) parts.until_error = run.own_report();
    throw;
  }
  Report report = run.shared_report();
  const auto end = std::chrono::steady_clock::now();
  report.setup_seconds = std::chrono::duration<double>(ready - begin).count();
  report.run_seconds = std::chrono::duration<double>(end - ready).count();
  return report;
}

}  // namespace

MachineCore::MachineCore(const Topology& topology, const Model& model, Executor& executor,
                         const PayloadOperations& payload, std::size_t capacity, const LinkType& links,
                         const Division* division)
    : parts_(make_parts(topology, model, executor, payload, capacity, links, division)) {}

MachineCore::~MachineCore() = default;

void MachineCore::apply(const Faults& faults) {
  if (parts_->ground.division != nullptr)
    throw std::invalid_argument("a machine that is divided over processes cannot have faults");
  const Topology& topology = parts_->ground.topology;
  verify(faults, topology);
  if (!faults.empty() && parts_->links != nullptr) {
    require_memory(topology.name() + " with faults", LinkNetwork::bytes_of_faults(topology.slots()));
  }
  parts_->ground.faults.reset();
  if (!faults.empty()) parts_->ground.faults.emplace(faults);
  parts_->network().faults_changed();
}

std::uint64_t MachineCore::bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model,
                                 std::size_t record_bytes) {
  return bytes_without_network(processors) + LinkNetwork::bytes_of_clocks(processors, ports_model) +
         LinkNetwork::bytes(processors * ports, record_bytes);
}

std::uint64_t MachineCore::medium_bytes(std::uint64_t processors, std::uint64_t memory_slots, PortModel ports,
                                        std::size_t capacity, const PayloadOperations& payload) {
  return bytes_without_network(processors) + PortTallies::bytes(processors, ports) +
         MediumNetwork::bytes(processors, memory_slots, capacity * MediumNetwork::most_receipts(processors, ports),
                              payload);
}

void MachineCore::share(std::size_t slots) {
  if (parts_->medium != nullptr) parts_->medium->share(slots);
}

Report MachineCore::run(Control* controls, const Start& start, const Show& show, const RunOptions& options) {
  if (parts_->ground.division != nullptr && show) {
    throw std::invalid_argument(parts_->ground.topology.name() +
                                " is divided over processes, where no observer sees all of it");
  }
  if (parts_->ground.division != nullptr) return run_timed<DividedRun>(*parts_, controls, start, show, options);
  return run_timed<LoneRun>(*parts_, controls, start, show, options);
}

const Report& MachineCore::until_error() const { return parts_->until_error; }

}  // namespace lockstep::detail
