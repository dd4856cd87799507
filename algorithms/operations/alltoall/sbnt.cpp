#include "sbnt.hpp"

#include <algorithm>
#include <array>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/spanning_balanced_tree.hpp"
#include "method/step_lengths.hpp"

namespace lockstep {
namespace alltoall {
namespace {

/// Whether the piece's path leads over that port to the rank in that many hops: from base(c) on, all one bits of c up
/// to the port have been crossed.
bool is_due(const Piece& piece, Rank rank, Port hops, Port port, const SbntBases& bases) {
  const Rank c = piece.origin ^ piece.destination;
  const Rank crossed = piece.origin ^ rank;
  if (c == 0 || one_bits(crossed) != hops || !has_bit(crossed, port)) return false;
  const Port base = bases[c];
  const Rank from_base = ~Rank{0} << base;
  const Rank to_port = (Rank{2} << port) - 1;
  return (c & (base <= port ? from_base & to_port : from_base | to_port)) == crossed;
}

}  // namespace

SbntBases::SbntBases(Port n, SbntOrder order) : n_(n), cycles_(n), bases_(std::size_t{1} << n) {
  for (Rank c = 1; c < bases_.size(); ++c) bases_[c] = static_cast<std::uint8_t>(sbnt_base(c, n));
  if (order == SbntOrder::at_once) return;
  starts_.resize(bases_.size());
  if (order == SbntOrder::postorder) {
    start_in_postorder();
  } else {
    for (Rank c = 1; c < bases_.size(); ++c) starts_[c] = n - one_bits(c);
  }
}

// The root's own subtrees are counted separately. The block for a node leaves after all below it, its ancestors' after
// that, one by one: so no block for distance d is later than d - 1 cycles before its subtree's last, and all have
// arrived by then.
void SbntBases::start_in_postorder() {
  std::vector<std::vector<Rank>> children(bases_.size());
  for (Rank c = 1; c < bases_.size(); ++c) {
    Rank crossed = 0;
    Port last = bases_[c];
    for (Rank left = c; left != 0; left ^= Rank{1} << last) {
      crossed = c ^ left;
      last = left == c ? bases_[c] : sbnt_next(left, last);
    }
    children[crossed].push_back(c);
  }
  cycles_ = 0;
  for (const Rank subtree : children[0]) {
    std::uint32_t next = 0;
    std::vector<std::pair<Rank, std::size_t>> path{{subtree, 0}};  // and the child that comes next
    while (!path.empty()) {
      auto& [node, child] = path.back();
      if (child < children[node].size()) {
        path.emplace_back(children[node][child++], 0);
      } else {
        starts_[node] = next++;
        path.pop_back();
      }
    }
    cycles_ = std::max(cycles_, next);
  }
}

// Every block starts over dimension base(c) of its relative address c, in the first cycle unless there is another
// order, and moves in every cycle from then on, over the next one bit of c to the left. All blocks that cross a link in
// a cycle are one message. Johnsson & Ho, section 3.2 (johnsson-ho.md, All to all). Where links or processors are half
// duplex such a cycle takes two of the machine: first the processors of even parity send, then the others what they had
// before.
Process sbnt(Processor<Bundle>& self, const SbntBases& bases, Bundle& held) {
  const Rank rank = self.rank();
  const Port n = self.ports();
  const bool takes_turns = self.model().duplex != Duplex::full;
  const bool sends_first = one_bits(rank) % 2 == 0;
  self.hold(words(held));
  std::vector<Bundle> starting(bases.cycles());
  held.deal([&](const Piece& piece) -> Bundle& { return starting[bases.start(piece.destination ^ rank)]; });
  std::uint64_t waiting_words = 0;
  for (const Bundle& bundle : starting) waiting_words += words(bundle);
  std::vector<Bundle> leaving(n);
  for (std::uint32_t cycle = 0; cycle < bases.cycles(); ++cycle) {
    waiting_words -= words(starting[cycle]);
    starting[cycle].deal([&](const Piece& piece) -> Bundle& { return leaving[bases[piece.destination ^ rank]]; });
    if (takes_turns && !sends_first) co_await self.cycle();
    for (Port port = 0; port < n; ++port) {
      if (!leaving[port].empty()) self.send(port, std::exchange(leaving[port], {}));
    }
    if (takes_turns && sends_first) co_await self.cycle();
    co_await self.cycle();
    for (Port port = 0; port < n; ++port) {
      if (!self.arrived(port)) continue;
      Bundle received = self.receive(port);
      check(received, [&](const Piece& piece) {
        const std::uint32_t start = bases.start(piece.origin ^ piece.destination);
        return start <= cycle && is_due(piece, rank, cycle + 1 - start, port, bases);
      });
      received.deal([&](const Piece& piece) -> Bundle& {
        const Rank left = piece.destination ^ rank;
        return left == 0 ? held : leaving[sbnt_next(left, port)];
      });
    }
    std::uint64_t held_words = words(held) + waiting_words;
    for (const Bundle& bundle : leaving) held_words += words(bundle);
    self.hold(held_words);
  }
}

namespace {

constexpr std::array<std::string_view, 3> orders{"at-once", "rbf", "postorder"};
constexpr Parameter order_parameter{
    "order",
    "in which blocks leave their source: at-once, rbf, the farthest first, or postorder, one of each subtree a "
    "step",
    "at-once"};

SbntOrder order_of(const Settings& settings) {
  if (!settings.order || *settings.order == orders[0]) return SbntOrder::at_once;
  if (*settings.order == orders[1]) return SbntOrder::reverse_breadth_first;
  if (*settings.order == orders[2]) return SbntOrder::postorder;
  refuse_choice("--order", *settings.order, {orders.begin(), orders.end()});
}

void resolve_order(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  order_of(settings);
}

/// For every cycle, the number of relative addresses that cross each port. Takes time in proportion to n 2^n, and n for
/// each cycle.
std::vector<std::vector<std::uint64_t>> loads(const SbntBases& bases) {
  const Port n = bases.dimensions();
  std::vector<std::vector<std::uint64_t>> loads(bases.cycles(), std::vector<std::uint64_t>(n));
  for (Rank c = 1; c < Rank{1} << n; ++c) {
    Rank left = c;
    Port port = bases[c];
    for (std::size_t cycle = bases.start(c);; ++cycle) {
      ++loads[cycle][port];
      left ^= Rank{1} << port;
      if (left == 0) break;
      port = sbnt_next(left, port);
    }
  }
  return loads;
}

Prediction predict_sbnt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  constexpr std::uint64_t most_counted = 16;  // beyond, counting takes too long
  const std::uint64_t n = machine.ports;
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  const SbntOrder order = order_of(settings);
  const std::string twice = model.duplex == Duplex::full ? "" : "2 ";
  const std::uint64_t f = twice.empty() ? 1 : 2;
  Prediction prediction{.words = exact_count(n * k * (k / 2) * b, "n 2^(2n-1) b")};
  if (order != SbntOrder::postorder) prediction.steps = exact_count(f * n, twice + "n");
  if (n > most_counted) return prediction;
  const SbntBases bases(static_cast<Port>(n), order);
  Wide links = 0;
  method::StepLengths lengths(model.cost);
  for (const auto& cycle : loads(bases)) {
    links += static_cast<Wide>(std::count_if(cycle.begin(), cycle.end(), [](std::uint64_t load) { return load != 0; }));
    lengths.add(f, *std::max_element(cycle.begin(), cycle.end()) * b);
  }
  if (order == SbntOrder::postorder) {
    prediction.steps = exact_count(lengths.steps(), n == 0 ? "0" : twice + "(necklaces(n) - 1)");
  }
  prediction.messages = exact_count(k * links, "2^n sum_t |{p: load(t,p) > 0}|");
  prediction.longest_sum = exact_count(lengths.sum(), twice + "b sum_t max_p load(t,p)");
  prediction.longest_startups = lengths.startups();
  return prediction;
}

// All pieces are on their way at once, and lists grow by doubling their room.
std::uint64_t bytes_sbnt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, Wide{3} * machine.processors * machine.processors);
}

Outcome run_sbnt(const RunRequest& request) {
  const SbntBases bases(request.topology.ports(), order_of(request.settings));
  return run(request, [&](Processor<Bundle>& self, Bundle& held) { return sbnt(self, bases, held); });
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_sbnt_method = alltoall::with_defaults({
    .name = "alltoall/sbnt",
    .aliases = {"SBnT"},
    .known_as = "all-to-all personalized",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 3.2 (johnsson-ho.md, All to all)",
    .summary = "every block moves in every cycle, down the spanning balanced n-tree of its source; all links work; in "
               "two cycles each unless duplex is full",
    .parameters = {alltoall::words_parameter, alltoall::order_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = alltoall::resolve_order,
    .predict = alltoall::predict_sbnt,
    .bytes = alltoall::bytes_sbnt,
    .run = alltoall::run_sbnt,
});

}  // namespace lockstep
