#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/model.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {
class RunObserver;
}

namespace lockstep::cli::learn {

/// A demonstration's own program, for what no method of the catalogue does, such as breaking a rule.
struct DemoProgram {
  std::string name;     ///< "wait-first"
  std::string machine;  ///< "ring:3"
  Model model{};
  /// Runs it. Throws what Machine::run throws.
  Report (*run)(const MachineSpec& machine, const Model& model, RunObserver& observer) = nullptr;
  /// Its source, as shown.
  std::vector<std::string> lines{};
};

/// A run that a demonstration shows: of a method, or of a program.
struct Exhibit {
  std::string title;                     ///< "one port"
  std::vector<std::string> arguments{};  ///< of `lockstep run`: {"--machine", "hypercube:3", "--algorithm", ..}
  std::optional<DemoProgram> program{};  ///< instead of the arguments
};

/// The text of a step. Steps count from 1, in the order of the cycles in which anything moves in any exhibit.
struct Sentence {
  std::size_t step = 0;
  std::string text;
};

/// A demonstration: one run, or several side by side under one clock, shown cycle by cycle.
struct Demo {
  std::string name;          ///< "broadcast-hypercube"
  std::string title;         ///< "Broadcast on a hypercube"
  std::string summary;       ///< a line for the list
  std::string introduction;  ///< before the first cycle, two to five sentences
  std::vector<Exhibit> exhibits;
  /// Why messages move. Steps after the last of these show the line of the pseudo code, if there is one.
  std::vector<Sentence> sentences{};
  std::string ending;                ///< what the counts show
  std::string question;              ///< to think about
  std::string answer;                ///< for the lecturer
  std::vector<std::string> notes{};  ///< for the lecturer: what to say, what to point at, how long it takes
  /// Shown with the counts after the cycles: a curve or a table of at most 40 columns. Throws Interrupted if the user
  /// interrupts.
  std::string (*finale)(const std::atomic<bool>& stop) = nullptr;
};

/// All of them, in the order of the list.
const std::vector<Demo>& demos();

/// The demonstration of that name, in upper or lower case. Throws InputError, with the nearest name.
const Demo& find_demo(std::string_view name);

}  // namespace lockstep::cli::learn
