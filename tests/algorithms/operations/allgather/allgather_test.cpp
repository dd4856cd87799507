// The oracle of the allgather methods: it must notice every wrong block.
#include "lockstep/algorithms/operation/allgather.hpp"

#include <gtest/gtest.h>

#include "built_machine.hpp"

namespace lockstep::allgather_test {
namespace {

constexpr Rank ranks = 8;
constexpr std::uint64_t size = 3;

/// Blocks of all ranks, as every rank should hold them.
struct AllgatherOracle : testing::Test {
  AllgatherOracle() : held(std::size_t{ranks} * ranks, std::vector<Word>(size)) {
    settings.words = size;
    for (Rank rank = 0; rank < ranks; ++rank) {
      for (Rank source = 0; source < ranks; ++source) allgather::generate(request, source, at(rank, source));
    }
  }

  std::vector<Word>& at(Rank rank, Rank source) { return held[std::size_t{rank} * ranks + source]; }

  Outcome verify() {
    Outcome outcome;
    allgather::verify(
        request, [this](Rank rank, Rank source) { return std::span<const Word>(at(rank, source)); }, outcome);
    return outcome;
  }

  const BuiltMachine machine{"hypercube:3"};
  const Model model;
  Settings settings;
  const std::unique_ptr<Executor> executor = make_executor(ExecutorKind::threads, 2);
  const RunRequest request{machine.spec, machine.topology, model, settings, *executor, {}, {}};
  std::vector<std::vector<Word>> held;
};

TEST_F(AllgatherOracle, AcceptsRightBlocksOnly) {
  const Outcome right = verify();
  EXPECT_EQ(right.wrong, "");

  at(5, 2)[1] ^= 1;
  const Outcome altered = verify();
  EXPECT_EQ(altered.wrong, "rank 5 holds 3 words of the 3 from rank 2, the first 1 right");
  EXPECT_NE(altered.data_digest, right.data_digest);
  at(5, 2)[1] ^= 1;
  EXPECT_EQ(verify().data_digest, right.data_digest);

  std::swap(at(7, 6), at(7, 7));
  EXPECT_EQ(verify().wrong, "rank 7 holds 3 words of the 3 from rank 6, the first 0 right");
}

TEST_F(AllgatherOracle, NamesTheFirstBlockThatIsWrong) {
  at(6, 0).clear();
  at(3, 4).push_back(1);
  at(3, 5).pop_back();
  EXPECT_EQ(verify().wrong, "rank 3 holds 4 words of the 3 from rank 4, the first 3 right");
  at(3, 4).pop_back();
  EXPECT_EQ(verify().wrong, "rank 3 holds 2 words of the 3 from rank 5, the first 2 right");
  at(3, 5) = at(0, 5);
  EXPECT_EQ(verify().wrong, "rank 6 holds 0 words of the 3 from rank 0, the first 0 right");
}

}  // namespace
}  // namespace lockstep::allgather_test
