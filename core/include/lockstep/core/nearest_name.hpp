#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Letters to insert, delete or replace to get from one name to the other, capitals counting as small letters.
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
  const auto small = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  // row[j] is the distance between the part of `from` read so far and the first j letters of `to`.
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (small(from[i]) == small(to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// The valid name that somebody who wrote `wrong` most likely meant: the one with the fewest edits, the first of
/// several. Empty if none is near, which is up to a third of the letters (and one in a short name).
inline std::optional<std::string> nearest_name(std::string_view wrong, const std::vector<std::string>& valid) {
  std::optional<std::string> nearest;
  std::size_t fewest = 0;
  for (const std::string& name : valid) {
    const std::size_t letters = std::max(wrong.size(), name.size());
    const std::size_t edits = edit_distance(wrong, name);
    if (edits > std::max<std::size_t>(1, letters / 3) || edits >= letters) continue;
    if (nearest && edits >= fewest) continue;
    nearest = name;
    fewest = edits;
  }
  return nearest;
}

}  // namespace lockstep
