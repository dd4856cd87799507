#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "arithmetic.hpp"
#include "method_run.hpp"

// Shared by the tests of methods on bus, shared memory and switches.
namespace lockstep::media_runs {

inline std::string machine_text(const std::string& family, std::uint64_t k, std::uint64_t kstar = 0) {
  return family + ":" + std::to_string(k) + (kstar == 0 ? "" : ",kstar=" + std::to_string(kstar));
}

inline std::string banks_text(std::uint64_t k, std::uint64_t kstar, std::uint64_t banks) {
  return machine_text("shared", k, kstar) + ",banks=" + std::to_string(banks);
}

/// Calls visit(kstar, banks) for many of both, fewer than processors, as many, and more banks.
template <class Visit>
void for_some_banks(std::uint64_t k, const Visit& visit) {
  for (std::uint64_t kstar = 1; kstar <= k; kstar += kstar < 4 ? 1 : 3) {
    for (const std::uint64_t banks :
         {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{5}, k, 2 * k + 1, std::uint64_t{1000}}) {
      visit(kstar, banks);
    }
  }
}

/// P, Q and f of saad-schultz-1988.md, Memory banks.
struct BankCounts {
  std::uint64_t P, Q, f, groups;

  BankCounts(std::uint64_t k, std::uint64_t kstar, std::uint64_t banks)
      : P(std::min({kstar, banks, k})), Q(k / P), f(k % P), groups(divided_up(k, P)) {}

  /// ceil(k/P) (P + 1) - [k = P]
  std::uint64_t steps(std::uint64_t k) const { return groups * (P + 1) - (k == P ? 1 : 0); }
  /// k (P + 1) - [Q = 1] (P - f)
  std::uint64_t messages(std::uint64_t k) const { return k * (P + 1) - (Q == 1 ? P - f : 0); }
  /// L = Q (P ceil(k/P) - 1) + [f > 0] (Q P + min(P - 1, 2f - 2))
  std::uint64_t read() const { return Q * (P * groups - 1) + (f > 0 ? Q * P + std::min(P - 1, 2 * f - 2) : 0); }
};

/// Offsets of the holders on a bus of kstar transactions from the first one, in the order in which they receive: in
/// each step the first kstar of the holders, or all if they are fewer, send to one more each.
struct BusTree {
  std::uint64_t steps = 0;
  std::vector<std::uint64_t> depths{0};

  BusTree(std::uint64_t k, std::uint64_t kstar) {
    for (; depths.size() < k; ++steps) {
      const std::size_t finders = std::min<std::size_t>({depths.size(), kstar, k - depths.size()});
      for (std::size_t finder = 0; finder < finders; ++finder) depths.push_back(depths[finder] + 1);
    }
  }
};

/// The switches that are networks of stages. They pass the messages that methods over a switch send in one cycle,
/// except trees on the second and third.
inline const std::vector<std::string> networks{"omega", "inverse-omega", "indirect-cube", "data-manipulator"};

/// kstar from 1 to k, of which some divide k and some do not.
inline std::vector<std::uint64_t> some_kstar(std::uint64_t k) {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t kstar : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, k - 1, k}) {
    if (kstar >= 1 && kstar <= k && (all.empty() || all.back() < kstar)) all.push_back(kstar);
  }
  return all;
}

}  // namespace lockstep::media_runs
