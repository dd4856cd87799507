// Lower bounds against all methods of the catalogue on problems drawn at random: no method takes less than its problem
// allows. LOCKSTEP_SEED draws other problems, LOCKSTEP_STRESS multiplies their number.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../temporary_directory.hpp"
#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep::random_problems_test {
namespace {

constexpr std::uint64_t problems = sanitized ? 200 : 2000;
constexpr std::uint64_t most_processors_here = 40;

std::uint64_t number_from(const char* variable) {
  const char* given = std::getenv(variable);
  return given == nullptr ? 1 : std::max(1ULL, std::strtoull(given, nullptr, 10));
}

/// One with rules and data, but no method.
struct Drawn {
  std::string operation;
  MachineSpec machine;
  std::string links;  ///< of a graph, a line each, as `printf` takes them: "0 1\\n1 2\\n"
  Model model;
  std::uint64_t words = 1;
  Rank root = 0;
  std::optional<std::string> operator_name{};
};

/// Draws problems; the same ones from the same seed.
class Urn {
 public:
  explicit Urn(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  template <class Value>
  Value one_of(const std::vector<Value>& values) {
    return values[below(values.size())];
  }

  Drawn problem() {
    Drawn drawn;
    drawn.operation = one_of<std::string>({"broadcast", "scatter", "gather", "allgather", "alltoall", "reduce",
                                           "allreduce", "reduce-scatter", "scan", "exscan", "barrier"});
    drawn.machine = machine(drawn.links);
    drawn.model = model(drawn.machine);
    drawn.words = words(drawn.machine.processors);
    drawn.root = static_cast<Rank>(below(drawn.machine.processors));
    if (is_combined(drawn.operation)) {
      drawn.operator_name = one_of<std::optional<std::string>>({{}, {}, {}, {}, "matrix2", "concat"});
      if (drawn.operator_name == "matrix2") drawn.words += 3 - (drawn.words + 3) % 4;
    }
    return drawn;
  }

 private:
  static bool is_combined(const std::string& operation) {
    return operation.find("reduce") != std::string::npos || operation.find("scan") != std::string::npos;
  }

  std::string number(std::uint64_t least, std::uint64_t most) { return std::to_string(between(least, most)); }

  std::string sides() {
    std::uint64_t left = most_processors_here;
    std::string text;
    for (std::uint64_t dimension = between(1, 3); dimension > 0; --dimension) {
      const std::uint64_t side = between(left > 1 ? 2 : 1, std::clamp<std::uint64_t>(left, 2, 8));
      if (side > left) break;
      left /= side;
      text += (text.empty() ? "" : "x") + std::to_string(side);
    }
    return text;
  }

  std::string factor() {
    switch (below(4)) {
      case 0:
        return "ring:" + number(2, 6);
      case 1:
        return "path:" + number(2, 6);
      case 2:
        return "complete:" + number(2, 5);
      default:
        return "hypercube:" + number(1, 2);
    }
  }

  std::string circulant() {
    const std::uint64_t processors = between(2, most_processors_here);
    std::string text = "circulant:" + std::to_string(processors);
    for (std::uint64_t strides = between(1, 3); strides > 0; --strides) text += "," + number(1, processors - 1);
    return text;
  }

  std::string shared() {
    const std::uint64_t processors = between(1, most_processors_here);
    std::string text = "shared:" + std::to_string(processors) + ",kstar=" + number(1, processors);
    if (below(3) == 0) text += ",banks=" + number(1, 8);
    return text;
  }

  std::string bus() {
    const std::uint64_t processors = between(1, most_processors_here);
    return "bus:" + std::to_string(processors) + ",kstar=" + number(1, processors);
  }

  /// A tree and a few more links: anything from a path to many cycles, with processors between parts of the machine.
  std::string graph(std::string& links) {
    const std::uint64_t processors = between(2, 16);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (std::uint64_t rank = 1; rank < processors; ++rank) {
      all.emplace_back(below(4) == 0 ? below(rank) : rank - 1 - below(std::min<std::uint64_t>(rank, 3)), rank);
    }
    for (std::uint64_t more = below(processors); more > 0; --more) {
      const std::uint64_t one = below(processors);
      const std::uint64_t other = below(processors);
      if (one != other) all.emplace_back(std::min(one, other), std::max(one, other));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const std::string file = directory_.file("graph.edges");
    std::ofstream edges(file);
    for (const auto& [one, other] : all) {
      edges << one << ' ' << other << '\n';
      links += std::to_string(one) + " " + std::to_string(other) + "\\n";
    }
    return "graph:" + file;
  }

  std::string machine_text(std::string& links) {
    switch (below(23)) {
      case 0:
      case 1:
        return "hypercube:" + number(0, 5);
      case 2: {
        const std::uint64_t dimension = between(1, 4);
        return "hypercube:" + std::to_string(dimension) + "+" + number(0, dimension - 1);
      }
      case 3:
        return one_of<std::string>({"rh:0,0", "rh:1,0", "rh:2,0", "rh:4,0", "rh:1,1", "rh:2,1", "rh:3,1"});
      case 4:
        return "ring:" + number(1, most_processors_here);
      case 5:
        return "path:" + number(1, most_processors_here);
      case 6:
        return "complete:" + number(1, most_processors_here);
      case 7:
      case 8:
        return "torus:" + sides();
      case 9:
      case 10:
        return "mesh:" + sides();
      case 11:
        return "product:" + factor() + "*" + factor();
      case 12:
        return "ccc:3";
      case 13:
        return "shuffle-exchange:" + number(1, 5);
      case 14:
        return "star:" + number(2, 4);
      case 15:
        return "pancake:" + number(2, 4);
      case 16:
        return circulant();
      case 17:
      case 18:
        return graph(links);
      case 19:
        return bus();
      case 20:
        return shared();
      case 21:
        return "switch:" + number(1, most_processors_here);
      default: {
        const std::string network =
            one_of<std::string>({"omega:", "inverse-omega:", "indirect-cube:", "data-manipulator:"});
        return network + std::to_string(std::uint64_t{1} << below(6));
      }
    }
  }

  MachineSpec machine(std::string& links) {
    while (true) {
      links.clear();
      try {
        return parse_machine(machine_text(links));
      } catch (const MachineSpecError&) {  // strides of a circulant with a common factor
      }
    }
  }

  Model model(const MachineSpec& machine) {
    Model model;
    std::vector<PortModel> ports{PortModel::one};
    if (!machine.medium) ports = {PortModel::one, PortModel::one, PortModel::one_strict, PortModel::all};
    if (!machine.medium || machine.medium->takes_k_ports()) {
      for (const std::uint32_t k : {2U, 3U}) ports.push_back(k_ports(k));
    }
    if (has_ring_rule(machine.family)) ports.push_back(PortModel::ring);
    model.ports = one_of(ports);
    model.duplex = one_of<Duplex>({Duplex::full, Duplex::full, Duplex::half_link, Duplex::half_node});
    model.multicast = below(3) == 0;
    model.cost.beta = one_of<double>({0, 0.005, 1, 1, 3, 20, 500});
    model.cost.tau = one_of<double>({0, 0.1, 1, 1, 1, 2.5});
    model.cost.max_packet_words = one_of<std::uint64_t>({0, 0, 0, 0, 0, 0, 3, 17});
    return model;
  }

  std::uint64_t words(std::uint64_t processors) {
    if (below(3) > 0) return between(1, 200);
    return one_of<std::uint64_t>(
        {1, 2, 3, std::max<std::uint64_t>(processors, 2) - 1, processors, processors + 1, 2 * processors, 200});
  }

  std::mt19937_64 random_;
  const test::TemporaryDirectory directory_;
};

bool has_ring_of_two(const MachineSpec& machine) {
  return machine.processors == 2 || std::ranges::any_of(machine.factors, [](const MachineSpec& factor) {
           return factor.family == "ring" && factor.processors == 2;
         });
}

/// Whether the method's prediction holds under these rules: see `lockstep compare`.
bool is_allowed(const Method& method, const Drawn& drawn) {
  if (method.operation != drawn.operation || !is_for(method, drawn.machine.family)) return false;
  const Model& model = drawn.model;
  if (!is_meant_for(method, model.ports)) return false;
  if (std::ranges::count(duplex_forms(method), model.duplex) == 0) return false;
  if (model.duplex == Duplex::half_link && method.strictest_duplex == Duplex::half_link &&
      has_ring_of_two(drawn.machine)) {
    return false;
  }
  return model.multicast || !method.defaults.multicast || sends_on_several_ports(model.ports);
}

/// The settings of the problem for the method, resolved; none if it cannot solve the problem.
std::optional<Settings> settings_for(const Method& method, const Drawn& drawn, std::uint64_t packets) {
  const auto collective = collective_of(drawn.operation);
  const bool has_root = collective == Collective::broadcast || collective == Collective::scatter ||
                        collective == Collective::gather || collective == Collective::reduce;
  Settings settings = required_settings(method);
  if (takes(method, "words")) settings.words = drawn.words;
  if (has_root && takes(method, "root")) settings.root = drawn.root;
  if (has_root && !settings.root && drawn.root != 0) return std::nullopt;
  if (drawn.operator_name && !takes(method, "operator")) return std::nullopt;
  settings.operator_name = drawn.operator_name;
  if (packets > 0 && takes(method, "packets")) settings.packets = packets;
  try {
    method.resolve(drawn.machine, drawn.model, settings);
  } catch (const InputError&) {
    return std::nullopt;
  }
  return settings;
}

/// The flags of the rules and costs.
std::string flags_of(const Model& model) {
  std::ostringstream text;
  text << " --ports " << name(model.ports) << " --duplex " << name(model.duplex) << " --multicast "
       << (model.multicast ? "on" : "off") << " --beta " << model.cost.beta << " --tau " << model.cost.tau;
  if (model.cost.max_packet_words > 0) text << " --max-packet " << model.cost.max_packet_words;
  return text.str();
}

/// A command that runs the method on the problem.
std::string command_of(const Method& method, const Drawn& drawn, const Settings& settings) {
  const bool is_graph = !drawn.links.empty();
  std::string text = is_graph ? "printf '" + drawn.links + "' > graph.edges; " : "";
  text += "lockstep run --machine " + (is_graph ? "graph:graph.edges" : drawn.machine.text);
  text += " --algorithm " + std::string(method.name);
  for (const char* const parameter : {"words", "root", "packets", "operator", "tries"}) {
    if (!takes(method, parameter)) continue;
    const auto flags = setting_flags();
    const auto flag = std::ranges::find(flags, std::string_view(parameter), &SettingFlag::name);
    const SettingFlag::Value value = flag->value(settings);
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) {
      text += " " + flag->flag() + " " + std::to_string(*number);
    } else if (const auto* const word = std::get_if<std::string>(&value)) {
      text += " " + flag->flag() + " " + *word;
    }
  }
  return text + flags_of(drawn.model);
}

/// The bound of the problem alone, whatever is known of the method.
LowerBound bound_of(const Drawn& drawn, const Settings& settings) {
  std::uint64_t words = settings.words.value_or(0);
  // A part of the result is a matrix or more.
  if (drawn.operation == "reduce-scatter" && drawn.operator_name == "matrix2" && words / 4 < drawn.machine.processors) {
    words /= 4;
  }
  return bound_of_task(drawn.operation, drawn.root, drawn.machine, drawn.model, words);
}

/// Compares figures of methods with bounds, and counts what it has compared.
class BoundChecks {
 public:
  void expect_count(const char* what, std::uint64_t figure, const std::optional<std::uint64_t>& bound,
                    const std::string& argument) {
    if (!bound) return;
    ++checks_[what];
    EXPECT_GE(figure, *bound) << what << ": " << argument;
  }
  void expect_time(const char* what, double figure, const std::optional<ModelledTime>& bound) {
    if (!bound) return;
    ++checks_[what];
    EXPECT_GE(figure, bound->value * (1 - 1e-9)) << what << ": " << bound->formula;
  }
  void expect_predicted(const Prediction& predicted, const CostModel& cost, const LowerBound& bound) {
    // Where no more than this is predicted, no more is counted.
    if (predicted.steps) expect_count("steps", predicted.steps->value, bound.steps, bound.steps_argument);
    if (predicted.longest_sum) {
      expect_count("longest sum", predicted.longest_sum->value, bound.longest_sum, bound.longest_sum_argument);
    }
    if (const auto time = synchronous_time(predicted, cost)) expect_time("time", time->value, bound.time);
  }
  void expect_counted(const Report& report, const LowerBound& bound) {
    expect_count("steps of a run", report.steps, bound.steps, bound.steps_argument);
    expect_count("longest sum of a run", report.longest_sum, bound.longest_sum, bound.longest_sum_argument);
    expect_time("time of a run", report.time_synchronous, bound.time);
  }
  const std::map<std::string, std::uint64_t>& made() const { return checks_; }

 private:
  std::map<std::string, std::uint64_t> checks_;
};

/// The method that is predicted to take the least time.
struct Fastest {
  const Method* method = nullptr;
  Settings settings;
  double time = std::numeric_limits<double>::infinity();
  ModelledTime bound;
};

/// Predicts all methods of the problem.
Fastest predict_all(const Drawn& drawn, std::uint64_t packets, BoundChecks& checks) {
  Fastest fastest;
  for (const Method* method : catalogue()) {
    if (!is_allowed(*method, drawn)) continue;
    const auto settings = settings_for(*method, drawn, packets);
    if (!settings) continue;
    SCOPED_TRACE(command_of(*method, drawn, *settings));
    const Prediction predicted = method->predict(drawn.machine, drawn.model, *settings);
    checks.expect_predicted(predicted, drawn.model.cost, bound_of(drawn, *settings));
    const LowerBound bound = lower_bound(*method, drawn.machine, drawn.model, *settings);
    checks.expect_predicted(predicted, drawn.model.cost, bound);
    const auto time = synchronous_time(predicted, drawn.model.cost);
    if (!time || !time->exact || !bound.time || time->value >= fastest.time) continue;
    fastest = {.method = method, .settings = *settings, .time = time->value, .bound = *bound.time};
  }
  return fastest;
}

void run(const Drawn& drawn, const Fastest& fastest, BoundChecks& checks) {
  SCOPED_TRACE(command_of(*fastest.method, drawn, fastest.settings));
  const BuiltMachine machine(drawn.machine.text);
  const Outcome outcome = machine.run(fastest.method->name, drawn.model, fastest.settings);
  EXPECT_EQ(outcome.wrong, "");
  checks.expect_counted(outcome.report, bound_of(drawn, fastest.settings));
  checks.expect_counted(outcome.report, lower_bound(*fastest.method, drawn.machine, drawn.model, fastest.settings));
  expect_kept(fastest.method->predict(drawn.machine, drawn.model, fastest.settings), outcome.report, drawn.model.cost);
}

/// How many least times are those of the bound, of how many.
struct Met {
  std::uint64_t met = 0;
  std::uint64_t all = 0;

  void add(const Fastest& fastest) {
    ++all;
    if (fastest.time <= fastest.bound.value * (1 + 1e-9)) ++met;
  }
};

void say(const std::string& what, const std::string& figure) {
  testing::Test::RecordProperty(what, figure);
  std::printf("%s: %s\n", what.c_str(), figure.c_str());
}

void say(const std::string& what, const Met& met) {
  say(what, std::to_string(met.met) + " of " + std::to_string(met.all) + " least times are those of the bound");
}

TEST(Bounds, AreNoHigherThanAnyMethodOnRandomProblems) {
  const std::uint64_t seed = number_from("LOCKSTEP_SEED");
  say("seed", std::to_string(seed));
  const std::uint64_t number = problems * number_from("LOCKSTEP_STRESS");
  Urn urn(seed);
  BoundChecks checks;
  std::uint64_t runs = 0;
  std::map<std::string, Met> by_operation;
  Met above_counts;
  for (std::uint64_t index = 0; index < number; ++index) {
    const Drawn drawn = urn.problem();
    const std::uint64_t packets = urn.below(4) == 0 ? urn.between(1, 12) : 0;  // else each method's best
    const Fastest fastest = predict_all(drawn, packets, checks);
    if (fastest.method != nullptr) {
      by_operation[drawn.operation].add(fastest);
      if (fastest.bound.formula != bound_of_counts) above_counts.add(fastest);
      if (index % 20 == 0) {
        ++runs;
        run(drawn, fastest, checks);
      }
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "problem " << index << " of seed " << seed;
  }
  for (const auto& [what, times] : checks.made()) say("checks of " + what, std::to_string(times));
  say("runs", std::to_string(runs));
  for (const auto& [operation, met] : by_operation) say(operation, met);
  say("bounds of the time that do not follow from those of the counts", above_counts);

  EXPECT_GE(checks.made().at("steps"), 2 * number);
  EXPECT_GE(checks.made().at("longest sum"), 2 * number);
  EXPECT_GE(checks.made().at("time"), number);
  EXPECT_GE(above_counts.all, number / 20);
  EXPECT_GE(runs, number / 40);
  EXPECT_EQ(by_operation.size(), 11U);
  for (const auto& [operation, met] : by_operation) EXPECT_GE(met.all, number / 100) << operation;
}

}  // namespace
}  // namespace lockstep::random_problems_test
