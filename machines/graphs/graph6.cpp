// graph6, the form of nauty and of the House of Graphs: the number of nodes, then the upper triangle of the adjacency
// matrix by columns, six bits per character.
#include <algorithm>
#include <string_view>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

[[noreturn]] void refuse_line(const std::string& what) { refuse_graph("line 1: " + what); }

constexpr unsigned bits_a_character = 6;
constexpr char zero = 63;
constexpr char largest = 126;  // 63, and the mark of a number of nodes longer than one character

unsigned value(char character) { return static_cast<unsigned>(character - zero); }

/// The first line without its header.
std::string_view only_line(std::string_view text) {
  constexpr std::string_view header = ">>graph6<<";
  constexpr std::string_view blanks = " \t\r\n\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  if (text.starts_with(header)) text.remove_prefix(header.size());
  if (text.starts_with(':') || text.starts_with(';')) refuse_line("it is sparse6, which is not read; graph6 is");
  if (text.find('\n') != std::string_view::npos) refuse_line("another graph follows the first; only one is read");
  for (const char character : text) {
    if (character < zero || character > largest) refuse_line("it has a character that is not in graph6");
  }
  return text;
}

/// Takes the number of nodes off the line: one character, or three after a mark, or six after two.
std::uint64_t take_nodes(std::string_view& line) {
  const std::size_t marks = line.starts_with("~~") ? 2 : line.starts_with('~') ? 1 : 0;
  const std::size_t characters = marks == 0 ? 1 : 3 * marks;
  if (line.size() < marks + characters) refuse_line("it ends before the number of nodes does");
  std::uint64_t nodes = 0;
  for (const char character : line.substr(marks, characters)) nodes = nodes << bits_a_character | value(character);
  line.remove_prefix(marks + characters);
  return nodes;
}

}  // namespace

Graph read_graph6(const std::string& text, const GraphReading& reading) {
  std::string_view line = only_line(text);
  const std::uint64_t nodes = take_nodes(line);
  if (nodes > most_processors) refuse_line("it has more nodes than a machine may have processors");
  const std::uint64_t pairs = nodes == 0 ? 0 : nodes * (nodes - 1) / 2;
  const std::uint64_t characters = pairs / bits_a_character + (pairs % bits_a_character == 0 ? 0 : 1);
  if (line.size() != characters) {
    refuse_line(std::to_string(nodes) + " nodes take " + std::to_string(characters) +
                " characters after their number, not " + std::to_string(line.size()));
  }
  GraphDraft draft(reading);
  for (GraphDraft::Name node = 0; node < nodes; ++node) draft.add({.name = node});
  std::uint64_t bit = 0;
  const auto next_bit = [&] {
    const unsigned shift = bits_a_character - 1 - static_cast<unsigned>(bit % bits_a_character);
    return (value(line[bit++ / bits_a_character]) >> shift & 1U) != 0;
  };
  for (GraphDraft::Name column = 1; column < nodes; ++column) {
    for (GraphDraft::Name row = 0; row < column; ++row) {
      if (next_bit()) draft.link(row, column);
    }
  }
  while (bit % bits_a_character != 0) {
    if (next_bit()) refuse_line("it has a bit after its last pair of nodes");
  }
  return draft.graph([](std::size_t) { return std::string("line 1"); });
}

}  // namespace lockstep
