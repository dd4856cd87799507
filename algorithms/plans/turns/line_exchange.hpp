#pragma once

#include <optional>
#include <vector>

#include "lockstep/machines/grid.hpp"

namespace lockstep::turns {

/// The links of a ring with an odd number of places that an exchange uses.
enum class OddRing {
  closed,  ///< all; in step t place t is idle, and those after it exchange two by two
  open     ///< those of a path
};

/// One dimension of a grid, along every line of which neighbours exchange in alternating pairs (collectives.md,
/// Barrier).
class LineExchange {
 public:
  LineExchange(const GridAxis& axis, OddRing odd_ring)
      : axis_(axis), is_closed_(axis.is_ring() && (axis.side() % 2 == 0 || odd_ring == OddRing::closed)) {}

  const GridAxis& axis() const { return axis_; }
  /// Until all in a line know of all.
  Cycle steps() const;
  /// Pairs of a line in all steps.
  Wide pairs() const;

  /// Whether the place's partner in that step is the next one, not the one before; empty if it has none.
  std::optional<bool> has_next(Rank place, Cycle step) const;
  /// The next place of the line, or the one before.
  Rank neighbour(Rank place, bool next) const { return (place + (next ? 1 : side() - 1)) % side(); }
  /// Whether the place still has values for its partner in that step, if every value goes past every place once. Not
  /// for closed rings with an odd number of places.
  bool has_values(Rank place, Cycle step, bool for_next) const;
  /// Messages in a line that carry such values.
  Wide messages_with_values() const;

 private:
  Rank side() const { return axis_.side(); }

  GridAxis axis_;
  bool is_closed_;
};

using LineExchanges = std::vector<LineExchange>;

/// All dimensions of a ring, path, torus or mesh, the last one first: all ranks that agree in the dimensions to come
/// are consecutive.
LineExchanges line_exchanges(const MachineSpec& machine, OddRing odd_ring);

/// Steps of all of them.
Wide steps(const LineExchanges& lines);

}  // namespace lockstep::turns
