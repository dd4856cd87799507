#pragma once

#include <cstddef>
#include <memory>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "lockstep/core/executor.hpp"
#include "network/medium_network.hpp"

namespace lockstep::detail {

/// The parts of a machine.
struct MachineParts {
  Ground ground;
  Executor& executor;
  const std::size_t cores;  // of the host
  const ChannelKind channels;
  std::unique_ptr<LinkNetwork> links;     // null on a medium
  std::unique_ptr<MediumNetwork> medium;  // null on links
  Report until_error{};

  Network& network() const {
    if (links != nullptr) return *links;
    return *medium;
  }
};

}  // namespace lockstep::detail
