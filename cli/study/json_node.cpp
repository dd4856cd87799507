#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "lockstep/machines/input_file.hpp"
#include "study_node.hpp"

namespace lockstep::cli::study {
namespace {

using StudyJson = nlohmann::ordered_json;

std::size_t line_at(std::string_view text, std::size_t place) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, place), '\n'));
}

/// The lines of all names in objects, in the order of a valid text: a name is a string before a colon.
std::vector<std::size_t> lines_of_names(std::string_view text) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  std::size_t line_of_text = 0;  // of the string that was just read; 0 if that was something else
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '"') {
      line_of_text = line;
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    } else if (letter == ':' && line_of_text != 0) {
      lines.push_back(line_of_text);
    }
    if (letter == '\n') ++line;
    const bool is_space = letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t';
    if (letter != '"' && !is_space) line_of_text = 0;
  }
  return lines;
}

std::size_t names_in(const StudyJson& json) {
  std::size_t names = json.is_object() ? json.size() : 0;
  if (json.is_structured()) {
    for (const StudyJson& item : json) names += names_in(item);
  }
  return names;
}

/// Makes nodes in the order of the text, whose names have these lines.
class JsonNodes {
 public:
  explicit JsonNodes(std::vector<std::size_t> lines) : lines_(std::move(lines)) {}

  StudyNode node_of(const StudyJson& json) {
    using Kind = StudyNode::Kind;
    if (json.is_string()) return made(Kind::text, json.get<std::string>());
    if (json.is_boolean()) return made(Kind::truth, json.dump());
    if (json.is_number_float()) return made(Kind::number, host::all_digits(json.get<double>()));
    if (json.is_number()) return made(Kind::number, json.dump());
    StudyNode node = made(json.is_array() ? Kind::list : Kind::table, "");
    if (json.is_null()) throw StudyMistake(line_, "null has no meaning here");
    if (json.is_array()) {
      for (const StudyJson& item : json) node.items.push_back(node_of(item));
      return node;
    }
    for (const auto& [name, value] : json.items()) {
      line_ = lines_.at(next_++);
      node.members.emplace_back(name, node_of(value));
    }
    return node;
  }

 private:
  StudyNode made(StudyNode::Kind kind, std::string text) const {
    return {.kind = kind, .line = line_, .text = std::move(text)};
  }

  std::vector<std::size_t> lines_;
  std::size_t next_ = 0;
  std::size_t line_ = 1;  // of the name that was just read
};

}  // namespace

StudyNode json_node(std::string_view text) {
  if (json_depth(text) > most_json_depth) throw StudyMistake(1, "has brackets within too many others");
  StudyJson json;
  try {
    json = StudyJson::parse(text);
  } catch (const StudyJson::parse_error& error) {
    throw StudyMistake(line_at(text, error.byte == 0 ? 0 : error.byte - 1), "is not JSON");
  }
  if (!json.is_object()) throw StudyMistake(1, "is not a JSON object");
  std::vector<std::size_t> lines = lines_of_names(text);
  if (lines.size() != names_in(json)) throw StudyMistake(1, "has an object in which a name occurs twice");
  return JsonNodes(std::move(lines)).node_of(json);
}

}  // namespace lockstep::cli::study
