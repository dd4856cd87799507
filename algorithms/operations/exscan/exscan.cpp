#include "lockstep/machines/rank_arithmetic.hpp"
#include "operations/scan/in_steps.hpp"
#include "operations/scan/scan.hpp"

// Exclusive scans on a switch or complete graph: rank r gets a_0 (+) a_1 (+) .. (+) a_(r-1), and rank 0 nothing
// (collectives.md, Exclusive scan).
namespace lockstep {
namespace exscan {
namespace {

using scan::Prefix;
using scan::ScanStep;
using scan::ScanSteps;

constexpr Parameter output_parameter{
    "output", "file for the results of ranks 1, 2, .., rank by rank, one number or string a line", "none"};

// Over 1 a rank sends its value, over 2 that and what it has got, then what it has over 3, 6, 12, .., which is of as
// many ranks. Traeff 2025, arXiv 2507.04785.
ScanSteps steps_of_123_doubling(std::uint64_t p) {
  ScanSteps steps;
  if (p > 1) steps.push_back({1, ScanStep::Sent::value});
  if (p > 2) steps.push_back({2, ScanStep::Sent::with_value});
  for (std::uint64_t distance = 3; distance + 1 < p; distance *= 2) steps.push_back({distance});
  return steps;
}

// Every value goes to the next rank; then the ranks from 1 on make the inclusive scan of what they have got.
ScanSteps steps_of_shift(std::uint64_t p) {
  ScanSteps steps;
  if (p > 1) steps.push_back({1, ScanStep::Sent::value});
  for (std::uint64_t distance = 1; distance + 1 < p; distance *= 2) steps.push_back({distance});
  return steps;
}

Prediction predict_123_doubling(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_in_steps(machine, settings, Prefix::exclusive, steps_of_123_doubling(machine.processors),
                          "t = ceil(log2(4 (p - 1)/3))", "(p - 1) + (p - 2) + sum of p - 1 - 3 2^(k-2), k = 2..t-1");
}

Prediction predict_shift(const MachineSpec& machine, const Model&, const Settings& settings) {
  return predict_in_steps(machine, settings, Prefix::exclusive, steps_of_shift(machine.processors),
                          "1 + t, t = ceil(log2(p - 1))", "(p - 1) (1 + t) - (2^t - 1)");
}

template <ScanSteps (*steps)(std::uint64_t p)>
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_in_steps(machine, model, settings, Prefix::exclusive, steps(machine.processors));
}

template <ScanSteps (*steps)(std::uint64_t p)>
Outcome run(const RunRequest& request) {
  return run_in_steps(request, Prefix::exclusive, steps(request.machine.processors));
}

Method with_defaults(Method own) {
  return scan::with_defaults_in_steps(filled_in(
      std::move(own), {.operation = "exscan",
                       .known_as = "exclusive prefix",
                       .parameters = {operands::words_parameter, operands::operator_parameter, operands::type_parameter,
                                      operands::input_parameter, output_parameter}}));
}

}  // namespace
}  // namespace exscan

extern const Method exscan_123_doubling_method = exscan::with_defaults({
    .name = "exscan/123-doubling",
    .source = "Traeff 2025, arXiv 2507.04785 (collectives.md, Exclusive scan)",
    .summary = "results go on over distances 1, 2, 3, 6, 12, ..; operands stay in order",
    .port_models = {PortModel::one},
    .predict = exscan::predict_123_doubling,
    .bytes = exscan::bytes<exscan::steps_of_123_doubling>,
    .run = exscan::run<exscan::steps_of_123_doubling>,
});

extern const Method exscan_shift_method = exscan::with_defaults({
    .name = "exscan/shift",
    .source = "a shift before Hillis & Steele 1986 (collectives.md, Exclusive scan)",
    .summary = "every value goes to the next rank, and these make an inclusive scan; operands stay in order",
    .port_models = {PortModel::one},
    .predict = exscan::predict_shift,
    .bytes = exscan::bytes<exscan::steps_of_shift>,
    .run = exscan::run<exscan::steps_of_shift>,
});

}  // namespace lockstep
