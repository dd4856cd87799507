// route/ecube against mukherjee.md, Routing: the plan against a naive simulation of the arbitration, the counts against
// the paths' lengths and bounds, and the closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "data_directory.hpp"
#include "lockstep/algorithms/routing.hpp"
#include "method_run.hpp"
#include "operations/route/pattern.hpp"

namespace lockstep::route_test {
namespace {

constexpr std::string_view ecube = "route/ecube";
const std::vector<std::string> pattern_names{"gather",      "scatter",   "complement", "bit-reversal",
                                             "rotate-half", "shift-one", "transpose"};

Settings route_settings(const std::string& pattern, std::uint64_t words = 1) {
  Settings settings;
  settings.pattern = pattern;
  settings.words = words;
  return settings;
}

// ---- The machines by their definitions, without the library's addresses.

using Walk = std::vector<Rank>;  // the processors on a path, its ends included

Walk walk_on_cube(Rank from, Rank to) {
  Walk walk{from};
  for (unsigned bit = 0; bit < 32; ++bit) {
    if (((from ^ to) >> bit & 1U) != 0) walk.push_back(walk.back() ^ 1U << bit);
  }
  return walk;
}

Walk walk_on_rh(unsigned k, unsigned n, Rank from, Rank to) {
  const unsigned c = k - n;
  const unsigned D = 1U << n;
  Walk walk{from};
  for (unsigned m = 0; m < D; ++m) {
    if (((from ^ to) >> (k + m) & 1U) == 0) continue;
    for (unsigned bit = c; bit < k; ++bit) {
      if ((walk.back() >> bit & 1U) != (m >> (bit - c) & 1U)) walk.push_back(walk.back() ^ 1U << bit);
    }
    walk.push_back(walk.back() ^ 1U << (k + m));
  }
  for (unsigned bit = 0; bit < k; ++bit) {
    if (((walk.back() ^ to) >> bit & 1U) != 0) walk.push_back(walk.back() ^ 1U << bit);
  }
  return walk;
}

Walk walk_on(const MachineSpec& machine, const RouteRequest& request) {
  if (machine.family == "hypercube") return walk_on_cube(request.from, request.to);
  return walk_on_rh(static_cast<unsigned>(machine.parameters[0]), static_cast<unsigned>(machine.parameters[1]),
                    request.from, request.to);
}

// ---- The arbitration of mukherjee.md, Routing, packet by packet.

using PacketCrossing = std::tuple<std::uint64_t, Rank, Rank, std::uint32_t>;  // cycle, from, to, packet

struct Simulated {
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
  std::uint64_t longest_path = 0;
  std::uint64_t longest_queue = 0;
  std::uint64_t bound = 0;  // mukherjee.md, Routing, bounds to assert
  std::set<PacketCrossing> crossings;
};

Simulated simulate(const MachineSpec& machine, const std::vector<RouteRequest>& requests, PortModel ports) {
  std::vector<Walk> walks;
  for (const RouteRequest& request : requests) walks.push_back(walk_on(machine, request));
  std::vector<std::size_t> at(requests.size());
  const auto left = [&](std::uint32_t packet) { return walks[packet].size() - 1 - at[packet]; };
  Simulated result;
  std::map<std::pair<Rank, Rank>, std::uint64_t> over_link;
  std::map<Rank, std::uint64_t> sent_by;
  std::map<Rank, std::uint64_t> received_by;
  for (;; ++result.steps) {
    std::vector<std::uint32_t> waiting;
    std::map<Rank, std::uint64_t> queues;
    for (std::uint32_t packet = 0; packet < requests.size(); ++packet) {
      if (left(packet) == 0) continue;
      waiting.push_back(packet);
      result.longest_queue = std::max(result.longest_queue, ++queues[walks[packet][at[packet]]]);
    }
    if (waiting.empty()) break;
    std::stable_sort(waiting.begin(), waiting.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return left(a) > left(b); });
    std::set<std::pair<Rank, Rank>> links;
    std::set<Rank> senders;
    std::set<Rank> receivers;
    std::vector<std::uint32_t> moved;
    for (const std::uint32_t packet : waiting) {
      const Rank from = walks[packet][at[packet]];
      const Rank to = walks[packet][at[packet] + 1];
      if (links.contains({from, to})) continue;
      if (ports != PortModel::all && (senders.contains(from) || receivers.contains(to))) continue;
      links.insert({from, to});
      senders.insert(from);
      receivers.insert(to);
      moved.push_back(packet);
      result.crossings.insert({result.steps, from, to, packet});
      result.bound = std::max(result.bound, ++over_link[{from, to}]);
      const std::uint64_t busiest = std::max(++sent_by[from], ++received_by[to]);
      if (ports != PortModel::all) result.bound = std::max(result.bound, busiest);
    }
    for (const std::uint32_t packet : moved) ++at[packet];
  }
  for (const Walk& walk : walks) {
    result.messages += walk.size() - 1;
    result.longest_path = std::max<std::uint64_t>(result.longest_path, walk.size() - 1);
  }
  result.bound = std::max(result.bound, result.longest_path);
  return result;
}

/// The actions of the plan's senders; those of its receivers must agree.
std::set<PacketCrossing> crossings_of(const RouteSchedule& plan, const Topology& topology) {
  std::set<PacketCrossing> sent;
  std::set<PacketCrossing> received;
  for (Rank rank = 0; rank < topology.processors(); ++rank) {
    std::pair<std::uint64_t, bool> last{0, false};  // cycle, and whether it sends; receives come first
    for (const RouteSchedule::RouteMove& move : plan.moves(rank)) {
      const Rank other = topology.peer(rank, move.port).rank;
      const std::pair<std::uint64_t, bool> now{move.cycle, !move.receives};
      EXPECT_LE(last, now) << "rank " << rank;
      last = now;
      if (move.receives) {
        EXPECT_TRUE(received.insert({move.cycle - 1, other, rank, move.packet}).second);
      } else {
        EXPECT_TRUE(sent.insert({move.cycle, rank, other, move.packet}).second);
      }
    }
  }
  EXPECT_EQ(sent, received);
  return sent;
}

void expect_planned_as_simulated(const BuiltMachine& machine, const std::vector<RouteRequest>& requests) {
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    SCOPED_TRACE(machine.spec.text + ", ports " + std::string(name(ports)));
    const Simulated expected = simulate(machine.spec, requests, ports);
    const RoutedMachine routed = ecube_machine(machine.spec);
    const RouteSchedule plan(routed, requests, ports);
    EXPECT_EQ(plan.steps(), expected.steps);
    EXPECT_EQ(plan.longest_path(), expected.longest_path);
    EXPECT_EQ(plan.longest_queue(), expected.longest_queue);
    EXPECT_EQ(crossings_of(plan, machine.topology), expected.crossings);
    const RouteLoad load = route_load(routed, requests);
    EXPECT_EQ(load.messages, expected.messages);
    EXPECT_EQ(load.longest_path, expected.longest_path);
    EXPECT_EQ(load.least_steps(ports), expected.bound);
  }
}

const std::vector<std::string> small_machines{"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:5",
                                              "rh:0,0",      "rh:1,0",      "rh:3,0",      "rh:1,1",      "rh:2,1",
                                              "rh:3,1",      "rh:2,2",      "rh:3,2"};

TEST(RouteSchedule, IsWhatANaiveSimulationOfTheRuleComesTo) {
  for (std::size_t index = 0; index < small_machines.size(); ++index) {
    const BuiltMachine machine(small_machines[index]);
    for (unsigned trial = 0; trial < 12; ++trial) {
      const std::uint64_t seed = 100 * index + trial;
      SCOPED_TRACE("seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      const std::uint64_t processors = machine.topology.processors();
      const std::uint64_t busy = 1 + random() % processors;  // few destinations crowd the packets
      std::vector<RouteRequest> requests(random() % 3 == 0 ? random() % 4 : random() % 200);
      for (RouteRequest& request : requests) {
        request = {static_cast<Rank>(random() % processors), static_cast<Rank>(random() % busy)};
        if (trial % 2 == 1) std::swap(request.from, request.to);
      }
      expect_planned_as_simulated(machine, requests);
    }
  }
}

TEST(RouteSchedule, OfNoPacketsHasNoTurns) {
  const BuiltMachine machine("hypercube:3");
  expect_planned_as_simulated(machine, {});
  expect_planned_as_simulated(machine, {{5, 5}, {0, 0}});
  EXPECT_EQ(RouteSchedule(ecube_machine(machine.spec), {}, PortModel::one).steps(), 0U);
}

// ---- Patterns.

RouteRequest requested(const std::string& pattern, Rank x, unsigned A) {
  const Rank all = static_cast<Rank>((std::uint64_t{1} << A) - 1);
  if (pattern == "gather") return {x, 0};
  if (pattern == "scatter") return {0, x};
  if (pattern == "complement") return {x, all - x};
  if (pattern == "shift-one") return {x, x == all ? 0 : x + 1};
  Rank to = 0;
  for (unsigned bit = 0; bit < A; ++bit) {
    unsigned place = pattern == "bit-reversal" ? A - 1 - bit : (bit + A / 2) % A;
    if (pattern == "transpose" && A % 2 != 0)
      place = 2 * bit + 1 == A ? bit : (bit + A / 2 + (bit > A / 2 ? 0 : 1)) % A;
    to += (x >> bit & 1U) << place;
  }
  return {x, to};
}

std::vector<RouteRequest> requests_of(const std::string& pattern, unsigned A) {
  std::vector<RouteRequest> requests;
  const Rank first = pattern == "gather" || pattern == "scatter" ? 1 : 0;
  for (Rank x = first; x < 1U << A; ++x) requests.push_back(requested(pattern, x, A));
  return requests;
}

TEST(RoutePattern, NamesTheRequestsOfTheSpec) {
  for (unsigned A = 0; A <= 9; ++A) {
    for (const std::string& pattern : pattern_names) {
      SCOPED_TRACE(pattern + ", A " + std::to_string(A));
      EXPECT_EQ(route::make_requests(pattern, Rank{1} << A), requests_of(pattern, A));
      EXPECT_EQ(route::count_requests(pattern, Rank{1} << A), requests_of(pattern, A).size());
    }
  }
}

std::uint64_t measure(const Outcome& outcome, std::string_view name) {
  const auto found = std::ranges::find(outcome.measures, name, &Measure::name);
  EXPECT_NE(found, outcome.measures.end()) << name;
  return found == outcome.measures.end() ? 0 : found->value;
}

/// All counts of a run, its prediction and its bounds against the simulated ones.
void expect_counts(const BuiltMachine& machine, const Model& model, const Settings& settings,
                   const Simulated& expected) {
  const std::uint64_t w = *settings.words;
  const Outcome outcome = machine.run(ecube, model, settings);
  EXPECT_EQ(outcome.wrong, "");
  const Report& report = outcome.report;
  EXPECT_EQ(report.steps, expected.steps);
  EXPECT_EQ(report.cycles, expected.steps);
  EXPECT_EQ(report.messages, expected.messages);
  EXPECT_EQ(report.words, expected.messages * w);
  EXPECT_EQ(report.longest_sum, expected.steps * w);
  EXPECT_GE(report.steps, expected.bound);
  EXPECT_EQ(measure(outcome, "longest_queue"), expected.longest_queue);
  EXPECT_EQ(measure(outcome, "longest_path"), expected.longest_path);

  const Method& method = machine.method(ecube);
  const Prediction predicted = method.predict(machine.spec, model, settings);
  EXPECT_EQ(predicted.messages.value().value, expected.messages);
  EXPECT_EQ(predicted.words.value().value, expected.messages * w);
  EXPECT_EQ(predicted.message_words, w);
  EXPECT_TRUE(predicted.messages->exact && predicted.words->exact);
  const LowerBound bound = lower_bound(method, machine.spec, model, settings);
  EXPECT_EQ(bound.steps, expected.bound);
  EXPECT_EQ(bound.longest_sum, expected.bound * w);
}

TEST(RouteEcube, CountsWhatTheRuleComesTo) {
  std::vector<std::string> machines = small_machines;
  machines.insert(machines.end(), {"hypercube:7", "rh:5,0", "rh:5,1", "rh:4,2"});
  for (const std::string& text : machines) {
    const BuiltMachine machine(text);
    unsigned A = 0;
    while (std::uint64_t{1} << A < machine.spec.processors) ++A;
    for (const std::string& pattern : pattern_names) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        const Simulated expected = simulate(machine.spec, requests_of(pattern, A), ports);
        for (const std::uint64_t words : {1U, 3U}) {
          SCOPED_TRACE(text + ", " + pattern + ", " + std::string(name(ports)) + ", words " + std::to_string(words));
          expect_counts(machine, model_of(ports), route_settings(pattern, words), expected);
        }
      }
    }
  }
}

// johnsson-ho.md, Two dimensions: floor(d/2) 2^d messages, 2^(h-1) of them over one link; the steps come from a
// simulation.
TEST(RouteEcube, TransposesThroughOneProcessorOfEveryRow) {
  const Lengths by_all{0, 0, 2, 2, 4, 4, 6, 6, 10, 10};
  const Lengths by_one{0, 0, 2, 2, 4, 4, 9, 9, 18, 18};
  for (unsigned d = 0; d < by_all.size(); ++d) {
    const BuiltMachine machine(cube(d));
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const Report report = machine.run(ecube, model_of(ports), route_settings("transpose")).report;
      EXPECT_EQ(report.messages, std::uint64_t{d / 2} << d);
      EXPECT_EQ(report.steps, (ports == PortModel::all ? by_all : by_one)[d]) << d;
      EXPECT_EQ(report.busiest_link_words, d < 2 ? 0 : 1U << (d / 2 - 1));
    }
  }
}

// mukherjee.md, Routing: all-to-one and one-to-all take 2^d - 1 steps with one port and 2^(d-1) with all; complement
// takes d.
TEST(RouteEcube, TakesTheStepsOfTheClosedFormsOnTheCube) {
  for (unsigned d = 0; d <= (sanitized ? 9 : 14); ++d) {
    const BuiltMachine machine(cube(d));
    const std::uint64_t N = std::uint64_t{1} << d;
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      const std::uint64_t spread = ports == PortModel::one ? N - 1 : N / 2;
      for (const auto& [pattern, steps, messages] :
           {std::tuple("gather", spread, N * d / 2), std::tuple("scatter", spread, N * d / 2),
            std::tuple("complement", std::uint64_t{d}, N * d)}) {
        SCOPED_TRACE("d " + std::to_string(d) + ", " + pattern + ", " + std::string(name(ports)));
        const Settings settings = route_settings(pattern, 2);
        const Outcome outcome = machine.run(ecube, model_of(ports), settings);
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(outcome.report.steps, steps);
        EXPECT_EQ(outcome.report.messages, messages);
        EXPECT_EQ(outcome.report.longest_sum, 2 * steps);
        const Prediction predicted = machine.method(ecube).predict(machine.spec, model_of(ports), settings);
        EXPECT_EQ(predicted.steps.value().value, steps);
        EXPECT_EQ(predicted.longest_sum.value().value, 2 * steps);
        EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
      }
    }
  }
}

TEST(RouteEcube, PredictsNoStepsThatTheSpecDoesNotKnow) {
  for (const auto& [machine, pattern] :
       {std::pair("hypercube:4", "shift-one"), std::pair("hypercube:4", "rotate-half"),
        std::pair("hypercube:4", "bit-reversal"), std::pair("rh:2,1", "gather"), std::pair("rh:2,1", "complement")}) {
    const MachineSpec spec = parse_machine(machine);
    const Prediction predicted = find_method(ecube, spec.family).predict(spec, {}, route_settings(pattern));
    EXPECT_FALSE(predicted.steps || predicted.longest_sum) << machine << ", " << pattern;
  }
}

// ---- Models.

// All packets of a gather or scatter follow one tree, so no link is used in both directions; they pass nodes that
// receive while they send.
TEST(RouteEcube, GathersAndScattersOverHalfDuplexLinks) {
  for (const unsigned A : {0U, 1U, 2U, 5U, 8U}) {
    const BuiltMachine machine(cube(A));
    for (const std::string pattern : {"gather", "scatter"}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        SCOPED_TRACE(machine.spec.text + ", " + pattern + ", " + std::string(name(ports)));
        expect_counts(machine, model_of(ports, Duplex::half_link), route_settings(pattern, 2),
                      simulate(machine.spec, requests_of(pattern, A), ports));
      }
    }
  }
}

TEST(RouteEcube, KeepsToOnePortStrictlyWhereNeighboursExchange) {
  for (const std::string text : {"hypercube:0", "hypercube:1", "hypercube:6"}) {
    const BuiltMachine machine(text);
    const Outcome outcome = machine.run(ecube, model_of(PortModel::one_strict), route_settings("complement"));
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.steps, machine.topology.ports());
  }
}

TEST(RouteEcube, IsRefusedWherePacketsBreakTheRules) {
  const auto refused = [](const Model& model, const std::string& pattern) {
    return violation(ecube, "hypercube:3", model, route_settings(pattern));
  };
  // Rank 1 forwards packet 0 -> 7 over port 1 in the cycle in which it receives 0 -> 3 over port 0.
  EXPECT_EQ(refused(model_of(PortModel::one_strict), "scatter"),
            "route/ecube: cycle 1, rank 1, port 0: received there, but sent on port 1 in the same cycle (port model "
            "one-strict: both on one port)");
  EXPECT_EQ(refused(model_of(PortModel::one, Duplex::half_node), "scatter"),
            "route/ecube: cycle 1, rank 1, port 0: received there, but sent on port 1 in the same cycle (duplex "
            "half-node: either send or receive)");
  // Ranks 0 and 1 exchange over port 0.
  EXPECT_EQ(refused(model_of(PortModel::one, Duplex::half_link), "complement"),
            "route/ecube: cycle 0, rank 0, port 0: sent and received over one link in one cycle (duplex half-link: "
            "one direction a cycle)");
  EXPECT_EQ(refused(model_of(PortModel::all, Duplex::half_node), "complement"),
            "route/ecube: cycle 0, rank 0, port 0: received there, but sent on port 0 in the same cycle (duplex "
            "half-node: either send or receive)");
}

// ---- Data.

TEST(RouteEcube, CatchesEveryFault) {
  for (const std::string& pattern : pattern_names) expect_catches_faults(ecube, "hypercube:3", route_settings(pattern));
  expect_catches_faults(ecube, "rh:1,1", route_settings("rotate-half", 2));
}

TEST(RouteEcube, ComesToTheSameOnAllExecutorsInACrowd) {
  const BuiltMachine machine("rh:4,2");
  const Settings settings = route_settings("rotate-half", 2);
  const Outcome expected = machine.run(ecube, model_of(PortModel::one), settings);
  for (const ExecutorKind kind : {ExecutorKind::tbb, ExecutorKind::threads, ExecutorKind::seeded}) {
    const auto executor = make_executor(kind, kind == ExecutorKind::seeded ? 1 : 4, 9);
    const Outcome outcome = machine.run(ecube, model_of(PortModel::one), settings, {}, executor.get());
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.report.digest(), expected.report.digest());
    EXPECT_EQ(outcome.data_digest, expected.data_digest);
  }
}

class RequestsOfFiles : public DataDirectory {};

TEST_F(RequestsOfFiles, NamesSendersAndReceivers) {
  const std::string text = "0 7\n0b111\t0b000\r\n\n  3   3 \n0 7\n0 7\n 2 6";  // three times the same
  const std::vector<RouteRequest> requests{{0, 7}, {7, 0}, {3, 3}, {0, 7}, {0, 7}, {2, 6}};
  const std::string path = file("pairs", text);
  EXPECT_EQ(route::make_requests(path, 8), requests);
  const BuiltMachine machine("hypercube:3");
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    expect_counts(machine, model_of(ports), route_settings(path, 2), simulate(machine.spec, requests, ports));
  }
  expect_catches_faults(ecube, "hypercube:3", route_settings(path, 1));
}

TEST_F(RequestsOfFiles, AreRoutedIfTheyAreRandom) {
  for (const std::string text : {"hypercube:5", "rh:3,1", "rh:2,2"}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(text + ", seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      const BuiltMachine machine(text);
      std::vector<RouteRequest> requests(300);
      std::string lines;
      for (RouteRequest& request : requests) {
        request.from = static_cast<Rank>(random() % machine.spec.processors);
        request.to = static_cast<Rank>(random() % (seed % 2 == 0 ? 3 : machine.spec.processors));
        lines.append(std::to_string(request.from)).append(" ").append(std::to_string(request.to)).append("\n");
      }
      const std::string path = file("pairs", lines);
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_counts(machine, model_of(ports), route_settings(path), simulate(machine.spec, requests, ports));
      }
    }
  }
}

TEST(RouteEcube, RefusesWordsOutOfRange) {
  EXPECT_EQ(refusal(ecube, "rh:2,1", route_settings("gather", 0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(ecube, "rh:2,1", route_settings("gather", 2147483649)),
            "--words 2147483649 is out of range: 1 to 2147483648");
}

TEST(RouteEcube, HasTheDefaultsOfTheCatalogue) {
  Settings settings;
  const MachineSpec spec = parse_machine("rh:2,1");
  find_method(ecube, "rh").resolve(spec, {}, settings);
  EXPECT_EQ(settings.pattern, "complement");
  EXPECT_EQ(settings.words, 1U);
}

TEST(RouteEcube, NeedsMemoryForPacketsAndTheirPlan) {
  const MachineSpec spec = parse_machine("hypercube:16");
  const auto bytes = [&](const std::string& pattern, std::uint64_t words) {
    return find_method(ecube, "hypercube").bytes(spec, {}, route_settings(pattern, words));
  };
  const std::uint64_t packets = 65536;
  const std::uint64_t messages = 16 * packets;
  EXPECT_GE(bytes("complement", 1), messages * 2 * sizeof(RouteSchedule::RouteMove));
  EXPECT_GE(bytes("complement", 1000) - bytes("complement", 1), packets * 999 * sizeof(Word));
  EXPECT_EQ(bytes("complement", 2) - bytes("shift-one", 2), 0U);
  EXPECT_GT(bytes("gather", most_words), std::uint64_t{1} << 49);
}

}  // namespace
}  // namespace lockstep::route_test
