// Messages that know their paths (mukherjee.md, Switching; johnsson-ho.md, Start-ups once a path): the plan against a
// naive simulation of the rule, times against the textbook's formulas and clocks computed step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "distances.hpp"
#include "lockstep/algorithms/routing.hpp"
#include "method_run.hpp"

namespace lockstep::switching_test {
namespace {

constexpr Switching stored = Switching::store_and_forward;
constexpr Switching cut = Switching::cut_through;
constexpr Switching circuit = Switching::circuit;

/// A start-up costs 3, a word 0.5, a header's hop 0.25.
Model switched(Switching switching, PortModel ports = PortModel::one) {
  Model model = model_of(ports);
  model.cost.switching = switching;
  if (switching != stored) model.cost.hop_cost = 0.25;
  return model;
}

Model once_a_path(PortModel ports = PortModel::one) {
  Model model = model_of(ports);
  model.cost.startup = StartupPer::path;
  return model;
}

Settings transfer(Rank source, Rank destination, std::uint64_t words, std::optional<std::uint64_t> packets = {}) {
  Settings settings;
  settings.source = source;
  settings.destination = destination;
  settings.words = words;
  settings.packets = packets;
  return settings;
}

// ---- The rule, packet by packet, on a cube.

using Link = std::pair<Rank, Rank>;
using PacketCrossing =
    std::tuple<std::uint64_t, Rank, Rank, std::uint32_t, std::uint32_t>;  // cycle, from, to, packet, left

struct NaivePacket {
  std::vector<Link> path{};
  std::size_t made = 0;
  std::vector<std::pair<std::uint64_t, Link>> kept{};  // with the cycle of the header
  bool moved = false;
};

class NaiveSwitching {
 public:
  NaiveSwitching(const std::vector<RouteRequest>& requests, PortModel ports, Switching switching)
      : one_port_(ports == PortModel::one), switching_(switching) {
    for (const RouteRequest& request : requests) {
      NaivePacket& packet = packets_.emplace_back();
      Rank at = request.from;
      for (Rank bit = 1; bit != 0; bit <<= 1) {
        if (((request.from ^ request.to) & bit) == 0) continue;
        packet.path.emplace_back(at, at ^ bit);
        at ^= bit;
      }
    }
  }

  std::set<PacketCrossing> run() {
    for (std::uint64_t cycle = 0; is_busy(); ++cycle) {
      for (NaivePacket& packet : packets_) packet.moved = false;
      const std::set<std::uint32_t> under_way = keepers();
      for (const std::uint32_t number : in_order()) try_to_move(number, cycle);
      for (const std::uint32_t number : under_way) {
        if (switching_ == cut && !packets_[number].moved) rest(number);
      }
      for (std::uint32_t number = 0; number < packets_.size(); ++number) {
        const NaivePacket& packet = packets_[number];
        if (!packet.kept.empty() && packet.made == packet.path.size() && packet.kept.back().first == cycle) {
          rest(number);
        }
      }
    }
    return crossings_;
  }

 private:
  bool is_busy() const {
    return std::ranges::any_of(
        packets_, [](const NaivePacket& packet) { return packet.made < packet.path.size() || !packet.kept.empty(); });
  }

  std::set<std::uint32_t> keepers() const {
    std::set<std::uint32_t> all;
    for (std::uint32_t number = 0; number < packets_.size(); ++number) {
      if (!packets_[number].kept.empty()) all.insert(number);
    }
    return all;
  }

  std::vector<std::uint32_t> in_order() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t number = 0; number < packets_.size(); ++number) {
      if (packets_[number].made < packets_[number].path.size()) all.push_back(number);
    }
    std::ranges::stable_sort(all, [&](std::uint32_t a, std::uint32_t b) {
      return packets_[a].path.size() - packets_[a].made > packets_[b].path.size() - packets_[b].made;
    });
    return all;
  }

  bool is_free(const Link& link) const {
    for (const NaivePacket& packet : packets_) {
      for (const auto& [cycle, kept] : packet.kept) {
        if (kept == link || (one_port_ && (kept.first == link.first || kept.second == link.second))) return false;
      }
    }
    return true;
  }

  void try_to_move(std::uint32_t number, std::uint64_t cycle) {
    NaivePacket& packet = packets_[number];
    const std::size_t until = switching_ == circuit ? packet.path.size() : packet.made + 1;
    for (std::size_t hop = packet.made; hop < until; ++hop) {
      if (!is_free(packet.path[hop])) return;
    }
    while (packet.made < until) packet.kept.emplace_back(cycle++, packet.path[packet.made++]);
    packet.moved = true;
  }

  void rest(std::uint32_t number) {
    auto& kept = packets_[number].kept;
    for (std::size_t hop = 0; hop < kept.size(); ++hop) {
      const auto& [cycle, link] = kept[hop];
      crossings_.emplace(cycle, link.first, link.second, number, static_cast<std::uint32_t>(kept.size() - hop));
    }
    kept.clear();
  }

  bool one_port_;
  Switching switching_;
  std::vector<NaivePacket> packets_;
  std::set<PacketCrossing> crossings_;
};

std::set<PacketCrossing> planned(const RouteSchedule& plan, const Topology& topology) {
  std::set<PacketCrossing> crossings;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    for (const RouteSchedule::RouteMove& move : plan.moves(rank)) {
      if (move.receives) continue;
      crossings.emplace(move.cycle, rank, topology.peer(rank, move.port).rank, move.packet, move.hops_left);
    }
  }
  return crossings;
}

std::vector<RouteRequest> random_requests(std::mt19937_64& random, Rank processors, std::size_t most) {
  const Rank busy = 1 + static_cast<Rank>(random() % processors);
  std::vector<RouteRequest> requests(random() % most);
  for (RouteRequest& request : requests) {
    request = {static_cast<Rank>(random() % processors), static_cast<Rank>(random() % busy)};
    if (random() % 2 == 0) std::swap(request.from, request.to);
  }
  return requests;
}

TEST(Switching, IsPlannedAsANaiveSimulationOfTheRuleComesTo) {
  for (unsigned trial = 0; trial < 120; ++trial) {
    SCOPED_TRACE("seed " + std::to_string(trial));
    std::mt19937_64 random(trial);
    const BuiltMachine machine(cube(trial % 5));
    const auto requests = random_requests(random, machine.topology.processors(), 40);
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      for (const Switching switching : {cut, circuit}) {
        const std::set<PacketCrossing> expected = NaiveSwitching(requests, ports, switching).run();
        const RouteSchedule plan(ecube_machine(machine.spec), requests, ports, switching);
        EXPECT_EQ(planned(plan, machine.topology), expected);
        std::set<std::uint64_t> cycles;
        for (const PacketCrossing& crossing : expected) cycles.insert(std::get<0>(crossing));
        EXPECT_EQ(plan.steps(), cycles.size());
      }
    }
  }
}

// Packet 0 takes 0-1-3-7, packet 1 the same path from 1: mukherjee.md, Switching, worked out by hand.
TEST(Switching, GathersAPacketWhoseWayIsTaken) {
  const BuiltMachine machine("hypercube:3");
  const std::vector<RouteRequest> requests{{0, 7}, {1, 7}};
  const RoutedMachine routed = ecube_machine(machine.spec);
  // Cut through: 1 goes first over 1-3 while 0 crosses 0-1; then 0 finds 1-3 held, is gathered in 1, and continues.
  const std::set<PacketCrossing> through{
      {0, 0, 1, 0, 1}, {0, 1, 3, 1, 2}, {1, 3, 7, 1, 1}, {2, 1, 3, 0, 2}, {3, 3, 7, 0, 1}};
  EXPECT_EQ(planned(RouteSchedule(routed, requests, PortModel::all, cut), machine.topology), through);
  // Circuits: 0 takes its whole path, and 1 waits until its header has arrived.
  const std::set<PacketCrossing> circuits{
      {0, 0, 1, 0, 3}, {1, 1, 3, 0, 2}, {2, 3, 7, 0, 1}, {3, 1, 3, 1, 2}, {4, 3, 7, 1, 1}};
  EXPECT_EQ(planned(RouteSchedule(routed, requests, PortModel::all, circuit), machine.topology), circuits);
}

// ---- Times without contention: startups beta + d hop + w tau, in both clocks.

TEST(Switching, TakesTheTimeOfTheTextbookWithoutWaits) {
  for (const char* text : {"hypercube:0", "hypercube:1", "hypercube:5", "ring:1", "ring:2", "ring:9", "torus:4x4"}) {
    const BuiltMachine machine(text);
    const std::vector<Rank> distance = distances_from(machine.topology, 0);
    for (const Switching switching : {stored, cut, circuit}) {
      for (Rank to = 0; to < machine.topology.processors(); ++to) {
        SCOPED_TRACE(std::string(text) + " to " + std::to_string(to) + ", " + std::string(name(switching)));
        const double d = distance[to];
        const double right = d == 0 ? 0 : switching == stored ? d * (3 + 7 * 0.5) : 3 + d * 0.25 + 7 * 0.5;
        SpecCounts counts{.messages = distance[to], .words = 7 * distance[to]};
        if (switching != stored) counts.startups = std::min(distance[to], 1U);
        const Report report =
            expect_run(machine, "send/store-and-forward", switched(switching), transfer(0, to, 7), counts);
        EXPECT_DOUBLE_EQ(report.time_synchronous, right);
        EXPECT_DOUBLE_EQ(report.time_asynchronous, right);
        EXPECT_EQ(report.steps, distance[to]);
      }
    }
  }
}

TEST(Switching, LetsAllComplementsThroughAtOnce) {
  for (unsigned d = 1; d <= 6; ++d) {
    const BuiltMachine machine(cube(d));
    Settings settings = block_settings(5);
    settings.pattern = "complement";
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const auto times = [&](const Model& model) {
        const Outcome outcome = machine.run("route/ecube", model, settings);
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(outcome.report.steps, d);
        const Prediction predicted = machine.predict("route/ecube", model, settings);
        expect_kept(predicted, outcome.report, model.cost);
        EXPECT_DOUBLE_EQ(synchronous_time(predicted, model.cost).value().value, outcome.report.time_synchronous);
        return std::pair(outcome.report.time_synchronous, outcome.report.time_asynchronous);
      };
      const double through = 3 + d * 0.25 + 5 * 0.5;
      const double gathered = 3 + d * (0.25 + 5 * 0.5);
      const double right = ports == PortModel::all ? through : gathered;
      EXPECT_EQ(times(switched(cut, ports)), std::pair(right, right));
      if (ports == PortModel::all || d == 1) {
        EXPECT_EQ(times(switched(circuit, ports)), std::pair(through, through));
      }
      const double path = 3 + d * 5 * 0.5;
      EXPECT_EQ(times(once_a_path(ports)), std::pair(path, path));
      const double hop = d * (3 + 5 * 0.5);
      EXPECT_EQ(times(model_of(ports)), std::pair(hop, hop));
    }
  }
}

// Under every pattern the data is right, and no time is less than that of the longest path alone.
TEST(Switching, BringsEveryPatternOnEveryMachine) {
  for (const char* text : {"hypercube:4", "rh:2,1", "rh:2,2"}) {
    const BuiltMachine machine(text);
    for (const char* pattern : {"gather", "scatter", "complement", "bit-reversal", "rotate-half", "shift-one"}) {
      Settings settings = block_settings(3);
      settings.pattern = pattern;
      for (const Switching switching : {cut, circuit}) {
        for (const PortModel ports : {PortModel::one, PortModel::all}) {
          SCOPED_TRACE(std::string(text) + ", " + pattern + ", " + std::string(name(switching)));
          const Outcome outcome = machine.run("route/ecube", switched(switching, ports), settings);
          EXPECT_EQ(outcome.wrong, "");
          const double path =
              static_cast<double>(std::ranges::find(outcome.measures, "longest_path", &Measure::name)->value);
          EXPECT_GE(outcome.report.time_asynchronous, 3 + path * 0.25 + 3 * 0.5);
          EXPECT_LE(outcome.report.time_asynchronous, outcome.report.time_synchronous);
        }
      }
    }
  }
}

// ---- Packets over paths.

/// The clock of one pipeline of packets of these lengths, step by step.
double stepwise_time(const std::vector<std::uint64_t>& packets, std::uint64_t hops) {
  double time = 0;
  for (std::uint64_t step = 0; step < packets.size() + hops - 1; ++step) {
    double dearest = 0;
    for (std::uint64_t p = 0; p < packets.size(); ++p) {
      if (step < p || step >= p + hops) continue;
      dearest = std::max(dearest, (step == p ? 3.0 : 0.0) + static_cast<double>(packets[p]) * 0.5);
    }
    time += dearest;
  }
  return time;
}

/// The arrival of the last packet: every link takes one packet after the other.
double linkwise_time(const std::vector<std::uint64_t>& packets, std::uint64_t hops) {
  std::vector<double> free(hops);
  double last = 0;
  for (const std::uint64_t words : packets) {
    double here = 0;
    for (std::uint64_t hop = 0; hop < hops; ++hop) {
      here = std::max(here, free[hop]) + (hop == 0 ? 3.0 : 0.0) + static_cast<double>(words) * 0.5;
      free[hop] = here;
    }
    last = std::max(last, here);
  }
  return last;
}

std::vector<std::uint64_t> even_packets(std::uint64_t words, std::uint64_t count) {
  std::vector<std::uint64_t> packets(count, words / count);
  for (std::uint64_t p = 0; p < words % count; ++p) ++packets[p];
  return packets;
}

TEST(StartupsOnceAPath, ArePaidByEveryPacketOnItsFirstLink) {
  const BuiltMachine machine("ring:17");
  for (std::uint64_t hops = 1; hops <= 8; ++hops) {
    for (const auto& [words, count] : {std::pair(1U, 1U), std::pair(6U, 3U), std::pair(11U, 4U), std::pair(40U, 9U)}) {
      const Report report =
          expect_run(machine, "send/pipelined", once_a_path(), transfer(0, static_cast<Rank>(hops), words, count),
                     {.messages = hops * count, .words = hops * words, .startups = count});
      EXPECT_EQ(report.steps, hops + count - 1);
      EXPECT_DOUBLE_EQ(report.time_synchronous, stepwise_time(even_packets(words, count), hops));
      EXPECT_DOUBLE_EQ(report.time_asynchronous, linkwise_time(even_packets(words, count), hops));
    }
  }
}

// Packets that hold links follow each other as a whole: nu beta + nu d hop + N tau, and in the asynchronous clock as
// soon as the first link is free.
TEST(Switching, LetsPacketsOfAPathFollowEachOtherWhole) {
  const BuiltMachine machine("ring:17");
  for (const Switching switching : {cut, circuit}) {
    for (std::uint64_t hops = 1; hops <= 8; ++hops) {
      for (const auto& [words, count] : {std::pair(1U, 1U), std::pair(6U, 3U), std::pair(11U, 4U)}) {
        const Report report = expect_run(machine, "send/pipelined", switched(switching),
                                         transfer(0, static_cast<Rank>(hops), words, count),
                                         {.messages = hops * count, .words = hops * words, .startups = count});
        const auto nu = static_cast<double>(count);
        const auto d = static_cast<double>(hops);
        EXPECT_EQ(report.steps, hops * count);
        EXPECT_DOUBLE_EQ(report.time_synchronous, nu * 3 + nu * d * 0.25 + words * 0.5);
        const double headers = switching == cut ? nu + d - 1 : nu * d;
        EXPECT_DOUBLE_EQ(report.time_asynchronous, nu * 3 + headers * 0.25 + words * 0.5);
      }
    }
  }
}

TEST(Switching, PredictsTheTimesOfDisjointPaths) {
  for (const char* text : {"hypercube:3", "hypercube:5", "ring:7", "torus:5x5"}) {
    const BuiltMachine machine(text);
    for (Rank to = 1; to < machine.topology.processors(); to += 3) {
      for (const std::optional<std::uint64_t>& packets :
           {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{3}}) {
        for (const Model& model :
             {switched(cut, PortModel::all), switched(circuit, PortModel::all), once_a_path(PortModel::all)}) {
          SCOPED_TRACE(std::string(text) + " to " + std::to_string(to));
          const Settings settings = transfer(0, to, 61, packets);
          const Outcome outcome = machine.run("send/disjoint-paths", model, settings);
          EXPECT_EQ(outcome.wrong, "");
          const Prediction predicted = machine.predict("send/disjoint-paths", model, settings);
          ASSERT_TRUE(predicted.synchronous);
          expect_kept(predicted, outcome.report, model.cost);
        }
      }
    }
  }
}

// The default number of packets takes the least time of all.
TEST(StartupsOnceAPath, HaveTheBestPacketsByDefault) {
  const BuiltMachine machine("ring:17");
  for (const std::uint64_t words : {1U, 7U, 30U, 64U}) {
    for (std::uint64_t hops = 1; hops <= 8; ++hops) {
      double least = 1e300;
      std::uint64_t best = 0;
      for (std::uint64_t count = 1; count <= words; ++count) {
        const double time = stepwise_time(even_packets(words, count), hops);
        if (time >= least - 1e-9) continue;
        least = time;
        best = count;
      }
      EXPECT_EQ(
          resolved("send/pipelined", "ring:17", transfer(0, static_cast<Rank>(hops), words), once_a_path()).packets,
          best)
          << words << " words, " << hops << " hops";
    }
  }
}

std::vector<std::uint64_t> full_packets(std::uint64_t words, std::uint64_t size) {
  std::vector<std::uint64_t> packets(words / size, size);
  if (words % size > 0) packets.push_back(words % size);
  return packets;
}

// johnsson-ho.md, Start-ups once a path: the longest paths have n hops, and their packets wait for no others.
TEST(StartupsOnceAPath, ArePaidByThePacketsOfTranspositions) {
  for (const unsigned n : {2U, 4U, 6U}) {
    const BuiltMachine machine(cube(n));
    for (const auto& [method, paths] :
         {std::tuple("transpose/2d-spt-pipelined", 1U), std::tuple("transpose/2d-dpt", 2U)}) {
      for (const std::uint64_t size : {1U, 2U, 3U, 5U, 8U}) {
        SCOPED_TRACE(std::string(method) + ", n " + std::to_string(n) + ", packets of " + std::to_string(size));
        Settings settings;
        settings.matrix = MatrixSize{std::uint64_t{8} << n / 2, std::uint64_t{4} << n / 2};  // 32 words a processor
        settings.packet_words = size;
        const Model model = once_a_path(machine.method(method).defaults.ports);
        const Outcome outcome = machine.run(method, model, settings);
        EXPECT_EQ(outcome.wrong, "");
        const std::vector<std::uint64_t> packets = full_packets(32 / paths, size);
        EXPECT_EQ(outcome.report.steps, packets.size() + n - 1);
        EXPECT_DOUBLE_EQ(outcome.report.time_synchronous, stepwise_time(packets, n));
        EXPECT_DOUBLE_EQ(outcome.report.time_asynchronous, linkwise_time(packets, n));
        expect_kept(machine.predict(method, model, settings), outcome.report, model.cost);
      }
    }
  }
}

TEST(Switching, LosesNoFault) {
  const Settings settings = transfer(0, 7, 9, 3);
  expect_catches_faults("send/pipelined", "hypercube:3", settings, switched(cut));
  expect_catches_faults("send/disjoint-paths", "hypercube:3", settings, switched(circuit, PortModel::all));
}

}  // namespace
}  // namespace lockstep::switching_test
