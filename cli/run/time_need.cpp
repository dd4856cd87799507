#include "time_need.hpp"

#include <algorithm>

#include "host/host_facts.hpp"

namespace lockstep::cli::run {
namespace {

// Seconds of one core, fitted to 64 runs of allgather and allreduce of a tenth of a second to some seconds: nine of ten
// took a half to 2.4 times of what follows.
constexpr double of_processor = 3e-6;
constexpr double of_message = 2.5e-7;
constexpr double of_word = 4e-10;
constexpr double of_byte = 2e-9;  // touched for the first time, generated or verified
constexpr double of_operation = 5e-9;
constexpr double of_step = 2e-5;  // on however many cores

double value_of(const std::optional<Count>& count) { return count ? static_cast<double>(count->value) : 0; }

}  // namespace

std::optional<double> estimated_seconds(const MachineSpec& machine, const Prediction& prediction, std::uint64_t bytes,
                                        unsigned threads) {
  if (!prediction.messages) return std::nullopt;
  const double work = of_processor * static_cast<double>(machine.processors) +
                      of_message * value_of(prediction.messages) + of_word * value_of(prediction.words) +
                      of_byte * static_cast<double>(bytes) + of_operation * value_of(prediction.operations);
  return work / std::clamp(threads, 1U, std::max(1U, host::host_facts().cores)) + of_step * value_of(prediction.steps);
}

}  // namespace lockstep::cli::run
