#include "table.hpp"

#include <algorithm>

#include "terminal.hpp"

namespace lockstep::cli::host {

std::string plain_table(const std::vector<Column>& columns) {
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
    std::size_t width = host::columns(column.heading);
    for (const std::string& cell : column.cells) width = std::max(width, host::columns(cell));
    widths.push_back(width);
  }
  const auto line = [&](const auto& text_of) {
    std::string text;
    for (std::size_t index = 0; index < columns.size(); ++index) {
      const std::string cell = text_of(columns[index]);
      text +=
          (index == 0 ? "" : "  ") + (columns[index].is_text ? left(cell, widths[index]) : right(cell, widths[index]));
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = line([](const Column& column) { return column.heading; });
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    text += line([&](const Column& column) { return column.cells[row]; });
  }
  return text;
}

std::string markdown_table(const std::vector<Column>& columns) {
  const auto line = [&](const auto& text_of) {
    std::string text = "|";
    for (const Column& column : columns) {
      text += " ";
      for (const char letter : text_of(column)) text += letter == '|' ? "\\|" : std::string(1, letter);
      text += " |";
    }
    return text + "\n";
  };
  std::string text = line([](const Column& column) { return column.heading; });
  text += "|";
  for (const Column& column : columns) text += column.is_text ? "---|" : "---:|";
  text += "\n";
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    text += line([&](const Column& column) { return column.cells[row]; });
  }
  return text;
}

}  // namespace lockstep::cli::host
