#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "run/run_plan.hpp"

// Methods as pseudo code. A program has 4 to 14 lines of at most 72 characters, in a text file beside these sources:
//
//   # allgather/adea
//
//   why: ..
//
//       held = own block
//       for d = n - 1 .. 0:
//         send held to rank xor 2^d, and receive as much from it  <- exchange, if full duplex
//
// The text after "  <- " is not shown: the name by which code finds the line, the case to which it is limited ("if ..")
// or both.
namespace lockstep::cli::texts::pseudo_code {

using host::counted;
using host::grouped;
using host::joined;
using run::RunPlan;

/// The position of a program.
struct ProgramPlace {
  std::size_t line = 0;
  std::string values;
};

struct PseudoProgram {
  std::string why;
  std::vector<std::string> lines;
  /// The position in a cycle; empty after the method's end.
  std::function<std::optional<ProgramPlace>(Cycle)> place_in;
};

/// The text of a program.
class ProgramText {
 public:
  /// The text of the entry with that heading: its lines without those of other cases, with names in braces replaced by
  /// the values.
  explicit ProgramText(std::string_view heading, const std::vector<std::string_view>& cases = {},
                       const std::map<std::string, std::string>& values = {});

  std::size_t size() const { return lines_.size(); }
  /// The line of that name, from 0.
  std::size_t line(std::string_view name) const;

  PseudoProgram with(std::function<std::optional<ProgramPlace>(Cycle)> place_in) const {
    return {.why = why_, .lines = lines_, .place_in = std::move(place_in)};
  }

 private:
  std::string heading_;
  std::string why_;
  std::vector<std::string> lines_;
  std::map<std::string, std::size_t, std::less<>> names_;
};

/// The program of a method under some plan; empty where the current line would not be known.
struct MethodProgram {
  std::string_view method;
  std::optional<PseudoProgram> (*program)(const RunPlan&);
};

// The programs of each source, whose names repeat those of its methods.
namespace allgather {
std::span<const MethodProgram> programs();
}
namespace alltoall {
std::span<const MethodProgram> programs();
}
namespace broadcast {
std::span<const MethodProgram> programs();
}
namespace collectives {  // on switches and complete graphs
std::span<const MethodProgram> programs();
}
namespace combining {  // barrier, reduce, scan
std::span<const MethodProgram> programs();
}
namespace pipeline {  // broadcasts in packets
std::span<const MethodProgram> programs();
}
namespace scatter {  // and gather
std::span<const MethodProgram> programs();
}
namespace sort {
std::span<const MethodProgram> programs();
}
namespace transpose {
std::span<const MethodProgram> programs();
}

/// "i = 3".
inline std::string value(std::string_view variable, std::uint64_t number) {
  return std::string(variable) + " = " + std::to_string(number);
}
/// "3 of 4".
inline std::string of(std::uint64_t number, std::uint64_t all) {
  return std::to_string(number) + " of " + std::to_string(all);
}

/// place_in for that many cycles, from place(cycle).
template <class PlaceIn>
std::function<std::optional<ProgramPlace>(Cycle)> lasts(std::uint64_t cycles, PlaceIn place) {
  return [=](Cycle cycle) -> std::optional<ProgramPlace> {
    if (cycle >= cycles) return {};
    return place(cycle);
  };
}

/// The same for one line in all cycles, with values(cycle).
template <class Values>
std::function<std::optional<ProgramPlace>(Cycle)> repeats(std::size_t line, std::uint64_t cycles, Values values) {
  return lasts(cycles, [=](Cycle cycle) { return ProgramPlace{line, values(cycle)}; });
}

/// The same for these places, one after the other.
inline std::function<std::optional<ProgramPlace>(Cycle)> listed(std::vector<ProgramPlace> places) {
  const std::uint64_t cycles = places.size();
  return lasts(cycles, [places = std::move(places)](Cycle cycle) { return places[cycle]; });
}

/// The predicted steps of the plan's method, which must predict them.
inline std::uint64_t predicted_steps(const RunPlan& plan) {
  return plan.method->predict(plan.machine, plan.model, plan.settings).steps.value().value;
}

}  // namespace lockstep::cli::texts::pseudo_code
