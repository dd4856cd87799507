#pragma once

#include <utility>

#include "cube.hpp"

// A reduction over a bus, which an allreduce continues.
namespace lockstep::reduce {

/// Sub-program: the others send their values to the root, one after the other: the next rank first and, after the last,
/// that before the root, down to rank 0. So the root adds each to one end of what it has. k - 1 steps.
template <class Values>
Process combine_on_bus(Processor<Partial<typename Values::Value>>& self, const Values& values, Rank root,
                       HeldPartials<typename Values::Value>& held) {
  using Payload = Partial<typename Values::Value>;
  const Rank k = self.processors();
  const Rank rank = self.rank();
  self.hold(words(held.own));
  if (rank != root) {
    co_await self.until(rank > root ? rank - root - 1 : k - 2 - rank);
    self.send(root, std::move(held.own));
    co_return;
  }
  for (Rank next = root + 1; next < k; ++next) {
    Payload higher = co_await self.message(next);
    take_in(self, values, held, std::move(higher));
  }
  for (Rank next = root; next > 0; --next) {
    Payload lower = co_await self.message(next - 1);
    if (values.may_absorb()) held.received.push_back(lower);
    operands::prepend(self, values, std::move(lower), held.own);
  }
}

/// The value of every rank, as what it has before a run.
template <class Values>
PerRank<HeldPartials<typename Values::Value>> values_before(const RunRequest& request, const Values& values) {
  PerRank<HeldPartials<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {rank, 1, values.value(rank)}; });
  return held;
}

/// Fills in the operations: the root combines a value a step.
void predict_operations_on_bus(const MachineSpec& machine, const Settings& settings, Prediction& prediction);

/// Bytes of a run in which `results` ranks have the result in the end.
std::uint64_t bytes_on_bus(const MachineSpec& machine, const Model& model, const Settings& settings, Wide results);

}  // namespace lockstep::reduce
