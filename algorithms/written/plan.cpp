#include "written/plan.hpp"

#include <utility>

namespace lockstep::written {
namespace {

/// The block task whose blocks have the same labels.
Task shape_of(const Task& task) {
  Task shape = task;
  if (task.operation == "allreduce" || task.operation == "reduce-scatter") shape.operation = "allgather";
  if (task.operation == "reduce") shape.operation = "broadcast";
  return shape;
}

}  // namespace

bool is_summed_up(std::string_view operation) {
  return operation == "allreduce" || operation == "reduce" || operation == "reduce-scatter";
}

bool has_root_in_chunks(std::string_view operation) { return has_root(operation) || operation == "reduce"; }

bool is_of_blocks(std::string_view operation) {
  return operation == "allgather" || operation == "alltoall" || operation == "gather" || operation == "scatter";
}

std::string other_size(std::uint64_t of_schedule, std::string_view machine, std::uint64_t of_machine) {
  return "the schedule is for " + std::to_string(of_schedule) + " processors, " + std::string(machine) + " has " +
         std::to_string(of_machine);
}

const std::vector<Rank>& Plan::summands(const ChunkTransfer& transfer) const {
  static const std::vector<Rank> all;
  return transfer.sum == 0 ? all : sums[transfer.sum - 1];
}

void SumNumbers::set_summands(ChunkTransfer& transfer, const std::vector<Rank>& ranks, Plan& plan) {
  if (ranks.empty()) {
    transfer.sum = 0;
    return;
  }
  const auto [number, is_new] = numbers_.try_emplace(ranks, static_cast<std::uint32_t>(plan.sums.size() + 1));
  if (is_new) plan.sums.push_back(ranks);
  transfer.sum = number->second & 0x7fffffffU;
}

Plan plan_of(Schedule schedule) {
  Plan plan{.nodes = schedule.nodes, .task = std::move(schedule.task), .combined = schedule.combined};
  std::size_t transfers = 0;
  for (const auto& moves : schedule.steps) transfers += moves.size();
  plan.transfers.reserve(transfers);
  plan.ends.reserve(schedule.steps.size());
  for (auto& moves : schedule.steps) {
    for (const Move& move : std::exchange(moves, {})) plan.transfers.push_back(transfer_of(move));
    plan.end_step();
  }
  return plan;
}

Plan plan_of(const ChunkSchedule& schedule) {
  const ChunkTask& task = schedule.task;
  Plan plan{.form = PlanForm::chunks,
            .nodes = schedule.nodes,
            .task = {.operation = task.operation, .root = task.root},
            .chunks = task.chunks,
            .owners = task.owners,
            .combined = true};
  SumNumbers sums;
  for (const auto& moves : schedule.steps) {
    for (const ChunkMove& move : moves) {
      ChunkTransfer& transfer = plan.transfers.emplace_back(
          ChunkTransfer{move.from, move.to, move.origin, move.destination, move.chunk, 0, move.adds ? 1U : 0U});
      sums.set_summands(transfer, move.of, plan);
    }
    plan.end_step();
  }
  return plan;
}

Schedule schedule_of(const Plan& plan) {
  Schedule schedule{.nodes = plan.nodes, .steps = {}, .combined = plan.combined, .task = plan.task};
  schedule.steps.reserve(plan.steps());
  for (std::size_t step = 0; step < plan.steps(); ++step) {
    auto& moves = schedule.steps.emplace_back();
    moves.reserve(plan.step(step).size());
    for (const ChunkTransfer& transfer : plan.step(step)) moves.push_back(move_of(transfer));
  }
  return schedule;
}

ChunkSchedule chunk_schedule_of(const Plan& plan) {
  ChunkSchedule schedule{
      .task = {plan.task.operation, plan.task.root, plan.chunks, plan.owners}, .nodes = plan.nodes, .steps = {}};
  schedule.steps.reserve(plan.steps());
  for (std::size_t step = 0; step < plan.steps(); ++step) {
    auto& moves = schedule.steps.emplace_back();
    moves.reserve(plan.step(step).size());
    for (const ChunkTransfer& one : plan.step(step)) {
      moves.push_back({one.from, one.to, one.origin, one.destination, one.chunk, one.adds != 0, plan.summands(one)});
    }
  }
  return schedule;
}

Chunks::Chunks(PlanForm form, const Task& task, Rank nodes, std::uint32_t chunks, Rank owners)
    : blocks_(form == PlanForm::chunks ? shape_of(task) : task, nodes),
      form_(form),
      chunks_(chunks),
      end_of_origins_(blocks_.end_of_origins()),
      summed_(is_summed_up(task.operation)),
      for_all_(blocks_.are_for_all() && task.operation != "reduce" && task.operation != "reduce-scatter"),
      copied_(blocks_.are_for_all() || form == PlanForm::chunks) {
  if (task.operation == "allreduce" && owners > 0) end_of_origins_ = owners;
}

std::pair<BlockLabels, std::uint32_t> Chunks::at(std::uint64_t number) const {
  const std::uint64_t block = chunks_ == 1 ? number : number / chunks_;
  const auto chunk = static_cast<std::uint32_t>(number - block * chunks_);
  if (blocks_.are_for_all()) {
    const Rank origin = blocks_.first_origin() + static_cast<Rank>(block);
    return {{origin, origin}, chunk};
  }
  const Rank destinations = blocks_.end_of_destinations() - blocks_.first_destination();
  return {{blocks_.first_origin() + static_cast<Rank>(block / destinations),
           blocks_.first_destination() + static_cast<Rank>(block % destinations)},
          chunk};
}

std::string Chunks::text(const BlockLabels& block, std::uint32_t chunk) const {
  const std::string origin = std::to_string(block.origin);
  const bool is_for_one = block.destination != block.origin;
  if (form_ == PlanForm::chunks) {
    const std::string whose = "chunk " + std::to_string(chunk) + " of " + origin;
    return is_for_one ? whose + " for " + std::to_string(block.destination) : whose;
  }
  return blocks_.are_for_all() ? "the block of " + origin : origin + "->" + std::to_string(block.destination);
}

}  // namespace lockstep::written
