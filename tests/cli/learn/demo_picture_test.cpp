// Drawings of machines with the messages that move.
#include "learn/demo_picture.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "host/terminal.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::test::demo_picture_test {
namespace {

using cli::learn::machine_picture;
using cli::learn::PictureLink;
using Links = std::vector<PictureLink>;
using Labels = std::vector<std::string>;

std::string picture(const std::string& machine, const Links& active = {}, std::size_t width = 80,
                    const Labels& labels = {}) {
  return "\n" + machine_picture(parse_machine(machine), active, labels, width);
}

TEST(MachinePicture, PathsFold) {
  EXPECT_EQ(picture("path:12", {{3, 4}, {7, 8}, {8, 7}}, 40), R"(
0 ──── 1 ──── 2 ──── 3 ━━━▶ 4 ──── 5
                                   │
11 ─── 10 ─── 9 ──── 8 ◀━━▶ 7 ──── 6
)");
}

TEST(MachinePicture, RingsAreLoops) {
  EXPECT_EQ(picture("ring:5", {{2, 3}, {4, 0}}), R"(
0 ─── 1 ─── 2
▲           ┃
4 ─── 3 ◀━━━┛
)");
}

TEST(MachinePicture, GridsAreGrids) {
  EXPECT_EQ(picture("mesh:2x3", {{0, 1}, {1, 4}, {4, 1}}), R"(
0 ━━▶ 1 ─── 2
│     ↕     │
3 ─── 4 ─── 5
)");
}

TEST(MachinePicture, ToriLeaveThePicture) {
  EXPECT_EQ(picture("torus:4x3", {{0, 2}, {0, 3}, {9, 0}}), R"(
   ▼      │      │
◀━ 0 ──── 1 ──── 2 ◀━━
   ▼      │      │
── 3 ──── 4 ──── 5 ───
   │      │      │
── 6 ──── 7 ──── 8 ───
   │      │      │
── 9 ──── 10 ─── 11 ──
   ▼      │      │
)");
}

TEST(MachinePicture, TheCubeOfThreeDimensionsIsSkewed) {
  EXPECT_EQ(picture("hypercube:3", {{0, 4}, {2, 3}, {3, 2}, {0, 1}, {5, 7}, {4, 6}, {6, 4}}), R"(
   6 ─────── 7
  ↗│        ↗│
 ↙ │       ↗ │
4 ─────── 5  │
▲  │      │  │
┃  2 ◀━━━━━▶ 3
┃ ╱       │ ╱
┃╱        │╱
0 ━━━━━━▶ 1
)");
}

TEST(MachinePicture, TheCubeOfThreeDimensionsHasRoomForLabels) {
  EXPECT_EQ(picture("hypercube:3", {}, 80, {"●10", "●11", "●12", "●13", "●14", "●15", "●16", "●17"}), R"(
    ●16 ────── ●17
    ╱│         ╱│
   ╱ │        ╱ │
  ╱  │       ╱  │
●14 ────── ●15  │
 │   │      │   │
 │  ●12 ────│─ ●13
 │  ╱       │  ╱
 │ ╱        │ ╱
 │╱         │╱
●10 ────── ●11
)");
}

TEST(MachinePicture, TheCubeOfFourDimensionsIsAGrid) {
  EXPECT_EQ(picture("hypercube:4", {{0, 8}, {1, 3}, {3, 1}, {2, 0}, {15, 14}, {12, 4}}), R"(
   ▲      │      │      │
━▶ 0 ──── 1 ◀━━▶ 3 ──── 2 ━━▶
   │      │      │      │
── 4 ──── 5 ──── 7 ──── 6 ───
   ▲      │      │      │
── 12 ─── 13 ─── 15 ━━▶ 14 ──
   │      │      │      │
── 8 ──── 9 ──── 11 ─── 10 ──
   ▲      │      │      │
)");
}

TEST(MachinePicture, BuildingBlocksAreSquares) {
  EXPECT_EQ(picture("rh:2,1", {{2, 10}, {0, 4}, {3, 7}, {11, 3}}), R"(
┏━ 2 ── 0 ━━━▶ 4 ── 6 ──┐
┃  │    │      │    │   │
┃  3 ── 1 ──── 5 ── 7   │
┃  ▲                │   │
┃  11 ─ 9 ──── 13 ─ 15  │
┃  │    │      │    │   │
┗▶ 10 ─ 8 ──── 12 ─ 14 ─┘
)");
}

TEST(MachinePicture, SixteenBuildingBlocks) {
  EXPECT_EQ(picture("rh:2,2", {{0, 4}, {3, 35}, {2, 18}, {19, 51}, {33, 41}}), R"(
  ▲                          │  │                          │
──┃─ 1 ── 0 ━━━━━━▶ 4 ── 5 ──│──│─ 13 ─ 12 ────── 8 ── 9 ──│──
  ┃  │    │         │    │   │  │  │    │         │    │   │
  ┗━ 3 ── 2         6 ── 7 ──┘  └─ 15 ─ 14        10 ─ 11 ─┘
          ▼         │                   │         │
  ┏━ 19 ─ 18        22 ─ 23 ─┐  ┌─ 31 ─ 30        26 ─ 27 ─┐
  ┃  │    │         │    │   │  │  │    │         │    │   │
──┃─ 17 ─ 16 ────── 20 ─ 21 ─│──│─ 29 ─ 28 ────── 24 ─ 25 ─│──
  ┃                          │  │                          │
──┃─ 49 ─ 48 ────── 52 ─ 53 ────── 61 ─ 60 ────── 56 ─ 57 ────
  ┃  │    │         │    │   │  │  │    │         │    │   │
  ┗▶ 51 ─ 50        54 ─ 55 ─┘  └─ 63 ─ 62        58 ─ 59 ─┘
          │         │                   │         │
  ┏▶ 35 ─ 34        38 ─ 39 ─┐  ┌─ 47 ─ 46        42 ─ 43 ─┐
  ┃  │    │         │    │   │  │  │    │         │    │   │
◀━━━ 33 ─ 32 ────── 36 ─ 37 ────── 45 ─ 44 ────── 40 ─ 41 ◀━━━
  ┃                          │  │                          │
)");
}

TEST(MachinePicture, CompleteGraphsOfFour) {
  EXPECT_EQ(picture("complete:4", {{0, 3}, {1, 2}, {2, 1}, {1, 3}}), R"(
0 ─── 1
│↘   ↗┃
│ ↘ ↗ ┃
│  ↗  ┃
│ ↙ ↘ ┃
│↙   ↘▼
2 ─── 3
)");
}

TEST(MachinePicture, TwoLinksEachAreALoop) {
  EXPECT_EQ(picture("star:3", {{0, 2}, {1, 3}, {3, 1}}), R"(
0 ━━▶ 2 ─── 4
│           │
5 ─── 3 ◀━▶ 1
)");
}

TEST(MachinePicture, OthersArePlaces) {
  EXPECT_EQ(picture("circulant:6,1,3", {{0, 3}}), R"(
     0
5         1

4         2
     3
)");
}

TEST(MachinePicture, ABusIsALine) {
  EXPECT_EQ(picture("bus:6", {{2, 0}, {2, 4}}), R"(
  0     1     2     3     4     5
  ▲     │     ▼     │     ▲     │
══━━━━━━━━━━━━━━━━━━━━━━━━━════════
)");
}

TEST(MachinePicture, ASwitchSaysWhatPasses) {
  EXPECT_EQ(picture("switch:4", {{0, 1}, {1, 2}, {2, 0}}), R"(
  0     1     2     3
  ↕     ↕     ↕     │
┌─────────────────────┐
│    0→1  1→2  2→0    │
└─────────────────────┘
)");
}

TEST(MachinePicture, AMemoryIsABox) {
  EXPECT_EQ(picture("shared:12,kstar=4", {{0, memory_rank}, {memory_rank, 3}, {memory_rank, 7}}, 40), R"(
  0    1    2    3    4    5
  ▼    │    │    ▲    │    │
┌─────────────────────────────┐
│           memory            │
└─────────────────────────────┘
  │    ▼    │    │    │    │
  6    7    8    9    10   11
)");
}

// A message over any link, in either direction or both, is visible.
TEST(MachinePicture, ShowsEveryLink) {
  for (const char* text : {"path:2",      "path:9",      "ring:3",     "ring:8",      "mesh:3x3",
                           "torus:3x3",   "torus:4x3",   "torus:2x4",  "hypercube:1", "hypercube:2",
                           "hypercube:3", "hypercube:4", "rh:1,1",     "rh:2,0",      "rh:2,1",
                           "rh:2,2",      "complete:3",  "complete:4", "star:3",      "product:ring:4*path:3"}) {
    const MachineSpec spec = parse_machine(text);
    const Wiring wiring = lockstep::wiring(spec);
    for (Rank rank = 0; rank < spec.processors; ++rank) {
      for (Port port = 0; port < spec.ports; ++port) {
        const End there = wiring(rank, port);
        if (!there) continue;
        const PictureLink on{rank, there.rank};
        const PictureLink back{there.rank, rank};
        const std::string sent = picture(text, {on});
        EXPECT_NE(sent, picture(text)) << text << " " << rank << " " << there.rank;
        EXPECT_NE(sent, picture(text, {back})) << text << " " << rank << " " << there.rank;
        EXPECT_NE(sent, picture(text, {on, back})) << text << " " << rank << " " << there.rank;
      }
    }
  }
}

TEST(MachinePicture, FitsOrIsEmpty) {
  for (const char* text :
       {"path:40", "ring:5", "ring:20", "mesh:5x5", "torus:4x3", "hypercube:3", "hypercube:4", "hypercube:5", "rh:2,1",
        "rh:2,2", "rh:3,1", "ccc:3", "star:4", "complete:9", "bus:12", "switch:30", "omega:8", "shared:16,kstar=2"}) {
    const MachineSpec spec = parse_machine(text);
    for (const std::size_t width : {20, 40, 80, 120}) {
      std::istringstream lines(machine_picture(spec, Links{{0, 1}, {1, 0}}, {}, width));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(cli::host::columns(line), width) << text << "\n" << line;
    }
    EXPECT_NE(machine_picture(spec, {}, {}, 120), "") << text;
  }
  EXPECT_EQ(machine_picture(parse_machine("hypercube:4"), {}, {}, 20), "");
  EXPECT_EQ(machine_picture(parse_machine("hypercube:20"), {}, {}, 80), "");
}

}  // namespace
}  // namespace lockstep::test::demo_picture_test
