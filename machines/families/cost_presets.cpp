#include "lockstep/machines/cost_presets.hpp"

#include <array>

namespace lockstep {
namespace {

// 1 microsecond a byte; 37 ms to copy 1024 numbers.
constexpr std::array presets{
    CostPreset{.name = "ipsc",
               .machine = "Intel iPSC",
               .units = "seconds; a word is a 4-byte floating-point number",
               .cost = {.beta = 5e-3, .tau = 4e-6, .max_packet_words = 256, .copy_cost = 3.6e-5},
               .source = "Johnsson & Ho, section 2 (start-up, byte and packet) and section 8.1 (copy)"},
};

}  // namespace

std::span<const CostPreset> cost_presets() { return presets; }

}  // namespace lockstep
