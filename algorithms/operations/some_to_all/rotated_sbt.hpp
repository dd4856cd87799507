#pragma once

#include "step_order.hpp"

// What some-to-all/rotated-sbt and all-to-some/rotated-sbt share, which are one schedule in either direction of time.
namespace lockstep::some_to_all::rotated_sbt {

inline constexpr Parameter words_parameter{
    "words", "words of all blocks together: at least L (n-L), without zeros, for each pair", "the fewest"};

void resolve(const MachineSpec& machine, Settings& settings, Direction direction);
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings, Direction direction);
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings);
Outcome run_rotated(const RunRequest& request, Direction direction);

}  // namespace lockstep::some_to_all::rotated_sbt
