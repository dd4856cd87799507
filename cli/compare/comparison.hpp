#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/quantity.hpp"
#include "run/trial.hpp"

namespace lockstep::cli::compare {

/// Trials beside each other.
struct Comparison {
  struct Row {
    const run::Trial* trial;
    std::optional<std::size_t> rank;  ///< from 1, the same for equal ones; none where only a bound is known, or nothing
  };
  /// Those that turn equal data into equal data, best first.
  struct Group {
    std::string task;  ///< "transpose, 2d, --matrix 64x64"
    std::vector<Row> rows;
  };

  std::string operation;
  const report::Quantity& criterion;
  bool predicted;
  bool has_several_machines;
  bool has_guests;               ///< methods of another machine take part
  bool has_several_port_models;  ///< as given
  bool names_port_models;        ///< the user has said which
  std::vector<Group> groups;
  std::vector<const run::Trial*> refused;  ///< what cannot run, or did not come to its end

  /// Whether methods are ranked together that have different rules by default.
  bool mixes_rules() const;
};

/// What the trial turns into what, as far as methods of an operation, or the sizes that they take, differ in that; the
/// size that is `varied` is left out.
std::string task_of(const run::RunRecord& record, std::string_view varied = {});

/// The columns of a trial in CSV files, without those that rank it or say where it belongs, and their cells.
std::string csv_columns();
std::vector<std::string> csv_cells(const run::Trial& trial);
/// The same as a JSON object.
nlohmann::ordered_json json_of(const run::Trial& trial);

/// The trials must outlive it.
Comparison compared(const run::TrialArguments& arguments, std::span<const run::Trial> trials,
                    const report::Quantity& criterion);

/// For people; the tables of Markdown are the same.
std::string text_of(const Comparison& comparison);
std::string markdown_of(const Comparison& comparison);
/// A line for every trial, and one of headings.
std::string csv_of(const Comparison& comparison);
nlohmann::ordered_json json_of(const Comparison& comparison);

}  // namespace lockstep::cli::compare
