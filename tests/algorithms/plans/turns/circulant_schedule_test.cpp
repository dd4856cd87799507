// The public schedules of broadcasts over circulant graphs: the conditions of their correctness for all p < 300, the
// table for p = 17 that MPICH prints (src/mpi/coll/algorithms/circ_graph/circ_graph.c), and the counts.
#include "lockstep/algorithms/circulant_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>
#include <vector>

#include "../../../sanitized.hpp"

namespace lockstep::circulant_schedule_test {
namespace {

using Blocks = std::vector<std::int32_t>;
using Table = std::vector<Blocks>;

Table received(const CirculantSchedule& schedule) {
  Table table;
  for (Rank rank = 0; rank < schedule.ranks(); ++rank) table.push_back(schedule.received(rank));
  return table;
}
Table sent(const CirculantSchedule& schedule) {
  Table table;
  for (Rank rank = 0; rank < schedule.ranks(); ++rank) table.push_back(schedule.sent(rank));
  return table;
}

/// The first broken condition; the conditions do not depend on how the blocks were found.
std::string broken_condition(std::span<const Rank> skips, const Table& in, const Table& out) {
  const Rank p = skips.back();
  const auto q = static_cast<std::int32_t>(skips.size()) - 1;
  if (skips.front() != 1 || q != static_cast<std::int32_t>(std::bit_width(p - 1))) return "skips";
  for (std::size_t k = 0; k + 1 < skips.size(); ++k) {
    if (skips[k] != (skips[k + 1] + 1) / 2) return "skip " + std::to_string(k);
  }
  for (Rank rank = 0; rank < p; ++rank) {
    const std::string here = " of rank " + std::to_string(rank) + " of " + std::to_string(p);
    const Blocks& own = in[rank];
    if (own.size() != static_cast<std::size_t>(q) || out[rank].size() != own.size()) return "rounds" + here;
    std::int32_t base = q;  // of rank 0, which has no block of its own
    for (const std::int32_t block : own) {
      if (block >= 0 && (rank == 0 || base != q)) return "two new blocks" + here;
      if (block >= 0) base = block;
    }
    if (rank > 0 && base == q) return "no new block" + here;
    std::set<std::int32_t> due;
    for (std::int32_t block = -q; block < 0; ++block) due.insert(block);
    if (rank > 0) due.erase(base - q);
    if (rank > 0) due.insert(base);
    if (std::set<std::int32_t>(own.begin(), own.end()) != due) return "received blocks" + here;
    for (std::int32_t k = 0; k < q; ++k) {
      const auto round = static_cast<std::size_t>(k);
      const std::int32_t block = out[rank][round];
      if (block != in[(rank + skips[round]) % p][round]) return "what arrives" + here;
      if (rank == 0) {
        if (block != k) return "what the root sends";
        continue;
      }
      const auto now = own.begin() + k;
      if (block != base - q && std::find(own.begin(), now, block) == now) return "a block before its time" + here;
    }
  }
  return {};
}

TEST(CirculantSchedule, KeepsTheConditionsForAllNumbersOfRanks) {
  for (Rank p = 1; p < (sanitized ? 100 : 300); ++p) {
    const CirculantSchedule schedule(p);
    EXPECT_EQ(broken_condition(schedule.skips(), received(schedule), sent(schedule)), "");
  }
  for (const Rank p : {1023U, 1025U, 2000U}) {
    const CirculantSchedule schedule(p);
    EXPECT_EQ(broken_condition(schedule.skips(), received(schedule), sent(schedule)), "");
  }
}

TEST(CirculantSchedule, BreaksTheConditionsIfTwoBlocksAreExchanged) {
  const CirculantSchedule schedule(13);
  const Table in = received(schedule);
  const Table out = sent(schedule);
  for (Rank rank = 1; rank < 13; ++rank) {
    for (std::size_t k = 0; k + 1 < in[rank].size(); ++k) {
      Table other = in;
      std::swap(other[rank][k], other[rank][k + 1]);
      EXPECT_NE(broken_condition(schedule.skips(), other, out), "");
      Table sends = out;
      sends[rank][k] = (sends[rank][k] == -1) ? -2 : -1;
      EXPECT_NE(broken_condition(schedule.skips(), in, sends), "");
    }
  }
}

// Typed from the comment in MPICH's circ_graph.c: rounds as rows, ranks as columns.
TEST(CirculantSchedule, IsTheTableOfMpichFor17Ranks) {
  const Table rounds_in{{-4, 0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5},
                        {-5, -4, 1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2},
                        {-2, -2, -2, 2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3},
                        {-1, -3, -3, -2, -2, 3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1},
                        {-3, -1, -1, -1, -1, -1, -1, -1, -1, 4, 0, 1, 2, 0, 3, 0, 1}};
  const Table rounds_out{{0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5, -4},
                         {1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2, -5, -4},
                         {2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3, -2, -2, -2},
                         {3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1, -1, -3, -3, -2, -2},
                         {4, 0, 1, 2, 0, 3, 0, 1, -3, -1, -1, -1, -1, -1, -1, -1, -1}};
  const CirculantSchedule schedule(17);
  EXPECT_EQ((std::vector<Rank>{1, 2, 3, 5, 9, 17}),
            std::vector<Rank>(schedule.skips().begin(), schedule.skips().end()));
  for (Rank rank = 0; rank < 17; ++rank) {
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(schedule.received(rank)[k], rounds_in[k][rank]) << rank << ", round " << k;
      EXPECT_EQ(schedule.sent(rank)[k], rounds_out[k][rank]) << rank << ", round " << k;
    }
  }
  EXPECT_EQ(schedule.baseblock(0), 5U);
  EXPECT_EQ(schedule.baseblock(8), 2U);  // 5 + 3
}

/// Simulates the broadcast packet by packet and returns the first error.
std::string played(Rank p, std::uint64_t packets) {
  const CirculantBroadcast broadcast(p, packets);
  const std::uint64_t q = std::bit_width(p - 1);
  if (broadcast.steps() != (p == 1 ? 0 : packets - 1 + q)) return "steps";
  std::vector<std::set<std::uint64_t>> held(p);
  for (std::uint64_t packet = 0; packet < packets; ++packet) held[0].insert(packet);
  std::uint64_t messages = 0;
  for (std::uint64_t step = 0; step < broadcast.steps(); ++step) {
    auto after = held;
    bool moves = false;
    for (Rank rank = 0; rank < p; ++rank) {
      const auto move = broadcast.at(rank, step);
      if (move.from != no_rank) {
        const auto other = broadcast.at(move.from, step);
        if (other.to != rank || other.sent != move.received) return "a receipt without its sender";
      }
      if (move.to == no_rank) continue;
      moves = true;
      ++messages;
      if (broadcast.at(move.to, step).from != rank) return "a message that nobody expects";
      if (!held[rank].contains(move.sent)) return "a packet that is not there";
      if (!after[move.to].insert(move.sent).second) return "a packet that is there already";
    }
    if (!moves) return "a step without messages";
    held = after;
  }
  if (messages != (p - 1) * packets) return "messages";
  for (const auto& all : held) {
    if (all.size() != packets) return "a packet that does not arrive";
  }
  return {};
}

TEST(CirculantBroadcast, BringsEveryPacketToAllOnce) {
  for (Rank p = 1; p <= (sanitized ? 20 : 65); ++p) {
    for (std::uint64_t n = 1; n <= 17; ++n) EXPECT_EQ(played(p, n), "") << p << " ranks, " << n << " packets";
  }
}

TEST(CirculantBroadcast, NeedsRanksAndPackets) {
  EXPECT_THROW(CirculantSchedule(0), std::invalid_argument);
  EXPECT_THROW(CirculantBroadcast(0, 1), std::invalid_argument);
  EXPECT_THROW(CirculantBroadcast(3, 0), std::invalid_argument);
}

}  // namespace
}  // namespace lockstep::circulant_schedule_test
