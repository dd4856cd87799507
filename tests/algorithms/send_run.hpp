#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "method_run.hpp"
#include "operations/send/paths.hpp"
#include "path_lengths.hpp"

// Shared by the tests of the send methods.
namespace lockstep {

inline Settings transfer(Rank source, Rank destination, std::uint64_t words,
                         std::optional<std::uint64_t> packets = {}) {
  Settings settings;
  settings.source = source;
  settings.destination = destination;
  settings.words = words;
  settings.packets = packets;
  return settings;
}

/// S, W, M, V.
struct Counts {
  std::uint64_t steps, longest_sum, messages, words;
};

/// Runs in the strictest duplex mode of its section, half-link, and compares run and prediction with the counts.
inline void expect_run(const BuiltMachine& machine, std::string_view method, PortModel ports, const Settings& settings,
                       const Counts& counts, Duplex duplex = Duplex::half_link) {
  expect_run(machine, method, model_of(ports, duplex), settings,
             {.steps = counts.steps,
              .longest_sum = counts.longest_sum,
              .messages = counts.messages,
              .words = counts.words,
              .peak_words_held = *settings.words});
}

// saad-schultz-1985.md, Pipelines, for one path; sizes that the packets divide or do not divide.
inline Counts along_path(std::uint64_t hops, std::uint64_t words, std::uint64_t packets) {
  if (hops == 0) return {};
  return {hops + packets - 1, (hops - 1) * ((words + packets - 1) / packets) + words, hops * packets, hops * words};
}

/// Hops of the paths: both arcs, i of length i and n - i of i + 2, or the table of saad-schultz-1988.md, Four paths; on
/// other grids those of the library's paths, whose lengths have separate tests.
inline std::vector<std::uint64_t> lengths_of_ways(const BuiltMachine& machine, Rank to) {
  const std::uint64_t k = machine.topology.processors();
  if (machine.spec.family == "ring") {
    return {std::min<std::uint64_t>(to, k - to), std::max<std::uint64_t>(to, k - to)};
  }
  if (machine.spec.family == "hypercube") {
    const auto i = static_cast<std::uint64_t>(std::popcount(to));
    std::vector<std::uint64_t> lengths(machine.topology.ports(), i + 2);
    std::fill_n(lengths.begin(), i, i);
    return lengths;
  }
  const auto s = static_cast<std::uint64_t>(std::lround(std::sqrt(static_cast<double>(k))));
  if (s * s != k) return send::lengths(send::disjoint_paths(machine.spec, 0, to));
  const auto displacement = [s](std::uint64_t a) { return std::min(a, s - a); };
  return lengths_of_table(s, displacement(to % s), displacement(to / s));
}

/// Words of a piece, by split.
inline std::uint64_t piece(std::uint64_t words, std::uint64_t pieces, std::uint64_t index) {
  return words / pieces + (index < words % pieces ? 1 : 0);
}

/// saad-schultz-1985.md, Pipelines, for several: "longest(t) = max over r with t <= L_r+nu_r-1 of z_r[max(0, t-L_r)]".
inline Counts along_paths(const std::vector<std::uint64_t>& lengths, std::uint64_t words, std::uint64_t packets) {
  Counts counts{};
  const auto part = [&](std::size_t path) { return piece(words, lengths.size(), path); };
  for (std::size_t path = 0; path < lengths.size(); ++path) {
    counts.steps = std::max(counts.steps, lengths[path] + packets - 1);
    counts.messages += lengths[path] * packets;
    counts.words += lengths[path] * part(path);
  }
  for (std::uint64_t t = 1; t <= counts.steps; ++t) {
    std::uint64_t longest = 0;
    for (std::size_t path = 0; path < lengths.size(); ++path) {
      if (t > lengths[path] + packets - 1) continue;
      longest = std::max(longest, piece(part(path), packets, t > lengths[path] ? t - lengths[path] : 0));
    }
    counts.longest_sum += longest;
  }
  return counts;
}

}  // namespace lockstep
