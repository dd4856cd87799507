#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graphs/graph_readers.hpp"
#include "graphs/line_reader.hpp"

namespace lockstep {

namespace {

/// The contents of a BookSim anynet file: one `router R node N router S ..` per line, each name optionally followed by
/// the latency of its channel. A router may have several nodes, a node has one router.
class AnynetReader {
 public:
  AnynetReader(std::string_view text, const GraphReading& reading) : reading_(reading), lines_(text, reading) {}

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
      if (number_in<std::uint32_t>(word)) word = lines_.word();  // a latency
    }
  }

  NodeName part(std::string_view kind) {
    if (kind != "router" && kind != "node") lines_.refuse(quoted(kind) + " is neither router nor node");
    const std::string_view text = lines_.word();
    const std::optional<std::uint32_t> found = number_in<std::uint32_t>(text);
    if (!found) lines_.refuse("after " + std::string(kind) + " its number is expected, not " + quoted(text));
    if (kind == "router") nodes_of_[*found];
    return {.is_router = kind == "router", .number = *found};
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
    GraphDraft draft(reading_);
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
    return draft.graph([&lines](std::size_t link) { return at_line(lines[link]); });
  }

  GraphReading reading_;
  LineReader lines_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> nodes_of_;  // of each router, with their lines
  std::map<std::uint32_t, std::uint32_t> router_of_;                          // of each node
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> links_;    // of routers, with their lines
};

}  // namespace

bool is_anynet(std::string_view text) {
  LineReader lines(text, {});
  if (!lines.next()) return false;
  const std::string_view head = lines.word();
  if (head != "router" && head != "node") return false;
  lines.word();
  const std::string_view joined = lines.word();
  return joined == "router" || joined == "node";
}

Graph read_anynet(const std::string& text, const GraphReading& reading) { return AnynetReader(text, reading).graph(); }

}  // namespace lockstep
