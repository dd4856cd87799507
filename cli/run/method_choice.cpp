#include "method_choice.hpp"

#include <algorithm>

#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"

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

bool is_pattern(const std::string& text) { return text.find_first_of("*?") != std::string::npos; }

/// Whether * of the pattern can be replaced by any letters, and each ? by one, to get the name.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t star = pattern.size();  // the last * that was passed, if any
  std::size_t taken = 0;              // up to there in the name, by that * and what precedes it
  std::size_t letter = 0;
  while (letter < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = letter;
    } else if (at < pattern.size() &&
               (pattern[at] == '?' || is_same_name(pattern.substr(at, 1), name.substr(letter, 1)))) {
      ++at;
      ++letter;
    } else if (star < pattern.size()) {
      at = star + 1;
      letter = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

/// Whether the name, or the pattern, selects the method within its operation.
bool is_selected(const Method& method, const std::string& pattern) {
  if (!is_pattern(pattern)) return is_called(method, pattern) || is_same_name(pattern, own_name(method));
  return fits(pattern, method.name) || fits(pattern, own_name(method));
}

[[noreturn]] void refuse_selection(const std::vector<const Method*>& methods, const std::string& pattern) {
  std::vector<std::string> names;
  for (const Method* method : methods) {
    for (const std::string_view name : {own_name(*method), method->name}) add_once(names, name);
    for (const std::string_view alias : method->aliases) add_once(names, alias);
  }
  const std::string operation(methods.front()->operation);
  throw InputError("no method of " + operation + " " + (is_pattern(pattern) ? "fits " : "is ") +
                   lockstep::quoted(pattern) + did_you_mean(pattern, names) + " (lockstep list algorithms " +
                   operation + " names them all)");
}

}  // namespace

std::vector<const Method*> selected_methods(const std::vector<const Method*>& methods,
                                            const std::vector<std::string>& patterns) {
  if (patterns.empty()) return methods;
  for (const std::string& pattern : patterns) {
    const auto fits_it = [&](const Method* method) { return is_selected(*method, pattern); };
    if (std::ranges::none_of(methods, fits_it)) refuse_selection(methods, pattern);
  }
  std::vector<const Method*> selected;
  for (const Method* method : methods) {
    const auto selects_it = [&](const std::string& pattern) { return is_selected(*method, pattern); };
    if (std::ranges::any_of(patterns, selects_it)) selected.push_back(method);
  }
  return selected;
}

std::vector<std::string> method_patterns(const std::string& flag, const std::string& text) {
  std::vector<std::string> patterns;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    if (end == begin) throw InputError(flag + " " + lockstep::quoted(text) + " lacks a name");
    patterns.push_back(text.substr(begin, end - begin));
  }
  if (patterns.empty()) throw InputError(flag + " " + lockstep::quoted(text) + " lacks a name");
  return patterns;
}

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
