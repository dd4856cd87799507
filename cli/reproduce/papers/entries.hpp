#pragma once

#include "reproduce/reproduction.hpp"

// The reproductions, each in the file of its paper. Titles, notes and remarks are in texts/reproductions; the texts
// added here are computed.
namespace lockstep::cli::reproduce {

Reproduction saad_schultz_table_1(ReproductionRuns& runs);
Reproduction saad_schultz_table_2(ReproductionRuns& runs);
Reproduction saad_schultz_1985(ReproductionRuns& runs);
Reproduction mukherjee(ReproductionRuns& runs);
Reproduction dimakopoulos(ReproductionRuns& runs);
Reproduction johnsson_ho_table_3(ReproductionRuns& runs);
Reproduction johnsson_ho_9(ReproductionRuns& runs);
Reproduction johnsson_ho_10(ReproductionRuns& runs);
Reproduction johnsson_ho_12(ReproductionRuns& runs);
Reproduction johnsson_ho_14a(ReproductionRuns& runs);
Reproduction johnsson_ho_15(ReproductionRuns& runs);
Reproduction johnsson_ho_19(ReproductionRuns& runs);

}  // namespace lockstep::cli::reproduce
