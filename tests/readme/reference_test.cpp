// The pages from which `./dev docs` makes the reference: every item that the command knows has a text. Doxygen's output
// for them and the public headers is checked by `./dev docs --check`, with the script that is tested here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "../temporary_directory.hpp"
#include "documents.hpp"

namespace lockstep::test::reference_test {
namespace {

using Json = nlohmann::json;
using Pages = std::map<std::string, std::string>;  // by their names, "terms.md"

/// The text of an HTML page, without spaces.
std::string plain(const std::string& html) {
  std::string text = std::regex_replace(html, std::regex("<[^>]*>|\\s|`"), "");
  for (const auto& [entity, letter] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    text = std::regex_replace(text, std::regex(entity), letter);
  }
  return text;
}

/// Whether a page contains the text, ignoring tags.
bool says(const Pages& pages, const std::string& page, const std::string& text) {
  const auto found = pages.find(page);
  return found != pages.end() && !text.empty() &&
         found->second.find(std::regex_replace(text, std::regex("\\s|`"), "")) != std::string::npos;
}

Pages read_pages() {
  const TemporaryDirectory directory;
  EXPECT_EQ(give("'" LOCKSTEP_REFERENCE "' '" + directory.path() + "'", ".").exit_code, 0);
  Pages pages;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    pages[entry.path().filename()] = entry.path().extension() == ".md" ? plain(text.str()) : text.str();
  }
  return pages;
}

const Pages& reference() {
  static const Pages pages = read_pages();
  return pages;
}

std::string with_dashes(std::string name) {
  std::ranges::replace(name, ' ', '-');
  std::ranges::replace(name, '/', '-');
  return name;
}

std::string page_of(const Json& topic) {
  const std::string kind = topic["kind"];
  const bool has_page = kind == "method" || kind == "machine" || kind == "operation";
  return (has_page ? kind + "-" + with_dashes(topic["name"]) : kind + "s") + ".md";
}

/// The topics and sections of `explain` that the pages lack or shorten: "broadcast/sbt: idea".
std::vector<std::string> missing_topics(const Pages& pages) {
  std::vector<std::string> missing;
  const Json document = Json::parse(give_in_repository("./dev explain --json").output);
  for (const Json& topic : document["topics"]) {
    const std::string page = page_of(topic), name = topic["name"];
    if (!says(pages, page, name)) missing.push_back(name);
    for (const Json& section : topic["sections"]) {
      // The methods of an operation have separate pages, which its page lists.
      const std::string title = section["title"], text = section["text"];
      const bool is_method = title.starts_with(name + "/");
      if (!says(pages, page, title) || !says(pages, page, is_method ? title : text))
        missing.push_back(name + ": " + title);
    }
  }
  return missing;
}

/// The first words of a word's line, and the meaning after the tab.
std::map<std::string, std::string> completions(const std::string& words) {
  std::map<std::string, std::string> found;
  for (const std::string& line : lines_of(give_in_repository("./dev completion words " + words).output)) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) found[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return found;
}

/// Subcommands and flags without a text: "run --machine".
std::vector<std::string> missing_flags(const Pages& pages) {
  std::vector<std::string> missing;
  for (const auto& [subcommand, meaning] : completions("''")) {
    if (subcommand.starts_with("-")) continue;
    const std::string page = "subcommand-" + subcommand + ".md";
    if (!says(pages, page, meaning) || !says(pages, "commands.md", meaning)) missing.push_back(subcommand);
    for (const auto& [flag, text] : completions(subcommand + " --")) {
      if (!says(pages, page, flag) || !says(pages, page, text)) missing.push_back(subcommand + " " + flag);
    }
  }
  return missing;
}

TEST(Reference, HasATextForEverythingThatCanBeExplained) {
  EXPECT_GE(reference().size(), 150U);
  EXPECT_EQ(missing_topics(reference()), std::vector<std::string>());
}

TEST(Reference, HasATextForEverySubcommandAndFlag) {
  EXPECT_EQ(missing_flags(reference()), std::vector<std::string>());
}

// Doxygen does not warn of values without a text.
TEST(Reference, HasATextForEveryValueOfAnEnumeration) {
  const std::filesystem::path repository = LOCKSTEP_SOURCE_DIRECTORY;
  const std::regex enumeration(R"(enum class (\w+)[^{;]*\{([^}]*)\})");
  std::size_t values = 0;
  for (const std::string module : {"core", "machines", "algorithms", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / module / "include")) {
      const bool is_public = entry.path().string().find("/detail/") == std::string::npos;
      if (!is_public || entry.path().extension() != ".hpp") continue;
      const std::string text = contents(std::filesystem::relative(entry.path(), repository));
      for (std::sregex_iterator found(text.begin(), text.end(), enumeration), end; found != end; ++found) {
        for (const std::string& line : lines_of((*found)[2])) {
          if (line.find_first_not_of(' ') == std::string::npos) continue;
          ++values;
          EXPECT_NE(line.find("///< "), std::string::npos) << (*found)[1] << " in " << entry.path() << ": " << line;
        }
      }
    }
  }
  EXPECT_GE(values, 40U);
}

TEST(Reference, DrawsEveryMachineThatHasLinks) {
  const Json document = Json::parse(give_in_repository("./dev list machines --json").output);
  for (const Json& family : document["machines"]) {
    const std::string name = family["family"], example = family["example"];
    if (name == "graph") continue;  // has the links of its file
    const Given dot = give_in_repository("./dev info '" + example + "' --dot -");
    const auto drawn = reference().find("machine-" + name + ".dot");
    EXPECT_EQ(drawn != reference().end(), dot.exit_code == 0) << name;
    if (drawn != reference().end()) {
      EXPECT_EQ(drawn->second, dot.output) << name;
    }
  }
}

TEST(Reference, IsSeenToMissWhatIsTakenAway) {
  Pages pages = reference();
  pages.erase("method-broadcast-sbt.md");
  std::string& page = pages["operation-all-to-some.md"];
  page = std::regex_replace(page, std::regex("Everyoneofthe"), "");
  const std::vector<std::string> missing = missing_topics(pages);
  EXPECT_EQ(missing.front(), "all-to-some: what");
  EXPECT_NE(std::ranges::find(missing, "broadcast/sbt: idea"), missing.end());
  EXPECT_EQ(missing.size(),
            1U + 2 * 8U);  // the name and the seven sections of the method, on cubes and on incomplete ones

  std::string& flags = pages["subcommand-info.md"];
  flags = std::regex_replace(flags, std::regex("--graphml"), "");
  EXPECT_EQ(missing_flags(pages), std::vector<std::string>{"info --graphml"});
}

TEST(Reference, IsSearchedForDeadLinksAndNamesWithoutAText) {
  const TemporaryDirectory directory;
  const auto check = [&] {
    return give("'" LOCKSTEP_SOURCE_DIRECTORY "/docs/reference/check.sh' . warnings.txt", directory.path());
  };
  EXPECT_EQ(check().output, "no pages in .\n");
  EXPECT_EQ(check().exit_code, 1);
  std::ofstream(directory.file("a.html"))
      << "<a href=\"b.html\"></a> <a href=\"b.html#here\"></a> <a href=\"#top\"></a>"
      << "<a href=\"https://example.org\"></a><p id=\"top\"></p>\n";
  std::ofstream(directory.file("b.html")) << "<h2 id=\"here\">x</h2>\n";
  EXPECT_EQ(check().output, "no file warnings.txt\n");
  std::ofstream(directory.file("warnings.txt"))
      << "a.hpp:3: warning: Member operator==(const A &, const A &)=default (friend) of struct A is not documented.\n"
      << "a.hpp:4: warning: Member A(A &&other) noexcept (function) of struct A is not documented.\n";
  EXPECT_EQ(check().output, "");
  EXPECT_EQ(check().exit_code, 0);

  std::ofstream(directory.file("b.html")) << "<h2 id=\"there\">x</h2><img src=\"x.svg\">\n";
  const std::string warning = "a.hpp:5: warning: Member size() const (function) of class A is not documented.";
  std::ofstream(directory.file("warnings.txt")) << warning << "\n";
  EXPECT_EQ(check().output, warning + "\na.html: no place here in b.html\nb.html: no file x.svg\n");
  EXPECT_EQ(check().exit_code, 1);
}

TEST(Reference, SaysWhatEveryNamespaceIsFor) {
  const std::string texts = contents("docs/reference/library.dox");
  const std::regex name("\nnamespace (lockstep[a-z_:]*) \\{");
  const std::filesystem::path repository = LOCKSTEP_SOURCE_DIRECTORY;
  for (const char* module : {"core", "machines", "algorithms", "cli"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository / module / "include")) {
      const bool is_public = entry.path().string().find("/detail/") == std::string::npos;
      if (!is_public || entry.path().extension() != ".hpp") continue;
      const std::string header = contents(entry.path().lexically_relative(repository));
      for (std::sregex_iterator match(header.begin(), header.end(), name), end; match != end; ++match) {
        if ((*match)[1] == "lockstep::detail") continue;
        EXPECT_NE(texts.find("@namespace " + (*match)[1].str() + "\n"), std::string::npos) << (*match)[1];
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::test::reference_test
