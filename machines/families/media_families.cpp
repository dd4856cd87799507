// Machines whose processors share a medium: bus, memory, crossbar switch, and switches that are networks of stages.
#include <algorithm>
#include <bit>
#include <limits>

#include "families/families.hpp"
#include "lockstep/machines/data_manipulator.hpp"
#include "lockstep/machines/omega.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

constexpr std::uint64_t most_drawn = 4;

Positions line_layout(const MachineSpec& spec) { return on_line(spec.processors); }

/// Reads S of "kstar=S".
std::uint64_t read_kstar(const SpecReader& reader, const MachineSpec& spec, std::string_view part,
                         const std::string& order) {
  constexpr std::string_view key = "kstar=";
  if (!part.starts_with(key)) reader.refuse(order);
  const std::uint64_t kstar = reader.count(part.substr(key.size()), "kstar");
  if (kstar > spec.processors) {
    reader.refuse("kstar is " + std::to_string(kstar) + ", more than the " + std::to_string(spec.processors) +
                  " processors");
  }
  return kstar;
}

void bus_read(const SpecReader& reader, MachineSpec& spec) {
  const std::string order = "after K comes kstar=S and nothing else";
  const std::vector<std::string_view> parts = reader.split(',');
  spec.processors = reader.count(parts[0], "K");
  if (parts.size() > 2) reader.refuse(order);
  const std::uint64_t kstar = parts.size() == 1 ? 1 : read_kstar(reader, spec, parts[1], order);
  spec.parameters = {spec.processors, kstar};
  spec.medium = Medium{MediumKind::bus, kstar};
}

void memory_read(const SpecReader& reader, MachineSpec& spec) {
  constexpr std::string_view key = "banks=";
  const std::string order = "after K come kstar=S and, where a bank serves one at a time, banks=B";
  const std::vector<std::string_view> parts = reader.split(',');
  spec.processors = reader.count(parts[0], "K");
  if (parts.size() == 1) reader.refuse("kstar is missing");
  const std::uint64_t kstar = read_kstar(reader, spec, parts[1], order);
  spec.parameters = {spec.processors, kstar};
  spec.medium = Medium{.kind = MediumKind::memory, .users = kstar};
  if (parts.size() == 2) return;
  if (parts.size() > 3 || !parts[2].starts_with(key)) reader.refuse(order);
  spec.medium->banks = reader.count(parts[2].substr(key.size()), "banks");
  spec.parameters.push_back(spec.medium->banks);
}

void read_switch(const SpecReader& reader, MachineSpec& spec, Medium::Network network, bool copies) {
  spec.processors = reader.count(reader.parameters(), "K");
  spec.parameters = {spec.processors};
  spec.medium = Medium{MediumKind::crossbar, std::numeric_limits<std::uint64_t>::max(), network, copies};
  if (network != nullptr && !std::has_single_bit(spec.processors)) {
    reader.refuse("K is " + std::to_string(spec.processors) + ", not a power of two");
  }
}

void crossbar_read(const SpecReader& reader, MachineSpec& spec) { read_switch(reader, spec, nullptr, false); }
void omega_read(const SpecReader& reader, MachineSpec& spec) { read_switch(reader, spec, omega_blocking, true); }
void inverse_omega_read(const SpecReader& reader, MachineSpec& spec) {
  read_switch(reader, spec, inverse_omega_blocking, true);
}
void data_manipulator_read(const SpecReader& reader, MachineSpec& spec) {
  read_switch(reader, spec, data_manipulator_blocking, false);
}

/// Every processor has one link to the medium. Two processors are one transfer apart; on a shared memory, which takes
/// two, no distance in links is given.
MachineFacts shared_facts(const MachineSpec& spec) {
  MachineFacts facts;
  facts.links = spec.processors;
  facts.degree_min = facts.degree_max = 1;
  if (spec.medium->kind != MediumKind::memory) facts.diameter = spec.processors == 1 ? 0 : 1;
  return facts;
}

/// A switch works like a link between every two processors, of which a processor uses one at a time.
MachineFacts switch_facts(const MachineSpec& spec) {
  MachineFacts facts = shared_facts(spec);
  facts.average_status = Fraction(spec.processors - 1);
  return facts;
}

/// The lowest ranks in a row and their links down to the medium.
std::string processors_on_top(std::uint64_t processors) {
  std::string ranks = " ";
  std::string links = " ";
  for (std::uint64_t rank = 0; rank < processors; ++rank) {
    ranks += "  " + std::to_string(rank) + " ";
    links += "  | ";
  }
  ranks.pop_back();
  links.pop_back();
  return ranks + "\n" + links + "\n";
}

std::string box(std::uint64_t processors, const std::string& text) {
  const std::size_t width = std::max<std::size_t>(4 * processors + 1, text.size() + 2);
  const std::size_t before = (width - text.size()) / 2;
  const std::size_t after = width - text.size() - before;
  std::string edge = "+";
  edge.append(width, '-').append("+\n");
  return edge + "|" + std::string(before, ' ') + text + std::string(after, ' ') + "|\n" + edge;
}

std::string drawn_name(const MachineSpec& spec) {
  return spec.processors <= most_drawn ? spec.text : spec.family + ":" + std::to_string(most_drawn);
}

std::string bus_picture(const MachineSpec& spec) {
  const std::uint64_t drawn = std::min(spec.processors, most_drawn);
  const std::string kstar = "at most " + std::to_string(spec.medium->users) + " at a time";
  return caption(drawn_name(spec), spec) + processors_on_top(drawn) + std::string(4 * drawn + 3, '=') + "  " + kstar +
         "\n";
}

std::string memory_picture(const MachineSpec& spec) {
  const std::uint64_t drawn = std::min(spec.processors, most_drawn);
  const std::uint64_t banks = spec.medium->banks;
  std::string name = spec.text;
  if (spec.processors > most_drawn) {
    name = drawn_name(spec) + ",kstar=" + std::to_string(std::min(spec.medium->users, drawn));
    if (banks != 0) name += ",banks=" + std::to_string(banks);
  }
  const std::string in_banks = banks == 0 ? "" : " in " + std::to_string(banks) + (banks == 1 ? " bank" : " banks");
  return caption(name, spec) + processors_on_top(drawn) + box(drawn, "memory" + in_banks);
}

std::string switch_picture(const MachineSpec& spec, const std::string& what) {
  const std::uint64_t drawn = std::min(spec.processors, most_drawn);
  return caption(drawn_name(spec), spec) + processors_on_top(drawn) + box(drawn, what);
}

constexpr const char* named_by_rank = "none: the other processor is named by its rank";

/// Shared by the families of switches.
MachineFamily one_switch(MachineFamily family) {
  family.wiring = nullptr;
  family.label = no_label;
  family.facts = switch_facts;
  family.layout = line_layout;
  return family;
}

}  // namespace

MachineFamily bus_family() {
  return {.name = "bus",
          .form = "bus:K[,kstar=S]",
          .limits = "K from 1 up, S from 1 to K (1 if not given)",
          .example = "bus:8",
          .summary = "K processors on a broadcast bus, at most S transactions in a cycle",
          .ports = named_by_rank,
          .read = bus_read,
          .wiring = nullptr,
          .label = no_label,
          .facts = shared_facts,
          .picture = bus_picture,
          .layout = line_layout};
}

MachineFamily memory_family() {
  return {.name = "shared",
          .form = "shared:K,kstar=S[,banks=B]",
          .limits = "K from 1 up, S from 1 to K, B from 1 up (no bank is ever in use if not given)",
          .example = "shared:8,kstar=2",
          .summary = "K processors around a memory, at most S accesses in a cycle, and one a bank",
          .ports = "none: processors write and read slots",
          .read = memory_read,
          .wiring = nullptr,
          .label = no_label,
          .facts = shared_facts,
          .picture = memory_picture,
          .layout = line_layout};
}

MachineFamily switch_family() {
  return one_switch({.name = "switch",
                     .form = "switch:K",
                     .limits = "K from 1 up",
                     .example = "switch:8",
                     .summary = "K processors around a crossbar, in every cycle a partial permutation",
                     .ports = named_by_rank,
                     .read = crossbar_read,
                     .picture = [](const MachineSpec& spec) { return switch_picture(spec, "crossbar"); }});
}

MachineFamily omega_family() {
  return one_switch({.name = "omega",
                     .form = "omega:K",
                     .limits = "K a power of two",
                     .example = "omega:8",
                     .summary = "K processors around an Omega network, which every cycle must pass",
                     .ports = named_by_rank,
                     .read = omega_read,
                     .picture = [](const MachineSpec& spec) { return switch_picture(spec, "Omega network"); }});
}

MachineFamily inverse_omega_family() {
  return one_switch({.name = "inverse-omega",
                     .form = "inverse-omega:K",
                     .limits = "K a power of two",
                     .example = "inverse-omega:8",
                     .summary = "K processors around an Omega network that messages cross backwards",
                     .ports = named_by_rank,
                     .read = inverse_omega_read,
                     .picture = [](const MachineSpec& spec) { return switch_picture(spec, "inverse Omega"); }});
}

MachineFamily indirect_cube_family() {
  return one_switch({.name = "indirect-cube",
                     .form = "indirect-cube:K",
                     .limits = "K a power of two",
                     .example = "indirect-cube:8",
                     .summary = "K processors around an indirect binary n-cube, the lowest dimension first",
                     .ports = named_by_rank,
                     .read = inverse_omega_read,
                     .picture = [](const MachineSpec& spec) { return switch_picture(spec, "indirect n-cube"); }});
}

MachineFamily data_manipulator_family() {
  return one_switch({.name = "data-manipulator",
                     .form = "data-manipulator:K",
                     .limits = "K a power of two",
                     .example = "data-manipulator:8",
                     .summary = "K processors around a data manipulator, whose stages shift lines by 2^i or not",
                     .ports = named_by_rank,
                     .read = data_manipulator_read,
                     .picture = [](const MachineSpec& spec) { return switch_picture(spec, "data manipulator"); }});
}

}  // namespace lockstep
