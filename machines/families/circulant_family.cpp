#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "families/families.hpp"
#include "lockstep/machines/search.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"

namespace lockstep {

namespace {

std::string text(std::uint64_t number) { return std::to_string(number); }

/// Refuses strides that are not from 1 to m - 1, and two that lead to the same neighbours.
void check_strides(const SpecReader& reader, std::uint64_t m, const std::vector<std::uint64_t>& strides) {
  // By the shorter way round, so that a stride and its mirror image stand side by side.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> by_way;
  for (const std::uint64_t stride : strides) {
    if (stride >= m) reader.refuse("stride " + text(stride) + " is not less than M = " + text(m));
    by_way.emplace_back(std::min(stride, m - stride), stride);
  }
  std::sort(by_way.begin(), by_way.end());
  const auto twice =
      std::adjacent_find(by_way.begin(), by_way.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice == by_way.end()) return;
  const std::uint64_t first = twice->second;
  const std::uint64_t second = (twice + 1)->second;
  if (first == second) reader.refuse("stride " + text(first) + " is given twice");
  reader.refuse("strides " + text(first) + " and " + text(second) + " lead to the same neighbours");
}

void circulant_read(const SpecReader& reader, MachineSpec& spec) {
  const std::vector<std::string_view> numbers = reader.split(',');
  const std::uint64_t m = reader.count(numbers[0], "M");
  if (m == 1) reader.refuse("M is 1, which leaves no stride");
  if (numbers.size() == 1) reader.refuse("no stride after M");
  std::vector<std::uint64_t> strides;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    std::string name = "stride ";
    strides.push_back(reader.count(numbers[i], name.append(text(i))));
  }
  check_strides(reader, m, strides);
  std::uint64_t common = m;
  for (const std::uint64_t stride : strides) common = std::gcd(common, stride);
  if (common != 1) {
    reader.refuse("it is not connected: M and all strides are multiples of " + text(common) +
                  ", so that rank 1 cannot be reached from rank 0");
  }
  spec.parameters = {m};
  spec.parameters.insert(spec.parameters.end(), strides.begin(), strides.end());
  spec.processors = m;
  spec.ports = 2 * strides.size();
}

/// A stride of half the ranks leads to the same neighbour both ways: as on a ring of 2, port + has the only link.
Wiring circulant_wiring(const MachineSpec& spec) {
  const std::vector<Rank> numbers(spec.parameters.begin(), spec.parameters.end());
  return [numbers](Rank rank, Port port) {
    const Rank m = numbers[0];
    const Rank stride = numbers[port / 2 + 1];
    const bool is_up = port % 2 == 0;
    if (stride == m - stride) return is_up ? End{rank < stride ? rank + stride : rank - stride, port} : End{};
    const Rank step = is_up ? stride : m - stride;
    return End{rank < m - step ? rank + step : rank - (m - step), is_up ? port + 1 : port - 1};
  };
}

MachineFacts circulant_facts(const MachineSpec& spec) {
  const std::uint64_t m = spec.processors;
  const bool has_half = std::any_of(spec.parameters.begin() + 1, spec.parameters.end(),
                                    [m](std::uint64_t stride) { return stride == m - stride; });
  MachineFacts facts;
  facts.degree_min = facts.degree_max = spec.ports - (has_half ? 1 : 0);
  facts.links = m % 2 == 0 ? m / 2 * facts.degree_max : m * (facts.degree_max / 2);
  if (const auto found = symmetric_distances(spec, circulant_wiring(spec))) {
    facts.diameter = found->diameter;
    facts.average_status = found->average_status;
  }
  return facts;
}

std::string circulant_picture(const MachineSpec& spec) {
  return caption(spec.text, spec) + neighbour_table(spec, circulant_wiring(spec));
}

}  // namespace

MachineFamily circulant_family() {
  return {.name = "circulant",
          .form = "circulant:M,S,T..",
          .limits = "M from 2 up, strides from 1 to M-1, no S beside M-S, no factor common to M and all strides",
          .example = "circulant:8,1,3",
          .summary = "M processors in a circle, linked over fixed strides",
          .ports = "2i = rank + stride i, 2i+1 = rank - stride i, mod M",
          .read = circulant_read,
          .wiring = circulant_wiring,
          .label = no_label,
          .facts = circulant_facts,
          .picture = circulant_picture};
}

}  // namespace lockstep
