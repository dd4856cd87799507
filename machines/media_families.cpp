// Machines whose processors share a medium: bus, memory, crossbar switch and Omega network.
#include <algorithm>
#include <bit>
#include <limits>

#include "families.hpp"
#include "lockstep/machines/omega.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture.hpp"
#include "placement.hpp"

namespace lockstep {

namespace {

constexpr std::uint64_t most_drawn = 4;

Topology::Label no_label(const MachineSpec&) { return {}; }

Positions line_layout(const MachineSpec& spec) { return on_line(spec.processors); }

/// Reads "K,kstar=S"; kstar is 1 where it may be left out and is.
void read_shared(const SpecReader& reader, MachineSpec& spec, MediumKind kind, bool needs_kstar) {
  constexpr std::string_view key = "kstar=";
  const std::vector<std::string_view> parts = reader.split(',');
  spec.processors = reader.count(parts[0], "K");
  if (parts.size() > 2 || (parts.size() == 2 && !parts[1].starts_with(key))) {
    reader.refuse("after K comes kstar=S and nothing else");
  }
  if (needs_kstar && parts.size() == 1) reader.refuse("kstar is missing");
  const std::uint64_t kstar = parts.size() == 1 ? 1 : reader.count(parts[1].substr(key.size()), "kstar");
  if (kstar > spec.processors) {
    reader.refuse("kstar is " + std::to_string(kstar) + ", more than the " + std::to_string(spec.processors) +
                  " processors");
  }
  spec.parameters = {spec.processors, kstar};
  spec.medium = Medium{kind, kstar, nullptr};
}

void bus_read(const SpecReader& reader, MachineSpec& spec) { read_shared(reader, spec, MediumKind::bus, false); }
void memory_read(const SpecReader& reader, MachineSpec& spec) { read_shared(reader, spec, MediumKind::memory, true); }

void read_switch(const SpecReader& reader, MachineSpec& spec, Medium::Network network) {
  spec.processors = reader.count(reader.parameters(), "K");
  spec.parameters = {spec.processors};
  spec.medium = Medium{MediumKind::crossbar, std::numeric_limits<std::uint64_t>::max(), network};
}

void crossbar_read(const SpecReader& reader, MachineSpec& spec) { read_switch(reader, spec, nullptr); }
void omega_read(const SpecReader& reader, MachineSpec& spec) {
  read_switch(reader, spec, omega_blocking);
  if (!std::has_single_bit(spec.processors)) {
    reader.refuse("K is " + std::to_string(spec.processors) + ", not a power of two");
  }
}

/// Every processor has one link to the medium. Two processors are one transfer apart; where they share a memory, which
/// takes two, no distance in links is given.
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

/// The lowest ranks in a row and their links down to what they share.
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
  const std::string name = spec.processors <= most_drawn
                               ? spec.text
                               : drawn_name(spec) + ",kstar=" + std::to_string(std::min(spec.medium->users, drawn));
  return caption(name, spec) + processors_on_top(drawn) + box(drawn, "memory");
}

std::string switch_picture(const MachineSpec& spec) {
  const std::uint64_t drawn = std::min(spec.processors, most_drawn);
  return caption(drawn_name(spec), spec) + processors_on_top(drawn) +
         box(drawn, spec.medium->network == nullptr ? "crossbar" : "Omega network");
}

}  // namespace

MachineFamily bus_family() {
  return {.name = "bus",
          .form = "bus:K[,kstar=S]",
          .limits = "K from 1 up, S from 1 to K (1 if not given)",
          .example = "bus:8",
          .summary = "K processors on a broadcast bus, at most S transactions in a cycle",
          .ports = "none: the other processor is named by its rank",
          .read = bus_read,
          .wiring = nullptr,
          .label = no_label,
          .facts = shared_facts,
          .picture = bus_picture,
          .layout = line_layout};
}

MachineFamily memory_family() {
  return {.name = "shared",
          .form = "shared:K,kstar=S",
          .limits = "K from 1 up, S from 1 to K",
          .example = "shared:8,kstar=2",
          .summary = "K processors around a memory, at most S accesses in a cycle",
          .ports = "none: processors write and read slots",
          .read = memory_read,
          .wiring = nullptr,
          .label = no_label,
          .facts = shared_facts,
          .picture = memory_picture,
          .layout = line_layout};
}

MachineFamily switch_family() {
  return {.name = "switch",
          .form = "switch:K",
          .limits = "K from 1 up",
          .example = "switch:8",
          .summary = "K processors around a crossbar, in every cycle a partial permutation",
          .ports = "none: the other processor is named by its rank",
          .read = crossbar_read,
          .wiring = nullptr,
          .label = no_label,
          .facts = switch_facts,
          .picture = switch_picture,
          .layout = line_layout};
}

MachineFamily omega_family() {
  return {.name = "omega",
          .form = "omega:K",
          .limits = "K a power of two",
          .example = "omega:8",
          .summary = "K processors around an Omega network, which every cycle must pass",
          .ports = "none: the other processor is named by its rank",
          .read = omega_read,
          .wiring = nullptr,
          .label = no_label,
          .facts = switch_facts,
          .picture = switch_picture,
          .layout = line_layout};
}

}  // namespace lockstep
