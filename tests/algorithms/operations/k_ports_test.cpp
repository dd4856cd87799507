// Methods that use k ports, against Bruck, Ho, Kipnis, Upfal, Weathersby 1997; and all one-port methods under k ports.
#include <gtest/gtest.h>

#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep::k_ports_methods_test {
namespace {

constexpr std::array<std::uint32_t, 4> port_counts{2, 3, 4, 7};

std::uint64_t divided(std::uint64_t amount, std::uint64_t by) { return (amount + by - 1) / by; }

/// ceil(log_base p).
std::uint64_t rounds_of(std::uint64_t p, std::uint64_t base) {
  std::uint64_t rounds = 0;
  for (std::uint64_t reached = 1; reached < p; reached *= base) ++rounds;
  return rounds;
}

template <class Check>
void on_all_machines(const Check& check) {
  for (std::uint64_t p = 1; p <= (sanitized ? 11 : 30); ++p) {
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint32_t k : port_counts) check(p, k, machine);
    }
  }
}

Settings with_radix(std::uint64_t words, std::optional<std::uint64_t> radix = {}) {
  Settings settings = block_settings(words);
  settings.radix = radix;
  return settings;
}

// ceil(log_(k+1) p) steps.
TEST(KPortBroadcast, GrowsByKPlusOne) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    const std::uint64_t rounds = rounds_of(p, k + 1);
    Settings settings = with_radix(3);
    settings.root = p / 3;
    expect_run(
        machine, "broadcast/k-nomial", model_of(k_ports(k)), settings,
        {.steps = rounds, .longest_sum = 3 * rounds, .messages = p - 1, .words = 3 * (p - 1), .message_words = 3});
  });
}

// A round with n receivers of a holder takes ceil(n/k) steps.
TEST(KPortBroadcast, TakesRoundsOfAnotherRadixInTurns) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    for (const std::uint64_t radix : {2U, 5U, 8U}) {
      const std::uint64_t rounds = rounds_of(p, radix);
      std::uint64_t weight = 1;
      for (std::uint64_t round = 1; round < rounds; ++round) weight *= radix;
      const std::uint64_t steps = p == 1 ? 0 : divided((p - 1) / weight, k) + (rounds - 1) * divided(radix - 1, k);
      expect_run(machine, "broadcast/k-nomial", model_of(k_ports(k)), with_radix(2, radix),
                 {.steps = steps, .longest_sum = 2 * steps, .messages = p - 1, .words = 2 * (p - 1)});
    }
  });
}

// ceil(log_(k+1) p) steps and ceil((p-1)/k) blocks, the least of both. A step brings k times what is there, the last
// one what is missing, evenly.
TEST(KPortAllgather, HasTheLeastStepsAndWordsAtOnce) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    const std::uint64_t rounds = rounds_of(p, k + 1);
    std::uint64_t before_last = 1;
    for (std::uint64_t round = 1; round < rounds; ++round) before_last *= k + 1;
    const std::uint64_t missing = p - before_last;
    const std::uint64_t last = missing == 0 ? 0 : divided(missing, divided(missing, k));
    const std::uint64_t messages = rounds == 0 ? 0 : p * ((rounds - 1) * k + last);
    for (const std::uint64_t m : {1U, 5U}) {
      expect_run(
          machine, "allgather/doubling", model_of(k_ports(k)), block_settings(m),
          {.steps = rounds, .longest_sum = m * divided(p - 1, k), .messages = messages, .words = p * (p - 1) * m});
    }
  });
}

/// Offsets below p whose digit at that place of base r is z.
std::uint64_t offsets_with(std::uint64_t p, std::uint64_t r, std::uint64_t weight, std::uint64_t z) {
  std::uint64_t count = 0;
  for (std::uint64_t offset = 0; offset < p; ++offset) count += offset / weight % r == z ? 1U : 0U;
  return count;
}

// Of every digit k values go in one step; the longest message of a step has the most offsets.
TEST(KPortAlltoall, SendsKValuesOfADigitAtOnce) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    for (const std::optional<std::uint64_t> given : {std::optional<std::uint64_t>{}, {2}, {3}, {p}}) {
      const std::uint64_t radix = given.value_or(std::min<std::uint64_t>(k + 1, std::max<std::uint64_t>(p, 2)));
      if (radix < 2 || radix > std::max<std::uint64_t>(p, 2)) continue;
      std::uint64_t steps = 0;
      std::uint64_t longest_sum = 0;
      std::uint64_t messages = 0;
      std::uint64_t words = 0;
      for (std::uint64_t weight = 1; weight < p; weight *= radix) {
        std::uint64_t values = 0;
        std::uint64_t longest = 0;
        for (std::uint64_t z = 1; z < radix; ++z) {
          const std::uint64_t offsets = offsets_with(p, radix, weight, z);
          if (offsets == 0) continue;
          if (values++ % k == 0) {
            ++steps;
            longest_sum += std::exchange(longest, 0);
          }
          longest = std::max(longest, offsets);
          words += offsets;
        }
        longest_sum += longest;
        messages += values;
      }
      expect_run(machine, "alltoall/bruck", model_of(k_ports(k)), with_radix(2, given),
                 {.steps = steps, .longest_sum = 2 * longest_sum, .messages = p * messages, .words = 2 * p * words});
      if (!given) {
        EXPECT_EQ(steps, rounds_of(p, k + 1));
      }
      if (given == p) {
        EXPECT_EQ(steps, divided(p - 1, k));
        EXPECT_EQ(longest_sum, divided(p - 1, k));
      }
    }
  });
}

/// Of all offsets below p together, the digits of base r that are not 0.
std::uint64_t digits_not_0(std::uint64_t p, std::uint64_t r) {
  std::uint64_t digits = 0;
  for (std::uint64_t offset = 0; offset < p; ++offset) {
    for (std::uint64_t rest = offset; rest > 0; rest /= r) digits += rest % r == 0 ? 0U : 1U;
  }
  return digits;
}

// ceil(log_(k+1) p) steps. Each brings what is for d ranks to the nearest receiver; d = 1, k + 1, (k + 1)^2, ..
TEST(KPortScatter, TakesAsManyRoundsAsABroadcast) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    std::uint64_t longest_sum = 0;
    for (std::uint64_t d = 1; d < p; d *= k + 1) longest_sum += std::min(d, p - d);
    for (const char* method : {"scatter/binomial", "gather/binomial"}) {
      Settings settings = block_settings(3);
      settings.root = p / 3;
      expect_run(machine, method, model_of(k_ports(k)), settings,
                 {.steps = rounds_of(p, k + 1),
                  .longest_sum = 3 * longest_sum,
                  .messages = p - 1,
                  .words = 3 * digits_not_0(p, k + 1)});
    }
  });
}

TEST(KPortReduce, IsTheBroadcastBackwards) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    const std::uint64_t rounds = rounds_of(p, k + 1);
    Settings settings = block_settings(5);
    settings.root = p / 2;
    expect_run(
        machine, "reduce/binomial", model_of(k_ports(k)), settings,
        {.steps = rounds, .longest_sum = 5 * rounds, .messages = p - 1, .words = 5 * (p - 1), .message_words = 5});
  });
}

// As many steps as the allgather in doubling steps takes, and as few words at once: ceil((p - 1)/k) parts.
TEST(KPortCirculant, HasTheLeastStepsAndWordsAtOnce) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    const std::uint64_t rounds = rounds_of(p, k + 1);
    std::uint64_t before_last = 1;
    for (std::uint64_t round = 1; round < rounds; ++round) before_last *= k + 1;
    const std::uint64_t missing = p - before_last;
    const std::uint64_t last = missing == 0 ? 0 : divided(missing, divided(missing, k));
    const std::uint64_t messages = rounds == 0 ? 0 : p * ((rounds - 1) * k + last);
    const std::uint64_t at_once = divided(p - 1, k);
    constexpr std::uint64_t b = 4;
    for (const char* method : {"reduce-scatter/circulant", "allreduce/circulant", "allgather/circulant"}) {
      const bool is_allgather = std::string_view(method) == "allgather/circulant";
      const std::uint64_t halves = std::string_view(method) == "allreduce/circulant" ? 2 : 1;
      expect_run(machine, method, model_of(k_ports(k)), block_settings(is_allgather ? b : b * p),
                 {.steps = halves * rounds,
                  .longest_sum = halves * at_once * b,
                  .messages = halves * messages,
                  .words = halves * p * (p - 1) * b});
    }
  });
}

// Parts of unequal length, and fewer words than ranks.
TEST(KPortCirculant, DividesAnyVector) {
  on_all_machines([](std::uint64_t p, std::uint32_t k, const BuiltMachine& machine) {
    for (const char* method : {"reduce-scatter/circulant", "allreduce/circulant"}) {
      for (const std::uint64_t m : {std::uint64_t{1}, 2 * p + 1}) {
        Model model = model_of(k_ports(k));
        model.cost.flop = 3;
        const Settings settings = block_settings(m);
        const Outcome outcome = machine.run(method, model, settings);
        EXPECT_EQ(outcome.wrong, "");
        expect_kept(machine.predict(method, model, settings), outcome.report, model.cost);
      }
    }
  });
}

TEST(KPortMethods, CatchFaults) {
  for (const char* method : {"scatter/binomial", "gather/binomial", "reduce/binomial", "reduce-scatter/circulant",
                             "allreduce/circulant", "allgather/circulant"}) {
    expect_catches_faults(method, "switch:11", block_settings(22), model_of(k_ports(3)));
  }
}

// A machine with more ports does what one with one port does.
TEST(KPortMethods, AreAlsoAllThatAreMeantForOnePort) {
  unsigned cases = 0;
  for (const Case& one : catalogue_cases()) {
    const MachineSpec spec = parse_machine(one.machine);
    const bool takes_k = !spec.medium || spec.medium->takes_k_ports();
    if (!is_meant_for(*one.method, k_ports(3)) || !takes_k || spec.processors > 16 || spec.processors < 2) continue;
    SCOPED_TRACE(std::string(one.method->name) + " on " + one.machine);
    ++cases;
    const BuiltMachine machine(one.machine);
    Model model = one.method->defaults;
    model.ports = k_ports(3);
    Settings settings = required_settings(*one.method);
    one.method->resolve(spec, model, settings);
    const Outcome outcome = machine.run(one.method->name, model, settings);
    EXPECT_EQ(outcome.wrong, "");
    expect_kept(one.method->predict(spec, model, settings), outcome.report, model.cost);
    const LowerBound bound = lower_bound(*one.method, spec, model, settings);
    EXPECT_GE(outcome.report.steps, bound.steps.value_or(0));
    EXPECT_GE(outcome.report.longest_sum, bound.longest_sum.value_or(0));
  }
  EXPECT_GT(cases, 300U);
}

}  // namespace
}  // namespace lockstep::k_ports_methods_test
