// transpose/diagonal on the torus (saad-schultz-1988.md, Diagonal): D = h = floor(s/2), E = s-1-h, H = D(D+1)/2 +
// E(E+1)/2; S = 2h, W = 2hb, M = 2sH, V = 2sHb.
#include <gtest/gtest.h>

#include "total_exchange.hpp"

namespace lockstep::transpose_diagonal_test {
namespace {

constexpr std::string_view diagonal = "transpose/diagonal";

TEST(TransposeDiagonal, HasTheCountsOfThePaper) {
  for (std::uint64_t s = 1; s <= 9; ++s) {
    const BuiltMachine machine(square(s));
    const std::uint64_t h = s / 2;
    const std::uint64_t E = s - 1 - h;
    const std::uint64_t H = h * (h + 1) / 2 + E * (E + 1) / 2;
    for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
      for (const std::uint64_t b : {1U, 2U, 7U}) {
        expect_run(machine, diagonal, model_of(PortModel::all, duplex), block_settings(b),
                   {.steps = 2 * h,
                    .longest_sum = 2 * h * b,
                    .messages = 2 * s * H,
                    .words = 2 * s * H * b,
                    .peak_words_held = s * b,  // on the diagonal, between the phases
                    .message_words = b});
      }
    }
  }
}

TEST(TransposeDiagonal, SeesEveryMessageThatIsWrong) {
  expect_catches_faults(diagonal, "torus:4x4", block_settings(2), model_of(PortModel::all));
}

TEST(TransposeDiagonal, NamesWhatBreaksAModelThatDoesNotFit) {
  EXPECT_EQ(violation(diagonal, "torus:3x3", model_of(PortModel::one)),
            "transpose/diagonal: cycle 0, rank 0, ports 2 and 3: 2 messages sent to one processor in one cycle "
            "(port model one: at most one receive a cycle)");
  EXPECT_EQ(violation(diagonal, "torus:4x4", model_of(PortModel::all, Duplex::half_node)),
            "transpose/diagonal: cycle 0, rank 1, port 2: received there, but sent on port 3 in the same cycle "
            "(duplex half-node: either send or receive)");
}

TEST(TransposeDiagonal, HasDefaultsAndLimits) {
  expect_defaults(diagonal, "torus", PortModel::all);
  expect_words_from(1, diagonal, "torus:5x5");
  EXPECT_EQ(refusal(diagonal, "torus:5x4", block_settings(1)), "torus:5x4 is not square: write SxS, e.g. torus:4x4");
  EXPECT_THROW(find_method(diagonal, "ring"), InputError);
  expect_bytes(diagonal, "torus:5x5", block_settings(1000000), 25U * 1000000 * 8, 25U * 1000000 * 8 + 100000);
  EXPECT_EQ(bytes_of(diagonal, "torus:60000x60000", block_settings(most_words)), too_many_bytes);
}

}  // namespace
}  // namespace lockstep::transpose_diagonal_test
