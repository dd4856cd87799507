#pragma once

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

#include "measurements.hpp"

namespace lockstep::bench {

/// A row of the table of recorded ratios.
struct Row {
  std::string name;
  double value = 0;
};

/// The ratios that were measured.
std::vector<Row> rows(const Measurements& measurements);

/// A recorded table that cannot be read, or that is not one of these ratios; what() is one line.
class TableError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes the table: a line "ratio,value", then a line a row.
void write_table(std::ostream& out, const std::vector<Row>& table);
/// Reads it. Throws TableError: the line that is malformed, or the ratio of ratios() that it lacks or has too much.
std::vector<Row> read_table(std::istream& in);

/// Reads the recorded table, measures, and compares row by row. Names what fell by more than a quarter, lists what was
/// recorded and not measured, and returns the exit code: 0 if nothing fell, 1 if something did, 2 with a line on
/// `errors` if the table is of no use, which is found before anything is measured, or if no ratio was measured.
int check(std::istream& table, const std::function<Measurements()>& measure, std::ostream& out, std::ostream& errors);

}  // namespace lockstep::bench
