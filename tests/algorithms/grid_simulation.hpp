#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "method_run.hpp"

// Shared by the tests of collectives on grids: grids of both kinds, and a simulation of messages that knows only
// coordinates, no schedule and no address arithmetic of the library.
namespace lockstep {

/// A torus or mesh.
struct Shape {
  bool is_torus;
  std::vector<std::uint64_t> sides;

  std::string text() const {
    std::string text = is_torus ? "torus:" : "mesh:";
    for (const std::uint64_t side : sides) text += (text.back() == ':' ? "" : "x") + std::to_string(side);
    return text;
  }
  std::uint64_t size() const {
    std::uint64_t product = 1;
    for (const std::uint64_t side : sides) product *= side;
    return product;
  }
  /// Lists of coordinates in the order of the ranks.
  std::vector<std::vector<std::uint64_t>> processors() const {
    std::vector<std::vector<std::uint64_t>> all{{}};
    for (const std::uint64_t side : sides) {
      std::vector<std::vector<std::uint64_t>> longer;
      for (const auto& one : all) {
        for (std::uint64_t next = 0; next < side; ++next) {
          longer.push_back(one);
          longer.back().push_back(next);
        }
      }
      all = longer;
    }
    return all;
  }
};

/// Tori and meshes of one to four dimensions, with sides of 1, 2 and more.
inline const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made;
    for (const bool is_torus : {true, false}) {
      for (const auto& sides : std::vector<std::vector<std::uint64_t>>{
               {1, 1},    {1, 2},    {1, 5},    {2, 1},    {2, 2},    {2, 3},       {3, 2},
               {3, 3},    {3, 4},    {4, 3},    {5, 2},    {6, 4},    {5, 7},       {1, 1, 1},
               {2, 2, 2}, {2, 3, 4}, {4, 1, 3}, {3, 3, 3}, {3, 2, 5}, {2, 3, 2, 2}, {6}}) {
        made.push_back({is_torus, sides});
      }
    }
    return made;
  }();
  return all;
}

/// A mesh of one dimension, which is a separate family.
inline Shape path(std::uint64_t k) { return {false, {k}}; }
inline std::string path_text(std::uint64_t k) { return "path:" + std::to_string(k); }

inline bool has_side_of_two(const Shape& shape) { return std::ranges::count(shape.sides, 2U) > 0; }

/// The models in which one-port methods are legal there.
inline std::vector<Model> models_for(const Shape& shape) {
  std::vector<Model> models;
  for (const PortModel ports : {PortModel::one, PortModel::all}) {
    models.push_back(model_of(ports));
    // A ring of two would need both directions of its one link (saad-schultz-1985.md, Small machines).
    if (!shape.is_torus || !has_side_of_two(shape)) models.push_back(model_of(ports, Duplex::half_link));
  }
  return models;
}

/// 1 on a torus or where both directions of a path are used at once, otherwise 2: "one sense after the other".
inline std::uint64_t turns(const Shape& shape, const Model& model) {
  return shape.is_torus || (model.ports == PortModel::all && model.duplex == Duplex::full) ? 1 : 2;
}

/// The block of a rank or of a pair of ranks.
using Thing = std::pair<std::uint64_t, std::uint64_t>;
using Coordinates = std::vector<std::uint64_t>;

/// Every processor holds a set of things; a step moves some of them, all at once.
class Simulation {
 public:
  Simulation(const Shape& shape, std::uint64_t words) : shape_(shape), words_(words) {
    const auto all = shape.processors();
    for (std::uint64_t rank = 0; rank < all.size(); ++rank) {
      coordinates_.push_back(all[rank]);
      ranks_[all[rank]] = rank;
    }
  }

  std::uint64_t size() const { return coordinates_.size(); }
  const Coordinates& at(std::uint64_t rank) const { return coordinates_[rank]; }
  std::uint64_t rank(const Coordinates& place) const { return ranks_.at(place); }

  /// The neighbour in a dimension, ahead or behind.
  std::uint64_t neighbour(std::uint64_t rank, std::size_t dimension, bool ahead) const {
    Coordinates place = coordinates_[rank];
    const std::uint64_t side = shape_.sides[dimension];
    place[dimension] = (place[dimension] + (ahead ? 1 : side - 1)) % side;
    return ranks_.at(place);
  }

  /// One message; those of a step are sent before step() is called.
  void send(std::uint64_t to, std::set<Thing> things) {
    if (things.empty()) return;
    sent_.push_back({to, std::move(things)});
  }
  /// Ends the step and delivers its messages; returns whether there were any.
  bool step(const std::function<void(std::uint64_t, const std::set<Thing>&)>& receive) {
    if (sent_.empty()) return false;
    std::uint64_t longest = 0;
    for (const auto& [to, things] : sent_) {
      longest = std::max(longest, things.size() * words_);
      counts_.messages = counts_.messages.value_or(0) + 1;
      counts_.words = counts_.words.value_or(0) + things.size() * words_;
      receive(to, things);
    }
    lengths_.push_back(longest);
    sent_.clear();
    return true;
  }

  SpecCounts counts(bool reversed = false) {
    if (reversed) std::ranges::reverse(lengths_);
    counts_.steps = lengths_.size();
    counts_.longest = lengths_;
    if (!counts_.messages) counts_.messages = counts_.words = 0;
    return counts_;
  }

 private:
  Shape shape_;
  std::uint64_t words_;
  std::vector<Coordinates> coordinates_;
  std::map<Coordinates, std::uint64_t> ranks_;
  std::vector<std::pair<std::uint64_t, std::set<Thing>>> sent_;
  SpecCounts counts_;
  Lengths lengths_;
};

}  // namespace lockstep
