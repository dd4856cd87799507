// Files with one string a line: any bytes except the line feed.
#include "lockstep/algorithms/string_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "data_directory.hpp"

namespace lockstep::string_file_test {
namespace {

using StringFile = DataDirectory;

TEST_F(StringFile, HasAStringALine) {
  const std::string odd = std::string("nul \0 inside", 12);
  const std::string name = file("strings", "one\n\n two \r\n" + odd + "\n\xff\xfe\nlast");
  const std::vector<std::string> strings = read_strings(name);
  EXPECT_EQ(strings, (std::vector<std::string>{"one", "", " two \r", odd, "\xff\xfe", "last"}));
  EXPECT_EQ(scan_strings(name).count, 6U);
  EXPECT_EQ(scan_strings(name).bytes, 3U + 6 + 12 + 2 + 4);

  write_strings(path("copy"), strings);
  EXPECT_EQ(text_of(path("copy")), text_of(name) + "\n");
  EXPECT_EQ(read_strings(path("copy")), strings);
}

TEST_F(StringFile, MayHaveOneEmptyStringButNotNone) {
  EXPECT_EQ(read_strings(file("one", "\n")), std::vector<std::string>{""});
  EXPECT_EQ(refusal_of([&] { read_strings(file("none", "")); }), "none has no lines");
  EXPECT_EQ(refusal_of([&] { scan_strings(file("none", "")); }), "none has no lines");
  EXPECT_TRUE(read_strings(path("none"), {.may_be_empty = true}).empty());
  write_strings(path("copy"), {});
  EXPECT_EQ(text_of(path("copy")), "");
}

TEST_F(StringFile, IsRefusedWhereItCannotBeUsed) {
  EXPECT_EQ(refusal_of([&] { scan_strings(file("three", "1\n2\n3\n"), {.most = 2}); }), "three has more than 2 lines");
  EXPECT_EQ(scan_strings(path("three"), {.most = 3}).count, 3U);
  EXPECT_EQ(refusal_of([&] { read_strings(path("missing")); }), "cannot read 'missing': No such file or directory");
  EXPECT_EQ(refusal_of([&] { write_strings("-", {}); }),
            "cannot write '-': data goes to a file with a name, not to standard output");
}

}  // namespace
}  // namespace lockstep::string_file_test
