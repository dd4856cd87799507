#include "dimension_permutation.hpp"

#include <numeric>
#include <random>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::permute {
namespace {

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> fields;
  if (text.empty()) return fields;
  for (auto comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    fields.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  fields.push_back(text);
  return fields;
}

}  // namespace

Rank destination(const DimensionPermutation& delta, Rank x) {
  Rank y = 0;
  for (Port i = 0; i < delta.size(); ++i) y |= (x >> delta[i] & 1U) << i;
  return y;
}

Port moved_dimensions(const DimensionPermutation& delta) {
  Port moved = 0;
  for (const auto& cycle : cycles(delta)) moved += static_cast<Port>(cycle.size());
  return moved;
}

Port largest_distance(const DimensionPermutation& delta) {
  Port distance = 0;
  for (const auto& cycle : cycles(delta)) distance += static_cast<Port>(cycle.size() / 2 * 2);
  return distance;
}

std::vector<std::vector<Port>> cycles(const DimensionPermutation& delta) {
  std::vector<std::vector<Port>> all;
  std::vector<bool> seen(delta.size());
  for (Port first = 0; first < delta.size(); ++first) {
    if (seen[first] || delta[first] == first) continue;
    std::vector<Port>& cycle = all.emplace_back();
    for (Port position = first; !seen[position]; position = delta[position]) {
      seen[position] = true;
      cycle.push_back(position);
    }
  }
  return all;
}

DimensionPermutation parse_dimensions(std::string_view text, Port dimensions) {
  const std::vector<std::string_view> fields = split_at_commas(text);
  if (fields.size() != dimensions) {
    throw InputError("--permutation " + quoted(text) + " names " + std::to_string(fields.size()) +
                     (fields.size() == 1 ? " dimension" : " dimensions") + "; hypercube:" + std::to_string(dimensions) +
                     " has " + std::to_string(dimensions) + ", each to be named once");
  }
  DimensionPermutation delta;
  std::vector<bool> seen(dimensions);
  for (const std::string_view field : fields) {
    delta.push_back(static_cast<Port>(parse_whole_number("--permutation: dimension", field, 0, dimensions - 1)));
    if (seen[delta.back()]) {
      throw InputError("--permutation " + quoted(text) + " names dimension " + std::to_string(delta.back()) + " twice");
    }
    seen[delta.back()] = true;
  }
  return delta;
}

std::string to_string(const DimensionPermutation& delta) {
  std::string text;
  for (const Port position : delta) {
    if (!text.empty()) text += ',';
    text += std::to_string(position);
  }
  return text;
}

std::vector<Rank> random_permutation(Rank size, std::uint64_t seed) {
  std::vector<Rank> numbers(size);
  std::iota(numbers.begin(), numbers.end(), Rank{0});
  std::mt19937_64 random(seed);
  for (std::size_t left = size; left > 1; --left) std::swap(numbers[left - 1], numbers[random() % left]);
  return numbers;
}

}  // namespace lockstep::permute
