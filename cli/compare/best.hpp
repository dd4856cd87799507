#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lead.hpp"
#include "sweep.hpp"

namespace lockstep::cli::compare {

/// A range of values and the best method there.
struct Win {
  Lead lead;
  run::Trial first;                  ///< at its first value, predicted
  run::Trial last;                   ///< at its last one
  std::vector<std::string> as_good;  ///< methods that take no more at either end
};

/// A run at an edge of a range.
struct EdgeRun {
  std::string value;
  run::Trial trial;      ///< without a record if it could not be run
  bool is_long = false;  ///< it was not run because it would take long
};

/// The best methods by range.
struct Best {
  const SweepArguments& arguments;  ///< with the values that were examined
  const report::Quantity& criterion;
  std::vector<SweepTrial> trials;  ///< at these values
  std::vector<Lead> leads;
  std::vector<Win> wins;
  std::vector<std::string> unpredicted;  ///< methods that can run but did not take part
  std::vector<EdgeRun> runs;             ///< none before confirm()
};

/// The arguments with values added at every doubling between two of the range.
SweepArguments refined(const SweepArguments& arguments);

/// Finds the best methods from predictions, those of machines that span others among them, which the arguments get. The
/// arguments must outlive the result; their values must have an order.
/// Throws what plan_sweep() throws, and InputError if nothing is predicted.
Best find_best(SweepArguments& arguments, const report::Quantity& criterion);

/// The runs to confirm: at both ends of every range its winner, and the winner of the next range.
std::vector<EdgeRun> edges_of(const Best& best);

/// Text; the table of Markdown is the same.
std::string text_of(const Best& best);
std::string markdown_of(const Best& best);
/// One row per range.
std::string csv_of(const Best& best);
nlohmann::ordered_json json_of(const Best& best);

}  // namespace lockstep::cli::compare
