#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lead.hpp"
#include "sweep.hpp"

namespace lockstep::cli::compare {

/// A range of values and what is best there.
struct Win {
  Lead lead;
  run::Trial first;                  ///< at its first value, as predicted
  run::Trial last;                   ///< at its last one
  std::vector<std::string> as_good;  ///< who takes no more at either
};

/// One that was to be run at an edge of a range.
struct EdgeRun {
  std::string value;
  run::Trial trial;  ///< without a record if it could not be run
};

/// Who is best where.
struct Best {
  const SweepArguments& arguments;  ///< with the values that were looked at
  const report::Quantity& criterion;
  std::vector<SweepTrial> trials;  ///< at these values
  std::vector<Lead> leads;
  std::vector<Win> wins;
  std::vector<std::string> unpredicted;  ///< methods that can run but did not take part
  std::vector<EdgeRun> runs;             ///< none before confirm()
};

/// The arguments with a value at every doubling between two of the range.
SweepArguments refined(const SweepArguments& arguments);

/// From predictions. The arguments must outlive the result; their values have an order. Throws what plan_sweep()
/// throws, and InputError if nothing is predicted.
Best find_best(const SweepArguments& arguments, const report::Quantity& criterion);

/// What is to be run: at both ends of every range its winner, and the winner of the next range.
std::vector<EdgeRun> edges_of(const Best& best);

/// For people; the table of Markdown is the same.
std::string text_of(const Best& best);
std::string markdown_of(const Best& best);
/// A line for every range.
std::string csv_of(const Best& best);
nlohmann::ordered_json json_of(const Best& best);

}  // namespace lockstep::cli::compare
