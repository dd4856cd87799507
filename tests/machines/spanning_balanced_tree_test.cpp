// The spanning balanced n-tree (johnsson-ho.md, Trees), against its definition on bit strings and the sizes given
// there.
#include "lockstep/machines/spanning_balanced_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::spanning_balanced_tree_test {
namespace {

/// The bits of c, the highest first.
std::string bits(Rank c, Port n) {
  std::string text;
  for (Port place = n; place-- > 0;) text += (c >> place & 1U) != 0 ? '1' : '0';
  return text;
}

/// The least number of right rotations that give c's smallest rotation.
Port naive_base(Rank c, Port n) {
  std::vector<std::string> turns{bits(c, n)};
  while (turns.size() < n) {
    const std::string last = turns.back();
    turns.push_back(last.substr(n - 1) + last.substr(0, n - 1));
  }
  return static_cast<Port>(std::min_element(turns.begin(), turns.end()) - turns.begin());
}

int moebius(std::uint64_t e) {
  int sign = 1;
  for (std::uint64_t prime = 2; prime <= e; ++prime) {
    if (e % prime != 0) continue;
    e /= prime;
    if (e % prime == 0) return 0;
    sign = -sign;
  }
  return sign;
}

/// johnsson-ho.md, Trees: Lyndon(d) = (1/d) sum over e | d of mu(e) 2^(d/e).
std::uint64_t lyndon(std::uint64_t d) {
  std::int64_t sum = 0;
  for (std::uint64_t e = 1; e <= d; ++e) {
    if (d % e == 0) sum += moebius(e) * (std::int64_t{1} << (d / e));
  }
  return static_cast<std::uint64_t>(sum) / d;
}

TEST(SpanningBalancedTree, BaseIsThatOfTheDefinition) {
  for (Port n = 1; n <= 10; ++n) {
    for (Rank c = 1; c < Rank{1} << n; ++c) {
      ASSERT_EQ(sbnt_base(c, n), naive_base(c, n)) << bits(c, n);
      ASSERT_TRUE(has_bit(c, sbnt_base(c, n))) << bits(c, n);
    }
  }
}

TEST(SpanningBalancedTree, SubtreesHaveTheSizesOfTheSpec) {
  for (Port n = 1; n <= 14; ++n) {
    SCOPED_TRACE(n);
    std::vector<std::uint64_t> sizes(n);
    for (Rank c = 1; c < Rank{1} << n; ++c) ++sizes[sbnt_base(c, n)];
    for (Port b = 0; b < n; ++b) {
      std::uint64_t expected = 0;
      for (std::uint64_t d = b + 1; d <= n; ++d) expected += n % d == 0 ? lyndon(d) : 0;
      EXPECT_EQ(sizes[b], expected - (b == 0 ? 1 : 0)) << "subtree " << b;
    }
  }
}

TEST(SpanningBalancedTree, WaysGoOverEveryOneBitOnceAndToTheLeft) {
  for (Port n = 1; n <= 10; ++n) {
    for (Rank c = 1; c < Rank{1} << n; ++c) {
      Port port = sbnt_base(c, n);
      Rank left = c;
      Port turned = 0;  // places moved to the left so far
      for (;;) {
        ASSERT_TRUE(has_bit(left, port));
        left ^= Rank{1} << port;
        if (left == 0) break;
        const Port next = sbnt_next(left, port);
        turned += (next + n - port) % n;
        port = next;
      }
      ASSERT_LT(turned, n) << bits(c, n);
    }
  }
  EXPECT_EQ(sbnt_next(0b0001, 2), 0U);
  EXPECT_EQ(sbnt_next(0b1010, 1), 3U);
}

}  // namespace
}  // namespace lockstep::spanning_balanced_tree_test
