#pragma once

#include <string>
#include <vector>

namespace lockstep::cli::host {

/// A column of a text table.
struct Column {
  std::string heading;
  bool is_text;  ///< else its cells are numbers, aligned right
  std::vector<std::string> cells;
};

/// The table with spaces between the columns, and as Markdown. There is at least one column, and all have equally many
/// cells.
std::string plain_table(const std::vector<Column>& columns);
std::string markdown_table(const std::vector<Column>& columns);

}  // namespace lockstep::cli::host
