#include "text/failure_text.hpp"

namespace lockstep::detail {

std::string list_ports(std::span<const Port> ports) {
  std::string text;
  for (std::size_t index = 0; index < ports.size(); ++index) {
    if (index > 0) text += index + 1 == ports.size() ? " and " : ", ";
    text += std::to_string(ports[index]);
  }
  return text;
}

std::string in_words(PortModel ports) { return "port model " + name(ports); }
std::string in_words(Duplex duplex) { return "duplex " + std::string(name(duplex)); }

std::string text_of(const Ground& ground, Cycle cycle, const Failure& failure) {
  std::string text = ground.name + ": cycle " + std::to_string(cycle) + ", rank " + std::to_string(failure.rank);
  if (!failure.ports.empty()) {
    std::string port_name = "port";
    if (const auto& medium = ground.topology.medium()) port_name = medium->kind == MediumKind::memory ? "slot" : "peer";
    text += ", " + port_name + (failure.ports.size() == 1 ? " " : "s ") + list_ports(failure.ports);
  }
  return text + ": " + failure.rule;
}

}  // namespace lockstep::detail
