#include "packet_cut.hpp"

namespace lockstep::permute {

StepCounts full_packet_counts(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words,
                              const CostModel& cost) {
  if (hops == 0) return {};
  const PacketCut cut = PacketCut::full(words, std::min(words, packet_words));
  const std::uint64_t steps = cut.packets() + hops - 1;
  const std::uint64_t last = cut.size(cut.packets() - 1);
  return {.steps = steps,
          .longest_sum = (steps - 1) * cut.size(0) + last,
          .startups = (steps - 1) * cost.startups(cut.size(0)) + cost.startups(last)};
}

// Packets longer than --max-packet are never the best: those of just so many words take fewer words and start-ups,
// ceil(K/B_m) and one for every further hop. Of the shorter sizes that make equally many packets the smallest is.
std::uint64_t default_packet_words(std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  if (hops <= 1) return words;
  const auto size = [words](std::uint64_t packets) { return (words + packets - 1) / packets; };
  return size(cheapest({.words = {words}}, words, [&](std::uint64_t packets) {
    return full_packet_counts(hops, words, size(packets), cost).time(cost);
  }));
}

void resolve_packet_words(Settings& settings, std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  if (!settings.packet_words) settings.packet_words = default_packet_words(hops, words, cost);
  packet_words_parameter.resolve(settings, {.most = words});
}

}  // namespace lockstep::permute
