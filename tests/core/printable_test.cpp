// How a message quotes foreign text: one line of printable characters, and not many.
#include "lockstep/core/printable.hpp"

#include <gtest/gtest.h>

#include <random>

namespace lockstep::printable_test {
namespace {

TEST(Printable, LeavesTextsAsTheyAre) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("hypercube:3 'x' \"y\" \\n"), "hypercube:3 'x' \"y\" \\n");
  EXPECT_EQ(printable("Zürich, 東京, 🙂"), "Zürich, 東京, 🙂");
  EXPECT_EQ(quoted(std::string_view("rh:3,2")), "'rh:3,2'");
}

TEST(Printable, ReplacesControlCharacters) {
  EXPECT_EQ(printable("a\nb\rc\td"), "a?b?c?d");
  EXPECT_EQ(printable("\033[31mred\x7f"), "?[31mred?");
  EXPECT_EQ(printable(std::string("nul\0nul", 7)), "nul?nul");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m\xc2\x85"),
            "?31m?")
      << "C1 controls: CSI and next line";
  EXPECT_EQ(printable("\xe2\x80\xa8|\xe2\x80\xa9|\xe2\x80\xae|\xe2\x81\xa6"), "?|?|?|?") << "U+2028, 2029, 202E, 2066";
  EXPECT_EQ(printable("\xe2\x80\x8e|\xe2\x80\x8f|\xd8\x9c"), "?|?|?") << "direction marks: U+200E, 200F, 061C";
  EXPECT_EQ(printable("\xc2\xa0\xe2\x80\xa7\xe2\x80\xaf"), "\xc2\xa0\xe2\x80\xa7\xe2\x80\xaf")
      << "their neighbours in Unicode";
}

TEST(Printable, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "??");
  EXPECT_EQ(printable("\x80"), "?") << "a continuation byte alone";
  EXPECT_EQ(printable("\xc3"), "?") << "the text ends within a character";
  EXPECT_EQ(printable("\xc3("), "?(");
  EXPECT_EQ(printable("\xc0\xaf"), "??") << "an overlong encoding";
  EXPECT_EQ(printable("\xe0\x80\x8a"), "???") << "a line feed in three bytes";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "half of a UTF-16 pair";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "past the last code point";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "????");
}

TEST(Printable, ShortensLongTextsInTheMiddle) {
  const std::string hundred = std::string(60, 'a') + std::string(40, 'z');
  EXPECT_EQ(printable(hundred), hundred);
  const std::string before(66, 'a');
  const std::string after(31, 'z');
  EXPECT_EQ(printable(before + std::string(100'000, 'm') + after), before + "..." + after);
  EXPECT_EQ(printable("abcdefghijk", 10), "abcdef...k");
  EXPECT_EQ(printable("äöüäöüäöüäö", 10), "äöüäöü...ö") << "characters count, not bytes";
  EXPECT_EQ(printable(std::string(1000, '\n'), 9), "??????...") << "the rest has no room";
}

TEST(Printable, OfAnyBytesIsPrintable) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    std::mt19937_64 random(seed);
    std::string text;
    for (std::uint64_t length = random() % 300; length > 0; --length) {
      // Half of the bytes begin or continue a UTF-8 character.
      const std::uint64_t byte = random() % 2 == 0   ? random()
                                 : random() % 2 == 0 ? 0x80 + random() % 64
                                                     : 0xc2 + random() % 51;
      text += static_cast<char>(byte);
    }
    const std::string shown = printable(text);
    EXPECT_EQ(printable(shown), shown) << "seed " << seed;
    EXPECT_LE(shown.size(), 4 * most_printed) << "seed " << seed;
    for (const char letter : shown) {
      EXPECT_FALSE((letter >= 0 && letter < ' ') || letter == 0x7f) << "seed " << seed;
    }
  }
}

TEST(Printable, CountsNouns) {
  EXPECT_EQ(counted(0, "word"), "0 words");
  EXPECT_EQ(counted(1, "word"), "1 word");
  EXPECT_EQ(counted(1'000'000, "start-up"), "1000000 start-ups");
}

}  // namespace
}  // namespace lockstep::printable_test
