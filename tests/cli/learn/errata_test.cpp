// `lockstep errata`: its list is complete, and every command in it shows what the list states.
#include "texts/errata.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <sstream>

#include "../../sanitized.hpp"
#include "command_line.hpp"

namespace lockstep::test::errata_test {
namespace {

using cli::texts::all_errata;
using cli::texts::Demonstration;
using cli::texts::Erratum;
using cli::texts::PaperErrata;
using Json = nlohmann::json;

/// The text with one space for any white space.
std::string plain(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

/// Whether the output has these words and numbers as a whole: "steps 4" is not in "steps 45", "steps 4.5" or "substeps
/// 4".
bool shows(const std::string& output, const std::string& phrase) {
  const auto is_part = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; };
  const std::string text = " " + plain(output) + "  ";
  for (std::size_t at = text.find(phrase); at != std::string::npos; at = text.find(phrase, at + 1)) {
    const char next = text[at + phrase.size()];
    const bool goes_on = is_part(next) || ((next == '.' || next == ',') && is_part(text[at + phrase.size() + 1]));
    if (!is_part(text[at - 1]) && !goes_on) return true;
  }
  return false;
}

TEST(Errata, AreAllThatWereFound) {
  const std::map<std::string, int> expected{{"dimakopoulos", 12},
                                            {"johnsson-ho", 27},
                                            {"mukherjee", 21},
                                            {"saad-schultz-1985", 10},
                                            {"saad-schultz-1988", 34}};
  const std::map<std::string, std::string> letters{{"dimakopoulos", "D"},
                                                   {"johnsson-ho", "J"},
                                                   {"mukherjee", "R"},
                                                   {"saad-schultz-1985", "A"},
                                                   {"saad-schultz-1988", "B"}};
  std::map<std::string, int> found;
  for (const PaperErrata& paper : all_errata()) {
    const std::string name(paper.paper);
    for (const Erratum& erratum : paper.errata) {
      EXPECT_EQ(erratum.number, letters.at(name) + std::to_string(++found[name]));
      for (const std::string_view text : {erratum.place, erratum.printed, erratum.holds}) EXPECT_FALSE(text.empty());
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(Errata, EveryCommandShowsWhatHolds) {
  std::size_t demonstrated = 0, number = 0;
  for (const PaperErrata& paper : all_errata()) {
    for (const Erratum& erratum : paper.errata) {
      if (!erratum.demonstrations.empty()) ++demonstrated;
      for (const Demonstration& demonstration : erratum.demonstrations) {
        if (sanitized && ++number % 5 != 0) continue;
        SCOPED_TRACE(std::string(erratum.number) + ": lockstep " + std::string(demonstration.command));
        const Finished run = lockstep(std::string(demonstration.command));
        EXPECT_EQ(run.exit_code, demonstration.exit_code) << run.err;
        EXPECT_TRUE(shows(run.out + run.err, std::string(demonstration.shows))) << demonstration.shows << " is not in\n"
                                                                                << run.out << run.err;
      }
    }
  }
  EXPECT_GE(demonstrated, 80U) << "of 95";
}

TEST(Errata, AFalseClaimWouldBeSeen) {
  const std::string report =
      "steps                        33  =              33\nmodelled   asynchronous 66, predicted 6.5";
  EXPECT_TRUE(shows(report, "steps 33"));
  EXPECT_TRUE(shows(report, "asynchronous 66"));
  EXPECT_FALSE(shows(report, "steps 3"));
  EXPECT_FALSE(shows(report, "synchronous 66"));
  EXPECT_FALSE(shows(report, "predicted 6"));
  EXPECT_FALSE(shows(report, "steps 44"));
}

TEST(Errata, ChoosesAPaperOrANumberInAnyCase) {
  const Finished one = lockstep("errata r5");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(one.out,
            "Mukherjee (mukherjee)\n\n"
            "  R5   2.1.3, 2.1.4\n"
            "       printed   order of sends and ports not said\n"
            "       holds     both given; longest first: RH(3,3), one port, 33 steps, not 44\n"
            "       shown by  lockstep run --machine rh:3,3 --algorithm broadcast/drbt\n"
            "                 -> steps 33\n"
            "       shown by  lockstep run --machine rh:3,3 --algorithm broadcast/drbt --order cross-first\n"
            "                 -> steps 44\n");
  const std::string paper = lockstep("errata Johnsson-Ho").out;
  EXPECT_NE(paper.find("  J27  "), std::string::npos);
  EXPECT_EQ(paper.find("  R1   "), std::string::npos);
  const std::string all = lockstep("errata").out;
  for (const std::string number : {"A10", "B30", "D12", "J27", "R21"}) {
    EXPECT_NE(all.find("\n  " + number + "  "), std::string::npos) << number;
  }
  EXPECT_NE(all.find(paper), std::string::npos);
}

TEST(Errata, AreJsonToo) {
  for (const std::string line : {"errata R18 --json", "errata --json R18", "errata --json - R18"}) {
    const Json document = Json::parse(lockstep(line).out, nullptr, false);
    ASSERT_TRUE(document.is_object()) << line;
    EXPECT_EQ(document["papers"].size(), 1U);
    EXPECT_EQ(document["papers"][0]["name"], "mukherjee");
    const Json erratum = document["papers"][0]["errata"][0];
    EXPECT_EQ(erratum["number"], "R18");
    EXPECT_EQ(erratum["place"], "1.3.1");
    EXPECT_EQ(erratum["demonstrations"],
              (Json{{{"command", "lockstep info rh:5,2"}, {"shows", "mean 17/9"}, {"exit_code", 0}},
                    {{"command", "lockstep info rh:8,3"}, {"shows", "mean 5/2"}, {"exit_code", 0}}}));
  }
}

TEST(Errata, AreMarkdownToo) {
  EXPECT_EQ(lockstep("errata J2 --markdown -").out,
            "## Johnsson & Ho\n\n"
            "| id | where | as printed | what holds | shown by |\n"
            "|---|---|---|---|---|\n"
            "| J2 | section 2 | bits 0..m | 0..m-1 |  |\n");
  const TemporaryDirectory directory;
  const Finished both =
      lockstep("errata B9 --markdown " + directory.file("b.md") + " --json " + directory.file("b.json"));
  EXPECT_EQ(both.exit_code, 0);
  EXPECT_EQ(both.out, "");
  EXPECT_NE(read_file(directory.file("b.md")).find("\\|h+j\\| = i"), std::string::npos);
  EXPECT_NE(read_file(directory.file("b.json")).find("|h+j| = i"), std::string::npos);
}

TEST(Errata, OtherNamesAreRefusedInOneLine) {
  expect_refused(lockstep("errata jonsson-ho"),
                 {"errata 'jonsson-ho' is not one of dimakopoulos, johnsson-ho, mukherjee, saad-schultz-1985, "
                  "saad-schultz-1988, nor a number such as J23; did you mean 'johnsson-ho'?"});
  expect_refused(lockstep("errata J28"), {"errata 'J28' is not one of"});
  expect_refused(lockstep("errata J2 J3"), {"unexpected argument 'J3'"});
  expect_refused(lockstep("errata --markdwon -"), {"did you mean '--markdown'?"});
  expect_refused(lockstep("errata --markdown - --json -"), {"--json", "--markdown"});
  expect_refused(lockstep("errata --json /nowhere/at/all"), {"/nowhere/at/all"});
}

}  // namespace
}  // namespace lockstep::test::errata_test
