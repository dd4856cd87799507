// Methods that tolerate faults of the machine: the faults that they survive, their steps, and that no method reports a
// wrong result as right.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <iostream>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep::fault_tolerance_test {
namespace {

/// The outcome of a run with these faults, or the error that ended it.
struct Ended {
  Outcome outcome;
  std::string error;
  std::optional<Coverage> coverage{};

  bool is_verified() const { return error.empty() && outcome.wrong.empty(); }
};

Ended run_with(const BuiltMachine& machine, const Method& method, const Model& model, const Settings& settings,
               const Faults& faults, RunObserver* observer = nullptr, std::uint64_t most_cycles = 100'000) {
  const auto executor = make_executor(ExecutorKind::sequential);
  RunOptions options;
  options.name = method.name;
  options.max_cycles = most_cycles;
  RunEnding ending;
  Ended ended;
  try {
    ended.outcome = method.run({.machine = machine.spec,
                                .topology = machine.topology,
                                .model = model,
                                .settings = settings,
                                .executor = *executor,
                                .options = options,
                                .observer = observer,
                                .faults = faults.empty() ? nullptr : &faults,
                                .ending = &ending});
    if (ending.error) std::rethrow_exception(ending.error);
  } catch (const RunError& error) {
    ended.error = error.what();
  }
  ended.coverage = ending.coverage;
  return ended;
}

Ended run_with(const BuiltMachine& machine, std::string_view method, const Model& model, Settings settings,
               const Faults& faults) {
  machine.method(method).resolve(machine.spec, model, settings);
  return run_with(machine, machine.method(method), model, settings, faults);
}

/// The links of a cube, each once, by arithmetic.
std::vector<LinkFault> links_of_cube(std::uint64_t n) {
  std::vector<LinkFault> links;
  for (Rank rank = 0; rank < Rank{1} << n; ++rank) {
    for (std::uint64_t dimension = 0; dimension < n; ++dimension) {
      const Rank other = rank ^ (Rank{1} << dimension);
      if (rank < other) links.push_back({rank, other, 0});
    }
  }
  return links;
}

/// Calls visit(subset) for all subsets of the given size.
template <class T, class Visit>
void for_all_subsets(const std::vector<T>& all, std::size_t count, const Visit& visit, std::vector<T> chosen = {},
                     std::size_t from = 0) {
  if (chosen.size() == count) return visit(chosen);
  for (std::size_t next = from; next < all.size(); ++next) {
    chosen.push_back(all[next]);
    for_all_subsets(all, count, visit, chosen, next + 1);
    chosen.pop_back();
  }
}

template <class T>
std::vector<T> drawn_subset(std::vector<T> all, std::size_t count, std::mt19937_64& random) {
  std::ranges::shuffle(all, random);
  all.resize(count);
  return all;
}

/// In the form that the command takes.
std::string text_of(const Faults& faults) {
  std::string text;
  for (const LinkFault& fault : faults.links) {
    text +=
        " --fail-link " + std::to_string(fault.a) + "-" + std::to_string(fault.b) + "@" + std::to_string(fault.from);
  }
  for (const ProcessorFault& fault : faults.processors) {
    text += " --fail-processor " + std::to_string(fault.rank) + "@" + std::to_string(fault.from);
  }
  return text;
}

// ---- broadcast/msbt-redundant.

TEST(MsbtRedundant, HasTheCountsOfTheSpec) {
  for (std::uint64_t n = 0; n <= 9; ++n) {
    const BuiltMachine machine(cube(n));
    const std::uint64_t p = std::uint64_t{1} << n;
    for (const std::uint64_t root : {std::uint64_t{0}, p - 1, p / 3}) {
      for (const std::uint64_t words : {1U, 7U}) {
        for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
          const std::uint64_t steps = n < 2 ? n : ports == PortModel::all ? n + 1 : 2 * n;
          const std::uint64_t messages = n * (p - 1);
          expect_run(machine, "broadcast/msbt-redundant", model_of(ports), item_settings(words, root),
                     {.steps = steps, .longest_sum = steps * words, .messages = messages, .words = messages * words});
        }
      }
    }
  }
}

void expect_msbt_survives(const BuiltMachine& machine, const Faults& faults, std::uint64_t root, PortModel ports) {
  const std::uint64_t n = machine.spec.ports;
  const Ended ended = run_with(machine, "broadcast/msbt-redundant", model_of(ports), item_settings(3, root), faults);
  EXPECT_TRUE(ended.is_verified()) << ended.error << ended.outcome.wrong;
  EXPECT_LE(ended.outcome.report.steps, ports == PortModel::all ? n + 1 : 2 * n);
}

TEST(MsbtRedundant, SurvivesAllSetsOfFailedLinksOfSmallCubes) {
  std::uint64_t sets = 0;
  for (std::uint64_t n = 2; n <= 4; ++n) {
    if (sanitized && n == 4) break;
    const BuiltMachine machine(cube(n));
    for_all_subsets(links_of_cube(n), n - 1, [&](const std::vector<LinkFault>& failed) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_msbt_survives(machine, {.links = failed}, 0, ports);
      }
      ++sets;
    });
  }
  std::cout << sets << " sets of links\n";
}

TEST(MsbtRedundant, SurvivesAllSetsOfFailedProcessorsOfSmallCubes) {
  std::uint64_t sets = 0;
  for (std::uint64_t n = 2; n <= (sanitized ? 3 : 4); ++n) {
    const BuiltMachine machine(cube(n));
    std::vector<ProcessorFault> others;  // than the root
    for (Rank rank = 1; rank < machine.spec.processors; ++rank) others.push_back({rank, 0});
    for_all_subsets(others, n - 1, [&](const std::vector<ProcessorFault>& failed) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_msbt_survives(machine, {.processors = failed}, 0, ports);
      }
      ++sets;
    });
  }
  std::cout << sets << " sets of processors\n";
}

TEST(MsbtRedundant, SurvivesRandomLinksAndProcessorsThatFailAtAnyTime) {
  constexpr std::uint64_t seed = 4;
  std::mt19937_64 random(seed);
  std::cout << "seed " << seed << "\n";
  for (std::uint64_t n = 3; n <= 8; ++n) {
    const BuiltMachine machine(cube(n));
    const std::vector<LinkFault> links = links_of_cube(n);
    for (int draw = 0; draw < (sanitized ? 10 : 150); ++draw) {
      const auto root = static_cast<Rank>(random() % machine.spec.processors);
      const std::size_t of_links = random() % n;
      Faults faults{.links = drawn_subset(links, of_links, random)};
      for (LinkFault& fault : faults.links) fault.from = random() % (2 * n);
      for (std::size_t others = n - 1 - of_links; others > 0; --others) {
        const auto rank = static_cast<Rank>(random() % machine.spec.processors);
        if (rank != root) faults.processors.push_back({rank, random() % (2 * n)});
      }
      expect_msbt_survives(machine, faults, root, draw % 2 == 0 ? PortModel::one : PortModel::all);
    }
  }
}

TEST(MsbtRedundant, IsNotSafeWhenAllLinksOfAProcessorFail) {
  const BuiltMachine machine(cube(3));
  const Faults faults{.links = {{5, 4, 0}, {5, 7, 0}, {5, 1, 0}}};
  const Ended ended =
      run_with(machine, "broadcast/msbt-redundant", model_of(PortModel::one), item_settings(3, 0), faults);
  EXPECT_EQ(ended.outcome.wrong, "rank 5 holds 0 words of 3, the first 0 right");
}

// ---- broadcast/corrected-tree.

std::uint64_t log2_up(std::uint64_t p) {
  std::uint64_t steps = 0;
  while (std::uint64_t{1} << steps < p) ++steps;
  return steps;
}

TEST(CorrectedTree, HasItsCountsWhereNothingFails) {
  for (std::uint64_t p = 1; p <= 40; ++p) {
    for (const std::string family : {"complete:", "switch:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      const std::uint64_t steps = p == 1 ? 0 : log2_up(p) + 2;
      const std::uint64_t messages = p == 1 ? 0 : p - 1 + 2 * p;
      for (const std::uint64_t root : {std::uint64_t{0}, p - 1, p / 2}) {
        expect_run(machine, "broadcast/corrected-tree", model_of(PortModel::one), item_settings(2, root),
                   {.steps = steps, .longest_sum = 2 * steps, .messages = messages, .words = 2 * messages});
      }
    }
  }
}

/// The places that the tree reaches: living ones whose ancestors live, too; removing the highest bit of a place gives
/// its parent.
std::vector<std::uint64_t> reached_by_tree(std::uint64_t p, const std::set<std::uint64_t>& failed) {
  std::vector<std::uint64_t> reached;
  for (std::uint64_t place = 0; place < p; ++place) {
    bool lives = !failed.contains(place);
    for (std::uint64_t ancestor = place; ancestor != 0 && lives;) {
      std::uint64_t highest = 1;
      while (2 * highest <= ancestor) highest *= 2;
      ancestor -= highest;
      lives = !failed.contains(ancestor);
    }
    if (lives) reached.push_back(place);
  }
  return reached;
}

/// The largest distance from a reached place to the next one, cyclically.
std::uint64_t longest_hole(std::uint64_t p, const std::vector<std::uint64_t>& reached) {
  std::uint64_t longest = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint64_t next = i + 1 < reached.size() ? reached[i + 1] : reached[0] + p;
    longest = std::max(longest, next - reached[i]);
  }
  return longest;
}

void expect_corrected(std::uint64_t p, const std::set<std::uint64_t>& places, std::uint64_t root, bool is_complete) {
  const BuiltMachine machine((is_complete ? "complete:" : "switch:") + std::to_string(p));
  Faults faults;
  for (const std::uint64_t place : places) faults.processors.push_back({static_cast<Rank>((place + root) % p), 0});
  const Ended ended =
      run_with(machine, "broadcast/corrected-tree", model_of(PortModel::one), item_settings(2, root), faults);
  EXPECT_TRUE(ended.is_verified()) << ended.error << ended.outcome.wrong;
  EXPECT_EQ(ended.outcome.report.lost.size(), places.size());
  const std::vector<std::uint64_t> reached = reached_by_tree(p, places);
  if (reached.size() > 1) {
    EXPECT_EQ(ended.outcome.report.cycles, log2_up(p) + 2 * longest_hole(p, reached));
  } else {
    EXPECT_LE(ended.outcome.report.cycles,
              log2_up(p) + 2 * (p - 1));  // only the root goes round, past living places
  }
}

TEST(CorrectedTree, ReachesAllWhoLiveWhicheverOthersHaveFailed) {
  std::uint64_t sets = 0;
  for (std::uint64_t p = 2; p <= (sanitized ? 6 : 10); ++p) {
    for (std::uint64_t mask = 1; mask < std::uint64_t{1} << (p - 1); ++mask) {
      SCOPED_TRACE("p " + std::to_string(p) + ", failed " + std::to_string(mask));
      std::set<std::uint64_t> places;
      for (std::uint64_t place = 1; place < p; ++place) {
        if (mask >> (place - 1) & 1) places.insert(place);
      }
      expect_corrected(p, places, mask % p, mask % 2 == 0);
      ++sets;
    }
  }
  std::cout << sets << " sets of processors\n";
}

TEST(CorrectedTree, ReachesAllWhoLiveWhenOthersFailMeanwhile) {
  constexpr std::uint64_t seed = 7;
  std::mt19937_64 random(seed);
  std::cout << "seed " << seed << "\n";
  for (int draw = 0; draw < (sanitized ? 20 : 400); ++draw) {
    const std::uint64_t p = 2 + random() % 40;
    const BuiltMachine machine((draw % 2 == 0 ? "complete:" : "switch:") + std::to_string(p));
    const std::uint64_t root = random() % p;
    Faults faults;
    for (std::uint64_t count = 1 + random() % 4; count > 0; --count) {
      const auto rank = static_cast<Rank>(random() % p);
      if (rank != root) faults.processors.push_back({rank, random() % 12});
    }
    const Ended ended =
        run_with(machine, "broadcast/corrected-tree", model_of(PortModel::one), item_settings(2, root), faults);
    EXPECT_TRUE(ended.is_verified()) << machine.spec.text << " root " << root << text_of(faults) << ": " << ended.error
                                     << ended.outcome.wrong;
  }
}

// ---- send/disjoint-paths and route/ecube.

void expect_sent(const BuiltMachine& machine, const std::vector<LinkFault>& failed, Rank from, Rank to) {
  Settings settings = block_settings(24);
  settings.source = from;
  settings.destination = to;
  settings.packets = 2;
  const Ended ended = run_with(machine, "send/disjoint-paths", model_of(PortModel::all), settings, {.links = failed});
  EXPECT_TRUE(ended.is_verified()) << ended.error << ended.outcome.wrong;
  // No path of the n is longer than the distance plus two hops.
  const auto distance = static_cast<std::uint64_t>(std::popcount(from ^ to));
  EXPECT_LE(ended.outcome.report.steps, distance + 2 + 2 - 1);
}

void expect_routed(const BuiltMachine& machine, const std::vector<LinkFault>& failed, const std::string& pattern) {
  Settings settings = block_settings(2);
  settings.pattern = pattern;
  const Ended ended = run_with(machine, "route/ecube", model_of(PortModel::one), settings, {.links = failed});
  EXPECT_TRUE(ended.is_verified()) << ended.error << ended.outcome.wrong;
  for (const Measure& measure : ended.outcome.measures) {
    if (measure.name == "longest_path") {
      EXPECT_LE(measure.value, machine.spec.ports + 2U);
    }
  }
}

TEST(AroundFailedLinks, AllPairsAndAllSetsOfSmallCubes) {
  std::uint64_t runs = 0;
  for (std::uint64_t n = 2; n <= 3; ++n) {
    const BuiltMachine machine(cube(n));
    const auto p = static_cast<Rank>(machine.spec.processors);
    for_all_subsets(links_of_cube(n), n - 1, [&](const std::vector<LinkFault>& failed) {
      for (Rank from = 0; from < p; ++from) {
        for (Rank to = 0; to < p; ++to) {
          if (from == to) continue;
          expect_sent(machine, failed, from, to);
          ++runs;
        }
      }
      expect_routed(machine, failed, "bit-reversal");
      expect_routed(machine, failed, "complement");
      expect_routed(machine, failed, "gather");
    });
  }
  std::cout << runs << " runs\n";
}

TEST(AroundFailedLinks, RandomOnesOfLargeCubes) {
  constexpr std::uint64_t seed = 9;
  std::mt19937_64 random(seed);
  std::cout << "seed " << seed << "\n";
  for (std::uint64_t n = 4; n <= 10; ++n) {
    const BuiltMachine machine(cube(n));
    const std::vector<LinkFault> links = links_of_cube(n);
    for (int draw = 0; draw < (sanitized ? 2 : 40); ++draw) {
      std::vector<LinkFault> failed = drawn_subset(links, n - 1, random);
      const auto from = static_cast<Rank>(random() % machine.spec.processors);
      const auto to =
          static_cast<Rank>((from + 1 + random() % (machine.spec.processors - 1)) % machine.spec.processors);
      // Mostly those on the paths.
      for (std::size_t index = 0; index + 1 < failed.size(); ++index) {
        failed[index] = {from, from ^ (Rank{1} << (index + draw) % n), random() % 5};
      }
      expect_sent(machine, failed, from, to);
      if (draw % 10 == 0) expect_routed(machine, failed, "complement");
    }
  }
}

TEST(AroundFailedLinks, WithoutAnyWayTheRunFails) {
  const BuiltMachine machine(cube(2));
  const std::vector<LinkFault> failed{{0, 1, 0}, {0, 2, 3}};
  Settings settings = block_settings(2);
  settings.pattern = "complement";
  EXPECT_EQ(run_with(machine, "route/ecube", model_of(PortModel::one), settings, {.links = failed}).error,
            "route/ecube: no way from rank 0 to rank 3 is left");
  Settings ends = block_settings(4);
  ends.source = 0;
  ends.destination = 3;
  EXPECT_NE(run_with(machine, "send/disjoint-paths", model_of(PortModel::all), ends, {.links = failed}).error, "");
}

// ---- Who has what.

// In cycle 2 three of the four holders still send; what they send is not received any more.
TEST(FaultCoverage, IsThatOfTheCycleOfTheError) {
  const BuiltMachine machine(cube(3));
  const Faults faults{.links = {{0, 4, 0}}};
  const Ended ended = run_with(machine, "broadcast/sbt", model_of(PortModel::one), item_settings(5, 0), faults);
  EXPECT_EQ(ended.error, "broadcast/sbt: cycle 2, rank 0, port 2: the link to rank 4 failed in cycle 0");
  EXPECT_EQ(ended.outcome.report.steps, 3U);
  EXPECT_EQ(ended.outcome.report.messages, 6U);
  EXPECT_EQ(ended.outcome.report.words, 30U);
  ASSERT_TRUE(ended.coverage);
  EXPECT_EQ(ended.coverage->due, 8U);
  EXPECT_EQ(ended.coverage->right, 4U);
  EXPECT_EQ(ended.coverage->missing, (std::vector<Rank>{4, 5, 6, 7}));
}

// A failed processor has nothing, even if it had received all before.
TEST(FaultCoverage, LeavesOutWhatHasFailed) {
  const BuiltMachine machine(cube(3));
  const Ended ended =
      run_with(machine, "broadcast/sbt", model_of(PortModel::one), item_settings(1, 0), {.processors = {{7, 3}}});
  EXPECT_TRUE(ended.is_verified());
  ASSERT_TRUE(ended.coverage);
  EXPECT_EQ(ended.coverage->due, 8U);
  EXPECT_EQ(ended.coverage->right, 7U);
  EXPECT_EQ(ended.coverage->missing, std::vector<Rank>{7});
}

// Only the root should hold anything.
TEST(FaultCoverage, IsOfThoseThatShouldHoldTheResult) {
  const BuiltMachine machine(cube(3));
  const Ended whole = run_with(machine, "gather/sbt", model_of(PortModel::one), item_settings(1, 0), {});
  ASSERT_TRUE(whole.coverage);
  EXPECT_EQ(whole.coverage->due, 1U);
  EXPECT_EQ(whole.coverage->right, 1U);
}

// After the first cycle of three or more nobody can say that all hold what they should, whatever the method.
TEST(FaultCoverage, IsNotWholeWhereTheRunHasJustBegun) {
  std::size_t begun = 0;
  for (const Case& one : catalogue_cases()) {
    const Method& method = *one.method;
    const MachineSpec spec = parse_machine(one.machine);
    if (spec.processors > 24 || spec.processors < 2) continue;
    SCOPED_TRACE(std::string(method.name) + " on " + spec.text);
    const BuiltMachine machine(one.machine);
    Settings settings = required_settings(method);
    method.resolve(machine.spec, method.defaults, settings);
    const Prediction prediction = method.predict(machine.spec, method.defaults, settings);
    if (!prediction.steps || !prediction.steps->exact || prediction.steps->value < 3) continue;
    const Ended ended = run_with(machine, method, method.defaults, settings, {}, nullptr, 0);
    EXPECT_NE(ended.error.find("livelock"), std::string::npos) << ended.error;
    ASSERT_TRUE(ended.coverage);
    EXPECT_LT(ended.coverage->right, ended.coverage->due);
    ++begun;
  }
  EXPECT_GT(begun, 100U);
}

// ---- With any faults, every method ends either verified by its oracle or with an error.

class FaultsOfCatalogue : public testing::TestWithParam<std::size_t> {
 public:
  static constexpr std::size_t parts = 4;
};

Faults drawn_faults(const BuiltMachine& machine, std::mt19937_64& random) {
  const auto p = static_cast<Rank>(machine.spec.processors);
  Faults faults;
  const Cycle from = random() % 6;
  const auto rank = static_cast<Rank>(random() % p);
  if (machine.topology.ports() > 0 && random() % 2 == 0) {
    const End peer = machine.topology.peer(rank, static_cast<Port>(random() % machine.topology.ports()));
    if (peer) faults.links.push_back({rank, peer.rank, from});
  } else {
    faults.processors.push_back({rank, from});
  }
  return faults;
}

MessageFaults drawn_message_faults(std::mt19937_64& random) {
  MessageFaults faults;
  faults.seed = random();
  const double share = random() % 3 == 0 ? 0.5 : 0.05;
  switch (random() % 3) {
    case 0:
      faults.dropped.share = share;
      break;
    case 1:
      faults.delayed.share = share;
      faults.delay = 1 + random() % 3;
      break;
    default:
      faults.corrupted.share = share;
  }
  return faults;
}

TEST_P(FaultsOfCatalogue, EndVerifiedOrInAnError) {
  constexpr std::uint64_t seed = 3;
  std::mt19937_64 random(seed + GetParam());
  const std::vector<Case> cases = catalogue_cases();
  std::uint64_t verified = 0;
  std::uint64_t wrong = 0;
  std::uint64_t errors = 0;
  for (std::size_t index = GetParam(); index < cases.size(); index += parts) {
    const Method& method = *cases[index].method;
    const MachineSpec spec = parse_machine(cases[index].machine);
    if (spec.processors > 24 || spec.processors < 2 || (sanitized && random() % 8 != 0)) continue;
    const BuiltMachine machine(cases[index].machine);
    Settings settings = required_settings(method);
    method.resolve(machine.spec, method.defaults, settings);
    for (int draw = 0; draw < 6; ++draw) {
      SCOPED_TRACE(std::string(method.name) + " on " + machine.spec.text + ", draw " + std::to_string(draw));
      const Faults faults = draw < 3 ? drawn_faults(machine, random) : Faults{};
      const MessageFaults of_messages = draw < 3 ? MessageFaults{} : drawn_message_faults(random);
      MessageFaultInjector injector(of_messages);
      const Ended ended =
          run_with(machine, method, method.defaults, settings, faults, of_messages.empty() ? nullptr : &injector);
      ++(!ended.error.empty() ? errors : ended.outcome.wrong.empty() ? verified : wrong);
      const auto& [dropped, delayed, corrupted] = injector.counts();
      // No data is lost where no message is lost, and no wrong data is reported as right.
      if (ended.is_verified() && corrupted == 1) {  // a word that is inverted twice is correct again
        ADD_FAILURE() << "a corrupted message did not matter";
      }
      // Who has what is known after every run.
      const std::optional<Coverage>& coverage = ended.coverage;
      const std::size_t lost = ended.outcome.report.lost.size();
      if (coverage) {
        EXPECT_LE(coverage->right, coverage->due);
        EXPECT_LE(coverage->due, spec.processors);
        EXPECT_EQ(coverage->missing.size(), coverage->due - coverage->right);
      }
      if (ended.is_verified() && lost == 0) {
        EXPECT_TRUE(coverage && coverage->right == coverage->due) << "not all is right";
      }
      if (ended.is_verified() && dropped > 0 && !sends_copies(method)) {
        ADD_FAILURE() << dropped << " dropped messages did not matter";
      }
    }
  }
  std::cout << "seed " << seed << ": verified " << verified << ", wrong data " << wrong << ", errors " << errors
            << "\n";
  EXPECT_GT(verified, 0U);
  EXPECT_GT(errors, 0U);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, FaultsOfCatalogue, testing::Range(std::size_t{0}, FaultsOfCatalogue::parts));

}  // namespace
}  // namespace lockstep::fault_tolerance_test
