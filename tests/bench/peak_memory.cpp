#include "peak_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace lockstep::bench {
namespace {

/// The number of KiB after "NAME:" in /proc/self/status, in bytes.
std::uint64_t status_bytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  std::string key;
  while (status >> key) {
    if (key.substr(0, key.size() - 1) == name) {
      std::uint64_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

bool forget_peak() {
  std::ofstream request("/proc/self/clear_refs");
  request << "5" << std::flush;  // proc(5): resets the peak resident set
  return static_cast<bool>(request);
}

}  // namespace

PeakMemory::PeakMemory() {
  malloc_trim(0);
  peak_known_ = forget_peak();
  before_ = status_bytes("VmRSS");
}

std::uint64_t PeakMemory::growth() const {
  const std::uint64_t now = status_bytes(peak_known_ ? "VmHWM" : "VmRSS");
  return now > before_ ? now - before_ : 0;
}

}  // namespace lockstep::bench
