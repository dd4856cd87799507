#include <gtest/gtest.h>

#include <sstream>

#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep {
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

TEST(Picture, SaysWhenItShowsASmallRelative) {
  EXPECT_EQ(picture("path:1000000"), "path:5, a small relative of path:1000000\n0 - 1 - 2 - 3 - 4\n");
  EXPECT_EQ(picture("mesh:9"), "mesh:9 is the same as path:9\n" + picture("path:9"));
  for (const std::string spec : {"hypercube:20", "rh:3,2", "ring:17", "complete:5", "torus:100x3", "mesh:2x2x2"}) {
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
  for (const std::string spec : {"hypercube:3", "rh:1,1", "ring:16", "path:16", "complete:4", "torus:8x12", "mesh:8x12",
                                 "hypercube:0", "rh:0,0", "ring:1", "complete:1", "torus:1x1"}) {
    SCOPED_TRACE(spec);
    std::istringstream lines(picture(spec));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U);
      EXPECT_TRUE(line.empty() || line.back() != ' ');
    }
  }
}

}  // namespace
}  // namespace lockstep
