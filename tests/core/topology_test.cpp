#include "lockstep/core/topology.hpp"

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::topology_test {
namespace {

TEST(Topology, NamesNeighbours) {
  const Topology row = wirings::path(4);
  EXPECT_EQ(row.name(), "path");
  EXPECT_EQ(row.processors(), 4U);
  EXPECT_EQ(row.ports(), 2U);
  EXPECT_EQ(row.slots(), 8U);
  EXPECT_EQ(row.peer(1, 0), (End{2, 1}));
  EXPECT_EQ(row.peer(1, 1), (End{0, 0}));
  EXPECT_FALSE(row.peer(0, 1));
  EXPECT_EQ(row.degree(0), 1U);
  EXPECT_EQ(row.degree(2), 2U);
  EXPECT_EQ(row.links(), 3U);
  EXPECT_EQ(row.slot(3, 1), 7U);  // port by port
  EXPECT_EQ(row.peer(3, 1), (End{2, 0}));
}

TEST(Topology, ThatIsComputedAsksForAnEndOnce) {
  std::atomic<int> asked{0};
  const Topology ring = Topology::computed("ring", 5, 3, [&](Rank rank, Port port) {
    ++asked;
    return port == 2 ? End{} : port == 0 ? End{(rank + 1) % 5, 1} : End{(rank + 4) % 5, 0};
  });
  EXPECT_EQ(asked, 0);
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(ring.peer(4, 0), (End{0, 1}));
    EXPECT_EQ(ring.peer(0, 1), (End{4, 0}));
    EXPECT_FALSE(ring.peer(3, 2));
  }
  EXPECT_EQ(asked, 3);
  ring.verify();
  EXPECT_EQ(ring.links(), 5U);
  EXPECT_EQ(asked, 15);
}

TEST(Topology, LabelsARankByItsNumberByDefault) {
  EXPECT_EQ(wirings::path(4).label(3), "3");
  const Topology named(
      "named", 2, 0, [](Rank, Port) { return End{}; }, [](Rank rank) { return rank == 0 ? "left" : "right"; });
  EXPECT_EQ(named.label(1), "right");
}

TEST(Topology, TheWiringsOfTheseTestsAreLegal) {
  for (const Rank size : {1U, 2U, 5U}) EXPECT_NO_THROW(wirings::path(size).verify());
  for (const Rank size : {3U, 8U}) EXPECT_NO_THROW(wirings::ring(size).verify());
  for (const Port dimensions : {0U, 1U, 6U}) EXPECT_NO_THROW(wirings::cube(dimensions).verify());
  for (const Rank size : {1U, 2U, 3U, 9U}) EXPECT_NO_THROW(wirings::complete(size).verify());
  for (const Rank leaves : {0U, 1U, 7U}) EXPECT_NO_THROW(wirings::star(leaves).verify());
  EXPECT_NO_THROW(wirings::pair(3).verify());
  EXPECT_NO_THROW(wirings::single(2).verify());
}

TEST(Topology, OfManyPortsIsMadeOfSeveralThreadsAlike) {
  const Topology large = wirings::cube(16);  // 2^20 ends: made by all threads of the host
  EXPECT_NO_THROW(large.verify());
  EXPECT_EQ(large.links(), std::uint64_t{16} << 15);
}

TEST(Topology, MayBeMadeByTheThreadsOfAnExecutor) {
  runs::on_every_executor(1, [](Executor& executor) {
    const Topology alone = wirings::ring(100);
    const Topology ring(
        "ring", 100, 2, [&](Rank rank, Port port) { return alone.peer(rank, port); }, {}, &executor);
    for (Rank rank = 0; rank < 100; ++rank) {
      for (Port port = 0; port < 2; ++port) ASSERT_EQ(ring.peer(rank, port), alone.peer(rank, port));
    }
  });
}

TEST(Topology, ThatIsComputedMayBeGlancedAtWithoutANote) {
  std::atomic<int> asked{0};
  const Topology pair = Topology::computed("pair", 2, 1, [&](Rank rank, Port) {
    ++asked;
    return End{1 - rank, 0};
  });
  for (int time = 0; time < 2; ++time) EXPECT_EQ(pair.glance(1, 0), (End{0, 0}));
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(wirings::path(2).glance(0, 0), (End{1, 1}));
}

/// A pair whose end (0, 0) leads to the wrong end.
std::string complaint_about(End wrong) {
  const Topology topology("wrong", 3, 2, [wrong](Rank rank, Port port) {
    if (rank == 0 && port == 0) return wrong;
    return rank == 1 && port == 1 ? End{0, 0} : End{};
  });
  try {
    topology.verify();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Topology, VerifyNamesTheFirstWrongEnd) {
  EXPECT_EQ(complaint_about({1, 1}), "nothing");
  EXPECT_EQ(complaint_about({3, 0}), "rank 0 port 0 leads nowhere");
  EXPECT_EQ(complaint_about({1, 2}), "rank 0 port 0 leads nowhere");
  EXPECT_EQ(complaint_about({0, 1}), "rank 0 port 0 leads to its own processor");
  EXPECT_EQ(complaint_about({0, 0}), "rank 0 port 0 leads to its own processor");
  EXPECT_EQ(complaint_about({1, 0}), "rank 0 port 0 leads to rank 1 port 0, which leads elsewhere");
  EXPECT_EQ(complaint_about({2, 1}), "rank 0 port 0 leads to rank 2 port 1, which leads elsewhere");
  EXPECT_EQ(complaint_about({}), "rank 1 port 1 leads to rank 0 port 0, which leads elsewhere");
}

}  // namespace
}  // namespace lockstep::topology_test
