#include "list_command.hpp"

#include "exit_code.hpp"
#include "json_report.hpp"
#include "lockstep/machines/cost_presets.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "number_text.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "version.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t line_width = 100;

template <class Range, class TextOf>
std::string joined(const Range& range, TextOf text_of) {
  std::string text;
  for (const auto& element : range) text += (text.empty() ? "" : ", ") + std::string(text_of(element));
  return text;
}

Json json_machines() {
  Json machines = Json::array();
  for (const MachineFamily& family : machine_families()) {
    machines.push_back({{"family", family.name},
                        {"form", family.form},
                        {"limits", family.limits},
                        {"example", family.example},
                        {"summary", family.summary},
                        {"ports", family.ports}});
  }
  return machines;
}

Json json_algorithms() {
  Json algorithms = Json::array();
  for (const Method* method : catalogue()) {
    Json parameters = Json::array();
    for (const Parameter& parameter : method->parameters) {
      parameters.push_back({{"name", parameter.name}, {"meaning", parameter.meaning}, {"default", parameter.fallback}});
    }
    Json port_models = Json::array();
    for (const PortModel ports : method->port_models) port_models.push_back(name(ports));
    algorithms.push_back({{"name", method->name},
                          {"operation", method->operation},
                          {"known_as", method->known_as},
                          {"families", method->families},
                          {"source", method->source},
                          {"summary", method->summary},
                          {"parameters", parameters},
                          {"defaults", json_rules(method->defaults)},
                          {"port_models", port_models}});
  }
  return algorithms;
}

Json json_presets() {
  Json presets = Json::array();
  for (const auto& [name, machine, units, cost, source] : cost_presets()) {
    presets.push_back({{"name", name},
                       {"machine", machine},
                       {"units", units},
                       {"beta", cost.beta},
                       {"tau", cost.tau},
                       {"max_packet_words", cost.max_packet_words == 0 ? Json() : Json(cost.max_packet_words)},
                       {"copy_cost", cost.copy_cost},
                       {"source", source}});
  }
  return presets;
}

std::string machine_table(const Style& style) {
  std::string text = style.heading("Machines") + " (--machine, lockstep info)\n";
  for (const MachineFamily& family : machine_families()) {
    // The heading is put in afterwards: its colour has letters that take no place.
    const std::string entry = wrapped("", family.summary, 24, line_width);
    text += "\n  " + style.heading(left(family.form, 22)) + entry.substr(24);
    text += wrapped("", std::string(family.limits) + "; e.g. " + std::string(family.example), 24, line_width);
    text += wrapped("", "port p: " + std::string(family.ports), 24, line_width);
  }
  return text;
}

std::string algorithm_entry(const Method& method, const Style& style) {
  const auto row = [](std::string_view label, std::string_view text) {
    return wrapped("      " + std::string(label), text, 24, line_width);
  };
  const auto same = [](std::string_view word) { return word; };
  const std::size_t indent = std::string_view("  ").size() + method.name.size() + std::string_view(" on ").size();
  std::string text = "\n  " + style.heading(method.name) + " on ";
  text += wrapped("", joined(method.families, same), indent, line_width).substr(indent);
  text += wrapped("", method.summary, 6, line_width);
  text += row("operation",
              std::string(method.operation) + " (MPI), \"" + std::string(method.known_as) + "\" (in the paper)");
  text += row("source", method.source);
  text += row("port models", joined(method.port_models, [](PortModel ports) { return name(ports); }) + "; default " +
                                 std::string(name(method.defaults.ports)));
  for (const Parameter& parameter : method.parameters) {
    text += row("--" + std::string(parameter.name),
                std::string(parameter.meaning) + " (default " + std::string(parameter.fallback) + ")");
  }
  return text;
}

std::string algorithm_table(const Style& style) {
  std::string text = style.heading("Algorithms") + " (--algorithm; all take --seed too, the seed of the data)\n";
  for (const Method* method : catalogue()) text += algorithm_entry(*method, style);
  return text;
}

std::string preset_table(const Style& style) {
  std::string text = style.heading("Cost presets") + " (--preset)\n";
  for (const auto& [name, machine, units, cost, source] : cost_presets()) {
    text += "\n  " + style.heading(name) + ": " + std::string(machine) + "; " + std::string(units) + "\n";
    text += "      --beta " + short_number(cost.beta) + " --tau " + short_number(cost.tau);
    if (cost.max_packet_words != 0) text += " --max-packet " + std::to_string(cost.max_packet_words);
    text += " --copy-cost " + short_number(cost.copy_cost) + "\n";
    text += "      source: " + std::string(source) + "\n";
  }
  return text;
}

}  // namespace

int list_command(const ListArguments& arguments) {
  std::optional<OutputFile> file;
  if (arguments.json) file.emplace(*arguments.json, OutputFile::Use::replace);
  if (file) {
    Json document{{"lockstep", version}};
    if (arguments.machines) document["machines"] = json_machines();
    if (arguments.algorithms) document["algorithms"] = json_algorithms();
    if (arguments.presets) document["presets"] = json_presets();
    file->write(json_text(document));
    return verified;
  }
  const Style style = Style::of_output();
  std::string text;
  const auto add = [&text](const std::string& table) { text += (text.empty() ? "" : "\n") + table; };
  if (arguments.machines) add(machine_table(style));
  if (arguments.algorithms) add(algorithm_table(style));
  if (arguments.presets) add(preset_table(style));
  write_output(text);
  return verified;
}

}  // namespace lockstep::cli
