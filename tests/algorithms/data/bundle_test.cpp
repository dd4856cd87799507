// Blocks and bundles are values whose copies share memory: a change of one must not show in the others.
#include "lockstep/algorithms/bundle.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "lockstep/algorithms/data.hpp"

namespace lockstep::bundle_test {
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
    copy[0] ^= 2;  // no longer shared
    EXPECT_EQ(std::as_const(copy).data(), own);
  }
}

TEST(Block, KeepsItsWordsWhenCopiesGoFirstOrLast) {
  Block last;
  {
    const Block first = generated_block(1, 2, 3, 50);
    const Block middle = first;  // NOLINT(performance-unnecessary-copy-initialization): it ends last
    last = middle;
  }
  EXPECT_EQ(last, generated_block(1, 2, 3, 50));
  const Block moved = std::move(last);
  EXPECT_EQ(last.size(), 0U);  // NOLINT: the moved-from state is specified
  EXPECT_EQ(moved.size(), 50U);
}

// Each thread changes and drops its own copy; under ThreadSanitizer this shows that counting holders is enough.
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

TEST(Bundle, TakesAnotherOfShortPiecesOrNone) {
  const Block words = generated_block(1, 2, 3, 50);
  Bundle bundle;
  bundle.add({2, 3, 0, words.words()});
  Bundle brief;
  brief.add({4, 5, 0, words.words().first(1)});
  bundle.add(brief);
  bundle.add(Bundle());
  EXPECT_EQ(bundle.pieces(), (std::vector<Piece>{{4, 5, 0, words.words().first(1)}, {2, 3, 0, words.words()}}));
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
  held.add(rest);
  held.add(odd);
  EXPECT_EQ(held.pieces(), (std::vector<Piece>{all[0], all[2], all[1]}));
}

/// Pieces of 3, 40, 5 and 100 words, of which the second and the last are long.
Bundle mixed_pieces() {
  Bundle bundle;
  for (const Rank size : {3U, 40U, 5U, 100U}) {
    bundle.add(LabelledBlock{.origin = size, .destination = 1, .block = generated_block(1, size, 1, size)});
  }
  return bundle;
}

bool is_long(const Piece& piece) { return piece.block.size() > Bundle::most_short; }

TEST(Bundle, HoldsShortPiecesBeforeLongOnes) {
  const Bundle bundle = mixed_pieces();
  EXPECT_EQ(words(bundle), 148U);
  const std::vector<Rank> sizes{3, 5, 40, 100};
  ASSERT_EQ(bundle.size(), sizes.size());
  for (std::uint64_t index = 0; index < sizes.size(); ++index) {
    const Block block = generated_block(1, sizes[index], 1, sizes[index]);
    EXPECT_EQ(bundle[index], (Piece{sizes[index], 1, 0, block.words()})) << index;
    EXPECT_EQ(bundle.block(index).block, block) << index;
  }
}

TEST(Bundle, MovesLongPiecesWithoutCopyingThem) {
  Bundle held = mixed_pieces();
  const Word* const longest = held[3].block.data();
  Bundle taken = held.take([](const Piece& piece) { return is_long(piece) || piece.origin == 3; });
  EXPECT_EQ(words(taken), 143U);
  EXPECT_EQ(words(held), 5U);
  EXPECT_EQ(taken[2].block.data(), longest);
  const Bundle copy = taken;
  Bundle part;
  part.add_part(copy, 2, 10, 80);
  EXPECT_EQ(part[0].first, 10U);
  EXPECT_EQ(part[0].block.data(), longest + 10);
  std::vector<Bundle> dealt(2);
  taken.deal([&](const Piece& piece) -> Bundle& { return dealt[piece.origin == 100 ? 1 : 0]; });
  EXPECT_TRUE(taken.empty());
  EXPECT_EQ(words(dealt[0]), 43U);
  EXPECT_EQ(dealt[1][0].block.data(), longest);
  held.add(std::move(dealt[0]));
  held.add(std::move(dealt[1]));
  EXPECT_EQ(words(held), 148U);
  EXPECT_EQ(held.pieces(), (std::vector<Piece>{mixed_pieces()[1], mixed_pieces()[0], copy[1], copy[2]}));
}

TEST(Bundle, ThatIsCorruptedLeavesLongPiecesOfOthersAsTheyWere) {
  const Bundle right = mixed_pieces();
  Bundle alone;
  alone.add_part(right, 3, 0, 100);
  corrupt(alone);
  EXPECT_EQ(alone[0].block[50], ~right[3].block[50]);
  Bundle heard = right;
  corrupt(heard);
  for (std::uint64_t index = 0; index < 4; ++index) EXPECT_NE(heard[index], right[index]) << index;
  EXPECT_EQ(right, mixed_pieces());
}

TEST(Bundle, ThatIsLabelledAnewLeavesItsCopiesAsTheyWere) {
  const Bundle bundle = three_pieces();
  Bundle copy = bundle;
  copy.label(1, 8, 9);
  EXPECT_EQ(copy[1].origin, 8U);
  EXPECT_EQ(copy[1].destination, 9U);
  EXPECT_EQ(bundle, three_pieces());
}

// Otherwise a fault planted at one receiver would occur at all of them.
TEST(Bundle, ThatIsCorruptedLeavesItsCopiesAsTheyWere) {
  Bundle alone = three_pieces();
  corrupt(alone);
  const Bundle right = three_pieces();
  EXPECT_EQ(alone[0], right[0]);
  EXPECT_EQ(alone[1].block[1], ~right[1].block[1]);
  EXPECT_EQ(alone[2], right[2]);
  Bundle heard = right;
  corrupt(heard);  // a receiver may keep any one piece
  for (std::uint64_t index = 0; index < 3; ++index) EXPECT_NE(heard[index], right[index]) << index;
  EXPECT_EQ(right, three_pieces());
}

/// Unpacks bytes as another process would send them.
template <class T>
T unpacked(const Bytes& bytes) {
  ByteReader from(bytes);
  return unpack(from, std::type_identity<T>{});
}

TEST(Block, OfMoreWordsThanCameIsRefusedBeforeThereIsRoomForThem) {
  for (const std::uint64_t size : {std::uint64_t{2}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    Bytes bytes;
    ByteWriter to(bytes);
    to.put(size);
    to.put(Word{7});
    EXPECT_THROW(unpacked<Block>(bytes), std::out_of_range) << size;
  }
}

TEST(Bundle, WhosePiecesAreNotWhatTheirLabelsSayIsRefused) {
  const Bundle bundle = three_pieces();
  Bytes bytes;
  ByteWriter to(bytes);
  pack(bundle, to);
  EXPECT_EQ(unpacked<Bundle>(bytes), bundle);
  // Their number, the words from one to the next, and the length that the first one states.
  constexpr std::size_t first_length = 2 * sizeof(std::uint32_t) + sizeof(std::uint64_t) + sizeof(Word);
  for (const std::size_t place : {std::size_t{0}, sizeof(std::uint32_t), first_length}) {
    Bytes other = bytes;
    other[place] = std::byte{200};
    EXPECT_THROW(unpacked<Bundle>(other), std::out_of_range) << place;
  }
}

}  // namespace
}  // namespace lockstep::bundle_test
