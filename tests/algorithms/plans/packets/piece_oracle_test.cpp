// The oracle of blocks that travel in pieces: it must notice every error.
#include "lockstep/algorithms/piece_oracle.hpp"

#include <gtest/gtest.h>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/labelled_block.hpp"

namespace lockstep::piece_oracle_test {
namespace {

LabelledBlock part(Rank origin, Rank destination, std::uint64_t first, std::uint64_t size) {
  const Block whole = generated_block(1, origin, destination, 5);
  return {origin, destination, first, Block(whole.words().subspan(first, size))};
}

/// The error if rank 3 holds these pieces and should hold the blocks of 0 and 2 for it, 5 words each.
Verdict judged(const std::vector<LabelledBlock>& held) {
  const PieceOracle oracle([](Rank origin, Rank destination) { return generated_block(1, origin, destination, 5); });
  const std::vector<BlockLabels> should_hold{{0, 3}, {2, 3}};
  std::vector<Piece> pieces;
  for (const LabelledBlock& block : held) pieces.push_back(block.piece());
  return oracle.judge(3, pieces, should_hold);
}

TEST(PieceOracle, AcceptsBlocksWholeOrInPieces) {
  const Verdict whole = judged({part(0, 3, 0, 5), part(2, 3, 0, 5)});
  const Verdict pieces = judged({part(2, 3, 4, 1), part(0, 3, 2, 3), part(2, 3, 0, 4), part(0, 3, 0, 2)});
  EXPECT_EQ(whole.wrong, "");
  EXPECT_EQ(pieces.wrong, "");
  EXPECT_EQ(whole.digest, pieces.digest);
}

TEST(PieceOracle, SeesWhatIsMissingOrAltered) {
  EXPECT_EQ(judged({}).wrong, "rank 3 holds 0 words of the 5 from rank 0, the first 0 right");
  EXPECT_EQ(judged({part(0, 3, 0, 5)}).wrong, "rank 3 holds 0 words of the 5 from rank 2, the first 0 right");
  EXPECT_EQ(judged({part(0, 3, 0, 2), part(0, 3, 3, 2), part(2, 3, 0, 5)}).wrong,
            "rank 3 holds 4 words of the 5 from rank 0, the first 2 right");
  LabelledBlock altered = part(2, 3, 0, 5);
  altered.block[3] ^= 1;
  const Verdict verdict = judged({part(0, 3, 0, 5), altered});
  EXPECT_EQ(verdict.wrong, "rank 3 holds 5 words of the 5 from rank 2, the first 3 right");
  EXPECT_NE(verdict.digest, judged({part(0, 3, 0, 5), part(2, 3, 0, 5)}).digest);
  LabelledBlock mislabelled = part(2, 3, 0, 5);
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
  EXPECT_EQ(judged({part(0, 3, 0, 5), part(2, 3, 0, 5), LabelledBlock{0, no_rank, 0, Block(1)}}).wrong,
            "rank 3 holds 1 words from rank 0 for no rank, which it should not");
}

}  // namespace
}  // namespace lockstep::piece_oracle_test
