#include "in_steps.hpp"

namespace lockstep {
namespace scan {
namespace {

// At distances 1, 2, 4, .. every rank sends the combined values of that many ranks up to itself. Hillis & Steele 1986
// (collectives.md, Scan).
struct Doubling {
  static constexpr Prefix prefix = Prefix::inclusive;
  static constexpr const char* steps_formula = "ceil(log2 p)";
  static constexpr const char* messages_formula = "p q - (2^q - 1), q = ceil(log2 p)";
  static ScanSteps steps(std::uint64_t p) {
    ScanSteps steps;
    for (std::uint64_t distance = 1; distance < p; distance *= 2) steps.push_back({distance});
    return steps;
  }
};

}  // namespace
}  // namespace scan

extern const Method scan_doubling_method = scan::in_steps<scan::Doubling>({
    .name = "scan/doubling",
    .source = "Hillis & Steele 1986 (collectives.md, Scan)",
    .summary =
        "at doubling distances every rank sends on what it has of the ranks up to itself; operands stay in order",
});

}  // namespace lockstep
