#pragma once

#include <chrono>
#include <functional>

#include "cube.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "parts/vectors.hpp"

// The judgement of reductions that combine in the order of the ranks.
namespace lockstep::reduce {

using parts::output_parameter;

/// If the result is right, judges what processors received, which may be wrong all the same. `rank_of` gives the rank
/// at a logical address.
template <class Values>
void judge_on_the_way(const RunRequest& request, const Values& values,
                      const PerRank<HeldPartials<typename Values::Value>>& held,
                      const std::function<Rank(Rank)>& rank_of, Outcome& outcome) {
  if (!outcome.wrong.empty() || !values.may_absorb()) return;
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const auto& one) { judge.received(rank, one.received); });
  judge.judge(outcome, rank_of);
  agree(request, outcome);
}

/// Compares the root's result, `own`, with the values combined in the order of the ranks, and then on_the_way() judges
/// what processors received. If all is right, writes the output.
template <class Values, class Holding, class OnTheWay>
void finish(const RunRequest& request, const Values& values, const PerRank<Holding>& held, const OnTheWay& on_the_way,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Rank root = request.root();
  if (values.is_here(root)) {
    operands::Judge<Values> judge(values, outcome.report.lost);
    judge.expect(root, operands::Judge<Values>::Role::result, held[root].own, 0, values.ranks());
    judge.judge(outcome);
  }
  const auto digest = [&](Rank rank) -> Verdict {
    return {rank == root ? values.digest(held[root].own.value) : 0, {}};
  };
  const bool is_right = outcome.wrong.empty();
  verify_ranks(request, start, digest, outcome, [&](Rank rank) { return rank != root || is_right; });
  on_the_way();
  if (request.settings.output && outcome.wrong.empty()) {
    const auto result = of_rank(request, root, [&] { return held[root].own.value; });
    values.write(*request.settings.output, {&result, 1});
  }
}

}  // namespace lockstep::reduce
