#pragma once

#include <atomic>
#include <string>

namespace lockstep::cli::study {

/// Runs all points of a file NAME.repeat.json again, tells on standard output what differs, and returns the exit code:
/// run_failed if anything does. Throws InputError for a file that a study did not write.
int verify_study(const std::string& path, bool is_quiet, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::study
