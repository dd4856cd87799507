#pragma once

#include <optional>
#include <string>
#include <vector>

#include "critical_path.hpp"
#include "host/exit_code.hpp"
#include "host/spread.hpp"
#include "lockstep/algorithms/carrier.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/machine_facts.hpp"
#include "run_plan.hpp"

namespace lockstep::cli::run {

/// What a run gains from its threads, against the same run on fewer.
struct ThreadGain {
  double speedup = 1;     ///< the median time on the fewest threads, divided by this run's
  double efficiency = 1;  ///< the speed-up, divided by the number of threads and multiplied by the fewest
};

/// Time and memory on the host, of one run or of several equal ones.
struct WallClock {
  double setup_seconds = 0;       ///< building the topology; in the first run also machine and method's preparation
  std::vector<double> samples{};  ///< seconds of every run that is measured, in their order
  host::Spread run{};             ///< of the samples, in seconds
  double verify_seconds = 0;      ///< of the first run
  double arithmetic_seconds = 0;  ///< of the first run: arithmetic of all processors' programs
  std::uint64_t repeats = 1;
  std::uint64_t warmup = 0;  ///< runs before the first that is measured
  std::uint64_t peak_rss_bytes = 0;
  std::uint64_t estimated_bytes = 0;          ///< of one run, without the program itself
  std::optional<double> estimated_seconds{};  ///< of all runs, before the first
  unsigned threads = 1;
  std::string executor;
  std::optional<ChannelKind> channels;  ///< of the links; none on a medium
  std::optional<ThreadGain> gain{};     ///< of a sweep over threads
};

/// How a run ended: `verified`; `ended` if the right data is not known; `failed` after it began; `refused` before;
/// `interrupted` at any time.
enum class Status { verified, ended, failed, refused, interrupted };

std::string_view name(Status status);

/// A run with everything that reports show. For a refused run only the texts of machine and algorithm are known; for
/// another unfinished run, all that is known before it starts.
struct RunRecord {
  RunPlan plan;
  MachineFacts facts;
  Prediction prediction;
  LowerBound lower_bound;
  Outcome outcome;
  std::optional<MessageFaultInjector::Counts> faulty{};  ///< messages that faults affected, in the first run
  std::vector<CriticalMessage> critical_path{};          ///< where a processor lags behind: what the end depends on
  bool is_critical_path_kept = true;                     ///< false where the run exceeded its limit of messages
  std::optional<CarriedCounts> carried{};                ///< where one machine's method runs on another
  WallClock wall;
  std::string digest;  ///< of counts, modelled times and data: 16 hexadecimal digits
  /// Errors, one a line: wrong data, counts and times that differ from an exact prediction or exceed an upper bound.
  std::vector<std::string> problems;
  Status status = Status::verified;
  std::string error{};                 ///< the kind of error: "livelock", "wrong-data", "input", ..; empty if none
  bool is_cut_off = false;             ///< an error ended the run; the outcome has the counts up to it, and no more
  std::optional<Coverage> coverage{};  ///< in the end, or at the error

  /// Whether the run finished.
  bool has_ended() const { return !digest.empty(); }
  /// Whether there are counts, of the whole run or up to its error.
  bool has_counts() const { return has_ended() || is_cut_off; }
  /// Whether data, counts and times are right.
  bool is_verified() const { return has_ended() && status == Status::verified; }
};

/// One of the counts that a method predicts.
struct PredictedCount {
  std::string_view name;  ///< "longest_sum"
  std::uint64_t counted;
  const std::optional<Count>& predicted;
  bool only_if_predicted = false;  ///< else text reports show it among the others

  /// Whether the prediction holds, as far as there is one.
  bool holds() const;
};

/// The counts in the order of the reports; they refer to the record.
std::vector<PredictedCount> predicted_counts(const RunRecord& record);

/// One of the modelled times that a method predicts.
struct PredictedTime {
  std::string_view clock;  ///< "synchronous"
  double taken;
  double tolerance;  ///< of the prediction's value
  std::optional<ModelledTime> predicted;

  /// Whether the prediction holds, as far as there is one.
  bool holds() const;
};

/// The two clocks' times, the synchronous first. They may differ from a prediction by 1e-9 of it, or by the rounding
/// error of a clock that sums this many steps, if that is more. A closed form predicts nothing.
std::vector<PredictedTime> predicted_times(const RunRecord& record);

/// Whether it holds, or need not because of a fault on which it depends; stragglers also change the asynchronous clock.
bool is_as_predicted(const RunRecord& record, const PredictedCount& count);
bool is_as_predicted(const RunRecord& record, const PredictedTime& time);

/// Counted steps as a multiple of their lower bound, and the longest_sum likewise; empty if the bound is unknown or 0.
std::optional<double> steps_to_bound(const RunRecord& record);
std::optional<double> longest_sum_to_bound(const RunRecord& record);

/// Whether the run meets the lower bound of the steps, that of the longest_sum, and both; empty where that is unknown,
/// or the run failed. A run that misses one bound is not optimal, even if the other is unknown.
std::optional<bool> is_optimal_in_steps(const RunRecord& record);
std::optional<bool> is_optimal_in_longest_sum(const RunRecord& record);
std::optional<bool> is_optimal(const RunRecord& record);

/// The synchronous time that synchronous_time() predicts.
std::optional<ModelledTime> predicted_time(const RunRecord& record);

/// Counted steps as a multiple of the guest's; empty without a guest, or if nothing moved.
std::optional<double> slowdown(const RunRecord& record);

/// Words over the busiest directed link, and the most messages over one; empty on a medium.
std::optional<std::uint64_t> busiest_link_words(const RunRecord& record);
std::optional<std::uint64_t> busiest_link_messages(const RunRecord& record);
/// The links that all messages have crossed in total; empty on a medium.
std::optional<std::uint64_t> hops(const RunRecord& record);

/// Median wall-clock nanoseconds per message, and messages per second; empty if no message moved.
std::optional<double> nanoseconds_per_message(const RunRecord& record);
std::optional<double> messages_per_second(const RunRecord& record);

/// The share of the run in which its processes waited for each other; empty with one process.
std::optional<double> wait_share(const RunRecord& record);

/// 16 hexadecimal digits for counts, modelled times and data together.
std::string digest_of(const Outcome& outcome);

/// Fills in digest, problems, status and error.
void judge(RunRecord& record);

/// The exit code after a finished run: run_failed if there are problems.
host::ExitCode exit_code_of(const RunRecord& record);

}  // namespace lockstep::cli::run
