#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "run/run_record.hpp"

namespace lockstep::cli::report {

/// The value of one quantity by which runs are compared.
struct Figure {
  long double value;  ///< holds every 64-bit count
  bool exact = true;  ///< else an upper bound
};

/// A count or a time of a run, measured, or predicted where it has not run.
struct Quantity {
  std::string_view name;       ///< "longest_sum", of JSON and CSV
  std::string_view heading;    ///< "longest sum"
  std::string_view criterion;  ///< its name for --by; empty if it does not rank
  bool is_count;               ///< else a time or a ratio
  std::optional<Figure> (*of)(const run::RunRecord&);
  bool is_more_better = false;  ///< else the least is best

  /// Whether the first is better.
  bool is_better(const Figure& first, const Figure& second) const {
    return is_more_better ? first.value > second.value : first.value < second.value;
  }
};

/// All quantities in the order of the reports.
std::span<const Quantity> quantities();

/// Those of runs on several numbers of threads: speed-up and efficiency. No run by itself has them.
std::span<const Quantity> thread_quantities();

/// The quantity of that name, which must exist.
const Quantity& find_quantity(std::string_view name);

/// Whether methods predict it.
bool is_predictable(const Quantity& quantity);
/// Whether it is a modelled time, or a multiple of one.
bool is_time(const Quantity& quantity);

/// The quantity of that name for --by, also among those of threads if `has_threads`. Throws InputError with the
/// existing names, or if it needs runs and there are none.
const Quantity& find_criterion(const std::string& name, bool predicted, bool has_threads = false);
/// Its title in text: "modelled time".
std::string title_of(const Quantity& quantity);

/// The figure with all digits, for JSON and CSV.
nlohmann::ordered_json exact_json(const Quantity& quantity, const Figure& figure);
/// The figure for text: "1,024", "<= 12.5", "3.1 ms".
std::string short_text(const Quantity& quantity, const Figure& figure);

}  // namespace lockstep::cli::report
