#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "written/holdings.hpp"
#include "written/plan.hpp"

namespace lockstep::written {

/// The transfers that each processor has to send and to receive, in the order of the steps.
class Parts {
 public:
  explicit Parts(const Plan& plan);

  /// An index into Plan::transfers: of a transfer over the processor's own links, as its sender or its receiver.
  using Part = std::size_t;
  std::span<const Part> of(Rank rank) const {
    return std::span(parts_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }
  /// Whether the sender needs what it sends no more.
  bool leaves(Part part) const { return leaves_.empty() ? leaves_all_ : leaves_[part]; }
  /// The ranks whose summands it holds; empty for plans that keep none apart.
  const Summands& whose(Part part) const {
    static const Summands none;
    return whose_.empty() ? none : whose_[part];
  }

 private:
  void find_last_sends(const Plan& plan, const Chunks& chunks);
  void find_summands(const Plan& plan);

  std::vector<std::size_t> first_;  // by rank, where its parts begin
  std::vector<Part> parts_;
  bool leaves_all_;
  std::vector<bool> leaves_;     // by transfer, where they differ
  std::vector<Summands> whose_;  // by transfer
};

}  // namespace lockstep::written
