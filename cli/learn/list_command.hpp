#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lockstep/core/model.hpp"

namespace lockstep::cli::learn {

/// The arguments of `lockstep list`.
struct ListArguments {
  std::string what;  ///< machines, algorithms or presets; empty: all
  std::string name;  ///< of a machine family, of algorithms or of a preset; empty: all
  std::optional<std::string> operation;
  std::optional<std::string> machine;
  std::optional<std::string> json;  ///< a file or "-"
};

/// Whether there is a list of that name.
bool names_list(std::string_view name);

/// `lockstep list`: the machine families, the catalogue of methods and the cost presets, or one of these, as tables or
/// as JSON. Throws InputError, MachineSpecError and OutputError.
int list_command(const ListArguments& arguments);

/// "--beta 0.005 --tau 4e-06 --max-packet 256 --copy-cost 3.6e-05": what --preset stands for.
std::string flags_of(const CostModel& cost);

}  // namespace lockstep::cli::learn
