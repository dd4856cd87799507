// The rules and counts of bus, memory and switch.
#include <algorithm>

#include "list_ports.hpp"
#include "lockstep/core/engine.hpp"

namespace lockstep::detail {

void Engine::require_peer(Control& control, Rank peer) {
  if (has_peer(control.rank, peer)) return;
  if (topology_.medium()->kind == MediumKind::memory) {
    fail(control, ErrorKind::no_link, {}, "processors that share a memory write and read its slots");
  }
  fail(control, ErrorKind::no_link, {peer},
       "there is no such other processor: the ranks are 0 to " + std::to_string(rank_count_ - 1));
}

double Engine::begin_transaction(Control& control, std::span<const Rank> to, std::uint64_t words,
                                 std::uint64_t startup_count, double data_time) {
  for (const Rank peer : to) require_peer(control, peer);
  const std::vector<Rank> all(to.begin(), to.end());
  if (to.size() > 1 && topology_.medium()->kind == MediumKind::crossbar) {
    fail(control, ErrorKind::send_limit, all, "one send to several processors (a switch connects each with one)");
  }
  if (to.size() > 1 && !model_.multicast) {
    fail(control, ErrorKind::send_limit, all, "one send to several processors (--multicast off)");
  }
  if (control.last_send == control.worker->stamp) fail_second_send(control, to.front());
  control.last_send = control.worker->stamp;
  control.sent_port = to.size() == 1 ? to.front() : Control::several_ports;

  // All receive it at the same time. Two senders meet at one receiver only in a run that ends at this barrier.
  double start = std::max({control.send_clock, data_time, medium_clock_});
  for (const Rank peer : to) {
    start = std::max(start, std::atomic_ref(receive_clock_[peer]).load(std::memory_order_relaxed));
  }
  const double end = count_transfer(*control.worker, control, words, startup_count, start);
  for (const Rank peer : to) std::atomic_ref(receive_clock_[peer]).store(end, std::memory_order_relaxed);
  control.send_clock = end;
  return end;
}

double Engine::count_transfer(Worker& worker, const Control& control, std::uint64_t words, std::uint64_t startup_count,
                              double start) {
  Tally& tally = worker.phases[control.phase];
  ++tally.messages;
  tally.words += words;
  tally.longest = std::max(tally.longest, words);
  worker.extra_startups += startup_count - 1;
  const double time = model_.cost.time(startup_count, words);
  worker.dearest = std::max(worker.dearest, time);
  worker.latest_arrival = std::max(worker.latest_arrival, start + time);
  return start + time;
}

std::size_t Engine::post(Worker& worker, Control& control, Rank to, std::size_t capacity) {
  if (inboxes_.was_full(to, worker.stamp)) fail_overflow(control, to, capacity);
  ++worker.delivered;
  worker.crossings.push_back({control.rank, to});
  marks_.mark_received(to);
  if (!inboxes_.claim(to, worker.stamp)) {
    worker.collided = true;
    return Inboxes::nowhere;
  }
  return observed_ ? Inboxes::nowhere : inboxes_.fill(to, control.rank, worker.stamp);
}

std::size_t Engine::post_late(Rank from, Rank to) {
  const std::size_t place = inboxes_.fill_late(to, from, workers_[0].stamp);
  if (place != Inboxes::nowhere) {
    ++in_channels_;
    marks_.mark_again(to);
  }
  return place;
}

void Engine::record_rewrite(Rank writer, Slot slot) {
  workers_[0].record(
      {writer, ErrorKind::write_conflict, {slot}, "the observer delivers two values to it in one cycle", {}});
}

void Engine::begin_access(Control& control, std::span<const Slot> slots, std::size_t memory_slots) {
  const std::vector<Slot> all(slots.begin(), slots.end());
  if (!on_medium_ || topology_.medium()->kind != MediumKind::memory) {
    fail(control, ErrorKind::no_link, {}, "the machine has no shared memory");
  }
  for (const Slot slot : slots) {
    if (slot >= memory_slots) {
      fail(control, ErrorKind::no_link, {slot},
           "there is no such slot: they are 0 to " + std::to_string(memory_slots - 1));
    }
  }
  if (control.last_send == control.worker->stamp) {
    fail(control, ErrorKind::send_limit, all, "a second access to the memory in one cycle");
  }
  control.last_send = control.worker->stamp;
}

double Engine::end_access(Control& control, std::uint64_t words, std::uint64_t startup_count, double data_time) {
  const double start = std::max({control.send_clock, data_time, medium_clock_});
  control.send_clock = count_transfer(*control.worker, control, words, startup_count, start);
  return control.send_clock;
}

void Engine::fail_unwritten(Control& control, Slot slot) {
  count_transfer(*control.worker, control, 0, 1, 0);  // an access all the same: kstar includes it
  fail(control, ErrorKind::nothing_arrived, {slot}, "read, but nobody has written it before this cycle");
}

void Engine::book_values(Rank reader, std::size_t values) {
  in_channels_ += values;
  marks_.mark_again(reader);
}

std::vector<Rank> Engine::senders() {
  std::vector<Rank> ranks;
  for (std::size_t rank = 0; rank < rank_count_; ++rank) {
    if (control(static_cast<Rank>(rank)).last_send == workers_[0].stamp) ranks.push_back(static_cast<Rank>(rank));
  }
  return ranks;
}

void Engine::judge_medium() {
  const Medium& medium = *topology_.medium();
  if (moved_ > medium.users) judge_users();
  const bool collided =
      std::any_of(active_.begin(), active_.end(), [](const Worker& worker) { return worker.collided; });
  const bool directed = model_.duplex != Duplex::full && medium.kind != MediumKind::memory;
  if (moved_ == 0 || !(collided || directed || medium.network != nullptr)) return;

  std::vector<Crossing> crossings;
  for (const Worker& worker : active_) {
    crossings.insert(crossings.end(), worker.crossings.begin(), worker.crossings.end());
  }
  std::sort(crossings.begin(), crossings.end());
  if (directed) judge_directions(crossings);
  if (collided) return judge_collisions(crossings);
  if (medium.network == nullptr) return;
  const auto blocking = medium.network(topology_.processors(), crossings);
  if (!blocking) return;
  const auto text = [](const Crossing& crossing) {
    return "rank " + std::to_string(crossing.from) + " to " + std::to_string(crossing.to);
  };
  workers_[0].record({blocking->first.from,
                      ErrorKind::blocked,
                      {blocking->first.to},
                      "the messages of " + text(blocking->first) + " and " + text(blocking->second) +
                          " want the same output of stage " + std::to_string(blocking->stage) + " of the network",
                      {}});
}

/// More transactions or accesses than the medium serves in a cycle: reported of the first sender that is too many.
void Engine::judge_users() {
  const Medium& medium = *topology_.medium();
  const bool memory = medium.kind == MediumKind::memory;
  const std::vector<Rank> all = senders();
  workers_[0].record({all[medium.users],
                      ErrorKind::medium_limit,
                      {},
                      std::to_string(moved_) + (memory ? " accesses to the memory" : " transactions on the bus") +
                          " in one cycle, of ranks " + list_ports(all) + " (kstar " + std::to_string(medium.users) +
                          ")",
                      {}});
}

/// Processors that were sent several messages, and slots that were written several times.
void Engine::judge_collisions(std::span<const Crossing> crossings) {
  std::vector<Crossing> by_target(crossings.begin(), crossings.end());
  std::stable_sort(by_target.begin(), by_target.end(),
                   [](const Crossing& a, const Crossing& b) { return a.to < b.to; });
  for (auto first = by_target.begin(); first != by_target.end();) {
    const auto last =
        std::find_if(first, by_target.end(), [&](const Crossing& other) { return other.to != first->to; });
    std::vector<Rank> from;
    for (auto crossing = first; crossing != last; ++crossing) from.push_back(crossing->from);
    if (from.size() > 1 && topology_.medium()->kind == MediumKind::memory) {
      workers_[0].record({from.front(),
                          ErrorKind::write_conflict,
                          {first->to},
                          "written by ranks " + list_ports(from) + " in one cycle",
                          {}});
    } else if (from.size() > 1) {
      workers_[0].record(
          {first->to,
           ErrorKind::receive_limit,
           from,
           std::to_string(from.size()) + " messages sent to one processor in one cycle (at most one receive a cycle)",
           {}});
    }
    first = last;
  }
}

/// A processor has one link to its bus or switch, so half-link and half-node say the same.
void Engine::judge_directions(std::span<const Crossing> crossings) {
  for (const Crossing& crossing : crossings) {
    if (control(crossing.to).last_send != workers_[0].stamp) continue;
    workers_[0].record({crossing.to,
                        model_.duplex == Duplex::half_link ? ErrorKind::half_link : ErrorKind::half_node,
                        {crossing.from},
                        "received from there, but sent in the same cycle (--duplex " +
                            std::string(name(model_.duplex)) + ": either send or receive)",
                        {}});
  }
}

void Engine::throw_undelivered_on_medium() const {
  Stamp earliest = ~Stamp{0};
  Rank rank = 0;
  Rank peer = 0;
  inboxes_.for_occupied([&](Rank owner, Rank from, Stamp filled) {
    if (filled >= earliest) return;
    earliest = filled;
    rank = owner;
    peer = from;
  });
  const std::string such = " (" + std::to_string(in_channels_) + " such in all)";
  if (inboxes_.places() == 0) {
    while (values_read(rank) == 0) ++rank;
    throw RunError(ErrorKind::undelivered, workers_[0].now, rank, {},
                   name_ + ": rank " + std::to_string(rank) + " was given more values than it has read" + such);
  }
  throw RunError(ErrorKind::undelivered, earliest - 1, rank, {peer},
                 name_ + ": cycle " + std::to_string(earliest - 1) + ", rank " + std::to_string(rank) + ", peer " +
                     std::to_string(peer) + ": a message from there was never received" + such);
}

}  // namespace lockstep::detail
