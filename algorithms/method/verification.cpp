#include "lockstep/algorithms/verification.hpp"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"

namespace lockstep {
namespace {

std::uint64_t mix(Rank rank, std::uint64_t digest) {
  Digest both;
  both.add(std::uint64_t{rank});
  both.add(digest);
  return both.value();
}

/// A worker's findings at its ranks; if there are several errors, that at the lowest rank.
struct Findings {
  std::uint64_t digest = 0;
  bool has_data = false;
  Rank rank = no_rank;
  std::string wrong;
};

/// What a rank has of the result.
enum class Has : std::uint8_t { nothing_due, right, not_right };

Has has(const Verdict& verdict, bool is_right) {
  if (!verdict.wrong.empty() || !is_right) return Has::not_right;
  return verdict.digest == 0 ? Has::nothing_due : Has::right;
}

/// What a rank that has failed lacks: all that was due. Its program was cut off, so that judging it may throw.
Has has_lost(const std::function<Verdict(Rank)>& judge, const std::function<bool(Rank)>& has_right, Rank rank) {
  try {
    return has(judge(rank), has_right(rank)) == Has::nothing_due ? Has::nothing_due : Has::not_right;
  } catch (const std::exception&) {
    return Has::not_right;
  }
}

/// What the ranks of this process have.
Coverage coverage_of(const std::vector<Has>& all) {
  Coverage coverage;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (all[rank] == Has::nothing_due) continue;
    ++coverage.due;
    if (all[rank] == Has::right) {
      ++coverage.right;
    } else if (coverage.missing.size() < Coverage::most_missing) {
      coverage.missing.push_back(rank);
    }
  }
  return coverage;
}

/// What the ranks of all processes have.
void agree(const Division& division, Coverage& coverage) {
  std::uint64_t sums[] = {coverage.due, coverage.right};
  division.processes.reduce(sums, {});
  coverage.due = sums[0];
  coverage.right = sums[1];
  Bytes given;
  ByteWriter to(given);
  pack(std::exchange(coverage.missing, {}), to);
  for (const Bytes& bytes : division.processes.gather(std::move(given))) {
    ByteReader from(bytes);
    const auto missing = unpack(from, std::type_identity<std::vector<Rank>>{});
    coverage.missing.insert(coverage.missing.end(), missing.begin(), missing.end());
  }
  std::ranges::sort(coverage.missing);
  coverage.missing.resize(std::min(coverage.missing.size(), Coverage::most_missing));
}

}  // namespace

void agree(const RunRequest& request, Outcome& outcome) {
  const Division* const division = request.division;
  if (division == nullptr) return;
  Bytes given;
  ByteWriter to(given);
  to.put(outcome.wrong_place);
  pack(std::exchange(outcome.wrong, {}), to);
  for (const Bytes& bytes : division->processes.gather(std::move(given))) {
    ByteReader from(bytes);
    const auto place = from.get<std::uint64_t>();
    blame(outcome, place, unpack(from, std::type_identity<std::string>{}));
  }
}

void verify_ranks(const RunRequest& request, std::chrono::steady_clock::time_point start,
                  const std::function<Verdict(Rank)>& judge, Outcome& outcome) {
  verify_ranks(request, start, judge, outcome, [](Rank) { return true; });
}

void verify_ranks(const RunRequest& request, std::chrono::steady_clock::time_point start,
                  const std::function<Verdict(Rank)>& judge, Outcome& outcome,
                  const std::function<bool(Rank)>& has_right) {
  std::vector<Findings> findings(request.executor.workers());
  std::vector<Has> holdings(request.ending != nullptr ? request.topology.processors() : 0, Has::nothing_due);
  request.executor.for_ranges(request.topology.processors(), [&](unsigned worker, std::size_t first, std::size_t last) {
    Findings found = std::move(findings[worker]);
    for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
      if (!is_judged(request, outcome, rank)) {
        if (!holdings.empty() && is_here(request.division, rank)) holdings[rank] = has_lost(judge, has_right, rank);
        continue;
      }
      Verdict verdict = judge(rank);
      if (!holdings.empty()) holdings[rank] = has(verdict, has_right(rank));
      found.digest += mix(rank, verdict.digest);
      found.has_data = found.has_data || verdict.digest != 0;
      if (verdict.wrong.empty() || rank >= found.rank) continue;
      found.rank = rank;
      found.wrong = std::move(verdict.wrong);
    }
    findings[worker] = std::move(found);
  });
  std::uint64_t digest = 0;
  bool has_data = false;
  for (Findings& found : findings) {
    digest += found.digest;
    has_data = has_data || found.has_data;
    blame(outcome, found.rank, std::move(found.wrong));
  }
  if (!outcome.report.lost.empty() && !has_data) {
    blame(outcome, no_rank, "nothing of the result is left: all processors that should hold some have failed");
  }
  agree(request, outcome);
  if (request.division != nullptr) request.division->processes.reduce({&digest, 1}, {});
  if (request.ending != nullptr) {
    Coverage coverage = coverage_of(holdings);
    if (request.division != nullptr) agree(*request.division, coverage);
    if (coverage.due > 0) request.ending->coverage = std::move(coverage);
  }
  outcome.data_digest = digest;
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void verify_items(const RunRequest& request, std::chrono::steady_clock::time_point start, const PerRank<Block>& items,
                  std::span<const Word> expected, const std::function<bool(Rank)>& should_hold, Outcome& outcome) {
  const std::uint64_t digest = digest_of(expected);
  std::atomic<const Word*> right{nullptr};  // words found right; their memory is one of the items'
  const auto judge = [&](Rank rank) -> Verdict {
    const std::span<const Word> item = items[rank].words();
    const bool holds = should_hold(rank);
    if (holds && item.size() == expected.size()) {
      if (item.data() == right.load(std::memory_order_relaxed)) return {digest, {}};
      if (std::ranges::equal(item, expected)) {
        right.store(item.data(), std::memory_order_relaxed);
        return {digest, {}};
      }
    }
    if (!holds && item.empty()) return {};
    const std::span<const Word> due = holds ? expected : std::span<const Word>();
    return {digest_of(item), "rank " + std::to_string(rank) + " holds " + std::to_string(item.size()) + " words of " +
                                 std::to_string(due.size()) + ", the first " + std::to_string(right_words(item, due)) +
                                 " right"};
  };
  verify_ranks(request, start, judge, outcome);
}

std::uint64_t right_words(std::span<const Word> held, std::span<const Word> expected) {
  return static_cast<std::uint64_t>(std::ranges::mismatch(held, expected).in1 - held.begin());
}

}  // namespace lockstep
