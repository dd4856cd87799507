#include "in_steps.hpp"

// Exclusive scans on a switch or complete graph: rank r gets a_0 (+) a_1 (+) .. (+) a_(r-1), and rank 0 nothing
// (collectives.md, Exclusive scan).
namespace lockstep {
namespace scan {
namespace {

// A rank sends its value over distance 1, that and what it has received over 2, then what it has over 3, 6, 12, .., the
// values of that many ranks. Traeff 2025, arXiv 2507.04785.
struct Doubling123 {
  static constexpr Prefix prefix = Prefix::exclusive;
  static constexpr const char* steps_formula = "t = ceil(log2(4 (p - 1)/3))";
  static constexpr const char* messages_formula = "(p - 1) + (p - 2) + sum of p - 1 - 3 2^(k-2), k = 2..t-1";
  static ScanSteps steps(std::uint64_t p) {
    ScanSteps steps;
    if (p > 1) steps.push_back({1, ScanStep::Sent::value});
    if (p > 2) steps.push_back({2, ScanStep::Sent::with_value});
    for (std::uint64_t distance = 3; distance + 1 < p; distance *= 2) steps.push_back({distance});
    return steps;
  }
};

// Every value goes to the next rank; then the ranks from 1 on make the inclusive scan of what they have received.
struct ExclusiveShift {
  static constexpr Prefix prefix = Prefix::exclusive;
  static constexpr const char* steps_formula = "1 + t, t = ceil(log2(p - 1))";
  static constexpr const char* messages_formula = "(p - 1) (1 + t) - (2^t - 1)";
  static ScanSteps steps(std::uint64_t p) {
    ScanSteps steps;
    if (p > 1) steps.push_back({1, ScanStep::Sent::value});
    for (std::uint64_t distance = 1; distance + 1 < p; distance *= 2) steps.push_back({distance});
    return steps;
  }
};

}  // namespace
}  // namespace scan

extern const Method exscan_123_doubling_method = scan::in_steps<scan::Doubling123>({
    .name = "exscan/123-doubling",
    .source = "Traeff 2025, arXiv 2507.04785 (collectives.md, Exclusive scan)",
    .summary = "results go on over distances 1, 2, 3, 6, 12, ..; operands stay in order",
});

extern const Method exscan_shift_method = scan::in_steps<scan::ExclusiveShift>({
    .name = "exscan/shift",
    .source = "a shift before Hillis & Steele 1986 (collectives.md, Exclusive scan)",
    .summary = "every value goes to the next rank, and these make an inclusive scan; operands stay in order",
});

}  // namespace lockstep
