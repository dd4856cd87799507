// Random programs on machines whose processors are divided at random over processes: all results are those of the
// reference model, and damage to the wire is noticed.
#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <map>
#include <sstream>

#include "../threaded_processes.hpp"
#include "machine_run.hpp"
#include "property.hpp"
#include "runs.hpp"
#include "shapes.hpp"
#include "simulation.hpp"

namespace lockstep::reference::divided_test {
namespace {

using test::ThreadedProcesses;

/// Processors distributed at random, or in contiguous parts; some processes may have none.
Placement draw_placement(Dice& dice, Rank processors, unsigned processes) {
  if (dice.below(3) == 0) return {processors, processes};
  std::vector<std::uint32_t> owners(processors);
  for (std::uint32_t& owner : owners) owner = static_cast<std::uint32_t>(dice.below(processes));
  return {std::move(owners), processes};
}

/// The outcome of each process, or its exception.
struct Divided {
  std::vector<MachineOutcome> outcomes;
  std::vector<std::exception_ptr> thrown;
};

Divided run_divided(const Scenario& scenario, const Placement& placement, ChannelKind channels, unsigned threads,
                    const ThreadedProcesses::Tamper& tamper = {}) {
  const unsigned processes = placement.processes();
  Divided result;
  result.outcomes.resize(processes);
  result.thrown = ThreadedProcesses(processes, tamper).run([&](Processes& own) {
    const Division division{own, placement};
    const auto executor = make_executor(threads == 1 ? ExecutorKind::sequential : ExecutorKind::threads, threads);
    result.outcomes[own.own()] =
        run_on_machine(scenario, *executor, {.runs = tamper ? 1U : 2U, .channels = channels, .division = &division});
  });
  return result;
}

/// The error, or nothing.
std::string compare(Divided& divided, const Placement& placement, const Outcome& expected) {
  for (unsigned process = 0; process < divided.outcomes.size(); ++process) {
    if (!divided.thrown[process]) continue;
    try {
      std::rethrow_exception(divided.thrown[process]);
    } catch (const std::exception& error) {
      return "process " + std::to_string(process) + " throws: " + error.what();
    }
  }
  const MachineOutcome& first = divided.outcomes.front();
  for (unsigned process = 0; process < divided.outcomes.size(); ++process) {
    MachineOutcome& own = divided.outcomes[process];
    for (Rank rank = 0; rank < expected.notes.size(); ++rank) {
      if (placement.owner(rank) == process) continue;
      if (!own.outcome.notes[rank].empty()) return "a process runs a processor that it does not hold";
      own.outcome.notes[rank] = expected.notes[rank];
    }
    if (std::string wrong = difference(own.outcome, expected); !wrong.empty()) {
      return "process " + std::to_string(process) + ": " + wrong;
    }
    if (own.digest != first.digest) return "another digest";
    if (own.text != first.text) return own.text + "\n  elsewhere: " + first.text;
    if (own.dot != first.dot) return "another graph of a deadlock";
  }
  return {};
}

void expect_the_same(Scenario (*draw)(Dice&, int)) {
  const std::uint64_t enough = runs::stressed(sanitized ? 20'000 : 200'000);
  std::uint64_t operations = 0;
  std::uint64_t scenarios_run = 0;
  for (std::uint64_t seed = 1; operations < enough; ++seed) {
    Dice dice(seed);
    const auto result = check(draw, seed, 200, [&](const Scenario& scenario) {
      const Outcome expected = simulate(scenario);
      for (const auto& notes : expected.notes) operations += notes.size();
      ++scenarios_run;
      const auto processes = static_cast<unsigned>(dice.between(1, 4));
      const Placement placement = draw_placement(dice, scenario.processors(), processes);
      const ChannelKind channels = dice.below(2) == 0 ? ChannelKind::lockfree : ChannelKind::compact;
      Divided divided = run_divided(scenario, placement, channels, dice.below(4) == 0 ? 2 : 1);
      return compare(divided, placement, expected);
    });
    if (result.is<rc::detail::SuccessResult>()) continue;
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    FAIL() << "seed " << seed << ": " << text.str();
  }
  std::cout << operations << " operations in " << scenarios_run << " scenarios agree\n";
}

TEST(Divided, RandomScenariosComeToTheSameAsInTheReferenceModel) { expect_the_same(draw_scenario); }

TEST(Divided, RandomScenariosOnMediaDoSoToo) { expect_the_same(draw_medium_scenario); }

constexpr std::size_t header_bytes = 12;

/// Damages one of the words of the wire that are not empty, counted in the order of their cycles.
struct Tampering {
  enum class How { lost, doubled, earlier };

  How how;
  std::uint64_t cycle;  ///< among those in which a process sends data to another
  unsigned from;
  unsigned to;
  std::uint64_t said = 0;
  Bytes before{};
  bool has_happened = false;

  std::vector<Bytes> operator()(Bytes bytes) {
    if (bytes.size() > header_bytes && said++ == cycle) {
      has_happened = true;
      if (how == How::lost) bytes.resize(header_bytes);
      if (how == How::doubled) bytes.insert(bytes.end(), bytes.begin() + header_bytes, bytes.end());
      if (how == How::earlier) std::swap(bytes, before);
    }
    if (!has_happened) before = bytes;
    return {std::move(bytes)};
  }
};

// Data between two processes is as safe as a message of the machine: no loss goes unnoticed.
void expect_noticed(Scenario (*draw)(Dice&, int)) {
  std::map<Tampering::How, int> caught;
  for (std::uint64_t seed = 1; seed <= 900; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const Scenario scenario = draw(dice, static_cast<int>(seed % 100));
    const Placement placement = draw_placement(dice, scenario.processors(), 2);
    Tampering tampering{static_cast<Tampering::How>(seed % 3), dice.below(4), 0, 1};
    if (tampering.how == Tampering::How::earlier) ++tampering.cycle;  // there must be a word before it
    const Divided divided = run_divided(scenario, placement, ChannelKind::compact, 1,
                                        [&](unsigned from, unsigned to, Bytes bytes) -> std::vector<Bytes> {
                                          if (from == tampering.from && to == tampering.to)
                                            return tampering(std::move(bytes));
                                          return {std::move(bytes)};
                                        });
    if (!tampering.has_happened) continue;
    ++caught[tampering.how];
    const bool is_noticed = divided.thrown[0] != nullptr || divided.thrown[1] != nullptr;
    ASSERT_TRUE(is_noticed) << scenario;
  }
  for (const auto how : {Tampering::How::lost, Tampering::How::doubled, Tampering::How::earlier}) {
    EXPECT_GT(caught[how], 50);
  }
}

TEST(Divided, WordsOfTheWireThatAreLostDoubledOrOfAnotherCycleEndTheRun) { expect_noticed(draw_scenario); }

TEST(Divided, ThoseOfAMediumDoSoToo) { expect_noticed(draw_medium_scenario); }

/// Puts a number into one word of the wire.
struct Falsehood {
  std::uint64_t word;
  std::size_t place;
  std::uint32_t number;
  std::uint64_t said = 0;
  bool has_happened = false;

  Bytes operator()(Bytes bytes) {
    if (said++ != word || place + sizeof(number) > bytes.size()) return bytes;
    has_happened = true;
    std::memcpy(&bytes[place], &number, sizeof(number));
    return bytes;
  }
};

/// Runs the scenario in two processes again and again, each time with another wrong number in a word that the second
/// sends to the first; any exception is one of the library's.
void expect_no_harm(const Scenario& scenario) {
  constexpr std::size_t longest = 256;
  const Placement placement(scenario.processors(), 2);
  for (std::uint64_t word = 0; word < 24; ++word) {
    for (std::size_t place = 0; place < longest; place += sizeof(std::uint32_t)) {
      for (const std::uint32_t number : {0x7fffff0U, 0xffffffffU, 0U, 3U}) {
        Falsehood falsehood{word, place, number};
        ThreadedProcesses processes(
            2,
            [&](unsigned from, unsigned, Bytes bytes) -> std::vector<Bytes> {
              return {from == 1 ? falsehood(std::move(bytes)) : std::move(bytes)};
            },
            true);
        const auto thrown = processes.run([&](Processes& own) {
          const Division division{own, placement};
          const auto executor = make_executor(ExecutorKind::sequential);
          run_on_machine(scenario, *executor, {.division = &division});
        });
        for (const std::exception_ptr& one : thrown) {
          try {
            if (one) std::rethrow_exception(one);
          } catch (const std::exception&) {
          }
        }
        if (!falsehood.has_happened && number == 3U) place = longest;  // the word ends there
      }
    }
  }
}

/// Two processors in each of two processes; each is to receive from the next, and some do not send.
Scenario waiting_for_others(std::optional<Medium> medium) {
  Scenario scenario;
  scenario.medium = medium;
  if (!medium) scenario.wiring = ring(4);
  for (Rank rank = 0; rank < 4; ++rank) {
    const Port there = medium ? (rank + 1) % 4 : 0;
    const Port back = medium ? (rank + 3) % 4 : 1;
    scenario.programs.push_back({{.verb = Verb::phase, .number = rank}, {.verb = Verb::send, .ports = {there}}});
    if (rank == 2) scenario.programs.back().push_back({.verb = Verb::fail, .catches = true});
    scenario.programs.back().push_back({.verb = Verb::message, .ports = {back}});
    scenario.programs.back().push_back({.verb = Verb::message, .ports = {there}});
  }
  return scenario;
}

TEST(Divided, WordsOfTheWireThatCannotBeTrueDoNoHarm) {
  expect_no_harm(waiting_for_others({}));
  expect_no_harm(waiting_for_others(Medium{.kind = Shared::crossbar}));
  expect_no_harm(waiting_for_others(Medium{.kind = Shared::bus, .users = 4}));
  Scenario memory = waiting_for_others(Medium{.kind = Shared::memory, .slots = 4});
  for (Rank rank = 0; rank < 4; ++rank) {
    memory.programs[rank] = {{.verb = Verb::write, .ports = {rank}, .blocks = {2}},
                             {.verb = Verb::cycle},
                             {.verb = Verb::read, .ports = {3 - rank}},
                             {.verb = Verb::read, .ports = {rank}}};
  }
  expect_no_harm(memory);
  memory.max_cycles = 1;
  expect_no_harm(memory);
}

}  // namespace
}  // namespace lockstep::reference::divided_test
