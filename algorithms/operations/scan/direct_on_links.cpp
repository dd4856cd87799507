#include <algorithm>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "operands/predicted_operations.hpp"
#include "operations/allreduce/finish.hpp"
#include "parts/vectors.hpp"
#include "plans/turns/port_to.hpp"
#include "scan.hpp"

// Scans and the allreduce on a complete graph with all ports: in one step every rank sends its value to all that need
// it, and each of them combines what has come in the order of the ranks (collectives.md, All at once).
namespace lockstep {
namespace scan {
namespace {

/// What a rank has.
template <class Value>
struct HeldDirectly {
  Partial<Value> own;                      ///< its value; in the end its result, of no ranks where it has none
  std::vector<Partial<Value>> received{};  ///< by ascending rank, where they are judged
};

/// The values of which each rank needs the combination.
enum class Needed {
  all,        ///< those of all ranks: an allreduce
  inclusive,  ///< those of the ranks up to its own
  exclusive   ///< those of the ranks before its own
};

/// The rank after the last whose value the rank needs.
Rank end_of_needed(Needed needed, Rank rank, Rank ranks) {
  if (needed == Needed::all) return ranks;
  return needed == Needed::inclusive ? rank + 1 : rank;
}

template <class Values>
Process combine_directly(Processor<Partial<typename Values::Value>>& self, const Values& values, Needed needed,
                         HeldDirectly<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank rank = self.rank();
  self.hold(words(held.own));
  for (Rank other = needed == Needed::all ? 0 : rank + 1; other < self.processors(); ++other) {
    if (other != rank) self.send(turns::port_to(self, other), held.own);
  }
  Payload result{.first = 0, .count = 0, .value = {}};
  for (Rank other = 0; other < end_of_needed(needed, rank, self.processors()); ++other) {
    if (other == rank) {
      if (rank > 0) append(self, values, result, held.own);
    } else {
      Payload received = co_await self.message(turns::port_to(self, other));
      if (values.may_absorb()) held.received.push_back(received);
      if (other > 0) {
        append(self, values, result, received);
      } else {
        result = std::move(received);
      }
    }
    if (other == 0 && rank == 0) result = held.own;
  }
  held.own = std::move(result);
  self.hold(words(held.own));
}

/// Messages of all ranks.
Wide messages_of(Needed needed, Wide p) { return needed == Needed::all ? p * (p - 1) : p * (p - 1) / 2; }

template <Needed needed>
Prediction predict_directly(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide m = *settings.words;
  const Wide messages = messages_of(needed, p);
  const std::uint64_t steps = p > 1 ? 1 : 0;
  Prediction prediction{.steps = exact_count(steps, steps == 1 ? "1" : "0"),
                        .messages = exact_count(messages, needed == Needed::all ? "p (p - 1)" : "p (p - 1)/2"),
                        .words = exact_count(messages * m, "messages m"),
                        .longest_sum = exact_count(steps * m, steps == 1 ? "m" : "0"),
                        .message_words = *settings.words};
  // Rank r combines as many values as it receives, but without its own one less.
  const bool leaves_out = needed == Needed::exclusive;
  operands::predict_operations(settings, (messages - (leaves_out ? p - 1 : 0)) * m,
                               leaves_out ? "(p - 1) (p - 2)/2 m" : "messages m",
                               (p - 1 - (leaves_out ? steps : 0)) * m, prediction);
  return prediction;
}

template <Needed needed>
std::uint64_t bytes_directly(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide messages = messages_of(needed, p);
  const Wide judged = operands::judged_bytes(machine, settings, 1, messages) + operands::value_bytes(machine, settings);
  if (operands::is_concat(settings)) {
    // A message has its sender's strings, and a result those of all; growing strings have room for twice as much.
    const Wide text = 3 * p * operands::text_bytes(machine, settings);
    const Wide strings = (messages + 2 * p) * *settings.words * sizeof(std::string);
    return saturated(machine_bytes<Partial<Strings>>(machine, model) + p * sizeof(HeldDirectly<Strings>) + text +
                     strings + judged);
  }
  return saturated(machine_bytes<Partial<Block>>(machine, model) + p * sizeof(HeldDirectly<Block>) +
                   p * allocated_bytes(*settings.words) + judged);  // messages share the memory of values
}

/// Compares the result of every rank that has one; if all are right, writes them.
template <class Values>
void finish_directly(const RunRequest& request, const Values& values, Needed needed,
                     const PerRank<HeldDirectly<typename Values::Value>>& held, Outcome& outcome) {
  using Value = typename Values::Value;
  if (needed == Needed::all) {
    allreduce::finish(request, values, held, allreduce::ReceivedForm::partials, outcome);
    return;
  }
  const Prefix prefix = needed == Needed::exclusive ? Prefix::exclusive : Prefix::inclusive;
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const HeldDirectly<Value>& one) {
    expect_result(judge, rank, prefix, one.own, outcome);
    judge.received(rank, one.received);
  });
  judge.judge(outcome);
  const auto result_of = [&](Rank rank) -> const Partial<Value>& { return held[rank].own; };
  finish_results(request, values, prefix, start, result_of, outcome);
}

template <class Values>
Outcome run_directly_with(const RunRequest& request, const Values& values, Needed needed) {
  using Payload = Partial<typename Values::Value>;
  PerRank<HeldDirectly<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  Outcome outcome;
  outcome.report = run_program<Payload>(
      request, [&](Processor<Payload>& self) { return combine_directly(self, values, needed, held[self.rank()]); });
  finish_directly(request, values, needed, held, outcome);
  return outcome;
}

template <Needed needed>
Outcome run_directly(const RunRequest& request) {
  if (operands::is_concat(request.settings)) {
    return run_directly_with(request, operands::StringValues(request), needed);
  }
  return run_directly_with(request, operands::NumberValues(request), needed);
}

template <Needed needed>
Method directly(Method own) {
  return filled_in(std::move(own), {.families = {"complete"},
                                    .source = "Lockstep's own (collectives.md, All at once)",
                                    .port_models = {PortModel::all},
                                    .predict = predict_directly<needed>,
                                    .bytes = bytes_directly<needed>,
                                    .run = run_directly<needed>});
}

}  // namespace
}  // namespace scan

extern const Method allreduce_direct_on_links_method = parts::with_defaults(scan::directly<scan::Needed::all>({
    .name = "allreduce/direct",
    .operation = "allreduce",
    .known_as = "allreduce",
    .summary = "every rank sends its vector to all others, and combines theirs itself; operands stay in order",
    .defaults = {.ports = PortModel::all},
    .resolve = parts::resolve_in_order,
}));

extern const Method scan_direct_on_links_method =
    scan::with_output(scan::directly<scan::Needed::inclusive>({
                          .name = "scan/direct",
                          .summary = "every rank sends its value to all higher ones, which combine what they need",
                          .defaults = {.ports = PortModel::all},
                          .strictest_duplex = Duplex::half_link,
                      }),
                      scan::Prefix::inclusive);

extern const Method exscan_direct_on_links_method =
    scan::with_output(scan::directly<scan::Needed::exclusive>({
                          .name = "exscan/direct",
                          .summary = "scan/direct without a rank's own value",
                          .defaults = {.ports = PortModel::all},
                          .strictest_duplex = Duplex::half_link,
                      }),
                      scan::Prefix::exclusive);

}  // namespace lockstep
