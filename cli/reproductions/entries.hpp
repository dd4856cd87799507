#pragma once

#include "../reproduction.hpp"

namespace lockstep::cli {

// Each in the file of its paper.
ReproductionEntry saad_schultz_table_1();
ReproductionEntry saad_schultz_table_2();
ReproductionEntry saad_schultz_1985();
ReproductionEntry mukherjee();
ReproductionEntry dimakopoulos();

}  // namespace lockstep::cli
