#pragma once

#include <atomic>

#include "judge.hpp"

namespace lockstep::cli::judge {

/// Judges methods and returns the exit code: run_failed if one has an error. Throws InputError, OutputError and
/// Interrupted.
int judge_command(const JudgeArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::judge
