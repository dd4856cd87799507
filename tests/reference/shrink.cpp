#include "shrink.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace lockstep::reference {

namespace {

constexpr std::size_t ways_for_operations = 5;
constexpr std::size_t ways_for_rules = 12;
constexpr std::size_t most_operations_paired = 20;

/// On a bus or a crossbar: leaves out operations that name only the rank, and lowers the ranks above it by one.
void leave_out_rank(Program& program, Rank rank) {
  std::erase_if(program, [&](Operation& operation) {
    const bool named = !operation.ports.empty();
    std::erase(operation.ports, rank);
    for (Port& port : operation.ports) port -= port > rank ? 1U : 0U;
    leave_out_rank(operation.body, rank);
    return named && operation.ports.empty();
  });
}

void leave_out_processor(Scenario& scenario, Rank rank) {
  const auto place = static_cast<std::ptrdiff_t>(rank);
  scenario.programs.erase(scenario.programs.begin() + place);
  if (scenario.medium) {
    if (scenario.on(Shared::memory)) return;
    for (Program& program : scenario.programs) leave_out_rank(program, rank);
    return;
  }
  scenario.wiring.erase(scenario.wiring.begin() + place);
  for (auto& ends : scenario.wiring) {
    for (End& end : ends) {
      if (end.rank == rank) {
        end = {};
      } else if (end.rank != nobody && end.rank > rank) {
        --end.rank;
      }
    }
  }
}

void leave_out_link(Scenario& scenario, Rank rank, std::size_t port) {
  const End to = std::exchange(scenario.wiring[rank][port], {});
  scenario.wiring[to.rank][to.port] = {};
}

void unwrap(Program& program, std::size_t at) {
  Program body = std::move(program[at].body);
  const auto place = program.erase(program.begin() + static_cast<std::ptrdiff_t>(at));
  program.insert(place, std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
}

void simplify(Operation& operation, std::size_t way) {
  switch (way) {
    case 0:
      operation.number = 0;
      break;
    case 1:
      operation.number /= 2;
      break;
    case 2:
      if (operation.number > 0) --operation.number;
      break;
    case 3:
      operation.blocks.clear();
      break;
    default:
      if (operation.ports.size() > 1) operation.ports.pop_back();
  }
}

void simplify(Scenario& scenario, std::size_t way) {
  Rules& rules = scenario.rules;
  const Rules plain;
  const Scenario plain_scenario;
  switch (way) {
    case 0:
      rules.duplex = plain.duplex;
      break;
    case 1:
      rules.multicast = plain.multicast;
      break;
    case 2:
      rules.ports = plain.ports;
      rules.limit = plain.limit;
      break;
    case 3:
      rules.max_packet = plain.max_packet;
      break;
    case 4:
      rules.copy_cost = plain.copy_cost;
      rules.flop = plain.flop;
      break;
    case 5:
      rules.beta = plain.beta;
      break;
    case 6:
      rules.tau = plain.tau;
      break;
    case 7:
      scenario.max_cycles = plain_scenario.max_cycles;
      break;
    case 8:
      if (scenario.medium) scenario.medium->users = Medium::unlimited;
      break;
    case 9:
      if (!scenario.medium) break;
      scenario.medium->omega = scenario.medium->copies = false;
      scenario.medium->banks = 0;
      break;
    case 10:
      rules.limit = plain.limit;
      break;
    default:
      scenario.stop_after.reset();
  }
}

}  // namespace

std::vector<Cut> cuts(const Scenario& scenario) {
  using What = Cut::What;
  std::vector<Cut> all;
  const auto processors = static_cast<Rank>(scenario.programs.size());
  for (Rank length = std::bit_floor(processors - 1); length > 0; length /= 2) {
    const Rank step = std::max(Rank{1}, length / 2);
    for (Rank rank = 0; rank + length <= processors; rank += step) all.push_back({What::processors, rank, 0, length});
  }
  std::size_t longest = 0;
  for (const Program& program : scenario.programs) longest = std::max(longest, program.size());
  for (std::size_t length = longest; length > 0; length /= 2) {
    for (Rank rank = 0; rank < processors; ++rank) {
      for (std::size_t at = 0; at + length <= scenario.programs[rank].size(); at += length) {
        all.push_back({What::stretch, rank, at, length});
      }
    }
  }
  if (count_operations(scenario) <= most_operations_paired) {
    for (Rank rank = 0; rank < processors; ++rank) {
      for (Rank other = rank; other < processors; ++other) {
        for (std::size_t at = 0; at < scenario.programs[rank].size(); ++at) {
          for (std::size_t its = other == rank ? at + 1 : 0; its < scenario.programs[other].size(); ++its) {
            all.push_back({What::pair, rank, at, its, other});
          }
        }
      }
    }
  }
  for (std::size_t way = 0; way < ways_for_rules; ++way) {
    Scenario simpler;
    simpler.rules = scenario.rules;
    simpler.max_cycles = scenario.max_cycles;
    simpler.stop_after = scenario.stop_after;
    simpler.medium = scenario.medium;
    simplify(simpler, way);
    const bool same = simpler.rules == scenario.rules && simpler.max_cycles == scenario.max_cycles &&
                      simpler.stop_after == scenario.stop_after && simpler.medium == scenario.medium;
    if (!same) all.push_back({What::rules, 0, way});
  }
  for (Rank rank = 0; rank < processors; ++rank) {
    for (std::size_t port = 0; !scenario.medium && port < scenario.wiring[rank].size(); ++port) {
      const End& end = scenario.wiring[rank][port];
      if (end.rank != nobody && end.rank > rank) all.push_back({What::link, rank, port});
    }
    const Program& program = scenario.programs[rank];
    for (std::size_t at = 0; at < program.size(); ++at) {
      if (program[at].verb == Verb::call) all.push_back({What::unwrap, rank, at});
      for (std::size_t inner = 0; inner < program[at].body.size(); ++inner) {
        all.push_back({What::body, rank, at, inner});
      }
      for (std::size_t way = 0; way < ways_for_operations; ++way) {
        Operation simpler = program[at];
        simplify(simpler, way);
        if (!(simpler == program[at])) all.push_back({What::operation, rank, at, way});
      }
    }
  }
  return all;
}

Scenario cut(Scenario scenario, const Cut& cut) {
  const auto place = [&](Program& program) { return program.begin() + static_cast<std::ptrdiff_t>(cut.at); };
  switch (cut.what) {
    case Cut::What::processors:
      for (std::size_t left = cut.length; left > 0; --left) leave_out_processor(scenario, cut.rank);
      break;
    case Cut::What::stretch: {
      Program& program = scenario.programs[cut.rank];
      program.erase(place(program), place(program) + static_cast<std::ptrdiff_t>(cut.length));
      break;
    }
    case Cut::What::pair: {  // the later one first, where both are of one program
      Program& program = scenario.programs[cut.other];
      program.erase(program.begin() + static_cast<std::ptrdiff_t>(cut.length));
      Program& first = scenario.programs[cut.rank];
      first.erase(place(first));
      break;
    }
    case Cut::What::unwrap:
      unwrap(scenario.programs[cut.rank], cut.at);
      break;
    case Cut::What::body: {
      Program& body = scenario.programs[cut.rank][cut.at].body;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(cut.length));
      break;
    }
    case Cut::What::link:
      leave_out_link(scenario, cut.rank, cut.at);
      break;
    case Cut::What::operation:
      simplify(scenario.programs[cut.rank][cut.at], cut.length);
      break;
    case Cut::What::rules:
      simplify(scenario, cut.at);
      break;
  }
  return scenario;
}

}  // namespace lockstep::reference
