#include "host_facts.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

namespace lockstep::cli::host {
namespace {

std::string processor_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

double load_of_a_minute() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

}  // namespace

const HostFacts& host_facts() {
  static const HostFacts facts{processor_model(), std::thread::hardware_concurrency(), load_of_a_minute()};
  return facts;
}

std::string compiler() {
#ifdef __clang__
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace lockstep::cli::host
