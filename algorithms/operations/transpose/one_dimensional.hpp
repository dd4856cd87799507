#pragma once

#include "operations/matrix/matrix_exchanges.hpp"

// What the one-dimensional transpositions share (Johnsson & Ho, section 5; johnsson-ho.md, One dimension). Before the
// run processor x holds the x-th of 2^n blocks of consecutive rows; afterwards it holds the x-th block of consecutive
// rows of the transposed matrix. A block of rows is cut into 2^n blocks by its columns, one for every processor.
namespace lockstep::transpose {

inline constexpr matrix::Conversion one_dimensional{consecutive_rows, consecutive_rows, Result::transposed};

/// At least as many rows and columns as processors.
void resolve_one_dimensional(const MachineSpec& machine, const Model& model, Settings& settings);

/// Steps of an exchange: unless duplex is full, neighbours take turns (johnsson-ho.md, One dimension).
inline std::uint64_t steps_an_exchange(const Model& model) { return model.duplex == Duplex::full ? 1 : 2; }

/// n exchanges, in each of which every processor sends K/2 words.
Prediction predict_half_exchanges(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Carries out exchanges of half of all arrays, in which neighbours take turns unless duplex is full, and verifies.
Outcome run_one_dimensional(const RunRequest& request, matrix::AddressExchanges exchanges);

/// The order of local bits, the highest first, that begins with the number of the block by columns.
std::vector<unsigned> block_number_first(const MatrixShape& shape, Port dimensions);

}  // namespace lockstep::transpose
