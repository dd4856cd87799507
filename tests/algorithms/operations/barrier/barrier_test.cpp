// barrier/tree against mukherjee.md, Barrier: where all arrive at cycle 0, k + (n+1) D + (k-n) + T(n) steps with all
// ports and k + (n+1) D + B1(k-n) + T1(n) with one on RH(k,n), 2v on the v-cube; messages of the reduction and N - 1
// more. With other arrivals no processor leaves before the last arrival.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "method_run.hpp"
#include "operations/barrier/token_schedule.hpp"

namespace lockstep::barrier_test {
namespace {

constexpr std::string_view tree = "barrier/tree";

/// RH(k,n), or the k-cube if n is empty.
struct Shape {
  std::uint64_t k;
  std::optional<std::uint64_t> n;

  std::string machine() const { return n ? "rh:" + std::to_string(k) + "," + std::to_string(*n) : cube(k); }
  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) { return out << shape.machine(); }
};

/// Counts of one half of the barrier in mukherjee.md, Barrier.
struct Counts {
  std::uint64_t steps;
  std::uint64_t messages;
};

/// mukherjee.md, Reduction.
Counts arrival_counts(const Shape& shape) {
  const std::uint64_t k = shape.k;
  if (!shape.n) return {k, (std::uint64_t{1} << k) - 1};
  const std::uint64_t n = *shape.n;
  const std::uint64_t d = std::uint64_t{1} << n;
  std::uint64_t messages = ((std::uint64_t{1} << k) - 1) << d;
  for (std::uint64_t i = 0; i < d; ++i) {
    messages += (2 * static_cast<std::uint64_t>(std::popcount(i)) + 1) << (d - 1 - i);
  }
  return {k + (n + 1) * d, messages};
}

/// mukherjee.md, Broadcast, and on the cube the binomial tree.
Counts release_counts(const Shape& shape, bool all_ports) {
  const std::uint64_t k = shape.k;
  if (!shape.n) return {k, (std::uint64_t{1} << k) - 1};
  const std::uint64_t n = *shape.n;
  const std::uint64_t d = std::uint64_t{1} << n;
  const std::uint64_t c = k - n;
  const std::uint64_t others = (std::uint64_t{1} << (k + d)) - 1;
  constexpr std::uint64_t stage_2[] = {1, 5, 12, 32, 76};
  if (all_ports) return {c + stage_2[n], others};
  const std::uint64_t stage_1 = c <= 1 ? c : 2 * (c - 1);
  const std::uint64_t stage_2_one_port = n == 0 ? 1 : (n + 1) * d + 1;
  return {stage_1 + stage_2_one_port, others};
}

/// All shapes of up to 2^12 processors, with a sanitizer 2^8.
std::vector<Shape> shapes() {
  constexpr std::uint64_t most = sanitized ? 8 : 12;
  std::vector<Shape> all;
  for (std::uint64_t v = 0; v <= most; ++v) all.push_back({v, {}});
  for (std::uint64_t n = 0; n <= 3; ++n) {
    for (std::uint64_t k = n; k + (std::uint64_t{1} << n) <= most; ++k) all.push_back({k, n});
  }
  return all;
}

/// Counts of both halves.
SpecCounts said(const Counts& arrival, const Counts& release, std::uint64_t w) {
  const std::uint64_t steps = arrival.steps + release.steps;
  const std::uint64_t messages = arrival.messages + release.messages;
  return {.steps = steps, .longest_sum = steps * w, .messages = messages, .words = messages * w};
}

Settings with(std::uint64_t words, std::uint64_t arrivals, std::uint64_t seed = 1) {
  Settings settings;
  settings.words = words;
  settings.arrivals = arrivals;
  settings.seed = seed;
  return settings;
}

std::uint64_t measure(const Outcome& outcome, std::string_view name) {
  for (const Measure& one : outcome.measures) {
    if (one.name == name) return one.value;
  }
  ADD_FAILURE() << "no measure " << name;
  return 0;
}

void expect_phase(const Report& report, std::string_view name, const Counts& expected, std::uint64_t w) {
  SCOPED_TRACE(name);
  Counts found{0, 0};
  for (const PhaseCounts& phase : report.phases) {
    if (phase.name != name) continue;
    found = {phase.steps, phase.messages};
    EXPECT_EQ(phase.words, expected.messages * w);
    EXPECT_EQ(phase.longest_sum, expected.steps * w);
  }
  EXPECT_EQ(found.steps, expected.steps);
  EXPECT_EQ(found.messages, expected.messages);
}

constexpr PortModel port_models[] = {PortModel::one, PortModel::one_strict, PortModel::all};
constexpr Duplex duplexes[] = {Duplex::full, Duplex::half_link, Duplex::half_node};

std::string text_of(PortModel ports, Duplex duplex) {
  return std::string(name(ports)) + ", " + std::string(name(duplex));
}

class BarrierTree : public testing::TestWithParam<Shape> {
 protected:
  void expect_counts(const Model& model, std::uint64_t w) const {
    const Counts arrival = arrival_counts(GetParam());
    const Counts release = release_counts(GetParam(), model.ports == PortModel::all);
    const SpecCounts spec = said(arrival, release, w);
    const Outcome outcome = machine_.run(tree, model, with(w, 0));
    const Report& report = outcome.report;
    EXPECT_EQ(outcome.wrong, "");
    lockstep::expect_counts(report, spec, model.cost);
    EXPECT_EQ(report.peak_words_held, w);
    expect_phase(report, "arrival", arrival, w);
    expect_phase(report, "release", release, w);
    EXPECT_EQ(measure(outcome, "last_arrival"), 0U);
    EXPECT_EQ(measure(outcome, "first_release"), arrival.steps);  // the first cycle after them, from 0
    EXPECT_EQ(measure(outcome, "last_release"), spec.steps);
  }

  const BuiltMachine machine_{GetParam().machine()};
};

TEST_P(BarrierTree, HasTheCountsOfTheSpecInEveryModel) {
  for (const std::uint64_t words : {1U, 3U}) {
    for (const PortModel ports : port_models) {
      for (const Duplex duplex : duplexes) {
        SCOPED_TRACE("words " + std::to_string(words) + ", " + text_of(ports, duplex));
        expect_counts(model_of(ports, duplex), words);
      }
    }
  }
}

TEST_P(BarrierTree, PredictsTheCountsOfTheSpec) {
  for (const PortModel ports : port_models) {
    const Counts arrival = arrival_counts(GetParam());
    const Counts release = release_counts(GetParam(), ports == PortModel::all);
    expect_predicted(machine_.predict(tree, model_of(ports), with(5, 0)), said(arrival, release, 5));
  }
}

// The property of mukherjee.md, Barrier, on machines where many seeds are quick.
TEST_P(BarrierTree, ReleasesNoProcessorBeforeTheLastArrival) {
  if (machine_.topology.processors() > 256) return;
  const Counts arrival = arrival_counts(GetParam());
  for (const PortModel ports : port_models) {
    for (const Duplex duplex : duplexes) {
      for (const std::uint64_t most : {1U, 7U, 60U, 100000U}) {
        for (std::uint64_t seed = 1; seed <= (sanitized ? 1 : 5); ++seed) {
          SCOPED_TRACE(text_of(ports, duplex) + ", arrivals " + std::to_string(most) + ", seed " +
                       std::to_string(seed));
          const Outcome outcome = machine_.run(tree, model_of(ports, duplex), with(2, most, seed));
          const Counts release = release_counts(GetParam(), ports == PortModel::all);
          EXPECT_EQ(outcome.wrong, "");
          EXPECT_LE(measure(outcome, "last_arrival"), most);
          EXPECT_GE(measure(outcome, "first_release"), measure(outcome, "last_arrival"));
          if (!GetParam().n) {
            EXPECT_LE(measure(outcome, "first_release"), measure(outcome, "last_arrival") + arrival.steps);
          }
          EXPECT_EQ(measure(outcome, "last_release"), measure(outcome, "first_release") + release.steps);
          EXPECT_EQ(outcome.report.messages, arrival.messages + release.messages);
          EXPECT_EQ(outcome.report.words, 2 * outcome.report.messages);
          expect_phase(outcome.report, "release", release, 2);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, BarrierTree, testing::ValuesIn(shapes()));

TEST(BarrierTreeLarge, HasTheCountsOfTheSpec) {
  for (const Shape shape : sanitized ? std::vector{Shape{10, {}}, Shape{6, 2}}
                                     : std::vector{Shape{16, {}}, Shape{15, 0}, Shape{12, 2}, Shape{8, 3}}) {
    const BuiltMachine machine(shape.machine());
    for (const PortModel ports : {PortModel::one, PortModel::all}) {
      SCOPED_TRACE(shape.machine() + ", " + std::string(name(ports)));
      const Counts arrival = arrival_counts(shape);
      const Counts release = release_counts(shape, ports == PortModel::all);
      expect_run(machine, tree, model_of(ports), with(1, 0), said(arrival, release, 1));
      const Outcome random = machine.run(tree, model_of(ports), with(1, 100));
      EXPECT_EQ(random.wrong, "");
      EXPECT_EQ(random.report.messages, arrival.messages + release.messages);
      EXPECT_EQ(measure(random, "last_arrival"), 100U);  // on a machine this large, some processor arrives then
      EXPECT_GE(measure(random, "first_release"), 100U);
    }
  }
}

TEST(BarrierArrivals, AreSpreadEvenly) {
  const BuiltMachine machine("hypercube:12");
  SCOPED_TRACE("seed 1");
  // With two cycles to arrive in, each leaf that arrives in cycle 0 sends a message then: about half of 2^11.
  const Outcome outcome = machine.run(tree, model_of(PortModel::all), with(1, 1));
  EXPECT_EQ(outcome.report.per_cycle.front().cycle, 0U);
  EXPECT_NEAR(static_cast<double>(outcome.report.per_cycle.front().messages), 1024, 100);
}

TEST(BarrierTree, PredictsNoStepsWhereArrivalsDecideThemButABoundOnTheCube) {
  const BuiltMachine machine("rh:2,1");
  const Prediction predicted = machine.method(tree).predict(machine.spec, model_of(PortModel::one), with(1, 1));
  EXPECT_FALSE(predicted.steps || predicted.longest_sum);
  EXPECT_EQ(predicted.messages.value().value, 17U + 15U);

  const BuiltMachine cube("hypercube:5");
  const Prediction bounded = cube.method(tree).predict(cube.spec, model_of(PortModel::one), with(3, 20));
  EXPECT_EQ(bounded.steps.value().value, 5U + 5U + 20U);
  EXPECT_EQ(bounded.longest_sum.value().value, 30U * 3);
  EXPECT_FALSE(bounded.steps->exact || bounded.longest_sum->exact);
  EXPECT_TRUE(bounded.messages->exact);
}

TEST(BarrierTree, HasDefaults) { EXPECT_EQ(resolved(tree, "rh:2,1").arrivals, 0U); }

TEST(BarrierTree, RefusesWhatIsOutOfRange) {
  expect_words_from(1, tree, "rh:2,1");
  EXPECT_EQ(refusal(tree, "rh:2,1", with(1, 1000000001)), "--arrivals 1000000001 is out of range: 0 to 1000000000");
  EXPECT_EQ(refusal(tree, "hypercube:2", with(1, 1000000000)), "");
}

// The catalogue's test covers the case where all arrive together.
TEST(BarrierArrivals, ComeToTheSameOnAllExecutors) {
  for (const char* text : {"hypercube:5", "rh:3,2"}) {
    const BuiltMachine machine(text);
    const Outcome expected = machine.run(tree, model_of(PortModel::one), with(2, 30));
    const auto expect_same = [&](ExecutorKind kind, unsigned threads, std::uint64_t seed) {
      SCOPED_TRACE(std::string(text) + ", " + std::string(name(kind)) + ", schedule seed " + std::to_string(seed));
      const auto executor = make_executor(kind, threads, seed);
      const Outcome outcome = machine.run(tree, model_of(PortModel::one), with(2, 30), {}, executor.get());
      EXPECT_EQ(outcome.wrong, "");
      EXPECT_EQ(outcome.report.digest(), expected.report.digest());
      EXPECT_EQ(outcome.data_digest, expected.data_digest);
      EXPECT_EQ(measure(outcome, "first_release"), measure(expected, "first_release"));
    };
    expect_same(ExecutorKind::tbb, 4, 1);
    expect_same(ExecutorKind::threads, 4, 1);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) expect_same(ExecutorKind::seeded, 1, seed);
  }
}

TEST(BarrierFaults, AreCaught) {
  for (const char* machine : {"hypercube:3", "rh:1,1", "rh:2,1", "rh:2,2"}) {
    for (const std::uint64_t arrivals : {0U, 6U}) {
      expect_catches_faults(tree, machine, with(2, arrivals));
      expect_catches_faults(tree, machine, with(1, arrivals), model_of(PortModel::all));
    }
  }
}

// ---- The planner against a simulation that visits all processors in every cycle.

/// The place of a token on its way, and the processors that it still has to pass.
struct Travelling {
  Rank at;
  std::vector<Rank> before;  // the next one last
};

/// A message of the gathering half.
using Sent = std::tuple<Cycle, Rank, Rank, Rank>;  // cycle, from, to, token

/// mukherjee.md, Barrier, literally, on RH(k,n) or with n = -1 on the k-cube.
class CycleByCycle {
 public:
  CycleByCycle(const Shape& shape, Model model, std::vector<Cycle> arrivals)
      : shape_(shape), model_(model), arrivals_(std::move(arrivals)) {
    for (Rank node = 1; node < arrivals_.size(); ++node) ++missing_[way(node).front()];
    for (Cycle cycle = 0; !is_complete(cycle); ++cycle) play(cycle);
  }

  std::set<Sent> sent;
  Cycle complete = 0;

 private:
  /// The processors on the path of the node's token, the last first: mukherjee.md, Reduction.
  std::vector<Rank> way(Rank node) const {
    std::vector<Rank> ranks;
    const auto go = [&](Rank flip) { ranks.insert(ranks.begin(), (ranks.empty() ? node : ranks.front()) ^ flip); };
    const auto k = static_cast<unsigned>(shape_.k);
    for (unsigned bit = 0; bit < k; ++bit) {
      if ((node >> bit & 1) == 0) continue;
      go(Rank{1} << bit);
      return ranks;
    }
    const auto c = k - static_cast<unsigned>(*shape_.n);
    unsigned i = 0;
    while ((node >> (k + i) & 1) == 0) ++i;
    for (unsigned b = 0; b < *shape_.n; ++b) {
      if ((i >> b & 1) != 0) go(Rank{1} << (c + b));
    }
    go(Rank{1} << (k + i));
    for (unsigned b = 0; b < *shape_.n; ++b) {
      if ((i >> b & 1) != 0) go(Rank{1} << (c + b));
    }
    return ranks;
  }

  bool is_complete(Cycle cycle) {
    if (missing_[0] != 0 || arrivals_[0] > cycle) return false;
    complete = cycle;
    return true;
  }

  /// Whether the model allows the message beside the others of the cycle, each a pair of ends.
  bool fits(const std::vector<std::pair<Rank, Rank>>& moving, Rank from, Rank to) const {
    for (const auto& [a, b] : moving) {
      if (a == from && b == to) return false;
      if (model_.ports != PortModel::all && (a == from || b == to)) return false;
      // A processor that sends and receives in one cycle does so on one link.
      if (model_.ports == PortModel::one_strict && (b == from || a == to) && !(a == to && b == from)) return false;
      if (model_.duplex == Duplex::half_link && a == to && b == from) return false;
      if (model_.duplex == Duplex::half_node && (b == from || a == to)) return false;
    }
    return true;
  }

  void play(Cycle cycle) {
    for (Rank node = 1; node < arrivals_.size(); ++node) {
      if (missing_[node] == 0 && arrivals_[node] <= cycle && !travelling_.contains(node)) {
        travelling_[node] = {node, way(node)};
      }
    }
    std::vector<std::pair<Rank, Rank>> senders;  // sender and token
    for (const auto& [token, where] : travelling_) {
      if (!where.before.empty()) senders.emplace_back(where.at, token);
    }
    std::sort(senders.begin(), senders.end());
    std::vector<std::pair<Rank, Rank>> moving;
    for (const auto& [from, token] : senders) {
      Travelling& where = travelling_[token];
      const Rank to = where.before.back();
      if (!fits(moving, from, to)) continue;
      moving.emplace_back(from, to);
      sent.insert({cycle, from, to, token});
      where.before.pop_back();
      where.at = to;
      if (where.before.empty()) --missing_[to];
    }
  }

  Shape shape_;
  Model model_;
  std::vector<Cycle> arrivals_;
  std::map<Rank, Travelling> travelling_;  // by token
  std::map<Rank, std::uint32_t> missing_;
};

TEST(TokenSchedule, IsWhatALookAtAllProcessorsInEveryCycleComesTo) {
  std::uint64_t seed = 0;
  for (const Shape shape : {Shape{0, {}}, Shape{3, {}}, Shape{5, {}}, Shape{0, 0}, Shape{2, 0}, Shape{1, 1},
                            Shape{3, 1}, Shape{2, 2}, Shape{3, 2}}) {
    const BuiltMachine machine(shape.machine());
    for (const PortModel ports : port_models) {
      for (const Duplex duplex : duplexes) {
        for (const Cycle most : {0U, 2U, 9U, 40U}) {
          ++seed;
          SCOPED_TRACE(shape.machine() + ", " + text_of(ports, duplex) + ", arrivals " + std::to_string(most) +
                       ", seed " + std::to_string(seed));
          std::mt19937_64 random(seed);
          std::vector<Cycle> arrivals(machine.topology.processors());
          for (Cycle& arrival : arrivals) arrival = random() % (most + 1);
          const Model model = model_of(ports, duplex);
          const CycleByCycle expected(shape, model, arrivals);

          const barrier::TokenSchedule schedule(machine.spec, machine.topology, model, arrivals);
          EXPECT_EQ(schedule.complete(), expected.complete);
          std::set<Sent> sends;
          std::set<Sent> receives;
          for (Rank rank = 0; rank < arrivals.size(); ++rank) {
            for (const barrier::TokenMove& move : schedule.moves(rank)) {
              const Rank peer = machine.topology.peer(rank, move.port).rank;
              if (move.action == barrier::TokenMove::Action::send) {
                sends.insert({move.cycle, rank, peer, move.token});
              } else {
                receives.insert({move.cycle - 1, peer, rank, move.token});
              }
            }
          }
          EXPECT_EQ(sends, expected.sent);
          EXPECT_EQ(receives, expected.sent);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::barrier_test
