#pragma once

#include "lockstep/algorithms/run_request.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// Every processor does what the plan says of it, and sleeps where it says nothing; what it sends over a link in a step
/// is one message, and with multicast a message over several links is one send. Chunks are generated, of so many words
/// each; verifies what every processor holds in the end. The plan must be one that check() takes on the machine.
Outcome carry_out(const RunRequest& request, const Plan& plan, std::uint64_t words);

/// Bytes of the machine, the chunks, and what carry_out() and check() keep of a plan of so many transfers.
Wide bytes_to_carry_out(const MachineSpec& machine, const Model& model, const Chunks& chunks, std::uint64_t words,
                        Wide transfers);

}  // namespace lockstep::written
