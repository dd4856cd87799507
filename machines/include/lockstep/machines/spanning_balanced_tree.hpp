#pragma once

#include <bit>
#include <cassert>

#include "lockstep/machines/hypercube.hpp"

namespace lockstep {

// Ho and Johnsson's spanning balanced n-tree of the n-cube (SBnT; johnsson-ho.md, Trees). A message for the relative
// address c, which is its source xor its destination, goes over the one bits of c: first over dimension base(c), then
// always over the next one bit to the left, from the highest on to the lowest. The subtrees of the root's ports have
// about 2^n / n nodes.
//
//      n = 3, from 000            base(c): c turned right so often is the least of all its turns
//
//         000 --0--> 001 --1--> 011 --2--> 111        base(001) = base(011) = base(111) = 0
//         000 --1--> 010 --2--> 110                   base(010) = base(110) = 1
//         000 --2--> 100 --0--> 101                   base(100) = base(101) = 2

/// The lowest n bits of c turned one place to the right; n is 1 to 31.
constexpr Rank turned_right(Rank c, Port n) { return c >> 1 | (c & 1U) << (n - 1); }

/// The first dimension on the way to the relative address c, which is not 0.
constexpr Port sbnt_base(Rank c, Port n) {
  assert(c != 0);
  Port base = 0;
  Rank least = c;
  Rank turned = c;
  for (Port turns = 1; turns < n; ++turns) {
    turned = turned_right(turned, n);
    if (turned >= least) continue;
    least = turned;
    base = turns;
  }
  return base;
}

/// The dimension that follows `last` among the remaining one bits of the relative address; there must be one.
constexpr Port sbnt_next(Rank left, Port last) {
  assert(left != 0);
  const Rank higher = left & ~((Rank{2} << last) - 1);
  return static_cast<Port>(std::countr_zero(higher != 0 ? higher : left));
}

}  // namespace lockstep
