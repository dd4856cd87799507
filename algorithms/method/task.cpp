#include "lockstep/algorithms/task.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace lockstep {
namespace {

enum class Ends { all, root, few };

/// The kinds of blocks of an operation.
struct OperationBlocks {
  std::string_view operation;
  Ends origins = Ends::all;
  Ends destinations = Ends::all;
  bool for_all = false;
  bool told_by_moves = false;
};

constexpr OperationBlocks operations[] = {
    {.operation = "alltoall"},
    {.operation = "allgather", .for_all = true},
    {.operation = "broadcast", .origins = Ends::root, .for_all = true},
    {.operation = "scatter", .origins = Ends::root},
    {.operation = "gather", .destinations = Ends::root},
    {.operation = "some-to-all", .origins = Ends::few},
    {.operation = "all-to-some", .destinations = Ends::few},
    {.operation = "permute", .told_by_moves = true},
    {.operation = "transpose", .told_by_moves = true},
    {.operation = "send", .told_by_moves = true},
};

/// Null if schedules cannot describe it.
const OperationBlocks* blocks_of(std::string_view operation) {
  const auto found = std::find_if(std::begin(operations), std::end(operations),
                                  [&](const OperationBlocks& one) { return one.operation == operation; });
  return found == std::end(operations) ? nullptr : found;
}

bool has_ends(std::string_view operation, Ends ends) {
  const OperationBlocks* const blocks = blocks_of(operation);
  return blocks != nullptr && (blocks->origins == ends || blocks->destinations == ends);
}

}  // namespace

bool moves_blocks(std::string_view operation) { return blocks_of(operation) != nullptr; }
bool has_root(std::string_view operation) { return has_ends(operation, Ends::root); }
bool has_few(std::string_view operation) { return has_ends(operation, Ends::few); }

TaskBlocks::TaskBlocks(const Task& task, Rank nodes)
    : nodes_(nodes), end_of_origins_(nodes), end_of_destinations_(nodes) {
  const OperationBlocks* const blocks = blocks_of(task.operation);
  if (blocks == nullptr) throw std::invalid_argument("no schedule describes " + task.operation);
  for_all_ = blocks->for_all;
  told_by_moves_ = blocks->told_by_moves;
  const auto restrict_to = [&](Ends ends, Rank& first, Rank& end) {
    if (ends == Ends::root) first = task.root;
    if (ends == Ends::root) end = task.root + 1;
    if (ends == Ends::few) end = task.few;
  };
  restrict_to(blocks->origins, first_origin_, end_of_origins_);
  restrict_to(blocks->destinations, first_destination_, end_of_destinations_);
}

bool TaskBlocks::has(const BlockLabels& block) const {
  const auto& [origin, destination] = block;
  if (origin < first_origin_ || origin >= end_of_origins_) return false;
  if (for_all_) return destination == origin;
  return destination >= first_destination_ && destination < end_of_destinations_ && destination != origin;
}

std::size_t TaskBlocks::numbers() const {
  const std::size_t origins = end_of_origins_ - first_origin_;
  return for_all_ ? origins : origins * (end_of_destinations_ - first_destination_);
}

std::size_t TaskBlocks::number(const BlockLabels& block) const {
  const std::size_t row = block.origin - first_origin_;
  if (for_all_) return row;
  return row * (end_of_destinations_ - first_destination_) + (block.destination - first_destination_);
}

}  // namespace lockstep
