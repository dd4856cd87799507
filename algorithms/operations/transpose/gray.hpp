#pragma once

#include <array>

#include "two_dimensional.hpp"

// What the transpositions with Gray codes share (Johnsson & Ho, section 6.3; johnsson-ho.md, Gray codes).
namespace lockstep::transpose {

inline constexpr std::array<std::string_view, 2> encodings{"rows-binary", "rows-gray"};
inline constexpr ChoiceParameter encoding_parameter{
    {"encoding", "rows-binary (columns in Gray code) or rows-gray (columns in binary code), before and after",
     "rows-binary"},
    &Settings::encoding,
    encodings};

inline constexpr std::string_view gray_source = "Johnsson & Ho, section 6.3 (johnsson-ho.md, Gray codes)";

inline constexpr Partition gray_consecutive{.gray = true};

inline constexpr matrix::Conversion binary_to_gray{consecutive_blocks, {gray_consecutive, gray_consecutive}};
inline constexpr matrix::Conversion gray_to_binary{{gray_consecutive, gray_consecutive}, consecutive_blocks};

/// Rows in one code and columns in the other, both in the matrix and in the transposed one.
matrix::Conversion mixed_encoding(const Settings& settings);

/// Defaults and ranges of --encoding and --matrix.
void resolve_mixed(const MachineSpec& machine, const Model& model, Settings& settings);

/// The greatest distance that a block has to go, less than n because of the codes, and the hops of all blocks; for
/// cubes of up to 20 dimensions.
LowerBound lower_bound_of_gray(const matrix::Conversion& conversion, const MachineSpec& machine, const Model& model,
                               const Settings& settings);
inline LowerBound lower_bound_of_mixed(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return lower_bound_of_gray(mixed_encoding(settings), machine, model, settings);
}

/// Conversion of codes and transposition together, bit by bit: in one piece.
Outcome run_conversion(const RunRequest& request, const matrix::Conversion& conversion);
Prediction predict_conversion(const MachineSpec& machine, const Model& model, const Settings& settings);
std::uint64_t bytes_of_conversion(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The entry of that change of encoding.
template <const matrix::Conversion& conversion>
Method conversion_method(std::string_view name, std::string_view mapping, std::string_view summary) {
  return matrix::transposition({
      .name = name,
      .known_as = "two-dimensional transposition, change of encoding",
      .mapping = mapping,
      .source = gray_source,
      .summary = summary,
      .strictest_duplex = Duplex::half_node,
      .resolve = [](const MachineSpec& machine, const Model&,
                    Settings& settings) { resolve_two_dimensional(machine, settings, 1); },
      .predict = predict_conversion,
      .proven = [](const MachineSpec& machine, const Model& model,
                   const Settings& settings) { return lower_bound_of_gray(conversion, machine, model, settings); },
      .bytes = bytes_of_conversion,
      .run = [](const RunRequest& request) { return run_conversion(request, conversion); },
  });
}

}  // namespace lockstep::transpose
