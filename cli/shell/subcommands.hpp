#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "compare/best_options.hpp"
#include "compare/compare_options.hpp"
#include "compare/sweep_options.hpp"
#include "judge/judge_options.hpp"
#include "learn/learn_options.hpp"
#include "lockstep/command/command.hpp"
#include "machine/info_command.hpp"
#include "reproduce/reproduce_command.hpp"
#include "run/run_options.hpp"
#include "search/search_command.hpp"
#include "study/study_options.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::run {
class ProcessGroup;
}

namespace lockstep::cli::shell {

/// The parsed arguments of each subcommand.
struct Arguments {
  run::RunArguments run_arguments;
  run::RunArguments plan_arguments;
  run::RunArguments validate_arguments;
  run::RunArguments trace_arguments;
  compare::CompareArguments compare_arguments;
  compare::SweepArguments sweep_arguments;
  compare::BestArguments best_arguments;
  study::StudyArguments study_arguments;
  search::SearchArguments search_arguments;
  reproduce::ReproduceArguments reproduce_arguments;
  judge::JudgeArguments judge_arguments;
  learn::ListArguments list_arguments;
  machine::InfoArguments info_arguments;
  learn::ErrataArguments errata_arguments;
  learn::ExplainArguments explain_arguments;
  learn::DemoArguments demo_arguments;
  learn::NewArguments new_arguments;
  std::string shell;
};

/// How the command was called.
struct Call {
  std::span<const char* const> words;  ///< starting with the program's name
  const Additions& additions;
  const std::atomic<bool>& stop;
  run::ProcessGroup* group = nullptr;  ///< the processes that share the work; null if there is one alone
};

struct Subcommand {
  std::string_view name;
  std::string_view summary;
  void (*add)(CLI::App& app, Arguments& arguments);        ///< its flags
  int (*run)(Arguments& arguments, const Call& call);      ///< returns the exit code
  bool (*divides)(const Arguments& arguments) = nullptr;   ///< the processes of mpirun share it; else the first does it
  bool is_of_one_run = false;                              ///< a refusal is reported with the run's fields
  bool (*is_argument)(const std::string& word) = nullptr;  ///< whether a word after a bare --json is its argument
};

/// In the order in which help lists them. ./dev reads the names from the source of this table.
std::span<const Subcommand> subcommands();

/// Null for an unknown name.
const Subcommand* find_subcommand(std::string_view name);

}  // namespace lockstep::cli::shell
