#pragma once

#include <chrono>
#include <optional>

#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/machine.hpp"

namespace lockstep {

template <Payload T>
std::uint64_t machine_bytes(const MachineSpec& machine, const Model& model, std::uint64_t memory_slots) {
  if (machine.medium) return Machine<T>::medium_bytes(machine.processors, memory_slots);
  return Topology::bytes(machine.processors, machine.ports) +
         Machine<T>::bytes(machine.processors, machine.ports, model.ports);
}

template <Payload T>
Report run_program(const RunRequest& request, const std::function<Process(Processor<T>&)>& program,
                   std::size_t memory_slots) {
  Machine<T> machine(request.topology, request.model, request.executor,
                     request.channels.value_or(Machine<T>::default_channels(request.topology.slots())));
  machine.share(memory_slots);
  std::optional<PayloadObserver<T>> observer;
  if (request.observer != nullptr) machine.observe(&observer.emplace(*request.observer));
  const std::chrono::duration<double> preparing = std::chrono::steady_clock::now() - request.start;
  Report report = machine.run(program, request.options);
  report.setup_seconds += preparing.count();
  return report;
}

}  // namespace lockstep
