#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lockstep/algorithms/move_log.hpp"
#include "method_run.hpp"

namespace lockstep {

/// A request for a run on the calling thread that records cycles, and moves unless a fault is planted.
class RecordedRun {
 public:
  RecordedRun(const BuiltMachine& machine, const Model& model, Settings settings,
              const std::optional<Fault>& fault = {}, MoveLog log = {})
      : model_(model),
        settings_(std::move(settings)),
        log_(std::move(log)),
        fault_(fault),
        request_{machine.spec, machine.topology,
                 model_,       settings_,
                 *executor_,   {},
                 {},           fault ? fault_.observer() : &recorder_} {
    request_.options.record_cycles = true;
  }
  RecordedRun(const RecordedRun&) = delete;
  RecordedRun& operator=(const RecordedRun&) = delete;

  const RunRequest& request() const { return request_; }
  const MoveLog& log() const { return log_; }

 private:
  Model model_;
  Settings settings_;
  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::sequential);
  MoveLog log_;
  MoveRecorder recorder_{log_};
  PlantedFault fault_;
  RunRequest request_;
};

/// Addresses as strings, the highest bit first, to work on letters instead of bits.
inline std::string letters_of(Rank x, std::uint64_t n) {
  std::string letters;
  for (std::uint64_t place = n; place-- > 0;) letters += (x >> place & 1U) != 0 ? '1' : '0';
  return letters;
}
inline Rank rank_of(const std::string& letters) {
  return letters.empty() ? 0 : static_cast<Rank>(std::stoul(letters, nullptr, 2));
}
inline std::uint64_t distance(Rank x, Rank y) {
  std::uint64_t sum = 0;
  for (const char letter : letters_of(x ^ y, 32)) sum += letter == '1' ? 1 : 0;
  return sum;
}

/// The processor with the two halves of the address exchanged (johnsson-ho.md, Conventions, tr).
inline Rank transposed(Rank x, std::uint64_t n) {
  const std::string letters = letters_of(x, n);
  return rank_of(letters.substr(n / 2) + letters.substr(0, n / 2));
}

}  // namespace lockstep
