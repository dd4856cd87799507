#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

#include "measurements.hpp"

namespace lockstep::bench {

/// A row of the table of recorded ratios.
struct RatioRow {
  std::string name;
  double value = 0;
};

/// The measured ratios.
std::vector<RatioRow> rows(const Measurements& measurements);

/// A recorded table that cannot be read, or that has other ratios; what() is one line.
class TableError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes the table: a line "ratio,value", then one line for each row.
void write_table(std::ostream& out, const std::vector<RatioRow>& table);
/// Reads it. Throws TableError: a malformed line, a ratio of ratios() that it lacks, or one that is unknown or
/// repeated.
std::vector<RatioRow> read_table(std::istream& in);

/// Reads the recorded table, measures, and compares row by row. Names the ratios that fell by more than a quarter,
/// lists those recorded but not measured, and returns the exit code: 0 if none fell, 1 if one did, 2 with a line on
/// `errors` if the table is unusable, which is found before anything is measured, or if no ratio was measured.
int check(std::istream& table, const std::function<Measurements()>& measure, std::ostream& out, std::ostream& errors);

}  // namespace lockstep::bench
