#include "line_exchange.hpp"

namespace lockstep::turns {

Cycle LineExchange::steps() const {
  const Cycle s = side();
  if (s == 1) return 0;
  if (is_closed_) return s % 2 == 0 ? s / 2 : (s + 3) / 2;
  return s - 1 + s % 2;
}

Wide LineExchange::pairs() const {
  const Wide s = side();
  const Wide even_steps = (Wide{steps()} + 1) / 2;
  return even_steps * (s / 2) + (steps() - even_steps) * (is_closed_ ? s / 2 : (s - 1) / 2);
}

std::optional<bool> LineExchange::has_next(Rank place, Cycle step) const {
  const Rank s = side();
  if (is_closed_ && s % 2 == 1) {
    const Rank after_idle = static_cast<Rank>((place + s - step % s) % s);
    if (after_idle == 0) return {};
    return after_idle % 2 == 1;
  }
  const bool next = place % 2 == step % 2;
  if (!is_closed_ && place == (next ? s - 1 : 0)) return {};
  return next;
}

// On a path the first value to come from the end of a line with an idle place there does so a step late.
bool LineExchange::has_values(Rank place, Cycle step, bool for_next) const {
  return is_closed_ || step <= (for_next ? place : side() - 1 - place + side() % 2);
}

Wide LineExchange::messages_with_values() const {
  const Wide s = side();
  return s % 2 == 0 ? s * s / 2 : (s - 1) * (s + 2) / 2;
}

LineExchanges line_exchanges(const MachineSpec& machine, OddRing odd_ring) {
  const Grid grid(machine);
  LineExchanges lines;
  for (std::size_t dimension = grid.dimensions(); dimension-- > 0;) {
    lines.emplace_back(grid.axis(dimension), odd_ring);
  }
  return lines;
}

Wide steps(const LineExchanges& lines) {
  Wide sum = 0;
  for (const LineExchange& line : lines) sum += line.steps();
  return sum;
}

}  // namespace lockstep::turns
