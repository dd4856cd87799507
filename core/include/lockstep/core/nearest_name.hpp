#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// Letters to insert, delete or replace and neighbouring letters to swap to get from one name to the other; capitals
/// count as small letters.
inline std::size_t edit_distance(std::string_view from, std::string_view to) {
  const auto same = [](char one, char other) {
    return std::tolower(static_cast<unsigned char>(one)) == std::tolower(static_cast<unsigned char>(other));
  };
  // edits[i][j] is the distance between the first i letters of `from` and the first j of `to`.
  std::vector<std::vector<std::size_t>> edits(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= to.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = edits[i - 1][j - 1] + (same(from[i - 1], to[j - 1]) ? 0 : 1);
      edits[i][j] = std::min({replaced, edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1]);
      if (swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[from.size()][to.size()];
}

/// The valid name that `wrong` most likely stands for: the one with the fewest edits, the first of several. Empty if
/// none is near: at most a third of the letters may differ, one in a short name.
inline std::optional<std::string> nearest_name(std::string_view wrong, const std::vector<std::string>& valid) {
  std::optional<std::string> nearest;
  std::size_t fewest = 0;
  for (const std::string& name : valid) {
    const std::size_t letters = std::max(wrong.size(), name.size());
    const std::size_t allowed = std::min(std::max<std::size_t>(1, letters / 3), letters - 1);
    if (letters - std::min(wrong.size(), name.size()) > allowed) continue;  // at least that many edits
    const std::size_t edits = edit_distance(wrong, name);
    if (edits > allowed || (nearest && edits >= fewest)) continue;
    nearest = name;
    fewest = edits;
  }
  return nearest;
}

/// "; did you mean 'torus'?" as the end of a refusal; empty if no name is near.
inline std::string did_you_mean(const std::optional<std::string>& nearest) {
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}
/// The same for the nearest of these names.
inline std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& valid) {
  return did_you_mean(nearest_name(wrong, valid));
}

}  // namespace lockstep
