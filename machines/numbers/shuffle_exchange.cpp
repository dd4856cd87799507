#include "lockstep/machines/shuffle_exchange.hpp"

#include <stdexcept>
#include <string>

namespace lockstep {

ShuffleExchange::ShuffleExchange(unsigned n) : n_(n) {
  if (n < 1 || n > 31) {
    throw std::invalid_argument("a shuffle-exchange network of " + std::to_string(n) +
                                " bits does not exist here: 1 to 31");
  }
}

End ShuffleExchange::neighbour(Rank x, Port port) const {
  const Rank there = moved(x, port);
  if (there == x || port_to(x, there) < port) return {};
  return {there, port_to(there, x)};
}

Rank ShuffleExchange::moved(Rank x, Port port) const {
  if (port == exchange_port) return x ^ 1;
  return port == shuffle_port ? shuffled(x) : unshuffled(x);
}

Port ShuffleExchange::port_to(Rank x, Rank y) const {
  Port port = 0;
  while (moved(x, port) != y) ++port;
  return port;
}

}  // namespace lockstep
