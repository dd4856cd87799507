#pragma once

#include <chrono>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "operands/partials.hpp"

namespace lockstep::allreduce {

/// What every rank has received: partial results, or parts of them.
enum class ReceivedForm { partials, parts };

/// Compares the result of every rank, `own`, with all values combined in the order of the ranks, and judges what it has
/// received, unless these are parts. If all is right, writes the output.
template <class Values, class Holding>
void finish(const RunRequest& request, const Values& values, const PerRank<Holding>& held, ReceivedForm received,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const Holding& one) {
    judge.expect(rank, operands::Judge<Values>::Role::result, one.own, 0, values.ranks());
    if (received == ReceivedForm::partials) judge.received(rank, one.received);
  });
  judge.judge(outcome);
  const auto digest = [&](Rank rank) -> Verdict { return {values.digest(held[rank].own.value), {}}; };
  std::vector<bool> right(values.ranks(), outcome.wrong.empty());
  if (!outcome.wrong.empty()) {
    right = operands::right_results(
        values, [&](Rank) { return values.ranks(); }, [&](Rank rank) -> const auto& { return held[rank].own; });
  }
  verify_ranks(request, start, digest, outcome, [&](Rank rank) { return right[rank]; });
  if (request.settings.output && outcome.wrong.empty()) {
    const auto result = of_rank(request, 0, [&] { return held[0].own.value; });
    values.write(*request.settings.output, {&result, 1});
  }
}

}  // namespace lockstep::allreduce
