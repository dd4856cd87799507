// Input files: standard input, which is read once, and the depth of a JSON text.
#include "lockstep/machines/input_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "lockstep/machines/graph.hpp"

namespace lockstep::input_file_test {
namespace {

TEST(InputFile, HasTheNamesOfStandardInput) {
  for (const std::string name : {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}) {
    EXPECT_TRUE(is_standard_input(name));
    EXPECT_EQ(input_name(name), "standard input");
  }
  for (const std::string name : {"", "--", "stdin", "/dev/fd/1"}) {
    EXPECT_FALSE(is_standard_input(name));
    EXPECT_EQ(input_name(name), name);
    EXPECT_EQ(input_place(name), name);
  }
  EXPECT_EQ(input_name("a\nb"), "a?b");
}

/// Replaces standard input by the descriptor's file for as long as it lives.
class StandardInput {
 public:
  explicit StandardInput(int file) : before_(dup(STDIN_FILENO)) {
    dup2(file, STDIN_FILENO);
    close(file);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;
  ~StandardInput() {
    if (before_ < 0) {  // standard input was closed
      close(STDIN_FILENO);
    } else {
      dup2(before_, STDIN_FILENO);
      close(before_);
    }
  }

 private:
  int before_;
};

// The only test of the program that reads it: the content is kept as long as the process runs.
TEST(InputFile, OfStandardInputIsReadOnceAndKept) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  std::string edges;
  for (int node = 1; node <= 20'000; ++node) edges += "0 " + std::to_string(node) + "\n";  // more than a pipe's buffer
  const std::jthread writer([&edges, end = pipe_ends[1]] {
    for (std::size_t done = 0; done < edges.size();) {
      const ssize_t count = write(end, edges.data() + done, edges.size() - done);
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    close(end);
  });
  const StandardInput input(pipe_ends[0]);
  for (const std::string name : {"-", "/dev/stdin", "-"}) {
    const Graph star = read_graph(name);
    EXPECT_EQ(star.nodes(), 20'001U);
    EXPECT_EQ(star.degree(0), 20'000U);
  }
}

TEST(JsonDepth, IsThatOfTheBracketsOutsideOfStrings) {
  EXPECT_EQ(json_depth(""), 0U);
  EXPECT_EQ(json_depth("7"), 0U);
  EXPECT_EQ(json_depth("[]"), 1U);
  EXPECT_EQ(json_depth("[[], {\"a\": [1]}, []]"), 3U);
  EXPECT_EQ(json_depth("[\"[[[[\", \"{\"]"), 1U);
  EXPECT_EQ(json_depth("[\"\\\"[[\", []]"), 2U) << "a quotation mark within the string";
  EXPECT_EQ(json_depth("[\"\\\\\", [[]]]"), 3U) << "a backslash at its end";
  EXPECT_EQ(json_depth(std::string(5000, '[')), 5000U);
}

TEST(JsonDepth, OfWhatIsNoJsonIsAnyNumber) {
  EXPECT_LE(json_depth("]]]["), 1U);
  EXPECT_LE(json_depth("}{"), 1U);
  EXPECT_EQ(json_depth("\"[[["), 0U);
}

}  // namespace
}  // namespace lockstep::input_file_test
