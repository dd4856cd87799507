// The broadcasts on tori of any sides, meshes and paths against the rules of saad-schultz-1988.md, Axis broadcast, Two
// streams and Two phases, simulated message by message with separate coordinates, and against its formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "../../../sanitized.hpp"
#include "method_run.hpp"
#include "naive_grid.hpp"

namespace lockstep::grid_broadcast_test {
namespace {

using Number = std::uint64_t;

/// The broadcast that is simulated.
enum class Kind { axis, two_phase, handback, late };

std::string_view name_of(Kind kind) {
  constexpr std::string_view names[] = {"broadcast/axis", "broadcast/two-phase", "broadcast/two-streams",
                                        "broadcast/two-streams-late"};
  return names[static_cast<std::size_t>(kind)];
}

std::ostream& operator<<(std::ostream& out, Kind kind) { return out << name_of(kind); }

/// The broadcast from a root, seen from the receivers: the sender and the step of each packet that a processor
/// receives.
class Play {
 public:
  /// `by_turns`: a processor only sends or only receives in a step.
  Play(const NaiveGrid& grid, Rank root, Kind kind, Number packets, bool by_turns = false)
      : grid_(grid), root_(root), kind_(kind), packets_(packets), by_turns_(by_turns) {
    for (std::size_t side = 0; side < grid.sides.size(); ++side) {
      all_.push_back(side);
      if (grid.sides[side] > 1) wide_.push_back(side);
    }
  }

  /// Parts of the item that travel in separate packets.
  Number parts() const {
    return kind_ == Kind::axis || kind_ == Kind::two_phase ? 1 : std::max<Number>(1, wide_.size());
  }

  SpecCounts counts(Number words) {
    for (Rank rank = 0; rank < grid_.processors(); ++rank) {
      for (Number part = 0; rank != root_ && part < parts(); ++part) receive(rank, part, words);
    }
    Number sum = 0;
    Number moved = 0;
    for (const auto& [step, longest] : longest_) sum += longest;
    for (const auto& [step, more] : words_) moved += more;
    expect_legal();
    return {longest_.empty() ? 0 : longest_.rbegin()->first, sum, used_.size(), moved, used_.size()};
  }

 private:
  struct Arrival {
    Rank from;
    Number step;  ///< of packet 0
  };

  /// The last of these dimensions, from `first` on round, in which the offsets are not 0.
  static std::size_t last(const std::vector<int>& offsets, const std::vector<std::size_t>& dimensions,
                          std::size_t first) {
    std::size_t found = dimensions[first];
    for (std::size_t next = 0; next < dimensions.size(); ++next) {
      const std::size_t dimension = dimensions[(first + next) % dimensions.size()];
      if (offsets[dimension] != 0) found = dimension;
    }
    return found;
  }

  Rank nearer(std::vector<int> offsets, std::size_t dimension) const {
    offsets[dimension] += offsets[dimension] > 0 ? -1 : 1;
    return grid_.at(root_, offsets);
  }

  Arrival arrival(Rank rank, Number part) const {
    std::vector<int> offsets = grid_.offsets(root_, rank);
    const auto away = static_cast<Number>(length(offsets));
    if (kind_ == Kind::axis) return {nearer(offsets, last(offsets, all_, 0)), away};
    if (kind_ == Kind::two_phase) {
      const std::size_t phase = last(offsets, all_, 0);
      auto step = static_cast<Number>(std::abs(offsets[phase]));
      for (std::size_t before = 0; before < phase; ++before) {
        if (grid_.sides[before] > 1) step += (packets_ - 1) * interval(before) + reach(before);
      }
      return {nearer(offsets, phase), step};
    }
    const std::size_t own = wide_[part];
    if (kind_ == Kind::handback && offsets[own] == 0) {
      const bool at_end = !grid_.is_torus && grid_.coordinates(root_)[own] == grid_.sides[own] - 1;
      offsets[own] = at_end ? -1 : 1;
      return {grid_.at(root_, offsets), away + 2};
    }
    Number wave = 0;
    const auto trunk = [&] { return (part + wide_.size() - wave) % wide_.size(); };
    while (offsets[wide_[trunk()]] == 0) ++wave;
    return {nearer(offsets, last(offsets, wide_, trunk())), wave * packets_ + away};
  }

  Number reach(std::size_t side) const { return static_cast<Number>(grid_.reach(root_, side)); }

  /// Steps from a packet to the next one, in the phase of a dimension if there are phases.
  Number interval(std::size_t phase) const {
    Number links = 0;
    for (const std::size_t side : all_) links += reach(side);
    if (kind_ == Kind::two_phase) links = reach(phase);
    return by_turns_ && links > 1 ? 2 : 1;
  }

  Number size(Number words, Number part, Number packet) const {
    const Number whole = words / parts() + (part < words % parts() ? 1 : 0);
    return whole / packets_ + (packet < whole % packets_ ? 1 : 0);
  }

  void receive(Rank rank, Number part, Number words) {
    const auto [from, step] = arrival(rank, part);
    if (from != root_) {
      EXPECT_LT(arrival(from, part).step, step) << rank << " receives a packet that its sender lacks";
    }
    EXPECT_EQ(length(grid_.offsets(from, rank)), 1);
    const Number between = interval(last(grid_.offsets(root_, rank), all_, 0));
    for (Number packet = 0; packet < packets_; ++packet) {
      const Number when = step + packet * between;
      EXPECT_TRUE(used_.insert({when, from, rank}).second) << "two messages on a link";
      const Number here = size(words, part, packet);
      longest_[when] = std::max(longest_[when], here);
      words_[when] += here;
    }
  }

  /// A message in every step, and except for two-streams no link is used in both directions.
  void expect_legal() const {
    Number step = 0;
    for (const auto& [next, longest] : longest_) EXPECT_EQ(next, ++step);
    if (kind_ == Kind::handback) return;
    std::set<std::pair<Number, Rank>> senders;
    for (const auto& [when, from, to] : used_) {
      EXPECT_FALSE(used_.count({when, to, from}));
      senders.insert({when, from});
    }
    if (!by_turns_) return;
    for (const auto& [when, from, to] : used_) EXPECT_FALSE(senders.count({when, to})) << to << " sends and receives";
  }

  const NaiveGrid& grid_;
  Rank root_;
  Kind kind_;
  Number packets_;
  bool by_turns_;
  std::vector<std::size_t> all_;
  std::vector<std::size_t> wide_;  ///< dimensions of two or more processors
  std::set<std::tuple<Number, Rank, Rank>> used_;
  std::map<Number, Number> longest_;
  std::map<Number, Number> words_;
};

/// Steps by the formulas of the page.
Number steps_by_formula(const NaiveGrid& grid, Rank root, Kind kind, Number packets, bool by_turns = false) {
  std::vector<Number> reaches;
  for (std::size_t side = 0; side < grid.sides.size(); ++side) {
    if (grid.sides[side] > 1) reaches.push_back(static_cast<Number>(grid.reach(root, side)));
  }
  if (reaches.empty()) return 0;
  const Number e = std::accumulate(reaches.begin(), reaches.end(), Number{0});
  const std::size_t d = reaches.size();
  const auto pipelined = [&](Number links) { return (by_turns && links > 1 ? 2 : 1) * (packets - 1) + links; };
  if (kind == Kind::axis) return pipelined(e);
  if (kind == Kind::two_phase) {
    return std::accumulate(reaches.begin(), reaches.end(), Number{0},
                           [&](Number steps, Number links) { return steps + pipelined(links); });
  }
  if (kind == Kind::handback) {
    const Number least = *std::min_element(reaches.begin(), reaches.end());
    return packets - 1 + (d == 1 ? e : std::max(e, e + 2 - least));
  }
  Number steps = 0;
  for (std::size_t wave = 0; wave < d; ++wave) {
    for (std::size_t first = 0; first < d; ++first) {
      Number links = e;
      for (std::size_t next = 0; next < wave; ++next) links -= reaches[(first + next) % d];
      steps = std::max(steps, (wave + 1) * packets - 1 + links);
    }
  }
  return steps;
}

/// Small grids of all kinds.
std::vector<NaiveGrid> small_grids() {
  std::vector<NaiveGrid> all;
  for (const std::vector<int>& sides : std::vector<std::vector<int>>{{1, 1},
                                                                     {1, 4},
                                                                     {5, 1},
                                                                     {2, 2},
                                                                     {2, 3},
                                                                     {3, 4},
                                                                     {5, 3},
                                                                     {2, 7},
                                                                     {1, 1, 1},
                                                                     {2, 2, 2},
                                                                     {3, 2, 4},
                                                                     {3, 3, 3},
                                                                     {4, 1, 3},
                                                                     {2, 3, 2, 3}}) {
    for (const bool is_torus : {true, false}) all.push_back({is_torus, sides});
  }
  for (const int side : {1, 2, 3, 4, 7}) all.push_back({false, {side}});
  return all;
}

void expect_as_played(const NaiveGrid& grid, Kind kind, Duplex duplex,
                      const std::vector<std::pair<Number, Number>>& sizes) {
  const BuiltMachine machine(grid.text());
  const Method& method = machine.method(name_of(kind));
  Model model = method.defaults;
  model.duplex = duplex;
  model.ports = PortModel::all;
  model.multicast = false;
  const bool by_turns = duplex == Duplex::half_node;
  const Rank stride = sanitized && grid.processors() > 16 ? 5 : 1;
  for (Rank root = 0; root < grid.processors(); root += stride) {
    for (const auto& [packets, more] : sizes) {
      Play play(grid, root, kind, packets, by_turns);
      const Number words = packets * play.parts() + more;
      const SpecCounts counts = play.counts(words);
      EXPECT_EQ(counts.steps, steps_by_formula(grid, root, kind, packets, by_turns)) << grid.text() << " from " << root;
      EXPECT_EQ(counts.messages, play.parts() * (grid.processors() - 1) * packets);
      EXPECT_EQ(counts.words, (grid.processors() - 1) * words);
      if (more == 0) {
        EXPECT_EQ(counts.longest_sum, counts.steps);
      }
      expect_run(machine, name_of(kind), model, packet_settings(words, packets, root), counts);
    }
  }
}

/// The strictest duplex mode in which it runs, and the next weaker one.
std::vector<Duplex> forms(Kind kind) {
  if (kind == Kind::handback) return {Duplex::full};
  if (kind == Kind::late) return {Duplex::half_link};
  return {Duplex::half_link, Duplex::half_node};
}

class OnGrids : public testing::TestWithParam<Kind> {};

TEST_P(OnGrids, MovesAsItIsPlayedFromEveryRoot) {
  for (const NaiveGrid& grid : small_grids()) {
    for (const Duplex duplex : forms(GetParam())) {
      expect_as_played(grid, GetParam(), duplex, {{1, 0}, {3, 0}, {4, 5}});
    }
  }
}

TEST_P(OnGrids, MovesAsItIsPlayedInManyPackets) {
  for (const NaiveGrid& grid : {NaiveGrid{true, {3, 6}}, NaiveGrid{false, {2, 4, 3}}, NaiveGrid{true, {4, 3, 5}}}) {
    for (const Duplex duplex : forms(GetParam())) {
      expect_as_played(grid, GetParam(), duplex, {{2, 1}, {9, 0}, {13, 20}});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, OnGrids, testing::Values(Kind::axis, Kind::two_phase, Kind::handback, Kind::late),
                         [](const auto& kind) {
                           std::string name(name_of(kind.param).substr(name_of(kind.param).find('/') + 1));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// With one port and multicast: each processor that forwards sends each packet once.
TEST(BroadcastOnGrids, NeedOnePortAndMulticastOnly) {
  for (const char* text : {"torus:2x5", "torus:3x2x4", "mesh:4x3", "mesh:2x3x3", "path:6"}) {
    const BuiltMachine machine(text);
    for (const char* method : {"broadcast/axis", "broadcast/two-phase"}) {
      for (const Number root : {Number{0}, machine.spec.processors / 2, machine.spec.processors - 1}) {
        Model model = machine.method(method).defaults;
        model.duplex = Duplex::half_link;
        const Outcome outcome = machine.run(method, model, packet_settings(9, 4, root));
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(outcome.report.messages, 4 * (machine.spec.processors - 1));
        EXPECT_LE(outcome.report.sends, outcome.report.messages);
      }
    }
  }
}

// Large machines are predicted without being built. Sides 1000 and 30: reaches 500 and 15.
TEST(BroadcastOnGrids, IsPredictedOnLargeMachines) {
  const auto steps = [](std::string_view method, const std::string& text, Number root) {
    const MachineSpec spec = parse_machine(text);
    const Method& entry = find_method(method, spec.family);
    return entry.predict(spec, entry.defaults, packet_settings(600, 200, root)).steps.value().value;
  };
  EXPECT_EQ(steps("broadcast/axis", "torus:1000x30", 77), 199U + 515);
  EXPECT_EQ(steps("broadcast/axis", "mesh:1000x30", 0), 199U + 999 + 29);
  EXPECT_EQ(steps("broadcast/axis", "mesh:1000x30", 500 * 30 + 10), 199U + 500 + 19);
  EXPECT_EQ(steps("broadcast/two-phase", "torus:1000x30x9", 0), 3 * 199U + 500 + 15 + 4);
  EXPECT_EQ(steps("broadcast/two-streams", "torus:1000x30x9", 0), 199U + 519);
  EXPECT_EQ(steps("broadcast/two-streams", "torus:1000x30x3", 0), 199U + 516 + 1);
  EXPECT_EQ(steps("broadcast/two-streams-late", "torus:40x30x20", 0), 599U + 20);
  EXPECT_EQ(steps("broadcast/two-streams-late", "torus:1000x30x9", 0), 599U + 500);
  EXPECT_EQ(steps("broadcast/axis", "path:1000000", 999999), 199U + 999999);
}

// The item leaves the root over its links, as many words a cycle, and the last of them goes the diameter. On a mesh the
// farthest is a corner, with the fewest links: all words enter it, the first after the distance.
TEST(BroadcastOnGrids, IsBoundedByTheFarthestAndByTheFewestLinks) {
  const auto bound = [](const std::string& text, Number root, Number words) {
    const Settings settings = packet_settings(words, 1, root);
    return lockstep::bound("broadcast/two-streams", text, settings, model_of(PortModel::all));
  };
  EXPECT_EQ(bound("torus:7x4", 3, 100), Bound(5, 25 - 1 + 5));
  EXPECT_EQ(bound("torus:7x2", 3, 100), Bound(4, 34 - 1 + 4));
  EXPECT_EQ(bound("mesh:7x4", 0, 100), Bound(9, 50 - 1 + 9));
  EXPECT_EQ(bound("mesh:7x4", 4 * 3 + 1, 100), Bound(5, 5 - 1 + 50));  // into a corner
  EXPECT_EQ(bound("mesh:2x3x4", 0, 100), Bound(6, 34 - 1 + 6));
  EXPECT_EQ(bound("path:9", 4, 100), Bound(4, 4 - 1 + 100));  // into an end
  EXPECT_EQ(bound("torus:1x1", 0, 100), Bound(0, 0));
}

TEST(BroadcastOnGrids, RefusesWhatItCannotDo) {
  expect_words_from(1, "broadcast/axis", "mesh:2x3");
  expect_words_from(3, "broadcast/two-streams", "torus:2x3x4");
  expect_words_from(2, "broadcast/two-streams-late", "torus:1x3x4");
  expect_words_from(1, "broadcast/two-streams", "path:4");
  expect_roots_to(23, "broadcast/two-phase", "mesh:2x3x4");
  expect_roots_to(23, "broadcast/axis", "torus:2x3x4");
  EXPECT_EQ(refusal("broadcast/two-streams", "torus:3x3x3", packet_settings(8, 3, 0)),
            "--packets 3 is out of range: 1 to 2, as every packet of 3 parts has at least one of the 8 words");
}

TEST(BroadcastOnGrids, CatchesEveryFault) {
  for (const char* text : {"mesh:3x2", "torus:2x3", "path:4"}) {
    for (const char* method :
         {"broadcast/axis", "broadcast/two-phase", "broadcast/two-streams", "broadcast/two-streams-late"}) {
      expect_catches_faults(method, text, packet_settings(7, 2, 1), {},
                            {FaultKind::drop, FaultKind::repeat, FaultKind::corrupt});
    }
  }
}

}  // namespace
}  // namespace lockstep::grid_broadcast_test
