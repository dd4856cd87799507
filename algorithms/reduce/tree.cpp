#include <algorithm>
#include <chrono>
#include <vector>

#include "../block_link.hpp"
#include "../broadcast/broadcast.hpp"
#include "../operands.hpp"
#include "reduction_tree.hpp"

namespace lockstep {
namespace {

using operands::append;
using operands::Partial;

constexpr Parameter root_parameter{"root", "rank that holds the result in the end", "0"};
constexpr Parameter output_parameter{"output", "file for the result, one number or string a line", "none"};

/// The nodes that carry a result from node 0 to the root, and the ports by which they send it.
struct Way {
  std::vector<Rank> ranks;
  std::vector<Port> ports;  // one less
};

// On a cube of so many dimensions, which may be a building block: in step i the nodes with bits 0..i-1 zero and bit i
// one send their partial result on port i. A node is ready for its step when it has received in all before.
template <class Values>
Process reduce_cube(Processor<Partial<typename Values::Value>>& self, const Values& values, Rank node, Port dimensions,
                    Partial<typename Values::Value>& own) {
  for (Port i = 0; i < dimensions; ++i) {
    if (has_bit(node, i)) {
      self.send(i, std::move(own));
      co_return;
    }
    Partial<typename Values::Value> higher = co_await self.message(i);
    append(values, own, higher);
  }
}

// Between the blocks, i = 0..D-1: those with bits 0..i-1 zero and bit i one send their result, the others of those with
// bits 0..i-1 zero receive. Node 0 of a block combines; others in layer 0 pass on.
template <class Values>
Process reduce_blocks(Processor<Partial<typename Values::Value>>& self, const Values& values,
                      const ReducedHypercube& rh, Rank node, Partial<typename Values::Value>& own) {
  const Rank block = rh.bb(node);
  const Rank s = rh.sb(node);
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    const BlockLink link(rh, 0, i);
    const bool sends = has_bit(block, i);
    if (s == 0 && sends) {
      self.send(link.first_port(), std::move(own));
      co_return;
    }
    if (s == 0) {
      Partial<typename Values::Value> higher = co_await self.message(link.last_port());
      append(values, own, higher);
    } else if (const auto hop = sends ? link.way_out_through(s) : link.way_in_through(s)) {
      Message<Partial<typename Values::Value>> passing = co_await self.message(hop->entered_by);
      self.forward(hop->left_by, std::move(passing));
    }
    if (sends) co_return;
  }
}

template <class Values>
Process send_on(Processor<Partial<typename Values::Value>>& self, const Way& way,
                Partial<typename Values::Value>& own) {
  const auto here = std::find(way.ranks.begin(), way.ranks.end(), self.rank());
  if (here == way.ranks.end() || way.ports.empty()) co_return;
  const auto hop = static_cast<std::size_t>(here - way.ranks.begin());
  if (hop == 0) {
    self.send(way.ports.front(), std::move(own));
    co_return;
  }
  Message<Partial<typename Values::Value>> message = co_await self.message(way.ports[hop - 1]);
  if (hop == way.ports.size()) {
    own = std::move(message.payload);
  } else {
    self.forward(way.ports[hop], std::move(message));
  }
}

// Reduction over the tree of Mukherjee, chapter 3 (RH 7): first in every building block, then between the blocks; a
// cube is one block. k + (n+1) D steps on RH(k,n), v on the v-cube, any port model and duplex mode. `node` is the
// logical address; a result that must go on to another root takes as many steps more as the way has links.
template <class Values>
Process reduce_tree(Processor<Partial<typename Values::Value>>& self, const Values& values, const ReducedHypercube* rh,
                    Rank node, const Way& way, Partial<typename Values::Value>& own) {
  self.hold(words(own.value));
  if (rh == nullptr) {
    co_await reduce_cube(self, values, node, self.ports(), own);
  } else {
    co_await reduce_cube(self, values, rh->f0(node), rh->k(), own);
    if (rh->lo(node) == 0) co_await reduce_blocks(self, values, *rh, node, own);
  }
  co_await send_on<Values>(self, way, own);
}

/// To another root than 0 a non-commutative result, which is folded in the order of the ranks, is sent on (RH 7); for
/// others the origin moves.
bool goes_on(const Settings& settings) {
  return *settings.root != 0 && !find_operator(*settings.operation).commutative;
}

std::vector<Port> way_ports(const MachineSpec& machine, const Settings& settings) {
  if (!goes_on(settings)) return {};
  const auto root = static_cast<Rank>(*settings.root);
  return is_hypercube(machine) ? ecube_path(0, root) : ReducedHypercube(machine).ecube_path(0, root);
}

Way way_of(const RunRequest& request) {
  Way way{.ranks = {0}, .ports = way_ports(request.machine, request.settings)};
  for (const Port port : way.ports) way.ranks.push_back(request.topology.peer(way.ranks.back(), port).rank);
  return way;
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  operands::resolve(machine, settings);
  settings.root = whole_number("root", settings.root.value_or(0), 0, machine.processors - 1);
}

Prediction predict(const MachineSpec& machine, const Model&, const Settings& settings) {
  const ReductionTree tree(machine);
  const std::uint64_t hops = way_ports(machine, settings).size();
  const std::string further = goes_on(settings) ? " + " + std::to_string(hops) : "";
  const std::uint64_t steps = tree.steps() + hops;
  const std::uint64_t messages = tree.messages() + hops;
  const std::uint64_t w = *settings.words;
  return {.steps = Count{steps, true, tree.steps_formula() + (further.empty() ? "" : further + " to the root")},
          .messages = Count{messages, true, tree.messages_formula() + further},
          .words = Count{messages * w, true, "messages w"},
          .longest_sum = Count{steps * w, true, "steps w"},
          .message_words = w};
}

// A reduction whose operands are not split is a broadcast backwards.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return broadcast::lower_bound(machine, model, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t machine_and_values =
      operands::is_concat(settings)
          ? machine_bytes<Partial<Strings>>(machine, model) + machine.processors * sizeof(Partial<Strings>)
          : machine_bytes<Partial<Block>>(machine, model) + machine.processors * sizeof(Partial<Block>);
  return saturated(Wide{machine_and_values} + operands::value_bytes(machine, settings));
}

// Compares what the root holds with the values combined one after the other. If it is right, writes the output.
template <class Values>
void finish(const RunRequest& request, const Values& values, const typename Values::Value& result, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  Digest digest;
  values.add_to(digest, result);
  outcome.data_digest = digest.value();
  typename Values::Oracle oracle(values, 0);
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend();
  const std::string wrong = operands::what_is_wrong(oracle, result, Values::noun);
  if (!wrong.empty()) outcome.wrong = "the root holds " + wrong;
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (request.settings.output && wrong.empty()) values.write(*request.settings.output, {&result, 1});
}

template <class Values>
Outcome run_with(const RunRequest& request, const Values& values) {
  using Payload = Partial<typename Values::Value>;
  const Settings& settings = request.settings;
  const auto root = static_cast<Rank>(*settings.root);
  const Rank origin = goes_on(settings) ? 0 : root;
  std::optional<ReducedHypercube> rh;
  if (!is_hypercube(request.machine)) rh = ReducedHypercube(request.machine);
  const auto logical = [&](Rank rank) { return rh ? rh->unmove(rank, origin) : rank ^ origin; };
  const Way way = way_of(request);

  std::vector<Payload> partials(request.topology.processors());
  for (Rank rank = 0; rank < partials.size(); ++rank) partials[rank] = {logical(rank), 1, values.value(rank)};
  Outcome outcome;
  outcome.report = run_program<Payload>(request, [&](Processor<Payload>& self) {
    return reduce_tree(self, values, rh ? &*rh : nullptr, logical(self.rank()), way, partials[self.rank()]);
  });
  finish(request, values, partials[root].value, outcome);
  return outcome;
}

Outcome run(const RunRequest& request) {
  if (operands::is_concat(request.settings)) return run_with(request, operands::StringValues(request));
  return run_with(request, operands::NumberValues(request));
}

}  // namespace

extern const Method reduce_tree_method{
    .name = "reduce/tree",
    .operation = "reduce",
    .known_as = "reduction",
    .families = {"rh", "hypercube"},
    .source = "Mukherjee, chapter 3 (RH 7)",
    .summary = "binomial tree inside every building block, then between the blocks; operands stay in order",
    .parameters = {operands::words_parameter, root_parameter, operands::operator_parameter, operands::type_parameter,
                   operands::input_parameter, output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = resolve,
    .predict = predict,
    .lower_bound = lower_bound,
    .bytes = bytes,
    .run = run,
};

}  // namespace lockstep
