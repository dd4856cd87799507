#pragma once

#include "step_order.hpp"

// What some-to-all/exchange and all-to-some/exchange share, which are one schedule in either direction of time.
namespace lockstep::some_to_all {

/// Sub-program: what one processor does of a some-to-all in which every origin of a piece is below 2^few, or of an
/// all-to-some in which every destination is: n cycles, and one more for each exchange unless duplex is full. Pieces
/// may be of any lengths, and what holds no word is not sent. In the end every piece that `held` had anywhere is at its
/// destination. All processors must begin it in the same cycle; the order must outlive it. Throws std::logic_error if a
/// message comes whose pieces are not due.
Process exchange_in_order(Processor<Bundle>& self, Bundle& held, const StepOrder& order);

namespace exchange {

void resolve(const MachineSpec& machine, Settings& settings, Direction direction);
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings, Direction direction);
Outcome run_exchange(const RunRequest& request, Direction direction);

}  // namespace exchange
}  // namespace lockstep::some_to_all
