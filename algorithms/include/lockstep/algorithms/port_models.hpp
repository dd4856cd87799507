#pragma once

#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep {

/// Whether machines of the family can keep to PortModel::ring, which is for rings alone.
bool has_ring_rule(std::string_view family);

/// The port models in which the method is legal on machines of the family: all of its entry, `ring` on rings only.
std::vector<PortModel> port_models_on(const Method& method, std::string_view family);

/// Whether the method's schedule is meant to run under that port model. One that is meant for one port also runs under
/// k_ports().
bool is_meant_for(const Method& method, PortModel ports);

}  // namespace lockstep
