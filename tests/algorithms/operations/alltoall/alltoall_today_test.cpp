// alltoall/bruck, alltoall/pairwise and alltoall/hierarchical against collectives.md, Alltoall.
#include <gtest/gtest.h>

#include <array>

#include "method_run.hpp"

namespace lockstep::alltoall_today_test {
namespace {

constexpr std::array today{"alltoall/bruck", "alltoall/hierarchical", "alltoall/pairwise"};

/// R: the pairs (x, z) with 1 <= z < r and z r^x < p.
std::uint64_t pairs(std::uint64_t p, std::uint64_t r) {
  std::uint64_t count = 0;
  for (std::uint64_t power = 1; power < p; power *= r) {
    for (std::uint64_t z = 1; z < r; ++z) count += z * power < p ? 1U : 0U;
  }
  return count;
}

/// Z: the non-zero base-r digits of all i < p.
std::uint64_t digits(std::uint64_t p, std::uint64_t r) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < p; ++i) {
    for (std::uint64_t rest = i; rest > 0; rest /= r) count += rest % r != 0 ? 1U : 0U;
  }
  return count;
}

template <class Check>
void on_all_machines(const Check& check) {
  for (std::uint64_t p = 1; p <= (sanitized ? 17 : 33); ++p) {
    for (const char* family : {"switch:", "complete:"}) check(p, BuiltMachine(family + std::to_string(p)));
  }
}

Settings with_radix(std::uint64_t words, std::uint64_t radix) {
  Settings settings = block_settings(words);
  settings.radix = radix;
  return settings;
}

Settings with_groups(std::uint64_t words, std::uint64_t size) {
  Settings settings = block_settings(words);
  settings.group_size = size;
  return settings;
}

TEST(AlltoallBruck, HasTheCountsOfTheSpec) {
  on_all_machines([](std::uint64_t p, const BuiltMachine& machine) {
    for (const std::uint64_t r : {2U, 3U, 4U, 5U}) {
      if (r > std::max<std::uint64_t>(p, 2)) continue;
      for (const std::uint64_t b : {1U, 20U}) {
        SCOPED_TRACE("radix " + std::to_string(r));
        const std::uint64_t R = pairs(p, r);
        const std::uint64_t Z = digits(p, r);
        expect_run(machine, "alltoall/bruck", model_of(PortModel::one), with_radix(b, r),
                   {.steps = R, .longest_sum = b * Z, .messages = p * R, .words = p * b * Z});
      }
    }
  });
}

// r = 2, p = 2^q: Z = q p/2, the least with q steps. r = p: every block goes directly.
TEST(AlltoallBruck, MeetsItsBoundsAtBothEnds) {
  for (const std::uint64_t q : {1U, 3U, 5U}) {
    const std::uint64_t p = std::uint64_t{1} << q;
    const BuiltMachine machine("switch:" + std::to_string(p));
    expect_run(machine, "alltoall/bruck", model_of(PortModel::one), with_radix(3, 2),
               {.steps = q, .longest_sum = 3 * q * p / 2, .messages = p * q, .words = 3 * p * q * p / 2});
    expect_run(machine, "alltoall/bruck", model_of(PortModel::one), with_radix(3, p),
               {.steps = p - 1, .longest_sum = 3 * (p - 1), .messages = p * (p - 1), .words = 3 * p * (p - 1)});
  }
}

TEST(AlltoallPairwise, HasTheCountsOfTheSpec) {
  on_all_machines([](std::uint64_t p, const BuiltMachine& machine) {
    for (const std::uint64_t b : {1U, 20U}) {
      expect_run(machine, "alltoall/pairwise", model_of(PortModel::one), block_settings(b),
                 {.steps = p - 1,
                  .longest_sum = (p - 1) * b,
                  .messages = p * (p - 1),
                  .words = p * (p - 1) * b,
                  .message_words = b});
    }
  });
}

TEST(AlltoallPairwiseExclusiveOr, HasTheCountsOfPairwiseForPowersOfTwo) {
  for (std::uint64_t p = 1; p <= (sanitized ? 16 : 32); p *= 2) {
    for (const char* family : {"switch:", "complete:"}) {
      for (const std::uint64_t b : {1U, 20U}) {
        expect_run(BuiltMachine(family + std::to_string(p)), "alltoall/pairwise-exclusive-or", model_of(PortModel::one),
                   block_settings(b),
                   {.steps = p - 1,
                    .longest_sum = (p - 1) * b,
                    .messages = p * (p - 1),
                    .words = p * (p - 1) * b,
                    .message_words = b});
      }
    }
  }
  EXPECT_EQ(refusal("alltoall/pairwise-exclusive-or", "switch:12", {}),
            "switch:12 has 12 processors; a power of two is needed");
  expect_words_from(1, "alltoall/pairwise-exclusive-or", "switch:8");
  expect_catches_faults("alltoall/pairwise-exclusive-or", "complete:8", block_settings(2));
}

TEST(AlltoallHierarchical, HasTheCountsOfTheSpec) {
  on_all_machines([](std::uint64_t p, const BuiltMachine& machine) {
    for (std::uint64_t l = 1; l <= p; ++l) {
      if (p % l != 0) continue;
      SCOPED_TRACE("groups of " + std::to_string(l));
      const std::uint64_t g = p / l;
      const std::uint64_t S = (l - 1) + (g - 1);
      const std::uint64_t V = 3 * ((l - 1) * g + (g - 1) * l);
      expect_run(machine, "alltoall/hierarchical", model_of(PortModel::one), with_groups(3, l),
                 {.steps = S, .longest_sum = V, .messages = p * S, .words = p * V});
    }
  });
}

TEST(AlltoallToday, HasRangesAndDefaults) {
  for (const char* method : today) expect_words_from(1, method, "switch:6");
  EXPECT_EQ(resolved("alltoall/bruck", "switch:6").radix, 2U);
  EXPECT_EQ(refusal("alltoall/bruck", "switch:6", with_radix(1, 1)), "--radix 1 is out of range: 2 to 6");
  EXPECT_EQ(refusal("alltoall/bruck", "switch:6", with_radix(1, 7)), "--radix 7 is out of range: 2 to 6");
  EXPECT_EQ(refusal("alltoall/bruck", "complete:1", with_radix(1, 2)), "");
  const std::vector<std::pair<const char*, std::uint64_t>> sizes{
      {"switch:1", 1}, {"switch:2", 1}, {"complete:4", 2}, {"switch:12", 3}, {"complete:13", 1}, {"switch:30", 5}};
  for (const auto& [machine, size] : sizes) EXPECT_EQ(resolved("alltoall/hierarchical", machine).group_size, size);
  EXPECT_EQ(refusal("alltoall/hierarchical", "switch:12", with_groups(1, 5)),
            "--group-size 5 does not divide the 12 processors of switch:12");
  EXPECT_EQ(refusal("alltoall/hierarchical", "switch:12", with_groups(1, 13)),
            "--group-size 13 is out of range: 1 to 12");
  EXPECT_EQ(refusal("alltoall/hierarchical", "switch:12", with_groups(1, 0)),
            "--group-size 0 is out of range: 1 to 12");
}

// S >= q, V >= (p - 1) b.
TEST(AlltoallToday, HasTheBoundsOfTheSpec) {
  for (const char* method : today) {
    EXPECT_EQ(bound(method, "switch:12", block_settings(5), model_of(PortModel::one)), Bound(4, 55));
    EXPECT_EQ(bound(method, "complete:3", block_settings(1), model_of(PortModel::one)), Bound(2, 2));
    EXPECT_EQ(bound(method, "complete:1", block_settings(1), model_of(PortModel::one)), Bound(0, 0));
  }
}

TEST(AlltoallToday, CatchesFaults) {
  for (const char* method : today) {
    for (const char* machine : {"switch:6", "complete:8"}) expect_catches_faults(method, machine, block_settings(2));
  }
  expect_catches_faults("alltoall/bruck", "switch:7", with_radix(17, 3));
}

}  // namespace
}  // namespace lockstep::alltoall_today_test
