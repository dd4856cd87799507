// The rooms of the command: an include names the same room or a lower one, and CLI11 stays in flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "documents.hpp"

namespace lockstep::test {
namespace {

namespace fs = std::filesystem;

/// The rooms that each room may include, besides itself and the rooms that those may include.
const std::map<std::string, std::set<std::string>> rooms_below{
    {"host", {}},
    {"processes", {"host"}},
    {"flags", {"host"}},
    {"run", {"flags"}},
    {"report", {"run"}},
    {"texts", {"run"}},
    {"machine", {"report"}},
    {"search", {"report"}},
    {"compare", {"report"}},
    {"study", {"report", "texts"}},
    {"reproduce", {"report", "texts"}},
    {"trace", {"report", "texts"}},
    {"judge", {"compare", "machine"}},
    {"learn", {"machine", "reproduce", "trace"}},
    {"shell", {"compare", "judge", "learn", "search", "study"}},
};

/// Whether one room may include another.
bool may_include(const std::string& room, const std::string& other) {
  if (room == other) return true;
  const std::set<std::string>& below = rooms_below.at(room);
  return std::any_of(below.begin(), below.end(), [&](const std::string& each) { return may_include(each, other); });
}

/// "texts" for "texts/pseudo_code/sort.cpp"; the folder itself where it is not a room.
std::string room_of(const fs::path& file) { return file.begin()->string(); }

/// An include of a source.
struct Include {
  fs::path file;  ///< below cli/
  std::string name;
};

/// Every include in the sources of the command.
std::vector<Include> includes() {
  const fs::path command = fs::path(LOCKSTEP_SOURCE_DIRECTORY) / "cli";
  const std::regex line("#include [<\"]([^>\"]+)[>\"]");
  std::vector<Include> all;
  for (const auto& entry : fs::recursive_directory_iterator(command)) {
    const std::string extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    const fs::path file = entry.path().lexically_relative(command);
    const std::string text = contents("cli" / file);
    for (std::sregex_iterator match(text.begin(), text.end(), line); match != std::sregex_iterator(); ++match) {
      all.push_back({file, (*match)[1].str()});
    }
  }
  return all;
}

TEST(CommandRooms, IncludeOnlyRoomsBelow) {
  const fs::path command = fs::path(LOCKSTEP_SOURCE_DIRECTORY) / "cli";
  std::size_t between_rooms = 0;
  for (const auto& [file, name] : includes()) {
    const std::string room = room_of(file);
    if (!rooms_below.contains(room) || !fs::exists(command / name)) continue;
    const std::string other = room_of(name);
    if (!rooms_below.contains(other)) continue;
    if (room != other) ++between_rooms;
    EXPECT_TRUE(may_include(room, other))
        << "cli/" << file.string() << " includes \"" << name << "\", and " << room << " is not above " << other;
  }
  EXPECT_GT(between_rooms, 300U);
}

TEST(CommandRooms, AreFoldersWithTheirNamespaces) {
  const std::regex line("\nnamespace lockstep::cli::(\\w+)");
  std::set<std::string> seen;
  const fs::path command = fs::path(LOCKSTEP_SOURCE_DIRECTORY) / "cli";
  for (const auto& entry : fs::recursive_directory_iterator(command)) {
    if (entry.path().extension() != ".hpp") continue;
    const fs::path file = entry.path().lexically_relative(command);
    const std::string room = room_of(file), text = contents("cli" / file);
    if (!rooms_below.contains(room)) continue;
    for (std::sregex_iterator match(text.begin(), text.end(), line); match != std::sregex_iterator(); ++match) {
      const bool is_forward =
          text.compare(static_cast<std::size_t>(match->position() + match->length()), 9, " {\nclass ") == 0;
      if (is_forward) continue;  // a forward declaration of another room's class
      EXPECT_EQ((*match)[1].str(), room) << "cli/" << file.string();
      seen.insert(room);
    }
  }
  for (const auto& [room, below] : rooms_below) {
    const bool has_headers = room != "processes";
    EXPECT_EQ(seen.contains(room), has_headers) << room;
  }
}

TEST(CommandRooms, KeepTheReaderOfFlagsInOneRoom) {
  for (const auto& [file, name] : includes()) {
    const std::string room = room_of(file);
    if (room == "flags") continue;
    EXPECT_FALSE(name.starts_with("CLI/")) << "cli/" << file.string() << " includes <" << name << ">";
  }
}

}  // namespace
}  // namespace lockstep::test
