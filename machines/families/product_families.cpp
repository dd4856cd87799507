// Products of machines: torus (rings), mesh (paths) and products of any factors.
#include <algorithm>

#include "families/families.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/layout.hpp"
#include "lockstep/machines/spec_reader.hpp"
#include "picture/picture.hpp"
#include "picture/placement.hpp"

namespace lockstep {

namespace {

void add_factor(MachineSpec& spec, MachineSpec factor) {
  spec.processors = saturating_product(spec.processors, factor.processors);
  spec.ports += factor.ports;
  spec.factors.push_back(std::move(factor));
}

std::string numbered(std::string text, std::uint64_t number) { return text.append(std::to_string(number)); }

/// Reads sides AxBxC..; every dimension is a machine of the family `factor_family`.
void read_sides(const SpecReader& reader, MachineSpec& spec, const std::string& factor_family) {
  spec.processors = 1;
  for (const std::string_view digits : reader.split('x')) {
    const std::uint64_t side = reader.count(digits, numbered("side ", spec.parameters.size() + 1));
    spec.parameters.push_back(side);
    add_factor(spec, parse_machine(numbered(factor_family + ":", side)));
  }
}

void read_torus(const SpecReader& reader, MachineSpec& spec) { read_sides(reader, spec, "ring"); }

void read_mesh(const SpecReader& reader, MachineSpec& spec) { read_sides(reader, spec, "path"); }

std::string next_factor(const MachineSpec& spec) { return numbered("factor ", spec.factors.size() + 1); }

[[noreturn]] void refuse_product(const SpecReader& reader, const MachineSpec& spec) {
  reader.refuse(next_factor(spec) + " is a product itself; write its factors alone");
}

void add_any_factor(const SpecReader& reader, MachineSpec& spec, MachineSpec factor) {
  const std::string name = next_factor(spec);
  if (factor.family == spec.family) refuse_product(reader, spec);
  if (factor.medium) reader.refuse(name + " is a " + factor.family + ", which has no links to multiply");
  add_factor(spec, std::move(factor));
}

void read_product(const SpecReader& reader, MachineSpec& spec) {
  spec.processors = 1;
  for (const std::string_view text : reader.split('*')) {
    // Before it is read, since products nested in products could be as deep as the text is long.
    if (text.starts_with(spec.family + ":")) refuse_product(reader, spec);
    add_any_factor(reader, spec, reader.machine(text, next_factor(spec)));
  }
}

/// One factor of a product, as the wiring and the labels use it.
struct FactorWiring {
  Wiring wiring;
  Topology::Label label;
  Rank processors = 1;
  Rank stride = 1;
  Port first_port = 0;

  Rank of(Rank rank) const { return rank / stride % processors; }
};

std::vector<FactorWiring> coordinates(const MachineSpec& spec) {
  std::vector<FactorWiring> result;
  Port first_port = 0;
  auto stride = static_cast<Rank>(spec.processors);
  for (const MachineSpec& factor : spec.factors) {
    const MachineFamily& family = family_of(factor);
    const auto processors = static_cast<Rank>(factor.processors);
    stride /= processors;
    result.push_back({family.wiring(factor), family.label(factor), processors, stride, first_port});
    first_port += static_cast<Port>(factor.ports);
  }
  return result;
}

Wiring product_wiring(const MachineSpec& spec) {
  return [factors = coordinates(spec)](Rank rank, Port port) {
    auto factor = factors.end() - 1;
    while (port < factor->first_port) --factor;
    const Rank here = factor->of(rank);
    const End there = factor->wiring(here, port - factor->first_port);
    if (!there) return End{};
    return End{rank - here * factor->stride + there.rank * factor->stride, factor->first_port + there.port};
  };
}

Topology::Label product_label(const MachineSpec& spec) {
  return [factors = coordinates(spec)](Rank rank) {
    std::string text;
    for (const FactorWiring& factor : factors) {
      const Rank coordinate = factor.of(rank);
      text += text.empty() ? "(" : ",";
      text += factor.label ? factor.label(coordinate) : std::to_string(coordinate);
    }
    return text + ")";
  };
}

/// n / |V_i| times the value of one copy of factor i: that of all its copies, or AS(G) from AS(G_i) (dimakopoulos.md,
/// Status and bounds).
std::uint64_t copies(const MachineSpec& product, const MachineSpec& factor) {
  return product.processors / factor.processors;
}

/// Adds times * part; with an unknown part the sum is unknown.
template <class Number>
void add(std::optional<Number>& sum, const Number& times, const std::optional<Number>& part) {
  if (!part) sum.reset();
  if (sum) sum = *sum + times * *part;
}

/// The larger of `most` and times * part; unknown if one of them is. A processor of the factor that separates `part`
/// pairs is a copy of the other factors in the product: `times` processors that together separate times^2 as many.
std::optional<std::uint64_t> most_parted(const std::optional<std::uint64_t>& most, std::uint64_t times,
                                         const std::optional<std::uint64_t>& part) {
  return most && part ? std::optional(std::max(*most, times * *part)) : std::nullopt;
}

/// The sums over the factors. The width is known where all factors but one are single processors.
MachineFacts product_facts(const MachineSpec& spec) {
  MachineFacts facts;
  facts.diameter = 0;
  facts.average_status = Fraction(0);
  facts.bisection_width = 0;
  bool is_first = true;
  for (const MachineSpec& factor : spec.factors) {
    const MachineFacts part = family_of(factor).facts(factor);
    const std::uint64_t times = copies(spec, factor);
    facts.links += times * part.links;
    facts.degree_min += part.degree_min;
    facts.degree_max += part.degree_max;
    add(facts.diameter, std::uint64_t{1}, part.diameter);
    add(facts.average_status, Fraction(times), part.average_status);
    facts.parted_pairs = most_parted(facts.parted_pairs, times, part.parted_pairs);
    if (factor.processors == 1) continue;
    facts.bisection_width = is_first ? part.bisection_width : std::nullopt;
    is_first = false;
  }
  return facts;
}

std::uint64_t largest_side(const MachineSpec& spec) {
  return *std::max_element(spec.parameters.begin(), spec.parameters.end());
}

/// An even longest side is best cut through its middle: no other cut is smaller, since with all shortest paths in use
/// no link is busier than those across that cut. For other longest sides we know no formula.
MachineFacts mesh_facts(const MachineSpec& spec) {
  MachineFacts facts = product_facts(spec);
  const std::uint64_t side = largest_side(spec);
  if (side % 2 == 0) facts.bisection_width = spec.processors / side;
  return facts;
}

/// As mesh_facts(), but a ring is cut twice, unless it has two processors and a single link.
MachineFacts torus_facts(const MachineSpec& spec) {
  MachineFacts facts = product_facts(spec);
  const std::uint64_t side = largest_side(spec);
  if (side % 2 == 0) facts.bisection_width = (side == 2 ? 1 : 2) * (spec.processors / side);
  return facts;
}

std::string sides_picture(const MachineSpec& spec, const std::string& family, bool wraps) {
  if (spec.parameters.size() == 1) {
    const MachineSpec& line = spec.factors.front();
    return printable(spec.text) + " is the same as " + printable(line.text) + "\n" + family_of(line).picture(line);
  }
  const bool fits = spec.parameters.size() == 2 && spec.parameters[0] <= 8 && spec.parameters[1] <= 12;
  const std::uint64_t rows = fits ? spec.parameters[0] : 3;
  const std::uint64_t columns = fits ? spec.parameters[1] : 4;
  return caption(family + ":" + std::to_string(rows) + "x" + std::to_string(columns), spec) +
         grid_picture(rows, columns, wraps);
}

std::string torus_picture(const MachineSpec& spec) { return sides_picture(spec, "torus", true); }

std::string mesh_picture(const MachineSpec& spec) { return sides_picture(spec, "mesh", false); }

std::string product_picture(const MachineSpec& spec) {
  std::string picture = printable(spec.text) + ": a link changes one coordinate, by a link of that factor\n";
  for (auto factor = spec.factors.begin(); factor != spec.factors.end(); ++factor) {
    const bool is_drawn = std::find(spec.factors.begin(), factor, *factor) != factor;
    if (!is_drawn) picture.append("\n").append(family_of(*factor).picture(*factor));
  }
  return picture;
}

/// For paths and rings a grid, where links from end to end run along the line; else the last factor in each place of
/// the others.
Positions product_layout(const MachineSpec& spec) {
  if (spec.factors.size() == 1) return layout(spec.factors[0]);
  const auto is_line = [](const MachineSpec& factor) { return factor.family == "path" || factor.family == "ring"; };
  if (std::ranges::all_of(spec.factors, is_line)) {
    std::vector<std::uint64_t> sides;
    for (const MachineSpec& factor : spec.factors) sides.push_back(factor.processors);
    return on_grid(sides);
  }
  Positions positions = layout(spec.factors[0]);
  for (std::size_t i = 1; i < spec.factors.size(); ++i) positions = nested(positions, layout(spec.factors[i]));
  return positions;
}

}  // namespace

MachineSpec product_of(std::span<const MachineSpec> factors) {
  MachineSpec spec;
  spec.family = "product";
  for (const MachineSpec& factor : factors) spec.text.append(spec.text.empty() ? "product:" : "*").append(factor.text);
  spec.processors = 1;
  const SpecReader reader(spec.text, family_of(spec), {});
  if (factors.empty()) reader.refuse("there are no factors");
  for (const MachineSpec& factor : factors) add_any_factor(reader, spec, factor);
  reader.check_size(spec.processors);
  return spec;
}

MachineFamily torus_family() {
  return {.name = "torus",
          .form = "torus:AxBxC..",
          .limits = "sides from 1 up",
          .example = "torus:4x5",
          .summary = "product of rings, one a side",
          .ports = "2d = +1, 2d+1 = -1 in dimension d",
          .read = read_torus,
          .wiring = product_wiring,
          .label = product_label,
          .facts = torus_facts,
          .picture = torus_picture,
          .layout = product_layout};
}

MachineFamily mesh_family() {
  return {.name = "mesh",
          .form = "mesh:AxBxC..",
          .limits = "sides from 1 up",
          .example = "mesh:4x5",
          .summary = "product of paths, one a side",
          .ports = "2d = +1, 2d+1 = -1 in dimension d",
          .read = read_mesh,
          .wiring = product_wiring,
          .label = product_label,
          .facts = mesh_facts,
          .picture = mesh_picture,
          .layout = product_layout};
}

MachineFamily product_family() {
  return {.name = "product",
          .form = "product:F*F*..",
          .limits = "factors any machines with links, but no products",
          .example = "product:ring:5*complete:4*hypercube:2",
          .summary = "product of any machines",
          .ports = "those of the factors, one factor after the other",
          .read = read_product,
          .wiring = product_wiring,
          .label = product_label,
          .facts = product_facts,
          .picture = product_picture,
          .layout = product_layout};
}

}  // namespace lockstep
