#include "program.hpp"

#include <algorithm>

#include "texts/reader.hpp"

namespace lockstep::cli::texts::pseudo_code {
namespace {

const std::vector<Entry>& written_programs() {
  static const std::vector<Entry> all = entries_below("pseudo_code/");
  return all;
}

/// A line of the text file.
struct Written {
  std::string_view text;
  std::string_view name;  ///< empty if it has none
  std::string_view only;  ///< the case to which it is limited; empty: all
};

Written written(std::string_view line) {
  constexpr std::string_view arrow = "  <- ", comma = ", ", condition = "if ";
  const std::size_t at = line.rfind(arrow);
  if (at == std::string_view::npos) return {line, {}, {}};
  std::string_view behind = line.substr(at + arrow.size()), name;
  if (!behind.starts_with(condition)) {
    const std::size_t end = std::min(behind.find(comma), behind.size());
    name = behind.substr(0, end);
    behind.remove_prefix(std::min(end + comma.size(), behind.size()));
  }
  return {line.substr(0, at), name, behind.substr(std::min(condition.size(), behind.size()))};
}

}  // namespace

ProgramText::ProgramText(std::string_view heading, const std::vector<std::string_view>& cases,
                         const std::map<std::string, std::string>& values)
    : heading_(heading) {
  const auto found = std::ranges::find(written_programs(), heading, &Entry::heading);
  if (found == written_programs().end()) throw TextError("pseudo_code", 0, "no program is named '" + heading_ + "'");
  Entry entry = *found;
  Field why = entry.take("why");
  entry.expect_no_more();
  why_ = std::move(why.text);
  for (const std::string_view one : cases) {
    if (std::ranges::none_of(why.code, [one](const std::string& line) { return written(line).only == one; })) {
      entry.refuse(why, "no line is for the case '" + std::string(one) + "'");
    }
  }
  for (const std::string& one : why.code) {
    const auto [text, name, only] = written(one);
    if (!only.empty() && std::ranges::find(cases, only) == cases.end()) continue;
    if (!name.empty() && !names_.emplace(name, lines_.size()).second) {
      entry.refuse(why, "two lines are named '" + std::string(name) + "'");
    }
    std::string line(text);
    for (const auto& [variable, value] : values) {
      const std::string braced = "{" + variable + "}";
      if (const std::size_t at = line.find(braced); at != std::string::npos) line.replace(at, braced.size(), value);
    }
    lines_.push_back(std::move(line));
  }
}

std::size_t ProgramText::line(std::string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) {
    throw TextError("pseudo_code", 0, "no line of '" + heading_ + "' is called '" + std::string(name) + "'");
  }
  return found->second;
}

}  // namespace lockstep::cli::texts::pseudo_code
