#include "explain_command.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/joined.hpp"
#include "host/output_file.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/embedding.hpp"
#include "lockstep/machines/input_error.hpp"
#include "report/json_report.hpp"
#include "run/run_plan.hpp"
#include "texts/topic.hpp"

namespace lockstep::cli::learn {
namespace {

using Json = nlohmann::ordered_json;
using texts::Topic;
using texts::TopicKind;
using texts::topics;

std::string heading_of(const texts::Topic& topic) {
  return topic.kind == texts::TopicKind::method ? topic.name + " on " + host::joined(topic.families) : topic.name;
}

std::string text_of(const std::vector<texts::Topic>& chosen) {
  constexpr std::size_t indent = 13;
  const host::Style style = host::Style::of_output();
  const std::size_t width = host::line_width();
  std::string text;
  for (const texts::Topic& topic : chosen) {
    const std::string heading = heading_of(topic);
    const std::string kind(name(topic.kind));
    text += (text.empty() ? "" : "\n") + style.heading(heading) + " (" + kind + ")\n";
    if (!topic.summary.empty()) text += host::wrapped("", topic.summary, 2, width);
    std::vector<std::string> also = topic.also;
    std::erase(also, topic.name);
    if (!also.empty()) text += host::wrapped("  also", host::joined(also), indent, width);
    for (const auto& [title, section] : topic.sections) {
      const std::string label = "  " + title;
      // A long title, the name of a method, gets its own line.
      text += label.size() < indent ? host::wrapped(label, section, indent, width)
                                    : "\n" + label + "\n" + host::wrapped("", section, indent, width);
    }
  }
  return text;
}

/// The method of a machine embedded in another, the host, with what that means. Throws InputError if the machine does
/// not have the method or cannot be embedded, and MachineSpecError.
Topic topic_of(const run::MethodOnMachine& named, const std::optional<MachineSpec>& host) {
  const MachineSpec guest = parse_machine(named.machine);
  Topic topic = texts::topic_of(find_method(named.method, guest.family));
  const std::string name = printable(guest.text);
  if (guest.medium) {
    throw InputError(name + " has no links and cannot be embedded; lockstep explain " + topic.name + " --machine " +
                     name + " explains the method there");
  }
  const std::string where = host ? printable(host->text) : "the machine of --machine";
  std::string text = "The method runs on " + name + ", which is embedded in " + where +
                     ": each processor of the one is a processor of the other, and what it sends over a link of " +
                     name + " goes there over one link or several. Ranks, such as a root, are those of " + name + ".";
  if (host) {
    text += embedding(guest.text, *host).is_subgraph
                ? " Every link of it is a link of " + where + ", so the counts are those on " + name + "."
                : " Not every link of it is a link of " + where + ", so a step can take several there.";
    text += " `lockstep info " + where + " --embed " + name + "` shows the places.";
  }
  topic.sections.insert(topic.sections.begin(), {"embedded", text});
  return topic;
}

std::vector<Topic> topics_asked_for(const std::string& name, const std::optional<MachineSpec>& machine) {
  if (name.empty()) return topics();
  if (const auto named = run::method_on_machine(name)) return {topic_of(*named, machine)};
  return texts::topics_called(name, machine);
}

/// The names of all topics of a kind, each once.
std::vector<std::string> names_of(texts::TopicKind kind) {
  std::vector<std::string> names;
  for (const texts::Topic& topic : texts::topics()) {
    if (topic.kind == kind && std::ranges::find(names, topic.name) == names.end()) names.push_back(topic.name);
  }
  return names;
}

std::string overview() {
  const std::size_t width = host::line_width();
  std::string text =
      host::Style::of_output().heading("What can be explained") + " (lockstep explain NAME, with - for a space)\n";
  for (const auto& [kind, title] : {std::pair(texts::TopicKind::operation, "operations"),
                                    {texts::TopicKind::machine, "machines"},
                                    {texts::TopicKind::term, "terms"},
                                    {texts::TopicKind::parameter, "parameters"},
                                    {texts::TopicKind::error, "errors"},
                                    {texts::TopicKind::method, "methods"}}) {
    text += "\n" + host::wrapped(std::string("  ") + title, host::joined(names_of(kind)), 14, width);
  }
  return text;
}

Json json_of(const std::vector<texts::Topic>& chosen) {
  Json list = Json::array();
  for (const texts::Topic& topic : chosen) {
    list.push_back({{"kind", name(topic.kind)},
                    {"name", topic.name},
                    {"also", topic.also},
                    {"families", topic.families},
                    {"summary", topic.summary},
                    {"sections", texts::json_sections(topic.sections)}});
  }
  return {{"lockstep", host::version}, {"schema", host::schema}, {"topics", list}};
}

}  // namespace

int explain_command(const ExplainArguments& arguments) {
  const auto& [topic, machine, json] = arguments;
  if (topic.empty() && machine) throw InputError("--machine chooses among methods of a name, and none is given");
  const auto spec = machine ? std::optional(parse_machine(*machine)) : std::nullopt;
  const std::vector<texts::Topic> chosen = topics_asked_for(topic, spec);
  host::begin_outputs();
  if (json) {
    host::OutputFile(*json).write(report::json_text(json_of(chosen)));
  } else {
    host::write_output(topic.empty() ? overview() : text_of(chosen));
  }
  return host::verified;
}

}  // namespace lockstep::cli::learn
