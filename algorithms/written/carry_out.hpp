#pragma once

#include "lockstep/algorithms/run_request.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// Every processor carries out its part of the plan, sleeping between its steps; its chunks over one link in a step are
/// one message, and with multicast a message over several links is one send. Generates chunks of `words` words, and
/// verifies the final chunks of every processor. The plan must be one that check() accepts on the machine.
Outcome carry_out(const RunRequest& request, const Plan& plan, std::uint64_t words);

/// Bytes of the machine, the chunks, and the data of carry_out() and check() for a plan of `transfers` transfers.
Wide bytes_to_carry_out(const MachineSpec& machine, const Model& model, const Chunks& chunks, std::uint64_t words,
                        Wide transfers);

}  // namespace lockstep::written
