#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "command_line.hpp"

// The output of `lockstep reproduce NAME --quick`, table by table. A missing item throws an exception.
namespace lockstep::test {

using Json = nlohmann::json;

/// The JSON of --quick; fails the test if the exit code is not 0. It lives as long as the program.
inline const Json& quickly(const std::string& name) {
  static std::map<std::string, Json> reproductions;
  const auto [place, is_new] = reproductions.try_emplace(name);
  if (is_new) {
    const Finished finished = lockstep("reproduce " + name + " --quick --json");
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    place->second = Json::parse(finished.out);
  }
  return place->second;
}

/// The references point into the reproduction and the table.
inline const Json& table_of(const Json& reproduction, const std::string& name) {
  const Json& tables = reproduction["tables"];
  const auto table = std::ranges::find_if(tables, [&](const Json& one) { return one["name"] == name; });
  if (table == tables.end()) throw std::out_of_range("no table " + name);
  return *table;
}

inline Json value_of(const Json& table, const Json& row, const std::string& column) {
  const Json& columns = table["columns"];
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) throw std::out_of_range("no column " + column);
  return row["values"][static_cast<std::size_t>(std::distance(columns.begin(), found))];
}

/// The first row that begins with these values.
inline const Json& row_of(const Json& table, const std::vector<Json>& first) {
  for (const Json& row : table["rows"]) {
    if (std::equal(first.begin(), first.end(), row["values"].begin())) return row;
  }
  throw std::out_of_range("no row " + Json(first).dump());
}

/// The values of these columns in that row, followed by its verdict and note.
inline std::vector<Json> cells(const Json& table, const std::vector<Json>& first,
                               const std::vector<std::string>& columns) {
  const Json& row = row_of(table, first);
  std::vector<Json> values;
  for (const std::string& column : columns) values.push_back(value_of(table, row, column));
  values.push_back(row["verdict"]);
  values.push_back(row["note"]);
  return values;
}

}  // namespace lockstep::test
