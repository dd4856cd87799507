// Chordal rings that are known by other names.
#include <gtest/gtest.h>

#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep {
namespace {

TEST(ChordalRing, OfFourteenWithChordsOverFiveIsTheHeawoodGraph) {
  const MachineSpec spec = parse_machine("chordal-ring:14,5");
  const MachineFacts known = facts(spec);
  EXPECT_EQ(known.links, 21U);
  EXPECT_EQ(known.diameter, 3U);
  EXPECT_EQ(known.average_status, Fraction(27));  // 3 at distance 1, 6 at 2, 4 at 3
  const Topology topology = build(spec);
  topology.verify();
  EXPECT_EQ(topology.peer(1, 2), (End{6, 2}));
  EXPECT_EQ(topology.peer(0, 2), (End{9, 2}));
}

TEST(ChordalRing, RefusesWhatIsNone) {
  for (const char* text : {"chordal-ring:14", "chordal-ring:13,5", "chordal-ring:14,4", "chordal-ring:14,13",
                           "chordal-ring:4,3", "chordal-ring:14,5,3"}) {
    EXPECT_THROW(parse_machine(text), MachineSpecError) << text;
  }
}

}  // namespace
}  // namespace lockstep
