#include "topic.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/machines/machine_family.hpp"

namespace lockstep::cli::texts {
namespace {

/// Adds a section unless its text is empty.
void add(std::vector<Section>& sections, std::string_view title, std::string_view text) {
  if (!text.empty()) sections.push_back({std::string(title), std::string(text)});
}

Topic topic_of(TopicKind kind, const Explanation& text) {
  return {.kind = kind, .name = text.name, .also = text.also, .summary = {}, .families = {}, .sections = text.sections};
}

Topic topic_of_operation(const Explanation& operation) {
  Topic topic = topic_of(TopicKind::operation, operation);
  topic.summary = operation.also.empty() ? "an operation that MPI does not have" : "an operation of MPI";
  for (const Method* method : catalogue()) {
    if (method->operation != operation.name) continue;
    add(topic.sections, method->name, "on " + host::joined(method->families) + ": " + std::string(method->summary));
  }
  return topic;
}

Topic topic_of(const MachineFamily& family) {
  Topic topic{TopicKind::machine, family.name, {}, family.summary, {}, {}};
  add(topic.sections, "written", family.form + ", " + family.limits + "; e.g. " + family.example);
  const auto text = std::ranges::find(machine_texts(), family.name, &Explanation::name);
  if (text == machine_texts().end()) return topic;
  for (const auto& [title, said] : text->sections) {
    if (title == "try") add(topic.sections, "port p", family.ports);
    add(topic.sections, title, said);
  }
  return topic;
}

Topic topic_of(const SettingFlag& flag) {
  Topic topic{TopicKind::parameter, std::string(flag.name), {}, std::string(flag.description), {}, {}};
  add(topic.sections, "written", flag.flag() + (flag.type.empty() ? "" : " " + std::string(flag.type)));
  std::vector<std::string_view> names;
  for (const Method* method : catalogue()) {
    if (flags::takes(*method, flag.name) && (names.empty() || names.back() != method->name))
      names.push_back(method->name);
  }
  std::string takers = flag.name == "seed" ? "all methods" : host::joined(names);
  if (flags::takes(replay_method(), flag.name) && names.empty()) takers = "file:FILE, if that is a trace or GOAL";
  add(topic.sections, "taken by", takers);
  return topic;
}

Topic topic_of_error(const Explanation& error) {
  Topic topic = topic_of(TopicKind::error, error);
  topic.summary = "a kind of error with which a run ends";
  return topic;
}

/// Names match in upper or lower case, and "port-model" is "port model".
bool is_called_so(std::string_view known, std::string_view name) {
  std::string with_spaces(name), known_with_spaces(known);
  for (std::string* text : {&with_spaces, &known_with_spaces}) std::ranges::replace(*text, '-', ' ');
  return is_same_name(known_with_spaces, with_spaces);
}

bool is_called_so(const Topic& topic, std::string_view name) {
  const auto is_it = [name](std::string_view known) { return is_called_so(known, name); };
  return is_it(topic.name) || std::ranges::any_of(topic.also, is_it);
}

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.push_back(topic.name);
  for (const Topic& topic : topics()) names.insert(names.end(), topic.also.begin(), topic.also.end());
  throw InputError("nothing to explain is called " + quoted(name) + did_you_mean(name, names) +
                   " (lockstep explain lists all topics)");
}

}  // namespace

Topic topic_of(const Method& method) {
  Topic topic{TopicKind::method, std::string(method.name), {method.aliases.begin(), method.aliases.end()}, {}, {}, {}};
  if (!is_called(method, own_name(method))) topic.also.emplace_back(own_name(method));
  topic.families.assign(method.families.begin(), method.families.end());
  topic.summary = method.summary;
  if (const Explanation* explanation = explanation_of(method)) topic.sections = explanation->sections;
  add(topic.sections, "source", method.source);
  return topic;
}

nlohmann::ordered_json json_sections(const std::vector<Section>& sections) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [title, text] : sections) list.push_back({{"title", title}, {"text", text}});
  return list;
}

std::string_view name(TopicKind kind) {
  constexpr std::array<std::string_view, 6> names{"operation", "machine", "term", "parameter", "error", "method"};
  return names[static_cast<std::size_t>(kind)];
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = [] {
    std::vector<Topic> made;
    for (const Explanation& operation : operation_texts()) made.push_back(topic_of_operation(operation));
    for (const MachineFamily& family : machine_families()) made.push_back(topic_of(family));
    for (const Explanation& term : term_texts()) made.push_back(topic_of(TopicKind::term, term));
    for (const SettingFlag& flag : setting_flags()) made.push_back(topic_of(flag));
    for (const Explanation& error : error_texts()) made.push_back(topic_of_error(error));
    for (const Method* method : catalogue()) made.push_back(topic_of(*method));
    return made;
  }();
  return all;
}

std::vector<Topic> topics_called(const std::string& name, const std::optional<MachineSpec>& machine) {
  std::vector<Topic> found;
  std::ranges::copy_if(topics(), std::back_inserter(found),
                       [&](const Topic& topic) { return is_called_so(topic, name); });
  if (found.empty()) refuse(name);
  if (!machine) return found;
  std::erase_if(found, [&](const Topic& topic) {
    return std::ranges::find(topic.families, machine->family) == topic.families.end();
  });
  if (found.empty()) throw InputError("no method called " + quoted(name) + " runs on " + machine->family);
  return found;
}

bool names_topic(std::string_view name) {
  return std::ranges::any_of(topics(), [name](const Topic& topic) { return is_called_so(topic, name); });
}

}  // namespace lockstep::cli::texts
