#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {

/// Words in a number of pieces, divided as evenly as possible: the first `words mod pieces` have one word more
/// (saad-schultz-1985.md, Splitting).
class Split {
 public:
  /// `pieces` is at least 1.
  Split(std::uint64_t words, std::uint64_t pieces) : words_(words), pieces_(pieces) {}

  /// The words to cut.
  std::uint64_t words() const { return words_; }
  /// Pieces into which they are cut.
  std::uint64_t pieces() const { return pieces_; }
  /// Pieces that have one word more than the others.
  std::uint64_t longer() const { return words_ % pieces_; }
  /// Words of the shortest pieces.
  std::uint64_t shortest() const { return words_ / pieces_; }
  /// Words of the longest pieces.
  std::uint64_t longest() const { return shortest() + (longer() > 0 ? 1 : 0); }
  /// Words of that piece, from 0; the longer ones come first.
  std::uint64_t size(std::uint64_t piece) const { return shortest() + (piece < longer() ? 1 : 0); }
  /// Words before the piece; `piece` may be pieces(), which gives all.
  std::uint64_t first(std::uint64_t piece) const { return piece * shortest() + std::min(piece, longer()); }

 private:
  std::uint64_t words_;
  std::uint64_t pieces_;
};

/// A part of an item that travels in packets of its own: the words from `first` on.
struct Part {
  std::uint64_t first = 0;  ///< where its words begin in the item
  Split packets;            ///< how its words are cut
};

/// split(words, parts), each part in that many packets.
std::vector<Part> split_in_parts(std::uint64_t words, std::uint64_t parts, std::uint64_t packets);

/// The cost of a schedule: its steps, and the words and start-ups of the longest message of each, summed.
struct StepCounts {
  std::uint64_t steps = 0;        ///< steps
  std::uint64_t longest_sum = 0;  ///< words of the longest message of each step
  std::uint64_t startups = 0;     ///< start-ups of the costliest message of each step

  /// By the synchronous clock.
  double time(const CostModel& cost) const { return cost.time(startups, longest_sum); }
  /// The counts of one schedule after the other.
  friend StepCounts operator+(const StepCounts& a, const StepCounts& b) {
    return {a.steps + b.steps, a.longest_sum + b.longest_sum, a.startups + b.startups};
  }
  friend bool operator==(const StepCounts&, const StepCounts&) = default;
};

/// Whether a processor either sends or receives in a cycle, which each processor of a pipeline has to take into
/// account; on a medium this holds for both forms of half duplex.
bool takes_turns(const Model& model, bool on_medium = false);

/// Steps between packets of a pipeline over `hops` hops: 2 where processors take turns, so that no processor sends one
/// on while it receives the next; else, and over a single hop, 1 (saad-schultz-1985.md, Pipelines).
std::uint64_t packet_interval(const Model& model, std::uint64_t hops, bool on_medium = false);

/// A pipeline: in step start + h + interval p the p-th packet crosses hop h (from 0) of the path, or of every path down
/// a tree whose leaves are at most `hops` hops from the root.
struct Pipeline {
  std::uint64_t hops = 0;      ///< links from the first sender to the farthest receiver
  Split packets;               ///< the words, cut into packets
  std::uint64_t start = 0;     ///< the step in which the first packet moves
  std::uint64_t interval = 1;  ///< at most `hops`, unless that is 0
};

/// Counts of pipelines that run side by side (saad-schultz-1985.md, Pipelines): the steps from 0 to the end of the last
/// one, idle steps included. A pipeline without hops takes no step.
StepCounts count_steps(std::span<const Pipeline> pipelines, const CostModel& cost);
/// Counts of one pipeline.
StepCounts count_steps(const Pipeline& pipeline, const CostModel& cost);

/// The time if all messages were as long as the shortest: no more than that of count_steps(), for messages that move in
/// every step.
inline double least_time(std::uint64_t steps, std::uint64_t shortest, const CostModel& cost) {
  return static_cast<double>(steps) * cost.time(1, shortest);
}

/// Where the time of a schedule, as a function of its number of packets, changes direction: at most `reach` from
/// floor(words / z), z = 1, 2, .., for one of `words`, or from one of `packets`. Between those numbers the time of
/// every `reach`-th goes up or down monotonically, so that none of them takes less than the first and the last.
///
/// With reach 1 that holds for words cut as evenly as possible, whatever a message costs: one packet more turns q of
/// the packets of q + 1 words, q = floor(words / packets), into q + 1 of q words, always as many while there are both.
/// If parts of words or words + 1 are cut so side by side, the larger ones have one packet more of q + 1 words.
struct TurningPoints {
  std::vector<std::uint64_t> words;      ///< lengths of the data to cut
  std::vector<std::uint64_t> packets{};  ///< other numbers near which the time turns
  std::uint64_t reach = 1;               ///< how far from any of these it may change direction
};
/// The former name of TurningPoints.
using Turns [[deprecated("use TurningPoints")]] = TurningPoints;

/// The numbers from 1 to `most` at which the time may change direction, ascending: with reach 1 some 3 sqrt(words) for
/// each of `words`.
std::vector<std::uint64_t> candidates(const TurningPoints& turns, std::uint64_t most);

/// The time of a run with that many packets per part, or a bound of it.
using TimeOfPackets = std::function<double(std::uint64_t packets)>;

/// The first candidate of least time, up to rounding (1e-12 of it); there must be at least one. `least`, if there is
/// one, is no more than the time, and faster: with it few times are computed.
std::uint64_t cheapest(std::span<const std::uint64_t> candidates, const TimeOfPackets& time,
                       const TimeOfPackets& least = {});

/// The integer from 1 to `most`, at least 1, that takes the least time, the smallest if there are several: exactly, if
/// the time changes direction only where `turns` allows it.
std::uint64_t cheapest(const TurningPoints& turns, std::uint64_t most, const TimeOfPackets& time,
                       const TimeOfPackets& least = {});

/// The default of packets.
inline constexpr std::string_view fallback_packets =
    "the integer with the least predicted synchronous time, start-ups of --max-packet included (ties: fewer packets)";

/// The default of packets where the time changes direction in too many places.
inline constexpr std::string_view fallback_quotients =
    "the floor(words / z), z = 1, 2, .., with the least predicted synchronous time, start-ups of --max-packet included "
    "(ties: fewer packets)";

/// The words of data that is sent in packets, at least one per packet.
struct PacketsWordsParameter : Parameter {
  /// Fills in one word a packet in `parts` parts, if they are not given, and checks them. Throws InputError.
  void resolve(Settings& settings, std::uint64_t parts) const;
};

/// The number of packets.
struct PacketsParameter : Parameter {
  /// As for cheapest().
  using Time = TimeOfPackets;

  /// `meaning_here` is its meaning for the method.
  constexpr explicit PacketsParameter(std::string_view meaning_here, std::string_view fallback_here = fallback_packets)
      : Parameter{"packets", meaning_here, fallback_here} {}

  /// Fills in the number of packets per part with the least time, if none is given, and checks that every packet
  /// has a word; the words must be resolved. Throws InputError.
  void resolve(Settings& settings, std::uint64_t parts, const TurningPoints& turns, const Time& time,
               const Time& least = {}) const;
  /// The same where the time changes direction as the words of the smallest part are cut.
  void resolve(Settings& settings, std::uint64_t parts, const Time& time, const Time& least = {}) const;
};

/// The packets of data that is sent whole by default.
struct PacketsOrWholeParameter : Parameter {
  /// `meaning_here` is its meaning for the method.
  constexpr explicit PacketsOrWholeParameter(std::string_view meaning_here) : Parameter{"packets", meaning_here, "1"} {}

  /// Fills in 1, if they are not given, and checks that every packet has a word; the words must be resolved. Throws
  /// InputError.
  void resolve(Settings& settings) const;
};

}  // namespace lockstep
