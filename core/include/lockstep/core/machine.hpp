#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/core/channels.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep {

/// Runs one program on every processor of a topology, cycle by cycle, under the rules and costs of a model.
///
/// `T` is what a message carries, `Capacity` how many messages a channel holds. The topology and the executor must
/// outlive the machine. One thread at a time may call run(); each run starts afresh.
///
///     const Topology cube = hypercube(10);
///     Machine<Word> machine(cube, {.ports = PortModel::one});
///     std::vector<Word> item(cube.processors());
///     const Report report = machine.run([&](Processor<Word>& self) { return broadcast(self, 0, item[self.rank()]); });
template <Payload T, std::size_t Capacity = 2>
class Machine : public detail::Engine {
  static_assert(Capacity >= 1 && Capacity < 1000, "a channel holds 1 to 999 messages");

 public:
  /// A machine on the default executor: oneTBB with all threads of the host.
  /// Throws MemoryError, before anything is allocated, if it would not fit memory.
  explicit Machine(const Topology& topology, const Model& model = {})
      : Machine(topology, model, make_executor(ExecutorKind::tbb)) {}
  Machine(const Topology& topology, const Model& model, Executor& executor)
      : Machine(topology, model, executor, channel_kind(topology.ports())) {}
  Machine(const Topology& topology, const Model& model, Executor& executor, ChannelKind channels)
      : Engine(topology, model, executor, single_words, Channels::bytes(channels, topology.slots())),
        processors_(topology.processors()),
        channels_(channels, topology.slots()) {}
  explicit Machine(const Topology&&, const Model& = {}) = delete;  // the topology must outlive the machine
  Machine(const Topology&&, const Model&, Executor&) = delete;
  ~Machine() override { destroy(); }

  /// Bytes that a machine of this size needs, the frames of small programs included.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model) {
    return Engine::bytes(processors, ports, ports_model, single_words) +
           Channels::bytes(channel_kind(ports), processors * ports);
  }

  /// Shows every message to the observer from the next run on; nullptr ends that.
  void observe(Observer<T>* observer) {
    observer_ = observer;
    observed_ = observer != nullptr;
  }

  /// Calls program(self) for every processor, which makes its coroutine, and runs them to their ends.
  /// Throws RunError (a rule broken, a deadlock, ...), ProgramError if a program threw; all coroutines are destroyed
  /// and all channels drained whatever happens.
  template <class Program>
  Report run(Program&& program, const RunOptions& options = {}) {
    const auto start = std::chrono::steady_clock::now();
    const Clearing clearing{*this};
    prepare(options.name);
    executor_.for_ranges(processors_.size(), [&](unsigned worker, std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank) create(workers_[worker], static_cast<Rank>(rank), program);
    });
    const auto ready = std::chrono::steady_clock::now();
    Report report = run_cycles(options);
    const auto end = std::chrono::steady_clock::now();
    report.setup_seconds = std::chrono::duration<double>(ready - start).count();
    report.run_seconds = std::chrono::duration<double>(end - ready).count();
    return report;
  }

 private:
  friend class Processor<T, Capacity>;
  using Channels = detail::Channels<T, Capacity>;
  static constexpr bool single_words = std::is_arithmetic_v<T>;  ///< every message is one word

  Machine(const Topology& topology, const Model& model, std::unique_ptr<Executor> executor)
      : Machine(topology, model, *executor) {
    own_executor_ = std::move(executor);
  }

  detail::Control& control(Rank rank) override { return processors_[rank].control_; }

  /// Constructs all that a run needs, each worker its part: fresh memory belongs to whom touches it first.
  void prepare(const std::string& run_name) {
    destroy();
    reset(run_name);
    executor_.for_ranges(processors_.size(), [&](unsigned, std::size_t first, std::size_t last) {
      processors_.construct(first, last);
      for (Port port = 0; port < topology_.ports(); ++port) {
        channels_.construct(topology_.slot(static_cast<Rank>(first), port),
                            topology_.slot(static_cast<Rank>(first), port) + (last - first));
      }
    });
    constructed_ = true;
    transfers_.resize(workers_.size());
  }

  void destroy() {
    if (!std::exchange(constructed_, false)) return;
    processors_.destroy(0, processors_.size());
  }

  template <class Program>
  void create(detail::Worker& worker, Rank rank, Program& program) {
    detail::Control& control = processors_[rank].control_;
    control.rank = rank;
    control.worker = &worker;
    try {
      control.current = program(processors_[rank]).release();
    } catch (...) {
      worker.record({rank, ErrorKind::exception, {}, {}, std::current_exception()});
    }
  }

  /// Whatever ends a run, no coroutine and no message outlives it.
  struct Clearing {
    Machine& machine;
    ~Clearing() {
      for (std::size_t rank = 0; machine.constructed_ && rank < machine.processors_.size(); ++rank) {
        detail::destroy_program(machine.processors_[rank].control_);
      }
      for (auto& transfers : machine.transfers_) transfers.clear();
      machine.for_undelivered([&](std::size_t slot, detail::Total taken, detail::Total sent) {
        machine.channels_.clear(slot, taken, sent);
      });
    }
  };

  void visit(detail::Worker& worker, std::span<const Visits> visits) override {
    for (const Visits& group : visits) {
      for (std::uint64_t ranks = group.ranks; ranks != 0; ranks &= ranks - 1) {
        const std::size_t rank = std::size_t{group.group} * 64 + static_cast<std::size_t>(std::countr_zero(ranks));
        visit_one(worker, processors_[rank].control_);
      }
      end_group(worker, group);
    }
  }

  /// Puts a message that has been booked into its channel, or aside for the observer.
  void dispatch(const detail::Worker& worker, Rank sender, Port port, End to, const Passage& passage,
                std::uint64_t length, T&& payload) {
    if (observed_) {
      transfers_[worker.index].push_back({sender, port, to, length, passage.arrival, std::move(payload)});
    } else {
      channels_.put(passage.inbound, passage.sent, std::move(payload), passage.arrival);
    }
  }

  void deliver_observed(Cycle cycle) override {
    std::vector<Transfer<T>> all;
    for (auto& transfers : transfers_) {
      std::move(transfers.begin(), transfers.end(), std::back_inserter(all));
      transfers.clear();
    }
    std::sort(all.begin(), all.end(), [](const Transfer<T>& a, const Transfer<T>& b) {
      return std::pair(a.from, a.port) < std::pair(b.from, b.port);
    });
    for (const Transfer<T>& transfer : all) retract(topology_.slot(transfer.to.rank, transfer.to.port));
    if (!all.empty()) observer_->barrier(cycle, all);
    for (Transfer<T>& transfer : all) {
      if (transfer.to.rank >= topology_.processors() || transfer.to.port >= topology_.ports()) {
        throw std::out_of_range("an observer sends a message to a processor or port that does not exist");
      }
      const std::size_t inbound = topology_.slot(transfer.to.rank, transfer.to.port);
      if (is_full(inbound, Capacity)) {
        record_overflow(transfer.from, transfer.port, Capacity);
      } else {
        channels_.put(inbound, book(inbound, transfer.to.rank), std::move(transfer.payload), transfer.arrival);
      }
    }
  }

  detail::LargeArray<Processor<T, Capacity>> processors_;
  Channels channels_;
  std::vector<std::vector<Transfer<T>>> transfers_;  // a list a worker, filled only for an observer
  Observer<T>* observer_ = nullptr;
  bool constructed_ = false;
  std::unique_ptr<Executor> own_executor_;
};

}  // namespace lockstep
