#pragma once

#include <string>

#include "output_file.hpp"
#include "run_record.hpp"

namespace lockstep::cli {

/// A CSV file (RFC 4180) to which every run adds a row. The columns are the same for all methods and machines.
class CsvReport {
 public:
  /// Throws OutputError if the file cannot be written or its first line is another header.
  explicit CsvReport(const std::string& path);
  /// Adds the row of a run, and before it the header if the file is new. Throws OutputError.
  void append(const RunRecord& record) const;

  const OutputFile& file() const { return file_; }

 private:
  OutputFile file_;
  bool has_header_;
};

}  // namespace lockstep::cli
