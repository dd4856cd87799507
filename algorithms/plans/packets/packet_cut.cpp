#include "packet_cut.hpp"

namespace lockstep::packets {

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

// With start-ups once a path, a step in which a packet starts takes as long as that packet, unless it is the last and
// short; later steps take as long as the packet before it, which moves until the last step (johnsson-ho.md, Start-ups
// once a path).
double full_packet_time(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words, const CostModel& cost) {
  if (cost.startup == StartupPer::hop) return full_packet_counts(hops, words, packet_words, cost).time(cost);
  if (hops == 0) return 0;
  const PacketCut cut = PacketCut::full(words, std::min(words, packet_words));
  const std::uint64_t full = cut.packets() - 1;
  const std::uint64_t last = cut.size(full);
  const double start = cost.time(cost.startups(last), last);
  if (hops == 1) return static_cast<double>(full) * cost.time(cost.startups(cut.size(0)), cut.size(0)) + start;
  const std::uint64_t beside = full == 0 ? last : cut.size(full - 1);
  return static_cast<double>(full) * cost.time(cost.startups(cut.size(0)), cut.size(0)) +
         std::max(start, full == 0 ? 0 : cost.time(0, beside)) + cost.time(0, (hops - 2) * beside + last);
}

// On the first link a packet follows the one before it at once; then its speed is limited by its own words, or those of
// the packet before it.
double full_packet_arrival(std::uint64_t hops, std::uint64_t words, std::uint64_t packet_words, const CostModel& cost) {
  if (hops == 0) return 0;
  const PacketCut cut = PacketCut::full(words, std::min(words, packet_words));
  const std::uint64_t full = cut.packets() - 1;
  const std::uint64_t last = cut.size(full);
  const double behind = full == 0 ? 0 : cost.time(0, (hops - 1) * cut.size(full - 1) + last);
  return static_cast<double>(full) * cost.time(cost.startups(cut.size(0)), cut.size(0)) +
         std::max(cost.time(cost.startups(last), hops * last), behind);
}

// Packets longer than --max-packet are never the best: those of exactly that length take fewer words and start-ups,
// ceil(K/B_m) and one for every further hop. The smallest of the shorter sizes with equally many packets is the best.
std::uint64_t default_packet_words(std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  if (hops <= 1) return words;
  const auto size = [words](std::uint64_t packets) { return (words + packets - 1) / packets; };
  return size(cheapest({.words = {words}}, words,
                       [&](std::uint64_t packets) { return full_packet_time(hops, words, size(packets), cost); }));
}

void resolve_packet_words(Settings& settings, std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  if (!settings.packet_words) settings.packet_words = default_packet_words(hops, words, cost);
  packet_words_parameter.resolve(settings, {.most = words});
}

}  // namespace lockstep::packets
