#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lockstep/machines/graph.hpp"

namespace lockstep {

/// A graph as a file describes it, with names in place of ranks.
class GraphDraft {
 public:
  explicit GraphDraft(const GraphReading& reading) : reading_(reading) {}

  /// A node's name: a whole number up to most_processors stands for itself, a text for a larger number.
  using Name = std::uint64_t;

  /// The file's data for a node.
  struct Node {
    Name name = 0;
    std::string label = {};        ///< empty: its name
    std::optional<double> x = {};  ///< where it is drawn, if the file gives both
    std::optional<double> y = {};
  };

  /// The most links that are read, which take up to a gibibyte.
  static constexpr std::uint64_t most_links = std::uint64_t{1} << 24;
  /// The most cables of a link.
  static constexpr std::uint32_t most_cables = 1000;

  /// The name for a text, the same for equal texts. `label` is its form for people.
  Name word(const std::string& text, const std::string& label);
  /// The name for a text that may be a whole number.
  Name number_or_word(std::string_view text);

  /// Adds a node; false, without effect, if it exists already.
  bool add(Node node);
  /// Adds a link that stands for `multiplicity` cables; of a directed graph, one from a to b.
  void link(Name a, Name b, std::uint32_t multiplicity = 1);
  /// Links have directions, and each is to have one back.
  void set_directed() { is_directed_ = true; }
  /// What was assumed in reading, in a few words.
  void note(std::string text) { notes_.push_back(std::move(text)); }

  std::size_t nodes() const { return nodes_.size(); }
  std::size_t links() const { return links_.size(); }

  /// The graph. `link_place` returns where the file has the i-th link. Throws std::invalid_argument with one line: what
  /// is wrong, and where.
  using Place = std::function<std::string(std::size_t)>;
  Graph graph(const Place& link_place);

 private:
  static constexpr Name first_word = Name{1} << 32;

  /// The node in quotes if its name is a text.
  std::string text_of(Name name) const;
  void number_by_name();
  void settle_repeated(std::vector<Graph::Link>& links, const Place& link_place);
  std::vector<std::string> labels() const;
  std::vector<Position> positions() const;

  GraphReading reading_;
  bool is_directed_ = false;
  bool is_renumbered_ = false;  // numbers are labels
  std::vector<std::string> notes_;
  std::vector<Node> nodes_;
  std::vector<std::pair<Name, Name>> links_;
  std::vector<std::uint32_t> multiplicities_;  // of the links; empty as long as all are single
  std::unordered_map<Name, Rank> ranks_;       // the nodes' places in nodes_
  std::unordered_map<std::string, Name> words_;
  std::vector<std::string> word_labels_;
};

}  // namespace lockstep
