#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "kernels.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::bench {

inline double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Runs the program on a machine made for it, under the port model `one`, with the machine's default channels unless
/// others are given. `make` makes its topology.
template <Payload T, class Program>
Timing run_on_machine(const std::string& machine_text, unsigned threads, Program&& program,
                      Observer<T>* observer = nullptr, std::optional<ChannelKind> channels = {},
                      Topology (*make)(const MachineSpec&) = build) {
  const auto start = std::chrono::steady_clock::now();
  const auto executor = make_executor(ExecutorKind::tbb, threads);
  const Topology topology = make(parse_machine(machine_text));
  Machine<T> machine(topology, {.ports = PortModel::one}, *executor,
                     channels.value_or(Machine<T>::default_channels(topology.slots())));
  machine.observe(observer);
  const auto made = std::chrono::steady_clock::now();
  const Report report = machine.run(program, {.name = "kernel on " + machine_text});
  return {.setup_seconds = seconds_between(start, made) + report.setup_seconds,
          .run_seconds = report.run_seconds,
          .messages = report.messages,
          .processors = topology.processors()};
}

}  // namespace lockstep::bench
