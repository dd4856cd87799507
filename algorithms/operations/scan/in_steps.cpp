#include "in_steps.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/switches.hpp"
#include "operands/predicted_operations.hpp"
#include "plans/turns/port_to.hpp"
#include "scan.hpp"

namespace lockstep::scan {
namespace {

/// What a rank has.
template <class Value>
struct InStepsCollected {
  Partial<Value> own;                      ///< its value
  Partial<Value> prefix;                   ///< of no ranks while it has none
  std::vector<Partial<Value>> received{};  ///< in order of arrival, where they are judged
};

/// The first rank that has something to send.
Rank first_sender(const ScanStep& step, Prefix prefix) {
  return step.sent == ScanStep::Sent::prefix && prefix == Prefix::exclusive ? 1 : 0;
}

/// The number of ranks that send in the step.
std::uint64_t senders(const ScanStep& step, Prefix prefix, std::uint64_t p) {
  const std::uint64_t sent_over = first_sender(step, prefix) + step.distance;
  return p > sent_over ? p - sent_over : 0;
}

/// Every message that is received is combined with a prefix, but for that which becomes one: in the first step of an
/// exclusive scan. Before a rank that has a prefix sends it with its value, it combines these two.
void predict_operations(const MachineSpec& machine, const Settings& settings, Prefix prefix, const ScanSteps& steps,
                        Prediction& prediction) {
  Wide combinations = 0;
  std::vector<Wide> most(steps.size() + 1);  // of a rank in a cycle
  for (std::size_t number = 0; number < steps.size(); ++number) {
    const ScanStep& step = steps[number];
    const std::uint64_t received = senders(step, prefix, machine.processors);
    if (received > 0 && (prefix == Prefix::inclusive || number > 0)) {
      combinations += received;
      ++most[number + 1];
    }
    if (step.sent == ScanStep::Sent::with_value && received > 1) {  // rank 0 has no prefix
      combinations += received - 1;
      ++most[number];
    }
  }
  Wide all_most = 0;
  for (const Wide of_cycle : most) all_most += of_cycle;
  const Wide m = *settings.words;
  operands::predict_operations(settings, combinations * m, "m for each combination", all_most * m, prediction);
}

template <class Values>
Partial<typename Values::Value> message(Processor<Partial<typename Values::Value>>& self, const Values& values,
                                        const InStepsCollected<typename Values::Value>& held, ScanStep::Sent sent) {
  if (sent == ScanStep::Sent::value || (sent == ScanStep::Sent::with_value && held.prefix.count == 0)) return held.own;
  Partial<typename Values::Value> message = held.prefix;
  if (sent == ScanStep::Sent::with_value) append(self, values, message, held.own);
  return message;
}

template <class Values>
void take_in(Processor<Partial<typename Values::Value>>& self, const Values& values,
             Partial<typename Values::Value> received, InStepsCollected<typename Values::Value>& held) {
  if (values.may_absorb()) held.received.push_back(received);
  prepend(self, values, std::move(received), held.prefix);
}

// Step after step a rank's prefix grows downwards, by what the rank at that distance below has.
template <class Values>
Process scan_in_steps(Processor<Partial<typename Values::Value>>& self, const Values& values, Prefix prefix,
                      const ScanSteps& steps, InStepsCollected<typename Values::Value>& held) {
  const Rank rank = self.rank();
  self.hold(words(held.own) + words(held.prefix));
  for (Cycle number = 0; number < steps.size(); ++number) {
    const ScanStep& step = steps[number];
    const auto distance = static_cast<Rank>(step.distance);
    const Rank first = first_sender(step, prefix);
    co_await self.until(number);
    if (rank >= first && rank + step.distance < self.processors()) {
      self.send(turns::port_to(self, rank + distance), message(self, values, held, step.sent));
    }
    if (rank >= first + step.distance) {
      Partial<typename Values::Value> received = co_await self.message(turns::port_to(self, rank - distance));
      take_in(self, values, std::move(received), held);
      self.hold(words(held.own) + words(held.prefix));
    }
  }
}

/// Compares the results of all ranks; if all are right, writes the prefixes of the ranks that have one.
template <class Values>
void finish(const RunRequest& request, const Values& values, Prefix prefix,
            const PerRank<InStepsCollected<typename Values::Value>>& held, Outcome& outcome) {
  using Value = typename Values::Value;
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const InStepsCollected<Value>& one) {
    expect_result(judge, rank, prefix, one.prefix, outcome);
    judge.received(rank, one.received);
  });
  judge.judge(outcome);
  const auto prefix_of = [&](Rank rank) -> const Partial<Value>& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
}

template <class Values>
Outcome run_with(const RunRequest& request, const Values& values, Prefix prefix, const ScanSteps& steps) {
  using Payload = Partial<typename Values::Value>;
  PerRank<InStepsCollected<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) {
    held[rank].own = {rank, 1, values.value(rank)};
    held[rank].prefix = prefix == Prefix::inclusive ? held[rank].own : Payload{rank, 0};
  });
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return scan_in_steps(self, values, prefix, steps, held[self.rank()]); });
  finish(request, values, prefix, held, outcome);
  return outcome;
}

}  // namespace

Method with_defaults_in_steps(Method own, Prefix prefix) {
  own = filled_in(std::move(own), {.families = method::switches_and_complete(), .port_models = {PortModel::one}});
  return with_output(std::move(own), prefix);
}

Prediction predict_in_steps(const MachineSpec& machine, const Settings& settings, Prefix prefix, const ScanSteps& steps,
                            std::string steps_formula, std::string messages_formula) {
  const Wide m = *settings.words;
  Wide messages = 0;
  for (const ScanStep& step : steps) messages += senders(step, prefix, machine.processors);
  if (steps.empty()) steps_formula = messages_formula = "0";
  Prediction prediction{.steps = exact_count(steps.size(), std::move(steps_formula)),
                        .messages = exact_count(messages, std::move(messages_formula)),
                        .words = exact_count(messages * m, "messages m"),
                        .longest_sum = exact_count(steps.size() * m, "steps m"),
                        .message_words = *settings.words};
  predict_operations(machine, settings, prefix, steps, prediction);
  return prediction;
}

std::uint64_t bytes_in_steps(const MachineSpec& machine, const Model& model, const Settings& settings, Prefix prefix,
                             const ScanSteps& steps) {
  Wide messages = 0;
  for (const ScanStep& step : steps) messages += senders(step, prefix, machine.processors);
  return bytes_with_totals(machine, model, settings, machine.processors, messages);
}

Outcome run_in_steps(const RunRequest& request, Prefix prefix, const ScanSteps& steps) {
  if (operands::is_concat(request.settings)) return run_with(request, operands::StringValues(request), prefix, steps);
  return run_with(request, operands::NumberValues(request), prefix, steps);
}

}  // namespace lockstep::scan
