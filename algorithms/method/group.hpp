#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/algorithms/parameter.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep::method {

/// The ranks of a hypercube that take part in an operation (saad-schultz-1985.md, Subgroups). Immutable.
class Group {
 public:
  /// As users write it: ranks and ranges ("3,5,8..11"), a subcube with a digit for every dimension ("0b1**0"), or a
  /// file of ranks separated by white space. Throws InputError, one line.
  Group(const MachineSpec& machine, const std::string& text);

  /// At least one, in ascending order.
  std::span<const Rank> members() const { return members_; }
  /// Whether the rank takes part.
  bool has(Rank rank) const { return has_[rank]; }

 private:
  std::vector<bool> has_;
  std::vector<Rank> members_;
};

/// The group of the settings, if they name one.
std::optional<Group> group_of(const MachineSpec& machine, const Settings& settings);

/// Fills in the lowest rank of the group as --root, if there is a group and no root. Throws InputError if the root is
/// not in the group.
void resolve_root_in_group(const MachineSpec& machine, Settings& settings);

/// The parameter --group.
inline constexpr Parameter group_parameter{
    "group", "ranks that take part: 3,5,8..11, a subcube such as 0b1**0, or a file of ranks", "all"};

}  // namespace lockstep::method
