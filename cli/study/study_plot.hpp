#pragma once

#include <string>
#include <vector>

#include "report/plot.hpp"
#include "study_race.hpp"

namespace lockstep::cli::study {

/// A picture and what its file's name says, "broadcast-switch-16".
struct NamedPlot {
  std::string name;
  report::Plot plot;
};

/// For each place of each race a picture of modelled times (of the synchronous clock) over the axis, a curve a method.
/// Races over machines are drawn over their processors; those over seeds and over what is no number are not drawn.
std::vector<NamedPlot> plots_of(const std::vector<StudyRace>& races);

}  // namespace lockstep::cli::study
