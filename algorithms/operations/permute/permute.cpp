#include "permute.hpp"

#include <utility>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/algorithms/run_program.hpp"

namespace lockstep::permute {

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "permute",
                                    .known_as = "permutation",
                                    .families = {"hypercube"},
                                    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all}});
}

PerRank<LabelledBlock> generated_blocks(const RunRequest& request, const packets::NodePermutation& destination) {
  PerRank<LabelledBlock> blocks(request);
  for_all_ranks(request, [&](Rank rank) {
    const Rank to = destination(rank);
    blocks[rank] = {rank, to, 0, generated_block(request.settings.seed, rank, to, *request.settings.words)};
  });
  return blocks;
}

void verify(const RunRequest& request, const packets::NodePermutation& destination,
            const std::function<std::vector<Piece>(Rank)>& held, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const PieceOracle oracle([&](Rank origin, Rank to) {
    return generated_block(request.settings.seed, origin, to, *request.settings.words);
  });
  const Rank processors = request.topology.processors();
  PerRank<Rank> origins(request);
  for (Rank rank = 0; rank < processors; ++rank) {
    const Rank to = destination(rank);
    if (is_here(request.division, to)) origins[to] = rank;
  }
  const auto judge = [&](Rank rank) {
    const BlockLabels labels{origins[rank], rank};
    return oracle.judge(rank, held(rank), {&labels, 1});
  };
  verify_ranks(request, start, judge, outcome);
}

void verify(const RunRequest& request, const packets::NodePermutation& destination, const PerRank<LabelledBlock>& held,
            Outcome& outcome) {
  const auto pieces = [&](Rank rank) {
    const std::vector<Piece> one{held[rank].piece()};
    return one.front().block.empty() ? std::vector<Piece>() : one;
  };
  verify(request, destination, pieces, outcome);
}

LowerBound distance_bound(const MachineSpec& machine, const Model& model, const Settings& settings,
                          std::uint64_t largest, Wide link_sum) {
  if (link_sum == 0) return {.steps = 0, .longest_sum = 0};
  const std::uint64_t messages = alltoall::messages_a_cycle(facts(machine), model);
  const Wide words = link_sum * *settings.words;
  return {.steps = largest, .longest_sum = saturated((words + messages - 1) / messages)};
}

LowerBound distance_bound(const MachineSpec& machine, const Model& model, const Settings& settings,
                          const DimensionPermutation& delta) {
  return distance_bound(machine, model, settings, largest_distance(delta),
                        Wide{moved_dimensions(delta)} * (machine.processors / 2));
}

Prediction predict_swaps(const MachineSpec& machine, const Settings& settings, std::uint64_t swaps,
                         const std::string& formula) {
  const Wide messages = Wide{swaps} * machine.processors;
  const Wide k = *settings.words;
  return {.steps = exact_count(Wide{2} * swaps, "2 " + formula),
          .messages = exact_count(messages, formula + " 2^n"),
          .words = exact_count(messages * k, formula + " 2^n K"),
          .longest_sum = exact_count(Wide{2} * swaps * k, "2 " + formula + " K"),
          .message_words = *settings.words};
}

std::uint64_t bytes_of_swaps(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide of_processor = sizeof(LabelledBlock) + 2 * sizeof(LabelledBlock) + allocated_bytes(*settings.words);
  return saturated(machine_bytes<LabelledBlock>(machine, model) + machine.processors * of_processor);
}

Outcome run_swaps(const RunRequest& request, const std::vector<SwapRound>& rounds,
                  const packets::NodePermutation& destination) {
  PerRank<LabelledBlock> held = generated_blocks(request, destination);
  const std::vector<packets::BlockRound> moves = moves_of(rounds);
  Outcome outcome;
  outcome.report = packets::move_blocks(request, moves, held);
  verify(request, destination, held, outcome);
  return outcome;
}

}  // namespace lockstep::permute
