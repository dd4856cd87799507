#pragma once

#include "matrix/matrix_exchanges.hpp"

// What the two-dimensional transpositions share (Johnsson & Ho, section 6; johnsson-ho.md, Two dimensions to Gray
// codes). The cube has n = 2h dimensions; processor (r||c), r the high h bits of its rank, holds block (r,c) of the
// matrix. Afterwards (c||r) holds it, transposed.
namespace lockstep::transpose {

inline constexpr Conversion two_dimensional{consecutive_blocks, consecutive_blocks, Result::transposed};

/// Throws InputError if the number of dimensions is odd, or 0.
void require_even_dimensions(const MachineSpec& machine);

/// Even dimensions; at least 2^h rows and columns, or K words a processor if that is more: K is a power of two.
void resolve_two_dimensional(const MachineSpec& machine, Settings& settings, std::uint64_t least_words);

/// Words that a processor copies when it transposes its block: K, or none if that is one row or one column.
std::uint64_t words_to_transpose(const MachineSpec& machine, const Settings& settings);
/// Those of all processors.
std::optional<Count> copied_to_transpose(const MachineSpec& machine, const Settings& settings);

/// Like the lower bound of any transposition, with all ports also as a time (Johnsson & Ho, Theorem 3).
LowerBound lower_bound_of_two_dimensional(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::transpose
