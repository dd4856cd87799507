#include "errata_command.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "host/table.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "report/json_report.hpp"
#include "texts/errata.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;
using texts::all_errata;
using texts::Demonstration;
using texts::Erratum;
using texts::PaperErrata;

/// The papers with the errata that have the name, which is a paper's or an erratum's; empty if nothing has it.
std::vector<PaperErrata> chosen(std::string_view name) {
  std::vector<PaperErrata> papers;
  for (PaperErrata paper : all_errata()) {
    if (!name.empty() && !is_same_name(name, paper.paper)) {
      std::erase_if(paper.errata, [&](const Erratum& erratum) { return !is_same_name(name, erratum.number); });
      paper.open = {};
    }
    if (!paper.errata.empty()) papers.push_back(std::move(paper));
  }
  return papers;
}

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> names;
  std::string papers;
  for (const PaperErrata& paper : all_errata()) {
    names.emplace_back(paper.paper);
    papers += (papers.empty() ? "" : ", ") + names.back();
  }
  for (const PaperErrata& paper : all_errata()) {
    for (const Erratum& erratum : paper.errata) names.emplace_back(erratum.number);
  }
  const auto nearest = nearest_name(name, names);
  throw InputError("errata " + quoted(name) + " is not one of " + papers + ", nor a number such as J23" +
                   (nearest ? "; did you mean '" + *nearest + "'?" : ""));
}

std::string command_line(const Demonstration& demonstration) { return "lockstep " + demonstration.command; }

std::string said(const Demonstration& demonstration) {
  const std::string code = std::to_string(demonstration.exit_code);
  return demonstration.shows + (demonstration.exit_code == 0 ? "" : " (exit code " + code + ")");
}

std::string text_of(const std::vector<PaperErrata>& papers) {
  const Style style = Style::of_output();
  const std::size_t width = line_width();
  std::string text;
  for (const PaperErrata& paper : papers) {
    const auto row = [&](std::string_view label, std::string_view value) {
      return wrapped("       " + std::string(label), value, 17, width);
    };
    text += (text.empty() ? "" : "\n") + style.heading(paper.title) + " (" + std::string(paper.paper) + ")\n";
    for (const Erratum& erratum : paper.errata) {
      text += "\n" + style.heading(left("  " + std::string(erratum.number), 7));
      text += wrapped("", erratum.place, 7, width).substr(7) + row("printed", erratum.printed);
      text += row("holds", erratum.holds);
      for (const Demonstration& demonstration : erratum.demonstrations) {
        text += row("shown by", command_line(demonstration)) + row("", "-> " + said(demonstration));
      }
    }
    if (!paper.open.empty()) text += "\n" + wrapped("  open", paper.open, 7, width);
  }
  return text;
}

std::string markdown_of(const std::vector<PaperErrata>& papers) {
  std::string text;
  for (const PaperErrata& paper : papers) {
    std::vector<Column> columns;
    for (const char* heading : {"id", "where", "as printed", "what holds", "shown by"}) {
      columns.push_back({heading, true, {}});
    }
    for (const Erratum& erratum : paper.errata) {
      std::string demonstrations;
      for (const Demonstration& demonstration : erratum.demonstrations) {
        demonstrations += (demonstrations.empty() ? "`" : "; `") + command_line(demonstration) + "`: ";
        demonstrations += said(demonstration);
      }
      columns[0].cells.emplace_back(erratum.number);
      columns[1].cells.emplace_back(erratum.place);
      columns[2].cells.emplace_back(erratum.printed);
      columns[3].cells.emplace_back(erratum.holds);
      columns[4].cells.push_back(demonstrations);
    }
    text += (text.empty() ? "## " : "\n## ") + std::string(paper.title) + "\n\n" + markdown_table(columns);
    if (!paper.open.empty()) text += "\n" + wrapped("", "Open: " + std::string(paper.open), 0, 120);
  }
  return text;
}

Json json_of(const std::vector<PaperErrata>& papers) {
  Json list = Json::array();
  for (const PaperErrata& paper : papers) {
    Json errata = Json::array();
    for (const Erratum& erratum : paper.errata) {
      Json demonstrations = Json::array();
      for (const Demonstration& demonstration : erratum.demonstrations) {
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
  return {{"lockstep", version}, {"schema", schema}, {"papers", list}};
}

/// CLI11 takes the argument behind a bare --json for its value, which may be the name.
ErrataArguments in_order(ErrataArguments arguments) {
  if (arguments.name.empty() && arguments.json && names_errata(*arguments.json)) {
    arguments.name = *arguments.json;
    arguments.json = "-";
  }
  return arguments;
}

}  // namespace

bool names_errata(std::string_view name) { return !name.empty() && !chosen(name).empty(); }

int errata_command(const ErrataArguments& given) {
  const ErrataArguments arguments = in_order(given);
  const std::vector<PaperErrata> papers = chosen(arguments.name);
  if (papers.empty()) refuse(arguments.name);
  std::vector<NamedFile> named;
  if (arguments.markdown) named.push_back({"--markdown", *arguments.markdown});
  if (arguments.json) named.push_back({"--json", *arguments.json});
  refuse_shared_files(named, {});
  std::optional<OutputFile> markdown, json;
  if (arguments.markdown) markdown.emplace(*arguments.markdown);
  if (arguments.json) json.emplace(*arguments.json);
  begin_outputs();
  if (markdown) markdown->prepare(markdown_of(papers));
  if (json) json->prepare(json_text(json_of(papers)));
  const std::array outputs{pointer_to(markdown), pointer_to(json)};
  publish(outputs, [&] {
    if (!markdown && !json) write_output(text_of(papers));
  });
  return verified;
}

}  // namespace lockstep::cli
