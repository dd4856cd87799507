#include "ratio_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <istream>
#include <ostream>

#include "ratios.hpp"

namespace lockstep::bench {
namespace {

constexpr double tolerated = 0.75;
constexpr const char* header = "ratio,value";

const RatioRow* find(const std::vector<RatioRow>& table, const std::string& name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const RatioRow& row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

RatioRow read_row(const std::string& line, std::size_t number) {
  const auto malformed = [&](const std::string& what) {
    return TableError("line " + std::to_string(number) + ": " + what + ": '" + line + "'");
  };
  const std::size_t comma = line.rfind(',');
  if (comma == std::string::npos || comma == 0) throw malformed("a row is NAME,VALUE");
  RatioRow row{line.substr(0, comma), 0};
  const char* const end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data() + comma + 1, end, row.value);
  if (error != std::errc() || rest != end || !std::isfinite(row.value) || row.value <= 0) {
    throw malformed("a value is a positive number");
  }
  return row;
}

bool is_a_ratio(const std::string& name) {
  return std::any_of(ratios().begin(), ratios().end(), [&](const Ratio& ratio) { return ratio.name == name; });
}

/// The line that reports the comparison of a row.
std::string comparison(const RatioRow& before, const RatioRow& now, bool fell) {
  char text[160];
  std::snprintf(text, sizeof text, "%-48s recorded %8.3g  now %8.3g  %+6.0f %%%s\n", now.name.c_str(), before.value,
                now.value, 100 * (now.value / before.value - 1), fell ? "  fell" : "");
  return text;
}

/// Returns whether no ratio fell.
bool compare(const std::vector<RatioRow>& recorded, const std::vector<RatioRow>& measured, std::ostream& out) {
  std::vector<std::string> fallen;
  for (const RatioRow& before : recorded) {
    const RatioRow* now = find(measured, before.name);
    if (now == nullptr) {
      out << before.name << ": not measured\n";
      continue;
    }
    const bool fell = now->value < tolerated * before.value;
    out << comparison(before, *now, fell);
    if (fell) fallen.push_back(before.name);
  }
  for (const std::string& name : fallen) out << "fell by more than a quarter: " << name << "\n";
  if (fallen.empty()) out << "nothing fell by more than a quarter\n";
  return fallen.empty();
}

}  // namespace

std::vector<RatioRow> rows(const Measurements& measurements) {
  std::vector<RatioRow> table;
  for (const Ratio& ratio : ratios()) {
    if (const auto value = value_of(ratio, measurements)) table.push_back({ratio.name, *value});
  }
  return table;
}

void write_table(std::ostream& out, const std::vector<RatioRow>& table) {
  out << header << "\n";
  for (const RatioRow& row : table) {
    char value[32];
    std::snprintf(value, sizeof value, "%.4g", row.value);
    out << row.name << "," << value << "\n";
  }
}

std::vector<RatioRow> read_table(std::istream& in) {
  std::string line;
  if (!std::getline(in, line) || line != header) {
    throw TableError(std::string("line 1: the table begins with the line '") + header + "'");
  }
  std::vector<RatioRow> table;
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    const RatioRow row = read_row(line, number);
    if (find(table, row.name) != nullptr) {
      throw TableError("line " + std::to_string(number) + ": a second row of '" + row.name + "'");
    }
    if (!is_a_ratio(row.name))
      throw TableError("line " + std::to_string(number) + ": there is no ratio '" + row.name + "'");
    table.push_back(row);
  }
  for (const Ratio& ratio : ratios()) {
    if (find(table, ratio.name) == nullptr) throw TableError("no row '" + ratio.name + "'; record them anew");
  }
  return table;
}

int check(std::istream& table, const std::function<Measurements()>& measure, std::ostream& out, std::ostream& errors) {
  std::vector<RatioRow> recorded;
  try {
    recorded = read_table(table);
  } catch (const TableError& error) {
    errors << "the recorded ratios are of no use: " << error.what() << "\n";
    return 2;
  }
  const std::vector<RatioRow> measured = rows(measure());
  if (measured.empty()) {
    errors << "none of the recorded ratios was measured\n";
    return 2;
  }
  return compare(recorded, measured, out) ? 0 : 1;
}

}  // namespace lockstep::bench
