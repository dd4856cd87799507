// How ranks are checked: all of them, the lowest wrong one reported, with the same result for any number of threads.
#include "lockstep/algorithms/verification.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "built_machine.hpp"
#include "lockstep/algorithms/data.hpp"
#include "lockstep/core/executor.hpp"

namespace lockstep::verification_test {
namespace {

/// The result of checking the ranks of a ring of 9 with the given number of threads.
template <class Judge>
Outcome judged(const Judge& judge, unsigned threads) {
  const BuiltMachine machine("ring:9");
  const auto executor = make_executor(ExecutorKind::threads, threads);
  const Model model;
  const Settings settings;
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}};
  Outcome outcome;
  judge(request, outcome);
  return outcome;
}

Outcome judged_items(const PerRank<Block>& items, unsigned threads = 2) {
  const Block expected = generated_block(1, 0, 0, 5);
  return judged(
      [&](const RunRequest& request, Outcome& outcome) {
        verify_items(
            request, std::chrono::steady_clock::now(), items, expected.words(), [](Rank rank) { return rank != 4; },
            outcome);
      },
      threads);
}

PerRank<Block> right_items() {
  PerRank<Block> items(9, nullptr);
  const Block right = generated_block(1, 0, 0, 5);  // they share the memory
  for (Rank rank = 0; rank < 9; ++rank) {
    if (rank != 4) items[rank] = right;
  }
  return items;
}

TEST(Verification, NamesWhatIsWrongAtTheLowestRank) {
  const auto judge = [](const RunRequest& request, Outcome& outcome) {
    const auto at = [](Rank rank) { return Verdict{rank, rank % 3 == 2 ? "rank " + std::to_string(rank) : ""}; };
    verify_ranks(request, std::chrono::steady_clock::now(), at, outcome);
  };
  for (const unsigned threads : {1U, 2U, 3U}) EXPECT_EQ(judged(judge, threads).wrong, "rank 2");
  EXPECT_EQ(judged(judge, 1).data_digest, judged(judge, 3).data_digest);
}

TEST(Verification, TellsWhichRankHoldsWhatByTheDigest) {
  const auto digest = [](Rank first, Rank second) {
    const auto judge = [=](const RunRequest& request, Outcome& outcome) {
      const auto at = [=](Rank rank) { return Verdict{rank == first ? 7U : rank == second ? 8U : 0U, {}}; };
      verify_ranks(request, std::chrono::steady_clock::now(), at, outcome);
    };
    return judged(judge, 2).data_digest;
  };
  EXPECT_EQ(digest(1, 2), digest(1, 2));
  EXPECT_NE(digest(1, 2), digest(2, 1));
}

TEST(Verification, DigestsWordsByValueAndPlace) {
  const std::vector<Word> words{3, 1, 4, 1};
  EXPECT_NE(digest_of(words), digest_of(std::vector<Word>{1, 3, 4, 1}));
  EXPECT_NE(digest_of(words), digest_of(std::vector<Word>{3, 1, 4}));
  EXPECT_NE(digest_of(words), digest_of(std::vector<Word>{3, 1, 4, 1, 0}));
  EXPECT_NE(digest_of(std::vector<Word>{0}), digest_of(std::vector<Word>{}));
  WordDigest pieces;
  pieces.add(std::span(words).first(1));
  pieces.add(std::span(words).subspan(1));
  EXPECT_EQ(pieces.value(), digest_of(words));
}

TEST(Verification, OfItemsSeesWhatIsMissingAlteredOrShouldNotBeThere) {
  const Outcome right = judged_items(right_items());
  EXPECT_EQ(right.wrong, "");
  EXPECT_EQ(right.data_digest, judged_items(right_items(), 1).data_digest);
  PerRank<Block> altered = right_items();
  altered[6][3] ^= 1;
  const Outcome seen = judged_items(altered);
  EXPECT_EQ(seen.wrong, "rank 6 holds 5 words of 5, the first 3 right");
  EXPECT_NE(seen.data_digest, right.data_digest);
  PerRank<Block> missing = right_items();
  missing[2] = Block();
  EXPECT_EQ(judged_items(missing).wrong, "rank 2 holds 0 words of 5, the first 0 right");
  PerRank<Block> foreign = right_items();
  foreign[4] = foreign[5];
  EXPECT_EQ(judged_items(foreign).wrong, "rank 4 holds 5 words of 0, the first 0 right");
  PerRank<Block> apart = right_items();
  for (Block& item : apart) item = Block(item.words());  // equal, but in memory of its own
  EXPECT_EQ(judged_items(apart).data_digest, right.data_digest);
}

}  // namespace
}  // namespace lockstep::verification_test
