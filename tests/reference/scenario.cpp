#include "scenario.hpp"

#include <array>
#include <bit>
#include <ostream>
#include <string_view>

namespace lockstep::reference {

namespace {

Word mix(Word state, Word value) {
  const Word mixed = (state ^ (value + 0x9e3779b97f4a7c15U)) * 0xbf58476d1ce4e5b9U;
  return mixed ^ (mixed >> 29);
}

constexpr std::array<std::string_view, 5> port_models{"one", "one_strict", "all", "ring", "limited"};
constexpr std::array<std::string_view, 3> duplexes{"full", "half_link", "half_node"};
constexpr std::array<std::string_view, 3> shared_kinds{"bus", "memory", "crossbar"};
constexpr std::array<std::string_view, 21> verbs{
    "send",  "multicast", "forward", "exchange",    "message", "any_message", "receive",
    "poll",  "drain",     "look",    "look_around", "write",   "read",        "cycle",
    "until", "charge",    "hold",    "phase",       "fail",    "call",        "compute"};

template <class Number>
std::ostream& operator<<(std::ostream& out, const std::vector<Number>& numbers) {
  out << '{';
  for (std::size_t index = 0; index < numbers.size(); ++index) out << (index > 0 ? ", " : "") << +numbers[index];
  return out << '}';
}

void show(std::ostream& out, const Program& program) {
  out << '{';
  for (std::size_t index = 0; index < program.size(); ++index) {
    const Operation& operation = program[index];
    out << (index > 0 ? ", " : "") << "{.verb = Verb::" << verbs.at(static_cast<std::size_t>(operation.verb));
    if (!operation.ports.empty()) out << ", .ports = " << operation.ports;
    if (operation.number != 0) out << ", .number = " << operation.number;
    if (!operation.blocks.empty()) out << ", .blocks = " << operation.blocks;
    if (operation.catches) out << ", .catches = true";
    if (!operation.body.empty()) show(out << ", .body = ", operation.body);
    out << '}';
  }
  out << '}';
}

}  // namespace

void Log::add(const Note& note) {
  notes.push_back(note);
  for (const Word part : {note.now, static_cast<Word>(note.verb), static_cast<Word>(note.port), note.value,
                          std::bit_cast<Word>(note.arrival)}) {
    state = mix(state, part);
  }
}

std::string phase_name(std::uint64_t number) {
  return number == 0 ? std::string() : std::string("phase ").append(std::to_string(number));
}

Port Scenario::addresses() const {
  if (on(Shared::memory)) return medium->slots;
  if (medium) return processors();
  return wiring.empty() ? 0 : static_cast<Port>(wiring[0].size());
}

Wiring wiring_by_rank(Rank processors) {
  Wiring wiring(processors, std::vector<End>(processors));
  for (Rank from = 0; from < processors; ++from) {
    for (Rank to = 0; to < processors; ++to) {
      if (to != from) wiring[from][to] = {to, from};
    }
  }
  return wiring;
}

Parcel make_parcel(const Scenario& scenario, const Operation& operation, Word state) {
  Parcel parcel{{}, operation.blocks};
  if (scenario.single_words) parcel.blocks = {1};
  for (const std::uint64_t length : parcel.blocks) {
    for (std::uint64_t word = 0; word < length; ++word) parcel.content.push_back(state = mix(state, length));
  }
  return parcel;
}

std::vector<Parcel> make_parcels(const Scenario& scenario, const Operation& operation, Word state) {
  std::vector<Parcel> parcels;
  Operation one = operation;
  for (std::size_t slot = 0; slot < operation.ports.size(); ++slot) {
    parcels.push_back(make_parcel(scenario, one, mix(state, slot)));
    if (!one.blocks.empty()) ++one.blocks.front();
  }
  return parcels;
}

Word fingerprint(const Parcel& parcel) {
  Word sum = parcel.blocks.size();
  for (const std::uint64_t length : parcel.blocks) sum = mix(sum, length);
  for (const Word word : parcel.content) sum = mix(sum, word);
  return sum;
}

std::size_t count_operations(const Program& program) {
  std::size_t sum = program.size();
  for (const Operation& operation : program) sum += count_operations(operation.body);
  return sum;
}

std::size_t count_operations(const Scenario& scenario) {
  std::size_t sum = 0;
  for (const Program& program : scenario.programs) sum += count_operations(program);
  return sum;
}

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  const Rules& rules = scenario.rules;
  out << "Scenario{\n  .wiring = {";
  for (const auto& ends : scenario.wiring) {
    out << '{';
    for (const End& end : ends) {
      if (end.rank == nobody) {
        out << "{}, ";
      } else {
        out << '{' << end.rank << ", " << end.port << "}, ";
      }
    }
    out << "}, ";
  }
  out << "},\n  .rules = {.ports = Ports::" << port_models.at(static_cast<std::size_t>(rules.ports))
      << ", .limit = " << rules.limit << ", .duplex = Duplex::" << duplexes.at(static_cast<std::size_t>(rules.duplex))
      << ", .multicast = " << (rules.multicast ? "true" : "false") << ", .capacity = " << rules.capacity
      << ", .beta = " << rules.beta << ", .tau = " << rules.tau << ", .copy_cost = " << rules.copy_cost
      << ", .flop = " << rules.flop << ", .max_packet = " << rules.max_packet << "},\n  .programs = {\n";
  for (const Program& program : scenario.programs) {
    show(out << "    ", program);
    out << ",\n";
  }
  out << "  },\n  .single_words = " << (scenario.single_words ? "true" : "false")
      << ",\n  .max_cycles = " << scenario.max_cycles;
  if (scenario.stop_after) out << ",\n  .stop_after = " << *scenario.stop_after;
  if (scenario.medium) {
    const Medium& medium = *scenario.medium;
    out << ",\n  .medium = Medium{.kind = Shared::" << shared_kinds.at(static_cast<std::size_t>(medium.kind));
    if (medium.users != Medium::unlimited) out << ", .users = " << medium.users;
    out << ", .slots = " << medium.slots << ", .omega = " << (medium.omega ? "true" : "false")
        << ", .copies = " << (medium.copies ? "true" : "false") << ", .banks = " << medium.banks << '}';
  }
  return out << "}\n";
}

}  // namespace lockstep::reference
