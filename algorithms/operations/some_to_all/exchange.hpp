#pragma once

#include "step_order.hpp"

// The exchange step by step, as a part of programs.
namespace lockstep::some_to_all {

/// Sub-program: one processor's part in a some-to-all in which every origin of a piece is below 2^few, or in an
/// all-to-some in which every destination is: n cycles, and one more for each exchange unless duplex is full. Pieces
/// may be of any lengths, and a message without words is not sent. In the end every piece that any `held` had is at its
/// destination. All processors must begin it in the same cycle; the order must outlive it. Throws std::logic_error if a
/// message comes whose pieces are not due.
Process exchange_in_order(Processor<Bundle>& self, Bundle& held, const StepOrder& order);

}  // namespace lockstep::some_to_all
