// allgather/flooding: counts that are found by hand.
#include <gtest/gtest.h>

#include "catalogue_cases.hpp"
#include "method_run.hpp"

namespace lockstep {
namespace {

// On a ring of 5 no block meets itself; on one of 4 the copies of a block meet at the other side.
TEST(Flooding, TakesTheDiameterAndTheShortestWays) {
  const Model all{.ports = PortModel::all};
  Settings settings;
  settings.words = 3;
  const Report odd = BuiltMachine("ring:5").run("allgather/flooding", all, settings).report;
  EXPECT_EQ(odd.steps, 2U);
  EXPECT_EQ(odd.messages, 20U);
  EXPECT_EQ(odd.words, 60U);
  const Report even = BuiltMachine("ring:4").run("allgather/flooding", all, settings).report;
  EXPECT_EQ(even.steps, 2U);
  EXPECT_EQ(even.words, 48U);  // of 4 blocks a copy over each link
  const Report pairs = BuiltMachine("complete:6").run("allgather/flooding", all, settings).report;
  EXPECT_EQ(pairs.steps, 1U);
  EXPECT_EQ(pairs.messages, 30U);
}

}  // namespace
}  // namespace lockstep
