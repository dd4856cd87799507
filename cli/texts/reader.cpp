#include "reader.hpp"

#include <algorithm>
#include <charconv>

namespace lockstep::cli::texts {
namespace {

constexpr std::string_view indentation = "    ";

/// The length of the label with which a line begins, up to its colon; 0 if it does not begin with one.
std::size_t label_length(std::string_view line) {
  const auto belongs = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == ' ' || letter == '-';
  };
  const auto colon = static_cast<std::size_t>(std::ranges::find_if_not(line, belongs) - line.begin());
  const bool is_label = colon > 0 && line[0] >= 'a' && line[colon - 1] != ' ' && line.substr(colon, 1) == ":";
  return is_label && (colon + 1 == line.size() || line[colon + 1] == ' ') ? colon : 0;
}

std::string_view without_spaces_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

class TextReader {
 public:
  explicit TextReader(const TextFile& file) : path_(file.path) {}

  void read(std::string_view line) {
    ++line_;
    if (!line.empty() && line.back() == ' ') refuse("a space at the end of the line");
    if (line.starts_with("<!--")) {
      if (!line.ends_with("-->")) refuse("a comment of more than one line");
    } else if (line.starts_with("# ") || line.starts_with("## ")) {
      begin_entry(line);
    } else if (line.empty()) {
      place_ = Place::between;
    } else if (line.starts_with(indentation)) {
      add_code(line.substr(indentation.size()));
    } else if (place_ == Place::in_field) {
      entries_.back().last().text += " " + std::string(without_spaces_before(line));
    } else {
      begin_field(line);
    }
  }

  std::vector<Entry> entries() { return std::move(entries_); }

 private:
  enum class Place { in_head, between, in_field };

  [[noreturn]] void refuse(const std::string& reason) const { throw TextError(path_, line_, reason); }

  void begin_entry(std::string_view line) {
    const std::size_t level = line.find(' ');
    if (level == 2 && entries_.empty()) refuse("'##' belongs to an entry of '#', and there is none");
    entries_.emplace_back(path_, line_, level, std::string(line.substr(level + 1)));
    place_ = Place::in_head;
  }

  void begin_field(std::string_view line) {
    if (entries_.empty()) refuse("a text before the first heading");
    const std::size_t length = label_length(line);
    if (length == 0) refuse("no label, as in 'idea: ..', begins this paragraph");
    entries_.back().add({.label = std::string(line.substr(0, length)),
                         .text = std::string(without_spaces_before(line.substr(length + 1))),
                         .code = {},
                         .line = line_});
    if (place_ == Place::between) place_ = Place::in_field;
  }

  void add_code(std::string_view line) {
    if (place_ != Place::between) refuse("code must follow a blank line");
    if (entries_.empty() || !entries_.back().has_fields()) refuse("code that belongs to no field");
    // The lines of a block are consecutive, so the place stays the same.
    entries_.back().last().code.emplace_back(line);
  }

  std::string_view path_;
  std::size_t line_ = 0;
  Place place_ = Place::between;
  std::vector<Entry> entries_;
};

}  // namespace

Field Entry::take(std::string_view label) {
  std::optional<Field> field = take_if_any(label);
  if (!field) refuse("'" + heading_ + "' has no field '" + std::string(label) + "'");
  return *std::move(field);
}

std::optional<Field> Entry::take_if_any(std::string_view label) {
  std::vector<Field> all = take_all({label});
  if (all.size() > 1) refuse(all[1], "a second field '" + std::string(label) + "'");
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

std::vector<Field> Entry::take_all(std::initializer_list<std::string_view> labels) {
  const auto rest = std::ranges::stable_partition(
      fields_, [&](const Field& field) { return std::ranges::find(labels, field.label) == labels.end(); });
  std::vector<Field> taken(std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  fields_.erase(rest.begin(), rest.end());
  for (const Field& field : taken) {
    if (field.text.empty()) refuse(field, "no text follows '" + field.label + ":'");
  }
  return taken;
}

void Entry::expect_no_more() const {
  if (has_fields()) refuse(fields_.front(), "no field of this kind of text is named '" + fields_.front().label + "'");
}

std::vector<Entry> entries_of(const TextFile& file) {
  TextReader reader(file);
  std::string_view rest = file.content;
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    reader.read(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return reader.entries();
}

std::vector<Entry> entries_below(std::string_view path) {
  std::vector<Entry> entries;
  for (const TextFile& file : files()) {
    if (file.path.starts_with(path)) std::ranges::move(entries_of(file), std::back_inserter(entries));
  }
  if (entries.empty()) throw TextError(path, 0, "no such text");
  return entries;
}

std::string_view stem(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

Quotation quotation(const Entry& entry, const Field& field) {
  constexpr std::string_view program = "`lockstep ", exit_code = " (exit code ";
  const std::string_view text = field.text;
  const std::size_t end = text.find('`', 1);
  if (!text.starts_with(program) || end == std::string_view::npos) {
    entry.refuse(field, "'" + field.label + "' must begin with a command, as in '`lockstep list`: ..'");
  }
  Quotation quotation{.command = std::string(text.substr(program.size(), end - program.size())), .said = {}};
  std::string_view said = text.substr(end + 1);
  if (const std::size_t code = said.rfind(exit_code); code != std::string_view::npos && said.ends_with(')')) {
    const std::string_view number = said.substr(code + exit_code.size());
    std::from_chars(number.data(), number.data() + number.size(), quotation.exit_code);
    said = said.substr(0, code);
  }
  if (!said.empty() && !said.starts_with(": ")) entry.refuse(field, "a colon must follow the command");
  if (!said.empty()) quotation.said = said.substr(2);
  return quotation;
}

}  // namespace lockstep::cli::texts
