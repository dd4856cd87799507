#include "packet_cut.hpp"

#include <cmath>

namespace lockstep::permute {

StepCounts full_packet_counts(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words) {
  if (hops == 0) return {};
  const PacketCut cut = PacketCut::full(words, std::min(words, packet_words));
  const std::uint64_t steps = cut.packets() + hops - 1;
  return {.steps = steps, .longest_sum = (steps - 1) * cut.size(0) + cut.size(cut.packets() - 1)};
}

std::uint64_t default_packet_words(std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  if (hops <= 1) return words;
  const double optimum = std::sqrt(static_cast<double>(words) * cost.beta / (static_cast<double>(hops - 1) * cost.tau));
  return better_packets(optimum, words, cost,
                        [&](std::uint64_t packet_words) { return full_packet_counts(hops, words, packet_words); });
}

void resolve_packet_words(Settings& settings, std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  if (!settings.packet_words) settings.packet_words = default_packet_words(hops, words, cost);
  whole_number("packet-words", *settings.packet_words, 1, words);
}

}  // namespace lockstep::permute
