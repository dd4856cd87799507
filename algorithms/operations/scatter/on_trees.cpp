#include "on_trees.hpp"

#include <algorithm>

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "method/step_lengths.hpp"
#include "plans/packets/block_parts.hpp"

namespace lockstep::scatter {
namespace {

/// "1, 2 or 4"
std::string listed(const std::vector<std::uint64_t>& numbers) {
  std::string text = std::to_string(numbers.front());
  for (std::size_t index = 1; index < numbers.size(); ++index) {
    text += (index + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[index]);
  }
  return text;
}

/// For every tree and dimension, its place in the tree's order.
std::vector<std::vector<Port>> places_of(const Forest& forest, Port n) {
  std::vector<std::vector<Port>> places;
  for (const SpanningTree& tree : forest.trees()) {
    std::vector<Port>& place_of = places.emplace_back(n);
    for (Port place = 0; place < n; ++place) place_of[tree.dimension(place)] = place;
  }
  return places;
}

// When the moving parts have d hops before them, a link of the root carries the parts of every tree whose paths lead
// over it first and then over d - 1 of the dimensions after it. Paths on from another link lead over the same
// dimensions, but not in all trees: it never carries more.
method::StepLengths lengths_of_reverse_breadth_first(const Forest& forest, Port n, const CostModel& cost) {
  const auto places = places_of(forest, n);
  method::StepLengths lengths(cost);
  for (Port hops = 1; hops <= n; ++hops) {
    Wide longest = 0;
    for (Port port = 0; port < n; ++port) {
      Wide load = 0;
      for (std::size_t tree = 0; tree < places.size(); ++tree) {
        load += forest.parts().size(tree) * choose(n - 1 - places[tree][port], hops - 1);
      }
      longest = std::max(longest, load);
    }
    lengths.add(1, longest);
  }
  return lengths;
}

/// Relative addresses from which a tree that has the port in that place, or an earlier one, leads over it: those whose
/// one bits are all among the dimensions before the port: downwards from it, or in a reflected tree upwards.
Wide senders(const Forest& forest, const std::vector<std::vector<Port>>& places, Port n, Port port, Port last_place) {
  std::optional<Port> below;
  std::optional<Port> above;
  for (std::size_t tree = 0; tree < places.size(); ++tree) {
    const Port place = places[tree][port];
    std::optional<Port>& most = forest.trees()[tree].is_upwards() ? below : above;
    if (place <= last_place) most = std::max(most.value_or(0), place);
  }
  Wide count = 0;
  if (below) count += Wide{1} << *below;
  if (above) count += Wide{1} << *above;
  if (below && above) {
    const Port in_both = std::max<Port>(*below + *above, n - 1) - (n - 1);  // dimensions
    count -= Wide{1} << in_both;
  }
  return count;
}

// A link over a dimension in place v of a tree's order is in use with 1 to n - v hops to go: in as many cycles as there
// are places from the least in its trees on.
Wide count_messages(const Forest& forest, Port n) {
  const auto places = places_of(forest, n);
  Wide messages = 0;
  for (Port port = 0; port < n; ++port) {
    for (Port place = 0; place < n; ++place) messages += senders(forest, places, n, port, place);
  }
  return messages;
}

/// Bytes of the blocks at the root, which exist beside their parts if the parts do not share their memory.
Wide bytes_while_cut(const MachineSpec& machine, const Settings& settings, std::uint64_t trees) {
  if (trees == 1 || *settings.words / trees > Block::most_copied) return 0;
  return machine.processors * Wide{Bundle::bytes_in_place(*settings.words) + Bundle::bytes_elsewhere(*settings.words)};
}

}  // namespace

Wide choose(Wide from, Wide count) {
  Wide ways = 1;
  for (Wide chosen = 0; chosen < count; ++chosen) ways = ways * (from - chosen) / (chosen + 1);
  return ways;
}

std::vector<std::uint64_t> divisors(std::uint64_t n) {
  std::vector<std::uint64_t> all{1};
  for (std::uint64_t divisor = 2; divisor <= n; ++divisor) {
    if (n % divisor == 0) all.push_back(divisor);
  }
  return all;
}

void TreesParameter::resolve(const MachineSpec& machine, const Model& model, Settings& settings,
                             const std::vector<std::uint64_t>& legal, std::uint64_t otherwise) const {
  settings.trees = settings.trees.value_or(otherwise);
  const std::uint64_t trees = *settings.trees;
  if (std::find(legal.begin(), legal.end(), trees) == legal.end()) {
    throw InputError("--trees " + std::to_string(trees) + " does not fit " + printable(machine.text) + ": " +
                     listed(legal) + " would");
  }
  if (!settings.words && !settings.input) settings.words = trees;
  scatter::resolve(machine, model, settings);
  if (*settings.words >= trees) return;
  const std::string blocks = "blocks of " + counted(*settings.words, "word") + " cannot be divided among " +
                             std::to_string(trees) + " trees: ";
  if (settings.input) {
    throw InputError(input_name(*settings.input) + " is too short: " + blocks +
                     std::to_string(machine.processors * trees) + " numbers are the least that would fit");
  }
  throw InputError(blocks + std::to_string(trees) + " words are the least that would fit");
}

Prediction predict_halving(const MachineSpec& machine, const Model& model, const Forest& forest) {
  const std::uint64_t n = machine.ports;
  const Wide k = machine.processors;
  const Split& parts = forest.parts();
  const Wide trees = parts.pieces();
  Wide startups = 0;
  method::StepLengths lengths(model.cost);
  for (std::uint64_t step = 0; step < n; ++step) {
    const std::uint64_t blocks = std::uint64_t{1} << (n - 1 - step);
    startups += packets::startups_of_parts(parts, blocks, model.cost) << step;
    lengths.add(1, Wide{blocks} * parts.longest());
  }
  const bool one = trees == 1;
  return {.steps = exact_count(n, "n"),
          .messages = exact_count(trees * (k - 1), one ? "2^n - 1" : "(2^n - 1) K"),
          .words = exact_count(n * (k / 2) * parts.words(), "n 2^(n-1) D"),
          .longest_sum = exact_count(lengths.sum(), one ? "(2^n - 1) D" : "(2^n - 1) ceil(D/K)"),
          .longest_startups = lengths.startups(),
          .startups =
              exact_count(startups, one ? "sum_(i=1..n) 2^(i-1) ceil(2^(n-i) D/B_m)"
                                        : "sum_(i=1..n) 2^(i-1) sum_t ceil(2^(n-i) D_t/B_m), D_t = words of part t")};
}

Prediction predict_reverse_breadth_first(const MachineSpec& machine, const Model& model, const Forest& forest) {
  const auto n = static_cast<Port>(machine.ports);
  const Wide k = machine.processors;
  const method::StepLengths lengths = lengths_of_reverse_breadth_first(forest, n, model.cost);
  const std::string places = "v(t,p) = place of port p in tree t";
  return {.steps = exact_count(n, "n"),
          .messages = exact_count(count_messages(forest, n), "sum over the links of n - min_t v(t,p), " + places),
          .words = exact_count(n * (k / 2) * forest.parts().words(), "n 2^(n-1) D"),
          .longest_sum = exact_count(lengths.sum(), "sum_(d=1..n) max_p sum_t D_t C(n-1-v(t,p), d-1), " + places),
          .longest_startups = lengths.startups()};
}

// A processor keeps the room of the parts that it has sent until a quarter of it is used: all of them at the root, a
// subcube's of every tree elsewhere.
std::uint64_t bytes_of_halving(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t trees) {
  const Wide k = machine.processors;
  const Wide shares = trees == 1 ? 0 : k * trees * (sizeof(Port) + sizeof(Bundle) + sizeof(void*));
  return saturated(bytes_over(machine, model, settings, trees * k, trees * (2 * k + machine.ports * (k / 8)), trees) +
                   shares + bytes_while_cut(machine, settings, trees));
}

// The root's parts, and as many on their way, in lists that grow by doubling their room.
std::uint64_t bytes_of_reverse_breadth_first(const MachineSpec& machine, const Model& model, const Settings& settings,
                                             std::uint64_t trees) {
  const Wide k = machine.processors;
  return saturated(bytes_for(machine, model, settings, k + 4 * k * trees, 0, trees) +
                   bytes_while_cut(machine, settings, trees));
}

}  // namespace lockstep::scatter
