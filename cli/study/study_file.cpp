#include "study_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "flags/command_line.hpp"
#include "flags/value_option.hpp"
#include "flags/value_range.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "run/method_choice.hpp"
#include "run/run_plan.hpp"
#include "study_node.hpp"

namespace lockstep::cli::study {
namespace {

using StudyNames = std::vector<std::string>;

/// A flag that a study may set.
struct StudyFlag {
  std::size_t order;
  bool takes_value;
};

/// Flags of `run` that a study sets itself, or that are for one run alone.
constexpr std::array<std::string_view, 9> not_of_studies{"machine", "algorithm", "json",      "csv", "cycles",
                                                         "quiet",   "output",    "partition", "help"};

const std::map<std::string, StudyFlag>& study_flags() {
  static const std::map<std::string, StudyFlag> all = [] {
    run::RunArguments unused;
    flags::CommandLine line("lockstep", "", "", "");
    line.add_subcommand("run", "", [&unused](CLI::App& app) { run::add_run_options(app, unused); });
    std::map<std::string, StudyFlag> flags;
    for (const flags::ShownOption& option : line.shown().subcommands.front().options) {
      const bool is_left_out = std::ranges::find(not_of_studies, option.name) != not_of_studies.end();
      if (option.flag.empty() || is_left_out) continue;
      flags.emplace(option.name, StudyFlag{flags.size(), !option.type.empty()});
    }
    return flags;
  }();
  return all;
}

/// "words" of "--words": the name in the file of a flag.
std::string argument_of(const std::string& name, const std::string& value) { return "--" + name + "=" + value; }

/// "1..64*4"; a path that begins with ".." is none.
bool is_range(const std::string& text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' && text.find("..") != std::string::npos;
}

/// The text of a value, which is a text, a number or a truth.
const std::string& scalar(const std::string& name, const StudyNode& node) {
  if (node.kind == StudyNode::Kind::table || node.kind == StudyNode::Kind::list) {
    throw StudyMistake(node.line, lockstep::quoted(name) + " takes texts and numbers, or a list of them");
  }
  return node.text;
}

/// One or several texts.
StudyNames texts_of(const std::string& name, const StudyNode& node) {
  if (node.kind != StudyNode::Kind::list) return {scalar(name, node)};
  StudyNames all;
  for (const StudyNode& item : node.items) all.push_back(scalar(name, item));
  if (all.empty()) throw StudyMistake(node.line, lockstep::quoted(name) + " is an empty list");
  return all;
}

/// Throws StudyMistake if the flag cannot be given so.
void check_level(const std::vector<std::string>& level, std::size_t line) {
  try {
    arguments_of(level);
  } catch (const std::exception& error) {  // of CLI11, or of the flag
    throw StudyMistake(line, error.what());
  }
}

/// Adds the levels of a value that is no list.
void add_levels(StudyFactor& factor, const StudyFlag& flag, const StudyNode& node) {
  const std::string& text = scalar(factor.name, node);
  const bool is_truth = node.kind == StudyNode::Kind::truth;
  if (is_truth == flag.takes_value) {
    throw StudyMistake(node.line, lockstep::quoted(factor.name) + (is_truth ? " takes a value" : " is true or false"));
  }
  if (is_truth) {
    factor.levels.push_back(text == "true" ? StudyNames{"--" + factor.name} : StudyNames{});
    return;
  }
  if (!is_range(text)) {
    if (is_standard_input(text)) throw StudyMistake(node.line, "a study cannot read standard input");
    factor.levels.push_back({argument_of(factor.name, text)});
    return;
  }
  for (const std::string& value : flags::values_of(factor.name, text)) {
    factor.levels.push_back({argument_of(factor.name, value)});
  }
}

/// A list within a list is a level at which the flag is given several times, or not at all.
StudyFactor factor_of(const std::string& name, const StudyFlag& flag, const StudyNode& node) {
  StudyFactor factor{.name = name, .order = flag.order, .levels = {}};
  try {
    if (node.kind != StudyNode::Kind::list) {
      add_levels(factor, flag, node);
    } else {
      for (const StudyNode& item : node.items) {
        if (item.kind != StudyNode::Kind::list) {
          add_levels(factor, flag, item);
          continue;
        }
        StudyNames level;
        for (const StudyNode& value : item.items) level.push_back(argument_of(name, scalar(name, value)));
        factor.levels.push_back(level);
      }
    }
  } catch (const StudyMistake&) {
    throw;
  } catch (const InputError& error) {  // of a range
    throw StudyMistake(node.line, error.what());
  }
  if (factor.levels.empty()) throw StudyMistake(node.line, lockstep::quoted(name) + " is an empty list");
  for (auto level = factor.levels.begin(); level != factor.levels.end(); ++level) {
    check_level(*level, node.line);
    if (std::find(factor.levels.begin(), level, *level) != level) {
      throw StudyMistake(node.line, lockstep::quoted(name) + " has the same value twice");
    }
  }
  return factor;
}

void set_factor(std::vector<StudyFactor>& factors, StudyFactor factor) {
  std::erase_if(factors, [&](const StudyFactor& other) { return other.name == factor.name; });
  factors.push_back(std::move(factor));
}

[[noreturn]] void refuse_name(const std::string& name, std::size_t line, const StudyNames& own, const char* what) {
  StudyNames names = own;
  for (const auto& [flag, about] : study_flags()) names.push_back(flag);
  const bool is_left_out = std::ranges::find(not_of_studies, name) != not_of_studies.end();
  if (is_left_out) throw StudyMistake(line, lockstep::quoted(name) + " is not set in a study");
  throw StudyMistake(line, "unknown name " + lockstep::quoted(name) + " in " + what + did_you_mean(name, names));
}

/// Each member of [all] is a flag.
std::vector<StudyFactor> common_factors(const StudyNode& node) {
  if (node.kind != StudyNode::Kind::table) throw StudyMistake(node.line, "'all' is not a table: [all]");
  std::vector<StudyFactor> factors;
  for (const auto& [name, value] : node.members) {
    const auto flag = study_flags().find(name);
    if (flag == study_flags().end()) refuse_name(name, value.line, {}, "[all]");
    factors.push_back(factor_of(name, flag->second, value));
  }
  return factors;
}

void set_machines(Experiment& experiment, const StudyNode& node) {
  for (const std::string& text : texts_of("machine", node)) {
    try {
      for (const std::string& machine : flags::machines_of(text)) {
        parse_machine(machine);
        experiment.machines.push_back(machine);
      }
    } catch (const InputError& error) {
      throw StudyMistake(node.line, error.what());
    } catch (const MachineSpecError& error) {
      throw StudyMistake(node.line, error.what());
    }
  }
}

void set_methods(Experiment& experiment, const StudyNode& node) {
  for (const std::string& text : texts_of("methods", node)) {
    if (run::method_on_machine(text)) {  // the machine's specification may have commas
      experiment.methods.push_back(text);
      continue;
    }
    try {
      for (const std::string& pattern : run::method_patterns("'methods'", text)) experiment.methods.push_back(pattern);
    } catch (const InputError& error) {
      throw StudyMistake(node.line, error.what());
    }
  }
}

Experiment experiment_of(const StudyNode& node, const std::string& file, const std::vector<StudyFactor>& common) {
  if (node.kind != StudyNode::Kind::table) throw StudyMistake(node.line, "an experiment is a table: [[experiment]]");
  Experiment made{.name = {},
                  .place = file + ", line " + std::to_string(node.line),
                  .operation = {},
                  .methods = {},
                  .machines = {},
                  .factors = common};
  for (const auto& [name, value] : node.members) {
    if (name == "name") {
      made.name = scalar(name, value);
    } else if (name == "operation") {
      made.operation = scalar(name, value);
    } else if (name == "methods") {
      set_methods(made, value);
    } else if (name == "machine") {
      set_machines(made, value);
    } else if (const auto flag = study_flags().find(name); flag != study_flags().end()) {
      set_factor(made.factors, factor_of(name, flag->second, value));
    } else {
      refuse_name(name, value.line, {"name", "operation", "methods", "machine"}, "[[experiment]]");
    }
  }
  if (made.operation.empty() || made.machines.empty()) {
    throw StudyMistake(node.line, std::string("an experiment needs 'operation' and 'machine'"));
  }
  if (made.name.empty()) made.name = made.operation;
  return made;
}

Study study_of(const StudyNode& root, const std::string& file) {
  Study study;
  std::vector<StudyFactor> common;
  const StudyNode* experiments = nullptr;
  for (const auto& [name, value] : root.members) {
    if (name == "title") {
      study.title = scalar(name, value);
    } else if (name == "all") {
      common = common_factors(value);
    } else if (name == "experiment") {
      experiments = &value;
    } else if (study_flags().contains(name)) {
      throw StudyMistake(value.line,
                         lockstep::quoted(name) + " stands in [all] for all experiments, or in an [[experiment]]");
    } else {
      throw StudyMistake(value.line, "unknown name " + lockstep::quoted(name) +
                                         did_you_mean(name, StudyNames{"title", "all", "experiment"}) +
                                         " (a study has title, all and experiment)");
    }
  }
  if (experiments == nullptr || experiments->kind != StudyNode::Kind::list || experiments->items.empty()) {
    throw StudyMistake(experiments == nullptr ? 1 : experiments->line, "a study needs at least one [[experiment]]");
  }
  for (const StudyNode& node : experiments->items) {
    Experiment made = experiment_of(node, file, common);
    if (std::ranges::find(study.experiments, made.name, &Experiment::name) != study.experiments.end()) {
      throw StudyMistake(node.line,
                         "two experiments have the name " + lockstep::quoted(made.name) + "; give one another 'name'");
    }
    study.experiments.push_back(std::move(made));
  }
  return study;
}

std::string content_of(const std::string& path) {
  constexpr std::uintmax_t most_bytes = 16 << 20;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    const bool is_there = std::filesystem::exists(path, ignored);
    throw InputError("cannot read " + lockstep::quoted(path) +
                     (is_there ? ": it is not a file" : ": there is no such file"));
  }
  if (std::filesystem::file_size(path, ignored) > most_bytes) {
    throw InputError(printable(path) + " is larger than a study: 16 MiB");
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || text.bad()) throw InputError("cannot read " + lockstep::quoted(path) + ": " + std::strerror(errno));
  return text.str();
}

}  // namespace

run::RunArguments arguments_of(const std::vector<std::string>& words) {
  run::RunArguments arguments;
  flags::parse(words, [&arguments](CLI::App& app) { run::add_run_options(app, arguments); });
  return arguments;
}

Study read_study(const std::string& path) {
  const std::string text = content_of(path);
  const std::string file = printable(path);
  try {
    Study study = study_of(path.ends_with(".json") ? json_node(text) : toml_node(text), file);
    study.path = path;
    study.name = std::filesystem::path(path).stem().string();
    study.text = text;
    return study;
  } catch (const StudyMistake& mistake) {
    throw InputError(file + ", line " + std::to_string(mistake.line()) + ": " + mistake.what());
  }
}

}  // namespace lockstep::cli::study
