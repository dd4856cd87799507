// What the digest of a run depends on. That it is the same on all executors is tested with the reference model.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "lockstep/core/report.hpp"

namespace lockstep::digest_test {
namespace {

TEST(Digest, ChangesWithEveryCountAndTime) {
  Report report;
  report.phases.resize(1);
  const std::uint64_t before = report.digest();
  const std::vector<std::uint64_t*> counts{&report.cycles,          &report.steps,
                                           &report.messages,        &report.sends,
                                           &report.words,           &report.longest_sum,
                                           &report.startups,        &report.busiest_link_words,
                                           &report.peak_words_held, &report.copied_words,
                                           &report.phases[0].steps, &report.phases[0].messages,
                                           &report.phases[0].words, &report.phases[0].longest_sum};
  std::vector<std::uint64_t> digests{before};
  for (std::uint64_t* count : counts) {
    ++*count;
    digests.push_back(report.digest());
    --*count;
  }
  for (double* time : {&report.time_synchronous, &report.time_asynchronous}) {
    *time = 1.5;
    digests.push_back(report.digest());
    *time = 0;
  }
  report.phases[0].name.push_back('x');
  digests.push_back(report.digest());
  report.phases[0].name.clear();
  EXPECT_EQ(report.digest(), before);
  // Measured times and records made only on request do not count.
  report.setup_seconds = 1;
  report.run_seconds = 2;
  report.per_cycle.resize(3);
  EXPECT_EQ(report.digest(), before);
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

// Fields that few runs have count only where they are set, so that digests recorded before they existed stay valid.
TEST(Digest, ChangesWithWhatFewRunsHave) {
  const Report none;
  Report lost;
  lost.lost = {0};
  Report another_lost;
  another_lost.lost = {1};
  Report scanned;
  scanned.scanned_blocks = 1;
  Report computed;
  computed.operations = 1;
  Report computed_longer = computed;
  computed_longer.time_arithmetic = 2;
  std::vector<std::uint64_t> digests{none.digest(),    lost.digest(),     another_lost.digest(),
                                     scanned.digest(), computed.digest(), computed_longer.digest()};
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

TEST(Digest, DependsOnTheOrderAndIsWrittenInSixteenDigits) {
  Digest one;
  one.add(Word{1});
  one.add(Word{2});
  Digest other;
  other.add(Word{2});
  other.add(Word{1});
  EXPECT_NE(one.value(), other.value());
  EXPECT_EQ(one.text().size(), 16U);
  EXPECT_EQ(one.text().find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(std::stoull(one.text(), nullptr, 16), one.value());
}

}  // namespace
}  // namespace lockstep::digest_test
