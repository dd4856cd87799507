#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/core/channels.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/core/shared_memory.hpp"

namespace lockstep {

/// Runs one program on every processor of a topology, cycle by cycle, under the rules and costs of a model.
///
/// `T` is what a message carries, `Capacity` how many messages a channel or an inbox holds. The topology and the
/// executor must outlive the machine. One thread at a time may call run(); each run starts afresh.
///
///     const Topology cube = hypercube(10);
///     Machine<Word> machine(cube, {.ports = PortModel::one});
///     std::vector<Word> item(cube.processors());
///     const Report report = machine.run([&](Processor<Word>& self) { return broadcast(self, 0, item[self.rank()]); });
template <class T, std::size_t Capacity = 2>
class Machine : public detail::Engine {
  static_assert(HasWords<T>,
                "a payload needs a free function words(const T&) beside its type, which returns its length in words");
  static_assert(std::movable<T> && std::is_nothrow_move_constructible_v<T>,
                "a payload must be movable, and its move constructor noexcept");
  static_assert(Capacity >= 1 && Capacity < 1000, "a channel holds 1 to 999 messages");

 public:
  /// A machine on the default executor: oneTBB with all threads of the host.
  /// Throws MemoryError, before anything is allocated, if it would not fit memory.
  explicit Machine(const Topology& topology, const Model& model = {})
      : Machine(topology, model, make_executor(ExecutorKind::tbb)) {}
  Machine(const Topology& topology, const Model& model, Executor& executor)
      : Machine(topology, model, executor, channel_kind(topology.ports())) {}
  /// A machine with channels of that kind, however many its ports; for a bus, memory or switch it makes no difference.
  Machine(const Topology& topology, const Model& model, Executor& executor, ChannelKind channels)
      : Engine(topology, model, executor, single_words && !topology.medium(), Capacity,
               topology.medium() ? payload_bytes(topology.processors(), topology.processors())
                                 : Channels::bytes(channels, topology.slots())),
        processors_(topology.processors()),
        channels_(channels, topology.slots()) {}
  explicit Machine(const Topology&&, const Model& = {}) = delete;  // the topology must outlive the machine
  Machine(const Topology&&, const Model&, Executor&) = delete;
  Machine(const Topology&&, const Model&, Executor&, ChannelKind) = delete;
  ~Machine() override { destroy(); }

  /// Bytes that a machine of this size needs, the frames of small programs included.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model) {
    return Engine::bytes(processors, ports, ports_model, single_words) +
           Channels::bytes(channel_kind(ports), processors * ports);
  }

  /// The same for a machine with a medium, of which a memory has so many slots, as long as its slots hold payloads that
  /// keep nothing elsewhere.
  static std::uint64_t medium_bytes(std::uint64_t processors, std::uint64_t memory_slots) {
    return Engine::medium_bytes(processors, Capacity) + payload_bytes(processors, memory_slots);
  }

  /// Gives a shared memory so many slots from the next run on; one a processor unless this says otherwise.
  void share(std::size_t slots) { memory_slots_ = slots; }

  /// Shows every message to the observer from the next run on; nullptr ends that.
  void observe(Observer<T>* observer) {
    observer_ = observer;
    observed_ = observer != nullptr;
  }

  /// Makes the coroutine of a processor.
  using Program = std::function<Process(Processor<T, Capacity>&)>;

  /// Calls program(self) for every processor, which makes its coroutine, and runs them to their ends. That call belongs
  /// to no cycle: it may ask the processor for its rank, ports, topology, ..., and say hold() and phase(). If it sends,
  /// reads, writes or charges, the run ends as if it had thrown std::logic_error.
  /// Throws RunError (a rule broken, a deadlock, ...), ProgramError if a program threw; all coroutines are destroyed
  /// and all channels drained whatever happens.
  Report run(const Program& program, const RunOptions& options = {}) {
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

  /// Bytes of what holds the payloads on a medium.
  static std::uint64_t payload_bytes(std::uint64_t processors, std::uint64_t memory_slots) {
    return processors * Capacity * sizeof(Letter) + detail::SharedMemory<T>::bytes(memory_slots);
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
    if (!on_medium()) return;
    if (topology_.medium()->kind == MediumKind::memory) {
      memory_.emplace(memory_slots_);
      values_.resize(processors_.size());
    } else {
      letters_.resize(processors_.size() * Capacity);
    }
  }

  void destroy() {
    if (!std::exchange(constructed_, false)) return;
    processors_.destroy(0, processors_.size());
  }

  void create(detail::Worker& worker, Rank rank, const Program& program) {
    detail::Control& control = processors_[rank].control_;
    control.rank = rank;
    control.worker = &worker;
    worker.visit_copied = 0;
    const detail::VisitNote note(control);
    try {
      control.current = program(processors_[rank]).release();
      if (!control.current) throw std::logic_error("the program has made no coroutine");
      if (control.last_send != 0 || worker.visit_copied != 0) {
        throw std::logic_error("a send, an access or a charge before the program has started");
      }
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
      machine.letters_.clear();
      machine.values_.clear();
      machine.memory_.reset();
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
    // What one processor reads in one access stays in the order in which it gets it.
    const auto place = [](const Transfer<T>& transfer) {
      return std::pair(transfer.from, transfer.from == memory_rank ? transfer.to.rank : transfer.port);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const Transfer<T>& a, const Transfer<T>& b) { return place(a) < place(b); });
    if (on_medium()) {
      retract_all_delivered();
    } else {
      for (const Transfer<T>& transfer : all) retract(topology_.slot(transfer.to.rank, transfer.to.port));
    }
    // Who has broken a rule may have met others at one receiver, and then modelled arrivals depend on who came first.
    if (has_failed()) return;
    if (!all.empty()) observer_->barrier(cycle, all);
    for (Transfer<T>& transfer : all) {
      if (on_medium()) {
        deliver_on_medium(transfer);
        continue;
      }
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

  // On a medium.

  /// A payload in an inbox.
  struct Letter {
    std::optional<T> payload;
    double arrival = 0;
  };

  /// Puts the payload of a transaction into the receiver's inbox, or aside for the observer.
  void post_payload(detail::Worker& worker, detail::Control& control, Rank to, T&& payload, double arrival) {
    const std::size_t place = post(worker, control, to, Capacity);
    if (observed_) {
      const std::uint64_t length = words(payload);
      transfers_[worker.index].push_back({control.rank, to, {to, control.rank}, length, arrival, std::move(payload)});
    } else if (place != detail::Inboxes::nowhere) {
      letters_[place] = {std::move(payload), arrival};
    }
  }

  Message<T> take_from_inbox(detail::Worker& worker, Rank rank, Rank from) {
    const std::size_t place = place_from(worker, rank, from);
    Message<T> message{std::move(*letters_[place].payload), from, letters_[place].arrival};
    letters_[place].payload.reset();
    empty_place(worker, place);
    return message;
  }

  std::size_t memory_slots() const { return memory_ ? memory_->slots() : 0; }

  void write(detail::Worker& worker, Rank rank, Slot slot, T&& payload, double arrival) {
    worker.crossings.push_back({rank, slot});
    if (!memory_->claim(slot, worker.stamp)) {
      worker.collided = true;
    } else if (observed_) {
      const std::uint64_t length = words(payload);
      transfers_[worker.index].push_back({rank, slot, {memory_rank, slot}, length, arrival, std::move(payload)});
    } else {
      memory_->write(slot, worker.stamp, std::move(payload), arrival);
    }
  }

  /// Copies the values of the slots for the reader, or aside for the observer.
  void read(detail::Worker& worker, detail::Control& control, std::span<const Slot> slots) {
    std::vector<Message<T>> values;
    std::uint64_t length = 0;
    std::uint64_t startup_count = 0;
    double ready = 0;
    for (const Slot slot : slots) {
      const auto* value = memory_->read(slot, worker.stamp);
      if (value == nullptr) fail_unwritten(control, slot);
      length += words(value->payload);
      startup_count = slots.size() == 1 ? startups(value->payload, model().cost) : model().cost.startups(length);
      ready = std::max(ready, value->arrival);
      values.push_back({value->payload, slot, 0});
    }
    const double end = end_access(control, length, startup_count, ready);
    worker.delivered += values.size();
    for (Message<T>& value : values) {
      value.arrival = end;
      if (observed_) {
        const std::uint64_t words_of_value = words(value.payload);
        transfers_[worker.index].push_back(
            {memory_rank, value.port, {control.rank, value.port}, words_of_value, end, std::move(value.payload)});
      } else {
        values_[control.rank].push_back(std::move(value));
      }
    }
  }

  std::size_t values_read(Rank rank) const override { return values_.empty() ? 0 : values_[rank].size(); }

  std::vector<Message<T>> take_values(detail::Worker& worker, Rank rank, std::size_t count) {
    std::vector<Message<T>>& all = values_[rank];
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<Message<T>> taken(std::move_iterator(all.begin()), std::move_iterator(last));
    all.erase(all.begin(), last);
    worker.taken += count;
    return taken;
  }

  void deliver_on_medium(Transfer<T>& transfer) {
    const detail::Stamp now = workers_[0].stamp;
    if (memory_ && transfer.to.rank == memory_rank && transfer.to.port < memory_->slots()) {
      if (memory_->was_written(transfer.to.port, now)) return record_rewrite(transfer.from, transfer.to.port);
      return memory_->write(transfer.to.port, now, std::move(transfer.payload), transfer.arrival);
    }
    if (transfer.to.rank >= topology_.processors()) {
      throw std::out_of_range("an observer sends a message to a processor or slot that does not exist");
    }
    if (memory_) {
      values_[transfer.to.rank].push_back({std::move(transfer.payload), transfer.to.port, transfer.arrival});
      return book_values(transfer.to.rank, 1);
    }
    const std::size_t place = post_late(transfer.to.port, transfer.to.rank);
    if (place == detail::Inboxes::nowhere) return record_overflow(transfer.from, transfer.to.rank, Capacity);
    letters_[place] = {std::move(transfer.payload), transfer.arrival};
  }

  detail::LargeArray<Processor<T, Capacity>> processors_;
  Channels channels_;
  std::vector<Letter> letters_;  // of a bus and a switch, by the places of the inboxes
  std::optional<detail::SharedMemory<T>> memory_;
  std::vector<std::vector<Message<T>>> values_;  // of a memory: by rank what has been read and not taken
  std::size_t memory_slots_ = topology_.processors();
  std::vector<std::vector<Transfer<T>>> transfers_;  // a list a worker, filled only for an observer
  Observer<T>* observer_ = nullptr;
  bool constructed_ = false;
  std::unique_ptr<Executor> own_executor_;
};

}  // namespace lockstep
