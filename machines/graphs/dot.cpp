// DOT, the language of Graphviz (graphviz.org/doc/info/lang.html).
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/number_in.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

bool is_dot_letter(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return std::isalnum(byte) || letter == '_' || byte >= 0x80;
}

struct DotWord {
  enum class Kind { end, name, text, sign };  // a text is a name in quotes, and so never a keyword

  Kind kind = Kind::end;
  std::string text{};
  std::uint64_t line = 1;

  bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
  bool is_name() const { return kind == Kind::name || kind == Kind::text; }
  bool is_keyword(std::string_view word) const {
    return kind == Kind::name &&
           std::ranges::equal(text, word, [](unsigned char one, char other) { return std::tolower(one) == other; });
  }
};

/// The words of the file. The one that is looked at stays until it is taken.
class DotWords {
 public:
  explicit DotWords(std::string_view text) : left_(text) { read(); }

  const DotWord& look() const { return word_; }
  DotWord take() {
    DotWord taken = std::move(word_);
    read();
    return taken;
  }
  bool take_if(std::string_view sign) {
    if (!word_.is(sign)) return false;
    read();
    return true;
  }
  void expect(std::string_view sign) {
    if (!take_if(sign)) refuse_here("where " + std::string(sign) + " is to stand");
  }
  /// "line 3: 'x' stands where { is to stand".
  [[noreturn]] void refuse_here(const std::string& where) const {
    const std::string what = word_.kind == DotWord::Kind::end ? "the file ends" : quoted(word_.text) + " stands";
    refuse(word_.line, what + " " + where);
  }
  [[noreturn]] static void refuse(std::uint64_t line, const std::string& what) {
    refuse_graph("line " + std::to_string(line) + ": " + what);
  }

 private:
  void read() {
    skip();
    word_ = {.line = line_};
    if (left_.empty()) return;
    if (left_.front() == '"') {
      read_quoted();
    } else if (left_.front() == '<') {
      read_html();
    } else if (left_.starts_with("--") || left_.starts_with("->")) {
      word_.kind = DotWord::Kind::sign;
      word_.text = drop(2);
    } else if (is_dot_letter(left_.front()) || left_.front() == '.' || left_.front() == '-') {
      read_name();
    } else {
      word_.kind = DotWord::Kind::sign;
      word_.text = drop(1);
    }
  }

  /// Over blanks, comments, and lines that the C preprocessor leaves.
  void skip() {
    for (;;) {
      if (left_.starts_with("//") || (left_.starts_with('#') && is_line_start_)) {
        drop(std::min(left_.find('\n'), left_.size()));
      } else if (left_.starts_with("/*")) {
        const std::size_t end = left_.find("*/", 2);
        if (end == std::string_view::npos) refuse(line_, "a comment is not closed");
        drop(end + 2);
      } else if (!left_.empty() && std::isspace(static_cast<unsigned char>(left_.front()))) {
        drop(1);
      } else {
        return;
      }
    }
  }

  void read_name() {
    const bool is_number = !is_dot_letter(left_.front()) || std::isdigit(static_cast<unsigned char>(left_.front()));
    const auto end = std::ranges::find_if_not(
        left_.substr(1), [&](char letter) { return is_dot_letter(letter) || (is_number && letter == '.'); });
    word_.kind = DotWord::Kind::name;
    word_.text = drop(static_cast<std::size_t>(end - left_.begin()));
    const auto is_of_number = [](char letter) {
      return letter == '.' || letter == '-' || ('0' <= letter && letter <= '9');
    };
    if (is_number && !std::ranges::all_of(word_.text, is_of_number)) {
      refuse(word_.line,
             quoted(word_.text) + " is neither a number nor a name; names that begin with a digit are in quotes");
    }
  }

  /// One text, or several joined by +.
  void read_quoted() {
    word_.kind = DotWord::Kind::text;
    do {
      drop(1);
      while (!left_.starts_with('"')) {
        if (left_.empty()) refuse(word_.line, "a quotation mark is not closed");
        if (left_.starts_with("\\\"")) drop(1);
        if (left_.starts_with("\\\n")) {
          drop(2);
        } else {
          word_.text += drop(1);
        }
      }
      drop(1);
      skip();
    } while (is_joined());
  }

  bool is_joined() {
    if (!left_.starts_with('+')) return false;
    drop(1);
    skip();
    if (!left_.starts_with('"')) refuse(line_, "a text is to follow +");
    return true;
  }

  void read_html() {
    word_.kind = DotWord::Kind::text;
    std::size_t open = 0;
    do {
      if (left_.empty()) refuse(word_.line, "< is not closed");
      if (left_.front() == '<') ++open;
      if (left_.front() == '>') --open;
      word_.text += drop(1);
    } while (open > 0);
  }

  std::string drop(std::size_t size) {
    std::string dropped(left_.substr(0, size));
    line_ += static_cast<std::uint64_t>(std::ranges::count(dropped, '\n'));
    if (!dropped.empty()) is_line_start_ = dropped.back() == '\n';
    left_.remove_prefix(size);
    return dropped;
  }

  std::string_view left_;
  std::uint64_t line_ = 1;
  bool is_line_start_ = true;
  DotWord word_;
};

class DotReader {
 public:
  DotReader(std::string_view text, const GraphReading& reading) : words_(text), draft_(reading) {}

  Graph graph() {
    if (words_.look().is_keyword("strict")) {
      words_.take();
      is_strict_ = true;
    }
    const DotWord kind = words_.take();
    is_directed_ = kind.is_keyword("digraph");
    if (!is_directed_ && !kind.is_keyword("graph"))
      DotWords::refuse(kind.line, "it begins neither with graph nor digraph");
    if (is_directed_) draft_.set_directed();
    if (words_.look().is_name()) words_.take();
    words_.expect("{");
    read_statements();
    if (words_.look().kind != DotWord::Kind::end) words_.refuse_here("after the graph; only one is read");
    for (GraphDraft::Node& node : nodes_) draft_.add(std::move(node));
    for (const Edge& edge : edges_) draft_.link(edge.ends.first, edge.ends.second, edge.cables);
    return draft_.graph([this](std::size_t link) { return "line " + std::to_string(edges_[link].line); });
  }

 private:
  using Name = GraphDraft::Name;
  using Group = std::vector<Name>;  // one node, or those of a subgraph
  using Attributes = std::unordered_map<std::string, std::string>;

  struct Edge {
    std::pair<Name, Name> ends;
    std::uint64_t line;
    std::uint32_t cables = 1;
  };

  /// The nodes of the statements up to the closing brace.
  Group read_statements() {
    if (++depth_ > most_inside) words_.refuse_here("inside more than " + std::to_string(most_inside) + " braces");
    Group all;
    while (!words_.take_if("}")) {
      if (words_.take_if(";")) continue;
      const Group nodes = read_statement();
      all.insert(all.end(), nodes.begin(), nodes.end());
    }
    --depth_;
    std::set<Name> known;
    std::erase_if(all, [&](Name name) { return !known.insert(name).second; });
    return all;
  }

  Group read_statement() {
    for (const std::string_view of_all : {"graph", "node", "edge"}) {
      if (!words_.look().is_keyword(of_all)) continue;
      words_.take();
      read_attributes();
      return {};
    }
    if (words_.look().is("{") || words_.look().is_keyword("subgraph")) return read_edges(read_subgraph());
    const DotWord word = take_name();
    if (words_.take_if("=")) {
      take_name();
      return {};
    }
    Group node{read_node(word)};
    if (is_edge_sign(words_.look())) return read_edges(std::move(node));
    describe(node.front(), read_attributes());
    return node;
  }

  static bool is_edge_sign(const DotWord& word) { return word.is("--") || word.is("->"); }

  DotWord take_name() {
    if (!words_.look().is_name()) words_.refuse_here("where a name is to stand");
    return words_.take();
  }

  /// The node of that name, whose port is not of interest.
  Name read_node(const DotWord& word) {
    while (words_.take_if(":")) take_name();
    const Name name = draft_.number_or_word(word.text);
    if (places_.try_emplace(name, nodes_.size()).second) nodes_.push_back({.name = name});
    return name;
  }

  Group read_subgraph() {
    if (words_.look().is_keyword("subgraph")) {
      words_.take();
      if (words_.look().is_name()) words_.take();
    }
    words_.expect("{");
    return read_statements();
  }

  /// What follows the first group: every node of a group is linked to all of the next.
  Group read_edges(Group group) {
    Group all = group;
    const std::size_t first = edges_.size();
    while (is_edge_sign(words_.look())) {
      const DotWord sign = words_.take();
      if (sign.is("->") != is_directed_) {
        DotWords::refuse(sign.line, sign.text + " in " + (is_directed_ ? "a digraph" : "a graph without directions"));
      }
      const bool is_group = words_.look().is("{") || words_.look().is_keyword("subgraph");
      Group next = is_group ? read_subgraph() : Group{read_node(take_name())};
      for (const Name one : group) {
        for (const Name other : next) add_edge(one, other, sign.line);
      }
      all.insert(all.end(), next.begin(), next.end());
      group = std::move(next);
    }
    const Attributes attributes = read_attributes();
    const auto multiplicity = attributes.find("multiplicity");
    for (std::size_t edge = first; edge < edges_.size() && multiplicity != attributes.end(); ++edge) {
      edges_[edge].cables = cables(multiplicity->second, edges_[edge].line);
    }
    return all;
  }

  void add_edge(Name one, Name other, std::uint64_t line) {
    const auto ends = is_directed_ ? std::pair(one, other) : std::pair(std::min(one, other), std::max(one, other));
    if (is_strict_ && !linked_.insert(ends).second) return;
    if (edges_.size() == GraphDraft::most_links) DotWords::refuse(line, "there are too many links");
    edges_.push_back({{one, other}, line});
  }

  static std::uint32_t cables(const std::string& text, std::uint64_t line) {
    const auto number = number_in<std::uint32_t>(text);
    if (number && *number >= 1 && *number <= GraphDraft::most_cables) return *number;
    DotWords::refuse(line, "the multiplicity " + quoted(text) + " is no whole number from 1 to " +
                               std::to_string(GraphDraft::most_cables));
  }

  /// Any number of lists in brackets.
  Attributes read_attributes() {
    Attributes attributes;
    while (words_.take_if("[")) {
      while (!words_.take_if("]")) {
        if (words_.take_if(",") || words_.take_if(";")) continue;
        const DotWord key = take_name();
        attributes[key.text] = words_.take_if("=") ? take_name().text : "true";
      }
    }
    return attributes;
  }

  void describe(Name name, const Attributes& attributes) {
    GraphDraft::Node& node = nodes_[places_.at(name)];
    const auto label = attributes.find("label");
    if (label != attributes.end() && label->second != "\\N") node.label = printable(label->second);
    const auto pos = attributes.find("pos");
    if (pos == attributes.end()) return;
    const std::size_t comma = std::min(pos->second.find(','), pos->second.size());
    node.x = inches(std::string_view(pos->second).substr(0, comma));
    node.y = inches(std::string_view(pos->second).substr(std::min(comma + 1, pos->second.size())));
  }

  /// Of "72" or "72!", in points.
  static std::optional<double> inches(std::string_view text) {
    if (text.ends_with('!')) text.remove_suffix(1);
    const auto points = number_in<double>(text);
    return points ? std::optional(*points / 72) : std::nullopt;
  }

  static constexpr unsigned most_inside = 100;

  DotWords words_;
  GraphDraft draft_;
  bool is_strict_ = false;  // equal edges are one
  bool is_directed_ = false;
  unsigned depth_ = 0;
  std::vector<GraphDraft::Node> nodes_;
  std::unordered_map<Name, std::size_t> places_;  // of the nodes in nodes_
  std::vector<Edge> edges_;
  std::set<std::pair<Name, Name>> linked_;  // of a strict graph
};

}  // namespace

Graph read_dot(const std::string& text, const GraphReading& reading) { return DotReader(text, reading).graph(); }

}  // namespace lockstep
