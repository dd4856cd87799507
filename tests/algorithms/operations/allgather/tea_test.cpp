// allgather/tea1, tea2 and their grouped forms against Saad & Schultz 1985, (4.4) and (4.5) (saad-schultz-1985.md,
// TEA1, TEA2).
#include "operations/allgather/tea.hpp"

#include <array>
#include <bit>
#include <set>

#include "arithmetic.hpp"
#include "method_run.hpp"

namespace lockstep::tea_test {
namespace {

constexpr std::string_view tea1 = "allgather/tea1";
constexpr std::string_view tea2 = "allgather/tea2";
constexpr std::string_view tea1_grouped = "allgather/tea1-grouped";
constexpr std::string_view tea2_grouped = "allgather/tea2-grouped";
constexpr std::array all_methods{tea1, tea2, tea1_grouped, tea2_grouped};

// saad-schultz-1985.md, TEA1's table; f is 1 in full and 2 in half form.
SpecCounts tea1_counts(std::uint64_t n, std::uint64_t m, std::uint64_t f) {
  if (n == 0) return nothing;
  const std::uint64_t k = std::uint64_t{1} << n;
  return {.steps = f * n,
          .longest_sum = f * (k / 2) * m,
          .messages = n * n * k,
          .words = n * k * (k / 2) * m,
          .peak_words_held = k * m};
}
SpecCounts tea1_grouped_counts(std::uint64_t n, std::uint64_t m) {
  if (n == 0) return nothing;
  const std::uint64_t k = std::uint64_t{1} << n;
  return {.steps = n + 1,
          .longest_sum = k * m,
          .messages = (n + 1) * n * k / 2,
          .words = n * k * (k / 2) * m,
          .peak_words_held = k * m};
}

// saad-schultz-1985.md, TEA2's table.
SpecCounts tea2_counts(std::uint64_t n, std::uint64_t m, std::uint64_t f) {
  if (n == 0) return nothing;
  const std::uint64_t k = std::uint64_t{1} << n;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 1; i <= n; ++i) sum += divided_up(binomial(n, i), n);
  return {.steps = f * n,
          .longest_sum = f * sum * m,
          .messages = k * (n * (n - 1) + 1),
          .words = k * (k - 1) * m,
          .peak_words_held = k * m};
}
SpecCounts tea2_grouped_counts(std::uint64_t n, std::uint64_t m) {
  if (n == 0) return nothing;
  const std::uint64_t k = std::uint64_t{1} << n;
  std::uint64_t sum = 2;
  for (std::uint64_t p = 2; p <= n; ++p) sum += divided_up(binomial(n + 1, p), n);
  return {.steps = n + 1,
          .longest_sum = sum * m,
          .messages = k / 2 * (n * n + 1),
          .words = k * (k - 1) * m,
          .peak_words_held = k * m};
}

class Tea : public testing::TestWithParam<unsigned> {};

TEST_P(Tea, GathersEverywhereWithTheCountsOfThePaper) {
  const unsigned n = GetParam();
  const BuiltMachine machine(cube(n));
  for (const std::uint64_t m : {1U, 3U}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      const Model model = model_of(PortModel::all, duplex);
      const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
      expect_run(machine, tea1, model, block_settings(m), tea1_counts(n, m, f));
      expect_run(machine, tea2, model, block_settings(m), tea2_counts(n, m, f));
      expect_run(machine, tea1_grouped, model, block_settings(m), tea1_grouped_counts(n, m));
      expect_run(machine, tea2_grouped, model, block_settings(m), tea2_grouped_counts(n, m));
    }
  }
}

TEST_P(Tea, SendsMessagesOfTheStatedLengthInEveryStep) {
  const unsigned n = GetParam();
  const BuiltMachine machine(cube(n));
  const auto longest = [&](std::string_view method, Duplex duplex) {
    return longest_of_each_cycle(machine.run(method, model_of(PortModel::all, duplex), block_settings(1)).report);
  };
  std::vector<std::uint64_t> full1, half1, grouped1, full2, half2, grouped2;
  for (std::uint64_t i = 1; i <= n; ++i) {
    full1.push_back(binomial(n - 1, i - 1));
    full2.push_back(divided_up(binomial(n, i), n));
    half1.insert(half1.end(), 2, full1.back());
    half2.insert(half2.end(), 2, full2.back());
  }
  for (std::uint64_t p = 1; p <= n + 1 && n > 0; ++p) {
    grouped1.push_back(binomial(n, p - 1));
    grouped2.push_back(p == 1 || p == n + 1 ? 1 : divided_up(binomial(n + 1, p), n));
  }
  EXPECT_EQ(longest(tea1, Duplex::full), full1);
  EXPECT_EQ(longest(tea1, Duplex::half_node), half1);
  EXPECT_EQ(longest(tea1_grouped, Duplex::full), grouped1);
  EXPECT_EQ(longest(tea2, Duplex::full), full2);
  EXPECT_EQ(longest(tea2, Duplex::half_node), half2);
  EXPECT_EQ(longest(tea2_grouped, Duplex::full), grouped2);
}

/// Blocks scanned in a run, by moving tokens as the paper's loops do: a sender scans all its tokens for each neighbour.
struct PlainLooks {
  std::uint64_t sum = 0;
  std::uint64_t waited_for = 0;  ///< those of the busiest node in every pass
};

class PlainTokens {
 public:
  explicit PlainTokens(unsigned n) : n_(n), held_(std::size_t{1} << n) {
    for (std::size_t node = 0; node < held_.size(); ++node) held_[node].insert(node);
  }

  /// Nodes of these parities send the tokens that are at these distances from the receiver.
  void pass(const std::set<int>& parities, const std::set<int>& distances) {
    const std::vector<std::set<std::size_t>> before = held_;
    std::uint64_t most = 0;
    for (std::size_t node = 0; node < held_.size(); ++node) {
      if (!parities.contains(std::popcount(node) % 2)) continue;
      looks_.sum += n_ * before[node].size();
      most = std::max<std::uint64_t>(most, n_ * before[node].size());
      for (unsigned d = 0; d < n_; ++d) {
        const std::size_t neighbour = node ^ (std::size_t{1} << d);
        for (const std::size_t token : before[node]) {
          if (distances.contains(std::popcount(token ^ neighbour))) held_[neighbour].insert(token);
        }
      }
    }
    looks_.waited_for += most;
  }

  /// Every node must hold all tokens.
  PlainLooks looks() const {
    for (const auto& tokens : held_) EXPECT_EQ(tokens.size(), held_.size());
    return looks_;
  }

 private:
  unsigned n_;
  std::vector<std::set<std::size_t>> held_;
  PlainLooks looks_;
};

PlainLooks plain_looks(unsigned n, Duplex duplex, bool grouped) {
  PlainTokens tokens(n);
  const int last = static_cast<int>(n);
  for (int pass = 1; grouped && n > 0 && pass <= last + 1; ++pass) tokens.pass({(pass - 1) % 2}, {pass - 1, pass});
  for (int i = 1; !grouped && i <= last; ++i) {
    if (duplex == Duplex::full) tokens.pass({0, 1}, {i});
    if (duplex != Duplex::full) tokens.pass({0}, {i});
    if (duplex != Duplex::full) tokens.pass({1}, {i});
  }
  return tokens.looks();
}

// saad-schultz-1985.md, Looks at tokens.
std::uint64_t looks_of_the_page(std::uint64_t n, Duplex duplex, bool grouped) {
  const std::uint64_t k = std::uint64_t{1} << n;
  if (grouped) return n * (n + 2) * k * k / 4;
  return duplex == Duplex::full ? n * n * k * k / 2 : n * k * ((n + 1) * k - 1) / 2;
}

TEST_P(Tea, LooksAtAsManyTokensAsThePageSays) {
  const unsigned n = GetParam();
  const BuiltMachine machine(cube(n));
  for (const std::string_view name : all_methods) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      SCOPED_TRACE(std::string(name) + ", " + std::string(lockstep::name(duplex)));
      const PlainLooks plain = plain_looks(n, duplex, name.ends_with("grouped"));
      EXPECT_EQ(plain.sum, looks_of_the_page(n, duplex, name.ends_with("grouped")));
      Model model = model_of(PortModel::all, duplex);
      const double without = machine.run(name, model, block_settings(2)).report.time_synchronous;
      model.cost.scan_cost = 0.25;
      const Report report =
          expect_run(machine, name, model, block_settings(2), {.scanned_blocks = plain.sum, .peak_words_held = 2 << n});
      EXPECT_DOUBLE_EQ(report.time_synchronous, without + 0.25 * static_cast<double>(plain.waited_for));
      const auto predicted = synchronous_time(machine.predict(name, model, block_settings(2)), model.cost);
      ASSERT_TRUE(predicted);
      EXPECT_DOUBLE_EQ(predicted->value, report.time_synchronous);
    }
  }
}

// In the full form of TEA1 all processors do the same in every step, so they stay in step without a barrier.
TEST_P(Tea, WaitsForItsLooksInBothClocks) {
  const BuiltMachine machine(cube(GetParam()));
  Model model = model_of(PortModel::all);
  model.cost.scan_cost = 0.5;
  const Report report = machine.run(tea1, model, block_settings(1)).report;
  EXPECT_DOUBLE_EQ(report.time_asynchronous, report.time_synchronous);
}

INSTANTIATE_TEST_SUITE_P(Hypercubes, Tea, testing::Range(0U, 7U));

// The default form for each --duplex: the full form needs links that carry both directions at once.
TEST(TeaModel, FullFormIsRefusedWhereLinksAreHalfDuplex) {
  const BuiltMachine machine("hypercube:3");
  const auto executor = make_executor(ExecutorKind::sequential);
  const Settings settings = block_settings(1);
  const allgather::tea::TokenSelection everything(3, [](Rank relative, Port d) { return has_bit(relative, d); });
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    const Model model = model_of(PortModel::all, duplex);
    const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
    EXPECT_EQ(allgather::tea::run(request, allgather::tea::TeaForm::half, everything).wrong, "");
    EXPECT_EQ(allgather::tea::run(request, allgather::tea::TeaForm::grouped, everything).wrong, "");
    const auto error = broken_rule([&] { allgather::tea::run(request, allgather::tea::TeaForm::full, everything); });
    ASSERT_TRUE(error) << name(duplex);
    EXPECT_EQ(error->kind(), duplex == Duplex::half_link ? ErrorKind::half_link : ErrorKind::half_node);
    EXPECT_EQ(error->cycle(), 0U);
  }
}

TEST(TeaModel, NeedsAllPorts) {
  for (const std::string_view method : all_methods) {
    EXPECT_EQ(broken_rule(method, "hypercube:2", model_of(PortModel::one)), ErrorKind::send_limit) << method;
    EXPECT_EQ(broken_rule(method, "hypercube:1", model_of(PortModel::one)), std::nullopt) << method;
    expect_defaults(method, "hypercube", PortModel::all);
    EXPECT_THROW(find_method(method, "ring"), InputError);
  }
}

// With all ports n steps; (k-1)m/n words in full, 2(k-1)m/n in half-link (saad-schultz-1985.md, TEA2).
TEST(TeaModel, IsBoundedAsThePaperSays) {
  for (const std::string_view method : all_methods) {
    const auto bound = [&](Duplex duplex) {
      return lockstep::bound(method, "hypercube:4", block_settings(2), model_of(PortModel::all, duplex));
    };
    EXPECT_EQ(bound(Duplex::full), Bound(4, 8));
    EXPECT_EQ(bound(Duplex::half_link).second, 15U);
  }
}

TEST(TeaFaults, AreCaught) {
  for (const std::string_view method : all_methods) {
    for (const std::string machine : {"hypercube:2", "hypercube:3"}) {
      expect_catches_faults(method, machine, block_settings(2), model_of(PortModel::all));
      expect_catches_faults(method, machine, block_settings(2), model_of(PortModel::all, Duplex::half_node));
    }
  }
}

TEST(TeaParameters, AreChecked) {
  for (const std::string_view method : all_methods) {
    for (const std::string machine : {"hypercube:0", "hypercube:5"}) expect_words_from(1, method, machine);
  }
}

TEST(TeaMemory, IsThatOfAllBlocksEverywhereAndOfThoseOnTheirWay) {
  const std::uint64_t gathered = 1024ULL * 1024 * 512 * 8;
  for (const std::string_view method : {tea1, tea1_grouped}) {
    expect_bytes(method, "hypercube:10", block_settings(512), gathered, 4 * gathered);
  }
  for (const std::string_view method : {tea2, tea2_grouped}) {
    expect_bytes(method, "hypercube:10", block_settings(512), gathered, 2 * gathered);
  }
  for (const std::string_view method : all_methods) {
    EXPECT_EQ(bytes_of(method, "hypercube:31", block_settings(most_words)), too_many_bytes);
  }
}

}  // namespace
}  // namespace lockstep::tea_test
