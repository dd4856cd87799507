#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "lockstep/machines/position.hpp"

namespace lockstep {

class SpecReader;

/// Where every port of every processor leads, by arithmetic: works for machines far too large to build, from any
/// thread. The rank and port must exist.
using Wiring = std::function<End(Rank, Port)>;

/// One family of machines: all that Lockstep knows about it. A new family is one more entry of machine_families(), or
/// is added by your own program.
struct MachineFamily {
  std::string name;     ///< "torus"
  std::string form;     ///< how it is written: "torus:AxBxC.."
  std::string limits;   ///< which parameters are allowed: "sides from 1 up"
  std::string example;  ///< "torus:4x5"
  std::string summary;  ///< "product of rings"
  std::string ports;    ///< where port p leads

  /// Fills parameters, factors, processors and ports; sizes beyond 64 bits become the largest 64-bit number.
  void (*read)(const SpecReader& reader, MachineSpec& spec) = nullptr;
  Wiring (*wiring)(const MachineSpec& spec) = nullptr;  ///< null where processors share a medium
  /// A processor's name for people; empty if it is its rank.
  Topology::Label (*label)(const MachineSpec& spec) = nullptr;
  /// Everything in MachineFacts except the sizes in the specification and values that follow from the average status.
  MachineFacts (*facts)(const MachineSpec& spec) = nullptr;
  /// The machine in ASCII, or a small member of its family if it is large, with a caption that states it.
  std::string (*picture)(const MachineSpec& spec) = nullptr;
  /// A place for every rank, all different; null if people draw the processors on a circle.
  std::vector<Position> (*layout)(const MachineSpec& spec) = nullptr;
};

/// All families in the order in which lists show them; added ones come last.
const std::vector<MachineFamily>& machine_families();

/// Adds your own family, before any machine is read. `read` and `wiring` must be there. Other members that are null are
/// filled in: processors are named by their rank, facts are found by search (search.hpp), the picture is a table of
/// neighbours. Throws std::invalid_argument if something is missing or the name is taken.
void add_machine_family(MachineFamily family);

/// The family of a specification. Throws std::invalid_argument if there is none of that name.
const MachineFamily& family_of(const MachineSpec& spec);

}  // namespace lockstep
