#include "parts/gossip.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "plans/turns/port_to.hpp"
#include "reports.hpp"
#include "written/follow.hpp"

// A barrier on any connected machine in the fewest steps of a gossip (any-graph.md, Gossip).
namespace lockstep {
namespace barrier {
namespace {

/// What a rank does in a cycle: it sends its peer, or receives from it, the number of ranks known to have arrived.
struct GossipDeed {
  Cycle cycle;
  bool sends;
  Rank peer;
  std::uint64_t ranks;
};

/// The deeds of every rank, in order; within a cycle it receives before it sends. Where ranks arrive late, a message
/// moves as soon as both its ends have arrived, and are done with the steps before.
std::vector<std::vector<GossipDeed>> gossip_deeds(const parts::PartMoves& moves, const std::vector<Cycle>& arrived) {
  const bool is_late = std::ranges::any_of(arrived, [](Cycle arrival) { return arrival > 0; });
  std::vector<std::vector<GossipDeed>> deeds(arrived.size());
  std::vector<Cycle> ready = arrived;
  for (Cycle step = 0; step < moves.size(); ++step) {
    std::vector<Cycle> after = ready;
    parts::for_messages(moves[step], [&](std::span<const parts::PartMove> message) {
      const auto& [from, to, part] = message.front();
      const Cycle cycle = is_late ? std::max(ready[from], ready[to]) : step;
      deeds[from].push_back({cycle, true, to, message.size()});
      deeds[to].push_back({cycle + 1, false, from, message.size()});
      after[from] = std::max(after[from], cycle + 1);
      after[to] = std::max(after[to], cycle + 1);
    });
    ready = std::move(after);
  }
  for (auto& of_rank : deeds) {
    std::ranges::stable_sort(of_rank, {}, [](const GossipDeed& deed) { return std::pair(deed.cycle, deed.sends); });
  }
  return deeds;
}

// A rank tells of those that its receiver has not heard of, and that the last rank it knows of arrived in that cycle.
Process report_gossip(Processor<LabelledBlock>& self, const std::vector<GossipDeed>& deeds, Cycle arrival,
                      KnownRanks& known) {
  known.latest = arrival;
  for (const GossipDeed& deed : deeds) {
    co_await self.until(deed.cycle);
    const Port port = turns::port_to(self, deed.peer);
    if (deed.sends) {
      self.send(port, {.origin = self.rank(), .first = deed.ranks, .number = static_cast<std::uint32_t>(known.latest)});
      continue;
    }
    const LabelledBlock heard = co_await self.message(port);
    if (heard.origin != deed.peer || heard.first != deed.ranks) {
      throw std::logic_error("rank " + std::to_string(heard.origin) + " reported " + std::to_string(heard.first) +
                             " ranks where rank " + std::to_string(deed.peer) + " is due to report " +
                             std::to_string(deed.ranks));
    }
    known.ranks += heard.first;
    known.latest = std::max(known.latest, Cycle{heard.number});
  }
  co_await self.until(arrival);
  known.left = self.now();
}

void resolve_gossip(const MachineSpec& machine, const Model&, Settings& settings) {
  parts::refuse_unplanned("barrier/gossip", machine);
  arrivals_parameter.resolve(settings);
}

Prediction predict_gossip(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const auto moves = parts::gossip(machine, model, parts::GossipMessage::all);
  return without_words(exact_count(moves->size(), "as planned"), exact_count(parts::count(*moves), "as planned"),
                       settings);
}

std::uint64_t bytes_of_gossip(const MachineSpec& machine, const Model& model, const Settings&) {
  const auto moves = parts::gossip(machine, model, parts::GossipMessage::all);
  return saturated(Wide{machine_bytes<LabelledBlock>(machine, model)} +
                   parts::bytes_of_gossip(machine, model, parts::GossipMessage::all) +
                   machine.processors * Wide{sizeof(KnownRanks) + 3 * sizeof(Cycle)} +
                   4 * parts::count(*moves) * sizeof(GossipDeed));
}

Outcome run_gossip(const RunRequest& request) {
  const std::vector<Cycle> arrived = arrivals(request);
  const auto moves = parts::gossip(request.machine, request.model, parts::GossipMessage::all);
  const auto deeds = gossip_deeds(*moves, arrived);
  return run_reports(request, arrived, [&](Processor<LabelledBlock>& self, Cycle arrival, KnownRanks& known) {
    return report_gossip(self, deeds[self.rank()], arrival, known);
  });
}

}  // namespace
}  // namespace barrier

extern const Method barrier_gossip_method = barrier::with_reports({
    .name = "barrier/gossip",
    .families = written::linked_families(),
    .source = "Lockstep's own (any-graph.md, Gossip)",
    .summary = "the messages of allgather/gossip tell of the ranks that have arrived; no words",
    .port_models = {PortModel::one, PortModel::all, PortModel::ring},
    .resolve = barrier::resolve_gossip,
    .predict = barrier::predict_gossip,
    .bytes = barrier::bytes_of_gossip,
    .run = barrier::run_gossip,
});

}  // namespace lockstep
