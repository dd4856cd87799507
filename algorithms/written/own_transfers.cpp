#include "written/own_transfers.hpp"

#include <ranges>
#include <unordered_set>
#include <utility>

namespace lockstep::written {

OwnTransfers::OwnTransfers(const Plan& plan) : first_(std::size_t{plan.nodes} + 1) {
  for (const ChunkTransfer& transfer : plan.transfers) {
    ++first_[transfer.from + 1];
    ++first_[transfer.to + 1];
  }
  for (Rank rank = 0; rank < plan.nodes; ++rank) first_[rank + 1] += first_[rank];
  own_.resize(first_[plan.nodes]);
  std::vector<std::size_t> end(first_.begin(), first_.end() - 1);
  for (TransferIndex index = 0; index < plan.transfers.size(); ++index) {
    own_[end[plan.transfers[index].from]++] = index;
    own_[end[plan.transfers[index].to]++] = index;
  }
  const Chunks chunks(plan);
  leaves_all_ = !chunks.are_copied();
  if (plan.form == PlanForm::chunks) find_last_sends(plan, chunks);
  if (!plan.sums.empty()) find_summands(plan);
}

// Data with a single destination is released with the last message that holds it.
void OwnTransfers::find_last_sends(const Plan& plan, const Chunks& chunks) {
  leaves_.resize(plan.transfers.size());
  std::unordered_set<std::uint64_t> sent_later;
  for (Rank rank = 0; rank < plan.nodes; ++rank) {
    sent_later.clear();
    const std::span<const TransferIndex> own = of(rank);
    for (const TransferIndex index : own | std::views::reverse) {
      const ChunkTransfer& transfer = plan.transfers[index];
      if (transfer.from != rank || transfer.origin == transfer.destination) continue;
      leaves_[index] = sent_later.insert(chunks.number(transfer)).second;
    }
  }
}

void OwnTransfers::find_summands(const Plan& plan) {
  Holdings holdings(is_summed_up(plan.task.operation), plan.nodes, true);
  whose_.resize(plan.transfers.size());
  TransferIndex first = 0;
  for (const std::size_t end : plan.ends) {
    for (TransferIndex index = first; index < end; ++index) {
      const ChunkTransfer& transfer = plan.transfers[index];
      whose_[index] = holdings.carried(transfer.from, name_of(transfer), plan.summands(transfer));
    }
    for (; first < end; ++first) {
      const ChunkTransfer& transfer = plan.transfers[first];
      holdings.take(transfer.to, name_of(transfer), transfer.adds != 0, whose_[first]);
    }
  }
}

}  // namespace lockstep::written
