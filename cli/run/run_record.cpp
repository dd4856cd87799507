#include "run_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/number_text.hpp"

namespace lockstep::cli::run {
namespace {

bool measured(const RunRecord& record) { return record.outcome.report.messages > 0 && record.wall.run.median > 0; }

std::string bound_name(bool exact) { return exact ? ", predicted exactly " : ", predicted at most "; }

/// Whether no fault occurred on which counts depend.
bool is_foreseen(const RunRecord& record) {
  const Faults& faults = record.plan.faults.faults;
  const MessageFaultInjector::Counts faulty = record.faulty.value_or(MessageFaultInjector::Counts{});
  return faults.links.empty() && faults.processors.empty() && faulty.dropped + faulty.delayed + faulty.corrupted == 0;
}

}  // namespace

std::string_view name(Status status) {
  switch (status) {
    case Status::verified:
      return "verified";
    case Status::ended:
      return "ended";
    case Status::failed:
      return "failed";
    case Status::refused:
      return "refused";
    case Status::interrupted:
      return "interrupted";
  }
  return "";
}

bool PredictedCount::holds() const {
  if (!predicted) return true;
  return predicted->exact ? counted == predicted->value : counted <= predicted->value;
}

std::vector<PredictedCount> predicted_counts(const RunRecord& record) {
  const Report& report = record.outcome.report;
  const Prediction& prediction = record.prediction;
  return {{"steps", report.steps, prediction.steps},
          {"messages", report.messages, prediction.messages},
          {"words", report.words, prediction.words},
          {"longest_sum", report.longest_sum, prediction.longest_sum},
          {"startups", report.startups, prediction.startups, true},
          {"copied_words", report.copied_words, prediction.copied_words, true},
          {"operations", report.operations, prediction.operations, true},
          {"scanned_blocks", report.scanned_blocks, prediction.scanned_blocks, true}};
}

bool PredictedTime::holds() const {
  if (!predicted) return true;
  const double excess = taken - predicted->value;
  return (predicted->exact ? std::abs(excess) : excess) <= tolerance * predicted->value;
}

std::vector<PredictedTime> predicted_times(const RunRecord& record) {
  const Report& report = record.outcome.report;
  const double rounding = static_cast<double>(report.steps) * std::numeric_limits<double>::epsilon();
  const double tolerance = std::max(1e-9, rounding);
  return {{"synchronous", report.time_synchronous, tolerance, predicted_time(record)},
          {"asynchronous", report.time_asynchronous, tolerance, record.prediction.asynchronous}};
}

namespace {

std::optional<double> ratio(std::uint64_t counted, const std::optional<std::uint64_t>& bound) {
  if (!bound || *bound == 0) return std::nullopt;
  return static_cast<double>(counted) / static_cast<double>(*bound);
}

std::optional<bool> meets(std::uint64_t counted, const std::optional<std::uint64_t>& bound) {
  return bound ? std::optional(counted == *bound) : std::nullopt;
}

}  // namespace

std::optional<double> steps_to_bound(const RunRecord& record) {
  return ratio(record.outcome.report.steps, record.lower_bound.steps);
}

std::optional<double> longest_sum_to_bound(const RunRecord& record) {
  return ratio(record.outcome.report.longest_sum, record.lower_bound.longest_sum);
}

std::optional<bool> is_optimal_in_steps(const RunRecord& record) {
  if (!record.problems.empty()) return {};
  return meets(record.outcome.report.steps, record.lower_bound.steps);
}

std::optional<bool> is_optimal_in_longest_sum(const RunRecord& record) {
  if (!record.problems.empty()) return {};
  return meets(record.outcome.report.longest_sum, record.lower_bound.longest_sum);
}

std::optional<bool> is_optimal(const RunRecord& record) {
  const auto steps = is_optimal_in_steps(record);
  const auto longest_sum = is_optimal_in_longest_sum(record);
  if (steps == false || longest_sum == false) return false;
  return steps && longest_sum ? std::optional(true) : std::nullopt;
}

std::optional<ModelledTime> predicted_time(const RunRecord& record) {
  return synchronous_time(record.prediction, record.plan.model.cost);
}

std::optional<double> slowdown(const RunRecord& record) {
  if (!record.carried || record.carried->guest_steps == 0) return {};
  return static_cast<double>(record.outcome.report.steps) / static_cast<double>(record.carried->guest_steps);
}

std::optional<std::uint64_t> busiest_link_words(const RunRecord& record) {
  if (record.plan.machine.medium) return std::nullopt;
  return record.outcome.report.busiest_link_words;
}

std::optional<std::uint64_t> busiest_link_messages(const RunRecord& record) {
  if (record.plan.machine.medium) return std::nullopt;
  return record.outcome.report.busiest_link_messages;
}

std::optional<std::uint64_t> hops(const RunRecord& record) {
  if (record.plan.machine.medium) return std::nullopt;
  return record.outcome.report.messages;
}

std::optional<double> nanoseconds_per_message(const RunRecord& record) {
  if (!measured(record)) return {};
  return record.wall.run.median * 1e9 / static_cast<double>(record.outcome.report.messages);
}

std::optional<double> wait_share(const RunRecord& record) {
  const auto& wire = record.outcome.report.wire;
  if (!wire) return std::nullopt;
  return wire->wait_seconds / wire->run_seconds;
}

std::optional<double> messages_per_second(const RunRecord& record) {
  if (!measured(record)) return {};
  return static_cast<double>(record.outcome.report.messages) / record.wall.run.median;
}

std::string digest_of(const Outcome& outcome) {
  Digest digest;
  digest.add(outcome.report.digest());
  digest.add(outcome.data_digest);
  for (const Measure& measure : outcome.measures) digest.add(measure.value);
  return digest.text();
}

bool is_as_predicted(const RunRecord& record, const PredictedCount& count) {
  return count.holds() || !is_foreseen(record);
}

bool is_as_predicted(const RunRecord& record, const PredictedTime& time) {
  const bool is_slowed = time.clock == "asynchronous" && !record.plan.faults.faults.stragglers.empty();
  return time.holds() || is_slowed || !is_foreseen(record);
}

void judge(RunRecord& record) {
  record.digest = digest_of(record.outcome);
  record.problems.clear();
  if (!record.outcome.wrong.empty()) record.problems.push_back("wrong data: " + record.outcome.wrong);
  for (const PredictedCount& count : predicted_counts(record)) {
    if (is_as_predicted(record, count)) continue;
    record.problems.push_back("counted " + std::to_string(count.counted) + " " + std::string(count.name) +
                              bound_name(count.predicted->exact) + std::to_string(count.predicted->value) + " (" +
                              count.predicted->formula + ")");
  }
  for (const PredictedTime& time : predicted_times(record)) {
    if (is_as_predicted(record, time)) continue;
    // The difference may be in the last digit.
    record.problems.push_back("took " + host::all_digits(time.taken) + " " + std::string(time.clock) +
                              bound_name(time.predicted->exact) + host::all_digits(time.predicted->value) + " (" +
                              time.predicted->formula + ")");
  }
  if (record.carried && !record.carried->problem.empty()) record.problems.push_back(record.carried->problem);
  record.status = record.problems.empty() ? Status::verified : Status::failed;
  record.error = record.problems.empty() ? "" : record.outcome.wrong.empty() ? "prediction-differs" : "wrong-data";
}

host::ExitCode exit_code_of(const RunRecord& record) {
  return record.problems.empty() ? host::verified : host::run_failed;
}

}  // namespace lockstep::cli::run
