// No fault goes unnoticed: every method of the catalogue on small machines, with each of its parameters set to several
// values, and every kind of fault in every message of each of these runs (in some messages of long runs).
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "../../core/runs.hpp"
#include "catalogue_cases.hpp"
#include "data_directory.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "method_run.hpp"

namespace lockstep::fault_sweep_test {
namespace {

constexpr std::array all_kinds{FaultKind::drop, FaultKind::repeat, FaultKind::swap, FaultKind::corrupt};
constexpr std::array kind_names{"dropped", "doubled", "swapped", "corrupted"};

/// Machines of 2 to 16 processors: those of the family here, else those among machines_of(family). A ccc has at
/// least 24.
std::vector<std::string> small_machines(std::string_view family) {
  static const std::map<std::string_view, std::vector<std::string>> by_family{
      {"hypercube", {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4"}},
      {"incomplete-hypercube", {"hypercube:1+0", "hypercube:3+0", "hypercube:3+2"}},
      {"rh", {"rh:0,0", "rh:1,0", "rh:1,1", "rh:3,0", "rh:2,1"}},
      {"ring", {"ring:2", "ring:3", "ring:8", "ring:9"}},
      {"path", {"path:2", "path:3", "path:8"}},
      {"complete", {"complete:2", "complete:3", "complete:7"}},
      {"torus", {"torus:2x2", "torus:4x3", "torus:3x3", "torus:2x2x3", "torus:4x4"}},
      {"mesh", {"mesh:1x2", "mesh:2x3", "mesh:3x4"}},
      {"product", {"product:ring:3*hypercube:2", "product:path:3*complete:4"}},
      {"shuffle-exchange", {"shuffle-exchange:1", "shuffle-exchange:2", "shuffle-exchange:4"}},
      {"star", {"star:2", "star:3"}},
      {"pancake", {"pancake:2", "pancake:3"}},
      {"circulant", {"circulant:2,1", "circulant:5,2,1", "circulant:8,4,1"}},
      {"graph", {"graph:" LOCKSTEP_GRAPHS "/petersen.json"}},
      {"bus", {"bus:2", "bus:5,kstar=3", "bus:8"}},
      {"shared", {"shared:2,kstar=1", "shared:5,kstar=2", "shared:8,kstar=8", "shared:5,kstar=4,banks=3"}},
      {"switch", {"switch:2", "switch:6", "switch:8"}},
      {"omega", {"omega:2", "omega:4", "omega:16"}},
      {"inverse-omega", {"inverse-omega:4"}},
      {"indirect-cube", {"indirect-cube:4"}},
      {"data-manipulator", {"data-manipulator:4"}},
  };
  const auto found = by_family.find(family);
  if (found != by_family.end()) return found->second;
  std::vector<std::string> small = machines_of(family);
  std::erase_if(small, [](const std::string& text) {
    const std::uint64_t processors = parse_machine(text).processors;
    return processors < 2 || processors > 16;
  });
  return small;
}
/// The machines of a family on which a combining method is swept: methods for any machine run only on some, as they
/// plan their tree alike on all.
std::vector<std::string> small_machines_to_combine_on(const Method& method, std::string_view family) {
  const bool is_for_any = std::ranges::find(method.families, std::string_view("graph")) != method.families.end();
  constexpr std::array<std::string_view, 3> some{"graph", "rh", "mesh"};
  if (is_for_any && std::ranges::find(some, family) == some.end()) return {};
  return small_machines(family);
}

/// A parameter, and settings of it other than the default.
struct Choice {
  std::string_view parameter;
  std::vector<std::function<void(Settings&)>> set;
};

/// Setters of one member of Settings to each of these values.
template <class Member, class Value>
Choice choice(std::string_view parameter, Member member, const std::vector<Value>& values) {
  Choice one{parameter, {}};
  for (const Value& value : values) one.set.emplace_back([=](Settings& settings) { settings.*member = value; });
  return one;
}

std::vector<Choice> choices(std::uint64_t processors) {
  using Texts = std::vector<std::string>;
  using Numbers = std::vector<std::uint64_t>;
  return {
      choice("packets", &Settings::packets, Numbers{1, 2, 3}),
      choice("packet-words", &Settings::packet_words, Numbers{1, 2, 3}),
      choice("root", &Settings::root, Numbers{processors - 1, processors / 2}),
      choice("source", &Settings::source, Numbers{processors - 1}),
      choice("destination", &Settings::destination, Numbers{1}),
      choice("hub", &Settings::hub, Numbers{0}),
      choice("arrivals", &Settings::arrivals, Numbers{4, 20}),
      choice("order", &Settings::order, Texts{"cross-first", "exchange-first", "accumulate-first", "0,1,2", "s,e,s"}),
      choice("move", &Settings::move, Texts{"packets"}),
      choice("pattern", &Settings::pattern,
             Texts{"gather", "scatter", "bit-reversal", "rotate-half", "shift-one", "transpose"}),
      choice("trees", &Settings::trees, Numbers{1, 2}),
      choice("rounds", &Settings::rounds, Numbers{1, 2}),
      choice("sources", &Settings::sources, Numbers{1, 2}),
      choice("copy-threshold", &Settings::copy_threshold, Numbers{0, 4, 1024}),
      choice("gather", &Settings::gather, std::vector<bool>{false, true}),
      choice("layout", &Settings::layout, Texts{"1,0", "0,2", "1,2", "3,0"}),
      choice("transposed", &Settings::transposed, std::vector<bool>{true}),
      choice("encoding", &Settings::encoding, Texts{"rows-gray"}),
      choice("shift", &Settings::shift, Numbers{2, 3}),
      choice("schedules", &Settings::schedules, Texts{"factor", "cayley", "greedy"}),
      choice("method", &Settings::method, Texts{"adea", "daisy-chain", "tree", "sbt", "drbt", "exchange", "none"}),
      choice("size", &Settings::size, Numbers{5}),
      choice("type", &Settings::type, Texts{"double", "string"}),
      choice("matrix", &Settings::matrix, std::vector<MatrixSize>{{4, 4}, {8, 8}, {4, 16}, {16, 4}, {16, 16}}),
  };
}

/// Storage forms of all kinds; bands and chosen bits fit some of the machines.
std::vector<std::string> storage_forms() {
  std::vector<std::string> forms;
  for (const std::string gray : {"", "gray:"}) {
    for (const std::string side : {"row-", "column-"}) {
      for (const char* scheme : {"consecutive", "cyclic", "combined=2", "split=1"})
        forms.push_back(gray + side + scheme);
    }
    for (const std::string columns : {"consecutive", "cyclic"}) {
      forms.push_back("2d:" + gray + "cyclic," + columns);
      forms.push_back("2d:" + gray + "consecutive,gray:" + columns);
    }
    forms.push_back(gray + "band=1");
    forms.push_back("bits:" + gray + "v1+u2");
    forms.push_back("bits:u1," + gray + "v0+u2");
  }
  return forms;
}

/// The sweep and its results.
class Sweep : public DataDirectory {
 protected:
  /// With a sanitizer, one run in `one_in`, by seed.
  static constexpr std::uint64_t one_in = sanitized ? 40 : 1;
  static constexpr std::uint64_t seed = 15;
  /// In longer runs only one message in several gets a fault, by seed; in more of them with --long.
  const std::uint64_t most_in_a_row_ = runs::stressed(15);

  /// Less than `limit`, by seed.
  std::uint64_t drawn(std::uint64_t limit) { return random_() % limit; }

  void TearDown() override {
    std::cout << "runs with a fault " << runs_ << " (of " << cases_ << " cases), not noticed " << missed_ << ", seed "
              << seed << "; overflown " << overflown_ << "\n";
    for (std::size_t kind = 0; kind < all_kinds.size(); ++kind) {
      std::cout << "  " << kind_names[kind] << " " << runs_of_[kind] << "\n";
      if (one_in > 1) continue;  // of few runs none may suit a kind of fault
      EXPECT_GT(runs_of_[kind], 0U) << kind_names[kind];
    }
    RecordProperty("runs", std::to_string(runs_));
    RecordProperty("missed", std::to_string(missed_));
    EXPECT_EQ(missed_, 0U);
    DataDirectory::TearDown();
  }

  /// Every kind of fault in every message of a run with these settings, if the method accepts them. A run of extreme
  /// values without a fault may only go wrong where it says why.
  void sweep(const Method& method, const BuiltMachine& machine, const PortModel ports, Settings settings,
             const std::string& what, bool is_extreme = false) {
    Model model = method.defaults;
    model.ports = ports;
    try {
      method.resolve(machine.spec, model, settings);
    } catch (const InputError&) {
      return;
    }
    if (is_left_out()) return;
    SCOPED_TRACE(std::string(method.name) + " on " + machine.spec.text + ", " + std::string(name(ports)) + ", " + what);
    ++cases_;
    std::uint64_t messages = 0;
    bool done = false;
    const Fault nowhere{FaultKind::drop, std::numeric_limits<std::uint64_t>::max(), &done, &messages};
    const std::string without_fault = notice(method, machine, model, settings, nowhere);
    if (is_extreme && !without_fault.empty()) {
      EXPECT_NE(without_fault.find("absolute values exceed the largest double"), std::string::npos) << without_fault;
      ++overflown_;
      return;
    }
    ASSERT_EQ(without_fault, "");
    const std::uint64_t apart = 1 + messages / most_in_a_row_;
    for (std::size_t kind = 0; kind < all_kinds.size(); ++kind) {
      for (std::uint64_t message = apart > 1 ? random_() % apart : 0; message < messages; message += apart) {
        done = false;
        const std::string noticed = notice(method, machine, model, settings, {all_kinds[kind], message, &done});
        // There may be no other message in the cycle to swap with, and no word in the message.
        const bool may_be_undone = all_kinds[kind] == FaultKind::swap || all_kinds[kind] == FaultKind::corrupt;
        EXPECT_TRUE(done || (may_be_undone && noticed.empty()))
            << kind_names[kind] << " " << message << ": " << noticed;
        if (!done) continue;
        ++runs_;
        ++runs_of_[kind];
        if (!noticed.empty() || (all_kinds[kind] != FaultKind::corrupt && sends_copies(method))) continue;
        ++missed_;
        ADD_FAILURE() << "message " << message << " of " << messages << " " << kind_names[kind];
      }
    }
  }

 private:
  bool is_left_out() { return random_() % one_in != 0; }

  /// The error reported for a run with the fault; empty if none.
  std::string notice(const Method& method, const BuiltMachine& machine, const Model& model, const Settings& settings,
                     const Fault& fault) {
    RunOptions options;
    options.name = method.name;
    options.max_cycles = 1'000'000;
    try {
      return method
          .run({machine.spec,
                machine.topology,
                model,
                settings,
                *executor_,
                options,
                {},
                PlantedFault(fault).observer()})
          .wrong;
    } catch (const RunError& error) {
      return error.what();
    }
  }

  const std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::sequential);
  std::mt19937_64 random_{seed};
  std::uint64_t cases_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t missed_ = 0;
  std::uint64_t overflown_ = 0;  // cases
  std::array<std::uint64_t, all_kinds.size()> runs_of_{};
};

/// Settings with a multiple of the fewest words, if the method has words.
Settings with_words(const Method& method, const MachineSpec& machine, std::uint64_t times) {
  Settings fewest = required_settings(method);
  Settings settings = fewest;
  if (!takes(method, "words") || settings.words || !accepts(method, machine, fewest)) return settings;
  method.resolve(machine, method.defaults, fewest);
  settings.words = times * *fewest.words;
  return settings;
}

/// Every `parts`th of the methods that take a parameter (of all methods if none is named), from the `first` on: the
/// whole takes minutes, which several processes share.
std::vector<const Method*> part_of_methods(std::size_t first, std::size_t parts, std::string_view parameter = "") {
  std::vector<const Method*> part;
  std::size_t index = 0;
  for (const Method* method : catalogue()) {
    if (!parameter.empty() && !takes(*method, parameter)) continue;
    if (index++ % parts == first) part.push_back(method);
  }
  return part;
}

class SweepOfMethods : public Sweep, public testing::WithParamInterface<std::size_t> {
 public:
  static constexpr std::size_t parts = 24;
};

class SweepOfOperators : public Sweep, public testing::WithParamInterface<std::size_t> {
 public:
  static constexpr std::size_t parts = 8;
};

TEST_P(SweepOfMethods, NoticesEveryFaultInEveryMessageOfEveryMethod) {
  for (const Method* method : part_of_methods(GetParam(), parts)) {
    for (const std::string_view family : method->families) {
      const std::vector<std::string> machines = small_machines(family);
      EXPECT_EQ(machines.empty(), family == "ccc") << family << " has no machine of 2 to 16 processors";
      for (const std::string& text : machines) {
        const BuiltMachine machine(text);
        ASSERT_TRUE(machine.spec.processors >= 2 && machine.spec.processors <= 16);
        const bool is_small = machine.spec.processors <= 8;
        for (const PortModel ports : port_models_on(*method, family)) {
          for (const std::uint64_t times : {1U, 3U}) {
            const Settings settings = with_words(*method, machine.spec, times);
            sweep(*method, machine, ports, settings, "words times " + std::to_string(times));
            if (!is_small || ports != method->defaults.ports || !takes(*method, "words")) break;
          }
        }
        if (!is_small) continue;
        for (const Choice& choice : choices(machine.spec.processors)) {
          if (!takes(*method, choice.parameter)) continue;
          for (std::size_t number = 0; number < choice.set.size(); ++number) {
            Settings settings = with_words(*method, machine.spec, 3);
            choice.set[number](settings);
            sweep(*method, machine, method->defaults.ports, settings,
                  std::string(choice.parameter) + ", choice " + std::to_string(number));
          }
        }
      }
    }
  }
}

TEST_P(SweepOfOperators, NoticesEveryFaultUnderEveryOperatorAndType) {
  for (const Method* method : part_of_methods(GetParam(), parts, "operator")) {
    for (const std::string_view family : method->families) {
      for (const std::string& text : small_machines_to_combine_on(*method, family)) {
        const BuiltMachine machine(text);
        for (const Operator& op : operators()) {
          for (const char* type : {"int64", "double"}) {
            for (const std::uint64_t elements : {1U, 3U}) {
              Settings settings;
              settings.operator_name = op.name;
              settings.words = elements * op.element_words;
              if (op.on_int64 != nullptr) settings.type = type;
              if (takes(*method, "root")) settings.root = machine.spec.processors / 2;
              sweep(*method, machine, method->defaults.ports, settings,
                    std::string(op.name) + " of " + type + ", " + std::to_string(elements) + " elements");
              if (takes(*method, "hub")) {
                settings.hub = 0;
                sweep(*method, machine, method->defaults.ports, settings, std::string(op.name) + ", hub 0");
              }
            }
            if (op.on_int64 == nullptr) break;  // concat has no type
          }
        }
      }
    }
  }
}

// Here only the last message can change the result: all operands are alike, and a value combined with them is absorbed,
// or lost beside far greater numbers.
TEST_P(SweepOfOperators, NoticesEveryFaultInWhatTheOperatorAbsorbs) {
  struct Absorbed {
    std::string_view operation;
    std::vector<const char*> numbers;
  };
  const std::vector<Absorbed> all{
      {"min", {"-7", "7", "-7.5", "7.5"}},   {"max", {"-7", "7", "-7.5", "7.5"}},
      {"and", {"0", "-1", "1.5"}},           {"or", {"0", "-1", "-1.5"}},
      {"matrix2", {"0", "1", "0.0", "0.5"}}, {"sum", {"0", "0.0", "1e-300", "0.1"}},
  };
  for (const Method* method : part_of_methods(GetParam(), parts, "operator")) {
    for (const std::string_view family : method->families) {
      for (const std::string& text : small_machines_to_combine_on(*method, family)) {
        const BuiltMachine machine(text);
        for (const auto& [operation, numbers] : all) {
          for (const char* number : numbers) {
            std::string lines;
            const std::uint64_t words = machine.spec.processors * find_operator(operation).element_words;
            for (std::uint64_t count = 0; count < words; ++count) lines.append(number).append("\n");
            Settings settings;
            settings.operator_name = operation;
            settings.input = file("in", lines);
            sweep(*method, machine, method->defaults.ports, settings, std::string(operation) + " of " + number);
          }
        }
      }
    }
  }
}

// Where values differ by more than a double's digits, a sum hides a wrong word that is less than its rounding: here
// they are alike.
TEST_P(SweepOfOperators, NoticesEveryFaultInExtremeValues) {
  const std::vector<std::vector<const char*>> all{{"9223372036854775807", "-9223372036854775808", "-1"},
                                                  {"1.7976931348623157e308", "-1.7976931348623157e308", "0.0"},
                                                  {"1.7976931348623157e308"},
                                                  {"5e-324", "-5e-324", "-0.0"},
                                                  {"2.2250738585072014e-308", "-1e-310"}};
  for (const Method* method : part_of_methods(GetParam(), parts, "operator")) {
    for (const std::string_view family : method->families) {
      for (const std::string& text : small_machines_to_combine_on(*method, family)) {
        const BuiltMachine machine(text);
        for (const Operator& op : operators()) {
          if (op.on_int64 == nullptr) continue;  // concat
          for (const std::vector<const char*>& numbers : all) {
            std::string lines;
            for (std::uint64_t count = 0; count < machine.spec.processors * op.element_words; ++count) {
              lines.append(numbers[drawn(numbers.size())]).append("\n");
            }
            Settings settings;
            settings.operator_name = op.name;
            settings.input = file("in", lines);
            sweep(*method, machine, method->defaults.ports, settings,
                  std::string(op.name) + " of " + numbers.front() + " and others", true);
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, SweepOfMethods, testing::Range(std::size_t{0}, SweepOfMethods::parts));
INSTANTIATE_TEST_SUITE_P(Catalogue, SweepOfOperators, testing::Range(std::size_t{0}, SweepOfOperators::parts));

TEST_F(Sweep, NoticesEveryFaultInEveryStorageForm) {
  for (const Method* method : catalogue()) {
    if (!takes(*method, "from")) continue;
    for (const char* text : {"hypercube:1", "hypercube:2", "hypercube:3"}) {
      const BuiltMachine machine(text);
      for (const std::string& form : storage_forms()) {
        for (const bool transposed : {false, true}) {
          Settings settings = required_settings(*method);
          settings.matrix = MatrixSize{8, 16};
          settings.transposed = transposed;
          for (const std::string other : {"row-consecutive", "gray:column-cyclic", "2d:cyclic,gray:consecutive"}) {
            settings.from = form;
            settings.to = other;
            sweep(*method, machine, method->defaults.ports, settings, "from " + form + " to " + other);
            settings.from = other;
            settings.to = form;
            sweep(*method, machine, method->defaults.ports, settings, "from " + other + " to " + form);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::fault_sweep_test
