#include "lockstep/machines/dimensions.hpp"

namespace lockstep {

namespace {

/// Appends the dimensions of a machine whose ranks count in `stride` and whose ports start at `first_port`.
void append(const MachineSpec& spec, Rank stride, Port first_port, std::vector<Dimension>& result) {
  if (spec.family == "hypercube") {
    const MachineSpec bit = parse_machine("hypercube:1");
    for (auto port = static_cast<Port>(spec.ports); port-- > 0;) {
      result.push_back({bit, stride << port, first_port + port});
    }
    return;
  }
  if (spec.factors.empty()) {
    result.push_back({spec, stride, first_port});
    return;
  }
  auto factor_stride = static_cast<Rank>(spec.processors);
  for (const MachineSpec& factor : spec.factors) {
    factor_stride /= static_cast<Rank>(factor.processors);
    append(factor, stride * factor_stride, first_port, result);
    first_port += static_cast<Port>(factor.ports);
  }
}

}  // namespace

std::vector<Dimension> dimensions(const MachineSpec& spec) {
  std::vector<Dimension> result;
  append(spec, 1, 0, result);
  return result;
}

}  // namespace lockstep
