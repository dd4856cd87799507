#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/model.hpp"

namespace lockstep::bounds {

/// Words that need several steps each to where they go. In a schedule of K steps the longest messages sum up to
/// words (K + extra) / (K + extra - delay) at least: the fewer steps it has, the longer are its messages, since no word
/// moves on in the first steps, and none starts in the last.
///
/// Over a line of D cuts (extra 0, delay D - 1): a word that crosses a cut in a step crosses the next in a later one.
/// Leave out any D - 1 of the K steps, and let the runs of steps between them be of one cut each: every word crosses in
/// a step that is left, so that these have the words. Then the D - 1 longest messages have their share more.
///
/// From a root to P others (extra S - 2): c_s of them can have a word s steps after it leaves the root, c_S = P. The
/// words that have left by step t are B_t, the sum of the longest messages so far, or fewer, and what the others lack
/// then has to follow: B_K - B_t >= words - sum over s of (c_s - c_(s-1))/P B_(t-s+1). The sum of these for
/// t = 1 .. K + S - 2 is the bound, with delay sum over s < S of 1 - c_s/P.
struct Succession {
  double words;  ///< as many messages as can be sent at once carry this many each
  double delay;
  std::uint64_t extra;
  std::string argument;  ///< "words follow one another over 8 links"
};

/// The largest bound of the synchronous time that follows from a succession, at least that many steps, and longest
/// messages that sum up to at least that many words; none where start-ups or words cost nothing.
std::optional<ModelledTime> least_time(const std::vector<Succession>& successions, const CostModel& cost,
                                       std::uint64_t steps, std::uint64_t longest_sum);

}  // namespace lockstep::bounds
