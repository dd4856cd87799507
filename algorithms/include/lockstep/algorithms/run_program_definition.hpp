#pragma once

#include <chrono>
#include <exception>
#include <optional>

#include "lockstep/algorithms/carrier.hpp"
#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/machine.hpp"

namespace lockstep {

template <Payload T>
std::uint64_t machine_bytes(const MachineSpec& machine, const Model& model, std::uint64_t memory_slots) {
  if (machine.medium) return Machine<T>::medium_bytes(machine.processors, memory_slots, model.ports);
  return Topology::bytes(machine.processors, machine.ports) +
         Machine<T>::bytes(machine.processors, machine.ports, model.ports);
}

/// Whether a run that ends in such an error is judged. Guests' and divided runs are not, nor those that are
/// interrupted.
inline bool takes_error(const RunRequest& request, ErrorKind kind) {
  return request.ending != nullptr && request.carrier == nullptr && request.division == nullptr &&
         kind != ErrorKind::interrupted;
}

template <Payload T>
Report run_program(const RunRequest& request, const std::function<Process(Processor<T>&)>& program,
                   std::size_t memory_slots) {
  if (request.ending != nullptr && request.ending->error) return request.ending->report;  // of the program before
  Carrier* const carrier = request.carrier;
  Machine<T> machine(request.topology, carrier == nullptr ? request.model : carrier->guest_model(), request.executor,
                     request.channels.value_or(Machine<T>::default_channels(request.topology.slots())),
                     request.division);
  machine.share(memory_slots);
  if (request.faults != nullptr) machine.apply(*request.faults);
  std::optional<PayloadObserver<T>> observer;
  if (request.observer != nullptr) machine.observe(&observer.emplace(*request.observer));
  std::optional<CarryingObserver<T>> carrying;
  if (carrier != nullptr) {
    carrier->begin_run();
    machine.observe(&carrying.emplace(*carrier, observer ? &*observer : nullptr));
  }
  const std::chrono::duration<double> preparing = std::chrono::steady_clock::now() - request.start;
  Report report;
  bool is_complete = false;
  try {
    report = machine.run(program, carrier == nullptr ? request.options : carrier->guest_options());
    is_complete = true;
    if (observer) observer->expect_none(request.options.name, report.lost);
  } catch (const RunError& error) {
    if (!takes_error(request, error.kind())) throw;
    if (!is_complete) report = machine.until_error();
    *request.ending = {.error = std::current_exception(), .report = report};
  }
  report.setup_seconds += preparing.count();
  return carrier == nullptr ? report : carrier->end_run(std::move(report));
}

}  // namespace lockstep
