#pragma once

#include <string>
#include <vector>

namespace lockstep::cli::host {

/// A column of a table for people.
struct Column {
  std::string heading;
  bool is_text;  ///< else its cells are numbers, which stand right
  std::vector<std::string> cells;
};

/// The table with spaces between the columns, and as Markdown. All columns have as many cells, and there is a column.
std::string plain_table(const std::vector<Column>& columns);
std::string markdown_table(const std::vector<Column>& columns);

}  // namespace lockstep::cli::host
