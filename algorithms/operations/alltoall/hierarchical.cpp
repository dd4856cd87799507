#include <string>
#include <utility>
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/entry_parts.hpp"
#include "method/step_lengths.hpp"
#include "method/switches.hpp"
#include "plans/turns/port_to.hpp"

// Alltoalls in which a rank sends to its receivers one after the other (collectives.md, Alltoall).
namespace lockstep {
namespace alltoall {
namespace {

constexpr NumberParameter group_size_parameter{
    {"group-size", "ranks of a group, which divide those of the machine", "the most that are at most the square root"},
    &Settings::group_size};

/// What the rank sends of its own blocks, which lie in the order of their destinations.
Bundle block_for(const Bundle& own, Rank rank, Rank destination) {
  Bundle block;
  block.add_piece(own, place_without(rank, destination));
  return block;
}

// In step i = 1, 2, .. rank r sends its block for rank r + i.
Process exchange_pairwise(Processor<Bundle>& self, Bundle& held) {
  const Rank rank = self.rank();
  const Rank p = self.processors();
  self.hold(words(held));
  const Bundle own = std::exchange(held, {});
  for (Rank step = 1; step < p; ++step) {
    const Rank to = shifted(rank, step, p);
    const Rank from = shifted(rank, p - step, p);
    self.send(turns::port_to(self, to), block_for(own, rank, to));
    Bundle received = co_await self.message(turns::port_to(self, from));
    check_only_piece(received, from, rank);
    held.add(std::move(received));
  }
}

// In step i = 1, 2, .. rank r and rank r xor i give each other their blocks.
Process exchange_in_pairs(Processor<Bundle>& self, Bundle& held) {
  const Rank rank = self.rank();
  self.hold(words(held));
  const Bundle own = std::exchange(held, {});
  for (Rank step = 1; step < self.processors(); ++step) {
    const Rank partner = rank ^ step;
    Bundle received = co_await self.exchange(turns::port_to(self, partner), block_for(own, rank, partner));
    check_only_piece(received, partner, rank);
    held.add(std::move(received));
  }
}

/// The pieces by what of(piece) returns, below `kinds`.
template <class Of>
std::vector<Bundle> sorted(Bundle pieces, Rank kinds, const Of& of) {
  std::vector<Bundle> all(kinds);
  pieces.deal([&](const Piece& piece) -> Bundle& { return all[of(piece)]; });
  return all;
}

// Groups are `group_size` consecutive ranks. First every rank sends each other rank of its group all blocks for ranks
// with the receiver's place in any group; then the ranks of one place in all groups exchange what is left. With groups
// of one, or of all, only one of the phases is left, pair by pair.
Process exchange_in_groups(Processor<Bundle>& self, Bundle& held, Rank group_size) {
  const Rank l = group_size;
  const Rank g = self.processors() / l;
  const Rank place = self.rank() % l;
  const Rank group = self.rank() / l;
  if (l == 1 || g == 1) {
    co_await exchange_pairwise(self, held);
    co_return;
  }
  self.hold(words(held));
  std::vector<Bundle> for_place =
      sorted(std::exchange(held, {}), l, [l](const Piece& piece) { return piece.destination % l; });
  held = std::move(for_place[place]);
  for (Rank step = 1; step < l; ++step) {
    const Rank to = shifted(place, step, l);
    const Rank from = shifted(place, l - step, l);
    self.send(turns::port_to(self, group * l + to), std::move(for_place[to]));
    Bundle received = co_await self.message(turns::port_to(self, group * l + from));
    check(received,
          [&](const Piece& piece) { return piece.origin == group * l + from && piece.destination % l == place; });
    held.add(std::move(received));
  }
  std::vector<Bundle> for_group =
      sorted(std::exchange(held, {}), g, [l](const Piece& piece) { return piece.destination / l; });
  held = std::move(for_group[group]);
  for (Rank step = 1; step < g; ++step) {
    const Rank to = shifted(group, step, g);
    const Rank from = shifted(group, g - step, g);
    self.send(turns::port_to(self, to * l + place), std::move(for_group[to]));
    Bundle received = co_await self.message(turns::port_to(self, from * l + place));
    check(received, [&](const Piece& piece) { return piece.origin / l == from && piece.destination == self.rank(); });
    held.add(std::move(received));
  }
}

void resolve_exclusive_or(const MachineSpec& machine, const Model& model, Settings& settings) {
  method::require_power_of_two(machine);
  resolve(machine, model, settings);
}

std::uint64_t default_group_size(std::uint64_t p) {
  std::uint64_t best = 1;
  for (std::uint64_t size = 2; size * size <= p; ++size) {
    if (p % size == 0) best = size;
  }
  return best;
}

void resolve_groups(const MachineSpec& machine, const Model& model, Settings& settings) {
  const std::uint64_t p = machine.processors;
  resolve(machine, model, settings);
  group_size_parameter.resolve(settings, {.least = 1, .most = p, .otherwise = default_group_size(p)});
  if (p % *settings.group_size != 0) {
    throw InputError("--group-size " + std::to_string(*settings.group_size) + " does not divide the " +
                     std::to_string(p) + " processors of " + printable(machine.text));
  }
}

Prediction predict_hierarchical(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide b = *settings.words;
  const Wide l = *settings.group_size;
  const Wide g = p / l;
  method::StepLengths lengths(model.cost);
  lengths.add(l - 1, g * b);
  lengths.add(g - 1, l * b);
  return {.steps = exact_count(lengths.steps(), "(l - 1) + (g - 1), p = g l"),
          .messages = exact_count(p * lengths.steps(), "p steps"),
          .words = exact_count(p * lengths.sum(), "p b ((l - 1) g + (g - 1) l)"),
          .longest_sum = exact_count(lengths.sum(), "b ((l - 1) g + (g - 1) l)"),
          .longest_startups = lengths.startups()};
}

Prediction predict_pairwise(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide p = machine.processors;
  const Wide b = *settings.words;
  return {.steps = exact_count(p - 1, "p - 1"),
          .messages = exact_count(p * (p - 1), "p (p - 1)"),
          .words = exact_count(p * (p - 1) * b, "p (p - 1) b"),
          .longest_sum = exact_count((p - 1) * b, "(p - 1) b"),
          .message_words = *settings.words};
}

Outcome run_in_groups(const RunRequest& request, Rank size) {
  return run(request, [size](Processor<Bundle>& self, Bundle& held) { return exchange_in_groups(self, held, size); });
}

Method pairwise(Method own) {
  return with_defaults(
      filled_in(std::move(own), {.families = {"switch", "complete"},
                                 .source = "Thakur, Rabenseifner, Gropp 2005 (collectives.md, Alltoall)",
                                 .port_models = {PortModel::one},
                                 .predict = predict_pairwise,
                                 .bytes = bytes_of_own}));
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_hierarchical_method = alltoall::with_defaults({
    .name = "alltoall/hierarchical",
    .families = {"switch", "complete"},
    .source = "in two phases, over groups (collectives.md, Alltoall)",
    .summary =
        "blocks for one place of all groups are combined inside the group, then go to the group where they belong",
    .parameters = {alltoall::words_parameter, alltoall::group_size_parameter},
    .port_models = {PortModel::one},
    .resolve = alltoall::resolve_groups,
    .predict = alltoall::predict_hierarchical,
    .bytes = alltoall::bytes_of_own,
    .run =
        [](const RunRequest& request) {
          return alltoall::run_in_groups(request, static_cast<Rank>(*request.settings.group_size));
        },
});

extern const Method alltoall_pairwise_method = alltoall::pairwise({
    .name = "alltoall/pairwise",
    .families = method::switches_and_complete(),
    .summary = "in step i every rank gives its block to the one i farther on",
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::exchange_pairwise); },
});

extern const Method alltoall_pairwise_exclusive_or_method = alltoall::pairwise({
    .name = "alltoall/pairwise-exclusive-or",
    .summary = "in step i every rank exchanges blocks with rank xor i (2^q ranks)",
    .resolve = alltoall::resolve_exclusive_or,
    .run = [](const RunRequest& request) { return alltoall::run(request, alltoall::exchange_in_pairs); },
});

}  // namespace lockstep
