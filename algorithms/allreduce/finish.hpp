#pragma once

#include <chrono>
#include <vector>

#include "data/partials.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep::allreduce {

/// Compares what every rank has in the end, `own`, with all values combined in the order of the ranks, and judges what
/// the judge knows already. If all is right, writes the output.
template <class Values, class Held>
void finish(const RunRequest& request, const Values& values, const std::vector<Held>& held,
            operands::Judge<Values>& judge, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  for (Rank rank = 0; rank < values.ranks(); ++rank) {
    judge.expect(rank, operands::Judge<Values>::Role::result, held[rank].own, 0, values.ranks());
  }
  outcome.wrong = judge.what_is_wrong();
  const auto digest = [&](Rank rank) -> Verdict { return {values.digest(held[rank].own.value), {}}; };
  verify_ranks(request, start, digest, outcome);
  if (request.settings.output && outcome.wrong.empty()) {
    values.write(*request.settings.output, {&held.front().own.value, 1});
  }
}

}  // namespace lockstep::allreduce
