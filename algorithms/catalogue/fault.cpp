#include "lockstep/algorithms/fault.hpp"

#include <algorithm>

#include "lockstep/core/report.hpp"

namespace lockstep {
namespace {

/// Whether there was another message to change payloads with.
bool swap_with_another(MovingMessages& messages, std::size_t index) {
  for (std::size_t further = 1; further < messages.size(); ++further) {
    if (messages.swap(index, (index + further) % messages.size())) return true;
  }
  return false;
}

/// A number from 0 to 1, exclusive, that depends on these alone.
double drawn(std::uint64_t seed, std::uint64_t kind, Cycle cycle, const MovingMessage& message) {
  Digest digest;
  for (const std::uint64_t number : {seed, kind, cycle, std::uint64_t{message.from}, std::uint64_t{message.port},
                                     std::uint64_t{message.to.rank}, std::uint64_t{message.to.port}}) {
    digest.add(number);
  }
  // The digest's low bits depend on what came last alone.
  std::uint64_t mixed = digest.value();
  mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
  return static_cast<double>((mixed ^ mixed >> 31) >> 11) * 0x1p-53;
}

}  // namespace

bool MessageFaultInjector::befalls(const Befallen& which, std::uint64_t kind, Cycle cycle,
                                   const MovingMessage& message) const {
  const Befallen::Between between{message.from, message.to.rank, cycle};
  if (std::ranges::find(which.between, between) != which.between.end()) return true;
  return which.share > 0 && drawn(faults_.seed, kind, cycle, message) < which.share;
}

void MessageFaultInjector::barrier(MovingMessages& messages) {
  const Cycle cycle = messages.cycle();
  for (std::size_t index = messages.size(); index > 0;) {
    const MovingMessage message = messages.message(--index);
    if (befalls(faults_.dropped, 0, cycle, message)) {
      messages.drop(index);
      ++counts_.dropped;
    } else if (befalls(faults_.delayed, 1, cycle, message)) {
      messages.delay(index, faults_.delay);
      ++counts_.delayed;
    } else if (befalls(faults_.corrupted, 2, cycle, message) && messages.invert_word(index)) {
      ++counts_.corrupted;
    }
  }
}

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
