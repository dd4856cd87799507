#include "options.hpp"

#include <gtest/gtest.h>

namespace lockstep::bench::options_test {
namespace {

Options read(const std::vector<std::string>& arguments) { return read_options(arguments, "home"); }

std::string refusal(const std::vector<std::string>& arguments) {
  try {
    read(arguments);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Options, SayWhatIsMeasured) {
  EXPECT_EQ(read({}).form, Form::all);
  EXPECT_EQ(read({"--record"}).form, Form::all);
  EXPECT_EQ(read({"--check"}).form, Form::ratios);
  EXPECT_EQ(read({"--check", "--quick"}).form, Form::quick);
  EXPECT_EQ(read({"--quick", "--check=table"}).form, Form::quick);
  EXPECT_EQ(read({"--tiny"}).form, Form::tiny);
}

TEST(Options, SayWhereTheResultsAre) {
  EXPECT_FALSE(read({}).record || read({}).check);
  EXPECT_EQ(read({"--record"}).record, "home");
  EXPECT_EQ(read({"--record=there"}).record, "there");
  EXPECT_EQ(read({"--check"}).check, "home/ratios.csv");
  EXPECT_EQ(read({"--check=table"}).check, "table");
}

TEST(Options, LeaveTheOthersToGoogleBenchmark) {
  EXPECT_EQ(read({"--benchmark_filter=E", "--check", "x"}).others,
            (std::vector<std::string>{"--benchmark_filter=E", "x"}));
  EXPECT_EQ(read({"--records"}).others, std::vector<std::string>{"--records"});
}

TEST(Options, ThatContradictOneAnotherAreRefused) {
  const std::string contradiction =
      "--record, --check and --tiny exclude one another, and --quick goes with --check only";
  EXPECT_EQ(refusal({"--record", "--check"}), contradiction);
  EXPECT_EQ(refusal({"--record", "--tiny"}), contradiction);
  EXPECT_EQ(refusal({"--check", "--tiny"}), contradiction);
  EXPECT_EQ(refusal({"--quick"}), contradiction);
  EXPECT_EQ(refusal({"--quick", "--record"}), contradiction);
  EXPECT_EQ(refusal({"--quick", "--tiny"}), contradiction);
}

TEST(Options, ThatWouldLeaveGapsInARecordAreRefused) {
  EXPECT_EQ(refusal({"--record", "--benchmark_filter=E/.*/16/"}),
            "--record measures everything and takes no --benchmark_filter=E/.*/16/");
}

TEST(Options, AreExplained) {
  for (const char* option : {"--record", "--check", "--quick", "--tiny"}) {
    EXPECT_NE(options_help().find(option), std::string::npos) << option;
  }
}

}  // namespace
}  // namespace lockstep::bench::options_test
