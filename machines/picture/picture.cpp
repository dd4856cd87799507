#include "picture/picture.hpp"

#include <algorithm>
#include <array>

#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

std::string right_aligned(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - digits.size(), ' ') + digits;
}

/// Removes spaces at the end and adds the newline.
std::string finished(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string caption(const std::string& drawn, const MachineSpec& spec) {
  const std::string shown = printable(spec.text);
  return drawn == spec.text ? shown + "\n" : drawn + ", a small relative of " + shown + "\n";
}

std::string bits(std::uint64_t number, unsigned places) {
  if (places == 0) return "-";
  std::string text;
  for (unsigned place = places; place-- > 0;) text += (number >> place & 1U) != 0 ? '1' : '0';
  return text;
}

std::string hypercube_picture(unsigned n) {
  static const std::array<std::string, 4> pictures = {"0\n", "0-------1\n",
                                                      "2-------3\n"
                                                      "|       |\n"
                                                      "|       |\n"
                                                      "0-------1\n",
                                                      "  6-------7\n"
                                                      " /|      /|\n"
                                                      "4-------5 |\n"
                                                      "| 2-----|-3\n"
                                                      "|/      |/\n"
                                                      "0-------1\n"};
  return pictures.at(n);
}

std::string line_picture(std::uint64_t processors, bool is_ring) {
  std::string line = "0";
  for (std::uint64_t rank = 1; rank < processors; ++rank) line += " - " + std::to_string(rank);
  const std::size_t last = line.size() - 1;
  line += "\n";
  if (!is_ring) return line;
  return line + "|" + std::string(last - 1, ' ') + "|\n+" + std::string(last - 1, '-') + "+\n";
}

std::string grid_picture(std::uint64_t rows, std::uint64_t columns, bool wraps) {
  const bool row_wraps = wraps && columns > 2;
  const bool column_wraps = wraps && rows > 2;
  const std::size_t width = std::to_string(rows * columns - 1).size();
  const std::string margin = row_wraps ? "   " : "";

  std::string between = margin;
  for (std::uint64_t column = 0; column < columns; ++column) between += std::string(width - 1, ' ') + "|    ";
  between = finished(between);

  std::string picture = column_wraps ? between : "";
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::string line = row_wraps ? "-- " : "";
    for (std::uint64_t column = 0; column < columns; ++column) {
      line += (column == 0 ? "" : " -- ") + right_aligned(row * columns + column, width);
    }
    picture += finished(line + (row_wraps ? " --" : ""));
    if (row + 1 < rows || column_wraps) picture += between;
  }
  if (row_wraps || column_wraps) picture += "(a line that leaves the picture comes back on the other side)\n";
  return picture;
}

std::string neighbour_table(const MachineSpec& spec, const Wiring& wiring) {
  constexpr std::uint64_t most_rows = 12;
  constexpr std::size_t longest_row = 72;
  const std::uint64_t rows = std::min(spec.processors, most_rows);
  const std::size_t width = std::to_string(spec.processors - 1).size();
  std::string table;
  for (Rank rank = 0; rank < rows; ++rank) {
    std::string row = right_aligned(rank, std::to_string(rows - 1).size()) + ":";
    for (Port port = 0; port < spec.ports; ++port) {
      const End there = wiring(rank, port);
      if (!there) continue;
      if (row.size() + 1 + width > longest_row) {
        row += " ..";
        break;
      }
      row.append(" ").append(right_aligned(there.rank, width));
    }
    table.append(row).append("\n");
  }
  if (rows < spec.processors) table += "..\n";
  return table + "behind every rank its neighbours in the order of their ports\n";
}

}  // namespace lockstep
