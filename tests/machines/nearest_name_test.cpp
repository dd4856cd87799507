#include "lockstep/core/nearest_name.hpp"

#include <gtest/gtest.h>

namespace lockstep::nearest_name_test {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "ring"), 4U);
  EXPECT_EQ(edit_distance("ring", ""), 4U);
  EXPECT_EQ(edit_distance("ring", "ring"), 0U);
  EXPECT_EQ(edit_distance("RING", "ring"), 0U);
  EXPECT_EQ(edit_distance("rng", "ring"), 1U);
  EXPECT_EQ(edit_distance("rings", "ring"), 1U);
  EXPECT_EQ(edit_distance("rang", "ring"), 1U);
  EXPECT_EQ(edit_distance("irng", "ring"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, FindsTyposOnly) {
  const std::vector<std::string> names = {"broadcast/sbt", "broadcast/drbt", "alltoall/factor", "rh"};
  EXPECT_EQ(nearest_name("broadcast/sbtt", names), "broadcast/sbt");
  EXPECT_EQ(nearest_name("brodcast/drbt", names), "broadcast/drbt");
  EXPECT_EQ(nearest_name("AllToAll/Factor", names), "alltoall/factor");
  EXPECT_EQ(nearest_name("rg", names), "rh");
  EXPECT_EQ(nearest_name("x", names), std::nullopt);
  EXPECT_EQ(nearest_name("ab", names), std::nullopt);
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name("sort/bitonic", names), std::nullopt);
  EXPECT_EQ(nearest_name("ring", {}), std::nullopt);
}

TEST(NearestName, EndsARefusal) {
  EXPECT_EQ(did_you_mean("rg", {"torus", "rh"}), "; did you mean 'rh'?");
  EXPECT_EQ(did_you_mean("x", {"torus", "rh"}), "");
}

TEST(NearestName, TakesTheFirstOfEquallyNearNames) {
  EXPECT_EQ(nearest_name("cat", {"bat", "rat"}), "bat");
  EXPECT_EQ(nearest_name("cart", {"part", "cartt", "cart"}), "cart");
}

}  // namespace
}  // namespace lockstep::nearest_name_test
