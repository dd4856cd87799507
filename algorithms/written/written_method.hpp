#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::written {

/// Entries like those of the catalogue, by operation, for schedules of one format.
using Methods = std::map<std::string, Method, std::less<>>;

/// The texts of a format's entries; all else comes from Settings::written_schedule. Entries run on machines with links,
/// and over a switch if runs_on_switch is true.
struct MethodTexts {
  std::string_view summary;
  Parameter parameter;
  std::vector<PortModel> port_models;
  bool runs_on_switch = true;
  std::string_view source = "a schedule from a file";
};

/// One for each of the operations, under its own name.
Methods methods_for(const std::vector<std::string>& operations, const MethodTexts& texts);

/// Throws InputError where the machine has another number of processors.
void refuse_other_size(const WrittenSource& source, const MachineSpec& machine);

}  // namespace lockstep::written
