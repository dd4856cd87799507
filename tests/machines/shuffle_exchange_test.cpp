#include "lockstep/machines/shuffle_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"

namespace lockstep::shuffle_exchange_test {
namespace {

TEST(ShuffleExchange, PortsAreExchangeShuffleAndUnshuffle) {
  const Topology machine = shuffle_exchange(4);
  EXPECT_EQ(machine.name(), "shuffle-exchange:4");
  EXPECT_EQ(machine.processors(), 16U);
  EXPECT_EQ(machine.ports(), 3U);
  EXPECT_EQ(machine.label(0b1100), "1100");
  EXPECT_EQ(machine.peer(0b1100, 0), (End{0b1101, 0}));
  EXPECT_EQ(machine.peer(0b1100, 1), (End{0b1001, 2}));
  EXPECT_EQ(machine.peer(0b1100, 2), (End{0b0110, 1}));
}

TEST(ShuffleExchange, APortToItselfOrWhereALowerOneLeadsHasNoLink) {
  const Topology machine = shuffle_exchange(4);
  for (const Rank same : {0b0000U, 0b1111U}) {
    EXPECT_TRUE(machine.peer(same, 0));
    EXPECT_FALSE(machine.peer(same, 1));
    EXPECT_FALSE(machine.peer(same, 2));
  }
  EXPECT_EQ(machine.peer(0b0101, 1), (End{0b1010, 1}));
  EXPECT_EQ(machine.peer(0b1010, 1), (End{0b0101, 1}));
  EXPECT_FALSE(machine.peer(0b0101, 2));
  EXPECT_FALSE(machine.peer(0b1010, 2));
}

TEST(ShuffleExchange, OfOneAndTwoBitsIsAPath) {
  const Topology one = shuffle_exchange(1);
  EXPECT_EQ(one.ports(), 3U);
  EXPECT_EQ(one.peer(0, 0), (End{1, 0}));
  for (const Port port : {1U, 2U}) {
    EXPECT_FALSE(one.peer(0, port));
    EXPECT_FALSE(one.peer(1, port));
  }
  const Topology two = shuffle_exchange(2);
  EXPECT_EQ(two.links(), 3U);
  EXPECT_EQ(two.peer(0b01, 0), (End{0b00, 0}));
  EXPECT_EQ(two.peer(0b01, 1), (End{0b10, 1}));
  EXPECT_EQ(two.peer(0b10, 0), (End{0b11, 0}));
}

TEST(ShuffleExchange, RotatesRanks) {
  const ShuffleExchange network(5);
  EXPECT_EQ(network.address_bits(), 5U);
  EXPECT_EQ(network.shuffled(0b10010), 0b00101U);
  EXPECT_EQ(network.unshuffled(0b10010), 0b01001U);
  for (Rank x = 0; x < 32; ++x) {
    EXPECT_EQ(network.unshuffled(network.shuffled(x)), x);
    Rank turned = x;
    for (int i = 0; i < 5; ++i) turned = network.shuffled(turned);
    EXPECT_EQ(turned, x);
  }
  const ShuffleExchange largest(31);
  EXPECT_EQ(largest.shuffled(Rank{1} << 30), 1U);
  EXPECT_EQ(largest.unshuffled(1), Rank{1} << 30);
  EXPECT_EQ(ShuffleExchange(1).shuffled(1), 1U);
}

TEST(ShuffleExchange, RefusesWhatDoesNotExist) {
  EXPECT_THROW(ShuffleExchange(0), std::invalid_argument);
  EXPECT_THROW(ShuffleExchange(32), std::invalid_argument);
}

TEST(ShuffleExchange, IsTwoNLessOneWide) {
  for (unsigned n = 1; n <= 14; ++n) {
    SCOPED_TRACE(n);
    const Topology machine = shuffle_exchange(n);
    const std::vector<std::uint64_t> distances = graph_of(machine).distances(0);
    EXPECT_EQ(distances.back(), 2 * n - 1);  // from 0..0 to 1..1
    EXPECT_EQ(*std::max_element(distances.begin(), distances.end()), 2 * n - 1);
    const MachineFacts known = facts(parse_machine(machine.name()));
    EXPECT_EQ(known.diameter, 2 * n - 1);
    EXPECT_EQ(known.links, machine.links());
    EXPECT_EQ(known.average_status.has_value(), n <= 11);
  }
  EXPECT_EQ(facts(parse_machine("shuffle-exchange:31")).links, 3221225470U);  // 2^30 + 2^31 - 2
}

}  // namespace
}  // namespace lockstep::shuffle_exchange_test
