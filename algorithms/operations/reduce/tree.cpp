#include <algorithm>
#include <vector>

#include "blocks.hpp"
#include "finish.hpp"
#include "in_packets.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/operation/reduce.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "operands/partials.hpp"
#include "operands/predicted_operations.hpp"
#include "plans/tree/reduction_tree.hpp"

namespace lockstep {
namespace {

using operands::Partial;
using reduce::HeldPartials;
using reduce::root_parameter;
constexpr PacketsOrWholeParameter packets_or_whole{
    "packets of every value, each a word or more; several go up the double-rooted tree, not for matrix2 and concat"};

/// The nodes that carry a result from node 0 to the root, and the ports by which they send it.
struct RootPath {
  std::vector<Rank> ranks;
  std::vector<Port> ports;  // one less
};

template <class Values>
Process send_on(Processor<Partial<typename Values::Value>>& self, const RootPath& path,
                Partial<typename Values::Value>& own) {
  const auto here = std::find(path.ranks.begin(), path.ranks.end(), self.rank());
  if (here == path.ranks.end() || path.ports.empty()) co_return;
  const auto hop = static_cast<std::size_t>(here - path.ranks.begin());
  if (hop == 0) {
    self.send(path.ports.front(), std::move(own));
    co_return;
  }
  Message<Partial<typename Values::Value>> message = co_await self.message(path.ports[hop - 1]);
  if (hop == path.ports.size()) {
    own = std::move(message.payload);
  } else {
    self.forward(path.ports[hop], std::move(message));
  }
}

// `node` is the logical address; a result that must go on to another root takes one step more per link of the path.
template <class Values>
Process reduce_tree(Processor<Partial<typename Values::Value>>& self, const Values& values, const ReducedHypercube* rh,
                    Rank node, const RootPath& path, HeldPartials<typename Values::Value>& held) {
  self.hold(words(held.own));
  co_await reduce::reduce_to_first(self, values, rh, node, held);
  co_await send_on<Values>(self, path, held.own);
}

/// A non-commutative result, which is folded in the order of the ranks, is sent on to a root other than 0
/// (mukherjee.md, Reduction); for other operators the origin moves.
bool goes_on(const Settings& settings) {
  return *settings.root != 0 && !find_operator(*settings.operator_name).commutative;
}

bool in_packets(const Settings& settings) { return *settings.packets > 1; }

std::vector<Port> ports_to_root(const MachineSpec& machine, const Settings& settings) {
  if (!goes_on(settings)) return {};
  const Rank root = root_of(settings);
  return is_hypercube(machine) ? ecube_path(0, root) : ReducedHypercube(machine).ecube_path(0, root);
}

RootPath path_of(const RunRequest& request) {
  RootPath path{.ranks = {0}, .ports = ports_to_root(request.machine, request.settings)};
  for (const Port port : path.ports) path.ranks.push_back(request.topology.peer(path.ranks.back(), port).rank);
  return path;
}

void resolve_tree(const MachineSpec& machine, const Model&, Settings& settings) {
  operands::resolve(machine, settings);
  root_parameter.resolve(machine, settings);
  packets_or_whole.resolve(settings);
  if (in_packets(settings) && !find_operator(*settings.operator_name).commutative) {
    throw InputError("--packets is for operators that commute; " + *settings.operator_name +
                     " is folded in the order of the ranks");
  }
}

Prediction predict_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (in_packets(settings)) return reduce::predict_in_packets(machine, model, settings);
  const tree::ReductionTree tree(machine);
  const std::uint64_t hops = ports_to_root(machine, settings).size();
  const std::string further = goes_on(settings) ? " + " + std::to_string(hops) : "";
  const std::uint64_t steps = tree.steps() + hops;
  const std::uint64_t messages = tree.messages() + hops;
  const std::uint64_t w = *settings.words;
  Prediction prediction{
      .steps = Count{steps, true, tree.steps_formula() + (further.empty() ? "" : further + " to the root")},
      .messages = Count{messages, true, tree.messages_formula() + further},
      .words = Count{messages * w, true, "messages w"},
      .longest_sum = Count{steps * w, true, "steps w"},
      .message_words = w};
  operands::predict_operations(settings, Wide{machine.processors - 1} * w, "(N - 1) w", Wide{tree.combinations()} * w,
                               prediction);
  return prediction;
}

template <class Value>
Wide bytes_of(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t received =
      in_packets(settings) ? machine.processors - 1 : tree::ReductionTree(machine).messages();
  const std::uint64_t schedule = in_packets(settings) ? reduce::UpwardTree::bytes(machine.processors) : 0;
  return machine_bytes<Partial<Value>>(machine, model) + Wide{machine.processors} * sizeof(HeldPartials<Value>) +
         operands::value_bytes(machine, settings) + operands::judged_bytes(machine, settings, 0, received) + schedule;
}

std::uint64_t bytes_tree(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(operands::is_concat(settings) ? bytes_of<Strings>(machine, model, settings)
                                                 : bytes_of<Block>(machine, model, settings));
}

/// The logical address of every rank, and the rank at every address.
struct Addresses {
  std::optional<ReducedHypercube> rh;  // empty on a hypercube
  Rank origin;                         // the rank at address 0

  explicit Addresses(const RunRequest& request) : origin(goes_on(request.settings) ? 0 : request.root()) {
    if (!is_hypercube(request.machine)) rh = ReducedHypercube(request.machine);
  }
  Rank logical(Rank rank) const { return rh ? rh->unmove(rank, origin) : rank ^ origin; }
  Rank rank_of(Rank address) const { return rh ? rh->move(address, origin) : address ^ origin; }
};

/// The initial value of every rank.
template <class Values>
PerRank<HeldPartials<typename Values::Value>> initially_held(const RunRequest& request, const Values& values,
                                                             const Addresses& addresses) {
  PerRank<HeldPartials<typename Values::Value>> held(request);
  for_all_ranks(request, [&](Rank rank) { held[rank].own = {addresses.logical(rank), 1, values.value(rank)}; });
  return held;
}

template <class Values>
Outcome run_whole(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  const Addresses addresses(request);
  const RootPath path = path_of(request);
  auto held = initially_held(request, values, addresses);
  Outcome outcome;
  outcome.report = run_program<Payload>(request, [&](Processor<Payload>& self) {
    return reduce_tree(self, values, addresses.rh ? &*addresses.rh : nullptr, addresses.logical(self.rank()), path,
                       held[self.rank()]);
  });
  const auto rank_of = [&](Rank address) { return addresses.rank_of(address); };
  const auto on_the_way = [&] { reduce::judge_on_the_way(request, values, held, rank_of, outcome); };
  reduce::finish(request, values, held, on_the_way, outcome);
  return outcome;
}

Outcome run_in_packets(const RunRequest& request, const operands::NumberValues& values) {
  using Payload = Partial<Block>;
  const Addresses addresses(request);
  const reduce::UpwardTree tree(request.machine, request.topology, request.model);
  const Split packets(*request.settings.words, *request.settings.packets);
  auto held = initially_held(request, values, addresses);
  Outcome outcome;
  outcome.report = run_program<Payload>(request, [&](Processor<Payload>& self) {
    return reduce::reduce_in_packets(self, values, tree, addresses.logical(self.rank()), packets, held[self.rank()]);
  });
  const auto on_the_way = [&] {
    reduce::judge_packets_on_the_way(
        request, values, tree, held, [&](Rank address) { return addresses.rank_of(address); }, outcome);
  };
  reduce::finish(request, values, held, on_the_way, outcome);
  return outcome;
}

Outcome run_tree(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_whole(request, operands::StringValues(request));
  const operands::NumberValues values(request);
  return in_packets(request.settings) ? run_in_packets(request, values) : run_whole(request, values);
}

}  // namespace

extern const Method reduce_tree_method{
    .name = "reduce/tree",
    .operation = "reduce",
    .known_as = "reduction",
    .families = {"rh", "hypercube"},
    .source = "Mukherjee, chapter 3 (mukherjee.md, Reduction)",
    .summary = "binomial tree inside every building block, then between the blocks; operands stay in order",
    .parameters = {operands::words_parameter, packets_or_whole, root_parameter, operands::operator_parameter,
                   operands::type_parameter, operands::input_parameter, reduce::output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = resolve_tree,
    .predict = predict_tree,
    .bytes = bytes_tree,
    .run = run_tree,
};

}  // namespace lockstep
