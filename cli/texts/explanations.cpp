#include "explanations.hpp"

#include <algorithm>

#include "host/joined.hpp"
#include "reader.hpp"

namespace lockstep::cli::texts {
namespace {

/// The names in "beta, latency, alpha".
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(", ", begin), list.size());
    names.emplace_back(list.substr(begin, end - begin));
    begin = end + 2;
  }
  return names;
}

/// A section that the texts of a kind have.
struct Wanted {
  std::string_view title;
  bool is_optional = false;
};

Explanation explanation(Entry& entry, std::initializer_list<Wanted> sections) {
  Explanation made{.name = entry.heading(), .families = {}, .also = {}, .sections = {}};
  for (const auto& [title, is_optional] : sections) {
    if (is_optional) {
      if (auto field = entry.take_if_any(title)) made.sections.push_back({std::string(title), std::move(field->text)});
    } else {
      made.sections.push_back({std::string(title), entry.take(title).text});
    }
  }
  entry.expect_no_more();
  return made;
}

std::vector<Explanation> explanations(std::string_view path, std::initializer_list<Wanted> sections) {
  std::vector<Explanation> made;
  for (Entry& entry : entries_below(path)) {
    std::vector<std::string> also;
    if (const auto mpi = entry.take_if_any("mpi")) also.push_back(mpi->text);
    if (const auto names = entry.take_if_any("also")) also = names_in(names->text);
    made.push_back(explanation(entry, sections));
    made.back().also = std::move(also);
  }
  return made;
}

/// The heading is "broadcast/direct on bus", in the file named after the method.
Explanation method_explanation(Entry& entry) {
  Explanation made = explanation(entry, {{"idea"}, {"invariant"}, {"count"}, {"use"}, {"paper"}, {"exercise"}});
  constexpr std::string_view on = " on ";
  if (const std::size_t at = made.name.find(on); at != std::string::npos) {
    made.families = made.name.substr(at + on.size());
    made.name.resize(at);
  }
  if (entry.path() != "methods/" + made.name + ".md") entry.refuse("the text of " + made.name + " is in another file");
  return made;
}

}  // namespace

std::string_view Explanation::text(std::string_view title) const {
  const auto found = std::ranges::find(sections, title, &Section::title);
  return found == sections.end() ? std::string_view() : found->text;
}

const std::vector<Explanation>& method_texts() {
  static const std::vector<Explanation> all = [] {
    std::vector<Explanation> made;
    for (Entry& entry : entries_below("methods/")) made.push_back(method_explanation(entry));
    return made;
  }();
  return all;
}

const std::vector<Explanation>& operation_texts() {
  static const auto all = explanations("operations.md", {{"what"}});
  return all;
}

const std::vector<Explanation>& machine_texts() {
  static const auto all = explanations("machines.md", {{"built"}, {"why"}, {"distances"}, {"routing"}, {"try", true}});
  return all;
}

const std::vector<Explanation>& term_texts() {
  static const auto all = explanations("terms.md", {{"meaning"}, {"try", true}});
  return all;
}

const std::vector<Explanation>& error_texts() {
  static const auto all = explanations("errors.md", {{"meaning"}, {"provoke"}, {"try", true}, {"mend"}});
  return all;
}

const Explanation* explanation_of(const Method& method) {
  const std::string families = host::joined(method.families);
  const auto found = std::ranges::find_if(method_texts(), [&](const Explanation& one) {
    return one.name == method.name && (one.families.empty() || one.families == families);
  });
  return found == method_texts().end() ? nullptr : &*found;
}

const Explanation* text_of_operation(std::string_view name) {
  const auto found = std::ranges::find(operation_texts(), name, &Explanation::name);
  return found == operation_texts().end() ? nullptr : &*found;
}

}  // namespace lockstep::cli::texts
