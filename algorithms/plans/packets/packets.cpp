#include "lockstep/algorithms/packets.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "lockstep/core/printable.hpp"

namespace lockstep {
namespace {

/// From step `from` to before step `until` messages of `size` words move.
struct SizeSpan {
  std::uint64_t from;
  std::uint64_t until;
  std::uint64_t size;

  friend bool operator==(const SizeSpan&, const SizeSpan&) = default;
};

// While any packet is on its first hops the earliest moves beside it, and that is one of the longest: so the lengths
// fall once, when the last of the longer packets has arrived. As the interval is no longer than the path, messages move
// in every step.
void add_spans(const Pipeline& pipeline, std::vector<SizeSpan>& spans) {
  const auto& [hops, packets, start, interval] = pipeline;
  if (hops == 0) return;
  const auto arrival = [&](std::uint64_t packet) { return start + hops + interval * (packet - 1); };  // from 1 on
  const std::uint64_t end = arrival(packets.pieces());
  const std::uint64_t fall = packets.longer() == 0 ? start : arrival(packets.longer());
  for (const SizeSpan& span : {SizeSpan{start, fall, packets.longest()}, SizeSpan{fall, end, packets.shortest()}}) {
    if (std::find(spans.begin(), spans.end(), span) == spans.end()) spans.push_back(span);  // many paths are equal
  }
}

/// The numbers from 1 to `most` within `reach` of floor(words / z) for any z from 1 to words, ascending.
void add_near_quotients(std::uint64_t words, std::uint64_t reach, std::uint64_t most, std::vector<std::uint64_t>& all) {
  std::uint64_t next = 1;  // all near numbers below it are in
  for (std::uint64_t quotient = 0; next <= most && quotient < words;) {
    quotient = words / (words / (quotient + 1));  // the next larger one
    next = std::max(next, quotient > reach ? quotient - reach : 1);
    for (; next <= std::min(most, quotient + reach); ++next) all.push_back(next);
  }
}

/// Throws InputError unless `parts` parts of the words have a word for each of their packets.
void require_words_for_packets(const Settings& settings, std::uint64_t parts) {
  const std::uint64_t most = *settings.words / parts;
  if (*settings.packets >= 1 && *settings.packets <= most) return;
  throw InputError("--packets " + std::to_string(*settings.packets) + " is out of range: 1 to " + std::to_string(most) +
                   ", as every packet " + (parts == 1 ? "" : "of " + std::to_string(parts) + " parts ") +
                   "has at least one of the " + counted(*settings.words, "word"));
}

}  // namespace

std::vector<Part> split_in_parts(std::uint64_t words, std::uint64_t parts, std::uint64_t packets) {
  const Split split(words, parts);
  std::vector<Part> all;
  for (std::uint64_t part = 0; part < parts; ++part) {
    all.push_back({split.first(part), Split(split.size(part), packets)});
  }
  return all;
}

bool takes_turns(const Model& model, bool on_medium) {
  return model.duplex == Duplex::half_node || (on_medium && model.duplex == Duplex::half_link);
}

std::uint64_t packet_interval(const Model& model, std::uint64_t hops, bool on_medium) {
  return hops > 1 && takes_turns(model, on_medium) ? 2 : 1;
}

StepCounts count_steps(std::span<const Pipeline> pipelines, const CostModel& cost) {
  std::vector<SizeSpan> spans;
  std::vector<std::uint64_t> times;
  spans.reserve(2 * pipelines.size());
  times.reserve(4 * pipelines.size() + 1);
  times.push_back(0);
  for (const Pipeline& pipeline : pipelines) add_spans(pipeline, spans);
  for (const SizeSpan& span : spans) times.insert(times.end(), {span.from, span.until});
  std::sort(times.begin(), times.end());
  StepCounts counts{.steps = times.back()};
  for (std::size_t index = 1; index < times.size(); ++index) {
    const std::uint64_t from = times[index - 1];
    std::uint64_t longest = 0;
    for (const SizeSpan& span : spans) {
      if (span.from <= from && from < span.until) longest = std::max(longest, span.size);
    }
    if (longest == 0) continue;
    counts.longest_sum += (times[index] - from) * longest;
    counts.startups += (times[index] - from) * cost.startups(longest);
  }
  return counts;
}

StepCounts count_steps(const Pipeline& pipeline, const CostModel& cost) { return count_steps({&pipeline, 1}, cost); }

std::vector<std::uint64_t> candidates(const TurningPoints& turns, std::uint64_t most) {
  std::vector<std::uint64_t> all;
  // Each of these is a range in order, to which the next is merged.
  for (const std::uint64_t words : turns.words) {
    const auto before = static_cast<std::ptrdiff_t>(all.size());
    add_near_quotients(words, turns.reach, most, all);
    std::inplace_merge(all.begin(), all.begin() + before, all.end());
  }
  const auto near_quotients = static_cast<std::ptrdiff_t>(all.size());
  for (const std::uint64_t packets : turns.packets) {
    std::uint64_t near = packets > turns.reach ? packets - turns.reach : 1;
    for (; near <= std::min(most, packets + turns.reach); ++near) all.push_back(near);
  }
  std::sort(all.begin() + near_quotients, all.end());
  std::inplace_merge(all.begin(), all.begin() + near_quotients, all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::uint64_t cheapest(std::span<const std::uint64_t> candidates, const TimeOfPackets& time,
                       const TimeOfPackets& least) {
  constexpr double up_to_rounding = 1 + 1e-12;
  double limit = std::numeric_limits<double>::infinity();
  std::vector<double> bounds;
  if (least) {
    bounds.reserve(candidates.size());
    for (const std::uint64_t candidate : candidates) bounds.push_back(least(candidate));
    limit = time(candidates[static_cast<std::size_t>(std::ranges::min_element(bounds) - bounds.begin())]);
  }
  std::vector<std::pair<std::uint64_t, double>> timed;
  for (std::size_t index = 0; index < candidates.size(); ++index) {
    if (least && bounds[index] > limit * up_to_rounding) continue;
    timed.emplace_back(candidates[index], time(candidates[index]));
    limit = std::min(limit, timed.back().second);
  }
  return std::ranges::find_if(timed, [&](const auto& one) { return one.second <= limit * up_to_rounding; })->first;
}

std::uint64_t cheapest(const TurningPoints& turns, std::uint64_t most, const TimeOfPackets& time,
                       const TimeOfPackets& least) {
  return cheapest(candidates(turns, most), time, least);
}

void PacketsWordsParameter::resolve(Settings& settings, std::uint64_t parts) const {
  if (settings.words) {
    whole_number(name, *settings.words, parts, most_words);
    return;  // PacketsParameter::resolve() compares the packets with it
  }
  settings.words = parts * whole_number("packets", settings.packets.value_or(1), 1, most_words / parts);
}

void PacketsParameter::resolve(Settings& settings, std::uint64_t parts, const TurningPoints& turns, const Time& time,
                               const Time& least) const {
  if (!settings.packets) settings.packets = cheapest(turns, *settings.words / parts, time, least);
  require_words_for_packets(settings, parts);
}

void PacketsParameter::resolve(Settings& settings, std::uint64_t parts, const Time& time, const Time& least) const {
  resolve(settings, parts, {.words = {*settings.words / parts}}, time, least);
}

void PacketsOrWholeParameter::resolve(Settings& settings) const {
  settings.packets = settings.packets.value_or(1);
  require_words_for_packets(settings, 1);
}

}  // namespace lockstep
