#pragma once

#include <array>
#include <string>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/model.hpp"
#include "measurements.hpp"

namespace lockstep::bench {

/// A form of kernel E whose instructions are counted: on one thread with n = 12.
struct InstructionKernel {
  const char* payload;  ///< "Word", or "Block" for one of a single word
  PortModel ports;
  ChannelKind channels;
};

inline constexpr std::array<InstructionKernel, 6> instruction_kernels{
    {{"Word", PortModel::one, ChannelKind::compact},
     {"Word", PortModel::one, ChannelKind::lockfree},
     {"Word", PortModel::all, ChannelKind::compact},
     {"Word", PortModel::all, ChannelKind::lockfree},
     {"Block", PortModel::one, ChannelKind::compact},
     {"Block", PortModel::one, ChannelKind::lockfree}}};

/// "Word, --ports one, --channels compact".
inline std::string text(const InstructionKernel& kernel) {
  return std::string(kernel.payload) + ", --ports " + std::string(name(kernel.ports)) + ", --channels " +
         std::string(name(kernel.channels));
}

/// Adds the instructions a message of every kernel, which valgrind counts: the difference of two numbers of rounds, so
/// that set-up cancels. Returns whether valgrind is installed. `program` is this program, which valgrind runs.
bool count_instructions(const std::string& program, Measurements& measurements);

/// Runs the kernel that valgrind watches if the argument names one. Returns false for another argument.
bool run_watched(const std::string& argument);

}  // namespace lockstep::bench
