#pragma once

#include "method_run.hpp"

namespace lockstep {

/// Runs the method in its default model with these words a block, and expects T steps with S messages, all of one block
/// (dimakopoulos.md, Conventions), and the same prediction.
inline Report expect_total_exchange(std::string_view name, const BuiltMachine& machine, std::uint64_t T,
                                    std::uint64_t S, std::uint64_t b) {
  return expect_run(machine, name, model_of(PortModel::one), block_settings(b),
                    {.steps = T, .longest_sum = T * b, .messages = S, .words = S * b, .message_words = b});
}

/// The lower bound with that port model; blocks of 3 words make a longest sum of 3 words a step.
inline void expect_bound(std::string_view name, const std::string& machine, PortModel ports, std::uint64_t steps) {
  EXPECT_EQ(bound(name, machine, block_settings(3), model_of(ports)), Bound(steps, 3 * steps))
      << machine << ", " << lockstep::name(ports);
}

}  // namespace lockstep
