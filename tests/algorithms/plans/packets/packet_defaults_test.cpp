// The default of --packets for every method that chooses its packets: no other integer takes less time by the
// synchronous clock, start-ups of --max-packet included (saad-schultz-1985.md, Packet counts). This time is predicted
// for every number of packets.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "catalogue_cases.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "method_run.hpp"

namespace lockstep::packet_defaults_test {
namespace {

std::vector<const Method*> pipelined_methods() {
  std::vector<const Method*> all;
  for (const Method* method : catalogue()) {
    const auto packets = std::ranges::find(method->parameters, std::string_view("packets"), &Parameter::name);
    // Through a memory there are as many packets as it has accesses or banks: see direct_combining_test.cpp.
    if (is_for(*method, "shared")) continue;
    if (packets != method->parameters.end() && packets->fallback == fallback_packets) all.push_back(method);
  }
  return all;
}

/// Small machines of a family first, on which every number of packets is run.
const std::vector<std::string>& machines_for_packets(std::string_view family) {
  static const std::map<std::string_view, std::vector<std::string>> by_family{
      {"hypercube", {"hypercube:1", "hypercube:3", "hypercube:4", "hypercube:6", "hypercube:10"}},
      {"incomplete-hypercube", {"hypercube:1+0", "hypercube:3+1", "hypercube:4+2", "hypercube:6+3", "hypercube:9+7"}},
      {"ring", {"ring:2", "ring:5", "ring:8", "ring:12", "ring:17", "ring:60"}},
      {"torus",
       {"torus:3x3", "torus:4x4", "torus:5x5", "torus:6x6", "torus:9x9", "torus:20x20", "torus:3x40", "torus:2x9",
        "torus:3x3x8"}},
      {"mesh", {"mesh:2x3", "mesh:3x3x2", "mesh:4x4", "mesh:9x2", "mesh:3x30", "mesh:20x20"}},
      {"path", {"path:2", "path:5", "path:8", "path:40"}},
      {"complete", {"complete:2", "complete:4", "complete:9"}},
      {"switch", {"switch:2", "switch:4", "switch:8", "switch:64"}},
      {"omega", {"omega:2", "omega:4", "omega:8", "omega:64"}},
      {"inverse-omega", {"inverse-omega:2", "inverse-omega:4", "inverse-omega:8"}},
      {"indirect-cube", {"indirect-cube:2", "indirect-cube:4", "indirect-cube:8"}},
      {"data-manipulator", {"data-manipulator:2", "data-manipulator:4", "data-manipulator:8"}},
  };
  return by_family.at(family);
}

struct Costs {
  double beta;
  double tau;
  std::uint64_t max_packet;
};

Model model_of(const Method& method, const Costs& costs) {
  Model model = method.defaults;
  model.cost.beta = costs.beta;
  model.cost.tau = costs.tau;
  model.cost.max_packet_words = costs.max_packet;
  return model;
}

std::string text(const Method& method, const std::string& machine, const Settings& settings, const Costs& costs) {
  return std::string(method.name) + " on " + machine + ", words " + std::to_string(*settings.words) + ", from " +
         std::to_string(settings.source.value_or(0)) + " to " + std::to_string(settings.destination.value_or(0)) +
         ", beta " + std::to_string(costs.beta) + ", tau " + std::to_string(costs.tau) + ", packets of at most " +
         std::to_string(costs.max_packet);
}

Settings resolved(const Method& method, const MachineSpec& spec, const Model& model, Settings settings) {
  method.resolve(spec, model, settings);
  return settings;
}

double predicted_time(const Method& method, const MachineSpec& spec, const Model& model, const Settings& settings) {
  const std::optional<ModelledTime> time = synchronous_time(method.predict(spec, model, settings), model.cost);
  EXPECT_TRUE(time && time->exact);
  return time ? time->value : 0;
}

/// The fewest words that the method sends in one packet between the ends in the settings: on a mesh the number of paths
/// depends on the ends.
std::uint64_t fewest_words(const Method& method, const MachineSpec& spec, const Settings& settings = {}) {
  Settings ends;
  ends.source = settings.source;
  ends.destination = settings.destination;
  return *resolved(method, spec, method.defaults, ends).words;
}

/// The most packets with a word or more each. An exchange sends half of all blocks at once.
std::uint64_t most_packets(const Method& method, const MachineSpec& spec, const Settings& settings) {
  const std::uint64_t words = *settings.words;
  if (method.operation == "alltoall") return std::max<std::uint64_t>(1, spec.processors / 2) * words;
  return words / fewest_words(method, spec, settings);
}

/// The smallest number of packets that takes the least time, from all numbers.
std::uint64_t best_of_all(const Method& method, const MachineSpec& spec, const Model& model, Settings settings) {
  std::vector<double> times;
  const std::uint64_t most = most_packets(method, spec, settings);
  for (std::uint64_t packets = 1; packets <= most; ++packets) {
    settings.packets = packets;
    times.push_back(predicted_time(method, spec, model, settings));
  }
  const double limit = *std::min_element(times.begin(), times.end()) * (1 + 1e-12);
  const auto first = std::find_if(times.begin(), times.end(), [limit](double time) { return time <= limit; });
  return static_cast<std::uint64_t>(first - times.begin()) + 1;
}

TEST(PacketDefaults, AreTheBestOfAllIntegers) {
  constexpr int cases = sanitized ? 60 : 1500;
  constexpr std::uint64_t seed = 15;
  std::mt19937_64 random(seed);
  const auto one_of = [&](const auto& list) { return list[random() % list.size()]; };
  const std::vector<const Method*> methods = pipelined_methods();
  for (int trial = 0; trial < cases; ++trial) {
    const Method& method = *methods[static_cast<std::size_t>(trial) % methods.size()];
    const std::string machine = one_of(machines_for_packets(one_of(method.families)));
    const MachineSpec spec = parse_machine(machine);
    if (!accepts(method, spec, {})) continue;
    const Costs costs{one_of(std::vector{0.0, 1.0, 2.0, 3.0, 20.0, 500.0, 0.005, 0.1, 0.37}),
                      one_of(std::vector{0.0, 1.0, 1.0, 4e-6, 0.1, 2.5}),
                      one_of(std::vector{0U, 0U, 1U, 2U, 3U, 17U, 100U, 256U})};
    Model model = model_of(method, costs);
    if (method.strictest_duplex == Duplex::half_node && random() % 2 == 0) model.duplex = Duplex::half_node;
    Settings settings;
    const std::uint64_t more = random() % one_of(std::vector{1U, 30U, 300U, 2000U});
    if (takes(method, "root")) settings.root = random() % spec.processors;
    if (takes(method, "source")) {
      settings.source = random() % spec.processors;
      settings.destination = random() % spec.processors;
      if (random() % 2 == 0) settings.destination = random() % std::min<std::uint64_t>(4, spec.processors);
    }
    settings.words = fewest_words(method, spec, settings) + more;
    SCOPED_TRACE("seed " + std::to_string(seed) + ", case " + std::to_string(trial) + ": " +
                 text(method, machine, settings, costs));
    settings = resolved(method, spec, model, settings);
    const std::uint64_t packets = *settings.packets;
    ASSERT_EQ(packets, best_of_all(method, spec, model, settings));
  }
}

// Every number of packets of small runs: the prediction equals the count, and the default takes the least time.
TEST(PacketDefaults, TakeTheLeastTimeOfAllRuns) {
  std::mt19937_64 random(16);
  for (const Method* method : pipelined_methods()) {
    for (const std::string_view family : method->families) {
      for (std::size_t index = 0; index < 3; ++index) {
        const BuiltMachine machine(machines_for_packets(family).at(index));
        if (method->name == "allgather/sequential" && machine.topology.processors() > 16) continue;
        for (const Costs& costs : {Costs{3, 0.5, 0}, Costs{1, 1, 1}, Costs{0.005, 4e-6, 3}, Costs{7, 2, 17}}) {
          const Model model = model_of(*method, costs);
          Settings settings;
          if (takes(*method, "destination")) settings.destination = 1 + random() % (machine.spec.processors - 1);
          const std::uint64_t fewest = fewest_words(*method, machine.spec, settings);
          settings.words = fewest * (1 + random() % (sanitized ? 5 : 20)) + random() % fewest;
          SCOPED_TRACE(text(*method, machine.spec.text, settings, costs));
          const std::uint64_t packets = *resolved(*method, machine.spec, model, settings).packets;
          double least = std::numeric_limits<double>::infinity();
          double of_default = 0;
          for (std::uint64_t number = 1; number <= most_packets(*method, machine.spec, settings); ++number) {
            settings.packets = number;
            const Report report = expect_run(machine, method->name, model, settings, {});
            const Settings all = resolved(*method, machine.spec, model, settings);
            expect_predicted(method->predict(machine.spec, model, all), counts_of(report));
            const double time = report.time_synchronous;
            EXPECT_NEAR(predicted_time(*method, machine.spec, model, all), time, 1e-9 * time) << number << " packets";
            least = std::min(least, time);
            if (number == packets) of_default = time;
          }
          EXPECT_LE(of_default, least * (1 + 1e-12)) << packets << " packets";
        }
      }
    }
  }
}

// For all sends and broadcasts, in packets or not.
TEST(PredictedTimes, AreCountedWhateverTheLengthOfAPacket) {
  for (const Method* method : catalogue()) {
    if (method->operation != "send" && method->operation != "broadcast") continue;
    for (const std::string_view family : method->families) {
      for (const std::string& machine : machines_of(family)) {
        const BuiltMachine built(machine);
        Settings settings;
        if (!accepts(*method, built.spec, settings)) continue;
        const std::uint64_t fewest = fewest_words(*method, built.spec);
        for (const std::uint64_t more : {0U, 1U, 12U, 45U}) {
          settings.words = fewest + more;
          for (const std::uint64_t max_packet : {0U, 1U, 3U, 17U}) {
            const Costs costs{0.3, 0.07, max_packet};
            SCOPED_TRACE(text(*method, machine, settings, costs));
            const Model model = model_of(*method, costs);
            const double time = built.run(method->name, model, settings).report.time_synchronous;
            const Settings all = resolved(*method, built.spec, model, settings);
            EXPECT_NEAR(predicted_time(*method, built.spec, model, all), time, 1e-9 * time);
          }
        }
      }
    }
  }
}

struct Best {
  std::string machine;
  std::string_view method;
  std::uint64_t words;
  Costs costs;
  std::uint64_t packets;
  double time;
};

// By hand, T(nu) = (L + nu - 1) beta + ((L - 1) ceil(N/nu) + N) tau, and similar formulas.
TEST(PacketDefaults, AreBetterThanTheNeighboursOfTheRealOptimum) {
  for (const auto& [machine, name, words, costs, packets, time] :
       {Best{"hypercube:10", "broadcast/sbt-pipelined", 5000, {0.005, 4e-6, 256}, 20, 29 * 0.005 + 7250 * 4e-6},
        Best{"hypercube:10", "broadcast/sbt-pipelined", 1000, {20, 1, 0}, 20, 29 * 20 + 9 * 50 + 1000},
        Best{"torus:6x6", "broadcast/axis", 24, {1, 1, 0}, 12, 17 + 5 * 2 + 24},
        Best{"torus:6x6", "broadcast/two-streams", 24, {1, 1, 0}, 6, 11 + 5 * 2 + 12},
        Best{"ring:17", "send/pipelined", 61, {3, 1, 0}, 13, 20 * 3 + 7 * 5 + 61},
        Best{"ring:12", "broadcast/two-way", 50, {2, 1, 0}, 10, 15 * 2 + 5 * 5 + 50}}) {
    SCOPED_TRACE(machine + " " + std::string(name));
    const MachineSpec spec = parse_machine(machine);
    const Method& method = find_method(name, spec.family);
    const Model model = model_of(method, costs);
    Settings settings;
    settings.words = words;
    settings = resolved(method, spec, model, settings);
    EXPECT_EQ(settings.packets, packets);
    EXPECT_NEAR(predicted_time(method, spec, model, settings), time, 1e-9);
  }
}

TEST(PacketDefaults, AreFoundForTheLongestItems) {
  if (sanitized) return;  // nothing runs
  for (const Method* method : pipelined_methods()) {
    // Cases with short items, or with counts beyond 64 bits.
    if (method->operation == "allgather" || method->operation == "alltoall") continue;
    for (const std::string_view family : method->families) {
      const MachineSpec spec = parse_machine(family == "hypercube"              ? "hypercube:31"
                                             : family == "incomplete-hypercube" ? "hypercube:9+8"
                                             : family == "ring"                 ? "ring:4000000000"
                                             : family == "torus"                ? "torus:60000x60000"
                                             : family == "mesh"                 ? "mesh:30000x30000"
                                                                                : std::string(family) + ":1073741824");
      for (const Costs& costs : {Costs{1, 1, 0}, Costs{1e-6, 1, 0}, Costs{0.005, 4e-6, 256}}) {
        Settings settings;
        settings.words = most_words;
        const Model model = model_of(*method, costs);
        settings = resolved(*method, spec, model, settings);
        const auto time = [&](std::uint64_t packets) {
          Settings other = settings;
          other.packets = packets;
          return predicted_time(*method, spec, model, other);
        };
        const std::uint64_t most = most_words / fewest_words(*method, spec);
        const double least = time(*settings.packets);
        for (std::uint64_t packets = 1; packets <= most; packets += 1 + packets / 50) {
          EXPECT_LE(least, time(packets) * (1 + 1e-12)) << method->name << " on " << spec.text << ", " << packets;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::packet_defaults_test
