#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/schedule.hpp"

// What carries out schedules that are written out, on any machine with links.
namespace lockstep {

/// The families whose machines have links.
std::vector<std::string_view> linked_families();

/// The port by which a processor reaches its neighbour: in time in proportion to their number, or on complete graphs at
/// once. The topology must outlive what is returned.
std::function<Port(Rank from, Rank to)> ports_between_neighbours(const MachineSpec& machine, const Topology& topology);

/// Bytes of the machine, the blocks, so many words each, and a schedule of so many moves with what following it keeps.
Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Task& task, std::uint64_t words, Wide moves);

/// Every processor does what the schedule says of it, and sleeps where it says nothing; what it sends over a link in a
/// step is one message, and with multicast a message over several links is one send. Blocks are generated, of --words
/// words each; verifies what every processor holds in the end. The schedule must be valid on the machine.
Outcome follow(const RunRequest& request, const Schedule& schedule);

}  // namespace lockstep
