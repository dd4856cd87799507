// Graphs that are lines of names: edge lists and adjacency lists.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "graphs/graph_readers.hpp"
#include "graphs/line_reader.hpp"

namespace lockstep {

namespace {

/// Lines of two names, with a number or more after them, or {..}.
class EdgeReader {
 public:
  EdgeReader(const std::string& text, const GraphReading& reading)
      : text_(text), reading_(reading), lines_(text, reading) {}

  Graph graph() {
    const std::optional<Counts> counts = counts_of_first_line();
    for (bool is_first = true; lines_.next(); is_first = false) {
      if (is_first && counts) {
        lines_.draft().note("line " + std::to_string(lines_.line()) + " is the numbers of " +
                            std::to_string(counts->nodes) + " nodes and " + std::to_string(counts->links) + " links");
      } else {
        read_line(is_first);
      }
    }
    if (reading_.column != GraphReading::Column::weight) {
      count_cables();
    } else if (has_numbers_) {
      lines_.draft().note("numbers behind the names are ignored");
    }
    for (const Edge& edge : edges_) lines_.link_of(edge.line, edge.from, edge.to, edge.cables);
    return lines_.graph();
  }

 private:
  struct Counts {
    std::uint64_t nodes;
    std::uint64_t links;
  };
  struct Edge {
    std::uint32_t line;
    GraphDraft::Name from;
    GraphDraft::Name to;
    double number = 1;
    std::uint32_t cables = 1;
  };

  /// The first line, if there are as many others as it has links, and they name as many nodes as it has: from 0 or 1
  /// on.
  std::optional<Counts> counts_of_first_line() const {
    LineReader lines(text_, reading_);
    if (!lines.next()) return {};
    const auto nodes = number_in<std::uint64_t>(lines.field());
    const auto links = number_in<std::uint64_t>(lines.field());
    if (!nodes || !links || !lines.behind_spaces().empty()) return {};
    std::set<std::uint64_t> named;
    std::uint64_t others = 0;
    while (lines.next()) {
      ++others;
      for (unsigned end = 0; end < 2; ++end) {
        const auto name = number_in<std::uint64_t>(lines.field());
        if (!name || *name > *nodes || others > *links) return {};
        named.insert(*name);
      }
    }
    const bool are_counted = others == *links && others > 0 && named.size() == *nodes && *named.begin() <= 1 &&
                             *named.rbegin() - *named.begin() == *nodes - 1;
    return are_counted ? std::optional(Counts{*nodes, *links}) : std::nullopt;
  }

  void read_line(bool is_first) {
    std::vector<std::string> fields;
    for (std::string field = lines_.field(); !field.empty(); field = lines_.field()) fields.push_back(std::move(field));
    const std::string_view data = lines_.behind_spaces();
    if (!data.empty() && !data.ends_with('}')) lines_.refuse("{ is not closed by } at the end of the line");
    if (is_first && find_head(fields)) return;
    if (fields.size() <= std::max(source_, target_)) {
      lines_.refuse(fields.size() == 1 ? "it has one name, but a link joins two nodes"
                                       : "it has fewer fields than the head");
    }
    Edge edge{lines_.line(), lines_.name(fields[source_]), 0};
    edge.to = lines_.name(fields[target_]);
    if (!has_head_) {
      for (std::size_t behind = 2; behind < fields.size(); ++behind) {
        const std::optional<double> number = number_in<double>(fields[behind]);
        if (!number)
          lines_.refuse("after the names of two nodes only numbers and {..} may follow, not " +
                        lockstep::quoted(fields[behind]));
        if (behind == 2) edge.number = *number;
        has_numbers_ = true;
      }
    } else if (number_column_ && *number_column_ < fields.size()) {
      const std::optional<double> number = number_in<double>(fields[*number_column_]);
      if (!number) lines_.refuse(lockstep::quoted(fields[*number_column_]) + " is no number");
      edge.number = *number;
      has_numbers_ = true;
    }
    edges_.push_back(edge);
  }

  /// Whether the fields are the head of a table, which says in which columns the two nodes are.
  bool find_head(std::vector<std::string> fields) {
    constexpr std::string_view sources[] = {"source", "from", "src", "fromnodeid", "node1", "u"};
    constexpr std::string_view targets[] = {"target", "to", "dst", "tonodeid", "node2", "v"};
    constexpr std::string_view numbers[] = {"weight", "multiplicity", "capacity", "value", "w"};
    for (std::string& field : fields) {
      std::ranges::transform(field, field.begin(),
                             [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    }
    const auto column = [&](const auto& known) {
      return std::ranges::find_if(fields,
                                  [&](const std::string& field) { return std::ranges::count(known, field) > 0; }) -
             fields.begin();
    };
    const auto end = static_cast<std::ptrdiff_t>(fields.size());
    if (column(sources) == end || column(targets) == end) return false;
    source_ = static_cast<std::size_t>(column(sources));
    target_ = static_cast<std::size_t>(column(targets));
    if (column(numbers) != end) number_column_ = static_cast<std::size_t>(column(numbers));
    has_head_ = true;
    lines_.draft().note("line " + std::to_string(lines_.line()) + " is a head");
    return true;
  }

  /// The number behind the names, or its multiple of the least of all, is the cables of a link.
  void count_cables() {
    double unit = 1;
    if (reading_.column == GraphReading::Column::capacity && !edges_.empty()) {
      unit = std::ranges::min_element(edges_, {}, &Edge::number)->number;
    }
    for (Edge& edge : edges_) {
      const double cables = edge.number / unit;
      if (!(cables >= 1) || cables > GraphDraft::most_cables || cables != std::floor(cables)) {
        throw std::invalid_argument(
            at_line(edge.line) + ": " + (unit == 1 ? "the number" : "the capacity, over the least,") +
            " is no whole number of cables from 1 to " + std::to_string(GraphDraft::most_cables));
      }
      edge.cables = static_cast<std::uint32_t>(cables);
    }
    lines_.draft().note(unit == 1 ? "numbers behind the names are cables" : "capacities over the least are cables");
  }

  const std::string& text_;
  GraphReading reading_;
  LineReader lines_;
  std::vector<Edge> edges_;
  bool has_head_ = false;
  bool has_numbers_ = false;
  std::size_t source_ = 0;  // columns
  std::size_t target_ = 1;
  std::optional<std::size_t> number_column_;
};

}  // namespace

Graph read_edge_list(const std::string& text, const GraphReading& reading) { return EdgeReader(text, reading).graph(); }

Graph read_adjacency_list(const std::string& text, const GraphReading& reading) {
  LineReader reader(text, reading);
  while (reader.next()) {
    const GraphDraft::Name node = reader.name(reader.field());
    for (std::string word = reader.field(); !word.empty(); word = reader.field()) {
      reader.link(node, reader.name(word));
    }
  }
  return reader.graph();
}

}  // namespace lockstep
