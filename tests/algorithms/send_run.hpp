#pragma once

#include "method_run.hpp"

// What the tests of the send methods share.
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

}  // namespace lockstep
