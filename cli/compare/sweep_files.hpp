#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/row_file.hpp"
#include "sweep_row.hpp"

namespace lockstep::cli::compare {

/// All trials of a sweep by the keys of their rows.
using PlannedTrials = std::map<std::string, const SweepTrial*>;

/// A file of a sweep and the rows that it already has.
class RowsOfFile {
 public:
  /// Changes nothing. Throws what RowFile does, and InputError naming the first row that is damaged, is a duplicate, or
  /// is of no run of this sweep.
  RowsOfFile(RowForm form, const std::string& path, const SweepArguments& arguments, const PlannedTrials& planned,
             const report::Quantity& criterion);

  void begin() { file_.begin(); }
  /// Null if it is not in the file.
  const SweepRow* find(const std::string& key) const;
  void add(const std::string& line) { file_.add(line); }

 private:
  void note(SweepRow row, const PlannedTrials& planned, const report::Quantity& criterion);

  RowForm form_;
  const SweepArguments& arguments_;
  host::RowFile file_;
  std::map<std::string, SweepRow> done_;
};

/// The files of all requested forms.
class SweepFiles {
 public:
  /// Throws what RowsOfFile does, before any of them is changed, and what RowFile::begin() does.
  SweepFiles(const SweepArguments& arguments, const std::vector<SweepTrial>& trials, const report::Quantity& criterion);

  /// The trial's row if all files have it, else null.
  const SweepRow* find(const std::string& key) const;

  /// Adds a trial's row to the files that lack it.
  void add(const std::string& key, const std::string& in_csv, const std::string& in_jsonl);

 private:
  std::optional<RowsOfFile> csv_;
  std::optional<RowsOfFile> jsonl_;
};

}  // namespace lockstep::cli::compare
