#include "status_table.hpp"

#include <algorithm>
#include <numeric>

#include "fraction_text.hpp"
#include "host/number_text.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/fraction.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "lockstep/machines/statuses.hpp"

namespace lockstep::cli::machine {
namespace {

Statuses known_statuses(const MachineSpec& machine) {
  const std::string name = printable(machine.text);
  if (machine.medium)
    throw InputError("--status counts links, and " + name + " has none: its processors share a medium");
  std::optional<Statuses> found = statuses(machine);
  if (found) return std::move(*found);
  if (machine.processors > most_statuses) {
    throw InputError("--status lists at most " + host::grouped(most_statuses) +
                     " processors of different statuses, and " + name + " has " + host::grouped(machine.processors));
  }
  throw InputError("--status has no formula for " + name + ", and searching all distances would take too long");
}

Fraction average(const Statuses& statuses) {
  const std::uint64_t sum = std::accumulate(statuses.values.begin(), statuses.values.end(), std::uint64_t{0});
  return Fraction(sum, statuses.values.size());
}

}  // namespace

std::string status_table(const MachineSpec& machine, const host::Style& style) {
  const Statuses known = known_statuses(machine);
  const std::string title = printable(machine.text) + ": " + host::counted(machine.processors, "processor") + "\n";
  if (known.alike) {
    return title + "status " + host::grouped(known.of(0)) +
           " of every one: a Cayley graph has a symmetry that takes any processor to any other\n";
  }
  const Topology::Label label = family_of(machine).label(machine);
  std::vector<std::string> labels{"label"};
  std::vector<std::string> values{"status"};
  std::size_t label_width = 5;
  for (Rank rank = 0; rank < machine.processors; ++rank) {
    labels.push_back(label ? printable(label(rank)) : std::to_string(rank));
    values.push_back(std::to_string(known.of(rank)));
    label_width = std::max(label_width, host::columns(labels.back()));
  }
  const std::size_t rank_width = std::max<std::size_t>(4, std::to_string(machine.processors - 1).size());
  const auto [least, most] = std::ranges::minmax(known.values);
  const std::size_t value_width = std::max<std::size_t>(6, std::to_string(most).size());
  const auto row = [&](const std::string& rank, std::size_t index) {
    return host::right(rank, rank_width) + "  " + host::left(labels[index], label_width) + "  " +
           host::right(values[index], value_width) + "\n";
  };
  std::string table = title + style.heading(row("rank", 0));
  for (Rank rank = 0; rank < machine.processors; ++rank) table += row(std::to_string(rank), rank + std::size_t{1});
  return table + "minimum " + host::grouped(least) + ", maximum " + host::grouped(most) + ", average " +
         fraction_text(average(known)) + "\n";
}

nlohmann::ordered_json json_status(const MachineSpec& machine) {
  const Statuses known = known_statuses(machine);
  const auto [least, most] = std::ranges::minmax(known.values);
  return {{"alike", known.alike}, {"minimum", least}, {"maximum", most}, {"values", known.values}};
}

}  // namespace lockstep::cli::machine
