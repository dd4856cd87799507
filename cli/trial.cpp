#include "trial.hpp"

#include <algorithm>

#include "execution.hpp"
#include "failure.hpp"
#include "interrupt.hpp"
#include "lockstep/core/printable.hpp"
#include "method_choice.hpp"
#include "setting_flags.hpp"

namespace lockstep::cli {
namespace {

using Methods = std::vector<const Method*>;

bool is_for(const Method& method, const MachineSpec& machine) {
  return std::find(method.families.begin(), method.families.end(), machine.family) != method.families.end();
}

/// The entry of that name for the machine; null if there is none.
const Method* entry_for(const Methods& methods, std::string_view name, const MachineSpec& machine) {
  const auto entry = std::find_if(methods.begin(), methods.end(), [&](const Method* method) {
    return method->name == name && is_for(*method, machine);
  });
  return entry == methods.end() ? nullptr : *entry;
}

std::string families(const Methods& methods, std::string_view name) {
  std::string text;
  for (const Method* method : methods) {
    if (method->name != name) continue;
    for (const std::string_view family : method->families) text += (text.empty() ? "" : ", ") + std::string(family);
  }
  return text;
}

std::vector<std::string> names_of(const Methods& methods) {
  std::vector<std::string> names;
  for (const Method* method : methods) {
    if (names.empty() || names.back() != method->name) names.emplace_back(method->name);
  }
  return names;
}

void refuse_foreign(const TrialArguments& arguments, const Methods& methods) {
  for (const auto& [flag, text] : arguments.settings) {
    if (std::any_of(methods.begin(), methods.end(), [&](const Method* method) { return takes(*method, flag->name); })) {
      continue;
    }
    throw InputError(flag->flag() + " is not a parameter of any method of " + arguments.operation);
  }
}

/// The settings that the method has. Throws InputError if it cannot do what is asked for.
Settings settings_for(const TrialArguments& arguments, const Method& method) {
  Settings settings;
  for (const auto& [flag, text] : arguments.settings) {
    if (takes(method, flag->name)) {
      flag->set(settings, text);
    } else if (!flag->is_tuning) {
      throw InputError("takes no " + flag->flag());
    }
  }
  return settings;
}

/// The schedule of a method is meant for some rules, and not for others that users may ask for.
void refuse_rules(const ModelArguments& rules, const Method& method) {
  const auto& models = method.port_models;
  if (rules.ports && std::find(models.begin(), models.end(), *rules.ports) == models.end()) {
    std::string needed;
    for (const PortModel model : models) needed += (needed.empty() ? "" : " or ") + std::string(name(model));
    throw InputError("needs --ports " + needed);
  }
  const std::vector<Duplex> forms = duplex_forms(method);
  if (rules.duplex && std::find(forms.begin(), forms.end(), *rules.duplex) == forms.end()) {
    throw InputError("needs --duplex " + std::string(name(forms.back())));
  }
  const PortModel ports = rules.ports.value_or(method.defaults.ports);
  if (rules.multicast == false && method.defaults.multicast && ports != PortModel::all) {
    throw InputError("needs --multicast on");
  }
}

/// What is said of the method, without its name.
std::string said_of(std::string_view method, std::string text) {
  if (text.starts_with(method)) text.erase(0, text.find_first_not_of(": ", method.size()));
  return text;
}

void plan(const TrialArguments& arguments, const Method& method, Trial& trial) {
  try {
    trial.arguments = arguments.run;
    trial.arguments.machine = trial.machine;
    trial.arguments.algorithm = trial.method;
    trial.arguments.model.ports = trial.ports;
    trial.arguments.settings = settings_for(arguments, method);
    refuse_rules(trial.arguments.model, method);
    trial.record = planned(arguments.predict ? plan_prediction(trial.arguments) : plan_run(trial.arguments));
  } catch (const InputError& error) {
    trial.reason = said_of(trial.method, error.what());
  } catch (const MemoryError& error) {
    trial.reason = said_of(trial.method, error.what());
  }
}

void refuse_if_nothing_runs(const std::vector<Trial>& trials, const TrialArguments& arguments) {
  if (std::any_of(trials.begin(), trials.end(), [](const Trial& trial) { return trial.record.has_value(); })) return;
  const auto has_settings = [](const Trial& trial) { return !trial.arguments.machine.empty(); };
  const auto tried = std::find_if(trials.begin(), trials.end(), has_settings);
  const Trial& shown = tried == trials.end() ? trials.front() : *tried;
  throw InputError("no method of " + arguments.operation + " can be compared on " + printable(shown.machine) + ": " +
                   shown.method + ": " + shown.reason);
}

}  // namespace

std::vector<Trial> plan_trials(const TrialArguments& arguments) {
  const Methods methods = methods_of({.name = {}, .operation = arguments.operation, .machine = {}});
  refuse_foreign(arguments, methods);
  std::vector<std::optional<PortModel>> models(arguments.ports.begin(), arguments.ports.end());
  if (models.empty()) models.emplace_back();
  std::vector<Trial> trials;
  for (const std::string& text : arguments.machines) {
    const MachineSpec machine = parse_machine(text);
    for (const std::string& name : names_of(methods)) {
      const Method* const method = entry_for(methods, name, machine);
      if (method == nullptr) {
        trials.push_back({.machine = text, .method = name, .ports = {}, .reason = "is for " + families(methods, name)});
        continue;
      }
      for (const auto& ports : models) {
        Trial& trial = trials.emplace_back(Trial{.machine = text, .method = name, .ports = ports});
        plan(arguments, *method, trial);
      }
    }
  }
  refuse_if_nothing_runs(trials, arguments);
  return trials;
}

void run_trial(Trial& trial, const std::atomic<bool>& stop) {
  try {
    execute(
        trial.arguments, *trial.record, [&](std::uint64_t) { return trial.record->plan.settings; }, stop);
    if (trial.record->problems.empty()) return;
    trial.reason = trial.record->problems.front();
    trial.has_failed = true;
  } catch (const RunError& error) {
    const Failure failure = failure_of(trial.record->plan, error);
    if (error.kind() == ErrorKind::interrupted) throw Interrupted();
    trial.reason = said_of(trial.method, failure.text);
    trial.has_failed = failure.code == run_failed;
    trial.record.reset();
  }
}

}  // namespace lockstep::cli
