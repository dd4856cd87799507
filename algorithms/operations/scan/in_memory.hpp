#pragma once

#include <chrono>

#include "parts/through_memory.hpp"
#include "scan.hpp"

// What the scans through a shared memory share.
namespace lockstep::scan {

/// What a rank has: `result`, which it reads, is of the ranks before it.
template <class Value>
struct HeldInMemoryScan : parts::HeldThroughMemory<Value> {
  Partial<Value> prefix{.count = 0};  ///< its result in the end
};

/// Compares the results of all ranks and, where its own value may hide that it is wrong, what each has read; if all is
/// right, writes the results.
template <class Values>
void finish_in_memory(const RunRequest& request, const Values& values, Prefix prefix,
                      const PerRank<HeldInMemoryScan<typename Values::Value>>& held, Outcome& outcome) {
  using Judge = operands::Judge<Values>;
  const auto start = std::chrono::steady_clock::now();
  Judge judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const auto& one) {
    expect_result(judge, rank, prefix, one.prefix, outcome);
    if (rank > 0 && values.may_absorb()) judge.expect(rank, Judge::Role::message, one.result, 0, rank);
  });
  judge.judge(outcome);
  const auto prefix_of = [&](Rank rank) -> const Partial<typename Values::Value>& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
}

}  // namespace lockstep::scan
