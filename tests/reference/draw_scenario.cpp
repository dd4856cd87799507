#include <algorithm>

#include "draw.hpp"

namespace lockstep::reference {

namespace {

constexpr Port most_ports_of_ring = 2;

/// The same on a medium.
void tighten(Dice& dice, Rules& rules, Medium& medium) {
  switch (dice.below(6)) {
    case 0:
    case 1:
      if (medium.kind == Shared::crossbar) {
        medium.omega = true;
        rules.ports = Ports::one;
      } else if (medium.kind == Shared::memory && dice.chance(50)) {
        medium.banks = static_cast<std::uint32_t>(dice.between(1, 2));
      } else {
        medium.users = dice.between(1, 2);
      }
      break;
    case 2:
      rules.duplex = Duplex::half_link;
      break;
    case 3:
      rules.duplex = Duplex::half_node;
      break;
    case 4:
      rules.multicast = false;
      break;
    default:
      rules.capacity = 1;
  }
}

/// Programs planned for looser rules break these.
void tighten(Dice& dice, Rules& rules, Port ports) {
  switch (dice.below(7)) {
    case 0:
      rules.ports = ports <= most_ports_of_ring ? Ports::ring : Ports::one_strict;
      break;
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
    case 5:
      rules.limit = rules.ports == Ports::limited ? std::max(rules.limit - 1, 2U) : 2;
      rules.ports = Ports::limited;
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

/// Several programs do something else in one cycle, at any place in the program.
void disturb_one_cycle(Dice& dice, Scenario& scenario) {
  const Cycle cycle = dice.below(6);
  for (Program& program : scenario.programs) {
    if (!dice.chance(40)) continue;
    Program first{{.verb = Verb::until, .number = cycle}};
    for (auto count = dice.between(1, 3); count > 0; --count) {
      first.push_back(draw_operation(dice, scenario));
      first.back().catches = dice.chance(70);
    }
    const auto place = cycle == 0 ? 0 : place_in(dice, program);
    program.insert(program.begin() + static_cast<std::ptrdiff_t>(place), first.begin(), first.end());
  }
}

Rank draw_processors(Dice& dice, int size) {
  auto processors = dice.between(1, 1 + static_cast<std::uint64_t>(size) / 5);
  if (size >= 50 && dice.chance(2)) processors = dice.between(60, 200);
  return static_cast<Rank>(processors);
}

Cycle draw_cycles(Dice& dice, const Scenario& scenario, int size) {
  return scenario.processors() > 20 ? dice.below(6) : dice.below(2 + static_cast<std::uint64_t>(size) / 6);
}

/// Now and then any operations; returns whether it drew them.
bool draw_nonsense(Dice& dice, Scenario& scenario, int size) {
  if (dice.chance(90)) return false;
  for (Program& program : scenario.programs) {
    for (auto count = dice.below(2 + static_cast<std::uint64_t>(size) / 10); count > 0; --count) {
      program.push_back(draw_operation(dice, scenario));
    }
  }
  return true;
}

void name_many_phases(Dice& dice, Scenario& scenario) {
  const auto names = dice.between(62, 65);
  for (std::uint64_t name = 1; name <= names; ++name) {
    Program& program = scenario.programs[dice.below(scenario.programs.size())];
    insert(dice, program, {.verb = Verb::phase, .number = name});
  }
}

void spoil_some(Dice& dice, Scenario& scenario) {
  if (!dice.chance(45)) return;
  for (auto count = dice.between(1, 2); count > 0; --count) spoil(dice, scenario);
}

}  // namespace

Rules draw_rules(Dice& dice) {
  Rules rules;
  rules.ports = dice.one_of<Ports>({Ports::one, Ports::one, Ports::one_strict, Ports::all, Ports::all});
  rules.duplex = dice.one_of<Duplex>({Duplex::full, Duplex::full, Duplex::half_link, Duplex::half_node});
  rules.multicast = dice.chance(40);
  rules.capacity = dice.between(1, 3);
  // Sums of eighths are exact in any order.
  rules.beta = static_cast<double>(dice.below(40)) / 8;
  rules.tau = static_cast<double>(dice.below(40)) / 8;
  rules.copy_cost = static_cast<double>(dice.below(16)) / 8;
  rules.flop = 2 - rules.copy_cost;
  rules.max_packet = dice.chance(50) ? 0 : dice.between(1, 9);
  return rules;
}

void limit_ports(Dice& dice, Rules& rules, unsigned percent) {
  if (!dice.chance(percent)) return;
  rules.ports = Ports::limited;
  rules.limit = static_cast<std::uint32_t>(dice.between(2, 4));
}

Rules draw_medium_rules(Dice& dice) {
  Rules rules = draw_rules(dice);
  rules.ports = Ports::one;
  return rules;
}

Medium draw_medium(Dice& dice, Rank processors) {
  Medium medium;
  medium.kind = dice.one_of<Shared>({Shared::bus, Shared::memory, Shared::crossbar});
  if (medium.kind == Shared::crossbar) {
    medium.omega = dice.chance(50);
    medium.copies = medium.omega && dice.chance(50);
  } else if (dice.chance(80)) {
    medium.users = dice.between(1, processors);
  }
  // Few slots, so that many share one.
  if (medium.kind == Shared::memory) {
    medium.slots = static_cast<std::uint32_t>(dice.between(1, 2 + processors / 2));
    if (dice.chance(40)) medium.banks = static_cast<std::uint32_t>(dice.between(1, medium.slots));
  }
  return medium;
}

void spoil(Dice& dice, Scenario& scenario) {
  const auto way = dice.below(scenario.medium ? 16 : 11);
  if (scenario.medium && (way < 2 || way > 10)) return tighten(dice, scenario.rules, *scenario.medium);
  Program& program = scenario.programs[dice.below(scenario.programs.size())];
  switch (way) {
    case 0:
    case 1:
      return tighten(dice, scenario.rules, scenario.addresses());
    case 2:
      return insert(dice, program, draw_operation(dice, scenario));
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
  Scenario scenario;
  scenario.wiring = draw_wiring(dice, draw_processors(dice, size));
  scenario.programs.resize(scenario.wiring.size());
  scenario.rules = draw_rules(dice);
  limit_ports(dice, scenario.rules, 25);
  if (scenario.addresses() <= most_ports_of_ring && dice.chance(40)) scenario.rules.ports = Ports::ring;
  scenario.single_words = dice.chance(30);
  const Cycle cycles = draw_cycles(dice, scenario, size);
  if (!draw_nonsense(dice, scenario, size)) {
    scenario.programs = draw_legal_programs(dice, scenario.wiring, scenario.rules, cycles);
  }
  spoil_some(dice, scenario);
  return scenario;
}

Scenario draw_medium_scenario(Dice& dice, int size) {
  Scenario scenario;
  const Rank processors = draw_processors(dice, size);
  scenario.programs.resize(processors);
  scenario.medium = draw_medium(dice, processors);
  scenario.rules = draw_medium_rules(dice);
  if (scenario.on(Shared::crossbar) && !scenario.medium->omega) limit_ports(dice, scenario.rules, 40);
  scenario.single_words = dice.chance(30);
  const Cycle cycles = draw_cycles(dice, scenario, size);
  if (!draw_nonsense(dice, scenario, size)) {
    scenario.programs = draw_legal_programs(dice, *scenario.medium, processors, scenario.rules, cycles);
  }
  spoil_some(dice, scenario);
  return scenario;
}

}  // namespace lockstep::reference
