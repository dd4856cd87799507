#include "reproduction_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/number_text.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "report/csv_report.hpp"
#include "report/json_report.hpp"

namespace lockstep::cli::reproduce {
namespace {

using Json = nlohmann::ordered_json;
using ReproducedRow = ReproducedTable::ReproducedRow;

Json json_value(const ReproducedValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return Json();
        } else {
          return Json(held);
        }
      },
      value);
}

std::string short_text(const ReproducedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return host::grouped(*whole);
  const auto* number = std::get_if<double>(&value);
  return number == nullptr ? "" : host::short_figure(*number);
}

std::string exact_text(const ReproducedValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const Json json = json_value(value);
  return json.is_null() ? "" : json.dump();
}

std::string verdict_text(const ReproducedRow& row) {
  if (!row.verdict) return row.mark;
  return std::string(name(*row.verdict)) + (row.mark.empty() ? "" : " (" + row.mark + ")");
}

std::vector<host::Column> columns_of(const ReproducedTable& table) {
  std::vector<host::Column> columns;
  for (std::size_t index = 0; index < table.columns.size(); ++index) {
    host::Column& column = columns.emplace_back(host::Column{table.columns[index], false, {}});
    for (const ReproducedRow& row : table.rows) {
      column.is_text = column.is_text || std::holds_alternative<std::string>(row.values[index]);
      column.cells.push_back(short_text(row.values[index]));
    }
  }
  const auto says_something = [](const ReproducedRow& row) { return row.verdict || !row.mark.empty(); };
  if (std::ranges::any_of(table.rows, says_something)) {
    host::Column& column = columns.emplace_back(host::Column{"paper is", true, {}});
    for (const ReproducedRow& row : table.rows) column.cells.push_back(verdict_text(row));
  }
  return columns;
}

std::string title(const ReproductionEntry& entry) {
  return std::string(entry.source) + ": " + std::string(entry.summary);
}

}  // namespace

std::string text_of(const ReproductionEntry& entry, const Reproduction& reproduction) {
  const host::Style style = host::Style::of_output();
  std::string text = host::wrapped("", title(entry), 0, host::line_width());
  for (const ReproducedTable& table : reproduction.tables) {
    text += "\n" + style.heading(table.title) + "\n" + host::plain_table(columns_of(table));
  }
  if (!reproduction.notes.empty()) text += "\n";
  for (const auto& [mark, note] : reproduction.notes) text += host::wrapped(mark, note, 6, host::line_width());
  for (const std::string& remark : reproduction.remarks)
    text += "\n" + host::wrapped("", remark, 0, host::line_width());
  return text;
}

std::string markdown_of(const ReproductionEntry& entry, const Reproduction& reproduction) {
  std::string text = title(entry) + "\n";
  for (const ReproducedTable& table : reproduction.tables) {
    text += "\n" + table.title + "\n\n" + host::markdown_table(columns_of(table));
  }
  if (!reproduction.notes.empty()) text += "\n";
  for (const auto& [mark, note] : reproduction.notes) text += "- " + mark + ": " + note + "\n";
  for (const std::string& remark : reproduction.remarks) text += "\n" + remark + "\n";
  return text;
}

std::string csv_of(const Reproduction& reproduction) {
  std::vector<std::string> columns;
  for (const ReproducedTable& table : reproduction.tables) {
    for (const std::string& column : table.columns) {
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    }
  }
  std::vector<std::string> header{"table"};
  header.insert(header.end(), columns.begin(), columns.end());
  header.insert(header.end(), {"verdict", "note"});
  for (std::string& heading : header) std::ranges::replace(heading, ' ', '_');
  std::string text = report::csv_text(header);
  for (const ReproducedTable& table : reproduction.tables) {
    for (const ReproducedRow& row : table.rows) {
      std::vector<std::string> cells{table.name};
      for (const std::string& column : columns) {
        const auto found = std::ranges::find(table.columns, column);
        const auto index = static_cast<std::size_t>(found - table.columns.begin());
        cells.push_back(found == table.columns.end() ? "" : exact_text(row.values[index]));
      }
      cells.emplace_back(row.verdict ? name(*row.verdict) : "");
      cells.push_back(row.mark);
      text += report::csv_text(cells);
    }
  }
  return text;
}

Json json_of(const ReproductionEntry& entry, const Reproduction& reproduction, bool quick) {
  Json tables = Json::array();
  for (const ReproducedTable& table : reproduction.tables) {
    Json rows = Json::array();
    for (const ReproducedRow& row : table.rows) {
      Json values = Json::array();
      for (const ReproducedValue& value : row.values) values.push_back(json_value(value));
      rows.push_back({{"values", std::move(values)},
                      {"verdict", row.verdict ? Json(name(*row.verdict)) : Json()},
                      {"note", row.mark.empty() ? Json() : Json(row.mark)}});
    }
    tables.push_back(
        {{"name", table.name}, {"title", table.title}, {"columns", table.columns}, {"rows", std::move(rows)}});
  }
  Json notes = Json::array();
  for (const auto& [mark, note] : reproduction.notes) notes.push_back({{"mark", mark}, {"text", note}});
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"name", entry.name},
          {"source", entry.source},
          {"summary", entry.summary},
          {"quick", quick},
          {"tables", std::move(tables)},
          {"notes", std::move(notes)},
          {"remarks", reproduction.remarks},
          {"disagreements", reproduction.disagreements}};
}

std::string text_of(std::span<const ReproductionEntry> entries) {
  std::string text;
  for (const ReproductionEntry& entry : entries) {
    text += std::string(entry.name) + "\n" +
            host::wrapped("    ", title(entry) + (entry.has_plot() ? " (--plot)" : ""), 4, host::line_width());
  }
  return text;
}

Json json_of(std::span<const ReproductionEntry> entries) {
  Json list = Json::array();
  for (const ReproductionEntry& entry : entries) {
    list.push_back(
        {{"name", entry.name}, {"source", entry.source}, {"summary", entry.summary}, {"plot", entry.has_plot()}});
  }
  return {{"lockstep", host::version}, {"schema", host::schema}, {"reproductions", std::move(list)}};
}

}  // namespace lockstep::cli::reproduce
