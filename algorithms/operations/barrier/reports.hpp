#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/verification.hpp"

// Barriers without a root: in messages without words, ranks tell each other which ranks have arrived.
namespace lockstep::barrier {

/// What a rank knows: that `ranks` ranks have arrived, and when the last of them has.
struct KnownRanks {
  std::uint64_t ranks = 1;
  Cycle latest = 0;
  Cycle left = 0;  ///< the cycle from which on it is released
};

/// Why what the rank knew when it left is wrong; empty if it is right.
std::string what_is_wrong(Rank rank, const KnownRanks& known, Rank ranks, Cycle last_arrival);

/// Completes the entry of such a barrier: its parameters and resolve().
Method with_reports(Method own);

/// The counts of messages without words, whose steps are only known where all arrive at once.
Prediction without_words(std::optional<Count> steps, std::optional<Count> messages, const Settings& settings);

/// Runs the program of every rank, which is given the arrival of its rank and fills in what it knows, and judges that.
template <class Program>
Outcome run_reports(const RunRequest& request, const std::vector<Cycle>& arrived, const Program& program) {
  PerRank<KnownRanks> known(request);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(
      request, [&](Processor<LabelledBlock>& self) { return program(self, arrived[self.rank()], known[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  const Cycle last_arrival = *std::ranges::max_element(arrived);
  outcome.measures = measures(request, last_arrival, known);
  const auto judge = [&](Rank rank) -> Verdict {
    WordDigest digest;
    digest.add(known[rank].ranks);
    digest.add(known[rank].left);
    return {digest.value(), what_is_wrong(rank, known[rank], request.topology.processors(), last_arrival)};
  };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace lockstep::barrier
