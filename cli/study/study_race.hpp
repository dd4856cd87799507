#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "study_results.hpp"

namespace lockstep::cli::study {

/// A verified run of an experiment, as its methods are compared.
struct RaceRun {
  std::string place;   ///< what tells it from runs with other machines and flags: "switch:8, beta 100"
  std::string value;   ///< on the axis; "-" if the flag is not given
  std::string method;  ///< without its operation
  double time;         ///< of the synchronous clock
  std::uint64_t processors;
};

/// The verified runs of an experiment, in the order of its points.
struct StudyRace {
  std::string experiment;
  std::string axis;  ///< "words" if they vary, else what varies most, or "machine"
  std::size_t methods = 0;
  std::vector<RaceRun> runs;
};

/// The races of all experiments that have verified runs.
std::vector<StudyRace> races_of(const std::vector<StudyPoint>& points, const StudyRows& rows);

}  // namespace lockstep::cli::study
