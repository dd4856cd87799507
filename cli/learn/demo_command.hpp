#pragma once

#include <atomic>
#include <optional>
#include <string>

namespace lockstep::cli::learn {

/// The arguments of `lockstep demo`.
struct DemoArguments {
  std::string name;                 ///< of a demonstration; empty: list all
  std::optional<double> seconds;    ///< after which it advances by itself
  std::optional<std::string> html;  ///< a file or "-"
  bool speaker = false;             ///< print the lecturer's notes instead
};

/// `lockstep demo`: walks through a run cycle by cycle, controlled by keys on a terminal. Throws InputError,
/// OutputError and Interrupted.
int demo_command(const DemoArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::learn
