#include "lockstep/algorithms/fault.hpp"

namespace lockstep {
namespace {

/// Whether there was another message to change payloads with.
bool swap_with_another(MovingMessages& messages, std::size_t index) {
  for (std::size_t further = 1; further < messages.size(); ++further) {
    if (messages.swap(index, (index + further) % messages.size())) return true;
  }
  return false;
}

}  // namespace

void FaultPlanter::barrier(MovingMessages& messages) {
  const std::uint64_t index = fault_.transfer - seen_;
  const bool here = fault_.transfer >= seen_ && index < messages.size();
  seen_ += messages.size();
  if (fault_.seen != nullptr) *fault_.seen = seen_;
  if (!here) return;
  bool done = true;
  switch (fault_.kind) {
    case FaultKind::drop:
      messages.drop(index);
      break;
    case FaultKind::repeat:
      messages.repeat(index);
      break;
    case FaultKind::swap:
      done = swap_with_another(messages, index);
      break;
    case FaultKind::corrupt:
      done = messages.invert_word(index);
      break;
  }
  if (done && fault_.done != nullptr) *fault_.done = true;
}

}  // namespace lockstep
