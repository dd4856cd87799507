#pragma once

#include <utility>
#include <vector>

#include "lockstep/machines/hypercube.hpp"
#include "operands/partials.hpp"

// The part of a reduction that stays in one cube.
namespace lockstep::reduce {

using operands::Partial;

/// What a processor holds.
template <class Value>
struct HeldPartials {
  Partial<Value> own;                    ///< its value at first, then its partial result; in the end the root's result
  std::vector<Partial<Value>> received;  ///< by nodes that combine, where it is judged
};

/// lower := lower (+) higher, which has just been received.
template <class T, class Values>
void take_in(Processor<T>& self, const Values& values, HeldPartials<typename Values::Value>& lower,
             Partial<typename Values::Value> higher) {
  operands::append(self, values, lower.own, higher);
  if (values.may_absorb()) lower.received.push_back(std::move(higher));
}

/// On a cube of that many dimensions, which may be a building block: in step i the nodes with bits 0..i-1 zero and bit
/// i one send their partial result on port i. A node is ready for its step when it has received in all before.
template <class Values>
Process reduce_cube(Processor<Partial<typename Values::Value>>& self, const Values& values, Rank node, Port dimensions,
                    HeldPartials<typename Values::Value>& held) {
  for (Port i = 0; i < dimensions; ++i) {
    if (has_bit(node, i)) {
      self.send(i, std::move(held.own));
      co_return;
    }
    Partial<typename Values::Value> higher = co_await self.message(i);
    take_in(self, values, held, std::move(higher));
  }
}

}  // namespace lockstep::reduce
