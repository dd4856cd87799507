#include "errata.hpp"

#include "reader.hpp"

namespace lockstep::cli::texts {
namespace {

Erratum erratum(Entry& entry) {
  Erratum made{.number = entry.heading(),
               .place = entry.take("place").text,
               .printed = entry.take("printed").text,
               .holds = entry.take("holds").text,
               .demonstrations = {}};
  for (const Field& field : entry.take_all({"shown by"})) {
    Quotation command = quotation(entry, field);
    if (command.said.empty()) entry.refuse(field, "a command must show something");
    made.demonstrations.push_back({std::move(command.command), std::move(command.said), command.exit_code});
  }
  entry.expect_no_more();
  return made;
}

}  // namespace

const std::vector<PaperErrata>& all_errata() {
  static const std::vector<PaperErrata> all = [] {
    std::vector<PaperErrata> papers;
    for (Entry& entry : entries_below("errata/")) {
      if (entry.level() == 2) {
        papers.back().errata.push_back(erratum(entry));
        continue;
      }
      const auto open = entry.take_if_any("open");
      entry.expect_no_more();
      papers.push_back({.paper = std::string(stem(entry.path())),
                        .title = entry.heading(),
                        .errata = {},
                        .open = open ? open->text : ""});
    }
    return papers;
  }();
  return all;
}

}  // namespace lockstep::cli::texts
