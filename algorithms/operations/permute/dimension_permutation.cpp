#include "dimension_permutation.hpp"

#include <numeric>
#include <random>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::permute {

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
