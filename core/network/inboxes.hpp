#pragma once

#include <cstddef>
#include <vector>

#include "lockstep/core/detail/atomics.hpp"
#include "lockstep/core/detail/stamp.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::detail {

/// The messages that have arrived at the processors of a bus or a switch: every processor has an inbox of a few places,
/// filled by its senders. The payloads lie elsewhere, indexed by the same places.
///
/// Thread-safety: within a cycle any number of senders may claim an inbox while its owner empties places; one of them
/// fills a place. No thread waits for another.
/// 1. The claim of an inbox is the cycle of the latest send to it. It changes by compare-and-swap, so one sender per
///    cycle succeeds, and only that one fills a place. The others have broken the rule that a processor receives one
///    message per cycle; the run ends at the barrier. Under k_ports() senders are counted instead, and the first k of
///    them fill a place each, which they take by compare-and-swap.
/// 2. A place was filled in the cycle `filled` (0: never) and is occupied
///    while `emptied` <= `filled`. The owner empties it in a later cycle
///    than it was filled.
/// 3. A sender in cycle c finds a place free if it was emptied before c, or is filled in c: both were decided before c
///    began, regardless of the owner and the other senders in c. The owner sees places filled before c as arrived. So
///    no verdict depends on the order of threads, relaxed accesses suffice, and consecutive accesses to `from` and the
///    payload have a barrier of the machine between them.
class Inboxes {
 public:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  /// No processors.
  Inboxes() = default;
  /// `capacity` places a processor, of which a cycle fills `in_a_cycle` at most.
  Inboxes(Rank processors, std::size_t capacity, std::size_t in_a_cycle = 1)
      : capacity_(capacity), in_a_cycle_(in_a_cycle), places_(processors * capacity), claims_(processors) {}

  static constexpr std::uint64_t bytes(std::uint64_t processors, std::size_t capacity) {
    return processors * (capacity * sizeof(Place) + sizeof(Stamp));
  }

  std::size_t places() const { return places_.size(); }
  /// Forgets an earlier run.
  void clear() { *this = Inboxes(static_cast<Rank>(claims_.size()), capacity_, in_a_cycle_); }

  // For a sender.

  /// Whether there are no places for the messages of this cycle.
  bool was_full(Rank receiver, Stamp now) const {
    std::size_t free = 0;
    for (std::size_t place = first(receiver); place < first(receiver + 1); ++place) {
      if (places_[place].times().was_free(now) && ++free == in_a_cycle_) return false;
    }
    return true;
  }
  /// Claims the receiver's inbox for this cycle; false if another sender has.
  bool claim(Rank receiver, Stamp now) {
    Stamp last = claims_[receiver].load(std::memory_order_relaxed);
    return last != now && claims_[receiver].compare_exchange_strong(last, now, std::memory_order_relaxed);
  }
  /// Fills a place for a message of this cycle and returns it; the caller has claimed the inbox, which is not full.
  std::size_t fill(Rank receiver, Rank from, Stamp now) {
    std::size_t place = first(receiver);
    while (!(in_a_cycle_ == 1 ? places_[place].times().was_free(now) : take_place(place, now))) ++place;
    return occupy(place, from, now);
  }

  // For the owner.

  /// The place of the oldest message from that rank; nowhere if none has arrived.
  std::size_t arrived(Rank owner, Rank from, Stamp now) const {
    std::size_t oldest = nowhere;
    Stamp since = now;
    for (std::size_t place = first(owner); place < first(owner + 1); ++place) {
      const Times times = places_[place].times();
      if (times.has_arrived(since) && places_[place].from == from) {
        oldest = place;
        since = times.filled;
      }
    }
    return oldest;
  }
  /// The lowest rank >= from from which a message has arrived; no_rank if there is none.
  Rank first_sender(Rank owner, Rank from, Stamp now) const {
    Rank lowest = no_rank;
    for (std::size_t place = first(owner); place < first(owner + 1); ++place) {
      if (!places_[place].times().has_arrived(now)) continue;
      if (places_[place].from >= from && places_[place].from < lowest) lowest = places_[place].from;
    }
    return lowest;
  }
  void empty(std::size_t place, Stamp now) { places_[place].emptied.store(now, std::memory_order_relaxed); }

  // At the barrier.

  /// Calls visit(from, filled) for every place that the owner has emptied in the cycle of `now`.
  template <class Visit>
  void for_emptied(Rank owner, Stamp now, Visit&& visit) const {
    for (std::size_t place = first(owner); place < first(owner + 1); ++place) {
      const Times times = places_[place].times();
      if (times.emptied == now) visit(places_[place].from, times.filled);
    }
  }
  /// The place that was filled in the cycle of `now` from that rank; nowhere if there is none.
  std::size_t filled_by(Rank receiver, Rank from, Stamp now) const {
    for (std::size_t place = first(receiver); place < first(receiver + 1); ++place) {
      if (places_[place].times().filled == now && places_[place].from == from) return place;
    }
    return nowhere;
  }
  /// Empties the place that was filled this way, as its owner has done in another process.
  void empty_of(Rank owner, Rank from, Stamp filled, Stamp now) {
    for (std::size_t place = first(owner); place < first(owner + 1); ++place) {
      if (places_[place].times().filled == filled && places_[place].from == from) return empty(place, now);
    }
  }
  /// Resets the place as if it had never been filled.
  void forget(std::size_t place) { places_[place].filled.store(0, std::memory_order_relaxed); }
  /// Fills a place as in the cycle that ends; nowhere if all are occupied.
  std::size_t fill_late(Rank receiver, Rank from, Stamp now) {
    std::size_t place = first(receiver);
    while (place < first(receiver + 1) && places_[place].times().is_occupied()) ++place;
    return place == first(receiver + 1) ? nowhere : occupy(place, from, now);
  }
  /// Calls visit(place, owner, from, filled) for every message that is there.
  template <class Visit>
  void for_occupied(Visit&& visit) const {
    for (Rank owner = 0; owner < claims_.size(); ++owner) {
      for_occupied(owner, [&](std::size_t place, Rank from, Stamp filled) { visit(place, owner, from, filled); });
    }
  }
  /// Calls visit(place, from, filled) for every message to that owner.
  template <class Visit>
  void for_occupied(Rank owner, Visit&& visit) const {
    for (std::size_t place = first(owner); place < first(owner + 1); ++place) {
      const Times times = places_[place].times();
      if (times.is_occupied()) visit(place, places_[place].from, times.filled);
    }
  }

 private:
  /// Takes the place before other senders of the cycle do.
  bool take_place(std::size_t place, Stamp now) {
    Stamp filled = places_[place].filled.load(std::memory_order_relaxed);
    if (filled == now || !places_[place].times().was_free(now)) return false;
    return places_[place].filled.compare_exchange_strong(filled, now, std::memory_order_relaxed);
  }

  /// The two cycles of a place, each read once, as the other side may change one meanwhile.
  struct Times {
    Stamp filled;
    Stamp emptied;

    bool is_occupied() const { return filled != 0 && emptied <= filled; }
    bool has_arrived(Stamp now) const { return is_occupied() && filled < now; }
    bool was_free(Stamp now) const { return filled == now || (!is_occupied() && emptied != now); }
  };
  struct Place {
    Atomic<Stamp> filled{0};
    Atomic<Stamp> emptied{0};
    Owned<Rank> from = no_rank;

    Times times() const { return {filled.load(std::memory_order_relaxed), emptied.load(std::memory_order_relaxed)}; }
  };

  std::size_t first(Rank owner) const { return owner * capacity_; }

  std::size_t occupy(std::size_t place, Rank from, Stamp now) {
    places_[place].from = from;
    places_[place].filled.store(now, std::memory_order_relaxed);
    return place;
  }

  std::size_t capacity_ = 0;
  std::size_t in_a_cycle_ = 1;
  std::vector<Place> places_;  // `capacity` consecutive ones per processor
  std::vector<Atomic<Stamp>> claims_;
};

}  // namespace lockstep::detail
