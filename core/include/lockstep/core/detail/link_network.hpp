#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/detail/link.hpp"
#include "lockstep/core/detail/network.hpp"
#include "lockstep/core/detail/optimizer.hpp"

namespace lockstep::detail {

/// The links of a machine, independent of what they carry: records of equal size, indexed by the slot of the receiving
/// end, in memory that is zero until the first message of a link touches it.
///
/// Thread-safety: a record is touched by the two processors of its link, see LinkHead. The receive clock of a rank is
/// written by its sender; if two processors send to it in one cycle its value is arbitrary, and the run ends at the
/// barrier.
class LinkNetwork : public Network {
 public:
  LinkNetwork(Ground& ground, std::size_t record_bytes, PortUse use);

  /// Upper bound of the bytes that the clocks of this many processors need.
  static std::uint64_t bytes_of_clocks(std::uint64_t processors, PortModel ports);
  /// Upper bound of the bytes that this many links need.
  static std::uint64_t bytes(std::uint64_t links, std::size_t record_bytes);
  /// Additional bytes that this many links need if there are faults.
  static std::uint64_t bytes_of_faults(std::uint64_t links) { return links * sizeof(std::uint64_t); }

  bool expect(Control& control, Port port) final;
  bool arrived(const Control& control, Port port) const final;
  Port next_arrival(const Control& control, Port from) const final;
  Port sources() const final { return ports_; }
  bool has_link(Rank rank, Port port) const final { return port < ports_ && topology().peer(rank, port); }
  bool is_there(const Control& control) const final { return next_arrival(control, 0) != ports_; }

  std::vector<Port> ports_sent_on(const Control& control) const final;

  void faults_changed() final;
  std::uint64_t lose(Rank rank, Stamp now) final;
  void reset(Executor& executor) final;
  void clear() final;
  std::vector<Sent> sent(std::span<const Worker> workers, std::span<const Rank> senders, Stamp now) const final;
  double take_back(const Sent& sent, Stamp now, void* into) final;
  void deliver(Worker& recorder, Rank sender, Port port, End to, void* payload, double arrival) final;

  /// The ports on which messages were sent to the processor in the cycle of `now`.
  std::vector<Port> received_on(Rank rank, Stamp now) const;
  /// Whether the processor has sent on that port in the cycle of `now`.
  bool sent_on(Rank rank, Port port, Stamp now) const;

  /// When the latest message has arrived.
  double latest_arrival() const;

  /// The number of the place, among those of the link to that end, of its latest message.
  std::size_t latest_place(End to) const { return before(link(slot(to.rank, to.port)).next_in) / place_bytes; }

  // For a run that is divided over processes: see Border. `now` is the stamp of the cycle that ends.

  /// Whether the link to that end has carried a message in the cycle.
  bool has_carried(End to, Stamp now) const { return was_used(link(slot(to.rank, to.port)), now); }
  /// Moves the payload of that message, which goes to another process, to `into`; its place stays filled. Returns its
  /// time of arrival.
  double lift(End to, void* into);
  /// How many places of the link to that end have been emptied in the cycle.
  std::uint32_t emptied(End to, Stamp now) const;
  /// Records that the `count` oldest messages of a link were taken in another process. Throws std::runtime_error if
  /// there are fewer.
  void free_places(End to, std::uint32_t count, Stamp now);
  /// Delivers a message of the cycle that came from another process. Throws std::runtime_error if there is no room,
  /// which its sender should have checked. The payload is destroyed in any case.
  void arrive(End to, void* payload, double arrival, Stamp now);
  /// Under one-port: the time at which the processor has received everything sent to it. It is 0 afterwards.
  double take_receive_clock(Rank rank) { return std::exchange(receive_clock_[rank], 0.0); }
  void set_receive_clock(Rank rank, double clock) { receive_clock_[rank] = clock; }

  /// A link with messages that were never taken.
  struct Undelivered {
    Rank rank;
    Port port;
    Stamp sent;  ///< the latest
    std::size_t messages;
  };
  /// The link whose latest message is oldest; of several, the one with the lowest (rank, port).
  Undelivered first_undelivered() const;

 protected:
  LinkHead& link(std::size_t slot) { return *reinterpret_cast<LinkHead*>(records_.data() + slot * record_bytes_); }
  const LinkHead& link(std::size_t slot) const {
    return *reinterpret_cast<const LinkHead*>(records_.data() + slot * record_bytes_);
  }
  std::size_t slot(Rank rank, Port port) const { return std::size_t{port} * ranks_ + rank; }
  /// Where the port leads; fails if it has no link.
  End outlet(Control& control, Port port) const;
  [[noreturn]] void fail_no_link(Control& control, Port port) const;
  /// Fails a send on a port that does not exist, or a second one in a cycle.
  [[noreturn]] void refuse(Control& control, Port port) const;
  /// The slow path of a send: looks up the link and makes its channel if they were missing, else fails. Returns where
  /// the port leads.
  End make_ready(Control& control, Port port);
  [[noreturn]] void fail_port_used(Control& control, Port port) const;
  /// Whether the link has carried a message in the cycle of `now`.
  bool was_used(const LinkHead& head, Stamp now) const {
    return head.place(before(head.next_in)).load(std::memory_order_relaxed) == filled(now);
  }
  /// Checks a send on several ports.
  void begin_multicast(Control& control, std::span<const Port> ports);

  /// Makes the channel of a link that has never been used.
  void begin(LinkHead& head);
  virtual void begin_channel(LinkHead& head) = 0;
  virtual void put(LinkHead& head, std::size_t place, void* payload, double arrival) = 0;
  virtual void destroy(LinkHead& head, std::size_t place) = 0;
  virtual double take_newest(LinkHead& head, std::size_t place, void* into) = 0;

  const std::size_t ranks_;
  const Port ports_;
  const Atomic<std::uint64_t>* peers_;  // the topology's; with faults, those of ends that never fail
  const std::size_t record_bytes_;
  LargeArray<std::byte> records_;
  LargeArray<double> receive_clock_;  // one per processor under one-port

 private:
  /// This many links share a flag that says whether any of them is in use.
  static constexpr std::size_t chunk = 256;

  /// Destroys the messages on a link, whose places are free from that cycle on; returns their number.
  std::uint64_t drain(LinkHead& head, Stamp now);

  std::size_t before(std::size_t place) const {
    return (place == 0 ? ground_.capacity * place_bytes : place) - place_bytes;
  }
  std::uint16_t after(std::size_t place) const {
    return static_cast<std::uint16_t>((place + place_bytes) % (ground_.capacity * place_bytes));
  }
  /// Calls visit(slot, head) for every link of a chunk that is in use.
  template <class Visit>
  void for_used(Visit&& visit) const;

  LargeArray<std::uint8_t> used_;  // by chunks
  std::optional<LargeArray<Atomic<std::uint64_t>>>
      unfailing_;  // the peers of such ends, filled in as they are looked up
};

/// The links of a machine for one payload type, one use of ports and one kind of channel: a type for each combination,
/// so that a message tests nothing that is fixed for the whole run.
///
/// The clocks: a link has one sender, so under `all` its two ports share one; under one-port a processor has one for
/// all its sends and one for all its receives. So it has under k_ports(), where the transfers of one cycle begin
/// together, once those of earlier cycles have ended, in whichever order the processors run.
template <Payload T, std::size_t Capacity, PortUse use, ChannelKind kind>
class Links final : public LinkNetwork {
  using Record = Link<T, Capacity, use, kind>;
  static constexpr bool single_words = std::is_arithmetic_v<T>;

 public:
  static constexpr std::size_t record_bytes = sizeof(Record);

  explicit Links(Ground& ground)
      : LinkNetwork(ground, sizeof(Record), use), time_of_word_(ground.model.cost.time(1, 1)) {
    static_assert(offsetof(Record, places) == sizeof(LinkHead));
  }

  void send(Control& control, Port port, Passed payload, double data_time) override {
    send_now(control, *control.worker, slot(control.rank, port), port, payload, data_time);
  }

  void exchange(Control& control, Port port, Passed payload) override {
    Worker& worker = *control.worker;
    continue_next_cycle(worker, control);  // an older message may be there, for which nothing would wake the processor
    const std::size_t own = slot(control.rank, port);
    control.waiting_port = port;
    control.waiting_link = &record(own).head;
    send_now(control, worker, own, port, payload, control.ready_time);
  }

  void multicast(Control& control, std::span<const Port> on, const void* payload, double data_time) override {
    if constexpr (std::copyable<T>) {
      begin_multicast(control, on);
      // All leave at once: each starts at the same send clock, which then moves on to the latest end.
      const double before = control.send_clock;
      double last = before;
      for (const Port port : on) {
        control.send_clock = before;
        const End to = make_ready(control, port);
        Record& link = record(slot(to.rank, to.port));
        launch(control, *control.worker, to, link, link.head.next_in, T(*static_cast<const T*>(payload)), data_time,
               slowness(control.rank));
        last = std::max(last, control.send_clock);
      }
      control.send_clock = last;
    }
  }

  Taken take(Control& control) override {
    Record& link = record(*control.waiting_link);
    const std::size_t place = link.head.next_out;
    Worker& worker = *control.worker;
    ++worker.taken;
    link.head.next_out = after(place);
    link.head.place(place).store(worker.empty_now, std::memory_order_relaxed);
    return link.channel.take(place);
  }

 private:
  static std::uint16_t after(std::size_t place) {
    if constexpr (Capacity == 2) return static_cast<std::uint16_t>(place ^ place_bytes);
    return static_cast<std::uint16_t>(place + place_bytes == Capacity * place_bytes ? 0 : place + place_bytes);
  }
  static Record& record(LinkHead& head) { return reinterpret_cast<Record&>(head); }
  Record& record(std::size_t slot) { return reinterpret_cast<Record*>(records_.data())[slot]; }

  /// Sends on a port; `own` is the slot of its incoming messages.
  // Rare cases are called last, with as few arguments as possible, so that the common path saves no registers.
  [[gnu::always_inline]] void send_now(Control& control, Worker& worker, std::size_t own, Port port, Passed payload,
                                       const double& data_time) {
    const Stamp now = worker.stamp;
    const bool first = control.last_send != now;
    if (port >= ports_ || (use == PortUse::one && !first)) [[unlikely]]
      return refuse(control, port);
    if constexpr (use == PortUse::limited) {
      if (!tallies_.count_sends(control, first)) return refuse(control, port);
    }
    control.last_send = now;
    control.sent_port = port;
    const std::uint64_t peer = peers_[own].load(std::memory_order_relaxed);
    const End to{PeerEntry::rank(peer), PeerEntry::port(peer)};
    if (to.rank == no_rank) [[unlikely]]
      return try_again(control, payload, data_time);
    Record& link = record(slot(to.rank, to.port));
    std::size_t place = link.head.next_in;
    if (link.head.place(place).load(std::memory_order_relaxed) <= worker.empty_now ||
        (use != PortUse::one && !first && was_used(link.head, now))) [[unlikely]] {
      return try_again(control, payload, data_time);
    }
    hide_origin(place);  // g++ 12 would keep the address of the state, and save a register for it
    launch(control, worker, to, link, place, std::move(*Received<T>(payload)), data_time);
  }

  /// Sends on Control::sent_port after all, or fails.
  [[gnu::noinline, gnu::cold]] void try_again(Control& control, Passed payload, double data_time) {
    const End to = make_ready(control, control.sent_port);
    Record& link = record(slot(to.rank, to.port));
    launch(control, *control.worker, to, link, link.head.next_in, std::move(*Received<T>(payload)), data_time,
           slowness(control.rank));
  }

  /// Books a message on its link and puts it there. `slowness` is passed by the slow path only, which a straggler
  /// always takes and other processors take once per link.
  template <class... Slowness>
  void launch(Control& control, Worker& worker, End to, Record& link, std::size_t place, T&& payload,
              const double& data_time, Slowness... slowness) {
    link.head.place(place).store(worker.filled_now, std::memory_order_relaxed);
    const std::uint32_t sent = ++link.head.sent;

    ++worker.messages[control.phase];
    std::uint64_t link_words = sent;
    Passage passage;
    if constexpr (!single_words) {
      const CostModel& cost = ground_.model.cost;
      const std::uint64_t length = words(payload);
      const std::uint64_t startup_count = startups(payload, cost);
      passage = passage_of(payload, startup_count, length, cost);
      Tally& tally = worker.phases[control.phase];
      tally.words += length;
      tally.longest = std::max(tally.longest, length);
      worker.extra_startups += startup_count - 1;
      worker.costliest = std::max(worker.costliest, passage.arrival);
      link_words = link.words.words += length;
      if (sent > worker.busiest_link_messages) worker.busiest_link_messages = sent;
    }
    if (link_words > worker.busiest_link_words) worker.busiest_link_words = link_words;
    if constexpr (single_words) passage.arrival = passage.release = time_of_word_;
    ((passage.arrival *= slowness, passage.release *= slowness), ...);
    const double arrival = book_transfer(control, worker, to, link, data_time, passage);
    link.channel.put(place, std::move(payload), arrival);
    link.head.next_in = after(place);
    marks_.mark_received(to.rank);
  }

  /// The time of arrival of a transfer whose data was ready at `data_time`. It waits for the clocks of its ports and
  /// advances them.
  double book_transfer(Control& control, [[maybe_unused]] Worker& worker, End to, [[maybe_unused]] Record& link,
                       const double& data_time, const Passage& passage) {
    if constexpr (use == PortUse::all) {
      double& clock = link.clock.clock;
      const double start = std::max(clock, data_time);
      clock = start + passage.release;
      worker.latest_arrival = std::max(worker.latest_arrival, start + passage.arrival);
      return start + passage.arrival;
    } else if constexpr (use == PortUse::limited) {
      const double start = tallies_.start(control, to.rank, data_time);
      tallies_.book_send(control.rank, start + passage.release);
      tallies_.book_receipt(to.rank, start + passage.release);
      worker.latest_arrival = std::max(worker.latest_arrival, start + passage.arrival);
      return start + passage.arrival;
    } else {
      // Two senders meet at one receiver only in a run that ends at this barrier.
      AtomicRef<double> receive_clock(receive_clock_[to.rank]);
      const double free = std::max(control.send_clock, receive_clock.load(std::memory_order_relaxed));
      const double start = std::max(data_time, free);
      control.send_clock = start + passage.release;
      receive_clock.store(control.send_clock, std::memory_order_relaxed);
      return start + passage.arrival;
    }
  }

  void begin_channel(LinkHead& head) override {
    if constexpr (kind == ChannelKind::lockfree) record(head).channel.begin();
  }
  void put(LinkHead& head, std::size_t place, void* payload, double arrival) override {
    record(head).channel.put(place, std::move(*static_cast<T*>(payload)), arrival);
  }
  void destroy(LinkHead& head, std::size_t place) override {
    const Passed payload = record(head).channel.take(place).payload;
    std::destroy_at(&*Received<T>(payload));
  }
  double take_newest(LinkHead& head, std::size_t place, void* into) override {
    return record(head).channel.take_back(place, into);
  }

  const double time_of_word_;
};

}  // namespace lockstep::detail
