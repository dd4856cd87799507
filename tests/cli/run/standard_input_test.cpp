// "-" and /dev/stdin are read like any file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "outputs.hpp"

namespace lockstep::test::standard_input_test {
namespace {

using StandardInput = Outputs;

/// Runs the command with the text from a pipe.
Finished with_input(const std::string& command, const std::string& text) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  std::thread writer([&] {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count = write(ends[1], text.data() + done, text.size() - done);
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    close(ends[1]);
  });
  Finished run = lockstep(words_of(command), [&] { dup2(ends[0], STDIN_FILENO); });
  close(ends[0]);
  writer.join();
  return run;
}

TEST_F(StandardInput, IsReadWhereverAFileIs) {
  const std::string matrix = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n";
  const std::string graph = R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})";
  const std::string plan = lockstep("plan --machine path:3 --algorithm alltoall/factor").out;
  for (const std::string place : {"-", "/dev/stdin"}) {
    const std::string cube = "run --machine hypercube:1 --algorithm ";
    for (const auto& [command, text] : {std::pair(cube + "broadcast/sbt --input " + place, std::string("1 2")),
                                        {cube + "scatter/sbt --input " + place, "1 2"},
                                        {cube + "reduce/tree --input " + place, "1 2"},
                                        {cube + "reduce/tree --operator concat --input " + place, "a\nb\n"},
                                        {cube + "sort/bitonic --type string --input " + place, "b\na\n"},
                                        {cube + "transpose/1d-exchange --input " + place, matrix},
                                        {cube + "route/ecube --pattern " + place, "0 1\n1 0\n"},
                                        {cube + "permute/two-alltoall --permutation " + place, "1 0"},
                                        {"run --machine graph:" + place + " --algorithm alltoall/greedy", graph},
                                        {"info graph:" + place, graph},
                                        {"info graph:" + place, "0 1\n"},
                                        {"info graph:" + place, "A_\n"},
                                        {"validate " + place + " --machine path:3", plan}}) {
      SCOPED_TRACE(command);
      const Finished run = with_input(command, text);
      EXPECT_EQ(run.exit_code, 0) << run.err;
    }
  }
}

TEST_F(StandardInput, MayBeLongerThanAPipe) {
  std::string text;
  for (int number = 200'000; number > 0; --number) text += std::to_string(number) + "\n";
  EXPECT_EQ(with_input("run --machine hypercube:1 --algorithm sort/bitonic --input - --output " + file("out"), text)
                .exit_code,
            0);
  EXPECT_TRUE(read_file(file("out")).starts_with("1\n2\n3\n"));
}

TEST_F(StandardInput, IsRefusedByItsName) {
  expect_refused(with_input("run --machine hypercube:1 --algorithm broadcast/sbt --input -", "1 two"),
                 {"standard input, line 1: 'two' is no number"});
  expect_refused(with_input("validate - --machine path:3", "{"), {"standard input: it is not JSON"});
  expect_refused(with_input("info graph:-", "[]"), {"graph:-"});
  const auto closed = [] { close(STDIN_FILENO); };
  expect_refused(lockstep(words_of("validate - --machine path:3"), closed),
                 {"cannot read standard input: Bad file descriptor"});
  const auto a_directory = [] { dup2(open("/", O_RDONLY), STDIN_FILENO); };
  expect_refused(lockstep(words_of("info graph:-"), a_directory), {"Is a directory"});
}

}  // namespace
}  // namespace lockstep::test::standard_input_test
