#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/machines/cost_presets.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::flags {

/// The machine's rules and costs as given on the command line; unset rules are the method's own.
struct ModelArguments {
  std::optional<PortModel> ports;
  std::optional<bool> multicast;
  std::optional<Duplex> duplex;
  const CostPreset* preset = nullptr;
  std::optional<double> beta;
  std::optional<double> tau;
  std::optional<std::uint64_t> max_packet_words;
  std::optional<double> copy_cost;
  std::optional<double> flop;
  std::optional<double> scan_cost;
  std::optional<double> stage_cost;  ///< for a network of stages only: see RunPlan
  std::optional<Switching> switching;
  std::optional<double> hop_cost;
  std::optional<StartupPer> startup;
};

/// The port model that --ports names so, if there is one.
std::optional<PortModel> port_model_called(std::string_view text);

/// Adds --ports --multicast --duplex --preset --beta --tau --max-packet --copy-cost --flop --scan-cost --stage-cost
/// --switching --hop-cost --startup.
void add_model_options(CLI::App& app, ModelArguments& arguments);
/// Adds the same flags, with a --ports that may be given several times.
void add_model_options(CLI::App& app, ModelArguments& arguments, std::function<void(PortModel)> take_ports);

/// The model of a run: the method's rules and the preset's costs, both overridden by the flags.
Model model_of(const ModelArguments& arguments, const Model& defaults);

/// The arguments from which model_of() makes this model, whatever the defaults.
ModelArguments exactly(const Model& model);

/// Throws InputError for a cost that has no effect under this switching or for this method. Messages that are carried
/// over another machine know their paths, whatever the method.
void refuse_idle_costs(const ModelArguments& arguments, const Method& method, bool is_carried);

/// The rules that differ from the method's, as flags: "--ports all --duplex half-link"; empty if none does.
std::string changed_rules(const Model& model, const Model& defaults);

}  // namespace lockstep::cli::flags
