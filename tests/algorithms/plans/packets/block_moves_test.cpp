// The moves of whole blocks: the stepwise transposition of johnsson-ho.md, Two dimensions, also of matrices with few
// columns, and the one between Gray and binary codes of johnsson-ho.md, Gray codes, whose processors relay.
#include "plans/packets/block_moves.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lockstep/algorithms/data.hpp"
#include "recorded_run.hpp"

namespace lockstep::permute::block_moves_test {
namespace {

struct Moved {
  Report report;
  PerRank<LabelledBlock> held;
};

/// Moves blocks of K words, one at each rank for which has_block(rank) is true.
Moved move(const std::string& text, const std::vector<packets::BlockRound>& rounds, std::uint64_t K,
           const std::function<bool(Rank)>& has_block, const Model& model = model_of(PortModel::one_strict)) {
  const BuiltMachine machine(text);
  const RecordedRun run(machine, model, {});
  Moved moved{.report = {}, .held = PerRank<LabelledBlock>(run.request())};
  for (Rank x = 0; x < machine.topology.processors(); ++x) {
    if (has_block(x)) moved.held[x] = {x, 0, 0, generated_block(1, x, 0, K)};
  }
  moved.report = packets::move_blocks(run.request(), rounds, moved.held);
  return moved;
}

bool everybody(Rank) { return true; }

/// Bits i + h and i change places, for i = h-1 .. 0.
std::vector<packets::BlockRound> stepwise(Port n) {
  std::vector<packets::BlockRound> rounds;
  for (Port i = n / 2; i-- > 0;) {
    const auto target = [=](Rank x) {
      std::string letters = letters_of(x, n);
      std::swap(letters[n - 1 - i], letters[n - 1 - i - n / 2]);
      return rank_of(letters);
    };
    rounds.push_back({target, {i + n / 2, i}});
  }
  return rounds;
}

TEST(BlockMoves, TransposeStepwise) {
  for (const Port n : {0U, 2U, 4U, 6U, 8U}) {
    const std::uint64_t N = std::uint64_t{1} << n;
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      const Moved moved = move(cube(n), stepwise(n), 3, everybody, model_of(PortModel::one_strict, duplex));
      for (Rank x = 0; x < N; ++x) {
        EXPECT_EQ(moved.held[transposed(x, n)], (LabelledBlock{x, 0, 0, generated_block(1, x, 0, 3)}));
      }
      EXPECT_EQ(moved.report.steps, n);
      EXPECT_EQ(moved.report.messages, n * N / 2);
      EXPECT_EQ(longest_of_each_cycle(moved.report), std::vector<std::uint64_t>(n, 3));
      EXPECT_EQ(moved.report.peak_words_held, n == 0 ? 3U : 6U);
    }
  }
}

// transpose/2d-virtual (johnsson-ho.md, Two dimensions): processors in columns from 2^q on start with nothing, and
// those in such rows end with it.
TEST(BlockMoves, SendNoEmptyBlocks) {
  const Port n = 6;
  for (Port q = 0; q <= n / 2; ++q) {
    const auto has_block = [=](Rank x) { return rank_of(letters_of(x, n).substr(n / 2)) < (Rank{1} << q); };
    const Moved moved = move("hypercube:6", stepwise(n), 5, has_block);
    std::uint64_t messages = 0;
    for (Rank x = 0; x < 64; ++x) {
      const LabelledBlock& there = moved.held[transposed(x, n)];
      EXPECT_EQ(there, has_block(x) ? (LabelledBlock{x, 0, 0, generated_block(1, x, 0, 5)}) : LabelledBlock());
      if (has_block(x)) messages += distance(x, transposed(x, n));
    }
    EXPECT_EQ(moved.report.cycles, n);
    EXPECT_EQ(moved.report.messages, messages);
    EXPECT_EQ(moved.report.words, 5 * messages);
  }
  EXPECT_EQ(move("hypercube:6", stepwise(n), 5, [](Rank) { return false; }).report.messages, 0U);
}

/// The v-th code word of a reflected Gray code of the given number of letters.
std::string gray(Rank v, std::size_t letters) {
  if (letters == 0) return "";
  const Rank half = Rank{1} << (letters - 1);
  return v < half ? "0" + gray(v, letters - 1) : "1" + gray(2 * half - 1 - v, letters - 1);
}

/// Bit j + h becomes b^R, bit j becomes a^C (johnsson-ho.md, Gray codes, rows binary and columns Gray).
std::vector<packets::BlockRound> mixed_codes(Port n) {
  const Port h = n / 2;
  std::vector<packets::BlockRound> rounds;
  for (Port j = h; j-- > 0;) {
    const auto target = [=](Rank y) {
      const std::string letters = letters_of(y, n);
      const auto row = letters.substr(0, h);
      const auto column = letters.substr(h);
      const Port at = h - 1 - j;
      const bool R = at > 0 && row[at - 1] == '1';
      bool C = false;
      for (Port above = 0; above < at; ++above) C = C != (column[above] == '1');
      std::string moved = letters;
      moved[at] = (column[at] == '1') != R ? '1' : '0';
      moved[h + at] = (row[at] == '1') != C ? '1' : '0';
      return rank_of(moved);
    };
    rounds.push_back({target, {j + h, j}});
  }
  return rounds;
}

TEST(BlockMoves, RelayAndKeepTheirOwn) {
  for (const Port n : {2U, 4U, 6U, 8U}) {
    const Port h = n / 2;
    const std::uint64_t N = std::uint64_t{1} << n;
    const Moved moved = move(cube(n), mixed_codes(n), 2, everybody);
    for (Rank u = 0; u < Rank{1} << h; ++u) {
      for (Rank v = 0; v < Rank{1} << h; ++v) {
        const Rank from = rank_of(letters_of(u, h) + gray(v, h));
        const Rank to = rank_of(letters_of(v, h) + gray(u, h));
        EXPECT_EQ(moved.held[to], (LabelledBlock{from, 0, 0, generated_block(1, from, 0, 2)}));
      }
    }
    EXPECT_EQ(moved.report.steps, n);
    EXPECT_EQ(moved.report.messages, n * N / 2);
    EXPECT_EQ(longest_of_each_cycle(moved.report), std::vector<std::uint64_t>(n, 2));
  }
}

TEST(BlockMoves, SayWhatMoves) {
  const BuiltMachine machine("hypercube:2");
  const RecordedRun run(machine, model_of(PortModel::one_strict), {});
  PerRank<LabelledBlock> held(run.request());
  for (Rank x = 0; x < 4; ++x) held[x] = {x, transposed(x, 2), 0, Block(1)};
  packets::move_blocks(run.request(), stepwise(2), held);
  using Moves = std::vector<Move>;
  ASSERT_GE(run.log().schedule.steps.size(), 2U);
  EXPECT_EQ(run.log().schedule.steps[0], (Moves{{1, 3, 1, 2}, {2, 0, 2, 1}}));
  EXPECT_EQ(run.log().schedule.steps[1], (Moves{{0, 1, 2, 1}, {3, 2, 1, 2}}));
}

/// The error that ends the run.
ErrorKind error_of(const std::vector<packets::BlockRound>& rounds) {
  try {
    move("hypercube:3", rounds, 1, everybody);
  } catch (const RunError& error) {
    return error.kind();
  }
  return ErrorKind::interrupted;
}

TEST(BlockMoves, AreRefusedWhereTwoWantOneLink) {
  const std::vector<Rank> target{3, 7, 0, 1, 2, 4, 5, 6};  // the blocks of 0 and 1 are both at 1 before dimension 1
  const std::vector<packets::BlockRound> rounds{{[&](Rank x) { return target[x]; }, {0, 1, 2}}};
  EXPECT_EQ(error_of(rounds), ErrorKind::send_limit);
}

TEST(BlockMoves, NoticeRoundsThatDoNotGetThere) {
  EXPECT_EQ(error_of({{[](Rank x) { return x ^ 3U; }, {0}}}), ErrorKind::exception);
  EXPECT_EQ(error_of({{[](Rank) { return 0U; }, {}}}), ErrorKind::exception);
}

}  // namespace
}  // namespace lockstep::permute::block_moves_test
