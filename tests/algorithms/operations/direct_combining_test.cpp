// The /direct methods of reductions, scans and barriers on bus and shared memory against collectives.md, Through a bus
// or a memory.
#include <array>
#include <bit>
#include <map>
#include <set>
#include <vector>

#include "data_directory.hpp"
#include "lockstep/algorithms/operators.hpp"
#include "media_runs.hpp"

namespace lockstep::direct_combining_test {
namespace {

using namespace media_runs;

const std::vector<std::string> combining{"reduce/direct", "allreduce/direct", "reduce-scatter/direct", "scan/direct",
                                         "exscan/direct"};

Settings with_operator(const std::string& name, std::uint64_t words) {
  Settings settings;
  settings.operator_name = name;
  settings.words = words;
  return settings;
}

/// Part i of m words has the words from floor(m i/parts) to floor(m (i+1)/parts).
std::uint64_t size_of_part(std::uint64_t m, std::uint64_t i, std::uint64_t parts) {
  return m * (i + 1) / parts - m * i / parts;
}

std::uint64_t longest_part(std::uint64_t m, std::uint64_t parts) { return divided_up(m, parts); }

std::uint64_t combined_on_bus(const std::string& method, std::uint64_t k) {
  return method == "exscan/direct" ? k - 2 : k - 1;  // times m
}

// S = k-1, W = V = (k-1) m; S = k for an allreduce of k m words and a reduce-scatter of (k-1) m.
SpecCounts bus_counts(const std::string& method, std::uint64_t k, std::uint64_t m) {
  if (k == 1) return nothing;
  const bool tells_all = method == "allreduce/direct";
  const std::uint64_t steps = tells_all || method == "reduce-scatter/direct" ? k : k - 1;
  const std::uint64_t words = (tells_all ? k : k - 1) * m;
  return {.steps = steps,
          .longest_sum = words,
          .messages = steps,
          .words = words,
          .operations = combined_on_bus(method, k) * m};
}

TEST(DirectCombining, HasTheCountsOfTheSpecOnABus) {
  for (std::uint64_t k = 1; k <= 12; ++k) {
    for (const std::uint64_t kstar : std::set<std::uint64_t>{1, k}) {
      const BuiltMachine machine(machine_text("bus", k, kstar));
      for (const std::string& method : combining) {
        for (const std::uint64_t m : {1U, 2U, 7U, 12U}) {
          const Model model = model_of(PortModel::one, Duplex::half_node,
                                       method == "allreduce/direct" || method == "reduce-scatter/direct");
          expect_run(machine, method, model, with_operator("sum", m), bus_counts(method, k, m));
        }
      }
    }
  }
}

TEST(DirectCombining, SendsToEveryRootOnABus) {
  for (const std::uint64_t k : {2U, 3U, 6U}) {
    const BuiltMachine machine(machine_text("bus", k));
    for (const char* name : {"sum", "matrix2", "concat"}) {
      for (std::uint64_t root = 0; root < k; ++root) {
        Settings settings = with_operator(name, 4);
        settings.root = root;
        expect_run(machine, "reduce/direct", model_of(PortModel::one), settings,
                   {.steps = k - 1, .longest_sum = 4 * (k - 1), .messages = k - 1, .words = 4 * (k - 1)});
      }
    }
  }
}

/// Accesses to a memory, phase by phase.
class AccessCounts {
 public:
  explicit AccessCounts(std::uint64_t at_once) : at_once_(at_once) {}

  /// Accesses of these lengths, in this order, as many at once as fit.
  void add(const std::vector<std::uint64_t>& lengths) {
    for (std::size_t first = 0; first < lengths.size(); first += at_once_) {
      ++*counts_.steps;
      std::uint64_t longest = 0;
      for (std::size_t one = first; one < std::min<std::size_t>(first + at_once_, lengths.size()); ++one) {
        longest = std::max(longest, lengths[one]);
        ++*counts_.messages;
        *counts_.words += lengths[one];
      }
      *counts_.longest_sum += longest;
    }
  }
  SpecCounts counts() const { return counts_; }

 private:
  std::uint64_t at_once_;
  SpecCounts counts_{.steps = 0, .longest_sum = 0, .messages = 0, .words = 0};
};

// The four phases. The processors that combine a part of g come first.
SpecCounts memory_counts(const std::string& method, std::uint64_t k, std::uint64_t at_once, std::uint64_t m,
                         std::uint64_t g, std::uint64_t copies) {
  if (k == 1) return nothing;
  const bool scans = method == "scan/direct" || method == "exscan/direct";
  const bool is_reduce = method == "reduce/direct";
  const auto part = [&](std::uint64_t i) { return i < g ? size_of_part(m, i, g) : 0; };
  AccessCounts all(at_once);
  std::vector<std::uint64_t> lengths;
  const std::uint64_t operands = scans ? k - 1 : k;
  for (std::uint64_t place = g == 1 ? 1 : 0; place < operands; ++place) lengths.push_back(m - part(place));
  all.add(lengths);
  lengths.clear();
  for (std::uint64_t i = 0; i < g && operands > 1; ++i) lengths.push_back((operands - 1) * part(i));
  all.add(lengths);
  lengths.clear();
  for (std::uint64_t i = is_reduce ? 1 : 0; i < g; ++i) {
    const std::uint64_t readers = scans ? (i == 0 ? k - 1 : k - 2) : copies;
    lengths.push_back(readers * part(i));
  }
  all.add(lengths);
  lengths.clear();
  if (is_reduce) {
    if (g > 1) lengths.push_back(m - part(0));
  } else {
    for (std::uint64_t place = scans || g == 1 ? 1 : 0; place < k; ++place) lengths.push_back(m - part(place));
  }
  all.add(lengths);
  SpecCounts counts = all.counts();
  counts.operations = (method == "scan/direct" ? 2 * k - 3 : scans ? k - 2 : k - 1) * m;
  return counts;
}

TEST(DirectCombining, HasTheCountsOfTheSpecOnASharedMemory) {
  for (std::uint64_t k = 1; k <= (sanitized ? 6 : 10); ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      const BuiltMachine machine(machine_text("shared", k, kstar));
      for (const std::string method : {"reduce/direct", "allreduce/direct", "scan/direct", "exscan/direct"}) {
        for (const std::uint64_t m : {1U, 5U, 12U}) {
          const bool scans = method == "scan/direct" || method == "exscan/direct";
          for (std::uint64_t g = 1; g <= std::min({kstar, m, scans && k > 1 ? k - 1 : k}); ++g) {
            SCOPED_TRACE(std::to_string(g) + " parts");
            Settings settings = with_operator("sum", m);
            settings.packets = g;
            if (method == "reduce/direct") settings.root = k / 2;
            expect_run(machine, method, model_of(PortModel::one, Duplex::half_node), settings,
                       memory_counts(method, k, kstar, m, g, 1));
          }
        }
      }
    }
  }
}

TEST(DirectCombining, HasOneThatCombinesWhereAMemoryHasBanks) {
  for (const std::uint64_t k : {1U, 2U, 3U, 7U}) {
    for_some_banks(k, [&](std::uint64_t kstar, std::uint64_t banks) {
      const BuiltMachine machine(banks_text(k, kstar, banks));
      const std::uint64_t at_once = std::min(kstar, banks);
      for (const std::string method : {"reduce/direct", "allreduce/direct", "scan/direct", "exscan/direct"}) {
        const std::uint64_t copies = std::min(at_once, k - 1);
        expect_run(machine, method, model_of(PortModel::one, Duplex::half_node), with_operator("sum", 5),
                   memory_counts(method, k, at_once, 5, 1, copies));
      }
    });
  }
}

TEST(DirectCombining, ChoosesTheNumberOfPartsByTime) {
  // Three steps more pay for a read of 15 m / 4 instead of 15 m words.
  Settings settings = with_operator("sum", 1600);
  const Model dear = model_of(PortModel::one);
  EXPECT_EQ(resolved("reduce/direct", "shared:16,kstar=4", settings, dear).packets, 4U);
  settings.words = 1;
  EXPECT_EQ(resolved("reduce/direct", "shared:16,kstar=4", settings, dear).packets, 1U);
  settings.words = 1600;
  settings.packets = 5;
  EXPECT_EQ(refusal("reduce/direct", "shared:16,kstar=4", settings), "--packets 5 is out of range: 1 to 4");
  settings.packets = 2;
  EXPECT_EQ(refusal("scan/direct", "shared:2,kstar=2", settings), "--packets 2 is out of range: 1 to 1");
  EXPECT_EQ(refusal("scan/direct", "shared:9,kstar=4,banks=8", settings), "--packets 2 is out of range: 1 to 1");
}

// Packet j goes from rank to rank: rank r writes it in step 2 (r + j) + 1, and rank r + 1 reads it in the next one. The
// first m mod n of n packets have a word more.
SpecCounts chain_counts(std::uint64_t k, std::uint64_t m, std::uint64_t n, bool is_inclusive) {
  if (k == 1) return nothing;
  std::map<std::uint64_t, std::uint64_t> longest;
  for (std::uint64_t rank = 0; rank + 1 < k; ++rank) {
    for (std::uint64_t packet = 0; packet < n; ++packet) {
      for (const std::uint64_t step : {2 * (rank + packet), 2 * (rank + packet) + 1}) {
        longest[step] = std::max(longest[step], m / n + (packet < m % n ? 1 : 0));
      }
    }
  }
  std::uint64_t sum = 0;
  for (const auto& [step, words] : longest) sum += words;
  EXPECT_EQ(longest.size(), 2 * (k + n - 2));
  return {.steps = longest.size(),
          .longest_sum = sum,
          .messages = 2 * (k - 1) * n,
          .words = 2 * (k - 1) * m,
          .operations = (is_inclusive ? k - 1 : k - 2) * m};
}

TEST(ScanChain, HasTheCountsOfTheSpec) {
  for (std::uint64_t k = 1; k <= 9; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      for (const std::uint64_t banks : {0U, 2U, 11U}) {
        const BuiltMachine machine(banks == 0 ? machine_text("shared", k, kstar) : banks_text(k, kstar, banks));
        for (const std::uint64_t m : {1U, 5U, 12U}) {
          for (std::uint64_t n = 1; n <= std::min({kstar, m, banks == 0 ? kstar : banks}); ++n) {
            for (const std::string method : {"scan/pipelined", "exscan/pipelined"}) {
              Settings settings = with_operator("sum", m);
              settings.packets = n;
              Model model = model_of(PortModel::one, Duplex::half_node);
              expect_run(machine, method, model, settings, chain_counts(k, m, n, method == "scan/pipelined"));
              model.cost.flop = 0.5;
              expect_run(machine, method, model, settings, {});
            }
          }
        }
      }
    }
  }
}

TEST(ScanChain, KeepsTheOrderOfTheRanksAndCatchesFaults) {
  for (const char* text : {"shared:1,kstar=1", "shared:2,kstar=2", "shared:5,kstar=3", "shared:6,kstar=4,banks=3"}) {
    const BuiltMachine machine(text);
    for (const std::string method : {"scan/pipelined", "exscan/pipelined"}) {
      for (const Operator& op : operators()) {
        const Settings settings = with_operator(std::string(op.name), 3 * op.element_words);
        expect_run(machine, method, model_of(PortModel::one), settings, {});
        if (machine.spec.processors > 1) expect_catches_faults(method, text, settings);
      }
    }
  }
}

// With one access at a time nothing is better; with more, no fewer words can be written and read.
TEST(ScanChain, MeetsTheBoundOfOneAccessAtATime) {
  for (const std::uint64_t k : {2U, 3U, 8U, 13U}) {
    for (const std::string method : {"scan/pipelined", "exscan/pipelined"}) {
      EXPECT_EQ(bound(method, machine_text("shared", k, 1), with_operator("sum", 6), {}),
                Bound(2 * (k - 1), 2 * (k - 1) * 6));
    }
  }
  EXPECT_EQ(resolved("scan/pipelined", "shared:16,kstar=4", with_operator("sum", 1600)).packets, 4U);
  Settings settings = with_operator("sum", 12);
  settings.packets = 4;
  EXPECT_EQ(refusal("scan/pipelined", "shared:6,kstar=5,banks=3", settings), "--packets 4 is out of range: 1 to 3");
}

// Everybody writes all parts but its own, and reads its own of all others.
TEST(DirectReduceScatter, HasTheCountsOfTheSpecOnASharedMemory) {
  for (std::uint64_t k = 1; k <= 10; ++k) {
    for (const std::uint64_t kstar : some_kstar(k)) {
      const BuiltMachine machine(machine_text("shared", k, kstar));
      for (const std::uint64_t m : {1U, 5U, 20U}) {
        std::vector<std::uint64_t> writes;
        std::vector<std::uint64_t> reads;
        for (std::uint64_t rank = 0; rank < k; ++rank) {
          writes.push_back(m - size_of_part(m, rank, k));
          reads.push_back((k - 1) * size_of_part(m, rank, k));
        }
        AccessCounts all(kstar);
        all.add(writes);
        all.add(reads);
        SpecCounts counts = k == 1 ? nothing : all.counts();
        if (k > 1) counts.operations = (k - 1) * m;
        expect_run(machine, "reduce-scatter/direct", model_of(PortModel::one, Duplex::half_node),
                   with_operator("sum", m), counts);
      }
    }
  }
}

// As an alltoall of parts, where all have one length.
TEST(DirectReduceScatter, HasTheCountsOfTheAlltoallOnMemoryBanks) {
  for (std::uint64_t k = 2; k <= 9; ++k) {
    for_some_banks(k, [&](std::uint64_t kstar, std::uint64_t banks) {
      const BankCounts bank(k, kstar, banks);
      const BuiltMachine machine(banks_text(k, kstar, banks));
      expect_run(machine, "reduce-scatter/direct", model_of(PortModel::one), with_operator("sum", 3 * k),
                 {.steps = bank.steps(k),
                  .longest_sum = bank.groups * (k - 1) * 3 + bank.read() * 3,
                  .messages = bank.messages(k),
                  .words = 2 * k * (k - 1) * 3,
                  .operations = (k - 1) * 3 * k});
      // Of uneven parts the prediction alone knows the longest reads.
      expect_run(machine, "reduce-scatter/direct", model_of(PortModel::one), with_operator("sum", 2 * k + 1),
                 {.steps = bank.steps(k), .messages = bank.messages(k)});
    });
  }
}

// S = k, W = k w on a bus; S = 2 R(k), W = R(k) k w on a memory; for any arrivals.
TEST(DirectBarrier, HasTheCountsOfTheSpec) {
  for (std::uint64_t k = 1; k <= 12; ++k) {
    for (const std::uint64_t last : {0U, 5U, 100U}) {
      for (const std::uint64_t w : {1U, 3U}) {
        Settings settings = block_settings(w);
        settings.arrivals = last;
        const auto expect = [&](const std::string& text, const SpecCounts& counts, bool multicast) {
          const BuiltMachine machine(text);
          const Model model = model_of(PortModel::one, Duplex::half_node, multicast);
          const Outcome outcome = machine.run("barrier/direct", model, settings);
          EXPECT_EQ(outcome.wrong, "") << text;
          EXPECT_EQ(outcome.report.steps, counts.steps) << text;
          EXPECT_EQ(outcome.report.longest_sum, counts.longest_sum) << text;
          EXPECT_EQ(outcome.report.messages, counts.messages) << text;
          EXPECT_EQ(outcome.report.words, counts.words) << text;
          const Method& method = machine.method("barrier/direct");
          method.resolve(machine.spec, model, settings);
          expect_predicted(method.predict(machine.spec, model, settings), counts);
          EXPECT_GE(outcome.measures[1].value, outcome.measures[0].value) << text;  // released after the last arrival
        };
        expect(machine_text("bus", k), k == 1 ? nothing : SpecCounts{k, k * w, k, k * w}, true);
        for (const std::uint64_t kstar : some_kstar(k)) {
          const std::uint64_t R = divided_up(k, kstar);
          expect(machine_text("shared", k, kstar), k == 1 ? nothing : SpecCounts{2 * R, R * k * w, 2 * k, k * k * w},
                 false);
        }
        if (k == 1) continue;
        const BankCounts bank(k, 3, 2);
        expect(banks_text(k, std::min<std::uint64_t>(3, k), 2),
               {bank.steps(k), bank.groups * w + bank.read() * w, bank.messages(k), k * k * w}, false);
      }
    }
  }
}

// Every operator, also those that do not commute: operands are combined in the order of the ranks. Parts of matrices
// are whole matrices, fewer than ranks among them.
TEST(DirectCombining, KeepsTheOrderOfTheRanks) {
  for (const char* text : {"bus:1", "bus:2", "bus:3", "bus:7", "shared:1,kstar=1", "shared:2,kstar=2",
                           "shared:3,kstar=1", "shared:7,kstar=3", "shared:8,kstar=8", "shared:7,kstar=4,banks=3"}) {
    const BuiltMachine machine(text);
    for (const Operator& op : operators()) {
      for (const std::string& method : combining) {
        for (const std::uint64_t elements : {1U, 2U, 10U}) {
          const Settings settings = with_operator(std::string(op.name), elements * op.element_words);
          expect_run(machine, method, machine.method(method).defaults, settings, {});
        }
      }
    }
  }
}

TEST(DirectCombining, CatchesFaults) {
  for (const char* text : {"bus:2", "bus:5", "shared:4,kstar=3", "shared:5,kstar=3,banks=2"}) {
    for (const std::string& method : combining) {
      for (const char* name : {"sum", "min", "or", "concat"})
        expect_catches_faults(method, text, with_operator(name, 6));
      expect_catches_faults(method, text, with_operator("matrix2", 20));
    }
    expect_catches_faults("barrier/direct", text, block_settings(2));
  }
}

// One transaction, and one access, at a time: nothing is better on a bus, and the reduction and the allreduce through
// a memory move the fewest words.
TEST(DirectCombining, MeetsTheBounds) {
  for (const std::uint64_t k : {2U, 3U, 8U, 13U}) {
    const std::uint64_t m = 6 * k;
    const Model heard = model_of(PortModel::one, Duplex::full, true);
    for (const std::string& method : combining) {
      const SpecCounts counts = bus_counts(method, k, m);
      EXPECT_EQ(bound(method, machine_text("bus", k), with_operator("sum", m), heard),
                Bound(*counts.steps, *counts.longest_sum))
          << method << ", " << k;
    }
    const Bound of_barrier = bound("barrier/direct", machine_text("bus", k), block_settings(1), heard);
    EXPECT_EQ(of_barrier, Bound(k, k));
    const std::string memory = machine_text("shared", k, 1);
    EXPECT_EQ(bound("reduce/direct", memory, with_operator("sum", m), {}).second, 2 * (k - 1) * m);
    EXPECT_EQ(bound("allreduce/direct", memory, with_operator("sum", m), {}).second, (3 * k - 2) * m);
    EXPECT_EQ(bound("reduce-scatter/direct", memory, with_operator("sum", m), {}), Bound(2 * k, 2 * (k - 1) * m));
  }
  EXPECT_EQ(bound("allreduce/direct", "shared:16,kstar=4", with_operator("sum", 64), {}).second,
            memory_counts("allreduce/direct", 16, 4, 64, 4, 1).longest_sum);
  EXPECT_EQ(2 * bound("scan/direct", "shared:16,kstar=4", with_operator("sum", 64), {}).second,
            memory_counts("scan/direct", 16, 4, 64, 4, 1).longest_sum);
  // Of one matrix all other ranks but one have nothing.
  EXPECT_LE(bound("reduce-scatter/direct", "bus:3", with_operator("matrix2", 4), model_of(PortModel::one)).first, 3U);
}

// G: the most words that a rank combines in each step, summed.
TEST(DirectCombining, ChargesTheArithmeticOfTheBusiest) {
  constexpr double flop = 0.5;
  const auto expect_charged = [&](const std::string& method, const std::string& text, std::uint64_t m, std::uint64_t g,
                                  std::uint64_t charged) {
    const BuiltMachine machine(text);
    Settings settings = with_operator("sum", m);
    if (g > 0) settings.packets = g;
    Model model = machine.method(method).defaults;
    const double without = expect_run(machine, method, model, settings, {}).time_synchronous;
    model.cost.flop = flop;
    const double with = expect_run(machine, method, model, settings, {}).time_synchronous;
    EXPECT_DOUBLE_EQ(with - without, flop * static_cast<double>(charged)) << method << " on " << text << ", " << m;
  };
  for (const std::uint64_t k : {2U, 3U, 8U}) {
    for (const std::uint64_t m : {1U, 10U}) {
      const std::string bus = machine_text("bus", k);
      expect_charged("reduce/direct", bus, m, 0, (k - 1) * m);
      expect_charged("allreduce/direct", bus, m, 0, (k - 1) * m);
      expect_charged("reduce-scatter/direct", bus, m, 0, (k - 1) * longest_part(m, k));
      expect_charged("scan/direct", bus, m, 0, (k - 1) * m);
      expect_charged("exscan/direct", bus, m, 0, (k - 2) * m);
      const std::string memory = machine_text("shared", k, 2);
      for (const std::uint64_t g : {1U, 2U}) {
        if (g > m || (g == 2 && k == 2)) continue;
        expect_charged("reduce/direct", memory, m, g, (k - 1) * longest_part(m, g));
        expect_charged("allreduce/direct", memory, m, g, (k - 1) * longest_part(m, g));
        expect_charged("exscan/direct", memory, m, g, (k - 2) * longest_part(m, g));
        expect_charged("scan/direct", memory, m, g, (k - 2) * longest_part(m, g) + divided_up(k - 1, 2) * m);
      }
    }
    expect_charged("reduce-scatter/direct", machine_text("shared", k, 2), 3 * k, 0, divided_up(k, 2) * (k - 1) * 3);
  }
}

TEST(DirectCombining, NeedsMulticastWhereAllHearOfTheResult) {
  for (const std::string_view method : {"allreduce/direct", "reduce-scatter/direct", "barrier/direct"}) {
    EXPECT_NE(violation(method, "bus:3", model_of(PortModel::one)).find("no multicast"), std::string::npos) << method;
    EXPECT_TRUE(BuiltMachine("bus:3").method(method).defaults.multicast) << method;
  }
}

class DirectCombiningFile : public DataDirectory {
 protected:
  std::string result(const char* machine, const std::string& method, const std::string& name,
                     const std::string& input) const {
    Settings settings;
    settings.operator_name = name;
    settings.input = file("in", input);
    settings.output = path("out");
    const BuiltMachine built(machine);
    EXPECT_EQ(built.run(method, built.method(method).defaults, settings).wrong, "") << method;
    return text_of(path("out"));
  }
};

TEST_F(DirectCombiningFile, ComesToWhatAPersonWould) {
  for (const char* machine : {"bus:5", "shared:5,kstar=3", "shared:5,kstar=3,banks=2"}) {
    SCOPED_TRACE(machine);
    const std::string numbers = "1\n20\n300\n4000\n50000";
    EXPECT_EQ(result(machine, "reduce/direct", "sum", numbers), "54321\n");
    EXPECT_EQ(result(machine, "allreduce/direct", "concat", "a\nb\nc\nd\ne"), "abcde\n");
    EXPECT_EQ(result(machine, "scan/direct", "sum", numbers), "1\n21\n321\n4321\n54321\n");
    EXPECT_EQ(result(machine, "exscan/direct", "concat", "a\nb\nc\nd\ne"), "a\nab\nabc\nabcd\n");
    if (std::string_view(machine).starts_with("shared")) {
      EXPECT_EQ(result(machine, "scan/pipelined", "concat", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj"),
                "a\nb\nac\nbd\nace\nbdf\naceg\nbdfh\nacegi\nbdfhj\n");
      EXPECT_EQ(result(machine, "exscan/pipelined", "sum", numbers), "1\n21\n321\n4321\n");
    }
    EXPECT_EQ(result(machine, "exscan/direct", "max", "3\n1\n4\n1\n5"), "3\n3\n4\n4\n");
    EXPECT_EQ(result(machine, "reduce-scatter/direct", "concat", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj"), "acegi\nbdfhj\n");
    // Products of matrices, as they do not commute: powers of [1 1; 0 1] add up in the corner.
    EXPECT_EQ(
        result(machine, "allreduce/direct", "matrix2", "1\n1\n0\n1\n1\n2\n0\n1\n1\n3\n0\n1\n1\n4\n0\n1\n1\n5\n0\n1"),
        "1\n15\n0\n1\n");
  }
}

// ---- The bounds of one access, or one transaction, at a time, against all schedules of one word.

using Knowledge = std::array<unsigned, 4>;  // a set of operands, by processor

/// The fewest transactions on a bus after which all know what they are to know: breadth-first. A sender
/// may as well send all that it knows, and to everybody.
unsigned fewest_transactions(unsigned k, const Knowledge& wanted) {
  const auto is_done = [&](const Knowledge& known) {
    for (unsigned one = 0; one < k; ++one) {
      if ((wanted[one] & ~known[one]) != 0) return false;
    }
    return true;
  };
  Knowledge first{};
  for (unsigned one = 0; one < k; ++one) first[one] = 1U << one;
  std::set<Knowledge> seen{first};
  std::vector<Knowledge> now{first};
  for (unsigned transactions = 0;; ++transactions) {
    std::vector<Knowledge> next;
    for (const Knowledge& known : now) {
      if (is_done(known)) return transactions;
      for (unsigned sender = 0; sender < k; ++sender) {
        Knowledge after = known;
        for (unsigned one = 0; one < k; ++one) after[one] |= known[sender];
        if (seen.insert(after).second) next.push_back(after);
      }
    }
    now = std::move(next);
  }
}

/// The same with accesses to a memory: a processor writes all that it knows into a slot of its own choice, or reads
/// one.
unsigned fewest_accesses(unsigned k, const Knowledge& wanted) {
  using State = std::pair<Knowledge, std::set<unsigned>>;
  const auto is_done = [&](const Knowledge& known) {
    for (unsigned one = 0; one < k; ++one) {
      if ((wanted[one] & ~known[one]) != 0) return false;
    }
    return true;
  };
  State first{};
  for (unsigned one = 0; one < k; ++one) first.first[one] = 1U << one;
  std::set<State> seen{first};
  std::vector<State> now{first};
  for (unsigned accesses = 0;; ++accesses) {
    std::vector<State> next;
    for (const State& state : now) {
      if (is_done(state.first)) return accesses;
      const auto add = [&](State after) {
        if (seen.insert(after).second) next.push_back(std::move(after));
      };
      for (unsigned one = 0; one < k; ++one) {
        State written = state;
        written.second.insert(state.first[one]);
        add(std::move(written));
        for (const unsigned slot : state.second) {
          State read = state;
          read.first[one] |= slot;
          add(std::move(read));
        }
      }
    }
    now = std::move(next);
  }
}

struct Wanted {
  Collective collective;
  Knowledge known;
};

std::vector<Wanted> wanted_by(unsigned k) {
  const unsigned all = (1U << k) - 1;
  Knowledge at_all{};
  Knowledge up_to_each{};
  Knowledge before_each{};
  for (unsigned one = 0; one < k; ++one) {
    at_all[one] = all;
    up_to_each[one] = (2U << one) - 1;
    before_each[one] = (1U << one) - 1;
  }
  return {{Collective::reduce, {all}},
          {Collective::allreduce, at_all},
          {Collective::scan, up_to_each},
          {Collective::exscan, before_each}};
}

std::uint64_t bound_on_words(Collective collective, const std::string& text, std::uint64_t words) {
  const MachineSpec spec = parse_machine(text);
  const Model model = model_of(PortModel::one, Duplex::full, spec.family == "bus");
  return *lower_bound(Problem{.collective = collective, .machine = spec, .model = model, .words = words}).longest_sum;
}

TEST(BoundsOfMedia, AreTheFewestTransactionsOfABusWord) {
  for (unsigned k = 2; k <= 4; ++k) {
    for (const auto& [collective, known] : wanted_by(k)) {
      const unsigned fewest = fewest_transactions(k, known);
      for (const std::uint64_t m : {1U, 3U, 10U}) {
        EXPECT_EQ(bound_on_words(collective, machine_text("bus", k), m), fewest * m)
            << static_cast<int>(collective) << ", " << k;
      }
    }
  }
}

TEST(BoundsOfMedia, AreTheFewestAccessesToAMemoryForAWord) {
  for (unsigned k = 2; k <= 3; ++k) {
    for (const auto& [collective, known] : wanted_by(k)) {
      const unsigned fewest = fewest_accesses(k, known);
      for (const std::uint64_t m : {1U, 3U, 10U}) {
        EXPECT_EQ(bound_on_words(collective, machine_text("shared", k, 1), m), fewest * m)
            << static_cast<int>(collective) << ", " << k;
      }
    }
  }
}

// With several transactions a step, no more than the methods take.
TEST(BoundsOfMedia, ShareTheWordsAmongTheTransactionsOfAStep) {
  EXPECT_EQ(bound_on_words(Collective::reduce, "bus:16,kstar=4", 64), 15U * 64 / 4);
  EXPECT_EQ(bound_on_words(Collective::allreduce, "bus:16,kstar=4", 64), 16U * 64 / 4);
  EXPECT_EQ(bound_on_words(Collective::scan, "bus:16,kstar=4", 64), 15U * 64 / 4);
  EXPECT_EQ(bound_on_words(Collective::reduce_scatter, "bus:16,kstar=4", 64), 15U * 64 / 4);
}

}  // namespace
}  // namespace lockstep::direct_combining_test
