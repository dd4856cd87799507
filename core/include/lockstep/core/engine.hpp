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
#include <vector>

#include "lockstep/core/control.hpp"
#include "lockstep/core/executor.hpp"
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
  std::string name = "program";             ///< the algorithm, for error messages
  Cycle max_cycles = 1'000'000'000;         ///< a run that goes on past it is ended as a livelock; at most last_cycle
  bool record_cycles = false;               ///< fill Report::per_cycle
  std::size_t share_from = 64;              ///< a cycle with fewer processors to visit runs on the calling thread alone
  const std::atomic<bool>* stop = nullptr;  ///< ends the run at the next barrier when true
  std::function<void(const Progress&)> on_barrier{};  ///< called at every barrier
};

namespace detail {

/// The part of a machine that does not depend on what its messages carry: cycles, barriers, rules, counts, sleeping
/// and waking, failures. Machine<Payload> adds the channels.
///
/// Thread-safety: within a cycle each processor is visited by one worker. The arrays indexed by rank or slot are
/// written only by the owner of the element: the control and clock of a rank by its visitor, `sent` of a flow by the
/// link's sender, `taken` by its receiver. Everything else is touched only between cycles, by the calling thread.
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
  Engine(const Topology& topology, const Model& model, Executor& executor, std::uint64_t channel_bytes);
  virtual ~Engine() = default;

  /// Bytes an engine needs apart from the channels, coroutine frames estimated.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel model);

  /// Runs cycles until all programs have returned. Throws what ended the run early.
  Report run_cycles(const RunOptions& options);

  /// Visits the processors named, in ascending order.
  virtual void visit(Worker& worker, std::span<const Visits> visits) = 0;
  virtual Control& control(Rank rank) = 0;
  /// With an observer: shows it the messages of the cycle and puts what it leaves of them into the channels.
  virtual void deliver_observed(Cycle) {}
  bool observed_ = false;

  /// Visits one processor: resumes its program if what it waits for is there.
  void visit_one(Worker& worker, Control& control) {
    ++worker.visits;
    switch (control.waiting) {
      case Waiting::ready:
        break;
      case Waiting::cycle:
        if (worker.stamp < control.not_before) return;
        break;
      case Waiting::message:
        if (worker.stamp < control.not_before || !has_arrived(worker, control.rank, control.waiting_port)) return;
        break;
      case Waiting::any_message:
        if (first_arrival(worker, control.rank) == topology_.ports()) return;
        break;
      case Waiting::ended:
        return;
    }
    resume(worker, control);
  }

 public:
  // What Processor<Payload> calls, on the worker that visits it.

  bool has_arrived(const Worker& worker, Rank rank, Port port) const {
    const Flow& flow = flows_[topology_.slot(rank, port)];
    return flow.sent.load(std::memory_order_relaxed).until(worker.stamp) !=
           flow.taken.load(std::memory_order_relaxed).total;
  }
  /// The lowest port >= from on which a message has arrived; ports() if there is none.
  Port first_arrival(const Worker& worker, Rank rank, Port from = 0) const {
    Port port = from;
    while (port < topology_.ports() && !has_arrived(worker, rank, port)) ++port;
    return port;
  }

  // Every fail_... and check records the violation before it throws it, so that no program can catch it away.

  /// Checks and counts a send on one port.
  void begin_send(Control& control, Port port) {
    require_link(control, port);
    const Stamp now = control.worker->stamp;
    const bool first = control.last_send != now;
    if (!first && model_.ports != PortModel::all) fail_second_send(control, port);
    control.sent_port = first ? port : Control::several_ports;
    control.last_send = now;
    ++control.worker->sends;
  }
  /// Checks and counts a send of one payload on several ports.
  void begin_multicast(Control& control, std::span<const Port> ports);

  /// Earliest start of a transfer of data that was there at `data_time`, as far as its sender goes.
  double earliest_start(const Control& control, double data_time) const {
    return model_.ports == PortModel::all ? data_time : std::max(data_time, control.send_clock);
  }

  /// Books a message on the link behind the port. Fails if the link has carried one in this cycle, or if its channel
  /// was full when the cycle began.
  struct Passage {
    std::size_t inbound;  ///< slot of the receiving end
    End to;
    double arrival;
  };
  Passage pass(Control& control, Port port, std::size_t capacity, std::uint64_t words, std::uint64_t startup_count,
               double earliest) {
    Worker& worker = *control.worker;
    const std::size_t slot = topology_.slot(control.rank, port);
    const End to = topology_.peer_at(slot);
    const std::size_t inbound = topology_.slot(to.rank, to.port);
    Flow& flow = flows_[inbound];
    const Moves sent = flow.sent.load(std::memory_order_relaxed);
    const Moves taken = flow.taken.load(std::memory_order_relaxed);
    if (sent.latest == worker.stamp) fail_port_used(control, port);
    if (static_cast<std::uint16_t>(sent.total - taken.until(worker.stamp)) >= capacity) {
      fail_overflow(control, port, capacity);
    }
    flow.sent.store(sent.plus_one(worker.stamp), std::memory_order_relaxed);

    Tally& tally = worker.phases[control.phase];
    worker.phases_used |= std::uint64_t{1} << control.phase;
    ++tally.messages;
    tally.words += words;
    if (words > tally.longest) tally.longest = words;
    worker.startups += startup_count;
    link_words_[slot] += words;
    if (link_words_[slot] > worker.busiest_link_words) worker.busiest_link_words = link_words_[slot];

    const double time = model_.cost.time(startup_count, words);
    if (time > worker.dearest) worker.dearest = time;
    const double arrival = transfer_end(control, slot, to.rank, earliest, time);
    if (arrival > worker.latest_arrival) worker.latest_arrival = arrival;
    marks_.mark_received(to.rank);
    return {inbound, to, arrival};
  }

  /// Books the receipt of one arrived message.
  void take(Control& control, Port port) {
    Flow& flow = flows_[topology_.slot(control.rank, port)];
    flow.taken.store(flow.taken.load(std::memory_order_relaxed).plus_one(control.worker->stamp),
                     std::memory_order_relaxed);
    ++control.worker->taken;
  }

  [[noreturn]] void fail_nothing_arrived(Control& control, Port port);
  [[noreturn]] void fail_no_link(Control& control, Port port);
  void require_link(Control& control, Port port) {
    if (port >= topology_.ports() || !topology_.peer(control.rank, port)) fail_no_link(control, port);
  }

  /// The processor goes on in the next cycle, whatever else happens.
  void continue_next_cycle(Control& control) {
    control.not_before = control.worker->stamp + 1;
    marks_.mark_again(control.rank);
  }
  void sleep_until(Control& control, Cycle cycle);

  /// Number of the phase of that name. A run with too many names ends at the barrier.
  std::uint8_t phase(std::string_view phase_name);

 protected:
  /// Takes back the booking of a message that an observer keeps from its channel.
  void retract(std::size_t inbound);
  /// Books a message that an observer lets through.
  void book(std::size_t inbound, Rank receiver);
  void record_overflow(Rank sender, Port port, std::size_t capacity);
  /// Forgets what an earlier run left behind.
  void reset(const std::string& run_name);
  std::uint64_t messages_in_channels() const { return in_channels_; }

  const Topology& topology_;
  Model model_;
  Executor& executor_;
  std::vector<Worker> workers_;

 private:
  /// When a transfer ends that may start at `earliest`, the ports permitting. A link has one sender, so under `all` its
  /// two ports share one clock; under one-port the receiver has one for all its links.
  double transfer_end(Control& control, std::size_t slot, Rank receiver, double earliest, double time) {
    if (model_.ports == PortModel::all) {
      double& link_clock = link_clock_[slot];
      link_clock = std::max(link_clock, earliest) + time;
      return link_clock;
    }
    // Two senders meet at one receiver only in a run that ends at this barrier.
    std::atomic_ref<double> receive_clock(receive_clock_[receiver]);
    const double end = std::max(earliest, receive_clock.load(std::memory_order_relaxed)) + time;
    receive_clock.store(end, std::memory_order_relaxed);
    control.send_clock = std::max(control.send_clock, end);
    return end;
  }

  [[noreturn]] void fail(Control& control, ErrorKind kind, std::vector<Port> ports, std::string rule);
  [[noreturn]] void fail_second_send(Control& control, Port port);
  [[noreturn]] void fail_port_used(Control& control, Port port);
  [[noreturn]] void fail_overflow(Control& control, Port port, std::size_t capacity);

  void resume(Worker& worker, Control& control);

  // One cycle.
  void begin_cycle(Cycle cycle, const RunOptions& options);
  void visit_all();
  void split_visits();
  void merge_counts(const RunOptions& options);
  void merge_sleepers(Worker& worker);
  void wake_sleepers(Cycle cycle);
  void find_visits();
  void judge();
  void judge_receiver(Rank rank);
  void redeliver(Cycle cycle);
  void throw_failure();

  std::vector<Port> ports_received_on(Rank rank) const;
  bool sent_on(Rank rank, Port port) const;
  Wait wait_of(Rank rank);
  [[noreturn]] void throw_deadlock();
  [[noreturn]] void throw_livelock(Cycle limit);
  [[noreturn]] void throw_interrupted();
  [[noreturn]] void throw_too_many_phases();
  void throw_undelivered() const;
  void finish_report();

  std::string name_;
  LargeArray<Flow> flows_;
  LargeArray<std::uint64_t> link_words_;
  LargeArray<double> link_clock_;     // one a link under `all`
  LargeArray<double> receive_clock_;  // one a processor under one-port
  MarkTree marks_;

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
  std::uint64_t in_channels_ = 0;                // messages sent and not taken
  std::uint64_t ended_ = 0;                      // programs that have returned
};

}  // namespace detail
}  // namespace lockstep
