#include "method_choice.hpp"

#include <algorithm>

#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/nearest_name.hpp"

namespace lockstep::cli::run {
namespace {

/// Whether the name selects the method: its name with or without the operation, an alias, or its operation.
bool is_chosen(const Method& method, std::string_view name) {
  return is_called(method, name) || is_same_name(name, own_name(method)) || is_same_name(name, method.operation);
}

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

void check_name(const std::string& name) {
  std::vector<std::string> names;
  for (const Method* method : catalogue()) {
    if (is_chosen(*method, name)) return;
    for (const std::string_view known : {method->operation, method->name, own_name(*method)}) add_once(names, known);
  }
  for (const Method* method : catalogue()) {
    for (const std::string_view alias : method->aliases) add_once(names, alias);
  }
  throw InputError("unknown algorithm or operation " + quoted(name) + did_you_mean(name, names) +
                   " (lockstep list algorithms names them all)");
}

void check_operation(const std::string& operation) {
  std::vector<std::string> operations;
  for (const Method* method : catalogue()) add_once(operations, method->operation);
  if (std::find(operations.begin(), operations.end(), operation) != operations.end()) return;
  refuse_choice("--operation", operation, operations);
}

}  // namespace

bool is_for_any_machine(const Method& method) { return is_for(method, "graph"); }

bool runs_on(const Method& method, const MachineSpec& machine) {
  if (!is_for(method, machine.family)) return false;
  const auto has_to_be_given = [](const Parameter& parameter) { return parameter.fallback == "has to be given"; };
  if (std::any_of(method.parameters.begin(), method.parameters.end(), has_to_be_given)) return true;
  try {
    Settings defaults;
    method.resolve(machine, method.defaults, defaults);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::vector<const Method*> methods_of(const MethodChoice& choice) {
  if (!choice.name.empty()) check_name(choice.name);
  if (choice.operation) check_operation(*choice.operation);
  const auto machine = choice.machine ? std::optional(parse_machine(*choice.machine)) : std::nullopt;
  std::vector<const Method*> methods;
  for (const Method* method : catalogue()) {
    if (!choice.name.empty() && !is_chosen(*method, choice.name)) continue;
    if (choice.operation && method->operation != *choice.operation) continue;
    if (machine && !runs_on(*method, *machine)) continue;
    methods.push_back(method);
  }
  return methods;
}

}  // namespace lockstep::cli::run
