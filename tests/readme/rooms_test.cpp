// The rooms of the modules are floors: no include runs up, and folder = namespace.
#include "rooms.hpp"

#include <gtest/gtest.h>

#include "documents.hpp"

namespace lockstep::test {
namespace {

using Lines = std::vector<std::string>;

const HousedModule algorithms{"algorithms", "lockstep/algorithms/", "lockstep"};

TEST(Rooms, OfTheAlgorithmsAreFloors) {
  const RoomTable table(section(contents("docs/architecture.md"), algorithms.folder));
  ASSERT_GT(table.rooms.size(), 30U);
  const Sources sources = sources_of(algorithms);
  ASSERT_GT(sources.size(), 300U);
  EXPECT_EQ(faults(algorithms, table, sources), Lines{});
}

/// A house of three rooms without a fault, and a change of one of its files.
class SmallHouse : public testing::Test {
 protected:
  const HousedModule module_{"algorithms", "lockstep/algorithms/", "lockstep"};
  const RoomTable table_{
      "| room | holds | headers |\n"
      "|---|---|---|\n"
      "| `data/` | words | `word.hpp` |\n"
      "| `plans/`: `tree`, `rounds` | schedules |\n"
      "\n"
      "Text about `nothing/`.\n"};
  Sources sources_{
      {"include/lockstep/algorithms/word.hpp", "namespace lockstep {\n}  // namespace lockstep\n"},
      {"include/lockstep/algorithms/leaf.hpp", "namespace lockstep::leaves {\n}  // namespace lockstep::leaves\n"},
      {"data/file.cpp", "#include \"lockstep/algorithms/word.hpp\"\n\nnamespace lockstep {\nnamespace {\n}\n"},
      {"plans/tree/leaf.cpp", "#include \"lockstep/algorithms/leaf.hpp\"\n\nnamespace lockstep::leaves {\n"},
      {"plans/tree/twig.hpp", "#include \"lockstep/core/rank.hpp\"\n\nnamespace lockstep::tree::twigs {\n"},
      {"plans/rounds/round.cpp", "#include \"plans/tree/twig.hpp\"\n\nnamespace lockstep {\nnamespace rounds {\n"},
  };

  std::vector<std::string> faults() { return lockstep::test::faults(module_, table_, sources_); }
};

TEST_F(SmallHouse, HasNoFault) {
  EXPECT_EQ(table_.rooms, (Lines{"data", "plans/tree", "plans/rounds"}));
  EXPECT_EQ(faults(), Lines{});
}

TEST_F(SmallHouse, RefusesAnArrowUp) {
  sources_["data/file.cpp"] += "#include \"plans/tree/twig.hpp\"\n";
  const std::string arrow =
      "algorithms: data/file.cpp includes \"plans/tree/twig.hpp\": data/ is below plans/tree/, and a room uses only "
      "rooms that stand before it in the table";
  EXPECT_EQ(faults(), (Lines{arrow}));
}

TEST_F(SmallHouse, RefusesAnArrowUpByAPublicHeader) {
  sources_["include/lockstep/algorithms/word.hpp"] += "#include \"lockstep/algorithms/leaf.hpp\"\n";
  EXPECT_EQ(faults(), (Lines{"algorithms: include/lockstep/algorithms/word.hpp includes "
                             "\"lockstep/algorithms/leaf.hpp\": data/ is below plans/tree/, and a room uses "
                             "only rooms that stand before it in the table"}));
}

TEST_F(SmallHouse, RefusesAForeignNamespace) {
  sources_["plans/tree/twig.hpp"] = "namespace lockstep {\n";
  sources_["plans/rounds/round.cpp"] = "namespace lockstep {\nnamespace {\n}  // namespace\nnamespace tree {\n";
  EXPECT_EQ(faults(), (Lines{"algorithms: plans/rounds/round.cpp opens namespace lockstep::tree: what is in "
                             "plans/rounds/ is in lockstep::rounds",
                             "algorithms: plans/tree/twig.hpp opens namespace lockstep: what is in plans/tree/ "
                             "is in lockstep::tree"}));
}

TEST_F(SmallHouse, RefusesFoldersThatTheTableLacksAndRoomsWithoutAFolder) {
  sources_.erase("plans/rounds/round.cpp");
  sources_["plans/paths/path.cpp"] = "namespace lockstep::paths {\n";
  sources_["include/lockstep/algorithms/fork.hpp"] = "";
  EXPECT_EQ(faults(), (Lines{"algorithms: plans/paths/ is in no row of the table of rooms",
                             "algorithms: plans/rounds/ is in the table of rooms and has no sources",
                             "algorithms: include/lockstep/algorithms/fork.hpp belongs to no room: give it to "
                             "one in the third column of the table of rooms"}));
}

}  // namespace
}  // namespace lockstep::test
