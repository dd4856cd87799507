#pragma once

namespace lockstep::cli::host {

/// The command's exit code.
enum ExitCode {
  verified = 0,
  run_failed = 1,      ///< a violation, a deadlock, wrong data, a count that differs from its prediction
  bad_input = 2,       ///< one line on standard error: what is wrong, what is allowed
  internal_error = 3,  ///< a fault of Lockstep
  hung_up = 129,       ///< SIGHUP; the exit code of an interrupt is 128 + the number of its signal
  interrupted = 130,   ///< SIGINT
  terminated = 143     ///< SIGTERM
};

}  // namespace lockstep::cli::host
