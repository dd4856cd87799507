#pragma once

#include "lockstep/algorithms/operation/scatter.hpp"
#include "method/entry_parts.hpp"

// A gather is the scatter of its name in reversed time, so that one description gives the entries of both.
namespace lockstep::scatter {

/// The entries of a scatter and of the gather that reads its schedule backwards. Both run `run_schedule`; the gather's
/// own entry states only what else differs.
template <Outcome (*run_schedule)(const RunRequest&, Reading)>
method::MethodPair and_gather(Method scatter, Method gather) {
  scatter.run = [](const RunRequest& request) { return run_schedule(request, Reading::forwards); };
  gather.run = [](const RunRequest& request) { return run_schedule(request, Reading::backwards); };
  method::MethodPair pair = method::with_reverse(std::move(scatter), std::move(gather));
  return {with_defaults(std::move(pair[0])), gather_with_defaults(std::move(pair[1]))};
}

}  // namespace lockstep::scatter
