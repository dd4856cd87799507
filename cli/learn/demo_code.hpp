#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "demo.hpp"

// What of the demonstrations is code; the rest stands in texts/demos.
namespace lockstep::cli::learn {

// Programs that break a rule of the machine, or wait for ever, beside others that do not: those of a demonstration in
// the order in which its text has them, without their lines.
std::vector<DemoProgram> port_violation_programs();
std::vector<DemoProgram> channel_overflow_programs();
std::vector<DemoProgram> deadlock_programs();

// What is shown after the cycles. Throw Interrupted if the user asks to stop.
/// The predicted time of a broadcast in 1, 2, .. packets, a column each.
std::string pipelining_curve(const std::atomic<bool>& stop);
/// The predicted times of three operations on the six machines, and who is fastest.
std::string six_machines_times(const std::atomic<bool>& stop);
/// The digests of one run under several numbers of threads and orders of processors.
std::string thread_digests(const std::atomic<bool>& stop);

}  // namespace lockstep::cli::learn
