#pragma once

#include <string>
#include <vector>

#include "study_race.hpp"

namespace lockstep::cli::study {

/// Which methods take the least modelled time (of the synchronous clock), experiment by experiment: tables with a line
/// for each range of the axis. Experiments of one method have none.
std::string winners_text(const std::vector<StudyRace>& races);

}  // namespace lockstep::cli::study
