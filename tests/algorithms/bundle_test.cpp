// Blocks and bundles are values whose copies share memory: what one changes the others must not see.
#include "lockstep/algorithms/bundle.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "lockstep/algorithms/data.hpp"

namespace lockstep {
namespace {

Bundle three_pieces() {
  Bundle bundle;
  for (const Rank origin : {4U, 2U, 7U}) {
    const Block block = generated_block(1, origin, 5, origin);
    bundle.add({origin, 5, origin == 2 ? 1U : 0U, block.words()});
  }
  return bundle;
}

TEST(Block, SharesItsWordsWithCopiesUntilOneOfThemChanges) {
  for (const std::uint64_t size : {1U, 2U, 100U}) {
    Block block = generated_block(1, 2, 3, size);
    const Block before(block.words());
    Block copy = block;
    EXPECT_EQ(std::as_const(copy).data() == std::as_const(block).data(), size > 1);
    copy[size - 1] ^= 1;
    EXPECT_EQ(block, before);
    EXPECT_NE(copy, before);
    const Word* const own = std::as_const(copy).data();
    copy[0] ^= 2;  // which it has for itself now
    EXPECT_EQ(std::as_const(copy).data(), own);
  }
}

TEST(Block, KeepsItsWordsWhenCopiesGoFirstOrLast) {
  Block last;
  {
    const Block first = generated_block(1, 2, 3, 50);
    const Block middle = first;
    last = middle;
  }
  EXPECT_EQ(last, generated_block(1, 2, 3, 50));
  const Block moved = std::move(last);
  EXPECT_EQ(last.size(), 0U);  // NOLINT: what a move leaves is said
  EXPECT_EQ(moved.size(), 50U);
}

// Each thread changes and drops a copy of its own; under ThreadSanitizer this shows that counting holders is enough.
TEST(Block, MayHaveCopiesInDifferentThreads) {
  const Block whole = generated_block(1, 2, 3, 1000);
  for (int round = 0; round < 20; ++round) {
    Block here = whole;
    Block there = whole;
    std::thread other([mine = std::move(there)]() mutable {
      mine[0] = mine[999];
      mine = Block();
    });
    here[1] = here[998];
    const Block kept = here;
    other.join();
    EXPECT_EQ(kept[1], whole[998]);
    EXPECT_EQ(kept[0], whole[0]);
  }
}

TEST(Bundle, GivesBackThePiecesThatItWasGiven) {
  const Bundle bundle = three_pieces();
  EXPECT_EQ(bundle.size(), 3U);
  EXPECT_EQ(words(bundle), 13U);
  const Block block = generated_block(1, 7, 5, 7);
  EXPECT_EQ(bundle[2], (Piece{7, 5, 0, block.words()}));
  EXPECT_EQ(bundle.at(1).first, 1U);
  EXPECT_THROW(static_cast<void>(bundle.at(3)), std::out_of_range);
  Bundle twice = bundle;
  twice.add(bundle);
  EXPECT_EQ(twice.size(), 6U);
  for (std::uint64_t index = 0; index < 6; ++index) EXPECT_EQ(twice[index], bundle[index % 3]) << index;
}

TEST(Bundle, PartsWithWhatIsTakenAndKeepsTheOrderOfBoth) {
  const Bundle all = three_pieces();
  Bundle held = all;
  const Bundle odd = held.take([](const Piece& piece) { return piece.origin == 2; });
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(odd[0], all[1]);
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0], all[0]);
  EXPECT_EQ(held[1], all[2]);
  EXPECT_EQ(words(held), 11U);
  EXPECT_TRUE(held.take([](const Piece&) { return false; }).empty());
  const Bundle rest = held.take([](const Piece&) { return true; });
  EXPECT_EQ(rest.size(), 2U);
  EXPECT_TRUE(held.empty());
  EXPECT_EQ(all, three_pieces());  // of which `held` was a copy
  keep(held, rest);
  keep(held, odd);
  EXPECT_EQ(held.pieces(), (std::vector<Piece>{all[0], all[2], all[1]}));
}

TEST(Bundle, ThatIsLabelledAnewLeavesItsCopiesAsTheyWere) {
  const Bundle bundle = three_pieces();
  Bundle copy = bundle;
  copy.label(1, 8, 9);
  EXPECT_EQ(copy[1].origin, 8U);
  EXPECT_EQ(copy[1].destination, 9U);
  EXPECT_EQ(bundle, three_pieces());
}

// Else a fault planted at one hearer would be one at all.
TEST(Bundle, ThatIsCorruptedLeavesItsCopiesAsTheyWere) {
  Bundle alone = three_pieces();
  corrupt(alone);
  const Bundle right = three_pieces();
  EXPECT_EQ(alone[0], right[0]);
  EXPECT_EQ(alone[1].block[1], ~right[1].block[1]);
  EXPECT_EQ(alone[2], right[2]);
  Bundle heard = right;
  corrupt(heard);  // whoever hears it may keep any one piece
  for (std::uint64_t index = 0; index < 3; ++index) EXPECT_NE(heard[index], right[index]) << index;
  EXPECT_EQ(right, three_pieces());
}

}  // namespace
}  // namespace lockstep
