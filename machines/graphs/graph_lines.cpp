// Graphs that are lines of names: edge lists, adjacency lists and BookSim's anynet files.
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

constexpr std::string_view spaces = " \t\r\f\v";

std::string at_line(std::uint64_t line) { return "line " + std::to_string(line); }

/// The graph of a file, read line by line; remembers the line of every node and link.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  /// Moves to the next line that is not empty without its comment; false at the end.
  bool next() {
    do {
      if (text_.empty()) return false;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      rest_ = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      rest_ = rest_.substr(0, rest_.find('#'));
      ++line_;
    } while (rest_.find_first_not_of(spaces) == std::string_view::npos);
    return true;
  }

  /// The next word of the line; empty after the last.
  std::string_view word() {
    const std::string_view begin = behind_spaces();
    const std::size_t end = std::min(begin.find_first_of(spaces), begin.size());
    rest_ = begin.substr(end);
    return begin.substr(0, end);
  }

  /// The rest of the line, without spaces around it.
  std::string_view behind_spaces() const {
    const std::size_t begin = rest_.find_first_not_of(spaces);
    if (begin == std::string_view::npos) return {};
    return rest_.substr(begin, rest_.find_last_not_of(spaces) + 1 - begin);
  }

  /// The node's name; adds the node if it is new.
  GraphDraft::Name name(std::string_view word) {
    if (word.find('\0') != std::string_view::npos) refuse("it is not text: a byte is 0");
    const GraphDraft::Name name = draft_.number_or_word(word);
    if (draft_.add({.name = name})) node_lines_.push_back(line_);
    return name;
  }

  void link(GraphDraft::Name a, GraphDraft::Name b) {
    draft_.link(a, b);
    link_lines_.push_back(line_);
  }

  Graph graph() {
    return draft_.graph([this](std::size_t node) { return at_line(node_lines_[node]) + ": a node"; },
                        [this](std::size_t link) { return at_line(link_lines_[link]); });
  }

  std::uint32_t line() const { return line_; }

  [[noreturn]] void refuse(const std::string& what) const { throw std::invalid_argument(at_line(line_) + ": " + what); }

 private:
  std::string_view text_;  // after the line
  std::string_view rest_;  // of the line
  std::uint32_t line_ = 0;
  GraphDraft draft_;
  std::vector<std::uint32_t> node_lines_;  // on which each was first named
  std::vector<std::uint32_t> link_lines_;
};

/// The contents of a BookSim anynet file: one `router R node N router S ..` per line, each name optionally followed by
/// the latency of its channel. A router may have several nodes, a node has one router.
class AnynetReader {
 public:
  explicit AnynetReader(std::string_view text) : lines_(text) {}

  Graph graph() {
    while (lines_.next()) read_line();
    return processors();
  }

 private:
  struct NodeName {
    bool is_router = false;
    std::uint32_t number = 0;
  };

  void read_line() {
    const NodeName head = part(lines_.word());
    std::string_view word = lines_.word();
    if (word.empty()) lines_.refuse("the line does not say what it is joined to");
    while (!word.empty()) {
      join(head, part(word));
      word = lines_.word();
      if (number(word)) word = lines_.word();  // a latency
    }
  }

  NodeName part(std::string_view kind) {
    if (kind != "router" && kind != "node") lines_.refuse(quoted(kind) + " is neither router nor node");
    const std::string_view text = lines_.word();
    const std::optional<std::uint32_t> found = number(text);
    if (!found) lines_.refuse("after " + std::string(kind) + " its number is expected, not " + quoted(text));
    if (kind == "router") nodes_of_[*found];
    return {.is_router = kind == "router", .number = *found};
  }

  static std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
  }

  static std::pair<std::uint32_t, std::uint32_t> ordered(std::uint32_t a, std::uint32_t b) {
    return {std::min(a, b), std::max(a, b)};
  }

  void join(const NodeName& a, const NodeName& b) {
    if (!a.is_router && !b.is_router) lines_.refuse("a node is joined to a node; it takes a router");
    if (a.is_router && b.is_router) {
      links_.try_emplace(ordered(a.number, b.number), lines_.line());
      return;
    }
    const std::uint32_t router = a.is_router ? a.number : b.number;
    const std::uint32_t node = a.is_router ? b.number : a.number;
    const auto [place, is_new] = router_of_.emplace(node, router);
    if (place->second != router) {
      lines_.refuse("node " + std::to_string(node) + " is at router " + std::to_string(place->second) + " already");
    }
    if (is_new) nodes_of_[router].emplace(node, lines_.line());
  }

  /// The routers, followed by the nodes that share theirs, both ascending.
  Graph processors() const {
    GraphDraft draft;
    std::map<std::uint32_t, GraphDraft::Name> rank_of_router;
    std::vector<std::uint32_t> lines;
    const auto add = [&draft](const std::string& label) {
      const GraphDraft::Name rank = draft.nodes();
      draft.add({.name = rank, .label = label});
      return rank;
    };
    for (const auto& [router, nodes] : nodes_of_) rank_of_router[router] = add("router " + std::to_string(router));
    for (const auto& [ends, line] : links_) {
      draft.link(rank_of_router.at(ends.first), rank_of_router.at(ends.second));
      lines.push_back(line);
    }
    for (const auto& [node, router] : router_of_) {
      const auto& nodes = nodes_of_.at(router);
      if (nodes.size() == 1) continue;
      draft.link(rank_of_router.at(router), add("node " + std::to_string(node)));
      lines.push_back(nodes.at(node));
    }
    return draft.graph([](std::size_t node) { return "processor " + std::to_string(node); },
                       [&lines](std::size_t link) { return at_line(lines[link]); });
  }

  LineReader lines_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> nodes_of_;  // of each router, with their lines
  std::map<std::uint32_t, std::uint32_t> router_of_;                          // of each node
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> links_;    // of routers, with their lines
};

}  // namespace

bool is_anynet(std::string_view text) {
  LineReader lines(text);
  if (!lines.next()) return false;
  const std::string_view head = lines.word();
  if (head != "router" && head != "node") return false;
  lines.word();
  const std::string_view joined = lines.word();
  return joined == "router" || joined == "node";
}

Graph read_anynet(const std::string& text) { return AnynetReader(text).graph(); }

Graph read_edge_list(const std::string& text) {
  LineReader reader(text);
  while (reader.next()) {
    const std::string_view a = reader.word();
    const std::string_view b = reader.word();
    if (b.empty()) reader.refuse("it has one name, but a link joins two nodes");
    const std::string_view data = reader.behind_spaces();
    if (!data.empty() && !(data.starts_with('{') && data.ends_with('}'))) {
      reader.refuse("after the names of two nodes only {..} may follow");
    }
    const GraphDraft::Name from = reader.name(a);
    reader.link(from, reader.name(b));
  }
  return reader.graph();
}

Graph read_adjacency_list(const std::string& text) {
  LineReader reader(text);
  while (reader.next()) {
    const GraphDraft::Name node = reader.name(reader.word());
    for (std::string_view word = reader.word(); !word.empty(); word = reader.word()) {
      reader.link(node, reader.name(word));
    }
  }
  return reader.graph();
}

}  // namespace lockstep
