#pragma once

#include <atomic>
#include <optional>
#include <string>

namespace lockstep::cli::learn {

/// What `lockstep demo` was asked for.
struct DemoArguments {
  std::string name;                 ///< of a demonstration; empty: which there are
  std::optional<double> seconds;    ///< after which it goes on by itself
  std::optional<std::string> html;  ///< a file or "-"
  bool speaker = false;             ///< the lecturer's notes instead
};

/// `lockstep demo`: walks through a run cycle by cycle, on a terminal as the keys say. Throws InputError, OutputError
/// and Interrupted.
int demo_command(const DemoArguments& arguments, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::learn
