#include "model_options.hpp"

#include <charconv>

#include "host/number_text.hpp"
#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "value_option.hpp"

namespace lockstep::cli::flags {
namespace {

const CostPreset& find_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const CostPreset& preset : cost_presets()) {
    if (preset.name == name) return preset;
    names.emplace_back(preset.name);
  }
  refuse_choice("--preset", name, names);
}

const char* const rules = "Rules of the machine";
const char* const ports_description =
    "sends and receives in a cycle: one, one-strict, all, a number K, or ring on rings (default: the method's)";

constexpr std::initializer_list<PortModel> port_models{PortModel::one, PortModel::one_strict, PortModel::all,
                                                       PortModel::ring};

PortModel parse_ports(const std::string& text) {
  if (const auto ports = port_model_called(text)) return *ports;
  std::vector<std::string> names;
  std::string line = "--ports " + quoted(text) + " is not one of ";
  for (const PortModel model : port_models) line += names.emplace_back(name(model)) + ", ";
  line += "or a number from 1 to " + std::to_string(most_ports) + did_you_mean(text, names);
  throw ChoiceError(line, std::move(names));
}

/// All but --ports.
void add_other_options(CLI::App& app, ModelArguments& arguments) {
  const auto add = [&app](const char* flag, const char* type, const char* description, const char* group,
                          TakeText take) {
    add_value_option(app, flag, type, description, std::move(take)).group(group);
  };
  add("--multicast", "on|off", "one payload may leave on several ports as one send (default: the method's)", rules,
      [&arguments](const std::string& text) { arguments.multicast = parse_switch("--multicast", text); });
  add("--duplex", "FORM", "full, half-link or half-node (default: the method's)", rules,
      [&arguments](const std::string& text) {
        arguments.duplex = parse_choice("--duplex", text, {Duplex::full, Duplex::half_link, Duplex::half_node});
      });

  const char* const costs = "Costs (modelled time)";
  add("--preset", "NAME",
      "costs of a published machine or network, see `lockstep list presets`; other flags override them", costs,
      [&arguments](const std::string& text) { arguments.preset = &find_preset(text); });
  add("--beta", "TIME", "time of one start-up (default 1)", costs,
      [&arguments](const std::string& text) { arguments.beta = host::parse_time("--beta", text); });
  add("--tau", "TIME", "time of one word on a link (default 1)", costs,
      [&arguments](const std::string& text) { arguments.tau = host::parse_time("--tau", text); });
  add("--max-packet", "WORDS", "longest packet of one start-up (default: unlimited)", costs,
      [&arguments](const std::string& text) {
        arguments.max_packet_words = parse_whole_number("--max-packet", text, 1, most_words);
      });
  add("--copy-cost", "TIME", "time of one word copied within a processor (default 0)", costs,
      [&arguments](const std::string& text) { arguments.copy_cost = host::parse_time("--copy-cost", text); });
  add("--flop", "TIME", "time of one arithmetic operation: in reductions and scans of each word combined (default 0)",
      costs, [&arguments](const std::string& text) { arguments.flop = host::parse_time("--flop", text); });
  add("--scan-cost", "TIME", "time to examine one block, where a method charges it (default 0)", costs,
      [&arguments](const std::string& text) { arguments.scan_cost = host::parse_time("--scan-cost", text); });
  add("--stage-cost", "TIME", "time of each stage of a network, which every start-up pays for all stages (default 0)",
      costs, [&arguments](const std::string& text) { arguments.stage_cost = host::parse_time("--stage-cost", text); });
  add("--switching", "NAME",
      "how messages that know their paths cross several links: store-and-forward, cut-through or circuit (default "
      "store-and-forward)",
      costs, [&arguments](const std::string& text) {
        arguments.switching = parse_choice("--switching", text,
                                           {Switching::store_and_forward, Switching::cut_through, Switching::circuit});
      });
  add("--hop-cost", "TIME", "time of a header over a link, where messages are not stored (default: tau, one word)",
      costs, [&arguments](const std::string& text) { arguments.hop_cost = host::parse_time("--hop-cost", text); });
  add("--startup", "hop|path",
      "whether messages that know their paths pay start-ups on every link or once a path (default hop)", costs,
      [&arguments](const std::string& text) {
        arguments.startup = parse_choice("--startup", text, {StartupPer::hop, StartupPer::path});
      });
}

}  // namespace

std::optional<PortModel> port_model_called(std::string_view text) {
  for (const PortModel model : port_models) {
    if (name(model) == text) return model;
  }
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && rest == end && !text.starts_with('0');
  if (is_number && number <= most_ports) return k_ports(number);
  return {};
}

void add_model_options(CLI::App& app, ModelArguments& arguments) {
  add_value_option(app, "--ports", "MODEL", ports_description, [&arguments](const std::string& text) {
    arguments.ports = parse_ports(text);
  }).group(rules);
  add_other_options(app, arguments);
}

void add_model_options(CLI::App& app, ModelArguments& arguments, std::function<void(PortModel)> take_ports) {
  add_repeated_option(app, "--ports", "MODEL", ports_description,
                      [take_ports = std::move(take_ports)](const std::string& text) { take_ports(parse_ports(text)); })
      .group(rules);
  add_other_options(app, arguments);
}

namespace {

/// A method that is meant for multicast needs none where processors send on several ports.
bool needs_multicast(const Model& defaults, PortModel ports) {
  return defaults.multicast && !sends_on_several_ports(ports);
}

}  // namespace

Model model_of(const ModelArguments& arguments, const Model& defaults) {
  const CostModel costs = arguments.preset != nullptr ? arguments.preset->cost : defaults.cost;
  const double tau = arguments.tau.value_or(costs.tau);
  const Switching switching = arguments.switching.value_or(costs.switching);
  const PortModel ports = arguments.ports.value_or(defaults.ports);
  return {.ports = ports,
          .multicast = arguments.multicast.value_or(needs_multicast(defaults, ports)),
          .duplex = arguments.duplex.value_or(defaults.duplex),
          .cost = {.beta = arguments.beta.value_or(costs.beta),
                   .tau = tau,
                   .max_packet_words = arguments.max_packet_words.value_or(costs.max_packet_words),
                   .copy_cost = arguments.copy_cost.value_or(costs.copy_cost),
                   .flop = arguments.flop.value_or(costs.flop),
                   .scan_cost = arguments.scan_cost.value_or(costs.scan_cost),
                   .hop_cost = switching == Switching::store_and_forward ? 0 : arguments.hop_cost.value_or(tau),
                   .switching = switching,
                   .startup = arguments.startup.value_or(costs.startup)}};
}

ModelArguments exactly(const Model& model) {
  const CostModel& cost = model.cost;
  ModelArguments arguments;
  arguments.ports = model.ports;
  arguments.multicast = model.multicast;
  arguments.duplex = model.duplex;
  arguments.beta = cost.beta;
  arguments.tau = cost.tau;
  arguments.max_packet_words = cost.max_packet_words;
  arguments.copy_cost = cost.copy_cost;
  arguments.flop = cost.flop;
  arguments.scan_cost = cost.scan_cost;
  arguments.switching = cost.switching;
  // refuse_idle_costs() refuses the one that has no effect.
  if (cost.switching == Switching::store_and_forward) {
    arguments.startup = cost.startup;
  } else {
    arguments.hop_cost = cost.hop_cost;
  }
  return arguments;
}

void refuse_idle_costs(const ModelArguments& arguments, const Method& method, bool is_carried) {
  const auto refuse = [&](std::string_view flag) {
    throw InputError(std::string(flag) + " is for messages that know their paths; those of " +
                     std::string(method.name) + " go from neighbour to neighbour");
  };
  const bool is_through = arguments.switching && *arguments.switching != Switching::store_and_forward;
  if (arguments.hop_cost && !is_through) {
    throw InputError("--hop-cost is for --switching cut-through and circuit; a message that is stored has no header");
  }
  if (is_through && arguments.startup) {
    throw InputError("--startup is for --switching store-and-forward; " + std::string(name(*arguments.switching)) +
                     " pays start-ups once a path");
  }
  if (arguments.flop.value_or(0) != 0 && !may_compute(method)) {
    throw InputError("--flop is for reductions, scans and applications; " + std::string(method.name) +
                     " combines and computes nothing");
  }
  if (method.knows_paths || is_carried) return;
  if (is_through) refuse("--switching");
  if (arguments.startup == StartupPer::path) refuse("--startup");
}

std::string changed_rules(const Model& model, const Model& defaults) {
  std::string flags;
  if (model.ports != defaults.ports) flags += " --ports " + std::string(name(model.ports));
  if (model.multicast != needs_multicast(defaults, model.ports))
    flags += model.multicast ? " --multicast on" : " --multicast off";
  if (model.duplex != defaults.duplex) flags += " --duplex " + std::string(name(model.duplex));
  return flags.empty() ? flags : flags.substr(1);
}

}  // namespace lockstep::cli::flags
