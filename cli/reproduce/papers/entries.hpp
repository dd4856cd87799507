#pragma once

#include "reproduce/reproduction.hpp"

// The reproductions, each in the file of its paper and in a namespace, since papers share letters. Titles, notes and
// remarks are in texts/reproductions; the texts added here are computed.
namespace lockstep::cli::reproduce {

namespace saad_schultz_1988 {
Reproduction table_1(ReproductionRuns& runs);
Reproduction table_2(ReproductionRuns& runs);
}  // namespace saad_schultz_1988
namespace saad_schultz_1985 {
Reproduction reproduction(ReproductionRuns& runs);
}
namespace mukherjee {
Reproduction reproduction(ReproductionRuns& runs);
}
namespace dimakopoulos {
Reproduction reproduction(ReproductionRuns& runs);
}
namespace johnsson_ho_table_3 {
Reproduction reproduction(ReproductionRuns& runs);
}
namespace johnsson_ho_section_9 {
Reproduction reproduction(ReproductionRuns& runs);
}
namespace johnsson_ho_figures {
Reproduction figure_10(ReproductionRuns& runs);
Reproduction figure_12(ReproductionRuns& runs);
Reproduction figure_14a(ReproductionRuns& runs);
Reproduction figure_15(ReproductionRuns& runs);
Reproduction figure_19(ReproductionRuns& runs);
}  // namespace johnsson_ho_figures

}  // namespace lockstep::cli::reproduce
