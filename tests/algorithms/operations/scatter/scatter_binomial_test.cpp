// scatter/binomial and gather/binomial against collectives.md, Scatter and gather: q = ceil(log2 p) steps, p - 1
// messages, (p - 1) m words one after the other; a block crosses as many links as its rank's offset from the root has
// one bits.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

#include "method_run.hpp"

namespace lockstep::scatter_binomial_test {
namespace {

constexpr std::array both{"scatter/binomial", "gather/binomial"};

TEST(ScatterBinomial, HasTheCountsOfTheSpecForAnyRanks) {
  for (std::uint64_t p = 1; p <= (sanitized ? 13 : 33); ++p) {
    std::uint64_t hops = 0;
    for (std::uint64_t offset = 1; offset < p; ++offset) hops += static_cast<std::uint64_t>(std::popcount(offset));
    for (const char* family : {"switch:", "complete:"}) {
      const BuiltMachine machine(family + std::to_string(p));
      for (const std::uint64_t root : std::set<std::uint64_t>{0, p / 2, p - 1}) {
        for (const std::uint64_t m : {1U, 5U}) {
          const SpecCounts counts{.steps = static_cast<std::uint64_t>(std::bit_width(p - 1)),
                                  .longest_sum = (p - 1) * m,
                                  .messages = p - 1,
                                  .words = hops * m,
                                  .peak_words_held = p * m};
          for (const char* method : both) {
            expect_run(machine, method, model_of(PortModel::one), item_settings(m, root), counts);
            expect_run(machine, method, model_of(PortModel::one, Duplex::half_node), item_settings(m, root), counts);
          }
        }
      }
    }
  }
}

TEST(ScatterBinomial, CatchesFaults) {
  for (const char* method : both) {
    for (const char* machine : {"switch:7", "complete:8"}) {
      expect_catches_faults(method, machine, item_settings(3, 2));
    }
  }
}

TEST(ScatterBinomial, HasRangesAndDefaults) {
  for (const char* method : both) {
    expect_words_from(1, method, "switch:6");
    expect_roots_to(5, method, "switch:6");
  }
}

}  // namespace
}  // namespace lockstep::scatter_binomial_test
