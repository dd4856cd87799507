#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "report/quantity.hpp"
#include "run/trial.hpp"

namespace lockstep::cli::compare {

/// What a machine is made of, of which `compare --per` counts what an operation costs.
struct Unit {
  std::string_view name;    ///< "link"
  std::string_view plural;  ///< "links"
  std::uint64_t (*of)(const MachineFacts& facts);
};

/// Processors, links, or ports of a processor. Throws InputError for another name.
const Unit& find_unit(const std::string& name);

/// Machines beside each other over many operations: on each the method that costs least.
struct UnitReport {
  struct Row {
    std::string task;         ///< "broadcast, --words 1"
    std::string machine;      ///< as it was given
    const run::Trial* trial;  ///< of the method that takes least there
    report::Figure figure;    ///< what it takes
    std::uint64_t units;      ///< of the machine
    long double cost;         ///< figure times units
    long double ratio;        ///< to the machine with the least cost for the task
  };

  const Unit& unit;
  const report::Quantity& criterion;
  bool predicted;
  std::vector<std::string> machines;
  std::vector<Row> rows;              ///< tasks in the order of the operations, machines as given
  std::vector<std::string> left_out;  ///< operations that some machine has no method for, or none with a figure
};

/// What is to be run for a report.
struct UnitTrials {
  std::vector<run::Trial> trials;     ///< of operations that every machine has a method for, one after the other
  std::vector<std::string> left_out;  ///< the other operations
};

/// The trials of the operation that is asked for, or of all; nothing is run yet. A parameter is for the operations that
/// take it. Processors use one port unless the user says otherwise. Throws InputError if machines are fewer than two,
/// if no operation takes a parameter, or none is left.
UnitTrials plan_unit_trials(run::TrialArguments arguments);

/// What came of them; they must outlive the report.
UnitReport unit_report(const run::TrialArguments& arguments, const UnitTrials& trials, const Unit& unit,
                       const report::Quantity& criterion);

/// For people; the table of Markdown is the same.
std::string text_of(const UnitReport& report);
std::string markdown_of(const UnitReport& report);
/// A line for each row, and one of headings.
std::string csv_of(const UnitReport& report);
nlohmann::ordered_json json_of(const UnitReport& report);

}  // namespace lockstep::cli::compare
