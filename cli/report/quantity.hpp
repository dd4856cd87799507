#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// What runs are compared by: the value of one quantity.
struct Figure {
  long double value;  ///< holds every 64-bit count
  bool exact = true;  ///< else an upper bound
};

/// A count or a time of a run: what the run came to, or what is predicted of one that has not been run.
struct Quantity {
  std::string_view name;       ///< "longest_sum", of JSON and CSV
  std::string_view heading;    ///< "longest sum"
  std::string_view criterion;  ///< what --by calls it; empty if nothing is ranked by it
  bool is_count;               ///< else a time or a ratio
  std::optional<Figure> (*of)(const run::RunRecord&);
};

/// In the order of the reports.
std::span<const Quantity> quantities();

/// The one of that name, which exists.
const Quantity& find_quantity(std::string_view name);

/// Whether methods predict it.
bool is_predictable(const Quantity& quantity);

/// The one that --by calls so. Throws InputError with the names that there are, or if nothing is run that it could be
/// measured of.
const Quantity& find_criterion(const std::string& name, bool predicted);
/// What people are told that it is: "modelled time".
std::string title_of(const Quantity& quantity);

/// The figure as JSON and CSV have it: all digits.
std::string exact_text(const Quantity& quantity, const Figure& figure);
/// The same for people: "1,024", "<= 12.5", "3.1 ms".
std::string short_text(const Quantity& quantity, const Figure& figure);

}  // namespace lockstep::cli::report
