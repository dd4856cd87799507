// Files of requests that route/ecube refuses.
#include <gtest/gtest.h>

#include "data_directory.hpp"
#include "method_run.hpp"
#include "operations/route/pattern.hpp"

namespace lockstep::route_file_test {
namespace {

constexpr std::string_view ecube = "route/ecube";

Settings route_settings(const std::string& pattern, std::uint64_t words = 1) {
  Settings settings;
  settings.pattern = pattern;
  settings.words = words;
  return settings;
}

class RouteFile : public DataDirectory {
 protected:
  std::string refusal(const Settings& settings, const std::string& machine = "hypercube:3") const {
    return refusal_of([&] {
      const MachineSpec spec = parse_machine(machine);
      Settings resolved = settings;
      find_method(ecube, spec.family).resolve(spec, {}, resolved);
    });
  }
  std::string refusal_of_text(const std::string& text, const std::string& machine = "hypercube:3") const {
    return refusal(route_settings(file("pairs", text)), machine);
  }
};

TEST_F(RouteFile, IsRefusedIfItIsMalformed) {
  const std::string whole = " is not a whole number (digits only: no sign, no leading zero)";
  EXPECT_EQ(refusal_of_text(""), "pairs has no lines `from to`");
  EXPECT_EQ(refusal_of_text("\n \n\t\n"), "pairs has no lines `from to`");
  EXPECT_EQ(refusal_of_text("0 1\n2\n"), "pairs, line 2: two ranks are needed, from and to, not 1");
  EXPECT_EQ(refusal_of_text("0 1\n\n1 2 3\n"), "pairs, line 3: two ranks are needed, from and to, not 3");
  EXPECT_EQ(refusal_of_text("0 1\n0 8\n"), "pairs, line 2: rank '8' is out of range: 0 to 7");
  EXPECT_EQ(refusal_of_text("0b1000 1\n"), "pairs, line 1: rank '0b1000' is out of range: 0 to 7");
  EXPECT_EQ(refusal_of_text("0 1\n", "hypercube:0"), "pairs, line 1: rank '1' is out of range: 0 to 0");
  EXPECT_EQ(refusal_of_text("0 -1"), "pairs, line 1: rank '-1'" + whole);
  EXPECT_EQ(refusal_of_text("1.5 1"), "pairs, line 1: rank '1.5'" + whole);
  EXPECT_EQ(refusal_of_text("01 1"), "pairs, line 1: rank '01'" + whole);
  EXPECT_EQ(refusal_of_text("1,2 3"), "pairs, line 1: rank '1,2'" + whole);
  EXPECT_EQ(refusal_of_text("0b12 3"), "pairs, line 1: rank '0b12' is not a rank: decimal, or binary such as 0b1010");
  EXPECT_EQ(refusal_of_text("99999999999999999999 3"),
            "pairs, line 1: rank '99999999999999999999' is too large for 64 bits");
  EXPECT_EQ(refusal_of_text(std::string("0 \0\x1b", 4)),
            "pairs, line 1: rank '?"
            "?'" +
                whole);
  EXPECT_EQ(refusal_of_text("1 " + std::string(1'000'000, 'x')),
            "pairs, line 1: rank '" + std::string(66, 'x') + "..." + std::string(31, 'x') + "'" + whole);
}

TEST_F(RouteFile, IsRefusedIfItCannotBeRead) {
  const std::string names = "gather, scatter, complement, bit-reversal, rotate-half, shift-one, transpose";
  EXPECT_EQ(refusal(route_settings("complemnt")),
            "--pattern 'complemnt' is neither a file nor one of " + names + "; did you mean 'complement'?");
  EXPECT_EQ(refusal(route_settings(path("none"))), "--pattern 'none' is neither a file nor one of " + names);
  EXPECT_EQ(refusal(route_settings("")), "--pattern '' is neither a file nor one of " + names);
  EXPECT_EQ(refusal(route_settings(path(""))), "cannot read '': it is a directory");
  EXPECT_EQ(refusal(route_settings("/dev/null")),
            "cannot read '/dev/null': it is no regular file, and it has to be read several times");
}

}  // namespace
}  // namespace lockstep::route_file_test
