// duplex_forms() against the emulator's rules: methods run under every form, on machines of every family.
#include <algorithm>
#include <vector>

#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep::duplex_forms_test {
namespace {

constexpr std::uint64_t most_processors_here = sanitized ? 16 : 64;

/// The settings to try on a machine: the fewest words, and enough words for several packets.
std::vector<Settings> settings_for(const Method& method, const MachineSpec& machine) {
  const Settings required = required_settings(method);
  std::vector<Settings> all{required};
  Settings fewest = required;
  method.resolve(machine, method.defaults, fewest);
  Settings more = required;
  if (takes(method, "words")) more.words = 12 * *fewest.words;
  if (takes(method, "packets")) more.packets = 3;
  if (takes(method, "packet-words")) more.packet_words = 1;
  if (fewest.matrix) more.matrix = MatrixSize{4 * fewest.matrix->rows, 2 * fewest.matrix->columns};
  all.push_back(more);
  if (takes(method, "operator")) all.emplace_back(required).operator_name = "concat";
  if (takes(method, "pattern")) all.emplace_back(required).pattern = "complement";
  if (takes(method, "source")) all.emplace_back(more).source = machine.processors - 1;
  if (takes(method, "trees")) {
    for (const std::uint64_t trees : {1U, 2U}) all.emplace_back(more).trees = trees;
  }
  return all;
}

/// The first violation among runs in that model with each of the settings; empty if there is none.
std::string first_violation(const Method& method, const BuiltMachine& machine, const Model& model) {
  for (const Settings& settings : settings_for(method, machine.spec)) {
    try {
      machine.run(method.name, model, settings);
    } catch (const InputError&) {  // these settings do not fit this machine or these ports
    } catch (const RunError& error) {
      EXPECT_TRUE(error.is_violation()) << error.what();
      return error.what();
    }
  }
  return {};
}

/// A ring of two has one link for both directions.
bool has_a_ring_of_two(const MachineSpec& machine) {
  return machine.processors == 2 || machine.text.find(":2x") != std::string::npos;
}

TEST(DuplexForms, AreThoseInWhichMethodsRun) {
  const std::vector<Case> cases = catalogue_cases();
  for (const Method* method : catalogue()) {
    const std::vector<Duplex> forms = duplex_forms(*method);
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      const bool is_legal = std::find(forms.begin(), forms.end(), duplex) != forms.end();
      std::string violation;
      for (const Case& one : cases) {
        const MachineSpec spec = parse_machine(one.machine);
        if (one.method != method || spec.processors > most_processors_here || has_a_ring_of_two(spec)) continue;
        const BuiltMachine machine(one.machine);
        for (const PortModel ports : port_models_on(*method, spec.family)) {
          if (!is_legal && !violation.empty()) break;  // one is enough
          Model model = method->defaults;
          model.ports = ports;
          model.duplex = duplex;
          violation = first_violation(*method, machine, model);
          if (is_legal) {
            EXPECT_EQ(violation, "") << method->name << " on " << one.machine << " under " << name(ports) << ", "
                                     << name(duplex);
          }
        }
      }
      EXPECT_EQ(violation.empty(), is_legal) << method->name << " under " << name(duplex);
    }
  }
}

// Typed from the sections: ADEA to TEA2 and MTADEA (saad-schultz-1985.md) have a form for half duplex, and pipelines
// and daisy chains one in turns (saad-schultz-1985.md, Pipelines; saad-schultz-1988.md, Ring allgather); methods that
// go round a ring both ways, or rotate and drop, have none; a search may send both ways over a link (dimakopoulos.md,
// Greedy).
TEST(DuplexForms, AreThoseOfTheSections) {
  const std::vector<Duplex> any{Duplex::full, Duplex::half_link, Duplex::half_node};
  for (const auto* const name : {"allgather/adea", "allgather/tea1", "allgather/tea2", "alltoall/exchange",
                                 "broadcast/sbt-pipelined", "allgather/sequential", "send/disjoint-paths"}) {
    EXPECT_EQ(duplex_forms(find_method(name, "hypercube")), any) << name;
  }
  for (const auto* const name : {"send/pipelined", "allgather/daisy-chain", "broadcast/one-way", "broadcast/two-way"}) {
    EXPECT_EQ(duplex_forms(find_method(name, "ring")), any) << name;
  }
  EXPECT_EQ(duplex_forms(find_method("allgather/daisy-chain", "switch")), any);
  EXPECT_EQ(duplex_forms(find_method("broadcast/ring", "omega")), any);
  for (const auto* const name : {"scatter/two-way", "alltoall/rotate-drop"}) {
    EXPECT_EQ(duplex_forms(find_method(name, "ring")), (std::vector{Duplex::full, Duplex::half_link})) << name;
  }
  EXPECT_EQ(duplex_forms(find_method("alltoall/greedy", "ring")), std::vector{Duplex::full});
}

}  // namespace
}  // namespace lockstep::duplex_forms_test
