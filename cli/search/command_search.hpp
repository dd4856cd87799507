#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "run/trial.hpp"
#include "search_command.hpp"

namespace lockstep::cli::search {

/// A method of the catalogue with its counts.
struct Rival {
  std::string name;
  run::Trial trial;
  std::uint64_t steps = 0;
  std::uint64_t rounds = 0;
  std::uint64_t messages = 0;
  std::uint64_t longest_sum = 0;            ///< words
  std::optional<ChunkSchedule> schedule{};  ///< where it moves whole blocks
};

/// A search: its task, and what was found.
struct CommandSearch {
  const SearchArguments& arguments;
  MachineSpec machine;
  Topology topology;
  SearchNetwork network;
  ChunkTask task;
  ChunkBound bound{};
  std::optional<Synthesis> found{};
  std::optional<Rival> rival{};
  bool takes_rival = false;
  double seconds = 0;

  /// Throws InputError for a machine that does not exist, has no links or is too large.
  explicit CommandSearch(const SearchArguments& given);

  /// The reported schedule; null if the catalogue's cannot be written in chunks.
  const ChunkSchedule* schedule() const {
    if (!takes_rival) return &found->schedule;
    return rival->schedule ? &*rival->schedule : nullptr;
  }
};

/// The reported facts of the schedule that is taken.
struct TakenSchedule {
  ChunkCounts counts;
  std::uint64_t words = 0;
  std::uint64_t longest_sum = 0;  ///< words
  std::string wrong{};
};

}  // namespace lockstep::cli::search
