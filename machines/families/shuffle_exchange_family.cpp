#include <algorithm>
#include <bit>

#include "families/families.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/shuffle_exchange.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

void shuffle_exchange_read(const SpecReader& reader, MachineSpec& spec) {
  const std::uint64_t n = reader.count(reader.parameters(), "N");
  spec.parameters = {n};
  spec.processors = saturating_power_of_two(n);
  spec.ports = ShuffleExchange::ports;
}

ShuffleExchange shuffle_exchange_addresses(const MachineSpec& spec) {
  return ShuffleExchange(static_cast<unsigned>(spec.parameters[0]));
}

Wiring shuffle_exchange_wiring(const MachineSpec& spec) {
  return [network = shuffle_exchange_addresses(spec)](Rank rank, Port port) { return network.neighbour(rank, port); };
}

Topology::Label shuffle_exchange_label(const MachineSpec& spec) {
  return [n = static_cast<unsigned>(spec.parameters[0])](Rank rank) { return bits(rank, n); };
}

MachineFacts shuffle_exchange_facts(const MachineSpec& spec) {
  const std::uint64_t n = spec.parameters[0];
  // Every processor shuffles to another, except 0..0 and 1..1; and 0101.. and 1010.. shuffle to each other.
  const std::uint64_t shuffles = spec.processors - 2 - (n % 2 == 0 ? 1 : 0);
  MachineFacts facts;
  facts.links = spec.processors / 2 + shuffles;
  facts.degree_min = 1;
  facts.degree_max = std::min<std::uint64_t>(n, 3);
  facts.diameter = 2 * n - 1;  // from 0..0 to 1..1: n exchanges with n - 1 shuffles between them
  if (const auto found = all_distances(spec, shuffle_exchange_wiring(spec))) {
    facts.average_status = found->average_status;
  }
  facts.parted_pairs = most_parted_pairs(spec, shuffle_exchange_wiring(spec));
  return facts;
}

std::string shuffle_exchange_picture(const MachineSpec& spec) {
  switch (spec.parameters[0]) {
    case 1:
      return caption("shuffle-exchange:1", spec) + "0 --- 1\n";
    case 2:
      return caption("shuffle-exchange:2", spec) +
             "0 --- 1 ... 2 --- 3\n"
             "--- exchange, ... shuffle\n";
    default:
      return caption("shuffle-exchange:3", spec) +
             "         2 --- 3\n"
             "        /|     |\\\n"
             "0 --- 1  |     |  6 --- 7\n"
             "        \\|     |/\n"
             "         4 --- 5\n"
             "--- exchange, the triangles shuffle: 1 to 2 to 4 to 1, 3 to 6 to 5 to 3\n";
  }
}

/// A column for every number of ones: all rotations have as many, an exchange has one more or less. In a column the
/// circles of rotations stand one above the other, around the middle.
Positions shuffle_exchange_layout(const MachineSpec& spec) {
  const ShuffleExchange network = shuffle_exchange_addresses(spec);
  const unsigned n = network.address_bits();
  const double width = 2 * radius(on_circle(n)) + 1;
  std::vector<double> heights(n + 1);  // of the columns
  Positions positions(spec.processors);
  const auto rotations = [&network](Rank least) {
    std::vector<Rank> circle{least};
    for (Rank x = network.shuffled(least); x != least; x = network.shuffled(x)) circle.push_back(x);
    return circle;
  };
  for (Rank x = 0; x < spec.processors; ++x) {
    const std::vector<Rank> circle = rotations(x);
    if (*std::ranges::min_element(circle) != x) continue;
    const auto column = static_cast<std::size_t>(std::popcount(x));
    const Positions places = on_circle(circle.size());
    const double half = radius(places) + 0.5;
    for (std::size_t i = 0; i < circle.size(); ++i) {
      positions[circle[i]] = {static_cast<double>(column) * width + places[i].x, heights[column] + half + places[i].y};
    }
    heights[column] += 2 * half;
  }
  for (Rank x = 0; x < spec.processors; ++x) positions[x].y -= heights[static_cast<std::size_t>(std::popcount(x))] / 2;
  return positions;
}

}  // namespace

MachineFamily shuffle_exchange_family() {
  return {.name = "shuffle-exchange",
          .form = "shuffle-exchange:N",
          .limits = "N from 1 to 31",
          .example = "shuffle-exchange:4",
          .summary = "shuffle-exchange network of 2^N processors",
          .ports = "0 = rank xor 1, 1 = bits rotated left, 2 = right; no loops, no double links",
          .read = shuffle_exchange_read,
          .wiring = shuffle_exchange_wiring,
          .label = shuffle_exchange_label,
          .facts = shuffle_exchange_facts,
          .picture = shuffle_exchange_picture,
          .layout = shuffle_exchange_layout};
}

}  // namespace lockstep
