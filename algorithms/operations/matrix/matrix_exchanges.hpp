#pragma once

#include "address_exchanges.hpp"
#include "lockstep/algorithms/operation/matrix_data.hpp"

// What the methods share that convert a matrix from one layout to another by exchanges of address bits.
namespace lockstep::matrix {

/// The layouts of a matrix before the run and of its result.
struct Conversion {
  MatrixLayout before;
  MatrixLayout after;  ///< of the transposed matrix if that is the result
  Result result = Result::transposed;

  StorageForm form_before(const MatrixShape& shape, Port dimensions) const { return before.form(shape, dimensions); }
  /// In addresses of the matrix before the run.
  StorageForm form_after(const MatrixShape& shape, Port dimensions) const;
};

/// Spreads the matrix, carries out the exchanges, and verifies.
Outcome run_exchanges(const RunRequest& request, const Conversion& conversion, const AddressExchanges& exchanges);

/// Bytes of such a run: the machine, the arrays, as much on its way or in another order, and files.
std::uint64_t bytes_of_exchanges(const MachineSpec& machine, const Model& model, const Settings& settings);

/// Completes the entry of a transposition on the cube with what most of them have: a matrix, any ports and one by
/// default, the lower bound of all, and arrays that exchange address bits.
Method transposition(Method entry);

inline constexpr Parameter layout_parameter{
    "layout", "R,C: dimensions of rows and of columns in a two-dimensional layout, all together",
    "half of them each, rows the larger half"};

/// K, the words of a processor.
inline std::uint64_t words_a_processor(const MachineSpec& machine, const Settings& settings) {
  return matrix_words(settings) / machine.processors;
}

/// The time by both clocks of exchanges in which all processors keep step: each sends messages of `startups` start-ups
/// and `words` words in all, one after the other, and copies `copied_words` words.
ModelledTime time_in_step(const CostModel& cost, std::uint64_t startups, std::uint64_t words,
                          std::uint64_t copied_words, std::string formula);

/// The largest distance that data has to go, n, and the words: every word crosses half of the dimensions on average,
/// and a cycle has room for one message a processor, or with all ports for one a directed link, and for half of that
/// where processors, or links, are half duplex.
LowerBound lower_bound_of_transposition(const MachineSpec& machine, const Model& model, const Settings& settings);

}  // namespace lockstep::matrix
