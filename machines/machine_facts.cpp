#include "lockstep/machines/machine_facts.hpp"

#include "lockstep/machines/machine_family.hpp"

namespace lockstep {

MachineFacts facts(const MachineSpec& spec) {
  const MachineFamily& family = family_of(spec);
  MachineFacts facts = family.facts(spec);
  facts.processors = spec.processors;
  facts.ports = spec.ports;
  facts.picture = family.picture(spec);
  if (facts.average_status) {
    const Fraction& status = *facts.average_status;
    facts.average_distance = spec.processors == 1 ? Fraction(0) : status / Fraction(spec.processors - 1);
    facts.total_exchange_bound = static_cast<std::uint64_t>(status.ceil());
  }
  return facts;
}

}  // namespace lockstep
