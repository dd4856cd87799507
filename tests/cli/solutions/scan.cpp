#include "lockstep/algorithms/operation/scan.hpp"

#include "solutions.hpp"

namespace lockstep::solutions {
namespace {

// Neighbours exchange the totals of the subcubes that they have seen: the total of lower ranks is added to the result.
Process subcubes(Processor<Block>& self, const operands::NumberValues& values, Block& own) {
  Block total = own;
  for (Port port = 0; port < self.ports(); ++port) {
    Message<Block> message = co_await self.exchange(port, total);
    Block other = message.payload;
    if ((self.rank() >> port & 1) == 1) {
      Block result = other;
      values.combine(result, own);
      own = result;
      values.combine(other, total);
      total = other;
    } else {
      values.combine(total, other);
    }
  }
}

// The result of one rank goes to the next, dimension by dimension.
Process one_by_one(Processor<Block>& self, const operands::NumberValues& values, Block& own) {
  Block before;
  for (Rank next = 1; next < self.processors(); ++next) {
    Rank at = next - 1;
    if (self.rank() == at) before = own;
    for (Port port = 0; at != next; ++port) {
      if (self.rank() == at) self.send(port, before);
      at ^= Rank{1} << port;
      if (self.rank() == at) before = (co_await self.message(port)).payload;
    }
    if (self.rank() == next) {
      values.combine(before, own);
      own = before;
    }
  }
}

// Totals of higher ranks are added to the result, too.
Process both_sides(Processor<Block>& self, const operands::NumberValues& values, Block& own) {
  for (Port port = 0; port < self.ports(); ++port) {
    Message<Block> message = co_await self.exchange(port, own);
    values.combine(own, message.payload);
  }
}

}  // namespace

std::vector<Method> scans() {
  return {scan::own_method<subcubes>("scan/right", {"hypercube"}),
          scan::own_method<one_by_one>("scan/slow", {"hypercube"}),
          scan::own_method<both_sides>("scan/wrong", {"hypercube"})};
}

}  // namespace lockstep::solutions
