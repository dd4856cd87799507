#pragma once

#include <string>
#include <vector>

#include "study_results.hpp"

namespace lockstep::cli::study {

/// Which methods take the least modelled time (of the synchronous clock), experiment by experiment: tables with a line
/// for each range of the parameter that varies most, words before others. Experiments of one method have none.
std::string winners_text(const std::vector<StudyPoint>& points, const StudyRows& rows);

}  // namespace lockstep::cli::study
