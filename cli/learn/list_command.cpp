#include "list_command.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "flags/setting_flags.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/machines/cost_presets.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "report/json_report.hpp"
#include "run/method_choice.hpp"
#include "texts/explanations.hpp"

namespace lockstep::cli::learn {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string>& list_names() {
  static const std::vector<std::string> names{"machines", "algorithms", "presets"};
  return names;
}

/// The requested lists.
struct ShownLists {
  std::optional<std::vector<MachineFamily>> families;
  std::optional<std::vector<const Method*>> methods;
  std::optional<std::vector<CostPreset>> presets;
};

Json json_machines(const std::vector<MachineFamily>& families) {
  Json machines = Json::array();
  for (const MachineFamily& family : families) {
    machines.push_back({{"family", family.name},
                        {"form", family.form},
                        {"limits", family.limits},
                        {"example", family.example},
                        {"summary", family.summary},
                        {"ports", family.ports}});
  }
  return machines;
}

std::string_view name_of(ValueForm form) {
  switch (form) {
    case ValueForm::none:
      return "flag";
    case ValueForm::number:
      return "number";
    case ValueForm::rank:
      return "rank";
    case ValueForm::text:
      return "text";
    case ValueForm::choice:
      return "choice";
    case ValueForm::on_off:
      return "switch";
    case ValueForm::sizes:
      return "sizes";
  }
  return "";
}

/// The values that a parameter may have, as far as they are known without a machine; null where they are not.
Json json_parameter(const Parameter& parameter) {
  const SettingFlag* const flag = flags::find_setting(parameter.name);  // each has one: entries are checked
  const ValueForm form = flag == nullptr ? ValueForm::text : flag->form;
  const auto& [brought, range, names] = parameter.brought;
  Json json{{"name", parameter.name},
            {"meaning", parameter.meaning},
            {"default", parameter.fallback},
            {"type", name_of(form)},
            {"least", Json()},
            {"most", Json()},
            {"default_value", Json()},
            {"choices", Json()}};
  if (brought == BroughtType::number) {
    json["least"] = range.least;
    if (range.most != most_words) json["most"] = range.most;
    json["default_value"] = range.otherwise;
  } else if (brought == BroughtType::choice) {
    json["default_value"] = names.front();
    json["choices"] = std::vector<std::string>(names.begin(), names.end());
  } else if (form == ValueForm::on_off) {
    json["choices"] = {"on", "off"};
  }
  return json;
}

Json json_algorithms(const std::vector<const Method*>& methods) {
  Json algorithms = Json::array();
  for (const Method* method : methods) {
    Json parameters = Json::array();
    for (const Parameter& parameter : method->parameters) parameters.push_back(json_parameter(parameter));
    Json port_models = Json::array();
    for (const PortModel ports : method->port_models) port_models.push_back(name(ports));
    Json forms = Json::array();
    for (const Duplex duplex : duplex_forms(*method)) forms.push_back(name(duplex));
    algorithms.push_back({{"name", method->name},
                          {"operation", method->operation},
                          {"known_as", method->known_as},
                          {"aliases", method->aliases},
                          {"families", method->families},
                          {"source", method->source},
                          {"summary", method->summary},
                          {"parameters", parameters},
                          {"defaults", report::json_rules(method->defaults)},
                          {"port_models", port_models},
                          {"duplex_forms", forms},
                          {"combines", method->combines}});
  }
  return algorithms;
}

Json json_presets(const std::vector<CostPreset>& chosen) {
  Json presets = Json::array();
  for (const CostPreset& preset : chosen) {
    const CostModel& cost = preset.cost;
    presets.push_back({{"name", preset.name},
                       {"machine", preset.machine},
                       {"units", preset.units()},
                       {"time_unit", preset.time_unit},
                       {"beta", cost.beta},
                       {"tau", cost.tau},
                       {"max_packet_words", cost.max_packet_words == 0 ? Json() : Json(cost.max_packet_words)},
                       {"copy_cost", cost.copy_cost},
                       {"source", preset.source}});
  }
  return presets;
}

/// Writes text tables.
class Tables {
 public:
  Tables(const host::Style& style, std::size_t width) : style_(style), width_(width) {}

  std::string machines(const std::vector<MachineFamily>& families) const {
    std::string text = titled("Machines", 9, "(--machine, lockstep info)");
    for (const MachineFamily& family : families) {
      const std::string heading = "  " + family.form;
      text += "\n" + titled(heading, std::max<std::size_t>(24, heading.size() + 1), family.summary);
      text += row("", family.limits + "; e.g. " + family.example);
      text += row("", "port p: " + family.ports);
    }
    return text;
  }

  std::string algorithms(const std::vector<const Method*>& methods) const {
    std::string text = titled("Algorithms", 11, "(--algorithm; all take --seed too, the seed of the data)");
    for (const Method* method : methods) text += algorithm(*method);
    return text + (methods.empty() ? "\n  none\n" : "");
  }

  std::string presets(const std::vector<CostPreset>& chosen) const {
    std::string text = titled("Cost presets", 13, "(--preset)");
    for (const CostPreset& preset : chosen) {
      const std::string heading = "  " + std::string(preset.name) + ":";
      text += "\n" + titled(heading, heading.size() + 1, std::string(preset.machine) + "; " + preset.units());
      text += indented(flags_of(preset.cost));
      text += indented("source: " + std::string(preset.source));
    }
    return text;
  }

 private:
  std::string algorithm(const Method& method) const {
    const auto called = [](auto element) { return name(element); };
    const std::string heading = "  " + std::string(method.name);
    const texts::Explanation* operation = texts::text_of_operation(method.operation);
    const bool in_mpi = operation != nullptr && !operation->also.empty();
    std::string text = "\n" + titled(heading, heading.size() + 1, "on " + host::joined(method.families));
    text += indented(method.summary);
    const std::string in_paper =
        method.known_as.empty() ? "" : ", \"" + std::string(method.known_as) + "\" (in the paper)";
    text += row("operation", std::string(method.operation) + (in_mpi ? " (MPI)" : "") + in_paper);
    if (!method.aliases.empty()) text += row("alias", host::joined(method.aliases));
    text += row("source", method.source);
    text += row("port models",
                host::joined(method.port_models, called) + "; default " + std::string(name(method.defaults.ports)));
    text += row("duplex",
                host::joined(duplex_forms(method), called) + "; default " + std::string(name(method.defaults.duplex)));
    for (const Parameter& parameter : method.parameters) {
      text += row("--" + std::string(parameter.name),
                  std::string(parameter.meaning) + " (default " + std::string(parameter.fallback) + ")");
    }
    return text;
  }

  /// A text after a heading, whose colour codes take no columns.
  std::string titled(std::string_view heading, std::size_t indent, std::string_view text) const {
    return style_.heading(host::left(heading, indent)) + host::wrapped("", text, indent, width_).substr(indent);
  }
  std::string row(std::string_view label, std::string_view text) const {
    return host::wrapped("      " + std::string(label), text, 24, width_);
  }
  std::string indented(std::string_view text) const { return host::wrapped("", text, 6, width_); }

  const host::Style& style_;
  std::size_t width_;
};

/// The entry with the name, or all if the name is empty.
template <class Entry>
std::vector<Entry> named(const std::string& list, const std::string& name, std::span<const Entry> entries) {
  if (name.empty()) return {entries.begin(), entries.end()};
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (entry.name == name) return {entry};
    names.emplace_back(entry.name);
  }
  refuse_choice("list " + list, name, names);
}

ShownLists lists_of(const ListArguments& arguments) {
  const auto& [what, name, operation, machine, json] = arguments;
  if (!what.empty() && !names_list(what)) refuse_choice("list", what, list_names());
  const bool only_algorithms = operation || machine;
  if (only_algorithms && !what.empty() && what != "algorithms") {
    throw InputError(std::string(operation ? "--operation" : "--machine") + " selects algorithms, not " + what);
  }
  const auto wants = [&, what = what](const char* list) { return what.empty() ? !only_algorithms : what == list; };
  ShownLists lists;
  if (wants("machines")) lists.families = named<MachineFamily>(what, name, machine_families());
  if (wants("algorithms") || only_algorithms) lists.methods = run::methods_of({name, operation, machine});
  if (wants("presets")) lists.presets = named<CostPreset>(what, name, cost_presets());
  return lists;
}

}  // namespace

std::string flags_of(const CostModel& cost) {
  std::string flags = "--beta " + host::short_number(cost.beta) + " --tau " + host::short_number(cost.tau);
  if (cost.max_packet_words != 0) flags += " --max-packet " + std::to_string(cost.max_packet_words);
  if (cost.copy_cost != 0) flags += " --copy-cost " + host::short_number(cost.copy_cost);
  return flags;
}

bool names_list(std::string_view name) { return std::ranges::find(list_names(), name) != list_names().end(); }

int list_command(const ListArguments& arguments) {
  const ShownLists lists = lists_of(arguments);
  host::begin_outputs();
  if (arguments.json) {
    host::OutputFile file(*arguments.json);
    Json document{{"lockstep", host::version}, {"schema", host::schema}};
    if (lists.families) document["machines"] = json_machines(*lists.families);
    if (lists.methods) document["algorithms"] = json_algorithms(*lists.methods);
    if (lists.presets) document["presets"] = json_presets(*lists.presets);
    file.write(report::json_text(document));
    return host::verified;
  }
  const host::Style style = host::Style::of_output();
  const Tables tables(style, host::line_width());
  std::string text;
  const auto add = [&text](const std::string& table) { text += (text.empty() ? "" : "\n") + table; };
  if (lists.families) add(tables.machines(*lists.families));
  if (lists.methods) add(tables.algorithms(*lists.methods));
  if (lists.presets) add(tables.presets(*lists.presets));
  host::write_output(text);
  return host::verified;
}

}  // namespace lockstep::cli::learn
