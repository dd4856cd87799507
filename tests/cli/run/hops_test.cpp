// Links that messages cross, and the busiest of them: collectives of the complete graph embedded in machines with
// links, against formulas, and against the routes that a recorded trace of the complete graph would take.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "command_line.hpp"

namespace lockstep::test::hops_test {
namespace {

using Json = nlohmann::json;

Json embedded(const std::string& host, std::uint64_t p, const std::string& algorithm, const std::string& further) {
  return run_json(host, algorithm, "--embed complete:" + std::to_string(p) + " --ports one " + further);
}

std::string ring(std::uint64_t p) { return "ring:" + std::to_string(p); }

/// Links between ranks that are d apart on a ring.
std::uint64_t way(std::uint64_t p, std::uint64_t d) { return std::min(d % p, p - d % p); }

/// The distance of the partners of Swing in step s: |1 - (-2)^(s+1)| / 3.
std::uint64_t swing_distance(std::uint64_t s) {
  const auto power = std::int64_t{1} << (s + 1);
  const std::int64_t sum = 1 - (s % 2 == 0 ? -power : power);
  return static_cast<std::uint64_t>(sum < 0 ? -sum : sum) / 3;
}

TEST(Hops, OfRecursiveDoublingOnARingAreThePairs) {
  // Partners are 1, 2, .., p/2 apart: p (1 + 2 + .. + p/2) = p (p - 1) links, of m words each time.
  for (const std::uint64_t p : {1U, 2U, 4U, 8U, 16U, 64U}) {
    const Json report = embedded(ring(p), p, "allreduce/recursive-doubling", "--words 5");
    const std::uint64_t q = static_cast<std::uint64_t>(std::bit_width(p)) - 1;
    EXPECT_EQ(report["counted"]["hops"], p * (p - 1)) << p;
    EXPECT_EQ(report["counted"]["messages"], p * (p - 1)) << p;
    EXPECT_EQ(report["counted"]["words"], 5 * p * (p - 1)) << p;
    EXPECT_EQ(report["carried"]["messages"], p * q) << p;
    EXPECT_EQ(report["carried"]["words"], 5 * p * q) << p;
    EXPECT_EQ(report["verified"], true) << p;
  }
}

TEST(Hops, OfSwingOnARingFollowItsDistances) {
  for (const std::uint64_t p : {2U, 4U, 8U, 16U, 32U, 64U}) {
    std::uint64_t hops = 0;
    for (std::uint64_t s = 0; std::uint64_t{1} << s < p; ++s) hops += 2 * p * way(p, swing_distance(s));
    const Json report = embedded(ring(p), p, "allreduce/swing", "--words " + std::to_string(p));
    EXPECT_EQ(report["counted"]["hops"], hops) << p;
    const std::map<std::uint64_t, std::uint64_t> words{{8, 144}, {16, 736}, {64, 17280}};  // word by word, m = p
    if (!words.contains(p)) continue;
    EXPECT_EQ(report["counted"]["words"], words.at(p)) << p;
  }
}

// d dimensions of side a: step s has the distance of a ring's step floor(s/d). Recursive doubling sends whole vectors
// over p d (a - 1) links, halving and doubling cross twice as many.
TEST(Hops, OfSwingOnATorusAreThoseOfItsRings) {
  for (const auto& [a, d] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{2, 1}, {2, 2}, {4, 2}, {8, 2}, {4, 3}, {16, 2}, {2, 4}}) {
    std::string sides = std::to_string(a);
    std::uint64_t p = a;
    for (std::uint64_t i = 1; i < d; ++i, p *= a) sides += "x" + std::to_string(a);
    std::uint64_t hops = 0;
    std::uint64_t word_hops = 0;            // where m = p
    std::uint64_t word_hops_of_halves = 0;  // at distances a/2, a/4, .. of one side after the other
    std::uint64_t words = p;
    std::uint64_t distance = 1;
    for (std::uint64_t s = 0; std::uint64_t{1} << s < p; ++s) {
      words /= 2;
      hops += 2 * p * way(a, swing_distance(s / d));
      word_hops += 2 * p * words * way(a, swing_distance(s / d));
      distance = distance == 1 ? a / 2 : distance / 2;
      word_hops_of_halves += 2 * p * words * distance;
    }
    const std::string torus = "torus:" + sides;
    const std::string length = "--words " + std::to_string(p);
    const auto counted = [&](const std::string& algorithm, const std::string& further) {
      return embedded(torus, p, algorithm, length + further)["counted"];
    };
    const Json swing = counted("allreduce/swing", " --sides " + sides);
    EXPECT_EQ(swing["hops"], hops) << torus;
    EXPECT_EQ(swing["words"], word_hops) << torus;
    const Json halving = counted("allreduce/rabenseifner", "");
    EXPECT_EQ(halving["hops"], 2 * p * d * (a - 1)) << torus;
    EXPECT_EQ(halving["words"], word_hops_of_halves) << torus;
    const Json doubling = counted("allreduce/recursive-doubling", "");
    EXPECT_EQ(doubling["hops"], p * d * (a - 1)) << torus;
    EXPECT_EQ(doubling["words"], p * p * d * (a - 1)) << torus;
    EXPECT_LE(hops, halving["hops"]) << torus;
    if (p > 2) {
      EXPECT_LT(word_hops, doubling["words"]) << torus;
    }
    if (a < 4) continue;
    EXPECT_LT(hops, halving["hops"]) << torus;
    EXPECT_LT(word_hops, halving["words"]) << torus;
    if (d == 1) continue;
    const Json one_ring = counted("allreduce/swing", "");
    EXPECT_LT(hops, one_ring["hops"]) << torus;
    EXPECT_LT(word_hops, one_ring["words"]) << torus;
  }
}

TEST(Hops, OfTheRingAndOfHalvingOnARing) {
  const std::map<std::uint64_t, std::uint64_t> of_ring{{8, 112}, {16, 480}, {64, 8064}};
  for (const auto& [p, words] : of_ring) {
    const std::string length = "--words " + std::to_string(p);
    const Json neighbours = embedded(ring(p), p, "allreduce/ring", length);
    EXPECT_EQ(neighbours["counted"]["words"], words) << p;
    EXPECT_EQ(neighbours["counted"]["hops"], 2 * p * (p - 1)) << p;
    EXPECT_EQ(neighbours["counted"]["busiest_link_words"], 2 * (p - 1)) << p;
    EXPECT_EQ(neighbours["counted"]["busiest_link_messages"], 2 * (p - 1)) << p;
    // Far partners first: at distance p/2^i messages of p/2^i words, i = 1 .. log2 p, and back.
    std::uint64_t halving = 0;
    for (std::uint64_t d = p / 2; d > 0; d /= 2) halving += 2 * p * d * d;
    const Json far = embedded(ring(p), p, "allreduce/rabenseifner", length);
    EXPECT_EQ(far["counted"]["words"], halving) << p;
    EXPECT_EQ(far["counted"]["hops"], 2 * p * (p - 1)) << p;
  }
}

TEST(Hops, OfBineAndTheBinomialTreeOnARing) {
  const std::map<std::uint64_t, std::uint64_t> bine{{8, 9}, {16, 23}, {32, 57}, {64, 135}, {128, 313}};
  for (const auto& [p, distances] : bine) {
    const std::uint64_t q = static_cast<std::uint64_t>(std::bit_width(p)) - 1;
    EXPECT_EQ(embedded(ring(p), p, "broadcast/bine", "--words 1")["counted"]["hops"], distances) << p;
    EXPECT_EQ(embedded(ring(p), p, "broadcast/k-nomial", "--words 1")["counted"]["hops"], q * p / 2) << p;
  }
}

/// A torus or a mesh: sides from the most significant.
struct Grid {
  std::string spec;
  std::vector<std::uint64_t> sides;
  bool wraps;

  std::uint64_t processors() const {
    std::uint64_t product = 1;
    for (const std::uint64_t side : sides) product *= side;
    return product;
  }
  std::vector<std::uint64_t> coordinates(std::uint64_t rank) const {
    std::vector<std::uint64_t> of(sides.size());
    for (std::size_t i = sides.size(); i-- > 0; rank /= sides[i]) of[i] = rank % sides[i];
    return of;
  }
  std::uint64_t rank(const std::vector<std::uint64_t>& of) const {
    std::uint64_t rank = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) rank = rank * sides[i] + of[i];
    return rank;
  }
  /// The first dimension first, in the shorter direction, up if both are equal.
  std::vector<std::uint64_t> route(std::uint64_t from, std::uint64_t to) const {
    std::vector<std::uint64_t> ranks{from};
    std::vector<std::uint64_t> at = coordinates(from);
    const std::vector<std::uint64_t> end = coordinates(to);
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const std::uint64_t side = sides[i];
      const bool goes_up = wraps ? 2 * ((end[i] + side - at[i]) % side) <= side : end[i] > at[i];
      while (at[i] != end[i]) {
        at[i] = (at[i] + (goes_up ? 1 : side - 1)) % side;
        ranks.push_back(rank(at));
      }
    }
    return ranks;
  }
};

TEST(Hops, AndTheBusiestLinkAreThoseOfTheRoutesOfATrace) {
  const std::vector<Grid> grids{{"ring:7", {7}, true},
                                {"ring:8", {8}, true},
                                {"path:6", {6}, false},
                                {"torus:4x4", {4, 4}, true},
                                {"torus:3x5", {3, 5}, true},
                                {"mesh:2x8", {2, 8}, false},
                                {"torus:2x4x2", {2, 4, 2}, true},
                                {"mesh:3x4", {3, 4}, false}};
  for (const Grid& grid : grids) {
    const std::uint64_t p = grid.processors();
    std::vector<std::string> methods{
        "allreduce/recursive-doubling", "allreduce/rabenseifner", "allreduce/circulant",
        "allgather/doubling",           "alltoall/pairwise",      "broadcast/scatter-allgather"};
    if (std::has_single_bit(p)) methods.insert(methods.end(), {"allreduce/swing", "broadcast/bine"});
    for (const std::string& method : methods) {
      const std::string words = " --words " + std::to_string(2 * p);
      const Finished traced = lockstep("trace --machine complete:" + std::to_string(p) + " --ports one --algorithm " +
                                       method + words + " --trace-json -");
      ASSERT_EQ(traced.exit_code, 0) << traced.err;
      std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>> links;
      std::uint64_t hops = 0;
      std::uint64_t word_hops = 0;
      const Json trace = Json::parse(traced.out);
      for (const Json& message : trace["transfers"]) {
        const auto route = grid.route(message["from"], message["to"]);
        const std::uint64_t length = message["words"];
        for (std::size_t i = 1; i < route.size(); ++i) {
          auto& [messages_there, words_there] = links[{route[i - 1], route[i]}];
          ++messages_there;
          words_there += length;
          ++hops;
          word_hops += length;
        }
      }
      std::uint64_t most_messages = 0;
      std::uint64_t most_words = 0;
      for (const auto& [link, there] : links) {
        most_messages = std::max(most_messages, there.first);
        most_words = std::max(most_words, there.second);
      }
      const Json report = embedded(grid.spec, p, method, words);
      const Json& counted = report["counted"];
      const std::string where = method + " on " + grid.spec;
      EXPECT_GT(hops, 0U) << where;
      EXPECT_EQ(counted["hops"], hops) << where;
      EXPECT_EQ(counted["words"], word_hops) << where;
      EXPECT_EQ(counted["busiest_link_words"], most_words) << where;
      EXPECT_EQ(counted["busiest_link_messages"], most_messages) << where;
      EXPECT_EQ(report["carried"]["messages"], trace["transfers"].size()) << where;
      EXPECT_EQ(report["verified"], true) << where;
    }
  }
}

// In the hypercube partners of recursive doubling are neighbours in any order: no message is forwarded.
TEST(Hops, OfRecursiveDoublingInACubeAreItsMessages) {
  for (const unsigned n : {1U, 3U, 5U}) {
    const std::uint64_t p = std::uint64_t{1} << n;
    const Json report = embedded("hypercube:" + std::to_string(n), p, "allreduce/recursive-doubling", "--words 3");
    EXPECT_EQ(report["counted"]["hops"], p * n);
    EXPECT_EQ(report["counted"]["steps"], n);
    EXPECT_EQ(report["counted"]["busiest_link_words"], 3);
    EXPECT_EQ(report["counted"]["busiest_link_messages"], 1);
  }
}

TEST(Hops, AreTheMessagesWhereNothingIsEmbedded) {
  const Json torus = run_json("torus:4x4", "allreduce/torus", "--words 16");
  EXPECT_EQ(torus["counted"]["hops"], 2 * 16 * 6);  // 2 p sum (a - 1)
  const Json medium = run_json("switch:8", "allreduce/swing", "--words 8");
  EXPECT_EQ(medium["counted"]["hops"], nullptr);
  EXPECT_EQ(medium["counted"]["busiest_link_words"], nullptr);
  EXPECT_EQ(medium["counted"]["busiest_link_messages"], nullptr);
}

TEST(Hops, AreShownOfAGuest) {
  const Finished run =
      lockstep("run --machine ring:8 --embed complete:8 --ports one --algorithm broadcast/bine --words 1");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("hops           9 links crossed by 7 messages, 1.286 each; over one link at most "),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("holds          complete:8: equal ranks"), std::string::npos) << run.out;
}

TEST(Hops, RankACollectiveOfTheCompleteGraphBesideTheMachinesOwn) {
  const std::string compare =
      "compare --operation allreduce --machine ring:16 --embed complete:16 --ports one --words 16";
  const Finished best = lockstep(compare + " --by hops --json");
  ASSERT_EQ(best.exit_code, 0) << best.err;
  const Json comparison = Json::parse(best.out);
  EXPECT_EQ(comparison["by"], "hops");
  std::map<std::string, Json> figures;
  std::uint64_t before = 0;
  for (const Json& row : comparison["rows"]) {
    const bool is_guest = row.contains("guest");
    EXPECT_EQ(is_guest ? row["guest"] : Json("complete:16"), "complete:16");
    figures[row["algorithm"].get<std::string>() + (is_guest ? " of complete" : "")] = row["figures"];
    EXPECT_GE(row["figures"]["hops"], before) << row;
    before = row["figures"]["hops"];
  }
  EXPECT_EQ(figures.at("allreduce/recursive-doubling of complete")["hops"], 16 * 15);
  EXPECT_EQ(figures.at("allreduce/swing of complete")["words"], 736);
  EXPECT_EQ(figures.at("allreduce/ring of complete")["busiest_link_words"], 30);
  EXPECT_EQ(figures.at("allreduce/ring")["busiest_link_words"], 30);
  EXPECT_EQ(figures.at("allreduce/ring")["hops"], 2 * 16 * 15);

  const Json busiest = Json::parse(lockstep(compare + " --by busiest-link --json").out);
  before = 0;
  for (const Json& row : busiest["rows"]) {
    EXPECT_GE(row["figures"]["busiest_link_words"], before) << row;
    before = row["figures"]["busiest_link_words"];
  }
  const Finished table = lockstep(compare + " --by busiest-link");
  EXPECT_NE(table.out.find("allreduce/swing on complete:16 "), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("busiest link"), std::string::npos) << table.out;
  const Finished plain = lockstep("compare --operation broadcast --machine ring:8 --words 8");
  EXPECT_EQ(plain.out.find("hops"), std::string::npos) << plain.out;
}

TEST(Hops, RefuseWhatMakesNoSense) {
  const std::string run = "run --algorithm allreduce/swing ";
  expect_refused(lockstep(run + "--machine ring:16 --embed complete:32"), {"ring:16 has 16 processors", "complete:32"});
  expect_refused(lockstep(run + "--machine bus:4 --embed complete:4"), {"nothing can be embedded in bus:4"});
  expect_refused(lockstep(run + "--machine torus:4x4 --embed binary-tree"), {"no embedding of binary-tree"});
  expect_refused(lockstep(run + "--machine torus:4x4 --embed complete:16 --ports one --duplex half-node"),
                 {"--duplex full"});
  expect_refused(lockstep(run + "--machine ring:8192 --embed complete:8192"), {"at most 4096 processors"});
  const std::string sides = run + "--machine torus:4x4 --embed complete:16 --ports one --sides ";
  expect_refused(lockstep(sides + "4x5"), {"--sides: 5 is no power of two"});
  expect_refused(lockstep(sides + "4x8"), {"--sides", "product", "16"});
  expect_refused(lockstep(sides + "4x"), {"--sides '' is not a whole number"});
  expect_refused(lockstep(sides + "4,4"), {"--sides '4,4' is not a whole number"});
  expect_refused(lockstep(sides + "0x16"), {"--sides '0' is out of range: 1 to"});
  expect_refused(lockstep("run --machine torus:4x4 --algorithm allreduce/torus --sides 4x4"), {"--sides"});
  const std::string compare = "compare --operation allreduce --machine ring:8 ";
  expect_refused(lockstep(compare + "--by busiest-link --predict"), {"--by busiest-link", "--predict"});
  expect_refused(lockstep("best --operation allreduce --machine ring:8 --words 1..9*3 --by busiest-link"),
                 {"--by busiest-link", "predict"});
}

}  // namespace
}  // namespace lockstep::test::hops_test
