#include "lockstep/algorithms/fault.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "lockstep/core/report.hpp"

namespace lockstep {
namespace {

/// Whether there was another message to swap payloads with.
bool swap_with_another(MovingMessages& messages, std::size_t index) {
  for (std::size_t further = 1; further < messages.size(); ++further) {
    if (messages.swap(index, (index + further) % messages.size())) return true;
  }
  return false;
}

/// A number from 0 up to, but not including, 1 that depends only on these arguments.
double drawn(std::uint64_t seed, std::uint64_t kind, Cycle cycle, const MovingMessage& message) {
  Digest digest;
  for (const std::uint64_t number : {seed, kind, cycle, std::uint64_t{message.from}, std::uint64_t{message.port},
                                     std::uint64_t{message.to.rank}, std::uint64_t{message.to.port}}) {
    digest.add(number);
  }
  // The digest's low bits depend only on the last word.
  std::uint64_t mixed = digest.value();
  mixed = (mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
  return static_cast<double>((mixed ^ mixed >> 31) >> 11) * 0x1p-53;
}

bool applies(const MessageFaults& faults, const FaultEffect& which, std::uint64_t kind, Cycle cycle,
             const MovingMessage& message) {
  const FaultEffect::Between between{message.from, message.to.rank, cycle};
  if (std::ranges::find(which.between, between) != which.between.end()) return true;
  return which.draws() && drawn(faults.seed, kind, cycle, message) < *which.share;
}

}  // namespace

void verify(const MessageFaults& faults, const Topology& topology) {
  const std::string& name = topology.name();
  for (const FaultEffect* const which : {&faults.dropped, &faults.delayed, &faults.corrupted}) {
    for (const auto& [from, to, cycle] : which->between) {
      for (const Rank rank : {from, to}) {
        if (rank < topology.processors()) continue;
        throw std::invalid_argument(name + " has no rank " + std::to_string(rank) + ": they are 0 to " +
                                    std::to_string(topology.processors() - 1));
      }
      const std::string ranks = std::to_string(from) + " and " + std::to_string(to);
      if (from == to) throw std::invalid_argument("no rank sends to itself: rank " + std::to_string(from));
      if (topology.medium() && topology.medium()->kind == MediumKind::memory) {
        throw std::invalid_argument("around " + name + " no message goes from one rank to another; a share of all can");
      }
      if (!topology.medium() && topology.port_to(from, to) == topology.ports()) {
        throw std::invalid_argument(name + " has no link between ranks " + ranks);
      }
    }
  }
}

std::string_view name(Fate fate) {
  switch (fate) {
    case Fate::arrives:
      return "arrives";
    case Fate::dropped:
      return "dropped";
    case Fate::delayed:
      return "delayed";
    case Fate::corrupted:
      break;
  }
  return "corrupted";
}

Fate fate_of(const MessageFaults& faults, Cycle cycle, const MovingMessage& message) {
  if (applies(faults, faults.dropped, 0, cycle, message)) return Fate::dropped;
  if (applies(faults, faults.delayed, 1, cycle, message)) return Fate::delayed;
  return message.words > 0 && applies(faults, faults.corrupted, 2, cycle, message) ? Fate::corrupted : Fate::arrives;
}

void MessageFaultInjector::barrier(MovingMessages& messages) {
  for (std::size_t index = messages.size(); index > 0;) {
    --index;
    switch (fate_of(faults_, messages.cycle(), messages.message(index))) {
      case Fate::arrives:
        break;
      case Fate::dropped:
        messages.drop(index);
        ++counts_.dropped;
        break;
      case Fate::delayed:
        messages.delay(index, faults_.delay);
        ++counts_.delayed;
        break;
      case Fate::corrupted:
        if (messages.invert_word(index)) ++counts_.corrupted;
        break;
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
