// Data from files through the command: --input and --output with every kind of data, and files that do not fit.
#include <gtest/gtest.h>

#include "command_line.hpp"

namespace lockstep::test::data_file_test {
namespace {

class DataFile : public testing::Test {
 protected:
  Finished run(const std::string& machine, const std::string& algorithm, const std::string& input,
               std::vector<std::string> further = {}) const {
    write_file(directory_.file("in"), input);
    std::vector<std::string> arguments{"run",     "--machine",           machine,    "--algorithm",         algorithm,
                                       "--input", directory_.file("in"), "--output", directory_.file("out")};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return lockstep(arguments);
  }

  /// The output of the run, which must succeed.
  std::string output(const std::string& machine, const std::string& algorithm, const std::string& input,
                     const std::vector<std::string>& further = {}) const {
    const Finished finished = run(machine, algorithm, input, further);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_NE(finished.out.find("verified "), std::string::npos) << finished.out;
    return read_file(directory_.file("out"));
  }

  void expect_refused(const Finished& finished, const std::string& said) const {
    test::expect_refused(finished, {said});
    EXPECT_EQ(directory_.files(), std::vector<std::string>{"in"});
  }

  TemporaryDirectory directory_;
};

TEST_F(DataFile, IsBroadcast) {
  EXPECT_EQ(output("hypercube:3", "broadcast/sbt", "1 2 3", {"--root", "5"}), "1\n2\n3\n");
}

TEST_F(DataFile, IsScatteredAndGathered) {
  for (const std::string method : {"scatter/sbt", "gather/sbt"}) {
    EXPECT_EQ(output("hypercube:2", method, "1 -2 3 4 5 6 7 8", {"--root", "3"}), "1\n-2\n3\n4\n5\n6\n7\n8\n");
  }
}

TEST_F(DataFile, IsReduced) {
  EXPECT_EQ(output("hypercube:2", "reduce/tree", "1 -2 3 4"), "6\n");
  EXPECT_EQ(output("hypercube:2", "reduce/tree", "1 -2 3 4.5"), "6.5\n");
  EXPECT_EQ(output("hypercube:2", "reduce/tree", "1 -2 3 4", {"--type", "double", "--operator", "min"}), "-2.0\n");
  EXPECT_EQ(output("rh:0,0", "reduce/tree", "1 2 3 4 5 6 7 8", {"--operator", "matrix2", "--root", "1"}),
            "19\n22\n43\n50\n");
  EXPECT_EQ(output("rh:1,0", "reduce/tree", "to \nge\nth\ner\n", {"--operator", "concat", "--root", "3"}),
            "to gether\n");
}

TEST_F(DataFile, IsScanned) {
  EXPECT_EQ(output("hypercube:2", "scan/cube", "1 -2 3 4"), "1\n-1\n2\n6\n");
  EXPECT_EQ(output("rh:0,0", "scan/hub", "1 2 3 4 5 6 7 8", {"--operator", "matrix2"}), "1\n2\n3\n4\n19\n22\n43\n50\n");
  EXPECT_EQ(output("rh:1,0", "scan/hub", "to \nge\nth\ner\n", {"--operator", "concat", "--hub", "0"}),
            "to \nto ge\nto geth\nto gether\n");
}

TEST_F(DataFile, IsSaidToExceed64BitsWhereItDoes) {
  const auto wrapped = [&](const std::string& machine, const std::string& algorithm, const std::string& input,
                           const std::vector<std::string>& further = {}) {
    const std::string text = run(machine, algorithm, input, further).out;
    const std::size_t found = text.find("wrapped words ");
    return found == std::string::npos ? std::string("0") : text.substr(found + 14, 1);
  };
  EXPECT_EQ(output("hypercube:1", "reduce/tree", "9223372036854775807 1"), "-9223372036854775808\n");
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", "9223372036854775807 1"), "1");
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", "9223372036854775807 0"), "0");
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", "-9223372036854775808 -1"), "1");
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", "-9223372036854775808 0"), "0");
  // 2^63 - 1, 2^63, 2^63 - 1, 2^63: as a total the last, as prefixes the second and the last.
  EXPECT_EQ(wrapped("hypercube:2", "reduce/tree", "9223372036854775807 1 -1 1"), "1");
  EXPECT_EQ(wrapped("hypercube:2", "scan/cube", "9223372036854775807 1 -1 1"), "2");
  EXPECT_EQ(wrapped("switch:4", "exscan/shift", "9223372036854775807 1 -1 1"), "1");
  EXPECT_EQ(wrapped("hypercube:2", "reduce/tree", "9223372036854775807 1 -1 0"), "0");
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", "9223372036854775807 1", {"--operator", "max"}), "0");
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", "9223372036854775807 1", {"--type", "double"}), "0");
  const std::string matrices = "4294967296 0 0 1\n4294967296 0 0 1\n";  // 2^32 2^32 in one place
  EXPECT_EQ(wrapped("hypercube:1", "reduce/tree", matrices, {"--operator", "matrix2"}), "1");
}

TEST_F(DataFile, OfDoublesThatOverflowIsNotVerified) {
  const Finished finished =
      run("hypercube:2", "reduce/tree", "1e308 1e308 -1e308 -1e308", {"--corrupt", "0.5", "--fault-seed", "1"});
  EXPECT_EQ(finished.exit_code, 1) << finished.out;
  const Finished without_fault = run("hypercube:2", "reduce/tree", "1e308 1e308 -1e308 -1e308");
  EXPECT_EQ(without_fault.exit_code, 1) << without_fault.out;
  EXPECT_NE(without_fault.err.find("so that the order of combining decides the result"), std::string::npos)
      << without_fault.err;
  EXPECT_EQ(without_fault.out.find("optimal"), std::string::npos) << without_fault.out;  // though its steps are
  EXPECT_EQ(directory_.files(), std::vector<std::string>{"in"});
}

TEST_F(DataFile, IsSorted) {
  EXPECT_EQ(output("hypercube:2", "sort/bitonic", "3 1 -2 3 0 1 7"), "-2\n0\n1\n1\n3\n3\n7\n");
  EXPECT_EQ(output("hypercube:2", "sort/bitonic", "3 1.5 -0.25"), "-0.25\n1.5\n3.0\n");
  EXPECT_EQ(output("hypercube:2", "sort/bitonic", "3 1 2", {"--type", "double"}), "1.0\n2.0\n3.0\n");
  EXPECT_EQ(output("hypercube:2", "sort/bitonic", "pear\n\nApple\npear\n10\n9", {"--type", "string"}),
            "\n10\n9\nApple\npear\npear\n");
  EXPECT_EQ(output("hypercube:2", "sort/bitonic", ""), "");
  EXPECT_EQ(output("hypercube:2", "sort/bitonic", "", {"--type", "string"}), "");
  EXPECT_EQ(output("hypercube:5", "sort/bitonic", "42"), "42\n");
  EXPECT_EQ(output("rh:2,1", "sort/merge", "3 1 -2 3 0 1 7"), "-2\n0\n1\n1\n3\n3\n7\n");
  EXPECT_EQ(output("rh:2,1", "sort/resort", "pear\nApple\n10", {"--type", "string", "--move", "packets"}),
            "10\nApple\npear\n");
  EXPECT_EQ(output("hypercube:0", "sort/bitonic", "2 1", {"--words", "7"}), "1\n2\n");
}

TEST_F(DataFile, IsRefusedWhereItDoesNotFit) {
  expect_refused(run("hypercube:2", "scatter/sbt", "1 2 3 4 5"), "5 numbers, which cannot be divided evenly");
  expect_refused(run("hypercube:2", "gather/sbt", "1 2 3 4", {"--words", "2"}), "--words 2 does not fit");
  expect_refused(run("hypercube:2", "reduce/tree", "1 2 3 4 5"),
                 "5 numbers, which 4 ranks cannot share evenly: 4 or 8");
  expect_refused(run("hypercube:2", "reduce/tree", ""), "has no numbers");
  expect_refused(run("hypercube:2", "reduce/tree", "", {"--operator", "concat"}), "has no lines");
  expect_refused(run("hypercube:2", "reduce/tree", "1 2 3 four"), "line 1: 'four' is no number");
  expect_refused(run("hypercube:2", "reduce/tree", "1 2 3 nan"), "line 1: 'nan' is not finite");
  expect_refused(run("hypercube:2", "reduce/tree", "1\n2.5\n3\n4", {"--type", "int64"}),
                 "line 2: '2.5' is no int64; use --type double");
  expect_refused(run("hypercube:2", "reduce/tree", "1 2 3 4", {"--words", "2"}), "--words 2 does not fit");
  expect_refused(run("hypercube:2", "sort/bitonic", "1 2 nan"), "line 1: 'nan' is not finite");
  expect_refused(run("hypercube:2", "sort/bitonic", "one two"), "line 1: 'one' is no number");
  expect_refused(run("hypercube:2", "sort/bitonic", "1 2 3 4 5", {"--words", "1"}), "--words 1 is too few");
}

}  // namespace
}  // namespace lockstep::test::data_file_test
