#pragma once

#include "some_to_all.hpp"

// What some-to-all/exchange and all-to-some/exchange share, which are one schedule in either direction of time.
namespace lockstep::some_to_all::exchange {

/// One cycle: the neighbours give each other all pieces for the other side. `crossed` are the dimensions, as bits, that
/// have been dealt with then.
Process exchange_over(Processor<Bundle>& self, Bundle& held, Port dimension, Rank crossed);

/// The dimensions below this one are all that a processor has to do with: one that is not of the few is dealt with by
/// the lowest dimension that leads from it towards them.
Port end_of_dimensions(const Processor<Bundle>& self, Port sources);

void resolve(const MachineSpec& machine, const Model& model, Settings& settings);
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::some_to_all::exchange
