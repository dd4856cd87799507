#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "run/run_plan.hpp"

// Methods as pseudo code. A program has 4 to 14 lines of at most 72 characters; lines are told by their number from 0.
namespace lockstep::cli::pseudo_code {

/// Where a program is.
struct Place {
  std::size_t line = 0;
  std::string values;
};

struct Program {
  std::string why;
  std::vector<std::string> lines;
  /// Nothing from the cycle on in which the method has ended.
  std::function<std::optional<Place>(Cycle)> place_in;
};

/// The program of a method under some plan; nothing where it would not tell which line runs.
struct Entry {
  std::string_view method;
  std::optional<Program> (*program)(const RunPlan&);
};

std::span<const Entry> allgather_programs();
std::span<const Entry> alltoall_programs();
std::span<const Entry> broadcast_programs();
std::span<const Entry> collective_programs();  ///< on switches and complete graphs
std::span<const Entry> combining_programs();   ///< barrier, reduce, scan
std::span<const Entry> pipeline_programs();    ///< broadcasts in packets
std::span<const Entry> scatter_programs();     ///< and gather
std::span<const Entry> sort_programs();
std::span<const Entry> transpose_programs();

/// "i = 3".
inline std::string value(std::string_view variable, std::uint64_t number) {
  return std::string(variable) + " = " + std::to_string(number);
}
/// "3 of 4".
inline std::string of(std::uint64_t number, std::uint64_t all) {
  return std::to_string(number) + " of " + std::to_string(all);
}

/// place_in for so many cycles; place(cycle) says where the program is in each.
template <class PlaceIn>
std::function<std::optional<Place>(Cycle)> lasts(std::uint64_t cycles, PlaceIn place) {
  return [=](Cycle cycle) -> std::optional<Place> {
    if (cycle >= cycles) return {};
    return place(cycle);
  };
}

/// The same where one line runs in all of them, with values(cycle).
template <class Values>
std::function<std::optional<Place>(Cycle)> repeats(std::size_t line, std::uint64_t cycles, Values values) {
  return lasts(cycles, [=](Cycle cycle) { return Place{line, values(cycle)}; });
}

/// The same where the places are these, one after the other.
inline std::function<std::optional<Place>(Cycle)> listed(std::vector<Place> places) {
  const std::uint64_t cycles = places.size();
  return lasts(cycles, [places = std::move(places)](Cycle cycle) { return places[cycle]; });
}

/// The steps that the plan's method is predicted to take; it must predict some.
inline std::uint64_t predicted_steps(const RunPlan& plan) {
  return plan.method->predict(plan.machine, plan.model, plan.settings).steps.value().value;
}

}  // namespace lockstep::cli::pseudo_code
