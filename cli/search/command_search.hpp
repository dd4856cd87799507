#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/topology.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "run/trial.hpp"
#include "search_command.hpp"

namespace lockstep::cli::search {

/// A schedule that was found, or that of a method of the catalogue, with its counts.
struct Candidate {
  std::string by;                           ///< the method's name, else "search"
  std::optional<run::Trial> trial{};        ///< the method's run
  std::optional<ChunkSchedule> schedule{};  ///< of a search, or of a method that moves whole blocks
  std::uint64_t steps = 0;
  std::uint64_t rounds = 0;
  std::uint64_t messages = 0;
  std::uint64_t longest_sum = 0;  ///< words
};

/// A search: its task, and what was found.
struct CommandSearch {
  const SearchArguments& arguments;
  MachineSpec machine;
  Topology topology;
  SearchNetwork network;
  ChunkTask task;
  ChunkBound bound{};
  std::vector<Candidate> candidates{};      ///< those with no more steps than allowed
  Candidate* taken = nullptr;               ///< the best
  const Candidate* of_catalogue = nullptr;  ///< the best method, if there is one
  std::optional<std::uint64_t> tries{};     ///< trees laid by the searches, if one found something
  double seconds = 0;
  std::optional<std::string> cut{};  ///< why the search ended early: "out of time", "interrupted"

  /// Throws InputError for a machine that does not exist, has no links or is too large.
  explicit CommandSearch(const SearchArguments& given);

  /// The candidates than which none has fewer steps and no more rounds, or fewer rounds and no more steps: by steps,
  /// one for each pair.
  std::vector<const Candidate*> front() const;
  /// By --beta and --tau, where one of them is given.
  std::optional<double> time_of(const Candidate& candidate) const;
};

/// The reported facts of the schedule that is taken.
struct TakenSchedule {
  ChunkCounts counts;
  std::uint64_t words = 0;
  std::uint64_t longest_sum = 0;  ///< words
  std::string wrong{};
};

}  // namespace lockstep::cli::search
