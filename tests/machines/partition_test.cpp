// The processors of each process and the links that are cut, against a walk over all links of the built machine.
#include "lockstep/machines/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>

#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::partition_test {
namespace {

constexpr const char* machines[] = {"hypercube:0",
                                    "hypercube:1",
                                    "hypercube:6",
                                    "ring:1",
                                    "ring:2",
                                    "ring:11",
                                    "path:7",
                                    "complete:9",
                                    "torus:1x2x3",
                                    "torus:4x5",
                                    "torus:3x4x5",
                                    "mesh:2x7",
                                    "mesh:5x3x2",
                                    "rh:2,2",
                                    "ccc:3",
                                    "star:4",
                                    "circulant:12,1,5",
                                    "product:ring:5*complete:4",
                                    "product:path:3*hypercube:2*ring:4",
                                    "hypercube:4+3"};

Cut walked(const MachineSpec& spec, const Placement& placement) {
  const Topology topology = build(spec);
  Cut cut;
  std::map<unsigned, std::uint64_t> links;
  std::map<unsigned, std::set<unsigned>> neighbours;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (Port port = 0; port < topology.ports(); ++port) {
      const End end = topology.peer(rank, port);
      if (!end || placement.owner(rank) == placement.owner(end.rank)) continue;
      if (rank < end.rank) ++cut.links;
      ++links[placement.owner(rank)];
      neighbours[placement.owner(rank)].insert(placement.owner(end.rank));
    }
  }
  for (const auto& [process, count] : links) cut.links_of_one = std::max(cut.links_of_one, count);
  for (const auto& [process, others] : neighbours)
    cut.neighbours = std::max<std::uint64_t>(cut.neighbours, others.size());
  return cut;
}

TEST(Partition, CutsWhatAWalkOverAllLinksFinds) {
  for (const char* text : machines) {
    const MachineSpec spec = parse_machine(text);
    for (const unsigned processes : {1U, 2U, 3U, 4U, 5U, 7U, 16U, 100U}) {
      for (const PartitionKind kind : {PartitionKind::block, PartitionKind::gray}) {
        SCOPED_TRACE(testing::Message() << text << ' ' << processes << ' ' << name(kind));
        const Placement placement = partition(spec, kind, processes);
        const Cut expected = walked(spec, placement);
        const Cut cut = cut_of(spec, kind, processes);
        EXPECT_EQ(cut.links, expected.links);
        EXPECT_EQ(cut.links_of_one, expected.links_of_one);
        EXPECT_EQ(cut.neighbours, expected.neighbours);
        EXPECT_FALSE(cut.is_estimated);
        Rank held = 0;
        Rank most = 0;
        for (unsigned process = 0; process < processes; ++process) {
          held += placement.count(process);
          most = std::max(most, placement.count(process));
        }
        EXPECT_EQ(held, spec.processors);
        EXPECT_EQ(most, cut.processors_most);
        EXPECT_EQ(most, (spec.processors + processes - 1) / processes);
      }
    }
  }
}

TEST(Partition, BlocksTooLargeToWalkAreCountedExactly) {
  // Two bits of the rank select the process: 2^30 links in each of these dimensions.
  const Cut cube = cut_of(parse_machine("hypercube:31"), PartitionKind::block, 4);
  EXPECT_EQ(cube.links, std::uint64_t{1} << 31);
  EXPECT_EQ(cube.links_of_one, std::uint64_t{1} << 30);
  EXPECT_EQ(cube.neighbours, 2U);
  // Four slabs, each with 65,536 links to the one before and as many to the one after.
  const Cut torus = cut_of(parse_machine("torus:32768x65536"), PartitionKind::block, 4);
  EXPECT_EQ(torus.links, 4U * 65536);
  EXPECT_EQ(torus.links_of_one, 2U * 65536);
  EXPECT_EQ(torus.neighbours, 2U);
  EXPECT_EQ(torus.processors_most, std::uint64_t{1} << 29);
  // Two slabs: each meets the other at both ends.
  EXPECT_EQ(cut_of(parse_machine("torus:4096x4096"), PartitionKind::block, 2).links, 2U * 4096);
  EXPECT_EQ(cut_of(parse_machine("mesh:4096x4096"), PartitionKind::block, 2).links, 4096U);
  EXPECT_EQ(cut_of(parse_machine("ring:2147483648"), PartitionKind::block, 65536).links, 65536U);
  EXPECT_EQ(cut_of(parse_machine("path:2147483648"), PartitionKind::block, 65536).links, 65535U);
  EXPECT_FALSE(cube.is_estimated || torus.is_estimated);
}

// The machine under a kind that is not counted as a product: the sampled links come close to the exact count.
TEST(Partition, OtherLargeMachinesAreEstimated) {
  const Cut gray = cut_of(parse_machine("hypercube:28"), PartitionKind::gray, 4);
  EXPECT_TRUE(gray.is_estimated);
  EXPECT_NEAR(static_cast<double>(gray.links), static_cast<double>(1 << 28), 0.01 * (1 << 28));
  EXPECT_EQ(gray.neighbours, 2U);
}

TEST(Partition, GrayPathsGoFromNeighbourToNeighbour) {
  for (const char* text : {"hypercube:0", "hypercube:5", "path:6", "mesh:3x4x5", "torus:5x2x3", "mesh:2x2x2x2",
                           "product:path:3*hypercube:2*complete:4", "torus:4x1x6"}) {
    const MachineSpec spec = parse_machine(text);
    const Topology topology = build(spec);
    const auto rank_at = gray_path(spec);
    const auto place_of = gray_places(spec);
    std::set<Rank> seen;
    for (Rank place = 0; place < topology.processors(); ++place) {
      const Rank rank = rank_at(place);
      EXPECT_TRUE(seen.insert(rank).second) << text;
      EXPECT_EQ(place_of(rank), place) << text;
      if (place == 0) continue;
      EXPECT_LT(topology.port_to(rank_at(place - 1), rank), topology.ports()) << text << ' ' << place;
    }
  }
  const auto cube = gray_path(parse_machine("hypercube:4"));
  for (Rank place = 0; place < 16; ++place) EXPECT_EQ(cube(place), place ^ (place >> 1));
}

TEST(Partition, HasTheNamesOfTheFlag) {
  EXPECT_EQ(name(PartitionKind::block), "block");
  EXPECT_EQ(name(PartitionKind::gray), "gray");
  EXPECT_EQ(name(PartitionKind::metis), "metis");
}

TEST(Partition, MetisGivesEachAShareAndCutsLittle) {
  const MachineSpec spec = parse_machine("torus:12x12");
  Cut cut;
  try {
    cut = cut_of(spec, PartitionKind::metis, 4);
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--partition metis needs METIS, which this program was built without");
    GTEST_SKIP() << "built without METIS";
  }
  const Placement placement = partition(spec, PartitionKind::metis, 4);
  EXPECT_EQ(cut.links, walked(spec, placement).links);
  EXPECT_LE(cut.processors_most, 38U);  // of 36, and 3 % more
  EXPECT_LE(cut.links, 48U);            // the cut of four slabs; four quarters cut as many
  EXPECT_EQ(cut_of(spec, PartitionKind::metis, 1).links, 0U);
  EXPECT_EQ(cut_of(spec, PartitionKind::metis, 200).processors_most, 1U);
}

// METIS installs its own SIGTERM handler in its process.
TEST(Partition, MetisLeavesTheHandlersOfSignalsAsTheyWere) {
  struct sigaction before {};
  before.sa_handler = [](int) {};
  before.sa_flags = SA_RESTART;
  struct sigaction usual {};
  ASSERT_EQ(sigaction(SIGTERM, &before, &usual), 0);
  try {
    cut_of(parse_machine("torus:12x12"), PartitionKind::metis, 4);
  } catch (const InputError&) {  // built without METIS
  }
  struct sigaction after {};
  ASSERT_EQ(sigaction(SIGTERM, &usual, &after), 0);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
  EXPECT_EQ(after.sa_flags & (SA_RESTART | SA_NODEFER), SA_RESTART);
}

TEST(Partition, NumbersThatAreTooLargeForMetisAreRefused) {
  try {
    cut_of(parse_machine("hypercube:31"), PartitionKind::metis, 2);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with("--partition metis ")) << text;
  }
}

}  // namespace
}  // namespace lockstep::partition_test
