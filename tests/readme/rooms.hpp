#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

// The rooms of a module: the folders of its sources, as the floors of a house. docs/architecture.md has a table of
// them.
namespace lockstep::test {

/// A module with rooms.
struct HousedModule {
  std::string folder;      ///< "algorithms"; also its section in docs/architecture.md
  std::string headers;     ///< the prefix of its public headers in includes: "lockstep/algorithms/"
  std::string outer_name;  ///< the namespace around those of its rooms: "lockstep"
};

/// The table "| room | holds |" of a section: rooms from the lowest floor up. A cell "`plans/`: `tree`, `rounds`"
/// stands for plans/tree and plans/rounds. The third column has the public headers of rooms without a source of their
/// name.
struct RoomTable {
  std::vector<std::string> rooms;              ///< "plans/tree", the lowest first
  std::map<std::string, std::string> headers;  ///< "method.hpp": "method"

  explicit RoomTable(const std::string& section);
};

/// Texts of sources and headers by their path in the module.
using Sources = std::map<std::string, std::string>;

/// The module's files in the repository.
Sources sources_of(const HousedModule& module);

/// Violations of the rules, one line each with file and rule:
///
/// 1. A file includes files of its own room and of rooms before it in the table.
/// 2. A private header declares in its room's namespace, which is named like the last folder. A source may also define
///    names of public headers, in the namespaces of the headers that it includes.
/// 3. Table and folders name the same rooms.
std::vector<std::string> faults(const HousedModule& module, const RoomTable& table, const Sources& sources);

}  // namespace lockstep::test
