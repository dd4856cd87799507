#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "written/holdings.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// The transfers that each processor has to send and to receive, in the order of the steps.
class OwnTransfers {
 public:
  explicit OwnTransfers(const Plan& plan);

  /// An index into Plan::transfers: of a transfer over the processor's own links, as its sender or its receiver.
  using TransferIndex = std::size_t;
  std::span<const TransferIndex> of(Rank rank) const {
    return std::span(own_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }
  /// Whether the sender needs what it sends no more.
  bool leaves(TransferIndex index) const { return leaves_.empty() ? leaves_all_ : leaves_[index]; }
  /// The ranks whose summands it holds; empty for plans that keep none apart.
  const Summands& whose(TransferIndex index) const {
    static const Summands none;
    return whose_.empty() ? none : whose_[index];
  }

 private:
  void find_last_sends(const Plan& plan, const Chunks& chunks);
  void find_summands(const Plan& plan);

  std::vector<std::size_t> first_;  // by rank, where its transfers begin
  std::vector<TransferIndex> own_;
  bool leaves_all_;
  std::vector<bool> leaves_;     // by transfer, where they differ
  std::vector<Summands> whose_;  // by transfer
};

}  // namespace lockstep::written
