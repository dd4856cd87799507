#pragma once

#include <atomic>
#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/core/control.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/inboxes.hpp"
#include "lockstep/core/mark_tree.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/core/process.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/core/worker.hpp"

namespace lockstep {

/// How far a run has come.
struct Progress {
  Cycle cycle = 0;
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
};

/// What a run is asked for beyond its program.
struct RunOptions {
  std::string name = "program";      ///< the algorithm, for error messages
  Cycle max_cycles = 1'000'000'000;  ///< a run that goes on past it is ended as a livelock; at most last_cycle
  bool record_cycles = false;        ///< fill Report::per_cycle
  /// A cycle with less work runs on the calling thread alone, unless the executor chooses the order of visits. The work
  /// is the processors to visit and a sixteenth of the words that the cycle before moved.
  std::size_t share_from = 512;
  std::size_t oversubscribe_from = 1024;    ///< threads beyond the host's cores join a cycle if each has so much work
  const std::atomic<bool>* stop = nullptr;  ///< ends the run at the next barrier when true
  std::function<void(const Progress&)> on_barrier{};  ///< called at every barrier
};

namespace detail {

/// The part of a machine that does not depend on what its messages carry: cycles, barriers, rules, counts, sleeping
/// and waking, failures. Machine<Payload> adds the channels.
///
/// Thread-safety: within a cycle each processor is visited by one worker. The arrays indexed by rank or slot are
/// written only by the owner of the element: the control of a rank by its visitor, `sent` of a flow and the clock of a
/// link by the link's sender, `taken` by its receiver. One exception: the receive clock of a rank is written, as an
/// atomic, by whoever sends to it; where two do so in one cycle, it has no certain value, and the run ends at the
/// barrier. Everything else is touched only between cycles, by the calling thread.
class Engine {
 public:
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Topology& topology() const { return topology_; }
  const Model& model() const { return model_; }

 protected:
  /// 64 neighbouring processors and which of them are to be visited.
  struct Visits {
    std::uint32_t group;
    std::uint64_t ranks;
  };

  /// Throws MemoryError if engine and channels would not fit memory; allocates nothing before it has checked.
  /// `single_words` says that every message is one word long, `capacity` how many messages a channel or inbox holds.
  /// Throws std::invalid_argument if the machine is a medium and the port model not `one`.
  Engine(const Topology& topology, const Model& model, Executor& executor, bool single_words, std::size_t capacity,
         std::uint64_t channel_bytes);
  virtual ~Engine() = default;

  /// Bytes an engine needs apart from the channels, coroutine frames estimated.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel model, bool single_words);
  /// The same of an engine for a medium.
  static std::uint64_t medium_bytes(std::uint64_t processors, std::size_t capacity);

  /// Runs cycles until all programs have returned. Throws what ended the run early.
  Report run_cycles(const RunOptions& options);

  /// Visits the processors named, in ascending order.
  virtual void visit(Worker& worker, std::span<const Visits> visits) = 0;
  virtual Control& control(Rank rank) = 0;
  /// With an observer: shows it the messages of the cycle and puts what it leaves of them into the channels. In a cycle
  /// that has failed it drops them all, unseen.
  virtual void deliver_observed(Cycle) {}
  /// Whether a processor has failed in this cycle.
  bool has_failed() const;
  /// How many values the processor has read from a memory and not taken.
  virtual std::size_t values_read(Rank) const { return 0; }
  bool observed_ = false;
  const bool single_words_;

  /// Visits one processor: resumes its program if what it waits for is there.
  void visit_one(Worker& worker, Control& control) {
    if (control.waiting == Waiting::message) {
      if (!has_arrived(worker, control.waiting_slot)) return;
    } else if (!is_due(worker, control)) {
      return;
    }
    if (control.worker != &worker) control.worker = &worker;
    const VisitNote note(control);
    do {
      control.current.resume();
    } while (control.waiting == Waiting::ready);  // a sub-program began or ended
    if (worker.visit_copied != 0) settle_copies(worker);
    if (control.waiting == Waiting::ended) settle_end(worker, control);
  }
  /// Books what the processors of a group that has been visited left with the worker.
  void end_group(Worker& worker, const Visits& visited) {
    worker.visits += static_cast<std::uint64_t>(std::popcount(visited.ranks));
    if (worker.again != 0) marks_.mark_again(visited.group, std::exchange(worker.again, 0));
  }

 public:
  // What Processor<Payload> calls, on the worker that visits it.

  Port ports() const { return ports_; }
  /// Whether processors name each other by rank, or slots of a memory, since they have no ports.
  bool on_medium() const { return on_medium_; }
  /// How who waits for a message on one port, or of one peer, is said to wait.
  Waiting message_waiting() const { return message_waiting_; }
  /// One more than the highest number by which a processor may name where a message comes from.
  Port sources() const { return on_medium_ ? static_cast<Port>(rank_count_) : ports_; }
  std::size_t slot(Rank rank, Port port) const { return std::size_t{port} * rank_count_ + rank; }
  /// Whether a message waits in the channel of that slot.
  bool has_arrived(const Worker& worker, std::size_t slot) const { return flows_[slot].has_arrived(worker.stamp); }
  /// The lowest port >= from on which a message has arrived; sources() if there is none.
  Port first_arrival(const Worker& worker, Rank rank, Port from = 0) const {
    if (on_medium_) return std::min(inboxes_.first_sender(rank, from, worker.stamp), sources());
    Port port = from;
    while (port < ports_ && !has_arrived(worker, slot(rank, port))) ++port;
    return port;
  }

  // Every fail_... and check records the violation before it throws it, so that no program can catch it away.

  /// Where a message leaves.
  struct Outlet {
    std::size_t slot;
    End to;
  };

  /// The end of the link behind the port; fails if there is none.
  Outlet outlet(Control& control, Port port) {
    if (port < ports_) {
      const std::size_t from = slot(control.rank, port);
      const End to = ends_[from];
      if (to) return {from, to};
    }
    fail_no_link(control, port);
  }
  /// Checks a send on one port.
  void begin_send(const Worker& worker, Control& control, Port port) {
    const bool first = control.last_send != worker.stamp;
    if (!first && model_.ports != PortModel::all) fail_second_send(control, port);
    control.last_send = worker.stamp;
    control.sent_port = first ? port : Control::several_ports;
  }
  /// Checks and counts a send of one payload on several ports.
  void begin_multicast(Control& control, std::span<const Port> ports);

  /// Books a message on its link. Fails if the link has carried one in this cycle, or if its channel was full when the
  /// cycle began.
  struct Passage {
    std::size_t inbound;  ///< slot of the receiving end
    Total sent;           ///< messages that the link has carried before
    double arrival;
  };
  template <bool SingleWords>
  Passage pass(Worker& worker, Control& control, Port port, const Outlet& outlet, std::size_t capacity,
               std::uint64_t words, std::uint64_t startup_count, double data_time) {
    // The compiler keeps nothing in registers across an atomic access: what is needed after one is read before.
    const Stamp now = worker.stamp;
    const std::size_t inbound = slot(outlet.to.rank, outlet.to.port);
    const double time = model_.cost.time(startup_count, words);
    Tally& tally = worker.phases[control.phase];
    Flow& flow = flows_[inbound];
    const Sent sent = flow.sent.load(std::memory_order_relaxed);
    const Taken taken = flow.taken.load(std::memory_order_relaxed);
    if (sent.latest() == now) fail_port_used(control, port);
    if (was_full(sent, taken, now, capacity)) fail_overflow(control, port, capacity);
    flow.sent.store(sent.plus_one(now), std::memory_order_relaxed);

    ++tally.messages;
    if constexpr (!SingleWords) {
      tally.words += words;
      tally.longest = std::max(tally.longest, words);
      worker.extra_startups += startup_count - 1;
      worker.dearest = std::max(worker.dearest, time);
    }
    std::uint64_t link_words = sent.total() + std::uint64_t{1};
    if (!SingleWords || observed_) link_words = link_words_[outlet.slot] += words;
    if (link_words > worker.busiest_link_words) worker.busiest_link_words = link_words;

    const double arrival = transfer_end(control, outlet, data_time, time);
    if (arrival > worker.latest_arrival) worker.latest_arrival = arrival;
    marks_.mark_received(outlet.to.rank);
    return {inbound, static_cast<Total>(sent.total()), arrival};
  }

  /// Books the receipt of one arrived message; returns how many have been taken before.
  Total take(Worker& worker, std::size_t inbound) {
    std::atomic<Taken>& counter = flows_[inbound].taken;
    const Taken taken = counter.load(std::memory_order_relaxed);
    ++worker.taken;
    counter.store(taken.plus_one(worker.stamp), std::memory_order_relaxed);
    return taken.total;
  }

  // On a medium.

  bool has_peer(Rank rank, Rank peer) const { return inboxes_.places() > 0 && peer < rank_count_ && peer != rank; }
  /// Fails if there is no such other processor that a bus or a switch leads to.
  void require_peer(Control& control, Rank peer);
  std::size_t place_from(const Worker& worker, Rank rank, Rank peer) const {
    return inboxes_.arrived(rank, peer, worker.stamp);
  }
  /// Takes the message in that place out of its inbox.
  void empty_place(Worker& worker, std::size_t place) {
    ++worker.taken;
    inboxes_.empty(place, worker.stamp);
  }
  /// Checks and counts a transaction: one payload to one processor, or on a bus to several. Returns when it arrives.
  double begin_transaction(Control& control, std::span<const Rank> to, std::uint64_t words, std::uint64_t startup_count,
                           double data_time);
  /// Has the message of a transaction go to one of its receivers: the place for it in the inbox; none for an observer
  /// to see it first, or if it is not the only one that is sent there. Fails if the inbox is full.
  std::size_t post(Worker& worker, Control& control, Rank to, std::size_t capacity);
  /// Checks one access to a memory, which may be to several slots. Fails if there is no such memory or slot.
  void begin_access(Control& control, std::span<const Slot> slots, std::size_t memory_slots);
  /// Counts an access; returns when it is done. It waits for what it is made of.
  double end_access(Control& control, std::uint64_t words, std::uint64_t startup_count, double data_time);
  [[noreturn]] void fail_unwritten(Control& control, Slot slot);

  [[noreturn]] void fail_nothing_arrived(Control& control, Port port);
  [[noreturn]] void fail_no_link(Control& control, Port port);

  /// The processor goes on in the next cycle, whatever else happens.
  static void continue_next_cycle(Control& control) { control.worker->again |= std::uint64_t{1} << control.rank % 64; }
  void sleep_until(Control& control, Cycle cycle);

  /// Number of the phase of that name. A run with too many names ends at the barrier.
  std::uint8_t phase(std::string_view phase_name);

 protected:
  /// Takes back the booking of a message that an observer keeps from its channel.
  void retract(std::size_t inbound);
  /// Whether so many messages are in the channel at a barrier.
  bool is_full(std::size_t inbound, std::size_t capacity) const;
  /// Books a message that an observer lets through; returns how many the link has carried before.
  Total book(std::size_t inbound, Rank receiver);
  void record_overflow(Rank sender, Port port, std::size_t capacity);
  void record_rewrite(Rank writer, Slot slot);
  /// The place in an inbox for a message that an observer lets through; Inboxes::nowhere if there is none.
  std::size_t post_late(Rank from, Rank to);
  /// Books values that an observer lets through to a reader, or takes back what it is to see first.
  void book_values(Rank reader, std::size_t values);
  void retract_all_delivered() { in_channels_ -= delivered_; }
  /// Forgets what an earlier run left behind.
  void reset(const std::string& run_name);
  /// Calls visit(slot, taken, sent) for every channel that is not empty, with the totals of its messages.
  template <class Visit>
  void for_undelivered(Visit&& visit) const {
    if (in_channels_ == 0) return;
    for (std::size_t slot = 0; slot < flows_.size(); ++slot) {
      const auto sent = static_cast<Total>(flows_[slot].sent.load(std::memory_order_relaxed).total());
      const Total taken = flows_[slot].taken.load(std::memory_order_relaxed).total;
      if (sent != taken) visit(slot, taken, sent);
    }
  }

  const Topology& topology_;
  // Of the topology, without a way round by it.
  const std::size_t rank_count_;
  const Port ports_;
  const bool on_medium_;
  const Waiting message_waiting_;
  const End* const ends_;

  Model model_;
  Executor& executor_;
  std::vector<Worker> workers_;

 private:
  /// Whether a processor that does not wait on one port goes on now.
  bool is_due(const Worker& worker, const Control& control) const {
    if (control.waiting == Waiting::cycle) return worker.stamp >= control.not_before;
    if (control.waiting == Waiting::any_message) return first_arrival(worker, control.rank) != sources();
    if (control.waiting == Waiting::message_of_peer) {
      return place_from(worker, control.rank, control.waiting_port) != Inboxes::nowhere;
    }
    return control.waiting == Waiting::values && values_read(control.rank) >= control.waiting_slot;
  }

  /// When a transfer ends whose data was there at `data_time`. It waits for the clocks of its ports: a link has one
  /// sender, so under `all` its two ports share one clock; under one-port a processor has one for all its sends and one
  /// for all its receives.
  double transfer_end(Control& control, const Outlet& outlet, double data_time, double time) {
    if (model_.ports == PortModel::all) {
      double& link_clock = link_clock_[outlet.slot];
      link_clock = std::max(link_clock, data_time) + time;
      return link_clock;
    }
    // Two senders meet at one receiver only in a run that ends at this barrier.
    std::atomic_ref<double> receive_clock(receive_clock_[outlet.to.rank]);
    const double free = std::max(control.send_clock, receive_clock.load(std::memory_order_relaxed));
    const double end = std::max(free, data_time) + time;
    receive_clock.store(end, std::memory_order_relaxed);
    control.send_clock = end;
    return end;
  }

  [[noreturn]] void fail(Control& control, ErrorKind kind, std::vector<Port> ports, std::string rule);
  [[noreturn]] void fail_second_send(Control& control, Port port);
  [[noreturn]] void fail_port_used(Control& control, Port port);
  [[noreturn]] void fail_overflow(Control& control, Port port, std::size_t capacity);

  static void settle_copies(Worker& worker);
  static void settle_end(Worker& worker, Control& control);

  // One cycle.
  std::size_t workers_for(std::uint64_t work, const RunOptions& options) const;
  void begin_cycle(Cycle cycle, const RunOptions& options);
  void visit_all();
  void split_visits();
  void merge_counts(const RunOptions& options);
  void merge_sleepers(Worker& worker);
  void wake_sleepers(Cycle cycle);
  void find_visits();
  void judge();
  void judge_receiver(Rank rank);
  double count_transfer(Worker& worker, const Control& control, std::uint64_t words, std::uint64_t startup_count,
                        double start);
  void judge_medium();
  void judge_users();
  void judge_collisions(std::span<const Crossing> crossings);
  void judge_directions(std::span<const Crossing> crossings);
  std::vector<Rank> senders();
  void redeliver(Cycle cycle);
  void throw_failure();

  /// One line with all coordinates: "broadcast/drbt: cycle 3, rank 5, ports 0 and 1: rule".
  std::string text_of(Cycle cycle, const Failure& failure) const;
  std::vector<Port> ports_received_on(Rank rank) const;
  bool sent_on(Rank rank, Port port) const;
  Wait wait_of(Rank rank);
  [[noreturn]] void throw_deadlock();
  [[noreturn]] void throw_livelock(Cycle limit);
  [[noreturn]] void throw_interrupted();
  [[noreturn]] void throw_too_many_phases();
  void throw_undelivered() const;
  void throw_undelivered_on_medium() const;
  void finish_report();

  const std::size_t cores_;  // of the host
  std::string name_;
  LargeArray<Flow> flows_;                // by the slot of the receiving end
  LargeArray<std::uint64_t> link_words_;  // words sent on a link, where that is not the total of its flow
  LargeArray<double> link_clock_;         // one a link under `all`
  LargeArray<double> receive_clock_;      // one a processor under one-port
  MarkTree marks_;

  // On a medium.
  Inboxes inboxes_;          // of a bus and a switch
  double medium_clock_ = 0;  // bus and memory: modelled time at which the transfers of earlier cycles have ended

  struct Phase {
    PhaseCounts counts;
    Cycle first_step = last_cycle;
    std::uint64_t longest = 0;  ///< in the current cycle
    bool moved = false;         ///< in the current cycle
  };
  std::mutex phases_mutex_;
  std::deque<Phase> phases_;
  std::array<std::atomic<const std::string*>, Worker::most_phases> phase_names_{};

  std::atomic<bool> too_many_phases_{false};

  Report report_;
  std::map<Cycle, std::vector<Rank>> sleepers_;  // who sleeps until which cycle
  std::span<Worker> active_;                     // those who work in this cycle
  std::vector<Visits> visits_;                   // of the next cycle
  std::vector<Visits> single_visits_;            // kept for its memory by split_visits()
  std::uint64_t to_visit_ = 0;                   // processors in visits_
  std::uint64_t receivers_ = 0;                  // processors that were sent a message in this cycle
  std::uint64_t moved_ = 0;                      // messages of this cycle
  std::uint64_t moved_words_ = 0;                // words of this cycle
  std::uint64_t delivered_ = 0;    // on a medium: messages to inboxes and values to readers, in this cycle
  std::uint64_t in_channels_ = 0;  // messages sent and not taken
  std::uint64_t ended_ = 0;        // programs that have returned
};

}  // namespace detail
}  // namespace lockstep
