#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/fields.hpp"
#include "report/quantity.hpp"
#include "rules.hpp"

namespace lockstep::cli::compare {

/// Compared trials.
struct Comparison {
  struct ComparedTrial {
    const run::Trial* trial;
    std::optional<std::size_t> rank;  ///< from 1, equal for equal figures; empty where the exact figure is not known
  };
  /// Trials that turn equal data into equal data under equal rules, best first; those that failed come last.
  struct ComparedTask {
    std::string task;  ///< "transpose, 2d, --matrix 64x64"
    RunRules rules;
    bool is_asked_for;  ///< these rules are
    std::vector<ComparedTrial> rows;
  };

  std::string operation;
  const report::Quantity& criterion;
  bool predicted;
  bool has_several_machines;
  bool has_guests;                         ///< methods of another machine take part
  bool has_several_port_models;            ///< as given
  std::vector<ComparedTask> groups;        ///< those of rules that are asked for first
  std::vector<const run::Trial*> refused;  ///< trials that cannot run, or did not finish and have no counts

  bool has_several_rules() const;
  /// The trials of the groups that failed.
  std::vector<const run::Trial*> failed() const;
};

/// The trial's task, as far as methods of an operation differ in it or in the sizes they take; the `varied` size is
/// left out.
std::string task_of(const run::RunRecord& record, std::string_view varied = {});

/// The columns of a trial in CSV files, without rank and task, and their cells.
std::string csv_columns();
/// The last of these: those of measuring_fields() that are no quantities.
const std::vector<const report::ReportField*>& measured_columns();
std::vector<std::string> csv_cells(const run::Trial& trial);
/// The same as a JSON object.
nlohmann::ordered_json json_of(const run::Trial& trial);

/// The trials must outlive it.
Comparison compared(const run::TrialArguments& arguments, std::span<const run::Trial> trials,
                    const report::Quantity& criterion);

/// Text; the tables of Markdown are the same.
std::string text_of(const Comparison& comparison);
std::string markdown_of(const Comparison& comparison);
/// A row of headings, and one per trial.
std::string csv_of(const Comparison& comparison);
nlohmann::ordered_json json_of(const Comparison& comparison);

}  // namespace lockstep::cli::compare
