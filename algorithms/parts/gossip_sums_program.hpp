#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gossip_sums.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "operands/runs.hpp"
#include "plans/turns/port_to.hpp"
#include "plans/turns/steps_by_rank.hpp"

// What every processor does in a gossip of sums.
namespace lockstep::parts {

/// What a rank has. A partial's `first` is the lowest of the ranks whose values it has, `count` their number.
template <class Value>
struct GossipSumsHeld {
  operands::Partial<Value> own;                      ///< its value; in the end its result, of no ranks if it has none
  std::vector<operands::Partial<Value>> received{};  ///< in order of arrival, where they are judged
};

template <class Values>
class GossipSumsNode {
 public:
  using Value = typename Values::Value;
  using Partial = operands::Partial<Value>;
  using Payload = operands::Runs<Value>;

  GossipSumsNode(Processor<Payload>& self, const Values& values, GossipSumsHeld<Value>& held)
      : self_(self), values_(values), held_(held) {
    keep(held.own);
  }

  Payload message(const GossipSumsMessage& planned) {
    Payload sums{{}, {self_.rank()}};
    for (const GossipSum& sum : planned.sums) {
      sums.partials.push_back(combined(sum.partials));
      if (sum.replaces) replace(sum.partials, sums.partials.back());
    }
    return sums;
  }

  void take(const GossipSumsMessage& planned, Payload came) {
    const auto is_due = [](const Partial& partial, const GossipSum& sum) {
      return partial.first == sum.ranks.front() && partial.count == sum.ranks.size();
    };
    if (came.labels != std::vector{planned.from} || !std::ranges::equal(came.partials, planned.sums, is_due)) {
      throw std::logic_error("rank " + std::to_string(self_.rank()) + " received other sums than rank " +
                             std::to_string(planned.from) + " owes it");
    }
    for (Partial& partial : came.partials) {
      if (values_.may_absorb()) held_.received.push_back(partial);
      keep(std::move(partial));
    }
  }

  void finish(const std::vector<Rank>& result) {
    held_.own = result.empty() ? Partial{self_.rank(), 0} : combined(result);
  }

 private:
  void keep(Partial partial) {
    words_ += words(partial);
    self_.hold(words_);
    const Rank name = partial.first;
    partials_.insert_or_assign(name, std::move(partial));
  }

  void replace(const std::vector<Rank>& names, const Partial& sum) {
    for (const Rank name : names) {
      const auto partial = partials_.find(name);
      words_ -= words(partial->second);
      partials_.erase(partial);
    }
    keep(sum);
  }

  Partial combined(const std::vector<Rank>& names) {
    Partial sum = partials_.at(names.front());
    for (std::size_t index = 1; index < names.size(); ++index) {
      const Partial& next = partials_.at(names[index]);
      operands::combine(self_, values_, sum.value, next.value);
      sum.count += next.count;
    }
    return sum;
  }

  Processor<Payload>& self_;
  const Values& values_;
  GossipSumsHeld<Value>& held_;
  std::map<Rank, Partial> partials_{};  // by their lowest rank
  std::uint64_t words_ = 0;             // of all
};

template <class Values>
Process exchange_sums(Processor<operands::Runs<typename Values::Value>>& self, const Values& values,
                      const std::vector<turns::StepOfRank<GossipSumsMessage>>& steps, const std::vector<Rank>& result,
                      GossipSumsHeld<typename Values::Value>& held) {
  GossipSumsNode<Values> node(self, values, held);
  for (const auto& step : steps) {
    co_await self.until(step.step);
    for (const GossipSumsMessage* message : step.sent) {
      self.send(turns::port_to(self, message->to), node.message(*message));
    }
    for (const GossipSumsMessage* message : step.received) {
      operands::Runs<typename Values::Value> came = co_await self.message(turns::port_to(self, message->from));
      node.take(*message, std::move(came));
    }
  }
  node.finish(result);
}

/// Runs the plan on every processor. Judges what ranks have received where an operator may absorb it, not their
/// results.
template <class Values>
Outcome run_gossip_sums(const RunRequest& request, const Values& values, SumNeeded needed,
                        PerRank<GossipSumsHeld<typename Values::Value>>& held) {
  using Value = typename Values::Value;
  const auto plan = gossip_sums(request.machine, request.model, needed, sum_order(request.settings));
  const auto steps = turns::steps_by_rank(plan->steps, values.ranks());
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  Outcome outcome;
  outcome.report = run_program<operands::Runs<Value>>(request, [&](Processor<operands::Runs<Value>>& self) {
    return exchange_sums(self, values, steps[self.rank()], plan->results[self.rank()], held[self.rank()]);
  });
  if (!values.may_absorb()) return outcome;
  held.for_each([&](Rank rank, const GossipSumsHeld<Value>& one) {
    if (!is_judged(request, outcome, rank)) return;
    auto received = one.received.begin();
    for (const auto& step : steps[rank]) {
      for (const GossipSumsMessage* message : step.received) {
        for (const GossipSum& sum : message->sums) {
          typename Values::Oracle oracle(values, values.value(sum.ranks.front()));
          for (std::size_t index = 1; index < sum.ranks.size(); ++index) oracle.extend(values.value(sum.ranks[index]));
          const std::string wrong = operands::what_is_wrong(oracle, (received++)->value, Values::noun);
          if (!wrong.empty()) blame(outcome, rank, "rank " + std::to_string(rank) + " received " + wrong);
        }
      }
    }
  });
  return outcome;
}

}  // namespace lockstep::parts
