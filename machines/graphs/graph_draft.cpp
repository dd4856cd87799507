#include "graphs/graph_draft.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

namespace {

/// The whole number that the text is, without a sign or a leading zero.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  if (error != std::errc() || rest != end || has_leading_zero || number > most_processors) return std::nullopt;
  return number;
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
  if (const auto number = whole_number(text)) return *number;
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

Graph GraphDraft::graph(const Place& name_place, const Place& link_place) {
  const auto is_number = [](const Node& node) { return node.name < first_word; };
  if (std::ranges::all_of(nodes_, is_number)) number_by_name(name_place);
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
  try {
    return Graph(static_cast<Rank>(nodes_.size()), links, labels(), positions(), multiplicities_);
  } catch (const Graph::LinkError& error) {
    refuse_graph(link_place(error.link()) + ": " + error.what());
  }
}

std::string GraphDraft::text_of(Name name) const {
  return name < first_word ? std::to_string(name) : quoted(word_labels_[name - first_word]);
}

/// As many different numbers as there are nodes, all below their count, are exactly 0 to the count - 1.
void GraphDraft::number_by_name(const Place& name_place) {
  for (std::size_t index = 0; index < nodes_.size(); ++index) {
    const Name name = nodes_[index].name;
    if (name < nodes_.size()) {
      ranks_[name] = static_cast<Rank>(name);
      continue;
    }
    refuse_graph(name_place(index) + " is " + text_of(name) + ", but the " + std::to_string(nodes_.size()) +
                 " nodes are to be 0 to " + std::to_string(nodes_.size() - 1));
  }
  std::ranges::sort(nodes_, {}, &Node::name);
}

// A number becomes a label if another node has a name, since it is no rank then.
std::vector<std::string> GraphDraft::labels() const {
  const auto is_word = [](const Node& node) { return node.name >= first_word; };
  const bool are_named = std::ranges::any_of(nodes_, is_word);
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
