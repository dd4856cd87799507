#pragma once

#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "draw.hpp"
#include "shrink.hpp"

// Random scenarios for RapidCheck, which makes those that fail smaller.
namespace lockstep::reference {

inline rc::Gen<Scenario> scenarios(Draw draw) {
  return rc::Gen<Scenario>([draw](const rc::Random& random, int size) {
    Dice dice(rc::Random(random).next());
    return rc::shrinkable::shrinkRecur(draw(dice, size), [](const Scenario& scenario) {
      return rc::seq::map(rc::seq::fromContainer(cuts(scenario)),
                          [scenario](const Cut& one) { return cut(scenario, one); });
    });
  });
}

inline void showValue(const Scenario& scenario, std::ostream& out) { out << scenario; }  // NOLINT: RapidCheck's name

/// Checks the property on the given number of drawn scenarios; the property returns the error of one, or nothing. The
/// result is RapidCheck's, with a small counter-example if there is one.
template <class Property>
rc::detail::TestResult check(Draw draw, std::uint64_t seed, int count, Property&& property) {
  rc::detail::TestParams parameters;
  parameters.seed = seed;
  parameters.maxSuccess = count;
  rc::detail::TestListenerAdapter quiet;
  return rc::detail::checkTestable(
      [&property, draw] {
        const Scenario scenario = *scenarios(draw);
        const std::string wrong = property(scenario);
        if (!wrong.empty()) RC_FAIL(wrong);
      },
      rc::detail::TestMetadata{}, parameters, quiet, std::unordered_map<std::string, rc::detail::Reproduce>());
}

}  // namespace lockstep::reference
