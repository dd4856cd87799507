#pragma once

#include "reproduce/reproduction.hpp"

namespace lockstep::cli {

// Each in the file of its paper.
ReproductionEntry saad_schultz_table_1();
ReproductionEntry saad_schultz_table_2();
ReproductionEntry saad_schultz_1985();
ReproductionEntry mukherjee();
ReproductionEntry dimakopoulos();
ReproductionEntry johnsson_ho_table_3();
ReproductionEntry johnsson_ho_9();
ReproductionEntry johnsson_ho_10();
ReproductionEntry johnsson_ho_12();
ReproductionEntry johnsson_ho_14a();
ReproductionEntry johnsson_ho_15();
ReproductionEntry johnsson_ho_19();

}  // namespace lockstep::cli
