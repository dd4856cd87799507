// allgather/tea1, tea2 and their grouped forms against Saad & Schultz 1985, (4.4) and (4.5) (saad-schultz-1985.md,
// TEA1, TEA2).
#include "allgather/tea.hpp"

#include <array>

#include "allgather_runs.hpp"

namespace lockstep {
namespace {

constexpr std::string_view tea1 = "allgather/tea1";
constexpr std::string_view tea2 = "allgather/tea2";
constexpr std::string_view tea1_grouped = "allgather/tea1-grouped";
constexpr std::string_view tea2_grouped = "allgather/tea2-grouped";
constexpr std::array all_methods{tea1, tea2, tea1_grouped, tea2_grouped};

std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  return k > n ? 0 : k == 0 ? 1 : binomial(n - 1, k - 1) * n / k;
}
std::uint64_t rounded_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// saad-schultz-1985.md, TEA1's table; f is 1 in full and 2 in half form.
SpecCounts tea1_counts(std::uint64_t n, std::uint64_t m, std::uint64_t f) {
  if (n == 0) return {};
  const std::uint64_t k = std::uint64_t{1} << n;
  return {.steps = f * n, .longest_sum = f * (k / 2) * m, .messages = n * n * k, .words = n * k * (k / 2) * m};
}
SpecCounts tea1_grouped_counts(std::uint64_t n, std::uint64_t m) {
  if (n == 0) return {};
  const std::uint64_t k = std::uint64_t{1} << n;
  return {.steps = n + 1, .longest_sum = k * m, .messages = (n + 1) * n * k / 2, .words = n * k * (k / 2) * m};
}

// saad-schultz-1985.md, TEA2's table.
SpecCounts tea2_counts(std::uint64_t n, std::uint64_t m, std::uint64_t f) {
  if (n == 0) return {};
  const std::uint64_t k = std::uint64_t{1} << n;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 1; i <= n; ++i) sum += rounded_up(binomial(n, i), n);
  return {.steps = f * n, .longest_sum = f * sum * m, .messages = k * (n * (n - 1) + 1), .words = k * (k - 1) * m};
}
SpecCounts tea2_grouped_counts(std::uint64_t n, std::uint64_t m) {
  if (n == 0) return {};
  const std::uint64_t k = std::uint64_t{1} << n;
  std::uint64_t sum = 2;
  for (std::uint64_t p = 2; p <= n; ++p) sum += rounded_up(binomial(n + 1, p), n);
  return {.steps = n + 1, .longest_sum = sum * m, .messages = k / 2 * (n * n + 1), .words = k * (k - 1) * m};
}

class Tea : public testing::TestWithParam<unsigned> {};

TEST_P(Tea, gathers_everywhere_with_the_counts_of_the_paper) {
  const unsigned n = GetParam();
  const BuiltMachine machine("hypercube:" + std::to_string(n));
  for (const std::uint64_t m : {1U, 3U}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      const Model model = model_of(PortModel::all, duplex);
      const std::uint64_t f = duplex == Duplex::full ? 1 : 2;
      expect_run(machine, tea1, model, m, tea1_counts(n, m, f));
      expect_run(machine, tea2, model, m, tea2_counts(n, m, f));
      expect_run(machine, tea1_grouped, model, m, tea1_grouped_counts(n, m));
      expect_run(machine, tea2_grouped, model, m, tea2_grouped_counts(n, m));
    }
  }
}

TEST_P(Tea, sends_messages_of_the_stated_length_in_every_step) {
  const unsigned n = GetParam();
  const BuiltMachine machine("hypercube:" + std::to_string(n));
  const auto executor = make_executor(ExecutorKind::sequential);
  const auto longest = [&](std::string_view method, Duplex duplex) {
    RunOptions options;
    options.record_cycles = true;
    const Model model = model_of(PortModel::all, duplex);
    const Settings settings = block_settings(1);
    const Outcome outcome =
        machine.method(method).run({machine.spec, machine.topology, model, settings, *executor, options, {}});
    std::vector<std::uint64_t> blocks;
    for (const CycleCounts& cycle : outcome.report.per_cycle) {
      if (cycle.messages > 0) blocks.push_back(cycle.longest);
    }
    return blocks;
  };
  std::vector<std::uint64_t> full1, half1, grouped1, full2, half2, grouped2;
  for (std::uint64_t i = 1; i <= n; ++i) {
    full1.push_back(binomial(n - 1, i - 1));
    full2.push_back(rounded_up(binomial(n, i), n));
    half1.insert(half1.end(), 2, full1.back());
    half2.insert(half2.end(), 2, full2.back());
  }
  for (std::uint64_t p = 1; p <= n + 1 && n > 0; ++p) {
    grouped1.push_back(binomial(n, p - 1));
    grouped2.push_back(p == 1 || p == n + 1 ? 1 : rounded_up(binomial(n + 1, p), n));
  }
  EXPECT_EQ(longest(tea1, Duplex::full), full1);
  EXPECT_EQ(longest(tea1, Duplex::half_node), half1);
  EXPECT_EQ(longest(tea1_grouped, Duplex::full), grouped1);
  EXPECT_EQ(longest(tea2, Duplex::full), full2);
  EXPECT_EQ(longest(tea2, Duplex::half_node), half2);
  EXPECT_EQ(longest(tea2_grouped, Duplex::full), grouped2);
}

INSTANTIATE_TEST_SUITE_P(hypercubes, Tea, testing::Range(0U, 7U));

// What --duplex chooses by itself: the full form needs links that carry both directions at once.
TEST(TeaModel, full_form_is_refused_where_links_are_half_duplex) {
  const BuiltMachine machine("hypercube:3");
  const auto executor = make_executor(ExecutorKind::sequential);
  const Settings settings = block_settings(1);
  const allgather::tea::Selection everything(3, [](Rank relative, Port d) { return has_bit(relative, d); });
  for (const Duplex duplex : {Duplex::half_link, Duplex::half_node}) {
    const Model model = model_of(PortModel::all, duplex);
    const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
    EXPECT_EQ(allgather::tea::run(request, allgather::tea::Form::half, everything).wrong, "");
    EXPECT_EQ(allgather::tea::run(request, allgather::tea::Form::grouped, everything).wrong, "");
    try {
      allgather::tea::run(request, allgather::tea::Form::full, everything);
      FAIL() << name(duplex);
    } catch (const RunError& error) {
      EXPECT_EQ(error.kind(), duplex == Duplex::half_link ? ErrorKind::half_link : ErrorKind::half_node);
      EXPECT_EQ(error.cycle(), 0U);
    }
  }
}

TEST(TeaModel, needs_all_ports) {
  for (const std::string_view method : all_methods) {
    EXPECT_EQ(broken_rule("hypercube:2", method, model_of(PortModel::one)), ErrorKind::send_limit) << method;
    EXPECT_EQ(broken_rule("hypercube:1", method, model_of(PortModel::one)), std::nullopt) << method;
    EXPECT_EQ(find_method(method, "hypercube").defaults.ports, PortModel::all);
    EXPECT_EQ(find_method(method, "hypercube").defaults.duplex, Duplex::full);
    EXPECT_THROW(find_method(method, "ring"), InputError);
  }
}

// With all ports n steps; (k-1)m/n words in full, 2(k-1)m/n in half-link (saad-schultz-1985.md, TEA2).
TEST(TeaModel, is_bounded_as_the_paper_says) {
  const MachineSpec spec = parse_machine("hypercube:4");
  for (const std::string_view method : all_methods) {
    const auto bound = [&](Duplex duplex) {
      return find_method(method, "hypercube").lower_bound(spec, model_of(PortModel::all, duplex), block_settings(2));
    };
    EXPECT_EQ(bound(Duplex::full).steps, 4U);
    EXPECT_EQ(bound(Duplex::full).longest_sum, 8U);
    EXPECT_EQ(bound(Duplex::half_link).longest_sum, 15U);
  }
}

TEST(TeaFaults, are_caught) {
  for (const std::string_view method : all_methods) {
    for (const std::string machine : {"hypercube:2", "hypercube:3"}) {
      expect_catches_faults(method, machine, block_settings(2), model_of(PortModel::all));
      expect_catches_faults(method, machine, block_settings(2), model_of(PortModel::all, Duplex::half_node));
    }
  }
}

TEST(TeaParameters, are_checked) {
  for (const std::string_view method : all_methods) {
    for (const std::string machine : {"hypercube:0", "hypercube:5"}) expect_block_parameters(method, machine);
  }
}

TEST(TeaMemory, is_that_of_all_blocks_everywhere_and_of_those_on_their_way) {
  for (const std::string_view method : {tea1, tea1_grouped}) expect_bytes(method, "hypercube:10", 512, 4);
  for (const std::string_view method : {tea2, tea2_grouped}) expect_bytes(method, "hypercube:10", 512, 2);
  const MachineSpec spec = parse_machine("hypercube:31");
  for (const std::string_view name : all_methods) {
    const Method& method = find_method(name, "hypercube");
    EXPECT_EQ(method.bytes(spec, method.defaults, block_settings(most_words)), ~std::uint64_t{0});
  }
}

}  // namespace
}  // namespace lockstep
