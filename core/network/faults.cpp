#include "lockstep/core/faults.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace lockstep {
namespace {

void verify_rank(Rank rank, const Topology& topology) {
  if (rank < topology.processors()) return;
  throw std::invalid_argument(topology.name() + " has no rank " + std::to_string(rank) + ": they are 0 to " +
                              std::to_string(topology.processors() - 1));
}

}  // namespace

void verify(const Faults& faults, const Topology& topology) {
  for (const LinkFault& fault : faults.links) {
    if (topology.medium()) throw std::invalid_argument(topology.name() + " has no links that could fail");
    verify_rank(fault.a, topology);
    verify_rank(fault.b, topology);
    if (topology.port_to(fault.a, fault.b) == topology.ports()) {
      throw std::invalid_argument(topology.name() + " has no link between ranks " + std::to_string(fault.a) + " and " +
                                  std::to_string(fault.b));
    }
  }
  for (const ProcessorFault& fault : faults.processors) verify_rank(fault.rank, topology);
  for (const Straggler& straggler : faults.stragglers) {
    verify_rank(straggler.rank, topology);
    if (!std::isfinite(straggler.factor) || straggler.factor <= 0) {
      throw std::invalid_argument("the factor of a straggler must be a positive number");
    }
  }
}

}  // namespace lockstep
