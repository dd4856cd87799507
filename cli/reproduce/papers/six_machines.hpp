#pragma once

#include <string>
#include <vector>

#include "reproduce/reproduction.hpp"

namespace lockstep::cli::reproduce {

/// The sizes in which Saad & Schultz 1988 write their times; a word takes 1.
struct SixMachinesSize {
  double k;      ///< processors, an even power of two
  double N;      ///< words of the whole operation
  double kstar;  ///< of the shared memory
  double beta;   ///< of a start-up

  double dimensions() const;
  double side() const;
};

/// A cell of Tables 1 and 2 of Saad & Schultz 1988.
struct SixMachinesCell {
  /// What N words are for a method: the item, all blocks of a processor, or all blocks of all pairs.
  enum class Share { item, block, pair };

  std::string operation;  ///< the paper's name: "one to one"
  std::string machine;    ///< "shared memory"
  std::string entry;      ///< in our letters: beta and tau for the paper's tau and 1/b
  double (*value)(const SixMachinesSize&);
  PaperClaim claim;
  std::string mark;    ///< of the note on the entry; empty if there is none
  bool is_erratum;     ///< the entry does not hold
  std::string method;  ///< whose time the entry is
  Share share;
  bool takes_half_duplex = false;  ///< an exchange is two transfers
};

/// All cells of both tables, operation by operation.
const std::vector<SixMachinesCell>& six_machines_cells();

/// The run or prediction of the cell's method.
run::RunArguments arguments_of(const SixMachinesCell& cell, const SixMachinesSize& size);

/// Adds section 4's conclusions from the tables: the fastest machines for much data and for little.
void add_conclusions(Reproduction& reproduction, const ReproductionRuns& runs);

}  // namespace lockstep::cli::reproduce
