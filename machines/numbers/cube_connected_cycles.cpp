#include "lockstep/machines/cube_connected_cycles.hpp"

#include <stdexcept>
#include <string>

namespace lockstep {

CubeConnectedCycles::CubeConnectedCycles(unsigned d) : d_(d) {
  if (d < 3 || d > 27) {
    throw std::invalid_argument("CCC(" + std::to_string(d) + ") does not exist here: d from 3 to 27");
  }
}

End CubeConnectedCycles::neighbour(Rank x, Port port) const {
  const Rank here = position(x);
  if (port == next_port) return {here + 1 == d_ ? x - here : x + 1, previous_port};
  if (port == previous_port) return {here == 0 ? x + (d_ - 1) : x - 1, next_port};
  return {node(corner(x) ^ Rank{1} << here, here), cube_port};
}

}  // namespace lockstep
