#pragma once

#include <string>
#include <vector>

#include "arithmetic.hpp"
#include "method_run.hpp"

// What the tests of methods on bus, shared memory, switch and Omega network share.
namespace lockstep::media_runs {

inline std::string machine_text(const std::string& family, std::uint64_t k, std::uint64_t kstar = 0) {
  return family + ":" + std::to_string(k) + (kstar == 0 ? "" : ",kstar=" + std::to_string(kstar));
}

/// kstar from 1 to k, of which some divide k and some do not.
inline std::vector<std::uint64_t> some_kstar(std::uint64_t k) {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t kstar : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, k - 1, k}) {
    if (kstar >= 1 && kstar <= k && (all.empty() || all.back() < kstar)) all.push_back(kstar);
  }
  return all;
}

}  // namespace lockstep::media_runs
