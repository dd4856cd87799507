#include "errata_command.hpp"

#include <nlohmann/json.hpp>
#include <vector>

#include "flags/report_files.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/joined.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "report/json_report.hpp"
#include "texts/errata.hpp"

namespace lockstep::cli::learn {
namespace {

using Json = nlohmann::ordered_json;
using texts::all_errata;
using texts::Demonstration;
using texts::Erratum;
using texts::PaperErrata;

/// The papers and errata of that name, which is a paper's or an erratum's; empty if there are none.
std::vector<texts::PaperErrata> chosen(std::string_view name) {
  std::vector<texts::PaperErrata> papers;
  for (texts::PaperErrata paper : texts::all_errata()) {
    if (!name.empty() && !is_same_name(name, paper.paper)) {
      std::erase_if(paper.errata, [&](const texts::Erratum& erratum) { return !is_same_name(name, erratum.number); });
      paper.open = {};
    }
    if (!paper.errata.empty()) papers.push_back(std::move(paper));
  }
  return papers;
}

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> names;
  for (const texts::PaperErrata& paper : texts::all_errata()) names.emplace_back(paper.paper);
  const std::string papers = host::joined(names);
  for (const texts::PaperErrata& paper : texts::all_errata()) {
    for (const texts::Erratum& erratum : paper.errata) names.emplace_back(erratum.number);
  }
  throw InputError("errata " + quoted(name) + " is not one of " + papers + ", nor a number such as J23" +
                   did_you_mean(name, names));
}

std::string command_line(const texts::Demonstration& demonstration) { return "lockstep " + demonstration.command; }

std::string said(const texts::Demonstration& demonstration) {
  const std::string code = std::to_string(demonstration.exit_code);
  return demonstration.shows + (demonstration.exit_code == 0 ? "" : " (exit code " + code + ")");
}

std::string text_of(const std::vector<texts::PaperErrata>& papers) {
  const host::Style style = host::Style::of_output();
  const std::size_t width = host::line_width();
  std::string text;
  for (const texts::PaperErrata& paper : papers) {
    const auto row = [&](std::string_view label, std::string_view value) {
      return host::wrapped("       " + std::string(label), value, 17, width);
    };
    text += (text.empty() ? "" : "\n") + style.heading(paper.title) + " (" + std::string(paper.paper) + ")\n";
    for (const texts::Erratum& erratum : paper.errata) {
      text += "\n" + style.heading(host::left("  " + std::string(erratum.number), 7));
      text += host::wrapped("", erratum.place, 7, width).substr(7) + row("printed", erratum.printed);
      text += row("holds", erratum.holds);
      for (const texts::Demonstration& demonstration : erratum.demonstrations) {
        text += row("shown by", command_line(demonstration)) + row("", "-> " + said(demonstration));
      }
    }
    if (!paper.open.empty()) text += "\n" + host::wrapped("  open", paper.open, 7, width);
  }
  return text;
}

std::string markdown_of(const std::vector<texts::PaperErrata>& papers) {
  std::string text;
  for (const texts::PaperErrata& paper : papers) {
    std::vector<host::Column> columns;
    for (const char* heading : {"id", "where", "as printed", "what holds", "shown by"}) {
      columns.push_back({heading, true, {}});
    }
    for (const texts::Erratum& erratum : paper.errata) {
      std::string demonstrations;
      for (const texts::Demonstration& demonstration : erratum.demonstrations) {
        demonstrations += (demonstrations.empty() ? "`" : "; `") + command_line(demonstration) + "`: ";
        demonstrations += said(demonstration);
      }
      columns[0].cells.emplace_back(erratum.number);
      columns[1].cells.emplace_back(erratum.place);
      columns[2].cells.emplace_back(erratum.printed);
      columns[3].cells.emplace_back(erratum.holds);
      columns[4].cells.push_back(demonstrations);
    }
    text += (text.empty() ? "## " : "\n## ") + std::string(paper.title) + "\n\n" + host::markdown_table(columns);
    if (!paper.open.empty()) text += "\n" + host::wrapped("", "Open: " + std::string(paper.open), 0, 120);
  }
  return text;
}

Json json_of(const std::vector<texts::PaperErrata>& papers) {
  Json list = Json::array();
  for (const texts::PaperErrata& paper : papers) {
    Json errata = Json::array();
    for (const texts::Erratum& erratum : paper.errata) {
      Json demonstrations = Json::array();
      for (const texts::Demonstration& demonstration : erratum.demonstrations) {
        demonstrations.push_back({{"command", command_line(demonstration)},
                                  {"shows", demonstration.shows},
                                  {"exit_code", demonstration.exit_code}});
      }
      errata.push_back({{"number", erratum.number},
                        {"place", erratum.place},
                        {"printed", erratum.printed},
                        {"holds", erratum.holds},
                        {"demonstrations", demonstrations}});
    }
    list.push_back({{"name", paper.paper},
                    {"title", paper.title},
                    {"errata", errata},
                    {"open", paper.open.empty() ? Json() : Json(paper.open)}});
  }
  return {{"lockstep", host::version}, {"schema", host::schema}, {"papers", list}};
}

}  // namespace

bool names_errata(std::string_view name) { return !name.empty() && !chosen(name).empty(); }

int errata_command(const ErrataArguments& arguments) {
  const std::vector<texts::PaperErrata> papers = chosen(arguments.name);
  if (papers.empty()) refuse(arguments.name);
  flags::ReportFiles files({.markdown = arguments.markdown, .csv = {}, .json = arguments.json}, {});
  host::begin_outputs();
  files.write(
      {.markdown = [&] { return markdown_of(papers); },
       .csv = {},
       .json = [&] { return report::json_text(json_of(papers)); }},
      [&] { return text_of(papers); }, arguments.markdown || arguments.json);
  return host::verified;
}

}  // namespace lockstep::cli::learn
