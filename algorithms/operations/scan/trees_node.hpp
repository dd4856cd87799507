#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "part_trees.hpp"
#include "parts_of_values.hpp"
#include "scan.hpp"

// A processor in the trees of all parts of a vector (any-graph.md, Scan in parts).
namespace lockstep::scan {

/// A part of a partial result.
template <class Value>
struct PartialOfPart {
  Rank part;
  Partial<Value> partial;
};

/// What a processor has.
template <class Value>
struct InOrderTreesCollected {
  Partial<Value> own;                            ///< its value
  Partial<Value> prefix{};                       ///< in the end; of no ranks where it has none
  std::vector<PartialOfPart<Value>> received{};  ///< where they are judged
};

/// A run of ranks whose result comes from a child, or the node's own rank.
struct TreePiece {
  static constexpr std::size_t own = ~std::size_t{0};

  RankRun run;
  std::size_t child;  ///< by its place among the children
};

/// The pieces of a node's subtree, by ascending ranks. A piece that ends with the last rank does not come.
inline std::vector<TreePiece> pieces_of(const PartTree& tree, Rank node) {
  std::vector<TreePiece> pieces{{{node, 1}, TreePiece::own}};
  for (std::size_t index = 0; index < tree.children(node).size(); ++index) {
    for (const RankRun& run : tree.runs(tree.children(node)[index])) pieces.push_back({run, index});
  }
  std::ranges::sort(pieces, {}, [](const TreePiece& piece) { return piece.run.first; });
  return pieces;
}

/// The rank after the last whose value the node sends up.
inline Rank end_of_sent(const PartTree& tree, Rank node) {
  const RankRun& last = tree.runs(node).back();
  return last.end() == tree.nodes() ? last.first : last.end();
}

/// Whether the prefix at the end of the piece is needed in the node: by the next piece, or as the node's own.
inline bool is_prefix_needed(const std::vector<TreePiece>& pieces, std::size_t index, Prefix prefix) {
  if (pieces[index].child == TreePiece::own && prefix == Prefix::inclusive) return true;
  return index + 1 < pieces.size() && pieces[index + 1].run.first == pieces[index].run.end();
}

/// A node's part of the vector: what it waits for, and has to send.
template <class Value>
struct PartAtNode {
  std::vector<TreePiece> pieces{};
  std::vector<Partial<Value>> partials{};              ///< of the pieces
  std::vector<Partial<Value>> came{};                  ///< prefixes from the parent
  std::vector<std::vector<Partial<Value>>> leaving{};  ///< prefixes for the children
  Rank senders = 0;                                    ///< children whose results have not come
  bool has_prefixes = false;
};

/// A node of all trees.
template <class Values>
class TreesNode {
 public:
  using Value = typename Values::Value;
  using Payload = Runs<Value>;

  TreesNode(Processor<Payload>& self, const Values& values, const std::vector<PartTree>& trees, const PartWords& words,
            Prefix prefix, InOrderTreesCollected<Value>& held)
      : self_(self),
        values_(values),
        trees_(trees),
        words_(words),
        prefix_(prefix),
        held_(held),
        rank_(self.rank()),
        result_(empty_value(held.own.value)),
        parts_(trees.size()) {
    hold(words_of(held_.own));
    for (Rank part = 0; part < parts_.size(); ++part) {
      const PartTree& tree = trees_[part];
      PartAtNode<Value>& at = parts_[part];
      at.pieces = pieces_of(tree, rank_);
      at.partials.resize(at.pieces.size());
      at.leaving.resize(tree.children(rank_).size());
      at.senders = tree.senders(rank_);
      at.has_prefixes = tree.sent_down(rank_) == 0;
      const auto own = std::ranges::find(at.pieces, TreePiece::own, &TreePiece::child);
      at.partials[static_cast<std::size_t>(own - at.pieces.begin())] = {
          rank_, 1, parts::words_from(held_.own.value, words_.first(part), words_.size(part))};
      complete(part);
    }
  }

  Payload message(const FlightsMove& move) {
    Payload message;
    for (const PartFlight& flight : move.flights) {
      message.labels.push_back(flight.part);
      if (flight.up) {
        add_joined(flight.part, message);
      } else {
        auto& leaving = parts_[flight.part].leaving[child_index(flight)];
        hold_back(words_of(leaving));
        std::ranges::move(leaving, std::back_inserter(message.partials));
      }
    }
    return message;
  }

  void take(const FlightsMove& move, Payload came) {
    if (!std::ranges::equal(came.labels, move.flights, {}, {}, &PartFlight::part)) throw_unexpected(move);
    auto next = came.partials.begin();
    for (const PartFlight& flight : move.flights) {
      const PartTree& tree = trees_[flight.part];
      const Rank count = flight.up ? tree.sent_up(flight.node) : tree.sent_down(flight.node);
      if (static_cast<std::size_t>(came.partials.end() - next) < count) throw_unexpected(move);
      std::vector<Partial<Value>> partials(std::make_move_iterator(next), std::make_move_iterator(next + count));
      next += count;
      check(flight, partials, move);
      if (values_.may_absorb()) {
        for (const Partial<Value>& partial : partials) held_.received.push_back({flight.part, partial});
      }
      hold(words_of(partials));
      keep(flight, std::move(partials));
      complete(flight.part);
    }
    if (next != came.partials.end()) throw_unexpected(move);
  }

  /// To be called when all parts are complete.
  void finish() { held_.prefix.value = held_.prefix.count > 0 ? std::move(result_) : Value{}; }

 private:
  static std::uint64_t words_of(const Partial<Value>& partial) { return lockstep::words(partial.value); }
  static std::uint64_t words_of(const std::vector<Partial<Value>>& partials) {
    std::uint64_t sum = 0;
    for (const Partial<Value>& partial : partials) sum += words_of(partial);
    return sum;
  }

  void hold(std::uint64_t words) {
    held_words_ += words;
    self_.hold(held_words_);
  }
  void hold_back(std::uint64_t words) {
    held_words_ -= words;
    self_.hold(held_words_);
  }

  [[noreturn]] void throw_unexpected(const FlightsMove& move) const {
    throw std::logic_error("the message of rank " + std::to_string(move.from) +
                           " has other results than those that are due");
  }

  std::size_t child_index(const PartFlight& flight) const {
    const std::vector<Rank>& children = trees_[flight.part].children(rank_);
    return static_cast<std::size_t>(std::ranges::find(children, flight.node) - children.begin());
  }

  void check(const PartFlight& flight, const std::vector<Partial<Value>>& partials, const FlightsMove& move) const {
    const std::vector<RankRun>& runs = trees_[flight.part].runs(flight.node);
    const std::size_t skipped = flight.up ? 0 : runs.size() - partials.size();
    for (std::size_t index = 0; index < partials.size(); ++index) {
      const RankRun& run = runs[index + skipped];
      const RankRun due = flight.up ? run : RankRun{0, run.first};
      if (partials[index].first != due.first || partials[index].count != due.count ||
          words_of(partials[index]) != words_.size(flight.part)) {
        throw_unexpected(move);
      }
    }
  }

  void keep(const PartFlight& flight, std::vector<Partial<Value>> partials) {
    PartAtNode<Value>& at = parts_[flight.part];
    if (!flight.up) {
      at.came = std::move(partials);
      at.has_prefixes = true;
      return;
    }
    const std::size_t child = child_index(flight);
    auto next = partials.begin();
    for (std::size_t index = 0; index < at.pieces.size() && next != partials.end(); ++index) {
      if (at.pieces[index].child == child) at.partials[index] = std::move(*next++);
    }
    --at.senders;
  }

  /// The results of the runs of the node's subtree.
  void add_joined(Rank part, Payload& message) {
    const PartAtNode<Value>& at = parts_[part];
    const std::size_t first = message.partials.size();
    for (std::size_t index = 0; index < at.pieces.size(); ++index) {
      const RankRun& run = at.pieces[index].run;
      if (run.first >= end_of_sent(trees_[part], rank_)) break;
      auto& partials = message.partials;
      if (partials.size() > first && partials.back().first + partials.back().count == run.first) {
        append(self_, values_, partials.back(), at.partials[index]);
      } else {
        partials.push_back(at.partials[index]);
      }
    }
  }

  /// Computes the prefixes of the part, once all has come that they need.
  void complete(Rank part) {
    PartAtNode<Value>& at = parts_[part];
    if (at.senders > 0 || !at.has_prefixes) return;
    std::optional<Partial<Value>> before;  // of all ranks below the piece
    auto next = at.came.begin();
    for (std::size_t index = 0; index < at.pieces.size(); ++index) {
      const TreePiece& piece = at.pieces[index];
      if (piece.run.first > 0 && (!before || before->count != piece.run.first)) before = std::move(*next++);
      const bool is_own = piece.child == TreePiece::own;
      if (!is_own && before) at.leaving[piece.child].push_back(*before);
      if (is_own && prefix_ == Prefix::exclusive && before) keep_prefix(part, *before);
      if (!is_prefix_needed(at.pieces, index, prefix_)) continue;
      if (before) {
        append(self_, values_, *before, at.partials[index]);
      } else {
        before = at.partials[index];
      }
      if (is_own && prefix_ == Prefix::inclusive) keep_prefix(part, *before);
    }
    for (const auto& leaving : at.leaving) hold(words_of(leaving));
    hold_back(words_of(at.came));
    at.came.clear();
  }

  void keep_prefix(Rank part, const Partial<Value>& prefix) {
    hold(words_of(prefix));
    put_part(result_, words_.first(part), prefix.value);
    held_.prefix.first = 0;
    held_.prefix.count = prefix.count;
  }

  Processor<Payload>& self_;
  const Values& values_;
  const std::vector<PartTree>& trees_;
  const PartWords& words_;
  Prefix prefix_;
  InOrderTreesCollected<Value>& held_;
  Rank rank_;
  Value result_;
  std::vector<PartAtNode<Value>> parts_;
  std::uint64_t held_words_ = 0;
};

}  // namespace lockstep::scan
