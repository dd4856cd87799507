#pragma once

#include <compare>
#include <string>
#include <utility>

#include "run/trial.hpp"

namespace lockstep::cli::compare {

/// The rules of a run. Figures are compared only under equal rules: another rule makes another problem, with another
/// lower bound.
struct RunRules {
  PortModel ports = PortModel::one;
  bool multicast = false;
  Duplex duplex = Duplex::full;
  Switching switching = Switching::store_and_forward;
  bool combines = true;  ///< whether messages may hold several blocks of a total exchange

  auto operator<=>(const RunRules&) const = default;
};

RunRules rules_of(const run::RunPlan& plan);

/// "one port, multicast".
std::string text_of(const RunRules& rules);

/// The text with the duplex even if it is full, for pictures, which stand alone: "one port, full duplex".
std::string whole_text_of(const RunRules& rules);

/// Whether these are rules that the flags ask for: without flags, those of a default RunRules.
bool are_asked_for(const RunRules& rules, const run::TrialArguments& arguments);
/// The same for the flags of one run.
bool are_asked_for(const RunRules& rules, const flags::ModelArguments& model);

/// Orders the rules that are asked for before all others.
std::pair<bool, RunRules> order_of(const RunRules& rules, const run::TrialArguments& arguments);

/// The text, marked if the rules are not asked for: "under other rules: one port, multicast".
std::string marked_text(const RunRules& rules, bool is_asked_for);

}  // namespace lockstep::cli::compare
