#include "lockstep/algorithms/port_models.hpp"

#include <algorithm>

namespace lockstep {

bool has_ring_rule(std::string_view family) { return family == "ring"; }

std::vector<PortModel> port_models_on(const Method& method, std::string_view family) {
  std::vector<PortModel> models = method.port_models;
  if (!has_ring_rule(family)) std::erase(models, PortModel::ring);
  return models;
}

bool is_meant_for(const Method& method, PortModel ports) {
  return std::ranges::count(method.port_models, is_k_ports(ports) ? PortModel::one : ports) > 0;
}

}  // namespace lockstep
