#include "host/number_text.hpp"

#include <gtest/gtest.h>

namespace lockstep::test::number_text_test {
namespace {

using cli::host::rough_duration;

TEST(RoughDuration, HasTheUnitThatReadsBest) {
  EXPECT_EQ(rough_duration(1), "1 s");
  EXPECT_EQ(rough_duration(12.4), "12 s");
  EXPECT_EQ(rough_duration(119), "119 s");
  EXPECT_EQ(rough_duration(120), "2 min");
  EXPECT_EQ(rough_duration(35.0 * 60), "35 min");
  EXPECT_EQ(rough_duration(8.0 * 3600), "8 h");
  EXPECT_EQ(rough_duration(14.0 * 86400), "14 days");
}

}  // namespace
}  // namespace lockstep::test::number_text_test
