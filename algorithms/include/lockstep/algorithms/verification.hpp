#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/core/processes.hpp"

// How methods judge what their processors hold in the end: rank by rank, several at once.
namespace lockstep {

/// A digest of words in their order: each word counts by itself and its place, so that none waits for the one before.
class WordDigest {
 public:
  /// Adds a word.
  void add(Word word) {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = word + ++count_ * step;
    mixed = (mixed ^ mixed >> 32) * 0x9fb21c651e98df25U;
    sum_ += mixed ^ mixed >> 32;
  }
  /// Adds words, in their order.
  void add(std::span<const Word> words) {
    for (const Word word : words) add(word);
  }
  /// The digest of the words added so far.
  std::uint64_t value() const { return sum_ ^ count_; }

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
};

/// The digest of these words alone.
inline std::uint64_t digest_of(std::span<const Word> words) {
  WordDigest digest;
  digest.add(words);
  return digest.value();
}

/// The digest of this text alone.
inline std::uint64_t digest_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.value();
}

/// Records an error at that place; of several, the one at the lowest place is kept, of equal places the first.
inline void blame(Outcome& outcome, std::uint64_t place, std::string what) {
  if (what.empty() || (!outcome.wrong.empty() && outcome.wrong_place <= place)) return;
  outcome.wrong = std::move(what);
  outcome.wrong_place = place;
}

/// Whether this process judges that rank: it is here, and has not failed, in which case its data would be gone.
inline bool is_judged(const RunRequest& request, const Outcome& outcome, Rank rank) {
  const std::vector<Rank>& lost = outcome.report.lost;
  return is_here(request.division, rank) && std::ranges::find(lost, rank) == lost.end();
}

/// Where the processors are divided over processes, each knows what its own hold, and all call this: the error at the
/// lowest place in any process becomes that of all.
void agree(const RunRequest& request, Outcome& outcome);

/// what_of(rank) for all ranks, also of those in other processes, which all must call this together.
template <class WhatOf>
auto shared(const RunRequest& request, const WhatOf& what_of) {
  using T = std::decay_t<decltype(what_of(Rank{0}))>;
  const Division* const division = request.division;
  std::vector<T> all(request.topology.processors());
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (is_here(division, rank)) all[rank] = what_of(rank);
  }
  if (division == nullptr) return all;
  Bytes given;
  ByteWriter to(given);
  for (Rank rank = 0; rank < all.size(); ++rank) {
    if (division->is_here(rank)) pack(all[rank], to);
  }
  const std::vector<Bytes> of_processes = division->processes.gather(std::move(given));
  std::vector<ByteReader> from(of_processes.begin(), of_processes.end());
  for (Rank rank = 0; rank < all.size(); ++rank) {
    all[rank] = unpack(from[division->placement.owner(rank)], std::type_identity<T>{});
  }
  return all;
}

/// value_of() of the processor of that rank, in all processes, which all must call this together.
template <class ValueOf>
auto of_rank(const RunRequest& request, Rank rank, const ValueOf& value_of) {
  using T = std::decay_t<decltype(value_of())>;
  const Division* const division = request.division;
  if (division == nullptr) return T(value_of());
  Bytes given;
  ByteWriter to(given);
  if (division->is_here(rank)) pack(value_of(), to);
  const std::vector<Bytes> of_processes = division->processes.gather(std::move(given));
  ByteReader from(of_processes[division->placement.owner(rank)]);
  return T(unpack(from, std::type_identity<T>{}));
}

/// The result at one rank.
struct Verdict {
  std::uint64_t digest = 0;  ///< of the data that it holds; 0 if it holds none
  std::string wrong;         ///< the first error; empty if there is none
};

/// Judges every rank that has not failed and fills in wrong, of the lowest rank with an error, data_digest, the sum
/// over the ranks of a mix of the rank and its digest, and verify_seconds, from `start` on. It is an error if ranks
/// have failed and the others hold nothing. If the request has an ending, its coverage is filled in, for which ranks
/// that have failed are judged too. judge(rank) is called by several threads at once.
void verify_ranks(const RunRequest& request, std::chrono::steady_clock::time_point start,
                  const std::function<Verdict(Rank)>& judge, Outcome& outcome);
/// The same where verdicts have no errors, or not all: for the coverage, has_right(rank) says whether the rank holds
/// all that it should; it is called as judge() is. Errors that it knows are the caller's to report.
void verify_ranks(const RunRequest& request, std::chrono::steady_clock::time_point start,
                  const std::function<Verdict(Rank)>& judge, Outcome& outcome,
                  const std::function<bool(Rank)>& has_right);

/// Judges items that must be equal at all ranks that hold any: rank r holds `expected` if should_hold(r), else nothing.
/// Those that share memory with an item that was right are right, too, and have its digest.
void verify_items(const RunRequest& request, std::chrono::steady_clock::time_point start, const PerRank<Block>& items,
                  std::span<const Word> expected, const std::function<bool(Rank)>& should_hold, Outcome& outcome);

/// How many of the first words are right.
std::uint64_t right_words(std::span<const Word> held, std::span<const Word> expected);

}  // namespace lockstep
