// A right, a slow and a wrong solution of five operations, judged like a student's: points, steps, and the message for
// a wrong one. The programs are in solutions/.
#include <gtest/gtest.h>

#include <cmath>

#include "command_line.hpp"

namespace lockstep::test::solutions_test {
namespace {

/// `judge` of the solution, in two orders of processors.
Finished judge(const std::string& method, const std::vector<std::string>& further = {}) {
  std::vector<std::string> words{"judge", "--algorithm", method, "--seeds", "2"};
  words.insert(words.end(), further.begin(), further.end());
  return Running(words, Running::Outputs::pipes, {}, LOCKSTEP_SOLUTIONS).finish();
}

/// The steps on the hypercubes of 0 to 4 dimensions.
std::vector<std::uint64_t> steps_of(const nlohmann::json& judgement) {
  std::vector<std::uint64_t> steps;
  for (const auto& size : judgement["sizes"]) steps.push_back(size["steps"]);
  return steps;
}

using Steps = std::vector<std::uint64_t>;

void expect_right(const std::string& method, const Steps& steps, double points) {
  SCOPED_TRACE(method);
  const Finished run = judge(method, {"--json", "-"});
  EXPECT_EQ(run.exit_code, 0);
  const nlohmann::json said = nlohmann::json::parse(run.out, nullptr, false);
  EXPECT_EQ(said["status"], "right");
  EXPECT_EQ(steps_of(said), steps);
  EXPECT_DOUBLE_EQ(said["points"].get<double>(), points);
  EXPECT_EQ(said["parts"]["data"]["points"], 60);
  EXPECT_EQ(said["parts"]["rules"]["points"], 20);
}

/// 80 for right data and kept rules, and a share of 20 by the bounds, with one digit.
double points_for(const Steps& bounds, const Steps& steps) {
  double nearness = 0;
  for (std::size_t size = 0; size < steps.size(); ++size) {
    nearness += steps[size] <= bounds[size] ? 1 : static_cast<double>(bounds[size]) / static_cast<double>(steps[size]);
  }
  return std::round((80 + 20 * nearness / static_cast<double>(steps.size())) * 10) / 10;
}

// No message reaches the farthest processor of an n-cube in fewer than n steps (saad-schultz-1988.md), and n steps are
// enough for a broadcast by the binomial tree, an allgather, a total exchange by dimensions, and a scan.
const Steps dimensions{0, 1, 2, 3, 4};

TEST(Solutions, RightOnesMeetTheBound) {
  for (const char* method : {"broadcast/right", "allgather/right", "alltoall/right", "scan/right"}) {
    expect_right(method, dimensions, 100);
  }
  // Bitonic: n (n + 1) / 2 steps (mukherjee.md, Sorting, cube).
  const Steps bitonic{0, 1, 3, 6, 10};
  expect_right("sort/right", bitonic, points_for(dimensions, bitonic));
}

TEST(Solutions, SlowOnesAreRightAndLosePoints) {
  const Steps round{0, 1, 3, 7, 15};  // N - 1
  expect_right("broadcast/slow", round, points_for(dimensions, round));
  expect_right("allgather/slow", round, points_for(dimensions, round));
  const Steps distances{0, 1, 4, 12, 32};  // the sum of all distances, n N / 2
  expect_right("alltoall/slow", distances, points_for(dimensions, distances));
  const Steps ranks{0, 1, 4, 11, 26};  // the distances from rank r to rank r + 1, summed over all r: 2 N - 2 - n
  expect_right("scan/slow", ranks, points_for(dimensions, ranks));
  const Steps there_and_back{0, 2, 6, 14, 30};  // 2 (N - 1)
  expect_right("sort/slow", there_and_back, points_for(dimensions, there_and_back));
}

/// The text below the table.
std::string complaints(const Finished& judged) {
  std::string text;
  bool is_below = false;
  for (const std::string& line : lines(judged.out)) {
    if (is_below || line.starts_with("points ") || line.find(": ") != std::string::npos) {
      is_below = true;
      text += line + "\n";
    }
  }
  return text;
}

TEST(Solutions, WrongOnesGetTheReason) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"broadcast/wrong",
       R"(hypercube:1: wrong data: rank 1 holds 0 words of 1, the first 0 right; rank 1 lacks the block of rank 0, which never left rank 0
hypercube:2: wrong data: rank 2 holds 0 words of 1, the first 0 right; rank 2 lacks the block of rank 0, which rank 1 got last, from rank 0 in cycle 0
hypercube:3: wrong data: rank 4 holds 0 words of 1, the first 0 right; rank 4 lacks the block of rank 0, which rank 3 got last, from rank 1 in cycle 1
hypercube:4: wrong data: rank 8 holds 0 words of 1, the first 0 right; rank 8 lacks the block of rank 0, which rank 7 got last, from rank 3 in cycle 2
points 36 of 100: data 12 of 60 (20%), rules 20 of 20 (100%), bound 4 of 20 (20%)
)"},
      {"allgather/wrong",
       R"(hypercube:2: wrong data: rank 0 holds 0 words of the 1 from rank 3, the first 0 right; rank 0 lacks the block of rank 3, which rank 1 got last, from rank 3 in cycle 1
hypercube:3: wrong data: rank 0 holds 0 words of the 1 from rank 3, the first 0 right; rank 0 lacks the block of rank 3, which rank 7 got last, from rank 3 in cycle 2
hypercube:4: wrong data: rank 0 holds 0 words of the 1 from rank 3, the first 0 right; rank 0 lacks the block of rank 3, which rank 11 got last, from rank 3 in cycle 3
points 52 of 100: data 24 of 60 (40%), rules 20 of 20 (100%), bound 8 of 20 (40%)
)"},
      {"alltoall/wrong",
       R"(hypercube:2: wrong data: rank 0 holds 1 words from rank 0 for rank 3, which it should not; rank 0 lacks the block of rank 3 for it, which never left rank 3
hypercube:3: wrong data: rank 0 holds 1 words from rank 0 for rank 3, which it should not; rank 0 lacks the block of rank 3 for it, which never left rank 3
hypercube:4: wrong data: rank 0 holds 1 words from rank 0 for rank 3, which it should not; rank 0 lacks the block of rank 3 for it, which never left rank 3
points 52 of 100: data 24 of 60 (40%), rules 20 of 20 (100%), bound 8 of 20 (40%)
)"},
      {"scan/wrong",
       R"(hypercube:1: wrong data: rank 0 holds a result of 1 words of 1, the first 0 right
hypercube:2: wrong data: rank 0 holds a result of 1 words of 1, the first 0 right
hypercube:3: wrong data: rank 0 holds a result of 1 words of 1, the first 0 right
hypercube:4: wrong data: rank 0 holds a result of 1 words of 1, the first 0 right
points 36 of 100: data 12 of 60 (20%), rules 20 of 20 (100%), bound 4 of 20 (20%)
)"},
      {"sort/wrong",
       R"(hypercube:2: wrong data: rank 1 holds 3 of its 3 records, the first 0 right (with --words 3 --seed 2)
hypercube:3: wrong data: rank 1 holds 1 of its 1 records, the first 0 right
hypercube:4: wrong data: rank 3 holds 1 of its 1 records, the first 0 right
points 52 of 100: data 24 of 60 (40%), rules 20 of 20 (100%), bound 8 of 20 (40%)
)"}};
  for (const auto& [method, text] : all) {
    SCOPED_TRACE(method);
    const Finished said = judge(method);
    EXPECT_EQ(said.exit_code, 1);
    EXPECT_EQ(said.err, "");
    EXPECT_EQ(complaints(said), text);
  }
}

// Two records are often in order without a message: that is chance, not another processor's data.
TEST(Solutions, LuckIsNotTakenForCheating) {
  EXPECT_EQ(complaints(judge("sort/unwritten", {"--machine", "hypercube:1"})),
            "hypercube:1: wrong data: rank 0 holds 1 of its 1 records, the first 0 right (with --seed 2)\n"
            "points 20 of 100: data 0 of 60 (0%), rules 20 of 20 (100%), bound 0 of 20 (0%)\n");
}

}  // namespace
}  // namespace lockstep::test::solutions_test
