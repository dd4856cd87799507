// The oracle of blocks that travel in pieces: it must see everything that is not as it should be.
#include "lockstep/algorithms/piece_oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lockstep/algorithms/data.hpp"

namespace lockstep {
namespace {

Piece part(Rank origin, Rank destination, std::uint64_t first, std::uint64_t size) {
  const Block whole = generated_block(1, origin, destination, 5);
  Block block(size);
  std::copy_n(whole.data() + first, size, block.data());
  return {origin, destination, first, std::move(block)};
}

/// What is wrong if rank 3 holds these pieces and should hold the blocks of 0 and 2 for it, 5 words each.
Outcome judged(std::vector<Piece> held) {
  PieceOracle oracle([](Rank origin, Rank destination) { return generated_block(1, origin, destination, 5); });
  const std::vector<BlockLabels> should_hold{{0, 3}, {2, 3}};
  oracle.judge(3, held, should_hold);
  Outcome outcome;
  oracle.conclude(outcome);
  return outcome;
}

TEST(PieceOracle, AcceptsBlocksWholeOrInPieces) {
  const Outcome whole = judged({part(0, 3, 0, 5), part(2, 3, 0, 5)});
  const Outcome pieces = judged({part(2, 3, 4, 1), part(0, 3, 2, 3), part(2, 3, 0, 4), part(0, 3, 0, 2)});
  EXPECT_EQ(whole.wrong, "");
  EXPECT_EQ(pieces.wrong, "");
  EXPECT_EQ(whole.data_digest, pieces.data_digest);
}

TEST(PieceOracle, SeesWhatIsMissingOrAltered) {
  EXPECT_EQ(judged({}).wrong, "rank 3 holds 0 words of the 5 from rank 0, the first 0 right");
  EXPECT_EQ(judged({part(0, 3, 0, 5)}).wrong, "rank 3 holds 0 words of the 5 from rank 2, the first 0 right");
  EXPECT_EQ(judged({part(0, 3, 0, 2), part(0, 3, 3, 2), part(2, 3, 0, 5)}).wrong,
            "rank 3 holds 4 words of the 5 from rank 0, the first 2 right");
  Piece altered = part(2, 3, 0, 5);
  altered.block[3] ^= 1;
  const Outcome outcome = judged({part(0, 3, 0, 5), altered});
  EXPECT_EQ(outcome.wrong, "rank 3 holds 5 words of the 5 from rank 2, the first 3 right");
  EXPECT_NE(outcome.data_digest, judged({part(0, 3, 0, 5), part(2, 3, 0, 5)}).data_digest);
  Piece mislabelled = part(2, 3, 0, 5);
  mislabelled.origin = 0;
  EXPECT_EQ(judged({mislabelled, part(2, 3, 0, 5)}).wrong,
            "rank 3 holds 5 words of the 5 from rank 0, the first 0 right");
}

TEST(PieceOracle, SeesWhatIsHeldTwiceOrShouldNotBeHeld) {
  EXPECT_EQ(judged({part(0, 3, 0, 5), part(2, 3, 0, 5), part(2, 3, 0, 5)}).wrong,
            "rank 3 holds 10 words of the 5 from rank 2, the first 5 right");
  EXPECT_EQ(judged({part(0, 3, 0, 5), part(2, 3, 0, 5), part(2, 3, 2, 1)}).wrong,
            "rank 3 holds 6 words of the 5 from rank 2, the first 5 right");
  for (const auto& [origin, destination] : {std::pair(0, 2), std::pair(1, 3), std::pair(2, 4)}) {
    EXPECT_EQ(judged({part(0, 3, 0, 5), part(2, 3, 0, 5), part(origin, destination, 1, 2)}).wrong,
              "rank 3 holds 2 words from rank " + std::to_string(origin) + " for rank " + std::to_string(destination) +
                  ", which it should not");
  }
  EXPECT_EQ(judged({part(0, 3, 0, 5), part(2, 3, 0, 5), Piece{0, no_rank, 0, Block(1)}}).wrong,
            "rank 3 holds 1 words from rank 0 for nobody, which it should not");
}

}  // namespace
}  // namespace lockstep
