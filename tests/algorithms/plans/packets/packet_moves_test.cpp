// The moves of packets: the pairwise transpositions of johnsson-ho.md, Two dimensions, Multiple paths (SPT, DPT, MPT),
// whose paths are written out here.
#include "plans/packets/packet_moves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "recorded_run.hpp"

namespace lockstep::permute::packet_moves_test {
namespace {

std::uint64_t ceil_of(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t ways = 1;
  for (std::uint64_t i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

/// a_0 < a_1 < .. of johnsson-ho.md, Two dimensions: the row dimensions in which the halves of x differ.
std::vector<Port> differing_rows(Rank x, Port h) {
  std::vector<Port> rows;
  for (Port row = h; row < 2 * h; ++row) {
    if ((x >> row & 1U) != (x >> (row - h) & 1U)) rows.push_back(row);
  }
  return rows;
}

/// Path p of x (johnsson-ho.md, Two dimensions).
std::vector<Port> path_of(Rank x, Port h, std::size_t p) {
  const std::vector<Port> rows = differing_rows(x, h);
  const std::size_t H = rows.size();
  std::vector<Port> path;
  for (std::size_t visit = 1; visit <= H; ++visit) {
    const Port a = rows[(p % H + H - visit) % H];
    const Port b = a - h;
    path.push_back(p < H ? a : b);
    path.push_back(p < H ? b : a);
  }
  return path;
}

/// Path 0 with every hop in the slot of its dimension, those of dimensions that are skipped passing by.
packets::PacketPath with_waits(Rank x, Port h) {
  packets::PacketPath way;
  Cycle slot = 0;
  for (Port row = 2 * h; row-- > h; slot += 2) {
    if ((x >> row & 1U) == (x >> (row - h) & 1U)) continue;
    way.push_back({row, slot});
    way.push_back({row - h, slot + 1});
  }
  return way;
}

packets::PacketSchedule spt(Port h, std::uint64_t K, std::uint64_t B, bool waits) {
  return {.streams = [](Rank) { return 1; },
          .stream =
              [=](Rank x, std::uint32_t) {
                const bool stays = differing_rows(x, h).empty();
                return packets::PacketStream{.path = stays   ? packets::PacketPath()
                                                     : waits ? with_waits(x, h)
                                                             : packets::without_waits(path_of(x, h, 0)),
                                             .packets = packets::PacketCut::full(K, B)};
              }};
}

packets::PacketSchedule dpt(Port h, std::uint64_t K, std::uint64_t B) {
  return {.streams = [=](Rank x) { return differing_rows(x, h).empty() ? 0 : 2; },
          .stream =
              [=](Rank x, std::uint32_t half) {
                const Split halves(K, 2);
                return packets::PacketStream{
                    .path = packets::without_waits(path_of(x, h, half * differing_rows(x, h).size())),
                    .packets = packets::PacketCut::full(halves.size(half), B),
                    .first_word = halves.first(half)};
              }};
}

using Rounds = std::function<std::uint64_t(std::uint64_t H)>;

/// `burst` packets in every period of 2 H cycles on each of 2 H paths, rounds(H) times (johnsson-ho.md, Multiple paths:
/// two).
packets::PacketSchedule mpt(Port h, std::uint64_t K, const Rounds& rounds, std::uint64_t burst = 2) {
  return {.streams = [=](Rank x) { return static_cast<std::uint32_t>(2 * differing_rows(x, h).size()); },
          .stream =
              [=](Rank x, std::uint32_t path) {
                const std::uint64_t H = differing_rows(x, h).size();
                const Split parts(K, 2 * H);
                return packets::PacketStream{.path = packets::without_waits(path_of(x, h, path)),
                                             .packets = packets::PacketCut::even(parts.size(path), burst * rounds(H)),
                                             .first_word = parts.first(path),
                                             .injection = {.burst = burst, .period = 2 * H}};
              }};
}

/// The part of the plan that processors of class H send.
packets::PacketSchedule only_class(const packets::PacketSchedule& plan, Port h, std::uint64_t H) {
  return {.streams = [=](Rank x) { return differing_rows(x, h).size() == H ? plan.streams(x) : 0; },
          .stream = plan.stream};
}

/// floor(h/H), the number of rounds for which johnsson-ho.md, Multiple paths, gives n + 1 steps.
Rounds most_rounds(Port h) {
  return [=](std::uint64_t H) { return h / H; };
}

Model all_ports(double beta = 1, double tau = 1) {
  Model model = model_of(PortModel::all);
  model.cost.beta = beta;
  model.cost.tau = tau;
  return model;
}

struct Moved {
  Report report;
  std::string wrong;  ///< the first processor that does not hold what it should
};

using Destination = std::function<Rank(Rank)>;

Moved move(const std::string& text, std::uint64_t K, const packets::PacketSchedule& plan,
           const Destination& destination, const Model& model = all_ports(), const std::optional<Fault>& fault = {}) {
  const BuiltMachine machine(text);
  const RecordedRun run(machine, model, {}, fault);
  const Rank processors = machine.topology.processors();
  PerRank<LabelledBlock> held(run.request());
  for (Rank x = 0; x < processors; ++x) held[x] = {x, destination(x), 0, generated_block(1, x, 0, K)};
  Moved moved{.report = packets::move_packets(run.request(), plan, held), .wrong = {}};
  for (Rank x = 0; x < processors && moved.wrong.empty(); ++x) {
    const LabelledBlock& there = held[destination(x)];
    if (there.origin != x || there.destination != destination(x) || there.block != generated_block(1, x, 0, K)) {
      moved.wrong = "rank " + std::to_string(destination(x)) + " does not hold what " + std::to_string(x) + " had";
    }
  }
  return moved;
}

Moved transpose(Port n, std::uint64_t K, const packets::PacketSchedule& plan, const Model& model = all_ports(),
                const std::optional<Fault>& fault = {}) {
  const auto destination = [=](Rank x) { return transposed(x, n); };
  return move(cube(n), K, plan, destination, model, fault);
}

/// The rule that the run breaks; empty if there is none.
std::string broken_rule(const std::function<void()>& run) {
  try {
    run();
  } catch (const RunError& error) {
    EXPECT_TRUE(error.is_violation()) << error.what();
    return error.what();
  }
  return {};
}

/// The message of a processor that notices an error.
std::string noticed(const std::function<void()>& run) {
  try {
    run();
  } catch (const RunError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::exception) << error.what();
    return error.what();
  }
  return {};
}

TEST(PacketCut, PutsTheLongerPacketsFirst) {
  const auto sizes = [](const packets::PacketCut& cut) {
    std::vector<std::uint64_t> all;
    std::uint64_t sum = 0;
    for (std::uint64_t packet = 0; packet < cut.packets(); ++packet) {
      EXPECT_EQ(cut.first(packet), sum);
      all.push_back(cut.size(packet));
      sum += cut.size(packet);
    }
    EXPECT_EQ(cut.words(), sum);
    return all;
  };
  using Sizes = std::vector<std::uint64_t>;
  EXPECT_EQ(sizes(packets::PacketCut::even(10, 4)), (Sizes{3, 3, 2, 2}));
  EXPECT_EQ(sizes(packets::PacketCut::even(12, 4)), (Sizes{3, 3, 3, 3}));
  EXPECT_EQ(sizes(packets::PacketCut::full(10, 4)), (Sizes{4, 4, 2}));
  EXPECT_EQ(sizes(packets::PacketCut::full(12, 4)), (Sizes{4, 4, 4}));
  EXPECT_EQ(sizes(packets::PacketCut::full(3, 4)), (Sizes{3}));
  EXPECT_EQ(sizes(packets::PacketCut()), Sizes());
}

TEST(PacketMoves, CarryOutSinglePathTranspositionWithWaitsAndWithout) {
  for (const Port n : {2U, 4U, 6U, 8U}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const auto& [K, B] : {std::pair(1, 1), std::pair(5, 5), std::pair(12, 3), std::pair(13, 5)}) {
      const auto words = static_cast<std::uint64_t>(K);
      const auto size = static_cast<std::uint64_t>(B);
      const std::uint64_t packets = ceil_of(words, size);
      std::vector<std::uint64_t> longest(packets + n - 1, size);
      longest.back() = words - (packets - 1) * size;
      for (const bool waits : {false, true}) {
        SCOPED_TRACE(std::to_string(n) + "-cube, K " + std::to_string(K) + ", B " + std::to_string(B) +
                     (waits ? ", with waits" : ""));
        const Moved moved = transpose(n, words, spt(n / 2, words, size, waits));
        EXPECT_EQ(moved.wrong, "");
        EXPECT_EQ(moved.report.steps, packets + n - 1);
        EXPECT_EQ(moved.report.cycles, packets + n - 1);
        EXPECT_EQ(moved.report.messages, packets * n * N / 2);
        EXPECT_EQ(moved.report.sends, packets * n * N / 2);
        EXPECT_EQ(moved.report.words, words * n * N / 2);
        EXPECT_EQ(longest_of_each_cycle(moved.report), longest);
        EXPECT_LE(moved.report.time_asynchronous, moved.report.time_synchronous);
        if (words % size == 0) {
          EXPECT_EQ(moved.report.time_asynchronous, static_cast<double>((packets + n - 1) * (size + 1)));
        }
      }
    }
  }
}

TEST(PacketMoves, CarryOutDualPathTransposition) {
  for (const Port n : {2U, 4U, 6U, 8U}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t K : {2U, 12U, 13U}) {
      for (const std::uint64_t B : {1U, 3U}) {
        SCOPED_TRACE(std::to_string(n) + "-cube, K " + std::to_string(K) + ", B " + std::to_string(B));
        const Moved moved = transpose(n, K, dpt(n / 2, K, B));
        EXPECT_EQ(moved.wrong, "");
        EXPECT_EQ(moved.report.steps, ceil_of(ceil_of(K, 2), B) + n - 1);
        EXPECT_EQ(moved.report.messages, (ceil_of(ceil_of(K, 2), B) + ceil_of(K / 2, B)) * n * N / 2);
        EXPECT_EQ(moved.report.words, K * n * N / 2);
      }
    }
  }
}

TEST(PacketMoves, OfManyPathsNeverMeet) {
  for (const Port n : {2U, 4U, 6U, 8U, 10U}) {
    const Port h = n / 2;
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const std::uint64_t k : {1U, 2U, 3U}) {
      SCOPED_TRACE(std::to_string(n) + "-cube, k " + std::to_string(k));
      const std::uint64_t K = 4 * k * h + 1;
      const packets::PacketSchedule plan = mpt(h, K, [=](std::uint64_t) { return k; });
      const Moved moved = transpose(n, K, plan);
      std::uint64_t messages = 0;
      for (std::uint64_t H = 1; H <= h; ++H) {
        messages += 8 * k * H * H * choose(h, H) << h;
        if (n > 8) continue;
        const auto own_class = [=](Rank x) { return differing_rows(x, h).size() == H ? transposed(x, n) : x; };
        const Moved alone = move(cube(n), K, only_class(plan, h, H), own_class);
        EXPECT_EQ(alone.wrong, "");
        EXPECT_EQ(alone.report.steps, 2 * k * H + 1);
      }
      EXPECT_EQ(moved.wrong, "");
      EXPECT_EQ(moved.report.steps, 2 * k * h + 1);
      EXPECT_EQ(moved.report.messages, messages);
      EXPECT_EQ(moved.report.words, K * n * N / 2);
    }
  }
}

TEST(PacketMoves, OfManyPathsMeetWhenMoreStart) {
  for (const Port n : {4U, 6U, 8U}) {
    const Port h = n / 2;
    for (std::uint64_t H = 2; H <= h; ++H) {
      SCOPED_TRACE(std::to_string(n) + "-cube, class " + std::to_string(H));
      const packets::PacketSchedule plan = mpt(
          h, 12 * h, [](std::uint64_t) { return 2; }, 3);
      EXPECT_NE(broken_rule([&] { transpose(n, 12 * h, only_class(plan, h, H)); }), "");
    }
  }
}

TEST(PacketMoves, TakeTheTimesOfTheSpec) {
  const std::map<Port, std::uint64_t> divisible{{2, 4}, {4, 8}, {6, 24}, {8, 48}, {10, 240}};
  for (const auto& [n, least] : divisible) {
    const Port h = n / 2;
    const std::uint64_t K = 3 * least;
    for (const auto& [beta, tau] : {std::pair(1.0, 1.0), std::pair(16.0, 0.25)}) {
      const Moved moved = transpose(n, K, mpt(h, K, most_rounds(h)), all_ports(beta, tau));
      EXPECT_EQ(moved.wrong, "");
      EXPECT_EQ(moved.report.steps, n + 1);
      double slowest_class = 0;
      for (std::uint64_t H = 1; H <= h; ++H) {
        const std::uint64_t k = h / H;
        const double packet = beta + tau * static_cast<double>(K / (4 * k * H));
        slowest_class = std::max(slowest_class, static_cast<double>(2 * k * H + 1) * packet);
      }
      std::vector<std::uint64_t> longest;
      double synchronous = 0;
      for (std::uint64_t c = 1; c <= n + 1; ++c) {
        std::uint64_t fewest = n;
        for (std::uint64_t H = 1; H <= h; ++H) {
          const std::uint64_t a = 2 * H * (h / H);
          if (a >= c - 1) fewest = std::min(fewest, a);
        }
        longest.push_back(K / (2 * fewest));
        synchronous += beta + tau * static_cast<double>(longest.back());
      }
      EXPECT_EQ(longest_of_each_cycle(moved.report), longest);
      EXPECT_DOUBLE_EQ(moved.report.time_synchronous, synchronous);
      EXPECT_DOUBLE_EQ(moved.report.time_asynchronous, slowest_class);
    }
  }
}

// The slowest class has H = 3: 7 cycles of packets of 256 words. For whole words the synchronous clock's 2494.2 is
// 2495, as 12 of the 20 packets of classes 1 and 5 have 154 words instead of 153.6.
TEST(PacketMoves, ChargePacketsForTheirOwnDataOnly) {
  const Moved moved = transpose(10, 3072, mpt(5, 3072, most_rounds(5)));
  EXPECT_EQ(moved.wrong, "");
  EXPECT_EQ(moved.report.steps, 11U);
  EXPECT_EQ(moved.report.time_asynchronous, 1799);
  EXPECT_EQ(moved.report.time_synchronous, 2495);
}

TEST(PacketMoves, NeedAllPorts) {
  Model one = all_ports();
  one.ports = PortModel::one;
  EXPECT_NE(broken_rule([&] { transpose(4, 8, spt(2, 8, 1, false), one); }), "");
  EXPECT_NE(broken_rule([&] { transpose(4, 8, mpt(2, 8, most_rounds(2)), one); }), "");
}

/// Processors 1 and 2 exchange their blocks, in packets of a word.
packets::PacketSchedule two_exchange(std::uint64_t K) {
  return {.streams = [](Rank x) { return x == 1 || x == 2 ? 1 : 0; },
          .stream =
              [=](Rank, std::uint32_t) {
                return packets::PacketStream{.path = packets::without_waits({1, 0}),
                                             .packets = packets::PacketCut::full(K, 1)};
              }};
}
Rank exchanged(Rank x) { return x == 1 ? 2 : x == 2 ? 1 : x; }

TEST(PacketMoves, DoNotTouchProcessorsWithoutPackets) {
  const std::uint64_t K = 1000;
  const Moved moved = move("hypercube:8", K, two_exchange(K), exchanged);
  EXPECT_EQ(moved.wrong, "");
  EXPECT_EQ(moved.report.messages, 4 * K);
  EXPECT_LE(moved.report.visits, 256 + 4 * (K + 3));
}

TEST(PacketMoves, HoldABlockAndWhatPassesThrough) {
  EXPECT_EQ(move("hypercube:2", 20, two_exchange(20), exchanged).report.peak_words_held, 21U);
}

Process later(Processor<LabelledBlock>& self, const packets::PacketSchedule& plan, std::uint64_t arrivals,
              LabelledBlock& held) {
  co_await self.until(5);
  co_await packets::move_packets(self, plan, arrivals, held);
}

TEST(PacketMoves, BeginInAnyCycle) {
  const BuiltMachine machine("hypercube:2");
  const RecordedRun run(machine, all_ports(), {});
  const packets::PacketSchedule plan = two_exchange(3);
  const std::vector<std::uint64_t> arrivals = packets::count_arrivals(plan, 4);
  EXPECT_EQ(arrivals, (std::vector<std::uint64_t>(4, 3)));
  std::vector<LabelledBlock> held;
  for (Rank x = 0; x < 4; ++x) held.push_back({x, exchanged(x), 0, generated_block(1, x, 0, 3)});
  const Report report = run_program<LabelledBlock>(run.request(), [&](Processor<LabelledBlock>& self) {
    return later(self, plan, arrivals[self.rank()], held[self.rank()]);
  });
  EXPECT_EQ(report.steps, 4U);
  EXPECT_EQ(report.cycles, 9U);
  EXPECT_EQ(held[2], (LabelledBlock{1, 2, 0, generated_block(1, 1, 0, 3)}));
}

TEST(PacketMoves, SayWhatMoves) {
  const BuiltMachine machine("hypercube:2");
  const RecordedRun run(machine, all_ports(), {});
  PerRank<LabelledBlock> held(run.request());
  for (Rank x = 0; x < 4; ++x) held[x] = {x, exchanged(x), 0, Block(1)};
  packets::move_packets(run.request(), two_exchange(1), held);
  ASSERT_GE(run.log().schedule.steps.size(), 2U);
  using Moves = std::vector<Move>;
  EXPECT_EQ(run.log().schedule.steps[0], (Moves{{1, 3, 1, 2}, {2, 0, 2, 1}}));
  EXPECT_EQ(run.log().schedule.steps[1], (Moves{{0, 1, 2, 1}, {3, 2, 1, 2}}));
  EXPECT_FALSE(run.log().has_parts);
}

TEST(PacketMoves, NoticePlansThatCannotBe) {
  packets::PacketSchedule plan = two_exchange(3);
  plan.stream = [](Rank, std::uint32_t) {
    return packets::PacketStream{.path = {{1, 0}, {0, 0}}, .packets = packets::PacketCut::full(3, 1)};
  };
  EXPECT_THROW(move("hypercube:2", 3, plan, exchanged), std::logic_error);

  plan = two_exchange(3);  // both to processor 2
  plan.stream = [](Rank x, std::uint32_t) {
    return packets::PacketStream{.path = x == 1 ? packets::without_waits({1, 0}) : packets::without_waits({0, 1, 0, 1}),
                                 .packets = packets::PacketCut::full(3, 1)};
  };
  EXPECT_NE(noticed([&] { move("hypercube:2", 3, plan, exchanged); }).find("for another processor"), std::string::npos);

  plan = two_exchange(3);  // 1 sends long after 2
  plan.stream = [](Rank x, std::uint32_t) {
    return packets::PacketStream{.path = x == 1 ? packets::PacketPath{{1, 9}, {0, 10}} : packets::without_waits({1, 0}),
                                 .packets = packets::PacketCut::full(3, 1)};
  };
  EXPECT_NE(noticed([&] { move("hypercube:2", 3, plan, exchanged); }).find("still occupied"), std::string::npos);
}

TEST(PacketMoves, CatchEveryFault) {
  const std::uint64_t K = 20;
  const std::uint64_t transfers = transpose(4, K, mpt(2, K, most_rounds(2))).report.messages;
  for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt, FaultKind::swap}) {
    for (std::uint64_t transfer = 0; transfer < transfers; ++transfer) {
      bool done = false;
      std::string caught;
      try {
        caught = transpose(4, K, mpt(2, K, most_rounds(2)), all_ports(), Fault{kind, transfer, &done}).wrong;
      } catch (const RunError& error) {
        caught = error.what();
      }
      EXPECT_TRUE(done);
      EXPECT_NE(caught, "") << "fault " << static_cast<int>(kind) << " in transfer " << transfer;
    }
  }
}

}  // namespace
}  // namespace lockstep::permute::packet_moves_test
