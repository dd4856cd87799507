#include "written/parts.hpp"

#include <unordered_set>
#include <utility>

namespace lockstep::written {

Parts::Parts(const Plan& plan) : first_(std::size_t{plan.nodes} + 1) {
  for (const Transfer& transfer : plan.transfers) {
    ++first_[transfer.from + 1];
    ++first_[transfer.to + 1];
  }
  for (Rank rank = 0; rank < plan.nodes; ++rank) first_[rank + 1] += first_[rank];
  parts_.resize(first_[plan.nodes]);
  std::vector<std::size_t> end(first_.begin(), first_.end() - 1);
  for (Part part = 0; part < plan.transfers.size(); ++part) {
    parts_[end[plan.transfers[part].from]++] = part;
    parts_[end[plan.transfers[part].to]++] = part;
  }
  const Chunks chunks(plan);
  leaves_all_ = !chunks.are_copied();
  if (plan.form == Form::chunks) find_last_sends(plan, chunks);
  if (!plan.sums.empty()) find_summands(plan);
}

// Data with a single destination is released with the last message that holds it.
void Parts::find_last_sends(const Plan& plan, const Chunks& chunks) {
  leaves_.resize(plan.transfers.size());
  std::unordered_set<std::uint64_t> sent_later;
  for (Rank rank = 0; rank < plan.nodes; ++rank) {
    sent_later.clear();
    const std::span<const Part> own = of(rank);
    for (auto part = own.rbegin(); part != own.rend(); ++part) {
      const Transfer& transfer = plan.transfers[*part];
      if (transfer.from != rank || transfer.origin == transfer.destination) continue;
      leaves_[*part] = sent_later.insert(chunks.number(transfer)).second;
    }
  }
}

void Parts::find_summands(const Plan& plan) {
  Holdings holdings(is_summed_up(plan.task.operation), plan.nodes, true);
  whose_.resize(plan.transfers.size());
  Part first = 0;
  for (const std::size_t end : plan.ends) {
    for (Part part = first; part < end; ++part) {
      const Transfer& transfer = plan.transfers[part];
      static const std::vector<Rank> all;
      whose_[part] =
          holdings.carried(transfer.from, name_of(transfer), transfer.sum == 0 ? all : plan.sums[transfer.sum - 1]);
    }
    for (; first < end; ++first) {
      const Transfer& transfer = plan.transfers[first];
      holdings.take(transfer.to, name_of(transfer), transfer.adds != 0, whose_[first]);
    }
  }
}

}  // namespace lockstep::written
