#include "block_sort.hpp"

#include <algorithm>
#include <optional>

#include "compare_split.hpp"
#include "lockstep/machines/machine_spec.hpp"
#include "method/step_lengths.hpp"
#include "plans/routes/follow_routes.hpp"

namespace lockstep::sort {
namespace {

/// How packets get from the subblocks to subblock 0 and back, the same in every layer of every building block: number
/// s-1 is the block of subblock s.
struct PacketMoves {
  RouteSchedule gather;
  RouteSchedule scatter;
  Cycle scatter_begin;
};

/// What all processors follow.
struct BlockSortPlan {
  const ReducedHypercube& rh;
  const BlockSort& sort;
  std::optional<PacketMoves> moves;  ///< else blocks are combined
};

/// The port of a compare-split; none if it is inside a holder.
std::optional<Port> port_of(const ReducedHypercube& rh, CompareSplit split) {
  if (split.dimension >= rh.k()) return rh.outer_port();
  if (split.dimension >= rh.layer_dimensions()) return std::nullopt;
  return split.dimension;
}

/// Sends the blocks from number `from_block` on to the neighbour in another subblock, and keeps the others.
template <class Key>
void give(Processor<Records<Key>>& self, Port port, Rank from_block, HeldRecords<Key>& held) {
  Records<Key> given = sealed(held.take(from_block), self.rank());
  self.send(port, std::move(given));
}

/// Waits for that many blocks from the neighbour and appends them to its own.
template <class Key>
Process receive(Processor<Records<Key>>& self, Port port, Rank blocks, HeldRecords<Key>& held) {
  Message<Records<Key>> message = co_await self.message(port);
  std::vector<Key> given = open(self, std::move(message), blocks, held);
  if (held.own.empty()) {
    held.own = std::move(given);
  } else {
    std::ranges::move(given, std::back_inserter(held.own));
  }
  self.hold(held.own.size());
}

// Gather step i = 0..n-1: the nodes with SB bits 0..i-1 zero and bit i one send all that they hold over port c+i.
template <class Key>
Process gather_combined(Processor<Records<Key>>& self, const ReducedHypercube& rh, HeldRecords<Key>& held) {
  const Rank s = rh.sb(self.rank());
  for (Port i = 0; i < rh.n(); ++i) {
    const Port port = rh.layer_dimensions() + i;
    if (has_bit(s, i)) {
      give(self, port, 0, held);
      co_return;
    }
    co_await receive(self, port, Rank{1} << i, held);
  }
}

// The reverse, i = n-1..0: the nodes that hold 2^(i+1) blocks send the upper half.
template <class Key>
Process scatter_combined(Processor<Records<Key>>& self, const ReducedHypercube& rh, HeldRecords<Key>& held) {
  const Rank s = rh.sb(self.rank());
  for (Port i = rh.n(); i-- > 0;) {
    const Port port = rh.layer_dimensions() + i;
    const Rank lowest = s & ((Rank{2} << i) - 1);  // bits 0..i
    if (lowest == 0) {
      give(self, port, Rank{1} << i, held);
      if (i > 0) co_await self.cycle();
    } else if (lowest == Rank{1} << i) {
      co_await receive(self, port, Rank{1} << i, held);
    }
  }
}

/// Identifies the packets of one layer of a building block: each is labelled with the node that its block belongs to.
class PacketLabels {
 public:
  PacketLabels(const ReducedHypercube& rh, Rank node, std::size_t block_size)
      : holder_(rh.node(rh.bb(node), 0, rh.lo(node))),
        stride_(Rank{1} << rh.layer_dimensions()),
        block_size_(block_size) {}

  Rank label(std::uint32_t number) const { return holder_ + (number + 1) * stride_; }
  template <class Key>
  bool operator()(std::uint32_t number, const Records<Key>& records) const {
    return is_sealed(records, label(number), block_size_);
  }

 private:
  Rank holder_;
  Rank stride_;
  std::size_t block_size_;
};

template <class Key>
Message<Records<Key>> packet_of(std::vector<Key> block, Rank label, const HeldRecords<Key>& held) {
  Message<Records<Key>> message;
  message.payload = sealed(std::move(block), label);
  message.arrival = held.ready_time;
  return message;
}

template <class Key>
Process gather_packets(Processor<Records<Key>>& self, const ReducedHypercube& rh, const RouteSchedule& plan,
                       HeldRecords<Key>& held) {
  const Rank s = rh.sb(self.rank());
  const PacketLabels labels(rh, self.rank(), held.block_size);
  routes::HeldPackets<Records<Key>> on_the_way;
  if (s != 0) on_the_way.put(s - 1, packet_of(held.take(0), self.rank(), held));
  co_await routes::follow_routes(self, plan, s, rh.layer_dimensions(), self.now(), labels, on_the_way);
  for (std::uint32_t number = 0; on_the_way.size() > 0; ++number) {
    Message<Records<Key>> message = on_the_way.take(number);
    held.ready_time = self.later(held.ready_time, message.arrival);
    std::ranges::move(message.payload.value, std::back_inserter(held.own));
  }
  self.hold(held.own.size());
}

template <class Key>
Process scatter_packets(Processor<Records<Key>>& self, const ReducedHypercube& rh, const PacketMoves& moves,
                        HeldRecords<Key>& held) {
  const Rank s = rh.sb(self.rank());
  const PacketLabels labels(rh, self.rank(), held.block_size);
  routes::HeldPackets<Records<Key>> on_the_way;
  if (s == 0) {
    for (Rank block = held.blocks() - 1; block > 0; --block) {
      on_the_way.put(block - 1, packet_of(held.take(block), labels.label(block - 1), held));
    }
  }
  co_await routes::follow_routes(self, moves.scatter, s, rh.layer_dimensions(), moves.scatter_begin, labels,
                                 on_the_way);
  if (s != 0) held.own = std::move(on_the_way.take(s - 1).payload.value);
}

// Holders take their lists from one subblock to another, over the differing bits, lowest first.
template <class Key>
Process travel(Processor<Records<Key>>& self, const ReducedHypercube& rh, Rank from, Rank to, HeldRecords<Key>& held) {
  const Rank s = rh.sb(self.rank());
  for (const Port bit : ecube_path(from, to)) {
    const Rank next = from ^ Rank { 1 } << bit;
    if (s == from) give(self, rh.layer_dimensions() + bit, 0, held);
    if (s == next) co_await receive(self, rh.layer_dimensions() + bit, rh.block_dimensions(), held);
    from = next;
  }
}

template <class Key>
Process sort_on_rh(Processor<Records<Key>>& self, const BlockSortPlan& plan, std::vector<Key>& own) {
  const ReducedHypercube& rh = plan.rh;
  std::sort(own.begin(), own.end());
  self.hold(own.size());
  HeldRecords<Key> held{.own = own, .block_size = own.size(), .first = self.rank()};
  self.phase("block sort");
  for (const CompareSplit& split : plan.sort.in_block) co_await compare_split(self, split.dimension, split, held);

  self.phase("gather");
  if (plan.moves) {
    co_await gather_packets(self, rh, plan.moves->gather, held);
  } else {
    co_await gather_combined(self, rh, held);
  }

  self.phase("between blocks");
  held.first = rh.node(rh.bb(self.rank()), 0, rh.lo(self.rank()));
  held.stride = Rank{1} << rh.layer_dimensions();
  Rank at = 0;
  for (const Meeting& meeting : plan.sort.meetings) {
    co_await travel(self, rh, at, meeting.dimension, held);
    at = meeting.dimension;
    if (rh.sb(self.rank()) != at) continue;
    for (const CompareSplit& split : meeting.network) {
      if (const auto port = port_of(rh, split)) {
        co_await compare_split(self, *port, split, held);
      } else {
        compare_split_inside(split.dimension - rh.layer_dimensions(), split, held);
      }
    }
  }

  self.phase("scatter");
  if (plan.moves) {
    co_await scatter_packets(self, rh, *plan.moves, held);
  } else {
    co_await scatter_combined(self, rh, held);
  }
}

PacketMoves plan_packets(const ReducedHypercube& rh, const BlockSort& sort, PortModel ports) {
  const RoutedMachine subblocks = ecube_machine(parse_machine("hypercube:" + std::to_string(rh.n())));
  std::vector<RouteRequest> inwards;
  std::vector<RouteRequest> outwards;
  for (Rank s = 1; s < subblocks.processors; ++s) {
    inwards.push_back({s, 0});
    outwards.push_back({0, s});
  }
  PacketMoves moves{RouteSchedule(subblocks, inwards, ports), RouteSchedule(subblocks, outwards, ports), 0};
  // No processor waits in between: every step of the schedule takes a cycle.
  moves.scatter_begin = sort.in_block.size() + moves.gather.steps();
  Rank at = 0;
  for (const Meeting& meeting : sort.meetings) {
    moves.scatter_begin += one_bits(at ^ meeting.dimension);
    at = meeting.dimension;
    for (const CompareSplit& split : meeting.network) moves.scatter_begin += port_of(rh, split) ? 1 : 0;
  }
  return moves;
}

/// The steps of gathering blocks in subblock 0 and of scattering them, twice G (mukherjee.md, Sorting), as single
/// packets or 1, 2, 4, .. blocks together.
void add_moves(std::uint64_t d, bool combined, PortModel ports, Wide block, method::StepLengths& lengths) {
  if (!combined) return lengths.add(2 * (ports == PortModel::all ? d / 2 : d - 1), block);
  for (Wide blocks = 1; blocks < d; blocks *= 2) lengths.add(2, blocks * block);
}

}  // namespace

void resolve_block_sort(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  move_parameter.resolve(settings);
}

Prediction predict_block_sort(const MachineSpec& machine, const Model& model, const Settings& settings,
                              const ComparingSteps& comparing) {
  const ReducedHypercube rh(machine);
  const bool combined = settings.move == "combine";
  const std::uint64_t n = machine.processors;
  const std::uint64_t k = rh.k();
  const std::uint64_t d = rh.block_dimensions();
  const Wide b = *settings.words;
  // The names of mukherjee.md, Sorting: D, and in phases I to III k(k+1)/2, P and G steps; M messages.
  const std::uint64_t in_block = k * (k + 1) / 2;
  const std::uint64_t between = d * (d - 1) + comparing.value;
  method::StepLengths lengths(model.cost);
  lengths.add(in_block, b);
  add_moves(d, combined, model.ports, b, lengths);
  lengths.add(between, d * b);
  const std::uint64_t moving_messages = combined ? n / d * (d - 1) : n / d * (rh.n() * d / 2);
  const std::string moving_steps = combined ? "2n" : model.ports == PortModel::all ? "2 floor(D/2)" : "2(D-1)";
  const auto count = [&](Wide value, const std::string& formula) {
    std::optional<Count> counted = exact_count(value, formula);
    if (counted) counted->exact = comparing.exact;
    return counted;
  };
  return {.steps = count(lengths.steps(), "k(k+1)/2 + " + moving_steps + " + P, P = D(D-1) + " + comparing.formula),
          .messages = count(n * in_block + n / d * between + 2 * moving_messages,
                            std::string("N k(k+1)/2 + P N/D + N") + (combined ? " 2(D-1)/D" : " n")),
          .words = count(n * b * (in_block + between + rh.n()), "N b (k(k+1)/2 + P + n)"),
          .longest_sum =
              count(lengths.sum(), "b (k(k+1)/2 + " + std::string(combined ? "2(D-1)" : moving_steps) + " + D P)"),
          .longest_startups = lengths.startups()};
}

std::uint64_t bytes_block_sort(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t frames = 1024;  // of a program with a sub-program at work, which has one too
  // Numbers are copied once more while they are merged.
  const Wide merged = sorts_strings(settings) ? 0 : Wide{machine.processors} * *settings.words * sizeof(NumberKey);
  return saturated(Wide{bytes(machine, model, settings)} + machine.processors * frames + merged);
}

LowerBound bound_block_sort(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return worst_case_bound(model, settings, ReducedHypercube(machine).diameter(), machine.ports);
}

Outcome run_block_sort(const RunRequest& request, const BlockSort& sort) {
  const ReducedHypercube rh(request.machine);
  BlockSortPlan plan{.rh = rh, .sort = sort, .moves = {}};
  if (request.settings.move == "packets") plan.moves = plan_packets(rh, sort, request.model.ports);
  return run_sort(request, [&](auto& self, auto& own) { return sort_on_rh(self, plan, own); });
}

}  // namespace lockstep::sort
