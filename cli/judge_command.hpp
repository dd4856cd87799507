#pragma once

#include <atomic>

#include "judge.hpp"

namespace lockstep::cli {

/// Judges methods and returns the exit code: run_failed if something is wrong with one. `program` is what the command
/// was called as. Throws InputError, OutputError and Interrupted.
int judge_command(const std::string& program, const JudgeArguments& arguments, const OwnMethods& own,
                  const std::atomic<bool>& stop);

}  // namespace lockstep::cli
