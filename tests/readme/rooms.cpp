#include "rooms.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "documents.hpp"

namespace lockstep::test {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// "tree.hpp" without ".hpp".
std::string stem_of(const std::string& path) { return name_of(path).substr(0, name_of(path).rfind('.')); }

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
  return cells;
}

/// The texts between backticks.
std::vector<std::string> code_in(const std::string& cell) {
  std::vector<std::string> texts;
  static const std::regex code("`([^`]*)`");
  for (std::sregex_iterator match(cell.begin(), cell.end(), code), end; match != end; ++match) {
    texts.push_back((*match)[1]);
  }
  return texts;
}

/// The files that a text includes by name, not by <..>.
std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> included;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with("#include \"")) continue;
    const std::size_t first = line.find('"') + 1;
    included.push_back(line.substr(first, line.find('"', first) - first));
  }
  return included;
}

/// The full names of all namespaces that a text opens at the beginning of a line; those without a name are left out.
std::set<std::string> namespaces_of(const std::string& text) {
  std::set<std::string> full_names;
  std::vector<std::string> open;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("}  // namespace")) {
      if (!open.empty()) open.pop_back();
      continue;
    }
    if (!line.starts_with("namespace ") || !line.ends_with("{")) continue;
    const std::string name = line.substr(10, line.find_last_not_of(" {") - 9);
    const std::string outer = open.empty() ? "" : open.back();
    const bool has_name = line != "namespace {";
    open.push_back(!has_name ? outer : outer.empty() ? name : outer + "::" + name);
    if (has_name) full_names.insert(open.back());
  }
  return full_names;
}

bool is_in(const std::string& inner, const std::string& outer) {
  return inner == outer || inner.starts_with(outer + "::");
}

class House {
 public:
  House(const HousedModule& module, const RoomTable& table, const Sources& sources)
      : module_(module), table_(table), sources_(sources) {
    for (std::size_t floor = 0; floor < table.rooms.size(); ++floor) floors_[table.rooms[floor]] = floor;
    for (const auto& [path, text] : sources) {
      if (is_public(path)) continue;
      rooms_by_stem_[stem_of(path)].insert(folder_of(path));
      folders_.insert(folder_of(path));
    }
  }

  std::vector<std::string> faults() {
    for (const std::string& folder : folders_) {
      if (!floors_.contains(folder)) say(folder + "/ is in no row of the table of rooms");
    }
    for (const std::string& room : table_.rooms) {
      if (!folders_.contains(room)) say(room + "/ is in the table of rooms and has no sources");
    }
    for (const auto& [path, text] : sources_) {
      check_includes(path, text);
      if (!is_public(path)) check_namespaces(path, text);
    }
    return faults_;
  }

 private:
  void say(const std::string& fault) { faults_.push_back(module_.folder + ": " + fault); }

  static bool is_public(const std::string& path) { return path.starts_with("include/"); }

  std::string path_of_public(const std::string& included) const { return "include/" + included; }

  /// Empty if there is none.
  std::string room_of(const std::string& path) const {
    if (!is_public(path)) return folder_of(path);
    if (const auto named = table_.headers.find(name_of(path)); named != table_.headers.end()) return named->second;
    const auto found = rooms_by_stem_.find(stem_of(path));
    if (found == rooms_by_stem_.end()) return "";
    // The operation's room, where several rooms have a file of that name.
    for (const std::string& room : found->second) {
      if (found->second.size() == 1 || name_of(room) == stem_of(path)) return room;
    }
    return "";
  }

  /// The module's file that an include names; none if it is another module's.
  std::optional<std::string> included_file(const std::string& path, const std::string& included) const {
    if (included.starts_with(module_.headers)) return path_of_public(included);
    for (const std::string& file : {folder_of(path) + "/" + included, included}) {
      if (sources_.contains(file)) return file;
    }
    return {};
  }

  void check_includes(const std::string& path, const std::string& text) {
    const auto own = floors_.find(room_of(path));
    if (own == floors_.end()) {
      if (is_public(path)) say(path + " belongs to no room: give it to one in the third column of the table of rooms");
      return;
    }
    for (const std::string& included : includes_of(text)) {
      const auto file = included_file(path, included);
      if (!file) continue;
      const auto other = floors_.find(room_of(*file));
      if (other == floors_.end() || other->second <= own->second) continue;
      say(path + " includes \"" + included + "\": " + own->first + "/ is below " + other->first +
          "/, and a room uses only rooms that stand before it in the table");
    }
  }

  void check_namespaces(const std::string& path, const std::string& text) {
    const std::string own = module_.outer_name + "::" + name_of(folder_of(path));
    const bool is_header = path.ends_with(".hpp");
    std::set<std::string> allowed;
    if (!is_header) allowed.insert(module_.outer_name);
    for (const std::string& included : includes_of(text)) {
      const auto file = included_file(path, included);
      if (is_header || !file || !is_public(*file) || !sources_.contains(*file)) continue;
      if (room_of(*file) == folder_of(path)) allowed.merge(namespaces_of(sources_.at(*file)));
    }
    for (const std::string& name : namespaces_of(text)) {
      if (is_in(name, own) || allowed.contains(name)) continue;
      say(path + " opens namespace " + name + ": what is in " + folder_of(path) + "/ is in " + own);
    }
  }

  const HousedModule& module_;
  const RoomTable& table_;
  const Sources& sources_;
  std::map<std::string, std::size_t> floors_;
  std::map<std::string, std::set<std::string>> rooms_by_stem_;
  std::set<std::string> folders_;
  std::vector<std::string> faults_;
};

}  // namespace

RoomTable::RoomTable(const std::string& section) {
  bool is_table = false;
  for (const std::string& line : lines_of(section)) {
    if (line.starts_with("| room |")) is_table = true;
    if (!is_table) continue;
    if (!line.starts_with("|")) return;
    const std::vector<std::string> cells = cells_of(line);
    std::string parent;
    std::vector<std::string> row;
    for (const std::string& name : code_in(cells.at(0))) {
      if (name.ends_with("/")) parent = name;
      // A folder followed by names of rooms in it is not a room itself.
      const bool is_in_last = !name.ends_with("/");
      if (is_in_last && !row.empty() && row.back() + "/" == parent) row.pop_back();
      row.push_back(is_in_last ? parent + name : name.substr(0, name.size() - 1));
    }
    rooms.insert(rooms.end(), row.begin(), row.end());
    if (cells.size() < 3) continue;
    for (const std::string& header : code_in(cells[2])) headers[header] = row.empty() ? "" : row.back();
  }
}

Sources sources_of(const HousedModule& module) {
  namespace fs = std::filesystem;
  const fs::path root = fs::path(LOCKSTEP_SOURCE_DIRECTORY) / module.folder;
  Sources sources;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().lexically_relative(root).string();
    if (path.ends_with(".cpp") || path.ends_with(".hpp")) sources[path] = contents(module.folder + "/" + path);
  }
  return sources;
}

std::vector<std::string> faults(const HousedModule& module, const RoomTable& table, const Sources& sources) {
  return House(module, table, sources).faults();
}

}  // namespace lockstep::test
