#include "lockstep/machines/topologies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "lockstep/machines/dimensions.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "naive_graph.hpp"

namespace lockstep::topologies_test {
namespace {

TEST(Topologies, OfEveryFamilyHaveACounterpartFromTheDefinition) {
  for (const MachineFamily& family : machine_families()) {
    if (family.wiring == nullptr) continue;  // processors share a medium
    EXPECT_TRUE(std::ranges::any_of(
        naive_machines(),
        [&](const NaiveMachine& machine) { return parse_machine(machine.spec).family == family.name; }))
        << family.name
        << ": naive_machines() in tests/machines/naive_graph.cpp has none of this family, so nothing "
           "compares its wiring with its definition";
  }
}

TEST(Topologies, HaveTheLinksOfTheirDefinition) {
  for (const NaiveMachine& machine : naive_machines()) {
    SCOPED_TRACE(machine.spec);
    const Topology topology = build(parse_machine(machine.spec));
    EXPECT_EQ(topology.name(), machine.spec);
    EXPECT_EQ(graph_of(topology), machine.graph);
    EXPECT_EQ(topology.links(), machine.graph.links());
  }
}

TEST(Topologies, SizesAreKnownBeforeBuilding) {
  for (const NaiveMachine& machine : naive_machines()) {
    SCOPED_TRACE(machine.spec);
    const MachineSpec spec = parse_machine(machine.spec);
    const Topology topology = build(spec);
    EXPECT_EQ(spec.processors, machine.graph.size());
    EXPECT_EQ(topology.processors(), spec.processors);
    EXPECT_EQ(topology.ports(), spec.ports);
  }
}

TEST(Topologies, HypercubePortsFlipBits) {
  const Topology cube = hypercube(4);
  EXPECT_EQ(cube.peer(0b1010, 0), (End{0b1011, 0}));
  EXPECT_EQ(cube.peer(0b1010, 1), (End{0b1000, 1}));
  EXPECT_EQ(cube.peer(0b1010, 2), (End{0b1110, 2}));
  EXPECT_EQ(cube.peer(0b1010, 3), (End{0b0010, 3}));
  EXPECT_EQ(cube.label(0b1010), "1010");
  EXPECT_EQ(hypercube(0).ports(), 0U);
}

TEST(Topologies, RingPortsLeadUpAndDown) {
  const Topology five = ring(5);
  EXPECT_EQ(five.peer(3, 0), (End{4, 1}));
  EXPECT_EQ(five.peer(4, 0), (End{0, 1}));
  EXPECT_EQ(five.peer(0, 1), (End{4, 0}));
  EXPECT_EQ(five.label(3), "3");

  const Topology two = ring(2);
  EXPECT_EQ(two.ports(), 2U);
  EXPECT_EQ(two.peer(0, 0), (End{1, 0}));
  EXPECT_EQ(two.peer(1, 0), (End{0, 0}));
  EXPECT_FALSE(two.peer(0, 1));
  EXPECT_FALSE(two.peer(1, 1));

  const Topology one = ring(1);
  EXPECT_EQ(one.ports(), 2U);
  EXPECT_FALSE(one.peer(0, 0));
  EXPECT_FALSE(one.peer(0, 1));
}

TEST(Topologies, PathEndsLackALink) {
  const Topology three = path(3);
  EXPECT_EQ(three.peer(0, 0), (End{1, 1}));
  EXPECT_EQ(three.peer(1, 0), (End{2, 1}));
  EXPECT_EQ(three.peer(1, 1), (End{0, 0}));
  EXPECT_FALSE(three.peer(0, 1));
  EXPECT_FALSE(three.peer(2, 0));
  EXPECT_EQ(path(1).ports(), 2U);
}

TEST(Topologies, CompletePortsAreTheOtherRanksAscending) {
  const Topology four = complete(4);
  for (Rank rank = 0; rank < 4; ++rank) {
    std::vector<Rank> others;
    for (Port port = 0; port < 3; ++port) others.push_back(four.peer(rank, port).rank);
    std::vector<Rank> expected = {0, 1, 2, 3};
    expected.erase(expected.begin() + rank);
    EXPECT_EQ(others, expected);
  }
  EXPECT_EQ(complete(1).ports(), 0U);
}

TEST(Topologies, TorusPortsGoDimensionByDimension) {
  const Topology machine = torus(std::array<Rank, 3>{3, 4, 5});  // strides 20, 5, 1
  const Rank here = 2 * 20 + 0 * 5 + 4;
  EXPECT_EQ(machine.label(here), "(2,0,4)");
  EXPECT_EQ(machine.peer(here, 0), (End{0 * 20 + 0 * 5 + 4, 1}));
  EXPECT_EQ(machine.peer(here, 1), (End{1 * 20 + 0 * 5 + 4, 0}));
  EXPECT_EQ(machine.peer(here, 2), (End{2 * 20 + 1 * 5 + 4, 3}));
  EXPECT_EQ(machine.peer(here, 3), (End{2 * 20 + 3 * 5 + 4, 2}));
  EXPECT_EQ(machine.peer(here, 4), (End{2 * 20 + 0 * 5 + 0, 5}));
  EXPECT_EQ(machine.peer(here, 5), (End{2 * 20 + 0 * 5 + 3, 4}));
}

TEST(Topologies, TorusKeepsThePortsOfSidesWithoutLinks) {
  const Topology machine = torus(std::array<Rank, 3>{2, 1, 3});
  EXPECT_EQ(machine.ports(), 6U);
  EXPECT_EQ(machine.peer(1, 0), (End{4, 0}));
  for (const Port port : {1U, 2U, 3U}) EXPECT_FALSE(machine.peer(1, port));
  EXPECT_EQ(machine.peer(1, 4), (End{2, 5}));
  EXPECT_EQ(machine.peer(1, 5), (End{0, 4}));
}

TEST(Topologies, MeshBordersLackLinks) {
  const Topology machine = mesh(std::array<Rank, 2>{2, 3});
  EXPECT_EQ(machine.peer(0, 0), (End{3, 1}));
  EXPECT_FALSE(machine.peer(0, 1));
  EXPECT_EQ(machine.peer(0, 2), (End{1, 3}));
  EXPECT_FALSE(machine.peer(0, 3));
  EXPECT_EQ(machine.degree(1), 3U);
  EXPECT_EQ(machine.label(5), "(1,2)");
}

TEST(Topologies, ProductPortsGoFactorByFactor) {
  const std::array<MachineSpec, 3> factors = {parse_machine("ring:5"), parse_machine("complete:4"),
                                              parse_machine("hypercube:2")};
  const Topology machine = product(factors);  // strides 16, 4, 1; ports 0-1, 2-4, 5-6
  EXPECT_EQ(machine.name(), "product:ring:5*complete:4*hypercube:2");
  const Rank here = 4 * 16 + 2 * 4 + 0b01;
  EXPECT_EQ(machine.label(here), "(4,2,01)");
  EXPECT_EQ(machine.peer(here, 0), (End{0 * 16 + 2 * 4 + 0b01, 1}));
  EXPECT_EQ(machine.peer(here, 1), (End{3 * 16 + 2 * 4 + 0b01, 0}));
  EXPECT_EQ(machine.peer(here, 2), (End{4 * 16 + 0 * 4 + 0b01, 2 + 1}));
  EXPECT_EQ(machine.peer(here, 3), (End{4 * 16 + 1 * 4 + 0b01, 2 + 1}));
  EXPECT_EQ(machine.peer(here, 4), (End{4 * 16 + 3 * 4 + 0b01, 2 + 2}));
  EXPECT_EQ(machine.peer(here, 5), (End{4 * 16 + 2 * 4 + 0b00, 5}));
  EXPECT_EQ(machine.peer(here, 6), (End{4 * 16 + 2 * 4 + 0b11, 6}));
}

TEST(Topologies, AProductOfTwoNodeCubesIsTheCube) {
  const std::vector<MachineSpec> bits(5, parse_machine("hypercube:1"));
  EXPECT_EQ(graph_of(product(bits)), naive_hypercube(5));
}

TEST(Topologies, WiringAnswersForMachinesThatAreNotBuilt) {
  EXPECT_EQ(wiring(parse_machine("hypercube:31"))(5, 30), (End{(Rank{1} << 30) + 5, 30}));
  EXPECT_EQ(wiring(parse_machine("ring:4294967294"))(4294967293, 0), (End{0, 1}));
  EXPECT_EQ(wiring(parse_machine("complete:4294967294"))(4294967293, 4294967292), (End{4294967292, 4294967292}));
  const Wiring square = wiring(parse_machine("torus:65535x65535"));
  EXPECT_EQ(square(65534, 2), (End{0, 3}));
  EXPECT_EQ(square(65534, 1), (End{65534U * 65535U + 65534U, 0}));
}

TEST(Topologies, MakersRefuseWhatTheSpecificationRefuses) {
  EXPECT_THROW(hypercube(32), MachineSpecError);
  EXPECT_THROW(reduced_hypercube(1, 3), MachineSpecError);
  EXPECT_THROW(ring(0), MachineSpecError);
  EXPECT_THROW(torus(std::vector<Rank>{}), MachineSpecError);
  EXPECT_THROW(mesh(std::array<Rank, 2>{3, 0}), MachineSpecError);
  EXPECT_THROW(product(std::vector<MachineSpec>{}), MachineSpecError);
  EXPECT_THROW(product(std::vector{parse_machine("product:ring:3*ring:4")}), MachineSpecError);
  EXPECT_THROW(product(std::vector(2, parse_machine("ring:65536"))), MachineSpecError);
}

/// Every link of a machine must be a link of exactly one of its dimensions, on the port that the dimension gives.
TEST(Dimensions, TogetherAreTheMachine) {
  for (const NaiveMachine& machine : naive_machines()) {
    SCOPED_TRACE(machine.spec);
    const MachineSpec spec = parse_machine(machine.spec);
    const Topology topology = build(spec);
    std::uint64_t links = 0;
    std::uint64_t processors = 1;
    for (const Dimension& dimension : dimensions(spec)) {
      EXPECT_TRUE(dimension.factor.factors.empty());
      processors *= dimension.factor.processors;
      const Topology factor = build(dimension.factor);
      for (Rank rank = 0; rank < topology.processors(); ++rank) {
        const Rank coordinate = rank / dimension.stride % factor.processors();
        for (Port port = 0; port < factor.ports(); ++port) {
          const End there = factor.peer(coordinate, port);
          const End expected =
              there ? End{rank + (there.rank - coordinate) * dimension.stride, dimension.first_port + there.port}
                    : End{};
          EXPECT_EQ(topology.peer(rank, dimension.first_port + port), expected);
          links += there ? 1 : 0;
        }
      }
    }
    EXPECT_EQ(processors, spec.processors);
    EXPECT_EQ(links, 2 * topology.links());
  }
}

TEST(Dimensions, AreMostSignificantFirst) {
  const std::vector<Dimension> parts = dimensions(parse_machine("product:ring:5*hypercube:2*torus:3x1"));
  const std::vector<std::string> names = {"ring:5", "hypercube:1", "hypercube:1", "ring:3", "ring:1"};
  const std::vector<Rank> strides = {12, 6, 3, 1, 1};
  const std::vector<Port> first_ports = {0, 3, 2, 4, 6};
  ASSERT_EQ(parts.size(), names.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(parts[i].factor.text, names[i]);
    EXPECT_EQ(parts[i].stride, strides[i]);
    EXPECT_EQ(parts[i].first_port, first_ports[i]);
  }
  EXPECT_TRUE(dimensions(parse_machine("hypercube:0")).empty());
}

}  // namespace
}  // namespace lockstep::topologies_test
