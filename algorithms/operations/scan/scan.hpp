#pragma once

#include <bit>
#include <chrono>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "operands/partials.hpp"
#include "operands/runs.hpp"

// What the scan methods share: their parameters, the scan of a cube, and the oracle. Afterwards rank r must hold
// a_0 (+) a_1 (+) ... (+) a_r for the --operator (+), element by element.
namespace lockstep::scan {

using operands::append;
using operands::Partial;
using operands::prepend;
using operands::Runs;

inline constexpr Parameter output_parameter{
    "output", "file for the results of all ranks, rank by rank, one number or string a line", "none"};

/// The result of a rank.
enum class Prefix {
  inclusive,  ///< the values of all ranks up to itself, combined
  exclusive   ///< those of all ranks before it, combined; rank 0 has nothing
};

/// The ranks, from 0 on, that have no result.
constexpr Rank without_result(Prefix prefix) { return prefix == Prefix::exclusive ? 1 : 0; }

/// Completes the entry of a scan that can write its results: with names, parameters, resolve().
Method with_output(Method own, Prefix prefix = Prefix::inclusive);

/// Defaults and ranges of the parameters that all scan methods have.
void resolve(const MachineSpec& machine, const Model& model, Settings& settings);

/// Bytes of the machine and of what processors hold, where each collects the total of `block` processors, and of what
/// judging takes where `messages` messages are received.
std::uint64_t bytes_with_totals(const MachineSpec& machine, const Model& model, const Settings& settings,
                                std::uint64_t block, Wide messages);

/// What a processor collects; both are its own value at first, but an exclusive prefix is of no ranks.
template <class Value>
struct HeldPrefixes {
  Partial<Value> prefix;  ///< of its block up to itself; in the end, of all ranks up to itself
  Partial<Value> total;   ///< of its block; a hub's, in the end, of all ranks up to the last of its block
  std::vector<Partial<Value>> received{};  ///< in order of arrival, where they are judged
};

/// The processor has received a partial result that it combines with others.
template <class Values>
void note(const Values& values, HeldPrefixes<typename Values::Value>& held,
          const Partial<typename Values::Value>& received) {
  if (values.may_absorb()) held.received.push_back(received);
}

/// Prefixes in a cube of that many dimensions, which may be a building block: in step i all nodes exchange on
/// port i the totals of their i-cubes. Mukherjee, chapter 4 (mukherjee.md, Prefix, phase I). As many steps as
/// dimensions, each with a message from every node: one port, the same for both directions, and links that carry both
/// at once.
template <class Values>
Process scan_cube(Processor<Partial<typename Values::Value>>& self, const Values& values, Rank node, Port dimensions,
                  HeldPrefixes<typename Values::Value>& held) {
  self.hold(words(held.prefix) + words(held.total));
  for (Port i = 0; i < dimensions; ++i) {
    Partial<typename Values::Value> sent = held.total;
    Partial<typename Values::Value> received = co_await self.exchange(i, std::move(sent));
    note(values, held, received);
    if (has_bit(node, i)) {
      prepend(self, values, received, held.prefix);
      prepend(self, values, std::move(received), held.total);
      self.hold(words(held.prefix) + words(held.total));  // an exclusive prefix begins here
    } else {
      append(self, values, held.total, received);
    }
  }
}

/// The rank's result is the values of the ranks up to it, or before it.
template <class Values>
void expect_result(operands::Judge<Values>& judge, Rank rank, Prefix prefix,
                   const Partial<typename Values::Value>& result, Outcome& outcome) {
  const Rank none = without_result(prefix);
  if (rank >= none) {
    judge.expect(rank, operands::Judge<Values>::Role::result, result, 0, rank + 1 - none);
  } else if (result.count > 0) {
    blame(outcome, rank, "rank 0 holds a result");
  }
}

/// Verifies the digests of the results `result_of(rank)`; if all is right, writes those that ranks have.
template <class Values, class ResultOf>
void finish_results(const RunRequest& request, const Values& values, Prefix prefix,
                    std::chrono::steady_clock::time_point start, const ResultOf& result_of, Outcome& outcome) {
  const auto digest = [&](Rank rank) -> Verdict {
    const Partial<typename Values::Value>& result = result_of(rank);
    return {result.count > 0 ? values.digest(result.value) : 0, {}};
  };
  std::vector<bool> right(values.ranks(), outcome.wrong.empty());
  if (!outcome.wrong.empty()) {
    right = operands::right_results(
        values, [&](Rank rank) { return rank + 1 - without_result(prefix); }, result_of);
  }
  verify_ranks(request, start, digest, outcome, [&](Rank rank) { return right[rank]; });
  if (!request.settings.output || !outcome.wrong.empty()) return;
  const std::vector<typename Values::Value> results = shared(request, [&](Rank rank) { return result_of(rank).value; });
  values.write(*request.settings.output, std::span(results).subspan(without_result(prefix)));
}

/// Compares the results of all ranks with the values combined one after the other: the prefix of every rank and, since
/// no prefix shows whether the last messages to the lower half of a block came whole, also its total; and the messages
/// received, where a wrong one may have no consequence. A block is `block` consecutive ranks; the total of the hub, if
/// there is one, must be that of all ranks up to its block's last. If all is right, writes the prefixes.
template <class Values>
void finish(const RunRequest& request, const Values& values, Prefix prefix,
            const PerRank<HeldPrefixes<typename Values::Value>>& held, Rank block, std::optional<Rank> hub,
            Outcome& outcome) {
  using Value = typename Values::Value;
  const auto start = std::chrono::steady_clock::now();
  operands::Judge<Values> judge(values, outcome.report.lost);
  held.for_each([&](Rank rank, const HeldPrefixes<Value>& one) {
    const Rank first = rank - rank % block;
    const bool is_hub = hub && rank == first + *hub;
    expect_result(judge, rank, prefix, one.prefix, outcome);
    judge.expect(rank, operands::Judge<Values>::Role::total, one.total, is_hub ? 0 : first,
                 is_hub ? first + block : block);
    judge.received(rank, one.received);
  });
  judge.judge(outcome);
  const auto prefix_of = [&](Rank rank) -> const Partial<Value>& { return held[rank].prefix; };
  finish_results(request, values, prefix, start, prefix_of, outcome);
}

/// Runs program(self, values, held) on every processor and judges what they hold; block and hub are as in finish().
template <class Values, class Program>
Outcome run_with(const RunRequest& request, const Values& values, Prefix prefix, Rank block, std::optional<Rank> hub,
                 const Program& program) {
  using Payload = Partial<typename Values::Value>;
  PerRank<HeldPrefixes<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) {
    held[rank].total = {rank, 1, values.value(rank)};
    held[rank].prefix = prefix == Prefix::inclusive ? held[rank].total : Payload{rank, 0};
    // From every dimension of a block, and what lies before it; a hub receives more.
    if (values.may_absorb()) held[rank].received.reserve(static_cast<std::size_t>(std::bit_width(block)));
  });
  Outcome outcome;
  outcome.report =
      run_program<Payload>(request, [&](Processor<Payload>& self) { return program(self, values, held[self.rank()]); });
  finish(request, values, prefix, held, block, hub, outcome);
  return outcome;
}

/// As above, with the values that the operator is for.
template <class Program>
Outcome run(const RunRequest& request, Prefix prefix, Rank block, std::optional<Rank> hub, const Program& program) {
  if (operands::is_concat(request.settings)) {
    return run_with(request, operands::StringValues(request), prefix, block, hub, program);
  }
  return run_with(request, operands::NumberValues(request), prefix, block, hub, program);
}

}  // namespace lockstep::scan
