#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "demo.hpp"

// The code of the demonstrations; their texts are in texts/demos.
namespace lockstep::cli::learn {

// Programs that break a rule of the machine or deadlock, beside others that do not: those of a demonstration in the
// order of its text, without their source lines.
std::vector<DemoProgram> port_violation_programs();
std::vector<DemoProgram> channel_overflow_programs();
std::vector<DemoProgram> deadlock_programs();

// Figures shown after the cycles. They throw Interrupted if the user interrupts.
/// The predicted times of a broadcast in 1, 2, .. packets, one column each.
std::string pipelining_curve(const std::atomic<bool>& stop);
/// The predicted times of three operations on the six machines, and the fastest machine.
std::string six_machines_times(const std::atomic<bool>& stop);
/// The digests of one run under several numbers of threads and orders of processors.
std::string thread_digests(const std::atomic<bool>& stop);

}  // namespace lockstep::cli::learn
