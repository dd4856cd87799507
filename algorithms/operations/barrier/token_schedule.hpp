#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::barrier {

/// A processor's action on one token while tokens are gathered.
struct TokenMove {
  enum class Action : std::uint8_t {
    take_in,  ///< receives the token of a child and adds it to its own
    keep,     ///< receives a token that it has to forward
    send      ///< its own token, or one that it has kept
  };

  std::uint32_t cycle;  ///< of the action
  Rank token;           ///< the node whose token it is
  std::uint8_t port;
  Action action;

  friend bool operator==(const TokenMove&, const TokenMove&) = default;
};

/// A schedule that brings the tokens of all processors to processor 0 over the tree of a reduction, planned with a view
/// of the whole machine (mukherjee.md, Barrier). A processor sends its token once it has arrived and has those of all
/// its children; tokens that come before it arrives are added or forwarded meanwhile. A send that would break the port
/// model waits: in every cycle the higher sender waits for the lower one, and among one sender's tokens the higher
/// node's goes first. Immutable.
class TokenSchedule {
 public:
  /// `arrivals` are the cycles in which processors arrive, below 2^31, one for each. The machine is a hypercube or
  /// reduced hypercube, `topology` is its wiring.
  TokenSchedule(const MachineSpec& machine, const Topology& topology, const Model& model,
                const std::vector<Cycle>& arrivals);

  /// The processor's actions in their order; within a cycle it receives before it sends.
  std::span<const TokenMove> moves(Rank rank) const {
    return std::span(moves_).subspan(first_move_[rank], first_move_[rank + 1] - first_move_[rank]);
  }
  /// The cycle in which processor 0 has arrived and has the tokens of all others.
  Cycle complete() const { return complete_; }

  /// Bytes that making and keeping a schedule takes, at most.
  static std::uint64_t bytes(const MachineSpec& machine);

 private:
  std::vector<TokenMove> moves_;
  std::vector<std::uint64_t> first_move_;  // one entry more than there are processors
  Cycle complete_ = 0;
};

}  // namespace lockstep::barrier
