#include "lockstep/algorithms/port_models.hpp"

namespace lockstep {

bool has_ring_rule(std::string_view family) { return family == "ring"; }

std::vector<PortModel> port_models_on(const Method& method, std::string_view family) {
  std::vector<PortModel> models = method.port_models;
  if (!has_ring_rule(family)) std::erase(models, PortModel::ring);
  return models;
}

}  // namespace lockstep
