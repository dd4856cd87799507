#include "info_command.hpp"

#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "embedding_report.hpp"
#include "fraction_text.hpp"
#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/joined.hpp"
#include "host/json_value.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/terminal.hpp"
#include "host/version.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph.hpp"
#include "lockstep/machines/graph_measures.hpp"
#include "lockstep/machines/graph_text.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "processes_info.hpp"
#include "report/json_report.hpp"
#include "run/memory_need.hpp"
#include "run/method_choice.hpp"
#include "run/process_group.hpp"
#include "status_table.hpp"

namespace lockstep::cli::machine {
namespace {

using Json = nlohmann::ordered_json;

/// The facts that `info` shows.
struct Info {
  MachineSpec machine;
  MachineFacts known;
  GraphMeasures measures{};
  std::string total_exchange_argument{};  ///< for its bound, where the known facts have a lower one or none
  std::uint64_t bytes;                    ///< needed by a run
  std::optional<run::TouchedMemory> touched;
  MemoryLimit limit;
  std::vector<std::string> methods;
  std::optional<ProcessesInfo> divided{};  ///< over processes, if requested

  bool fits() const { return bytes <= limit.available; }
};

Info info_of(const MachineSpec& machine, const std::optional<ProcessesInfo>& divided) {
  Info info{.machine = machine,
            .known = {},
            .bytes = 0,
            .touched = {},
            .limit = memory_limit(),
            .methods = {},
            .divided = divided};
  info.known = facts(info.machine);
  info.measures = graph_measures(info.machine);
  if (!info.known.bisection_width) info.known.bisection_width = info.measures.bisection_width;
  // With one port and messages of one block, the words in a row of an alltoall of one word are steps.
  const LowerBound total_exchange = bound_of_task("alltoall", 0, info.machine, Model{}, 1);
  if (total_exchange.longest_sum.value_or(0) > info.known.total_exchange_bound.value_or(0)) {
    info.known.total_exchange_bound = total_exchange.longest_sum;
    info.total_exchange_argument = total_exchange.longest_sum_argument;
  }
  info.bytes = run::machine_memory(info.machine, {});
  info.touched = run::touched_memory(info.machine, {});
  for (const Method* method : catalogue()) {
    if (run::runs_on(*method, info.machine)) info.methods.emplace_back(method->name);
  }
  return info;
}

Json json_dilation(const std::optional<Dilation>& dilation) {
  if (!dilation) return {};
  Json histogram = Json::array();
  for (const Dilation::Class& one : dilation->classes) {
    histogram.push_back({{"length", one.length}, {"links_of_a_node", one.links}});
  }
  return {{"histogram", histogram}, {"mean", json_fraction(dilation->mean)}, {"maximum", dilation->maximum()}};
}

Json json_info(const Info& info, bool with_status) {
  const MachineFacts& known = info.known;
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"machine",
           {{"spec", info.machine.text},
            {"family", info.machine.family},
            {"processors", known.processors},
            {"links", known.links},
            {"ports", known.ports},
            {"degree_min", known.degree_min},
            {"degree_max", known.degree_max},
            {"diameter", host::json_of(known.diameter)},
            {"average_distance", json_fraction(known.average_distance)},
            {"average_status", json_fraction(known.average_status)},
            {"status", with_status ? json_status(info.machine) : Json()},
            {"tree_bound", host::json_of(known.tree_bound)},
            {"total_exchange_bound", host::json_of(known.total_exchange_bound)},
            {"bisection_width", host::json_of(known.bisection_width)},
            {"girth", host::json_of(info.measures.girth)},
            {"link_connectivity", host::json_of(info.measures.link_connectivity)},
            {"processor_connectivity", host::json_of(info.measures.processor_connectivity)},
            {"spectral_gap", host::json_of(info.measures.spectral_gap)},
            {"read_as", info.machine.graph ? Json(info.machine.graph->notes()) : Json()},
            {"hypercube_dilation", json_dilation(known.hypercube_dilation)},
            {"picture", known.picture}}},
          {"memory",
           {{"bytes", info.bytes == run::beyond_measure ? Json() : Json(info.bytes)},
            {"processors_bytes", info.touched ? Json(info.touched->processors) : Json()},
            {"link_bytes", info.touched ? Json(info.touched->link) : Json()},
            {"available_bytes", info.limit.available},
            {"limited_by", info.limit.name},
            {"fits", info.fits()}}},
          {"divided", info.divided ? json_of(*info.divided) : Json()},
          {"algorithms", info.methods}};
}

std::string number_text(const std::optional<std::uint64_t>& number) {
  return number ? host::grouped(*number) : "not known";
}

/// "6 links of length 1, 2 of 3, 1 of 5 for those of a node; mean 17/9 = 1.888888889, maximum 5".
std::string dilation_text(const Dilation& dilation) {
  std::string text;
  for (const Dilation::Class& one : dilation.classes) {
    text += text.empty() ? host::counted(one.links, "link") + " of length " : ", " + host::grouped(one.links) + " of ";
    text += host::grouped(one.length);
  }
  return text + " for those of a node; mean " + fraction_text(dilation.mean) + ", maximum " +
         host::grouped(dilation.maximum());
}

/// "at least 31 single-port steps", with the reason where that is not the average status.
std::string total_exchange_text(const Info& info) {
  const MachineFacts& known = info.known;
  if (!known.total_exchange_bound) return "bound not known";
  const std::string text = "at least " + host::counted(*known.total_exchange_bound, "single-port step");
  if (!info.total_exchange_argument.empty()) return text + ": " + info.total_exchange_argument;
  return !known.average_status || *known.total_exchange_bound > known.average_status->ceil()
             ? text + ", as some processor has to send that many messages"
             : text;
}

/// "bisection width 8; connectivity 4 links, 4 processors; girth 4; spectral gap 2", as far as they are known.
std::string structure_text(const Info& info) {
  const GraphMeasures& measures = info.measures;
  std::string text = "bisection width " + number_text(info.known.bisection_width);
  if (measures.link_connectivity) {
    text += "; connectivity " + host::counted(*measures.link_connectivity, "link");
    if (const auto& processors = measures.processor_connectivity) {
      text += ", " + host::counted(*processors, "processor");
    }
  }
  if (measures.girth) text += *measures.girth == 0 ? "; no cycle" : "; girth " + host::grouped(*measures.girth);
  if (measures.spectral_gap) text += "; spectral gap " + host::short_number(*measures.spectral_gap);
  return text;
}

std::string memory_text(const Info& info) {
  const std::string needed = info.bytes == run::beyond_measure ? "more than any host has" : format_bytes(info.bytes);
  return needed + " for a run, without its data: " + (info.fits() ? "fits" : "does not fit");
}

/// "about 12.0 KiB of it are touched by any run, and 80 bytes more for each direction of a link that carries messages".
std::string touched_text(const run::TouchedMemory& touched) {
  return "about " + format_bytes(touched.processors) + " of it are touched by any run, and " +
         host::counted(touched.link, "byte") + " more for each direction of a link that carries messages";
}

std::string human_info(const Info& info, const host::Style& style) {
  const MachineFacts& known = info.known;
  const std::size_t width = host::line_width();
  constexpr std::size_t indent = 18;
  const auto row = [&](std::string_view label, const std::string& text) {
    return style.heading(host::left(label, indent)) + host::wrapped("", text, indent, width).substr(indent);
  };
  std::string degrees = host::grouped(known.degree_min);
  if (known.degree_max != known.degree_min) degrees += " to " + host::grouped(known.degree_max);
  const std::string methods = host::joined(info.methods);
  std::string divided;
  if (info.divided) {
    for (const auto& [label, text] : rows_of(*info.divided)) divided += row(label, text);
  }
  const std::string read_as = info.machine.graph ? host::joined(info.machine.graph->notes(), "; ") : "";
  return row("machine", printable(info.machine.text) + ": " + family_of(info.machine).summary) +
         (read_as.empty() ? "" : row("read as", read_as)) + row("processors", host::grouped(known.processors)) +
         row("links", host::grouped(known.links)) +
         row("ports", host::grouped(known.ports) + " (links of a processor: " + degrees + ")") +
         row("port p", family_of(info.machine).ports) + row("diameter", number_text(known.diameter)) +
         row("average distance", fraction_text(known.average_distance)) +
         row("average status", fraction_text(known.average_status)) + row("total exchange", total_exchange_text(info)) +
         row("structure", structure_text(info)) +
         (known.hypercube_dilation ? row("as a hypercube", dilation_text(*known.hypercube_dilation)) : "") +
         row("memory", memory_text(info)) + (info.touched ? row("", touched_text(*info.touched)) : "") +
         std::string(indent, ' ') + run::available_text(info.limit) + "\n" + divided +
         row("algorithms", methods.empty() ? "none yet" : methods) + "\n" + known.picture +
         (known.picture.ends_with('\n') ? "" : "\n");
}

/// A form in which the machine goes to a file.
struct MachineForm {
  std::string flag;
  std::string path;
  std::function<std::string(const MachineSpec& machine)> text;
};

std::vector<MachineForm> forms_of(const InfoArguments& arguments, const std::optional<ProcessesInfo>& divided) {
  const auto json = [&arguments, &divided](const MachineSpec& machine) {
    return report::json_text(json_info(info_of(machine, divided), arguments.status));
  };
  std::vector<MachineForm> forms;
  if (arguments.json) forms.push_back({"--json", *arguments.json, json});
  if (arguments.node_link) forms.push_back({"--graph-json", *arguments.node_link, node_link_text});
  if (arguments.graphml) forms.push_back({"--graphml", *arguments.graphml, graphml_text});
  if (arguments.dot) forms.push_back({"--dot", *arguments.dot, dot_text});
  return forms;
}

void refuse_shared_files(const std::vector<MachineForm>& forms, const InfoArguments& arguments) {
  std::vector<host::NamedFile> outputs;
  for (const MachineForm& form : forms) outputs.push_back({form.flag, form.path});
  std::vector<host::NamedFile> inputs;
  for (const std::string& path : host::graph_files(arguments.machine))
    inputs.push_back({"a graph of the machine", path});
  if (arguments.map) inputs.push_back({"--map", *arguments.map});
  refuse_shared_files(outputs, inputs);
}

/// Throws InputError for flags that do not apply.
void refuse_idle_flags_of_processes(const InfoArguments& arguments, const std::vector<MachineForm>& forms) {
  const auto refuse = [](const char* flag, const std::string& why) { throw InputError(flag + (" " + why)); };
  if (arguments.processes) {
    if (arguments.embed) refuse("--processes", "shows a divided machine; leave out --embed");
    if (arguments.status) refuse("--processes", "shows a divided machine; leave out --status");
    if (!forms.empty() && !arguments.json) refuse("--processes", "shows a table or goes into --json, not into a graph");
  } else {
    if (arguments.partition) refuse("--partition", "needs --processes");
    if (arguments.algorithm) refuse("--algorithm", "needs --processes");
    if (arguments.message_time) refuse("--message-time", "needs --processes");
  }
  if (arguments.settings.words && !arguments.algorithm) refuse("--words", "needs --algorithm");
}

/// Shows or writes the guest's embedding in the machine.
int show_embedding(const InfoArguments& arguments) {
  if (arguments.node_link || arguments.graphml || arguments.dot) {
    throw InputError("--embed shows an embedding as a report or in --json, not as a graph");
  }
  if (arguments.status) throw InputError("--status shows a machine; leave out --embed");
  std::optional<host::OutputFile> file;
  if (arguments.json) file.emplace(*arguments.json);
  const EmbeddingInfo info = embedding_info(*arguments.embed, parse_machine(arguments.machine), arguments.map);
  host::begin_outputs();
  if (!file) {
    host::write_output(text_of(info, host::Style::of_output()));
    return host::verified;
  }
  file->prepare(report::json_text(json_of(info)));
  file->publish();
  return host::verified;
}

}  // namespace

int info_command(const InfoArguments& given, run::ProcessGroup* group) {
  InfoArguments arguments = given;
  if (group != nullptr && !group->is_first()) arguments.forget_outputs();
  if (arguments.machine.empty()) throw InputError("info needs a machine, e.g. lockstep info torus:4x5");
  std::optional<ProcessesInfo> divided;
  const std::vector<MachineForm> forms = forms_of(arguments, divided);
  refuse_idle_flags_of_processes(arguments, forms);
  if (arguments.status && !forms.empty() && !arguments.json) {
    throw InputError("--status shows a table or goes into --json, and " + forms.front().flag + " has no place for it");
  }
  refuse_shared_files(forms, arguments);
  if (arguments.embed) return show_embedding(arguments);
  if (arguments.map) throw InputError("--map places the processors of --embed, which is not given");
  std::deque<host::OutputFile> files;
  for (const MachineForm& form : forms) files.emplace_back(form.path);
  const MachineSpec machine = parse_machine(arguments.machine);
  if (arguments.processes) {
    if (group != nullptr) group->begin();
    StartedProcesses* const started = group == nullptr ? nullptr : &group->processes();
    divided = processes_info(arguments, machine, run::machine_memory(machine, {}), started);
  }
  if (forms.empty()) {
    const host::Style style = host::Style::of_output();
    const std::string text =
        arguments.status ? status_table(machine, style) : human_info(info_of(machine, divided), style);
    host::begin_outputs();
    host::write_output(text);
    return host::verified;
  }
  std::vector<std::string> texts;
  for (const MachineForm& form : forms) texts.push_back(form.text(machine));
  host::begin_outputs();
  std::vector<host::OutputFile*> outputs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i].prepare(std::move(texts[i]));
    outputs.push_back(&files[i]);
  }
  host::publish(outputs, [] {});
  return host::verified;
}

}  // namespace lockstep::cli::machine
