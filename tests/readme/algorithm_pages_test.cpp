// The pages of docs/algorithms against the catalogue, and every reference to them in the sources against their
// headings.
#include <gtest/gtest.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::algorithm_pages_test {
namespace {

namespace fs = std::filesystem;

using test::contents;

const fs::path root = LOCKSTEP_SOURCE_DIRECTORY;
const std::string pages_directory = "docs/algorithms/";

/// A row of the table at the head of a section: | `method` | machines | ports | duplex | ...
struct PageRow {
  std::string page;
  std::string section;
  std::string method;
  std::string machines;               ///< as the page has them
  std::vector<std::string> families;  ///< the same, one by one
  std::string ports;
  std::string duplex;
};

std::vector<std::string> parts(const std::string& text, const std::string& between) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + between.size()) {
    end = text.find(between, begin);
    result.push_back(text.substr(begin, end - begin));
  }
  return result;
}

/// The families of a cell "ring, path"; "any with links" stands for all whose processors share no medium.
std::vector<std::string> families_of(const std::string& machines) {
  std::vector<std::string> families;
  for (const std::string& part : parts(machines, ", ")) {
    if (part != "any with links") {
      families.push_back(part);
      continue;
    }
    for (const MachineFamily& family : machine_families()) {
      if (family.wiring != nullptr) families.push_back(family.name);
    }
  }
  return families;
}

struct Pages {
  std::map<std::string, std::vector<std::string>> sections;  ///< of each page, the longest headings first
  std::vector<PageRow> rows;
};

Pages read_pages() {
  Pages pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / pages_directory)) {
    const std::string page = entry.path().filename().string();
    if (page == "README.md") continue;
    std::vector<std::string>& sections = pages.sections[page];
    for (const std::string& line : test::lines_of(contents(pages_directory + page))) {
      if (line.rfind("## ", 0) == 0) sections.push_back(line.substr(3));
      if (line.rfind("| `", 0) != 0) continue;
      const std::vector<std::string> cells = parts(line.substr(2), " | ");
      if (cells.size() < 4 || sections.empty()) {
        ADD_FAILURE() << page << ": " << line;
        continue;
      }
      pages.rows.push_back({page, sections.back(), cells[0].substr(1, cells[0].size() - 2), cells[1],
                            families_of(cells[1]), cells[2], cells[3]});
    }
    std::sort(sections.begin(), sections.end(),
              [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    EXPECT_EQ(std::set<std::string>(sections.begin(), sections.end()).size(), sections.size())
        << page << " has two sections of one name";
  }
  return pages;
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

/// The section of the page whose name the text has at that place; empty if there is none.
std::string section_at(const Pages& pages, const std::string& page, const std::string& text, std::size_t place) {
  for (const std::string& section : pages.sections.at(page)) {
    const std::size_t end = place + section.size();
    if (text.compare(place, section.size(), section) == 0 && (end >= text.size() || !is_letter(text[end]))) {
      return section;
    }
  }
  return {};
}

struct References {
  std::set<std::pair<std::string, std::string>> found;  ///< page, section
  std::vector<std::string> broken;
};

/// References such as "mukherjee.md, Sorting", and "mukherjee.md, Reduction, Barrier" or "Reduction to Prefix". The
/// text after a page's name and a comma must be one of its sections; the text after a section may be.
References references(const Pages& pages, const std::string& text) {
  References result;
  const std::string behind = ".md, ";
  for (std::size_t dot = text.find(behind); dot != std::string::npos; dot = text.find(behind, dot + 1)) {
    std::size_t begin = dot;
    while (begin > 0 && is_letter(text[begin - 1])) --begin;
    const std::string page = text.substr(begin, dot + 3 - begin);
    if (!pages.sections.contains(page)) continue;
    std::size_t place = dot + behind.size();
    std::string section = section_at(pages, page, text, place);
    if (section.empty()) result.broken.push_back(text.substr(begin, 80));
    while (!section.empty()) {
      result.found.emplace(page, section);
      place += section.size();
      section.clear();
      for (const std::string joint : {", ", " and ", " to "}) {
        if (section.empty() && text.compare(place, joint.size(), joint) == 0) {
          section = section_at(pages, page, text, place + joint.size());
          if (!section.empty()) place += joint.size();
        }
      }
    }
  }
  return result;
}

/// The text of a source with the lines of a comment, and the parts of a string, joined.
std::string joined(const std::string& text) {
  std::string all;
  for (const std::string& whole : test::lines_of(text)) {
    std::string_view line = whole;
    const auto skip = [&line](std::string_view letters) {
      line.remove_prefix(std::min(line.size(), line.find_first_not_of(letters)));
    };
    skip(" \t");
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    if (line.empty()) continue;
    if (all.ends_with('"') && line.starts_with('"')) {
      all.pop_back();
      all += line.substr(1);
      continue;
    }
    if (line.starts_with("//")) skip("/<");
    skip(" ");
    all.append(all.empty() ? "" : " ").append(line);
  }
  return all;
}

/// Sources, build files and documents, without generated ones and this test. Relative to the repository.
std::vector<std::string> texts() {
  std::vector<std::string> result = test::documents();
  for (const std::string part : {"core", "machines", "algorithms", "cli", "tests", "cmake"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / part)) {
      static const std::set<std::string> kinds{".cpp", ".hpp", ".md", ".txt", ".cmake"};
      if (kinds.contains(entry.path().extension().string()) && entry.path().filename() != "algorithm_pages_test.cpp") {
        result.push_back(fs::relative(entry.path(), root).string());
      }
    }
  }
  return result;
}

TEST(AlgorithmPages, DescribeEveryMethodOnce) {
  std::map<std::pair<std::string, std::string>, int> described;
  for (const PageRow& row : read_pages().rows) {
    for (const std::string& family : row.families) ++described[{row.method, family}];
  }
  for (const Method* method : catalogue()) {
    for (const std::string_view family : method->families) {
      const std::pair key{std::string(method->name), std::string(family)};
      EXPECT_EQ(described[key], 1) << "rows of docs/algorithms for " << key.first << " on " << key.second;
      described.erase(key);
    }
  }
  for (const auto& [key, times] : described) {
    if (times > 0) ADD_FAILURE() << key.first << " on " << key.second << " is not in the catalogue";
  }
}

TEST(AlgorithmPages, SayThePortsAndTheStrictestDuplexOfEveryMethod) {
  const Pages pages = read_pages();
  EXPECT_GT(pages.rows.size(), 100U);
  for (const PageRow& row : pages.rows) {
    SCOPED_TRACE(row.page + ", " + row.section + ": " + row.method);
    for (const std::string& family : row.families) {
      const Method& method = find_method(row.method, family);
      std::istringstream ports(row.ports);
      std::string first;
      ports >> first;
      EXPECT_EQ(first, name(method.defaults.ports));
      EXPECT_EQ(row.ports.find("with multicast") != std::string::npos, method.defaults.multicast);
      EXPECT_EQ(parts(row.duplex, "; ").back(), name(method.strictest_duplex));
    }
  }
}

TEST(AlgorithmPages, AreWhatTheSourcesOfMethodsReferTo) {
  const Pages pages = read_pages();
  for (const PageRow& row : pages.rows) {
    for (const std::string& family : row.families) {
      const Method& method = find_method(row.method, family);
      EXPECT_TRUE(references(pages, std::string(method.source)).found.contains({row.page, row.section}))
          << row.method << " on " << family << " is in " << row.page << ", " << row.section << "; its source is "
          << method.source;
    }
  }
}

TEST(AlgorithmPages, AreIndexed) {
  const std::string index = contents(pages_directory + "README.md");
  const Pages pages = read_pages();
  for (const PageRow& row : pages.rows) {
    const std::string line = "| `" + row.method + "` | " + row.machines + " | [" + row.page + ", " + row.section + "](";
    EXPECT_NE(index.find(line), std::string::npos) << line;
  }
  for (const auto& [page, sections] : pages.sections) EXPECT_NE(index.find("(" + page + ")"), std::string::npos);
}

TEST(AlgorithmPages, HaveAnIndexOfThePapersNames) {
  using Names = std::set<std::pair<std::string, std::string>>;  // of the paper, of the method
  Names known;
  for (const Method* method : catalogue()) {
    for (const std::string_view alias : method->aliases) known.emplace(alias, method->name);
  }
  Names indexed;
  for (const std::string& line :
       test::lines_of(test::section(contents(pages_directory + "README.md"), "The papers' names"))) {
    const std::vector<std::string> cells = parts(line, " | ");
    if (cells.size() != 3 || cells[1].front() != '`') continue;
    EXPECT_TRUE(indexed.emplace(cells[0].substr(2), cells[1].substr(1, cells[1].size() - 2)).second) << line;
  }
  EXPECT_EQ(indexed, known);
}

TEST(AlgorithmPages, HaveTheSectionsThatTextsReferTo) {
  const Pages pages = read_pages();
  std::size_t found = 0;
  for (const std::string& file : texts()) {
    const References references_of_file = references(pages, joined(contents(file)));
    found += references_of_file.found.size();
    for (const std::string& broken : references_of_file.broken) ADD_FAILURE() << file << ": " << broken;
  }
  EXPECT_GT(found, 200U);
}

// Specifications from which Lockstep was made are not part of it.
TEST(AlgorithmPages, AreInsideTheRepository) {
  regex_t outside;  // std::regex takes minutes for all texts
  ASSERT_EQ(regcomp(&outside, R"(\b(SS|RH|T|X) [0-9]+(\.[0-9]+)?\b|\bspecs/|\bspecs: |\bcatalog\.md|\bDESIGN\b)",
                    REG_EXTENDED),
            0);
  const auto found_in = [&outside](const std::string& text) {
    regmatch_t match;
    if (regexec(&outside, text.c_str(), 1, &match, 0) != 0) return std::string();
    return text.substr(static_cast<std::size_t>(match.rm_so), static_cast<std::size_t>(match.rm_eo - match.rm_so));
  };
  for (const std::string& file : texts()) EXPECT_EQ(found_in(joined(contents(file))), "") << file;
  for (const char* text : {"(RH 3.2)", "see\n// T 4", "specs/a", "catalog.md", "by DESIGN."}) {
    EXPECT_NE(found_in(joined(text)), "") << text;
  }
  regfree(&outside);
}

TEST(AlgorithmPages, BrokenReferencesAreSeen) {
  const Pages pages{{{"mukherjee.md", {"Double-rooted tree", "Broadcast", "Broad"}}}, {}};
  using Found = std::set<std::pair<std::string, std::string>>;
  const auto found = [&](const std::string& text) { return references(pages, joined(text)).found; };
  const Found broadcast{{"mukherjee.md", "Broadcast"}};
  EXPECT_EQ(found("(mukherjee.md, Broadcast)"), broadcast);
  EXPECT_EQ(found("/// as (mukherjee.md,\n  /// Broadcast), one-port"), broadcast);
  EXPECT_EQ(found("\"x (mukherjee.md, Bro\"\n    \"adcast)\""), broadcast);
  EXPECT_EQ(found("mukherjee.md, Double-rooted tree to Broadcast").size(), 2U);
  EXPECT_EQ(references(pages, "mukherjee.md, Broadcasting").broken.size(), 1U);
  EXPECT_EQ(references(pages, "mukherjee.md, Reduction").broken.size(), 1U);
  EXPECT_TRUE(references(pages, "other.md, Reduction").broken.empty());
}

}  // namespace
}  // namespace lockstep::algorithm_pages_test
