// The machines that span a host.
#include <algorithm>
#include <bit>

#include "embeddings/embeddings.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace {

using Sides = std::vector<std::uint64_t>;

/// Adds the shapes of grids with two sides or more of which none is longer than twice another, shorter sides first.
void add_shapes(std::uint64_t processors, Sides& sides, std::vector<Sides>& shapes) {
  if (processors == 1 && sides.size() > 1) shapes.push_back(sides);
  const std::uint64_t least = sides.empty() ? 2 : sides.back();
  const std::uint64_t most = sides.empty() ? processors : std::min(processors, 2 * sides.front());
  for (std::uint64_t side = least; side <= most; ++side) {
    if (processors % side != 0) continue;
    sides.push_back(side);
    add_shapes(processors / side, sides, shapes);
    sides.pop_back();
  }
}

std::string text_of(const Sides& sides) {
  std::string text;
  for (const std::uint64_t side : sides) text += (text.empty() ? "" : "x") + std::to_string(side);
  return text;
}

/// The shapes of grids that may be parts of the host.
std::vector<Sides> shapes_in(const MachineSpec& host, bool holds_hypercube) {
  constexpr std::uint64_t most_of_other_shape = 64;
  std::vector<Sides> shapes;
  if (host.processors <= most_of_other_shape && (host.family == "complete" || holds_hypercube)) {
    Sides sides;
    add_shapes(host.processors, sides, shapes);
  }
  if (is_grid(host) && host.parameters.size() > 1 && std::ranges::find(shapes, host.parameters) == shapes.end()) {
    shapes.push_back(host.parameters);
  }
  std::ranges::stable_sort(shapes, {}, [](const Sides& sides) { return sides.size(); });
  return shapes;
}

}  // namespace

std::vector<Embedding> spanning_machines(const MachineSpec& host) {
  constexpr std::uint64_t most_processors_spanned = 65'536;
  std::vector<Embedding> all;
  if (host.medium || host.processors < 2 || host.processors > most_processors_spanned) return all;
  const auto add = [&](const std::string& guest) {
    if (guest == host.text) return false;
    Embedding made = placed(guest, host, {});
    if (!made.is_subgraph) return false;
    find_paths(made);
    all.push_back(std::move(made));
    return true;
  };
  const std::string processors = std::to_string(host.processors);
  add("path:" + processors);
  add("ring:" + processors);
  bool holds_hypercube = is_hypercube(host);
  if (std::has_single_bit(host.processors) && !holds_hypercube) {
    holds_hypercube = add("hypercube:" + std::to_string(std::bit_width(host.processors) - 1));
  }
  for (const Sides& shape : shapes_in(host, holds_hypercube)) {
    for (const char* family : {"mesh:", "torus:"}) add(family + text_of(shape));
  }
  return all;
}

}  // namespace lockstep
