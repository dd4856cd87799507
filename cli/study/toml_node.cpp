// The one source that includes the reader of TOML, which is large: its headers alone, without its library.
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>

#include "host/number_text.hpp"
#include "study_node.hpp"

namespace lockstep::cli::study {
namespace {

std::size_t toml_line(const toml::source_region& source) { return source.begin.line; }

StudyNode node_of_toml(const toml::node& node);

/// The reader sorts the members by name; here they are in the order of the file.
StudyNode node_of_toml(const toml::table& table) {
  std::vector<std::pair<toml::source_position, std::pair<std::string, StudyNode>>> placed;
  for (const auto& [key, value] : table) {
    StudyNode member = node_of_toml(value);
    member.line = toml_line(key.source());
    placed.push_back({key.source().begin, {std::string(key.str()), std::move(member)}});
  }
  std::ranges::stable_sort(placed, [](const auto& one, const auto& other) { return one.first < other.first; });
  StudyNode made{.kind = StudyNode::Kind::table, .line = toml_line(table.source())};
  for (auto& [place, member] : placed) made.members.push_back(std::move(member));
  return made;
}

StudyNode node_of_toml(const toml::node& node) {
  using Kind = StudyNode::Kind;
  const std::size_t line = toml_line(node.source());
  if (const auto* const text = node.as_string()) return {.kind = Kind::text, .line = line, .text = text->get()};
  if (const auto* const truth = node.as_boolean()) {
    return {.kind = Kind::truth, .line = line, .text = truth->get() ? "true" : "false"};
  }
  if (const auto* const number = node.as_integer()) {
    return {.kind = Kind::number, .line = line, .text = std::to_string(number->get())};
  }
  if (const auto* const number = node.as_floating_point()) {
    return {.kind = Kind::number, .line = line, .text = host::all_digits(number->get())};
  }
  if (const auto* const table = node.as_table()) return node_of_toml(*table);
  if (const auto* const array = node.as_array()) {
    StudyNode made{.kind = Kind::list, .line = line};
    for (const toml::node& item : *array) made.items.push_back(node_of_toml(item));
    return made;
  }
  throw StudyMistake(line, "a date or a time has no meaning here");
}

}  // namespace

StudyNode toml_node(std::string_view text) {
  try {
    return node_of_toml(toml::parse(text));
  } catch (const toml::parse_error& error) {
    throw StudyMistake(error.source().begin.line, "is not TOML: " + std::string(error.description()));
  }
}

}  // namespace lockstep::cli::study
