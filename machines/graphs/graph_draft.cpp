#include "graphs/graph_draft.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "graphs/number_in.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

/// The whole number that the text is, without a sign or a leading zero.
std::optional<std::uint64_t> number_of(std::string_view text) {
  const auto number = number_in<std::uint64_t>(text);
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  return !number || has_leading_zero || *number > most_processors ? std::nullopt : number;
}

/// Larger coordinates are no drawing.
bool is_drawable(const std::optional<double>& coordinate) { return coordinate && std::abs(*coordinate) <= 1e9; }

}  // namespace

GraphDraft::Name GraphDraft::word(const std::string& text, const std::string& label) {
  const auto [place, is_new] = words_.emplace(text, first_word + words_.size());
  if (is_new) word_labels_.push_back(printable(label));
  return place->second;
}

GraphDraft::Name GraphDraft::number_or_word(std::string_view text) {
  if (const auto number = number_of(text)) return *number;
  const std::string word_text(text);
  return word(word_text, word_text);
}

bool GraphDraft::add(Node node) {
  if (nodes_.size() == most_processors) refuse_graph("it has more nodes than a machine may have processors");
  const bool is_new = ranks_.emplace(node.name, static_cast<Rank>(nodes_.size())).second;
  if (is_new) nodes_.push_back(std::move(node));
  return is_new;
}

void GraphDraft::link(Name a, Name b, std::uint32_t multiplicity) {
  if (links_.size() == most_links) refuse_graph("it has more than " + std::to_string(most_links) + " links");
  if (multiplicities_.empty() && multiplicity != 1) multiplicities_.resize(links_.size(), 1);
  if (multiplicity != 1 || !multiplicities_.empty()) multiplicities_.push_back(multiplicity);
  links_.emplace_back(a, b);
}

Graph GraphDraft::graph(const Place& link_place) {
  const auto is_number = [](const Node& node) { return node.name < first_word; };
  if (std::ranges::all_of(nodes_, is_number)) number_by_name();
  std::vector<Graph::Link> links;
  links.reserve(links_.size());
  const auto rank = [&](Name name) {
    const auto node = ranks_.find(name);
    if (node == ranks_.end())
      refuse_graph(link_place(links.size()) + " leads to " + text_of(name) + ", which is no node");
    return node->second;
  };
  for (const auto& [a, b] : links_) {
    const Rank from = rank(a);
    links.emplace_back(from, rank(b));
  }
  links_ = {};
  settle_repeated(links, link_place);
  try {
    Graph graph(static_cast<Rank>(nodes_.size()), links, labels(), positions(), multiplicities_);
    graph.set_notes(std::move(notes_));
    return graph;
  } catch (const Graph::LinkError& error) {
    refuse_graph(link_place(error.link()) + ": " + error.what() + "; multigraph=merge or count takes such links");
  }
}

// Sorted by the two nodes, the links between them stand together, in the order of the file.
void GraphDraft::settle_repeated(std::vector<Graph::Link>& links, const Place& link_place) {
  const auto ends = [&](std::size_t link) { return std::minmax(links[link].first, links[link].second); };
  const auto cables = [&](std::size_t link) { return multiplicities_.empty() ? 1 : multiplicities_[link]; };
  std::vector<std::size_t> order(links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t link) { return std::pair<Rank, Rank>(ends(link)); });
  std::vector<std::span<const std::size_t>> groups;
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && ends(order[end]) == ends(order[first])) ++end;
    groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first), end - first);
    first = end;
  }
  const auto is_loop = [&](std::span<const std::size_t> group) {
    return links[group.front()].first == links[group.front()].second;
  };
  const auto is_both_ways = [&](std::span<const std::size_t> group) {
    return group.size() == 2 && links[group[0]].first == links[group[1]].second && cables(group[0]) == cables(group[1]);
  };
  const auto stray = std::ranges::find_if(groups, [&](auto group) { return !is_loop(group) && !is_both_ways(group); });
  const bool both_ways = !groups.empty() && stray == groups.end();
  if (is_directed_ && stray != groups.end()) {
    refuse_graph(link_place(stray->front()) +
                 ": it is directed, and not every link has one back; only undirected graphs are machines");
  }
  const auto loops = static_cast<std::size_t>(std::ranges::count_if(groups, is_loop));
  const bool are_repeated = groups.size() < links.size() || loops > 0;
  if (!are_repeated || (reading_.repeated == GraphReading::Repeated::refuse && (!both_ways || loops > 0))) return;
  std::vector<Graph::Link> kept;
  std::vector<std::uint32_t> numbers;
  for (const auto group : groups) {
    if (is_loop(group)) continue;
    kept.push_back(links[group.front()]);
    std::uint64_t number = 0;
    for (const std::size_t link : group) number += cables(link);
    if (both_ways || reading_.repeated == GraphReading::Repeated::merge) number = cables(group.front());
    if (number > most_cables) {
      refuse_graph(link_place(group.back()) + ": with it more than " + std::to_string(most_cables) +
                   " cables join the two");
    }
    numbers.push_back(static_cast<std::uint32_t>(number));
  }
  if (both_ways) {
    note("every link stands there once in each direction");
  } else if (groups.size() < links.size()) {
    note(std::to_string(links.size() - groups.size()) + " repeated links are " +
         (reading_.repeated == GraphReading::Repeated::merge ? "merged" : "counted as cables"));
  }
  if (loops > 0) note("links of nodes to themselves are left out");
  links = std::move(kept);
  multiplicities_ = std::move(numbers);
}

std::string GraphDraft::text_of(Name name) const {
  return name < first_word ? std::to_string(name) : quoted(word_labels_[name - first_word]);
}

// As many different numbers as there are nodes, the largest below their count, are exactly 0 to the count - 1.
void GraphDraft::number_by_name() {
  std::ranges::sort(nodes_, {}, &Node::name);
  for (std::size_t index = 0; index < nodes_.size(); ++index) ranks_[nodes_[index].name] = static_cast<Rank>(index);
  if (nodes_.empty() || nodes_.back().name < nodes_.size()) return;
  is_renumbered_ = true;
  const std::string first = std::to_string(nodes_.front().name);
  const std::string last = std::to_string(nodes_.back().name);
  if (nodes_.back().name - nodes_.front().name == nodes_.size() - 1) {
    note("nodes " + first + " to " + last + " are ranks 0 to " + std::to_string(nodes_.size() - 1));
  } else {
    note("nodes from " + first + " to " + last + ", with gaps, are ranks in ascending order");
  }
}

// A number becomes a label if another node has a name, since it is no rank then.
std::vector<std::string> GraphDraft::labels() const {
  const auto is_word = [](const Node& node) { return node.name >= first_word; };
  const bool are_named = is_renumbered_ || std::ranges::any_of(nodes_, is_word);
  std::vector<std::string> labels;
  labels.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    const std::string name = is_word(node) ? word_labels_[node.name - first_word] : std::to_string(node.name);
    labels.push_back(are_named && node.label.empty() ? name : node.label);
  }
  const auto is_empty = [](const std::string& label) { return label.empty(); };
  return std::ranges::all_of(labels, is_empty) ? std::vector<std::string>() : labels;
}

std::vector<Position> GraphDraft::positions() const {
  std::vector<Position> positions;
  for (const Node& node : nodes_) {
    if (!is_drawable(node.x) || !is_drawable(node.y)) return {};
    positions.push_back({*node.x, *node.y});
  }
  return positions;
}

}  // namespace lockstep
