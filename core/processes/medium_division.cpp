// A medium whose processors are divided over processes: in every cycle each sends all others the sends, writes, reads
// and takes of its own processors, so that all keep the same clocks, claims and places, and reach the same verdicts.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "cycle/scheduler.hpp"
#include "network/medium_network.hpp"
#include "processes/from_process.hpp"

namespace lockstep::detail {

namespace {

/// The head of the bytes, by which those of another cycle or process are detected.
struct CycleHeader {
  Stamp now;
  std::uint32_t from;
};

/// A message that a processor has taken.
struct Emptied {
  Rank owner;
  Rank from;
  Stamp filled;
};

template <class T>
void put_list(const std::vector<T>& values, ByteWriter& to) {
  to.put(std::uint64_t{values.size()});
  to.put_all(std::span(values));
}

template <class T>
std::vector<T> get_list(ByteReader& from) {
  std::vector<T> values(from.get_count(sizeof(T)));
  from.get_all(std::span<T>(values));
  return values;
}

}  // namespace

std::size_t MediumNetwork::place_of(const Crossing& crossing, Stamp now) const {
  return is_memory() ? memory_->written_in(crossing.to, now) : inboxes_.filled_by(crossing.to, crossing.from, now);
}

Bytes MediumNetwork::pack_cycle(std::span<const Worker> workers, std::span<const Visits> visited,
                                const Control* controls, std::uint64_t moved) {
  const Stamp now = workers.front().stamp;
  read_elsewhere_.clear();
  Bytes packed;
  SharedValues shared;
  ByteWriter to(packed, &shared);
  to.put(CycleHeader{now, ground_.division->processes.own()});
  to.put(moved);
  to.put(clock_);

  std::vector<Rank> users;
  std::vector<Emptied> emptied;
  for (const Visits& group : visited) {
    for_ranks(group, [&](Rank rank) {
      if (controls[rank].last_send == now) users.push_back(rank);
      if (is_memory()) return;
      inboxes_.for_emptied(rank, now, [&](Rank from, Stamp filled) { emptied.push_back({rank, from, filled}); });
    });
  }
  put_list(users, to);
  put_list(emptied, to);
  put_list(reads(workers), to);

  const std::vector<Crossing> all = crossings(workers);
  to.put(std::uint64_t{all.size()});
  Letters& letters = is_memory() ? memory_->values() : *letters_;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const Crossing& crossing = all[index];
    const bool is_second = index > 0 && all[index - 1] == crossing;
    const std::size_t place = is_second ? Inboxes::nowhere : place_of(crossing, now);
    to.put(crossing);
    to.put(std::uint8_t{place != Inboxes::nowhere});
    if (place == Inboxes::nowhere) continue;
    to.put(letters.arrival(place));
    ground_.payload.pack(letters.payload(place), to);
    if (!is_memory() && !ground_.division->is_here(crossing.to)) letters.destroy(place);
  }
  return packed;
}

std::uint64_t MediumNetwork::unpack_cycle(const Bytes& received, unsigned process, Worker& recorder,
                                          Control* controls) {
  const Stamp now = recorder.stamp;
  SharedValues shared;
  ByteReader from(received, &shared);
  const auto header = from.get<CycleHeader>();
  if (std::tuple(header.now, header.from) != std::tuple(now, process)) {
    throw std::runtime_error("expected data of cycle " + std::to_string(cycle_of(now)) + " from process " +
                             std::to_string(process) + ", but received data of cycle " +
                             std::to_string(cycle_of(header.now)) + " from process " + std::to_string(header.from));
  }
  const auto moved = from.get<std::uint64_t>();
  clock_ = std::max(clock_, from.get<double>());
  const auto require_own = [&](Rank rank) {
    const bool is_own = rank < ground_.topology.processors() && ground_.division->placement.owner(rank) == process;
    check_from_process(is_own, process, "a processor that is not its own");
  };
  const Rank places = is_memory() ? static_cast<Rank>(memory_->slots()) : ground_.topology.processors();
  const auto require_crossing = [&](const Crossing& crossing) {
    require_own(crossing.from);
    check_from_process(crossing.to < places, process, "a processor or slot that does not exist");
  };
  for (const Rank rank : get_list<Rank>(from)) {
    require_own(rank);
    controls[rank].last_send = now;
  }
  for (const Emptied& one : get_list<Emptied>(from)) {
    require_own(one.owner);
    check_from_process(!is_memory(), process, "an inbox of a memory, which has none");
    inboxes_.empty_of(one.owner, one.from, one.filled, now);
  }
  for (const Crossing& read : get_list<Crossing>(from)) {
    require_crossing(read);
    read_elsewhere_.push_back(read);
  }
  came_.resize((ground_.payload.bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  for (auto left = from.get<std::uint64_t>(); left > 0; --left) {
    const auto crossing = from.get<Crossing>();
    require_crossing(crossing);
    recorder.crossings.push_back(crossing);
    if (from.get<std::uint8_t>() == 0) {
      recorder.collided = true;
      continue;
    }
    const auto arrival = from.get<double>();
    ground_.payload.unpack(came_.data(), from);
    try {
      take_over(crossing, came_.data(), arrival, recorder);
    } catch (...) {
      destroy(came_.data());
      throw;
    }
    destroy(came_.data());
  }
  if (!from.at_end()) throw std::runtime_error("process " + std::to_string(process) + " sends more than it should");
  return moved;
}

void MediumNetwork::take_over(const Crossing& crossing, void* payload, double arrival, Worker& recorder) {
  const Stamp now = recorder.stamp;
  if (is_memory()) {
    if (memory_->claim(crossing.to, now)) {
      memory_->write(crossing.to, now, payload, arrival);
    } else {
      recorder.collided = true;
    }
    return;
  }
  receive_clock_[crossing.to] = arrival;
  if (!claim(crossing.to, arrival, now)) {
    recorder.collided = true;
    return;
  }
  if (inboxes_.was_full(crossing.to, now)) {
    throw std::runtime_error("another process sent more messages than there is room for");
  }
  const std::size_t place = inboxes_.fill(crossing.to, crossing.from, now);
  if (!ground_.division->is_here(crossing.to)) return;
  letters_->put(place, payload, arrival);
  marks_.mark_received(crossing.to);
}

}  // namespace lockstep::detail
