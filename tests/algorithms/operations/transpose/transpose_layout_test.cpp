// Two-dimensional transpositions with different numbers of dimensions for rows and columns (johnsson-ho.md, Two
// dimensions): R and C of them, c = min(R,C), d = |R - C|.
#include <array>
#include <bit>
#include <map>

#include "transposition.hpp"

namespace lockstep::transpose_layout_test {
namespace {

struct Layout {
  std::uint64_t R, C;

  std::uint64_t n() const { return R + C; }
  std::uint64_t c() const { return std::min(R, C); }
  std::uint64_t d() const { return std::max(R, C) - c(); }
  std::uint64_t side() const { return std::uint64_t{1} << std::max(R, C); }
  std::string text() const { return std::to_string(R) + "," + std::to_string(C); }
};

/// All layouts of up to the given number of dimensions.
std::vector<Layout> layouts(std::uint64_t most) {
  std::vector<Layout> all;
  for (std::uint64_t n = 0; n <= most; ++n) {
    for (std::uint64_t R = 0; R <= n; ++R) all.push_back({R, n - R});
  }
  return all;
}

constexpr std::array<std::pair<int, int>, 4> shapes{{{1, 1}, {1, 2}, {2, 1}, {4, 2}}};

Settings in_layout(const Layout& layout, std::uint64_t P, std::uint64_t Q) {
  Settings settings = matrix_settings(P, Q);
  settings.layout = layout.text();
  return settings;
}

/// The place of an element: the block numbers of its processor, and its index among the processor's words.
struct Place {
  std::uint64_t processor;
  std::uint64_t index;
};

/// Steps that each exchange two bits of all places, simulated element by element: bits below log2 K are index bits,
/// others dimensions. For two dimensions, one step crosses the first and the next the second.
class Simulation {
 public:
  Simulation(const Layout& layout, std::uint64_t P, std::uint64_t Q) : layout_(layout), P_(P), Q_(Q) {
    const std::uint64_t rows = P >> layout.R;
    const std::uint64_t columns = Q >> layout.C;
    for (std::uint64_t u = 0; u < P; ++u) {
      for (std::uint64_t v = 0; v < Q; ++v) {
        places_.push_back({(u / rows << layout.C) + v / columns, u % rows * columns + v % columns});
      }
    }
  }

  std::uint64_t K() const { return P_ * Q_ >> layout_.n(); }

  void cross(std::uint64_t dimension, const std::function<bool(const Place&)>& moves,
             const std::function<std::uint64_t(const Place&)>& index) {
    std::map<std::uint64_t, std::uint64_t> messages;  // words by sender
    for (Place& place : places_) {
      if (!moves(place)) continue;
      ++messages[place.processor];
      place = {place.processor ^ std::uint64_t{1} << dimension, index(place)};
    }
    std::uint64_t longest = 0;
    for (const auto& [sender, words] : messages) {
      counts.messages = *counts.messages + 1;
      counts.words = *counts.words + words;
      longest = std::max(longest, words);
    }
    counts.steps = *counts.steps + 1;
    counts.longest_sum = *counts.longest_sum + longest;
  }

  void swap(std::uint64_t first, std::uint64_t second) {
    const auto bit = [](const Place& place, std::uint64_t d) { return place.processor >> d & 1; };
    std::vector<bool> apart;
    for (const Place& place : places_) apart.push_back(bit(place, first) != bit(place, second));
    for (const std::uint64_t dimension : {first, second}) {
      const auto moves = [&](const Place& place) { return apart[static_cast<std::size_t>(&place - places_.data())]; };
      cross(dimension, moves, [](const Place& place) { return place.index; });
    }
  }

  void swap_local(std::uint64_t dimension, std::uint64_t bit) {
    cross(
        dimension, [&](const Place& place) { return (place.processor >> dimension & 1) != (place.index >> bit & 1); },
        [&](const Place& place) { return place.index ^ std::uint64_t{1} << bit; });
  }

  /// Expects every element at its processor in the transposed matrix.
  void expect_transposed() const {
    const std::uint64_t rows = Q_ >> layout_.R;
    const std::uint64_t columns = P_ >> layout_.C;
    std::size_t wrong = 0;
    for (std::uint64_t u = 0; u < P_; ++u) {
      for (std::uint64_t v = 0; v < Q_; ++v) {
        if (places_[u * Q_ + v].processor != (v / rows << layout_.C) + u / columns) ++wrong;
      }
    }
    EXPECT_EQ(wrong, 0U);
  }

  /// The dimensions of R or C without a partner get these index bits.
  void exchange_others() {
    const auto bits = [](std::uint64_t power) { return static_cast<std::uint64_t>(std::countr_zero(power)); };
    const auto& [R, C] = layout_;
    for (std::uint64_t i = layout_.c(); i < std::max(R, C); ++i) {
      if (R > C) {
        swap_local(R + C - 1 - i, bits(Q_) - 1 - i);  // gets bit i of the column number, from the highest on
      } else {
        swap_local(C - 1 - i, bits(P_) - 1 - i + bits(Q_) - C);
      }
    }
  }

  SpecCounts counts{0, 0, 0, 0};

 private:
  Layout layout_;
  std::uint64_t P_;
  std::uint64_t Q_;
  std::vector<Place> places_;
};

void expect_simulated(const Simulation& simulated, const SpecCounts& counts) {
  simulated.expect_transposed();
  EXPECT_EQ(simulated.counts.steps, counts.steps);
  EXPECT_EQ(simulated.counts.messages, counts.messages);
  EXPECT_EQ(simulated.counts.words, counts.words);
  EXPECT_EQ(simulated.counts.longest_sum, counts.longest_sum);
}

// 2 c steps of K words and d of K/2: n steps; max(R,C) N messages, n N K/2 words. One more copy for each unpaired
// dimension but the first.
TEST(TransposeLayout, SinglePathStepByStep) {
  for (const Layout& layout : layouts(7)) {
    for (const auto& [rows, columns] : shapes) {
      const std::uint64_t P = layout.side() * static_cast<std::uint64_t>(rows);
      const std::uint64_t Q = layout.side() * static_cast<std::uint64_t>(columns);
      const auto [n, c, d] = std::tuple(layout.n(), layout.c(), layout.d());
      const std::uint64_t N = std::uint64_t{1} << n;
      SCOPED_TRACE(layout.text());
      Simulation simulation(layout, P, Q);
      const std::uint64_t K = simulation.K();
      for (std::uint64_t i = 0; i < c; ++i) simulation.swap(n - 1 - i, layout.C - 1 - i);
      simulation.exchange_others();
      SpecCounts counts{n, 2 * c * K + d * (K / 2), (c + d) * N, n * N * K / 2};
      expect_simulated(simulation, counts);
      for (const PortModel ports : {PortModel::one_strict, PortModel::all}) {
        const Model model = copying(ports, 3, 0.125);
        const std::uint64_t copied = (2 + (d > 1 ? d - 1 : 0)) * K;
        counts.startups = N * (c * packets_of(K, 3) + d * packets_of(K / 2, 3));
        counts.copied_words = copied * N;
        const Report report = expect_run("transpose/2d-spt", cube(n), model, in_layout(layout, P, Q), counts);
        const double time =
            time_of(model, 2 * c * packets_of(K, 3) + d * packets_of(K / 2, 3), *counts.longest_sum, copied);
        EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
        EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);  // of blocks that cross all dimensions
      }
    }
  }
}

// In half duplex the ends of a link take turns in exchanges of halves: 2 c + 2 d steps.
TEST(TransposeLayout, TakesTurnsBelowFullDuplex) {
  for (const Layout& layout : layouts(6)) {
    const auto [n, c, d] = std::tuple(layout.n(), layout.c(), layout.d());
    const std::uint64_t N = std::uint64_t{1} << n;
    const std::uint64_t K = layout.side() * layout.side() * 2 / N;
    for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
      Model model = model_of(PortModel::one_strict, duplex);
      model.cost.copy_cost = 0.25;
      const std::uint64_t copied = (2 + (d > 1 ? d - 1 : 0)) * K;
      SpecCounts counts{2 * c + 2 * d, n * K, (c + d) * N, n * N * K / 2};
      counts.copied_words = copied * N;
      const Report report =
          expect_run("transpose/2d-spt", cube(n), model, in_layout(layout, 2 * layout.side(), layout.side()), counts);
      const double time = time_of(model, 2 * c + 2 * d, n * K, copied);
      EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
      EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
    }
  }
}

// (3 c + d) steps of K/2 words, in which every processor sends. Each unpaired dimension gathers, except the first where
// its local bit is the highest: where C > R, or where P = 2^R leaves no row bit above it. At the end every block is
// reordered, unless it holds only received words: P = Q = 2^R, or, where C > R, P or Q is 2^C.
TEST(TransposeLayout, Pivot) {
  for (const Layout& layout : layouts(7)) {
    for (const auto& [rows, columns] : shapes) {
      const std::uint64_t P = layout.side() * static_cast<std::uint64_t>(rows);
      const std::uint64_t Q = layout.side() * static_cast<std::uint64_t>(columns);
      const auto [n, c, d] = std::tuple(layout.n(), layout.c(), layout.d());
      const std::uint64_t N = std::uint64_t{1} << n;
      SCOPED_TRACE(layout.text());
      Simulation simulation(layout, P, Q);
      const std::uint64_t K = simulation.K();
      if (c > 0 && K < 2) continue;
      for (std::uint64_t i = 0; i < c; ++i) {
        for (const std::uint64_t dimension : {layout.C - 1 - i, n - 1 - i, layout.C - 1 - i}) {
          simulation.swap_local(dimension, static_cast<std::uint64_t>(std::countr_zero(K)) - 1);
        }
      }
      simulation.exchange_others();
      const std::uint64_t steps = 3 * c + d;
      SpecCounts counts{steps, steps * (K / 2), steps * N, steps * N * (K / 2)};
      expect_simulated(simulation, counts);
      std::uint64_t copies = 0;
      if (layout.R > layout.C) {
        copies = (rows == 1 ? d - 1 : d) + (rows == 1 && columns == 1 ? 0 : 1);
      } else {
        copies = (d > 0 ? d - 1 : 0) + (rows == 1 || columns == 1 ? 0 : 1);
      }
      const Model model = copying(PortModel::one_strict, 3, 0.75);
      counts.startups = steps * N * packets_of(K / 2, 3);
      counts.copied_words = N * copies * K;
      const Report report = expect_run("transpose/2d-pivot", cube(n), model, in_layout(layout, P, Q), counts);
      const double time = time_of(model, steps * packets_of(K / 2, 3), steps * (K / 2), copies * K);
      EXPECT_NEAR(report.time_synchronous, time, 1e-9 * time);
      EXPECT_NEAR(report.time_asynchronous, time, 1e-9 * time);
    }
  }
}

// By default rows have the larger half of the dimensions.
TEST(TransposeLayout, TakesHalfOfTheDimensionsByDefault) {
  for (const auto& [n, least] : {std::pair(0, "1x1"), {1, "2x2"}, {2, "2x2"}, {3, "4x4"}, {5, "8x8"}, {6, "8x8"}}) {
    const std::string machine = cube(static_cast<std::uint64_t>(n));
    EXPECT_EQ(to_string(*resolved("transpose/2d-spt", machine).matrix), least);
    const Layout half{static_cast<std::uint64_t>(n + 1) / 2, static_cast<std::uint64_t>(n) / 2};
    for (const char* method : {"transpose/2d-spt", "transpose/2d-pivot"}) {
      const BuiltMachine built(machine);
      const Model model = model_of(PortModel::one);
      EXPECT_EQ(built.run(method, model, matrix_settings(16, 32)).data_digest,
                built.run(method, model, in_layout(half, 16, 32)).data_digest);
    }
  }
  EXPECT_EQ(to_string(*resolved("transpose/2d-pivot", "hypercube:4").matrix), "4x8");
  EXPECT_EQ(to_string(*resolved("transpose/2d-pivot", "hypercube:0").matrix), "1x1");
}

// A layout of rows only is the one-dimensional transposition: n steps of K/2 words.
TEST(TransposeLayout, OfRowsOnlyIsOneDimensional) {
  const auto counts = [](const char* method, const Settings& settings) {
    const Report report = expect_run(method, "hypercube:4", model_of(PortModel::one_strict), settings, {});
    return std::array{report.steps, report.messages, report.words, report.longest_sum, report.startups};
  };
  EXPECT_EQ(counts("transpose/2d-spt", in_layout({4, 0}, 32, 16)),
            counts("transpose/1d-exchange", matrix_settings(32, 16)));
}

TEST(TransposeLayout, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& text, std::uint64_t P, std::uint64_t Q) {
    Settings settings = matrix_settings(P, Q);
    settings.layout = text;
    std::string line = refusal("transpose/2d-spt", "hypercube:5", settings);
    EXPECT_EQ(refusal("transpose/2d-pivot", "hypercube:5", settings), line);
    return line;
  };
  EXPECT_EQ(refused("3,2", 8, 8), "");
  EXPECT_EQ(refused("5,0", 32, 32), "");
  EXPECT_EQ(refused("3,3", 8, 8), "--layout 3,3 takes 6 dimensions, and there are 5");
  EXPECT_EQ(refused("3", 8, 8), "--layout '3' is not of the form R,C, the dimensions of rows and of columns, e.g. 3,2");
  EXPECT_EQ(refused("6,0", 8, 8), "--layout: R '6' is out of range: 0 to 5");
  EXPECT_NE(refused("3,x", 8, 8).find("--layout: C 'x'"), std::string::npos);
  EXPECT_NE(refused("3,2,0", 8, 8).find("--layout: C '2,0'"), std::string::npos);
  EXPECT_EQ(refused("4,1", 8, 16), "--matrix 8x16 is too small for hypercube:5, which takes at least 16x16");
  EXPECT_EQ(refused("1,4", 16, 8), "--matrix 16x8 is too small for hypercube:5, which takes at least 16x16");
}

TEST(TransposeLayout, CatchesEveryFault) {
  expect_catches_faults("transpose/2d-spt", "hypercube:3", in_layout({2, 1}, 4, 8));
  expect_catches_faults("transpose/2d-spt", "hypercube:3", in_layout({1, 2}, 4, 4),
                        model_of(PortModel::one, Duplex::half_node));
  expect_catches_faults("transpose/2d-pivot", "hypercube:3", in_layout({0, 3}, 8, 8));
}

}  // namespace
}  // namespace lockstep::transpose_layout_test
