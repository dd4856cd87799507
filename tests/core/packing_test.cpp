// Values to bytes and back, and too few bytes.
#include "lockstep/core/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/core/processes.hpp"

namespace lockstep::packing_test {
namespace {

template <class T>
T there_and_back(const T& value) {
  Bytes bytes;
  ByteWriter to(bytes);
  pack(value, to);
  ByteReader from(bytes);
  T same = unpack(from, std::type_identity<T>{});
  EXPECT_TRUE(from.at_end());
  return same;
}

TEST(Packing, GivesBackWhatWasPacked) {
  EXPECT_EQ(there_and_back(3.25), 3.25);
  EXPECT_EQ(there_and_back(std::vector<int>{1, -2, 3}), (std::vector<int>{1, -2, 3}));
  EXPECT_EQ(there_and_back(std::vector<int>{}), std::vector<int>{});
  const std::vector<std::string> texts{"", "a", std::string("\0b", 2)};
  EXPECT_EQ(there_and_back(texts), texts);
}

TEST(Packing, RefusesToReadMoreThanThereIs) {
  Bytes bytes;
  ByteWriter(bytes).put(std::uint64_t{1} << 60);
  ByteReader from(bytes);
  EXPECT_THROW(unpack(from, std::type_identity<std::vector<int>>{}), std::out_of_range);
  bytes.resize(3);
  ByteReader few(bytes);
  EXPECT_THROW(few.get<int>(), std::out_of_range);
}

struct Own {
  std::string text;
};
void pack(const Own& own, ByteWriter& to) { pack(own.text, to); }
Own unpack(ByteReader& from, std::type_identity<Own>) { return {unpack(from, std::type_identity<std::string>{})}; }
struct Other {};

static_assert(Packable<Own> && Packable<std::vector<Own>> && !Packable<Other> && !Packable<std::vector<Other>>);

TEST(Packing, OfATypeOfOnesOwnIsByItsOwnFunctions) {
  const std::vector<Own> same = there_and_back(std::vector<Own>{{"a"}, {""}});
  ASSERT_EQ(same.size(), 2U);
  EXPECT_EQ(same[0].text, "a");
  EXPECT_EQ(same[1].text, "");
}

TEST(Placement, HoldsNeighboursInPartsThatDifferByOne) {
  for (const Rank processors : {1U, 2U, 7U, 64U, 1000U}) {
    for (const unsigned processes : {1U, 2U, 3U, 7U, 9U}) {
      const Placement placement(processors, processes);
      std::vector<Rank> held(processes);
      for (Rank rank = 0; rank < processors; ++rank) {
        ASSERT_LT(placement.owner(rank), processes);
        ++held[placement.owner(rank)];
        ASSERT_GE(placement.owner(rank), placement.owner(rank == 0 ? 0 : rank - 1));
      }
      const auto [least, most] = std::minmax_element(held.begin(), held.end());
      EXPECT_LE(*most - *least, 1U) << processors << " over " << processes;
    }
  }
}

TEST(Placement, RefusesAnOwnerThatIsNoProcess) {
  try {
    const Placement placement({0, 1, 2}, 2);
    FAIL() << placement.processes();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), "rank 2 belongs to process 2 of 2");
  }
}

}  // namespace
}  // namespace lockstep::packing_test
