// The texts of the command: all are compiled in unchanged, each has the fields of its kind, and an error in one is
// refused with its file and line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "../../text_of_file.hpp"
#include "learn/demo.hpp"
#include "reproduce/reproduction.hpp"
#include "study/study_presets.hpp"
#include "texts/errata.hpp"
#include "texts/explanations.hpp"
#include "texts/pseudo_code/program.hpp"
#include "texts/reader.hpp"

namespace lockstep::test {
namespace {

using namespace cli::texts;

TEST(Texts, AreCompiledInByteForByte) {
  const std::filesystem::path folder = LOCKSTEP_TEXTS;
  std::map<std::string, std::string> written, compiled_in;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".md" && entry.path().extension() != ".toml") continue;
    written[entry.path().lexically_relative(folder).string()] = text_of_file(entry.path().string());
  }
  for (const TextFile& file : files()) compiled_in[std::string(file.path)] = file.content;
  EXPECT_GT(written.size(), 150U);
  EXPECT_EQ(compiled_in.size(), written.size());
  for (const auto& [path, text] : written) EXPECT_TRUE(compiled_in[path] == text) << path;
}

TEST(Texts, AreAllRead) {
  std::size_t methods = 0, papers = 0, shown = 0;
  const std::set<std::string_view> glossaries{"errors.md", "machines.md", "operations.md", "terms.md"};
  for (const TextFile& file : files()) {
    if (file.path.starts_with("methods/")) {
      methods += entries_of(file).size();
    } else if (file.path.starts_with("errata/")) {
      ++papers;
    } else if (file.path.starts_with("demos/")) {
      EXPECT_NO_THROW(cli::learn::find_demo(stem(file.path))) << file.path;
      ++shown;
    } else if (file.path.starts_with("reproductions/")) {
      EXPECT_NO_THROW(cli::reproduce::find_reproduction(std::string(stem(file.path)))) << file.path;
    } else if (file.path.starts_with("studies/")) {
      EXPECT_EQ(cli::study::preset_text(std::string(stem(file.path))), file.content) << file.path;
    } else if (file.path.starts_with("pseudo_code/")) {
      for (const Entry& entry : entries_of(file)) {
        EXPECT_NO_THROW(pseudo_code::ProgramText(entry.heading())) << file.path << ", " << entry.heading();
      }
    } else {
      EXPECT_TRUE(glossaries.contains(file.path)) << "of what kind is " << file.path << "?";
    }
  }
  EXPECT_EQ(method_texts().size(), methods);
  EXPECT_EQ(all_errata().size(), papers);
  EXPECT_EQ(cli::learn::demos().size(), shown);
  for (const auto* texts : {&operation_texts(), &machine_texts(), &term_texts(), &error_texts()}) {
    EXPECT_FALSE(texts->empty());
  }
}

TEST(Texts, HaveLinesThatFitAPage) {
  for (const TextFile& file : files()) {
    std::size_t begin = 0, number = 1;
    for (std::size_t end; (end = file.content.find('\n', begin)) != std::string_view::npos; begin = end + 1, ++number) {
      EXPECT_LE(end - begin, 120U) << file.path << ":" << number;
    }
    EXPECT_EQ(begin, file.content.size()) << file.path << " does not end in a newline";
  }
}

std::vector<Entry> read(std::string_view text) { return entries_of({"x.md", text}); }

TEST(TextReader, ReadsFieldsOfALineAndOfMany) {
  std::vector<Entry> entries = read(
      "<!-- a comment -->\n"
      "# a thing on a ring\n"
      "also: one; two\n"
      "short:   of a line\n"
      "\n"
      "idea: it is read: all\n"
      "of it, as\n"
      "label: one text.\n"
      "\n"
      "\n"
      "code 1: with lines\n"
      "\n"
      "    held = 1\n"
      "      held = 2\n"
      "\n"
      "## a part\n"
      "\n"
      "note: first\n"
      "\n"
      "note: second\n");
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].heading(), "a thing on a ring");
  EXPECT_EQ(entries[0].level(), 1U);
  EXPECT_EQ(entries[0].take("also").text, "one; two");
  EXPECT_EQ(entries[0].take("short").text, "of a line");
  const Field idea = entries[0].take("idea");
  EXPECT_EQ(idea.text, "it is read: all of it, as label: one text.");
  EXPECT_EQ(idea.line, 6U);
  EXPECT_EQ(entries[0].take("code 1").code, (std::vector<std::string>{"held = 1", "  held = 2"}));
  EXPECT_NO_THROW(entries[0].expect_no_more());
  EXPECT_EQ(entries[1].heading(), "a part");
  EXPECT_EQ(entries[1].level(), 2U);
  EXPECT_FALSE(entries[1].take_if_any("idea"));
  const std::vector<Field> notes = entries[1].take_all({"note"});
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].text, "first");
  EXPECT_EQ(notes[1].text, "second");
}

/// The error of a function.
template <class Function>
std::string refusal(Function function) {
  try {
    function();
  } catch (const TextError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(TextReader, RefusesWhatHasAnotherForm) {
  const std::map<std::string, std::string> faults{
      {"idea: x\n", "1: a text before the first heading"},
      {"# a\n\nOf a ring the text.\n", "3: no label, as in 'idea: ..', begins this paragraph"},
      {"# a\nidea : x\n", "2: no label, as in 'idea: ..', begins this paragraph"},
      {"# a\n\nidea:x\n", "3: no label, as in 'idea: ..', begins this paragraph"},
      {"# a\n\n    held = 1\n", "3: code that belongs to no field"},
      {"# a\n\nidea: x\n    y\n", "4: code must follow a blank line"},
      {"# a\n\nidea: x \n", "3: a space at the end of the line"},
      {"## a\n", "1: '##' belongs to an entry of '#', and there is none"},
      {"# a\n<!-- no\nend -->\n", "2: a comment of more than one line"},
  };
  for (const auto& [text, said] : faults) {
    EXPECT_EQ(refusal([&] { read(text); }), "cli/texts/x.md:" + said) << text;
  }
}

TEST(TextReader, NamesFieldsThatLackOrAreTooMany) {
  std::vector<Entry> entries = read("# a\n\nidea: x\n\n# b\nuse: x\nidea:\n\nnote: x\n\nnote: y\n");
  EXPECT_EQ(refusal([&] { entries[0].take("use"); }), "cli/texts/x.md:1: 'a' has no field 'use'");
  EXPECT_EQ(refusal([&] { entries[0].expect_no_more(); }),
            "cli/texts/x.md:3: no field of this kind of text is named 'idea'");
  EXPECT_EQ(refusal([&] { entries[1].take("idea"); }), "cli/texts/x.md:7: no text follows 'idea:'");
  EXPECT_EQ(refusal([&] { entries[1].take("note"); }), "cli/texts/x.md:11: a second field 'note'");
  EXPECT_EQ(refusal([&] { entries_below("nowhere/"); }), "cli/texts/nowhere/:0: no such text");
}

TEST(TextReader, ReadsCommandsAndWhatIsSaidOfThem) {
  std::vector<Entry> entries = read(
      "# a\n"
      "shown by: `lockstep run --machine ring:3`: steps: 2 (or so) (exit code 12)\n"
      "shown by: `lockstep list`\n"
      "shown by: lockstep list\n"
      "shown by: `lockstep list` all\n");
  const std::vector<Field> fields = entries[0].take_all({"shown by"});
  const Quotation whole = quotation(entries[0], fields[0]);
  EXPECT_EQ(whole.command, "run --machine ring:3");
  EXPECT_EQ(whole.said, "steps: 2 (or so)");
  EXPECT_EQ(whole.exit_code, 12);
  const Quotation bare = quotation(entries[0], fields[1]);
  EXPECT_EQ(bare.command, "list");
  EXPECT_EQ(bare.said, "");
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(refusal([&] { quotation(entries[0], fields[2]); }),
            "cli/texts/x.md:4: 'shown by' must begin with a command, as in '`lockstep list`: ..'");
  EXPECT_EQ(refusal([&] { quotation(entries[0], fields[3]); }), "cli/texts/x.md:5: a colon must follow the command");
}

}  // namespace
}  // namespace lockstep::test
