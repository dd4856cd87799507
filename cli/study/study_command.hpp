#pragma once

#include <atomic>

#include "study_options.hpp"

namespace lockstep::cli::study {

/// Runs `lockstep study` and returns the exit code. Throws InputError, OutputError, and what a fault of the program is.
int study_command(const StudyArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::study
