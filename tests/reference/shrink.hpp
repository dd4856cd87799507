#pragma once

#include <vector>

#include "scenario.hpp"

// Makes a scenario that fails a test smaller.
namespace lockstep::reference {

/// One way to make a scenario simpler.
struct Cut {
  enum class What {
    processors,  ///< leave out `length` processors from `rank` on, and their links
    stretch,     ///< leave out `length` operations of `rank` from `at` on
    pair,    ///< leave out operation `at` of `rank` and operation `length` of `other`, such as a send and its receipt
    unwrap,  ///< replace a sub-program by its body
    body,    ///< leave out operation `length` of the body of a sub-program
    link,    ///< leave out the link on port `at` of `rank`
    operation,  ///< simplify the operation `at` of `rank` in one of several ways: `length`
    rules       ///< simplify the rules in one of several ways: `at`
  } what;
  Rank rank = 0;
  std::size_t at = 0;
  std::size_t length = 0;
  Rank other = 0;
};

/// All cuts of a scenario, the largest first. Each of them changes it.
std::vector<Cut> cuts(const Scenario& scenario);
/// The scenario after the cut.
Scenario cut(Scenario scenario, const Cut& cut);

}  // namespace lockstep::reference
