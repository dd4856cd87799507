// Forms that begin with the numbers of their nodes and links: METIS, Pajek, Matrix Market and DIMACS. Their nodes are
// numbered from 1.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphs/graph_readers.hpp"
#include "graphs/line_reader.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

/// Nodes 1 to their number, without labels, as ranks from 0 up.
class NumberedNodes {
 public:
  NumberedNodes(LineReader& lines, std::uint64_t nodes) : lines_(lines), nodes_(nodes) {
    for (GraphDraft::Name node = 0; node < nodes; ++node) lines_.draft().add({.name = node});
  }
  GraphDraft::Name next() { return lines_.number("a node", 1, nodes_) - 1; }

 private:
  LineReader& lines_;
  std::uint64_t nodes_;
};

/// What the numbers of a row of METIS are besides neighbours.
struct MetisRow {
  std::uint64_t before = 0;  ///< size and weights of the node
  bool has_weights = false;  ///< one behind each neighbour
};

struct MetisHead {
  std::uint64_t nodes;
  std::uint64_t links;
  MetisRow row;
};

/// "nodes links [format [weights of a node]]", the format three digits: sizes of nodes, weights of nodes, of links.
MetisHead metis_head(LineReader& lines) {
  MetisHead head{lines.number("the number of nodes", 1, most_processors),
                 lines.number("the number of links", 0, GraphDraft::most_links),
                 {}};
  const std::string format = lines.field();
  if (format.empty()) return head;
  if (format.size() > 3 || format.find_first_not_of("01") != std::string::npos) {
    lines.refuse("the format is " + quoted(format) + ", not three digits, each 0 or 1");
  }
  const std::string digits = std::string(3 - format.size(), '0') + format;
  const std::string weights = lines.field();
  head.row.has_weights = digits[2] == '1';
  if (digits[1] == '1') head.row.before = weights.empty() ? 1 : number_in<std::uint64_t>(weights).value_or(1);
  if (digits[0] == '1') ++head.row.before;
  return head;
}

/// The file after its first line "*Vertices 4", section by section.
class PajekReader {
 public:
  PajekReader(const std::string& text, const GraphReading& reading) : lines_(text, reading) {}

  Graph graph() {
    while (lines_.next()) {
      const std::string_view line = lines_.behind_spaces();
      if (line.starts_with('*')) {
        begin_section();
      } else if (section_ == Section::nodes) {
        read_node();
      } else if (section_ == Section::links) {
        const GraphDraft::Name from = node();
        lines_.link(from, node());
      } else if (section_ == Section::lists) {
        const GraphDraft::Name from = node();
        while (!lines_.behind_spaces().empty()) lines_.link(from, node());
      } else {
        lines_.refuse("it stands before *Vertices");
      }
    }
    for (GraphDraft::Name name = 0; name < nodes_; ++name) {
      lines_.draft().add({.name = name, .label = labels_[name]});
    }
    return lines_.graph();
  }

 private:
  enum class Section { none, nodes, links, lists };

  void begin_section() {
    const std::string name = in_small_letters(std::string(lines_.word()));
    if (name == "*vertices") {
      nodes_ = lines_.number("the number of nodes", 1, most_processors);
      labels_.resize(nodes_);
      section_ = Section::nodes;
    } else if (nodes_ == 0) {
      lines_.refuse(quoted(name) + " stands before *Vertices");
    } else if (name == "*edges" || name == "*arcs") {
      section_ = Section::links;
    } else if (name == "*edgeslist" || name == "*arcslist") {
      section_ = Section::lists;
    } else {
      lines_.refuse(quoted(name) + " is none of *Vertices, *Edges, *Arcs, *Edgeslist and *Arcslist");
    }
    if (name.starts_with("*arcs")) lines_.draft().set_directed();
  }

  void read_node() {
    const GraphDraft::Name name = node();
    labels_[name] = printable(lines_.field());
  }

  GraphDraft::Name node() { return lines_.number("a node", 1, nodes_) - 1; }

  LineReader lines_;
  Section section_ = Section::none;
  std::uint64_t nodes_ = 0;
  std::vector<std::string> labels_;
};

}  // namespace

// Every link stands in the rows of both its nodes.
Graph read_metis(const std::string& text, const GraphReading& reading) {
  LineReader lines(text, reading);
  if (!lines.next()) lines.refuse("there is no line with the numbers of nodes and links");
  const MetisHead head = metis_head(lines);
  NumberedNodes nodes(lines, head.nodes);
  lines.draft().set_directed();
  std::uint64_t ends = 0;
  for (GraphDraft::Name node = 0; node < head.nodes; ++node) {
    if (!lines.next()) {
      lines.refuse("line 1 promises " + std::to_string(head.nodes) + " nodes, and there are " + std::to_string(node) +
                   " rows");
    }
    for (std::uint64_t skipped = 0; skipped < head.row.before; ++skipped) lines.field();
    for (; !lines.behind_spaces().empty(); ++ends) {
      lines.link(node, nodes.next());
      if (head.row.has_weights) lines.field();
    }
  }
  if (lines.next()) lines.refuse("it stands behind the row of the last node");
  if (ends != 2 * head.links) {
    lines.refuse("line 1 promises " + std::to_string(head.links) + " links, and the rows have " + std::to_string(ends) +
                 " ends of links, not twice as many");
  }
  return lines.graph();
}

bool is_metis(const std::string& text) {
  LineReader lines(text, {});
  if (!lines.next()) return false;
  const auto nodes = number_in<std::uint64_t>(lines.word());
  const auto links = number_in<std::uint64_t>(lines.word());
  if (!nodes || !links || *nodes > most_processors || !lines.behind_spaces().empty()) return false;
  std::set<std::pair<std::uint64_t, std::uint64_t>> ends;
  for (std::uint64_t node = 1; node <= *nodes; ++node) {
    if (!lines.next()) return false;
    while (!lines.behind_spaces().empty()) {
      const auto other = number_in<std::uint64_t>(lines.word());
      if (!other || ends.size() > 2 * *links) return false;
      ends.emplace(node, *other);
    }
  }
  return !lines.next() && ends.size() == 2 * *links && *links > 0 && std::ranges::all_of(ends, [&](const auto& end) {
    return ends.contains({end.second, end.first});
  });
}

Graph read_pajek(const std::string& text, const GraphReading& reading) { return PajekReader(text, reading).graph(); }

// The rows and columns of what is not 0 in a square matrix.
Graph read_matrix_market(const std::string& text, const GraphReading& reading) {
  LineReader lines(text, reading);
  const std::string head = in_small_letters(text.substr(0, text.find('\n')));
  if (head.find("coordinate") == std::string::npos) {
    throw std::invalid_argument("line 1: only matrices in the form coordinate are read");
  }
  if (!lines.next()) lines.refuse("there is no line with the numbers of rows and columns");
  const std::uint64_t rows = lines.number("the number of rows", 1, most_processors);
  lines.number("the number of columns", rows, rows);
  const std::uint64_t entries = lines.number("the number of entries", 0, GraphDraft::most_links);
  NumberedNodes nodes(lines, rows);
  if (head.find("symmetric") == std::string::npos) lines.draft().set_directed();
  std::uint64_t links = 0;
  for (; lines.next(); ++links) {
    const GraphDraft::Name row = nodes.next();
    const GraphDraft::Name column = nodes.next();
    if (row != column) lines.link(row, column);  // what is on the diagonal joins nothing
  }
  if (links != entries) {
    lines.refuse(std::to_string(entries) + " entries are promised, and there are " + std::to_string(links));
  }
  return lines.graph();
}

Graph read_dimacs(const std::string& text, const GraphReading& reading) {
  LineReader lines(text, reading);
  std::optional<NumberedNodes> nodes;
  while (lines.next()) {
    const std::string kind = lines.field();
    if (kind == "c" || kind == "n") continue;
    if (kind == "p" && !nodes) {
      lines.field();
      nodes.emplace(lines, lines.number("the number of nodes", 1, most_processors));
    } else if ((kind == "e" || kind == "a") && nodes) {
      if (kind == "a") lines.draft().set_directed();
      const GraphDraft::Name from = nodes->next();
      lines.link(from, nodes->next());
    } else {
      lines.refuse(nodes ? "it begins with " + quoted(kind) + ", not with c, n, e or a"
                         : "a line of the form \"p edge NODES LINKS\" comes first");
    }
  }
  return lines.graph();
}

}  // namespace lockstep
