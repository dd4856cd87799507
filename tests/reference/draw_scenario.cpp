#include <algorithm>

#include "draw.hpp"

namespace lockstep::reference {

namespace {

/// What was planned for looser rules breaks these.
void tighten(Dice& dice, Rules& rules) {
  switch (dice.below(6)) {
    case 0:
    case 1:
      rules.ports = Ports::one_strict;
      break;
    case 2:
      rules.ports = Ports::one;
      break;
    case 3:
      rules.duplex = Duplex::half_link;
      break;
    case 4:
      rules.duplex = Duplex::half_node;
      break;
    default:
      rules.capacity = 1;
  }
}

std::size_t place_in(Dice& dice, const Program& program) { return dice.below(program.size() + 1); }

void insert(Dice& dice, Program& program, Operation operation) {
  program.insert(program.begin() + static_cast<std::ptrdiff_t>(place_in(dice, program)), std::move(operation));
}

void leave_one_out(Dice& dice, Program& program) {
  if (!program.empty()) program.erase(program.begin() + static_cast<std::ptrdiff_t>(dice.below(program.size())));
}

void repeat_one(Dice& dice, Program& program) {
  if (program.empty()) return;
  const Operation again = dice.one_of(program);
  insert(dice, program, again);
}

/// Several programs do something of their own in one cycle, wherever they are then.
void disturb_one_cycle(Dice& dice, Scenario& scenario) {
  const Cycle cycle = dice.below(6);
  for (Program& program : scenario.programs) {
    if (!dice.chance(40)) continue;
    Program first{{.verb = Verb::until, .number = cycle}};
    for (auto count = dice.between(1, 3); count > 0; --count) {
      first.push_back(draw_operation(dice, scenario.ports()));
      first.back().catches = dice.chance(70);
    }
    const auto place = cycle == 0 ? 0 : place_in(dice, program);
    program.insert(program.begin() + static_cast<std::ptrdiff_t>(place), first.begin(), first.end());
  }
}

void name_many_phases(Dice& dice, Scenario& scenario) {
  const auto names = dice.between(62, 65);
  for (std::uint64_t name = 1; name <= names; ++name) {
    Program& program = scenario.programs[dice.below(scenario.programs.size())];
    insert(dice, program, {.verb = Verb::phase, .number = name});
  }
}

}  // namespace

Rules draw_rules(Dice& dice) {
  Rules rules;
  rules.ports = dice.one_of<Ports>({Ports::one, Ports::one, Ports::one_strict, Ports::all, Ports::all});
  rules.duplex = dice.one_of<Duplex>({Duplex::full, Duplex::full, Duplex::half_link, Duplex::half_node});
  rules.multicast = dice.chance(40);
  rules.capacity = dice.between(1, 3);
  // Sums of eighths are exact, in whatever order they are added.
  rules.beta = static_cast<double>(dice.below(40)) / 8;
  rules.tau = static_cast<double>(dice.below(40)) / 8;
  rules.copy_cost = static_cast<double>(dice.below(16)) / 8;
  rules.max_packet = dice.chance(50) ? 0 : dice.between(1, 9);
  return rules;
}

void spoil(Dice& dice, Scenario& scenario) {
  Program& program = scenario.programs[dice.below(scenario.programs.size())];
  switch (dice.below(11)) {
    case 0:
    case 1:
      return tighten(dice, scenario.rules);
    case 2:
      return insert(dice, program, draw_operation(dice, scenario.ports()));
    case 3:
      return repeat_one(dice, program);
    case 4:
      return leave_one_out(dice, program);
    case 5:
    case 6:
      return disturb_one_cycle(dice, scenario);
    case 7:
      scenario.max_cycles = dice.below(12);
      break;
    case 8:
      scenario.stop_after = dice.below(12);
      break;
    case 9:
      return name_many_phases(dice, scenario);
    default:
      return insert(dice, program, {.verb = Verb::until, .number = dice.below(3000)});
  }
}

Scenario draw_scenario(Dice& dice, int size) {
  const auto extent = static_cast<std::uint64_t>(size);
  Scenario scenario;
  auto processors = dice.between(1, 1 + extent / 5);
  if (size >= 50 && dice.chance(2)) processors = dice.between(60, 200);
  scenario.wiring = draw_wiring(dice, static_cast<Rank>(processors));
  scenario.rules = draw_rules(dice);
  scenario.single_words = dice.chance(30);
  const Cycle cycles = processors > 20 ? dice.below(6) : dice.below(2 + extent / 6);
  if (dice.chance(90)) {
    scenario.programs = draw_legal_programs(dice, scenario.wiring, scenario.rules, cycles);
  } else {
    scenario.programs.resize(scenario.wiring.size());
    for (Program& program : scenario.programs) {
      for (auto count = dice.below(2 + extent / 10); count > 0; --count) {
        program.push_back(draw_operation(dice, scenario.ports()));
      }
    }
  }
  if (dice.chance(45)) {
    for (auto count = dice.between(1, 2); count > 0; --count) spoil(dice, scenario);
  }
  return scenario;
}

}  // namespace lockstep::reference
