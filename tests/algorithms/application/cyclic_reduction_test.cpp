// application/cyclic-reduction (applications.md, Cyclic reduction): counts of its steps against a walk over the
// remaining places; solutions against Eigen's.
#include <bit>

#include "method_run.hpp"

namespace lockstep::cyclic_reduction_test {
namespace {

constexpr const char* method = "application/cyclic-reduction";

Settings of_size(std::uint64_t size) {
  Settings settings;
  settings.size = size;
  return settings;
}

/// Links between places along the Gray code's path.
std::uint64_t distance(std::uint64_t one, std::uint64_t other) {
  return static_cast<std::uint64_t>(std::popcount((one ^ one >> 1) ^ (other ^ other >> 1)));
}

/// The messages of the stages, place by place: an equation that goes to two places shares its first link if both are
/// two links away. A stage has a step for every link of the first path, and one more where a sender has a second
/// receiver.
struct Walk {
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;

  void stage(std::uint64_t apart, std::uint64_t places, bool of_eliminated) {
    std::uint64_t longest = 0;
    for (std::uint64_t place = apart - 1; place < places; place += apart) {
      if (((place + 1) / apart % 2 == 1) != of_eliminated) continue;
      std::uint64_t links = 0;
      std::uint64_t receivers = 0;
      if (place >= apart) {
        links = distance(place, place - apart);
        ++receivers;
      }
      if (place + apart < places) {
        links = distance(place, place + apart);
        ++receivers;
      }
      EXPECT_EQ(links, apart == 1 ? 1U : 2U);
      messages += links - 1 + receivers;
      longest = std::max(longest, links - 1 + receivers);
    }
    steps += longest;
  }
};

// 6 n - 3 steps: N - 1 first relations of 3 words; two passes of 3 n - 2 steps, of 3 words and of one; and one step
// more for a last word to every second place if places have several unknowns.
TEST(CyclicReduction, CountsItsSteps) {
  for (std::uint64_t n = 0; n <= 7; ++n) {
    const std::uint64_t N = std::uint64_t{1} << n;
    Walk forth;
    Walk back;
    for (std::uint64_t apart = 1; apart < N; apart *= 2) {
      forth.stage(apart, N, true);
      back.stage(apart, N, false);
    }
    const std::uint64_t way = n == 0 ? 0 : 3 * n - 2;
    const std::uint64_t messages = n == 0 ? 0 : 3 * (N - 1) - n - N / 2;
    EXPECT_EQ(forth.steps, way);
    EXPECT_EQ(back.steps, way);
    EXPECT_EQ(forth.messages, messages);
    EXPECT_EQ(back.messages, messages);
    for (const std::uint64_t g : {N, N + 1, 2 * N - 1, 2 * N, 5 * N + 3}) {
      if (g < N) continue;
      const std::uint64_t first = g / N + (g % N > 0 ? 1 : 0);  // unknowns of the first place, and of the second
      const std::uint64_t second = g / N + (g % N > 1 ? 1 : 0);
      const auto relation = [](std::uint64_t unknowns) { return unknowns < 2 ? 0 : 8 * unknowns - 13; };
      std::uint64_t relations = 0;
      for (std::uint64_t place = 1; place < N; ++place) relations += relation(g / N + (place < g % N ? 1 : 0));
      std::uint64_t more = 0;  // places, every second of which receives the last word
      for (std::uint64_t place = 1; place < N; place += 2) more += g / N + (place < g % N ? 1 : 0) > 1 ? 1 : 0;
      SpecCounts counts{0, 0, 0, 0};
      if (n > 0) {
        const std::uint64_t last = more > 0 ? 1 : 0;
        counts = {6 * n - 3 + last, 12 * n - 5 + last, N - 1 + 2 * messages + more, 3 * (N - 1) + 4 * messages + more};
      }
      std::uint64_t most = 11 * (g - 1) + 1;
      counts.operations = most;
      if (n > 0) {
        counts.operations = 11 * (g - N) + relations + 22 * (N - 1) - 5 * n + 1;
        most = std::max(6 * (first - 1), 6 * (second - 1) + relation(second)) + 17 * n + 1 + 5 * (first - 1) +
               5 * (second - 1);
      }
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        for (const Duplex duplex : {Duplex::full, Duplex::half_link}) {
          Model model = model_of(ports, duplex);
          model.cost.flop = 0.25;
          const Report report = expect_run(BuiltMachine(cube(n)), method, model, of_size(g), counts);
          EXPECT_DOUBLE_EQ(report.time_arithmetic, 0.25 * static_cast<double>(most)) << n << " " << g;
        }
      }
    }
  }
}

TEST(CyclicReduction, TakesAtLeastOneUnknownAProcessor) {
  EXPECT_EQ(resolved(method, "hypercube:0").size, 8U);
  EXPECT_EQ(resolved(method, "hypercube:9").size, 512U);
  EXPECT_EQ(refusal(method, "hypercube:3", of_size(7)), "--size 7 is out of range: 8 to 16777216");
  EXPECT_EQ(refusal(method, "hypercube:3", of_size(16777217)), "--size 16777217 is out of range: 8 to 16777216");
  EXPECT_EQ(refusal(method, "hypercube:3", of_size(8)), "");
}

TEST(CyclicReduction, NoticesEveryFault) {
  for (const std::uint64_t size : {8, 19}) {
    for (const char* machine : {"hypercube:1", "hypercube:2", "hypercube:3"}) {
      for (const PortModel ports : {PortModel::one, PortModel::all}) {
        expect_catches_faults(method, machine, of_size(size), model_of(ports));
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::cyclic_reduction_test
