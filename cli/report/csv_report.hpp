#pragma once

#include <string>
#include <utility>
#include <vector>

#include "host/shared_table.hpp"
#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// The text as a cell of RFC 4180.
std::string quoted_if_needed(const std::string& value);

/// The cells as a line, with its newline, and the cells of a line without one.
std::string csv_text(const std::vector<std::string>& cells);
std::vector<std::string> csv_cells_of(const std::string& line);

/// A CSV file (RFC 4180) to which every run adds a row. The columns are the same for all methods and machines.
class CsvReport {
 public:
  /// Throws OutputError if the file cannot be written or its first line is another header.
  explicit CsvReport(const std::string& path);
  /// Adds the row of a run, after the header if the file is new, as SharedTable::add does. The result columns of an
  /// unfinished run are empty.
  void append(const run::RunRecord& record) { table_.add(row_text(record)); }
  /// Removes the row, while no other process can have written.
  void take_back() { table_.take_back(); }
  /// Lets other processes write.
  void release() { table_.release(); }

  /// The row of a run.
  static std::string row_text(const run::RunRecord& record);

 private:
  host::SharedTable table_;
};

}  // namespace lockstep::cli::report
