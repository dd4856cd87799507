#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/quantity.hpp"
#include "run/trial.hpp"

namespace lockstep::cli::compare {

/// A part of machines by which `compare --per` weighs the cost of an operation.
struct Unit {
  std::string_view name;    ///< "link"
  std::string_view plural;  ///< "links"
  std::uint64_t (*of)(const MachineFacts& facts);
};

/// Finds processors, links, or ports of a processor. Throws InputError for another name.
const Unit& find_unit(const std::string& name);

/// Compares machines over many operations by the cheapest method on each.
struct UnitReport {
  struct UnitRow {
    std::string task;         ///< "broadcast, --words 1"
    std::string machine;      ///< as given
    const run::Trial* trial;  ///< of the cheapest method there
    report::Figure figure;    ///< of that method
    std::uint64_t units;      ///< of the machine
    long double cost;         ///< figure times units
    long double ratio;        ///< to the least cost of a machine for the task
  };

  const Unit& unit;
  const report::Quantity& criterion;
  bool predicted;
  std::vector<std::string> machines;
  std::vector<UnitRow> rows;          ///< tasks in the order of the operations, machines as given
  std::vector<std::string> left_out;  ///< operations for which some machine has no method with a figure
};

/// The runs of a report.
struct UnitTrials {
  std::vector<run::Trial> trials;     ///< of operations for which every machine has a method, one after the other
  std::vector<std::string> left_out;  ///< the other operations
};

/// The trials of the given operation, or of all, with the guests that lead by the criterion; none has run yet. A
/// parameter applies to the operations that take it. Processors use one port unless --ports is given. Throws InputError
/// for fewer than two machines, for a parameter that no operation takes, or if no operation is left.
UnitTrials plan_unit_trials(run::TrialArguments arguments, const report::Quantity& criterion);

/// The report of the trials, which must outlive it.
UnitReport unit_report(const run::TrialArguments& arguments, const UnitTrials& trials, const Unit& unit,
                       const report::Quantity& criterion);

/// Text; the table of Markdown is the same.
std::string text_of(const UnitReport& report);
std::string markdown_of(const UnitReport& report);
/// A line of headings, and one per row.
std::string csv_of(const UnitReport& report);
nlohmann::ordered_json json_of(const UnitReport& report);

}  // namespace lockstep::cli::compare
