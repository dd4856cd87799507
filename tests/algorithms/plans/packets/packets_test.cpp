// Splitting (saad-schultz-1985.md, Splitting), the counts of pipelines (saad-schultz-1985.md, Pipelines) and the search
// for the number of packets (saad-schultz-1985.md, Packet counts), against the formulas and brute force.
#include "lockstep/algorithms/packets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "built_machine.hpp"

namespace lockstep::packets_test {
namespace {

CostModel costs(double beta, double tau, std::uint64_t max_packet = 0) {
  CostModel cost;
  cost.beta = beta;
  cost.tau = tau;
  cost.max_packet_words = max_packet;
  return cost;
}

TEST(Split, GivesTheFirstPiecesOneWordMore) {
  const Split ten(10, 4);
  EXPECT_EQ(ten.size(0), 3U);
  EXPECT_EQ(ten.size(1), 3U);
  EXPECT_EQ(ten.size(2), 2U);
  EXPECT_EQ(ten.size(3), 2U);
  for (std::uint64_t words = 0; words <= 20; ++words) {
    for (std::uint64_t pieces = 1; pieces <= 9; ++pieces) {
      const Split split(words, pieces);
      std::uint64_t sum = 0;
      for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        EXPECT_EQ(split.first(piece), sum);
        EXPECT_EQ(split.size(piece), words / pieces + (piece < words % pieces ? 1 : 0));
        sum += split.size(piece);
      }
      EXPECT_EQ(split.first(pieces), words);
      EXPECT_EQ(sum, words);
      EXPECT_EQ(split.longest(), split.size(0));
      EXPECT_EQ(split.shortest(), split.size(pieces - 1));
    }
  }
}

TEST(Split, IsMadeForPartsAndAgainForTheirPackets) {
  const std::vector<Part> parts = split_in_parts(11, 3, 2);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].first, 0U);
  EXPECT_EQ(parts[1].first, 4U);
  EXPECT_EQ(parts[2].first, 8U);
  EXPECT_EQ(parts[2].packets.words(), 3U);
  EXPECT_EQ(parts[2].packets.size(0), 2U);
  EXPECT_EQ(parts[2].packets.size(1), 1U);
}

// Every packet of every pipeline, hop by hop.
StepCounts counted_by_hand(const std::vector<Pipeline>& pipelines, std::uint64_t max_packet) {
  std::vector<std::uint64_t> longest;
  for (const Pipeline& pipeline : pipelines) {
    for (std::uint64_t hop = 0; hop < pipeline.hops; ++hop) {
      for (std::uint64_t packet = 0; packet < pipeline.packets.pieces(); ++packet) {
        const std::uint64_t step = pipeline.start + hop + pipeline.interval * packet;
        if (step >= longest.size()) longest.resize(step + 1);
        longest[step] = std::max(longest[step], pipeline.packets.size(packet));
      }
    }
  }
  StepCounts counts{.steps = longest.size()};
  for (const std::uint64_t words : longest) {
    counts.longest_sum += words;
    counts.startups += words == 0 ? 0 : max_packet == 0 ? 1 : (words + max_packet - 1) / max_packet;
  }
  return counts;
}

TEST(CountSteps, IsTheFormulaForOnePipeline) {
  for (std::uint64_t hops = 1; hops <= 7; ++hops) {
    for (std::uint64_t words = 1; words <= 12; ++words) {
      for (std::uint64_t packets = 1; packets <= words; ++packets) {
        const Pipeline pipeline{hops, Split(words, packets)};
        const StepCounts counts = count_steps(pipeline, CostModel{});
        EXPECT_EQ(counts.steps, hops + packets - 1);
        EXPECT_EQ(counts.startups, counts.steps);
        EXPECT_EQ(counts.longest_sum, (hops - 1) * ((words + packets - 1) / packets) + words);
      }
    }
  }
  const Pipeline nowhere{0, Split(5, 2)};
  EXPECT_EQ(count_steps(nowhere, CostModel{}), (StepCounts{0, 0, 0}));
  EXPECT_EQ(count_steps({}, CostModel{}), (StepCounts{0, 0, 0}));
}

TEST(CountSteps, TakesTwoStepsAPacketWhereProcessorsTakeTurns) {
  for (std::uint64_t hops = 2; hops <= 7; ++hops) {
    for (std::uint64_t words = 1; words <= 12; ++words) {
      for (std::uint64_t packets = 1; packets <= words; ++packets) {
        const StepCounts counts = count_steps({hops, Split(words, packets), 0, 2}, CostModel{});
        EXPECT_EQ(counts.steps, hops + 2 * (packets - 1));
        EXPECT_EQ(counts.startups, counts.steps);
        EXPECT_EQ(counts.longest_sum, (hops - 2) * ((words + packets - 1) / packets) + 2 * words);
      }
    }
  }
  Model model;
  EXPECT_EQ(packet_interval(model, 5), 1U);
  model.duplex = Duplex::half_link;
  EXPECT_EQ(packet_interval(model, 5), 1U);
  EXPECT_EQ(packet_interval(model, 5, true), 2U);
  model.duplex = Duplex::half_node;
  EXPECT_EQ(packet_interval(model, 5), 2U);
  EXPECT_EQ(packet_interval(model, 2), 2U);
  EXPECT_EQ(packet_interval(model, 1), 1U);
  EXPECT_EQ(packet_interval(model, 0), 1U);
}

TEST(CountSteps, FollowsEveryPacketOfSeveralPipelines) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Pipeline> pipelines;
    for (std::uint64_t count = 1 + random() % 4; count > 0; --count) {
      const std::uint64_t packets = 1 + random() % 6;
      const std::uint64_t hops = random() % 6;
      const std::uint64_t interval = hops > 1 ? 1 + random() % 2 : 1;
      pipelines.push_back({hops, Split(packets + random() % 12, packets), random() % 5, interval});
    }
    const std::uint64_t max_packet = random() % 4;
    EXPECT_EQ(count_steps(pipelines, costs(1, 1, max_packet)), counted_by_hand(pipelines, max_packet)) << trial;
  }
}

TEST(CountSteps, TakesNoLongerForHugePipelines) {
  const Pipeline pipeline{most_words, Split(most_words, most_words)};
  const StepCounts counts = count_steps(pipeline, CostModel{});
  EXPECT_EQ(counts.steps, 2 * most_words - 1);
  EXPECT_EQ(counts.longest_sum, 2 * most_words - 1);
}

TEST(Candidates, AreAllNumbersNearAQuotientOrAGivenNumber) {
  for (std::uint64_t words = 1; words <= 60; ++words) {
    for (const std::uint64_t reach : {0U, 1U, 2U, 5U}) {
      for (const std::uint64_t most : {std::uint64_t{1}, words / 2 + 1, words, words + 3}) {
        std::vector<std::uint64_t> expected;
        const auto is_near = [reach](std::uint64_t a, std::uint64_t b) { return a <= b + reach && b <= a + reach; };
        for (std::uint64_t number = 1; number <= most; ++number) {
          bool near = is_near(number, 7);
          for (std::uint64_t z = 1; z <= words; ++z) near = near || is_near(number, words / z);
          if (near) expected.push_back(number);
        }
        EXPECT_EQ(candidates({.words = {words}, .packets = {7}, .reach = reach}, most), expected)
            << words << " words, reach " << reach << ", at most " << most;
      }
    }
  }
  const std::vector<std::uint64_t> all = candidates({.words = {most_words}}, most_words);
  EXPECT_LT(all.size(), 200000U);
  EXPECT_EQ(all.front(), 1U);
  EXPECT_EQ(all.back(), most_words);
}

TEST(Cheapest, IsTheFirstOfTheLeastButForRounding) {
  const std::vector<std::uint64_t> in_order{5, 2, 9};
  const auto cheapest_of = [&](double five, double two, double nine) {
    return cheapest(in_order, [&](std::uint64_t number) { return number == 5 ? five : number == 2 ? two : nine; });
  };
  EXPECT_EQ(cheapest_of(3, 2, 1), 9U);
  EXPECT_EQ(cheapest_of(3, 1, 1), 2U);
  EXPECT_EQ(cheapest_of(0, 0, 0), 5U);
  EXPECT_EQ(cheapest_of(0.1 + 0.2, 0.3, 1), 5U);  // the sum is 0.30000000000000004
  EXPECT_EQ(cheapest_of(1.000001, 1, 1), 2U);
}

/// The cheapest number of packets for one pipeline.
std::uint64_t for_pipeline(std::uint64_t hops, std::uint64_t words, const CostModel& cost) {
  return cheapest({.words = {words}}, words, [&](std::uint64_t packets) {
    return count_steps({hops, Split(words, packets)}, cost).time(cost);
  });
}

// T(nu) = sum of the start-ups and words of L - 1 longest packets and of all packets.
double exact_time(std::uint64_t hops, std::uint64_t words, std::uint64_t packets, const CostModel& cost) {
  const auto startups = [&](std::uint64_t size) {
    const std::uint64_t most = cost.max_packet_words;
    return most == 0 ? 1 : std::max<std::uint64_t>(1, (size + most - 1) / most);
  };
  const std::uint64_t shorter = words / packets;
  const std::uint64_t longest = (words + packets - 1) / packets;
  const std::uint64_t longer = words % packets;
  const std::uint64_t all_startups =
      (hops - 1) * startups(longest) + longer * startups(longest) + (packets - longer) * startups(shorter);
  return static_cast<double>(all_startups) * cost.beta + static_cast<double>((hops - 1) * longest + words) * cost.tau;
}

TEST(Cheapest, IsTheBestOfAllNumbersOfPacketsForAPipeline) {
  for (const auto& [beta, tau] : {std::pair(1.0, 1.0), std::pair(3.0, 0.5), std::pair(0.25, 4.0), std::pair(64.0, 1.0),
                                  std::pair(0.0, 1.0), std::pair(1.0, 0.0), std::pair(0.0, 0.0)}) {
    for (const std::uint64_t max_packet : {0U, 1U, 3U, 17U}) {
      const CostModel cost = costs(beta, tau, max_packet);
      for (std::uint64_t hops = 1; hops <= 9; ++hops) {
        for (std::uint64_t words = 1; words <= 80; ++words) {
          std::uint64_t best = 1;
          for (std::uint64_t packets = 2; packets <= words; ++packets) {
            if (exact_time(hops, words, packets, cost) < exact_time(hops, words, best, cost)) best = packets;
          }
          EXPECT_EQ(for_pipeline(hops, words, cost), best) << hops << " hops, " << words << " words, beta " << beta
                                                           << ", tau " << tau << ", packets of " << max_packet;
        }
      }
    }
  }
}

TEST(Cheapest, IsWhatTheFormulaNames) {
  EXPECT_EQ(for_pipeline(1, 100, costs(1, 1)), 1U);   // "L = 1 means nu = 1"
  EXPECT_EQ(for_pipeline(0, 100, costs(1, 1)), 1U);   // no hop
  EXPECT_EQ(for_pipeline(5, 100, costs(1, 1)), 20U);  // nu_opt = 20 divides 100
  EXPECT_EQ(for_pipeline(5, 100, costs(4, 1)), 10U);
  EXPECT_EQ(for_pipeline(5, 100, costs(0, 1)), 100U);  // start-ups cost nothing: as many packets as words
  EXPECT_EQ(for_pipeline(1, 100, costs(0, 1)), 1U);
  EXPECT_EQ(for_pipeline(5, 100, costs(1, 0)), 1U);  // words cost nothing
  EXPECT_EQ(for_pipeline(5, 100, costs(0, 0)), 1U);  // nothing costs anything
  EXPECT_EQ(for_pipeline(100, 7, costs(1, 1)), 7U);  // nu_opt = 26.3 exceeds the words
  EXPECT_EQ(for_pipeline(5, 1, costs(1, 9)), 1U);
  // nu_opt = 1.41: T(1) = 2 + 4 and T(2) = 3 + 3 are equal, so the smaller number.
  EXPECT_EQ(for_pipeline(2, 2, costs(1, 1)), 1U);
  EXPECT_EQ(for_pipeline(2, 2, costs(0.99, 1)), 2U);
  // The value (sqrt(N tau) + sqrt((L-1) beta))^2 is reached where nu_opt is whole and divides N.
  EXPECT_DOUBLE_EQ(exact_time(5, 100, 20, costs(1, 1)), std::pow(std::sqrt(100.0) + std::sqrt(4.0), 2));
  EXPECT_EQ(for_pipeline(std::uint64_t{1} << 31, most_words, costs(1e-9, 1e9)), most_words);
  EXPECT_EQ(for_pipeline(11, std::uint64_t{1} << 31, costs(20, 1)), std::uint64_t{1} << 15);  // sqrt(10 2^31 / 20)
  EXPECT_EQ(for_pipeline(11, std::uint64_t{1} << 31, costs(1e9, 1, 256)), std::uint64_t{1} << 23);  // of 256 words
}

constexpr PacketsWordsParameter words_in_packets{{"words", "", ""}};
constexpr PacketsParameter packets_parameter{""};

std::string refused(Settings settings, std::uint64_t parts) {
  try {
    words_in_packets.resolve(settings, parts);
    packets_parameter.resolve(settings, parts, [](std::uint64_t) { return 1.0; });
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ResolvePackets, AsksForAWordAPacket) {
  const auto with = [](std::optional<std::uint64_t> words, std::optional<std::uint64_t> packets) {
    Settings settings;
    settings.words = words;
    settings.packets = packets;
    return settings;
  };
  EXPECT_EQ(refused(with(4, 4), 1), "");
  EXPECT_EQ(refused(with({}, 4), 3), "");
  EXPECT_EQ(refused(with({}, {}), 3), "");
  EXPECT_EQ(refused(with(1, 2), 1),
            "--packets 2 is out of range: 1 to 1, as every packet has at least one of the 1 word");
  EXPECT_EQ(refused(with(10, 3), 4),
            "--packets 3 is out of range: 1 to 2, as every packet of 4 parts has at least one of the 10 words");
  EXPECT_EQ(refused(with(3, {}), 4), "--words 3 is out of range: 4 to 2147483648");
  EXPECT_EQ(refused(with({}, 0), 1), "--packets 0 is out of range: 1 to 2147483648");
  EXPECT_EQ(refused(with({}, most_words), 2), "--packets 2147483648 is out of range: 1 to 1073741824");

  Settings settings = with({}, 5);
  words_in_packets.resolve(settings, 3);
  EXPECT_EQ(settings.words, 15U);
  Settings defaults;
  words_in_packets.resolve(defaults, 3);
  packets_parameter.resolve(defaults, 3, [](std::uint64_t packets) { return 1 / static_cast<double>(packets); });
  EXPECT_EQ(defaults.words, 3U);
  EXPECT_EQ(defaults.packets, 1U);
  Settings many = with(35, {});
  packets_parameter.resolve(many, 3, [](std::uint64_t packets) { return 1 / static_cast<double>(packets); });
  EXPECT_EQ(many.packets, 11U);
  packets_parameter.resolve(many = with(35, {}), 3, {.words = {}, .packets = {4}, .reach = 1},
                            [](std::uint64_t packets) { return 1 / static_cast<double>(packets); });
  EXPECT_EQ(many.packets, 5U);
}

}  // namespace
}  // namespace lockstep::packets_test
