#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep::bench {

/// One method of the catalogue and the machine on which it is measured.
struct MethodSize {
  std::string_view method;
  std::string_view machine;
  std::string_view flags;                ///< as the command has them: "--words 5"
  std::string_view small_flags = flags;  ///< on a small machine
};

/// Every method of the catalogue at least once.
std::span<const MethodSize> method_sizes();

/// The same on a machine so small that the run takes almost no time.
MethodSize on_a_small_machine(const MethodSize& size);

/// The threads of these measurements.
inline constexpr unsigned method_threads = 2;

/// "broadcast/sbt/2/hypercube:10": the method, its threads and its machine.
std::string benchmark_name(const MethodSize& size);

}  // namespace lockstep::bench
