// What sources must not use, and what they name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "documents.hpp"

namespace lockstep::test {
namespace {

void for_each_source(const std::function<void(const std::string& file, const std::string& text)>& visit) {
  const std::filesystem::path repository = LOCKSTEP_SOURCE_DIRECTORY;
  std::size_t sources = 0;
  for (const char* const module : {"core", "machines", "algorithms", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / module)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      ++sources;
      const std::string file = entry.path().lexically_relative(repository);
      visit(file, contents(file));
    }
  }
  EXPECT_GT(sources, 500U);
}

// The standard does not fix what these make of an engine's bits; documents promise the same results for the same seed.
TEST(Sources, DrawNothingThatDependsOnTheStandardLibrary) {
  for_each_source([](const std::string& file, const std::string& text) {
    for (const char* const name : {"std::shuffle", "ranges::shuffle", "::sample(", "_distribution",
                                   "default_random_engine", "generate_canonical"}) {
      EXPECT_EQ(text.find(name), std::string::npos) << file << " uses " << name;
    }
  });
}

/// A type that a line defines, and what its name stands for: a type, or nothing if it is a new one.
using DefinedType = std::pair<std::string, std::string>;

/// The type that a line defines, if it is not indented and so in no class or function. Former names, which are
/// deprecated, do not count, nor does a name for one case of a template of this name.
std::optional<DefinedType> type_in(std::string_view line) {
  const auto name_in = [](std::string_view text) {
    if (text.starts_with("[[")) text.remove_prefix(std::min(text.find("]] "), text.size() - 3) + 3);
    const std::size_t end = text.find_first_of(" <:;{");
    const bool is_whole = end == std::string_view::npos || text[end] == ' ' || text[end] == '{';
    return is_whole ? std::string(text.substr(0, end)) : "";
  };
  if (line.starts_with("using ")) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos || line.find("[[deprecated") != line.npos) return std::nullopt;
    const std::string name = name_in(line.substr(6));
    const std::string meaning(line.substr(equals + 3));
    return meaning.find("::" + name + "<") != meaning.npos ? std::nullopt : std::optional(DefinedType{name, meaning});
  }
  if (line.ends_with(';') && line.find('{') == line.npos) return std::nullopt;  // declared only
  for (const std::string_view begin : {"struct ", "class ", "union ", "enum class ", "enum "}) {
    if (!line.starts_with(begin)) continue;
    const std::string name = name_in(line.substr(begin.size()));
    return name.empty() ? std::nullopt : std::optional(DefinedType{name, ""});
  }
  return std::nullopt;
}

// One word, one idea: a name that several types would fit says of what it is, as RatioRow and CsvRow do. A type in a
// class has the class to say so.
TEST(Sources, NameNoTwoTypesAlike) {
  std::map<std::string, std::set<std::string>> meanings;
  for_each_source([&](const std::string& file, const std::string& text) {
    for (const std::string& line : lines_of(text)) {
      const std::optional<DefinedType> type = type_in(line);
      if (type) meanings[type->first].insert(type->second.empty() ? file : type->second);
    }
  });
  meanings.erase("Json");  // ordered where it is written
  EXPECT_GT(meanings.size(), 900U);
  for (const auto& [name, all] : meanings) EXPECT_EQ(all.size(), 1U) << name << " is defined in " << *all.begin();
}

}  // namespace
}  // namespace lockstep::test
