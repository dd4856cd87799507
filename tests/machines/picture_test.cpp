#include <gtest/gtest.h>

#include <sstream>

#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::picture_test {
namespace {

std::string picture(const std::string& spec) { return facts(parse_machine(spec)).picture; }

TEST(Picture, ShowsSmallMachines) {
  EXPECT_EQ(picture("ring:5"),
            "ring:5\n"
            "0 - 1 - 2 - 3 - 4\n"
            "|               |\n"
            "+---------------+\n");
  EXPECT_EQ(picture("ring:2"), "ring:2\n0 - 1\n");
  EXPECT_EQ(picture("path:3"), "path:3\n0 - 1 - 2\n");
  EXPECT_EQ(picture("mesh:2x3"),
            "mesh:2x3\n"
            "0 -- 1 -- 2\n"
            "|    |    |\n"
            "3 -- 4 -- 5\n");
  EXPECT_EQ(picture("torus:2x3"),
            "torus:2x3\n"
            "-- 0 -- 1 -- 2 --\n"
            "   |    |    |\n"
            "-- 3 -- 4 -- 5 --\n"
            "(a line that leaves the picture comes back on the other side)\n");
  EXPECT_EQ(picture("torus:3x2"),
            "torus:3x2\n"
            "|    |\n"
            "0 -- 1\n"
            "|    |\n"
            "2 -- 3\n"
            "|    |\n"
            "4 -- 5\n"
            "|    |\n"
            "(a line that leaves the picture comes back on the other side)\n");
}

TEST(Picture, ShowsSmallCubeLikeAndCayleyGraphs) {
  EXPECT_EQ(picture("shuffle-exchange:1"), "shuffle-exchange:1\n0 --- 1\n");
  EXPECT_EQ(picture("shuffle-exchange:2"),
            "shuffle-exchange:2\n"
            "0 --- 1 ... 2 --- 3\n"
            "--- exchange, ... shuffle\n");
  EXPECT_EQ(picture("star:2"), "star:2\n0 --- 1      01 --- 10\n");
  EXPECT_EQ(picture("pancake:3"),
            "pancake:3\n"
            "0 --- 2 --- 4      012 --- 102 --- 201\n"
            "|           |       |               |\n"
            "5 --- 3 --- 1      210 --- 120 --- 021\n");
}

TEST(Picture, ShowsCirculantsAsATable) {
  EXPECT_EQ(picture("circulant:6,3,1"),
            "circulant:6,3,1\n"
            "0: 3 1 5\n"
            "1: 4 2 0\n"
            "2: 5 3 1\n"
            "3: 0 4 2\n"
            "4: 1 5 3\n"
            "5: 2 0 4\n"
            "behind every rank its neighbours in the order of their ports\n");
  const std::string large = picture("circulant:100,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
  EXPECT_NE(large.find("\n 0:  1 99  2 98 "), std::string::npos);
  EXPECT_NE(large.find(" ..\n11: "), std::string::npos);
  EXPECT_NE(large.find("\n..\nbehind every rank"), std::string::npos);
}

TEST(Picture, SaysWhenItShowsASmallRelative) {
  EXPECT_EQ(picture("path:1000000"), "path:5, a small relative of path:1000000\n0 - 1 - 2 - 3 - 4\n");
  EXPECT_EQ(picture("mesh:9"), "mesh:9 is the same as path:9\n" + picture("path:9"));
  for (const std::string spec : {"hypercube:20", "rh:3,2", "ring:17", "complete:5", "torus:100x3", "mesh:2x2x2",
                                 "ccc:4", "shuffle-exchange:4", "star:4", "pancake:10"}) {
    EXPECT_NE(picture(spec).find(", a small relative of " + spec + "\n"), std::string::npos) << spec;
  }
}

TEST(Picture, DrawsEveryFactorOnce) {
  EXPECT_EQ(picture("product:path:2*ring:3*path:2"),
            "product:path:2*ring:3*path:2: a link changes one coordinate, by a link of that factor\n"
            "\n"
            "path:2\n"
            "0 - 1\n"
            "\n"
            "ring:3\n"
            "0 - 1 - 2\n"
            "|       |\n"
            "+-------+\n");
}

TEST(Picture, FitsATerminal) {
  for (const std::string spec :
       {"hypercube:3", "rh:1,1", "ring:16", "path:16", "complete:4", "torus:8x12", "mesh:8x12", "hypercube:0", "rh:0,0",
        "ring:1", "complete:1", "torus:1x1", "ccc:3", "shuffle-exchange:3", "star:3", "pancake:2",
        "circulant:4294967294,1,2,3,4,5,6,7,8,9"}) {
    SCOPED_TRACE(spec);
    std::istringstream lines(picture(spec));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U);
      EXPECT_TRUE(line.empty() || line.back() != ' ');
    }
  }
}

}  // namespace
}  // namespace lockstep::picture_test
