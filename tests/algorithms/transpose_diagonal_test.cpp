// transpose/diagonal on the torus (saad-schultz-1988.md, Diagonal): D = h = floor(s/2), E = s-1-h, H = D(D+1)/2 +
// E(E+1)/2; S = 2h, W = 2hb, M = 2sH, V = 2sHb.
#include <gtest/gtest.h>

#include "total_exchange.hpp"

namespace lockstep {
namespace {

constexpr std::string_view diagonal = "transpose/diagonal";

BuiltMachine square(std::uint64_t s) { return BuiltMachine("torus:" + std::to_string(s) + "x" + std::to_string(s)); }

TEST(TransposeDiagonal, has_the_counts_of_the_paper) {
  for (std::uint64_t s = 1; s <= 9; ++s) {
    const BuiltMachine machine = square(s);
    const std::uint64_t h = s / 2;
    const std::uint64_t E = s - 1 - h;
    const std::uint64_t H = h * (h + 1) / 2 + E * (E + 1) / 2;
    for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
      for (const std::uint64_t b : {1U, 2U, 7U}) {
        SCOPED_TRACE("side " + std::to_string(s) + ", words " + std::to_string(b));
        const Model model = model_of(PortModel::all, duplex);
        const Outcome outcome = machine.run(diagonal, model, block_settings(b));
        const Report& report = outcome.report;
        EXPECT_EQ(outcome.wrong, "");
        EXPECT_EQ(report.steps, 2 * h);
        EXPECT_EQ(report.cycles, 2 * h);
        EXPECT_EQ(report.longest_sum, 2 * h * b);
        EXPECT_EQ(report.messages, 2 * s * H);
        EXPECT_EQ(report.sends, 2 * s * H);
        EXPECT_EQ(report.words, 2 * s * H * b);
        EXPECT_EQ(report.peak_words_held, s * b);  // on the diagonal, between the phases

        const Prediction predicted = machine.method(diagonal).predict(machine.spec, model, block_settings(b));
        EXPECT_EQ(predicted.steps.value().value, 2 * h);
        EXPECT_EQ(predicted.longest_sum.value().value, 2 * h * b);
        EXPECT_EQ(predicted.messages.value().value, 2 * s * H);
        EXPECT_EQ(predicted.words.value().value, 2 * s * H * b);
        EXPECT_EQ(predicted.message_words, b);
        EXPECT_TRUE(predicted.steps->exact && predicted.longest_sum->exact);
        EXPECT_TRUE(predicted.messages->exact && predicted.words->exact);
      }
    }
  }
}

TEST(TransposeDiagonal, sees_every_message_that_is_wrong) {
  const BuiltMachine machine = square(4);
  for (const FaultKind kind : {FaultKind::drop, FaultKind::repeat, FaultKind::swap, FaultKind::corrupt}) {
    for (std::uint64_t transfer = 0; transfer < 32; ++transfer) {
      std::string caught;
      try {
        caught = machine.run(diagonal, model_of(PortModel::all), block_settings(2), Fault{kind, transfer}).wrong;
      } catch (const RunError& error) {
        caught = error.what();
      }
      EXPECT_NE(caught, "") << "fault " << static_cast<int>(kind) << " in transfer " << transfer;
    }
  }
}

TEST(TransposeDiagonal, names_what_breaks_a_model_that_does_not_fit) {
  EXPECT_EQ(violation(diagonal, "torus:3x3", model_of(PortModel::one)),
            "transpose/diagonal: cycle 0, rank 0, ports 2 and 3: 2 messages sent to one processor in one cycle "
            "(port model one: at most one receive a cycle)");
  EXPECT_EQ(violation(diagonal, "torus:4x4", model_of(PortModel::all, Duplex::half_node)),
            "transpose/diagonal: cycle 0, rank 1, port 2: received there, but sent on port 3 in the same cycle "
            "(duplex half-node: either send or receive)");
}

TEST(TransposeDiagonal, has_defaults_and_limits) {
  const Method& method = find_method(diagonal, "torus");
  EXPECT_EQ(method.defaults.ports, PortModel::all);
  EXPECT_EQ(method.defaults.duplex, Duplex::full);
  EXPECT_FALSE(method.defaults.multicast);
  const MachineSpec spec = parse_machine("torus:5x5");
  Settings settings;
  method.resolve(spec, method.defaults, settings);
  EXPECT_EQ(settings.words, 1U);
  EXPECT_EQ(refusal(diagonal, "torus:5x5", block_settings(0)), "--words 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refusal(diagonal, "torus:5x4", block_settings(1)),
            "torus:5x4 is not a square: SxS is wanted, e.g. torus:4x4");
  EXPECT_THROW(find_method(diagonal, "ring"), InputError);
  EXPECT_GE(method.bytes(spec, method.defaults, block_settings(1000000)), 25U * 1000000 * 8);
  EXPECT_LE(method.bytes(spec, method.defaults, block_settings(1000000)), 25U * 1000000 * 8 + 100000);
  EXPECT_EQ(method.bytes(parse_machine("torus:60000x60000"), method.defaults, block_settings(most_words)),
            std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace lockstep
