// Star and pancake graphs: processors are permutations, links lead to those with a few symbols moved.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "families/families.hpp"
#include "lockstep/machines/permutation.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

void read_permutations(const SpecReader& reader, MachineSpec& spec) {
  const std::uint64_t n = reader.number(reader.parameters(), "N");
  if (n < 2 || n > Permutation::most_symbols) {
    reader.refuse("N is " + std::to_string(n) + ", out of range: 2 to " + std::to_string(Permutation::most_symbols));
  }
  spec.parameters = {n};
  spec.processors = factorial(static_cast<unsigned>(n));
  spec.ports = n - 1;
}

unsigned symbols(const MachineSpec& spec) { return static_cast<unsigned>(spec.parameters[0]); }

Topology::Label permutation_label(const MachineSpec& spec) {
  return [n = symbols(spec)](Rank rank) { return Permutation(n, rank).to_string(); };
}

Wiring star_wiring(const MachineSpec& spec) {
  return [n = symbols(spec)](Rank rank, Port port) {
    Permutation permutation(n, rank);
    permutation.swap(0, port + 1);
    return End{permutation.rank(), port};
  };
}

Wiring pancake_wiring(const MachineSpec& spec) {
  return [n = symbols(spec)](Rank rank, Port port) {
    Permutation permutation(n, rank);
    permutation.reverse_first(port + 2);
    return End{permutation.rank(), port};
  };
}

MachineFacts facts_by_degree(const MachineSpec& spec) {
  MachineFacts facts;
  facts.links = spec.processors / 2 * spec.ports;
  facts.degree_min = facts.degree_max = spec.ports;
  return facts;
}

/// Akers & Krishnamurthy 1989: diameter floor(3 (n-1) / 2), mean distance over all n! processors n + 2/n + H_n - 4.
MachineFacts star_facts(const MachineSpec& spec) {
  const std::uint64_t n = symbols(spec);
  MachineFacts facts = facts_by_degree(spec);
  facts.diameter = 3 * (n - 1) / 2;
  std::uint64_t status = spec.processors * n + 2 * spec.processors / n;
  for (std::uint64_t i = 1; i <= n; ++i) status += spec.processors / i;
  facts.average_status = Fraction(status - 4 * spec.processors);
  return facts;
}

/// No formula is known. The table was found by search: the reversals that sort the worst pile of n pancakes, and those
/// for all piles together.
MachineFacts pancake_facts(const MachineSpec& spec) {
  constexpr std::array<std::uint64_t, Permutation::most_symbols + 1> diameters = {0, 0, 1, 3, 4, 5, 7, 8, 9, 10, 11};
  constexpr std::array<std::uint64_t, Permutation::most_symbols + 1> statuses = {
      0, 0, 1, 9, 60, 425, 3295, 28280, 267711, 2780947, 31510718};
  MachineFacts facts = facts_by_degree(spec);
  facts.diameter = diameters[symbols(spec)];
  facts.average_status = Fraction(statuses[symbols(spec)]);
  return facts;
}

/// With three symbols both families are the same ring of six.
std::string permutation_picture(const MachineSpec& spec) {
  const unsigned n = std::min(symbols(spec), 3U);
  const std::string heading = caption(spec.family + ":" + std::to_string(n), spec);
  if (n == 2) return heading + "0 --- 1      01 --- 10\n";
  return heading +
         "0 --- 2 --- 4      012 --- 102 --- 201\n"
         "|           |       |               |\n"
         "5 --- 3 --- 1      210 --- 120 --- 021\n";
}

/// The rank of the order in which the first `count` symbols stand.
Rank rank_of_first(const Permutation& permutation, unsigned count) {
  std::uint64_t rank = 0;
  for (unsigned place = 0; place < count; ++place) {
    std::uint64_t smaller = 0;
    for (unsigned later = place + 1; later < count; ++later) smaller += permutation[later] < permutation[place] ? 1 : 0;
    rank += smaller * factorial(count - 1 - place);
  }
  return static_cast<Rank>(rank);
}

/// For three symbols: ports 0 and 1 alternate around the hexagon.
Positions hexagon(const MachineSpec& spec) {
  MachineSpec of_three = spec;
  of_three.parameters = {3};
  const Wiring wiring = family_of(spec).wiring(of_three);
  const Positions corners = on_circle(factorial(3));
  Positions positions(corners.size());
  Rank rank = 0;
  for (Port step = 0; step < corners.size(); ++step) {
    positions[rank] = corners[step];
    rank = wiring(rank, step % 2).rank;
  }
  return positions;
}

/// Permutations with the same last symbol are linked like those of one symbol less: these copies stand around a circle,
/// turned towards its middle.
Positions around_circle(const Positions& copy, unsigned symbols) {
  const double turn = 2 * std::numbers::pi / symbols;
  const double distance = (radius(copy) + 0.5) / std::sin(turn / 2);
  Positions positions;
  positions.reserve(copy.size() * symbols);
  for (Rank rank = 0; rank < copy.size() * symbols; ++rank) {
    const Permutation permutation(symbols, rank);
    const Position& at = copy[rank_of_first(permutation, symbols - 1)];
    const double angle = turn * permutation[symbols - 1];
    const double sine = std::sin(angle);
    const double cosine = std::cos(angle);
    positions.push_back(
        {distance * sine + at.x * cosine + at.y * sine, distance * cosine - at.x * sine + at.y * cosine});
  }
  return positions;
}

Positions permutation_layout(const MachineSpec& spec) {
  if (symbols(spec) == 2) return on_line(2);
  Positions positions = hexagon(spec);
  for (unsigned count = 4; count <= symbols(spec); ++count) positions = around_circle(positions, count);
  return positions;
}

}  // namespace

MachineFamily star_family() {
  return {.name = "star",
          .form = "star:N",
          .limits = "N from 2 to 10",
          .example = "star:4",
          .summary = "star graph of the N! permutations of N symbols",
          .ports = "exchanges the symbols at the places 0 and p+1",
          .read = read_permutations,
          .wiring = star_wiring,
          .label = permutation_label,
          .facts = star_facts,
          .picture = permutation_picture,
          .layout = permutation_layout};
}

MachineFamily pancake_family() {
  return {.name = "pancake",
          .form = "pancake:N",
          .limits = "N from 2 to 10",
          .example = "pancake:4",
          .summary = "pancake graph of the N! permutations of N symbols",
          .ports = "reverses the first p+2 symbols",
          .read = read_permutations,
          .wiring = pancake_wiring,
          .label = permutation_label,
          .facts = pancake_facts,
          .picture = permutation_picture,
          .layout = permutation_layout};
}

}  // namespace lockstep
