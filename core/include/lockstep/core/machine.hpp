#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/core/detail/link_network.hpp"
#include "lockstep/core/detail/machine_core.hpp"
#include "lockstep/core/faults.hpp"
#include "lockstep/core/observer.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep {

/// Runs one program on every processor of a topology, cycle by cycle, under the rules and costs of a model.
///
/// `T` is the payload of a message, `Capacity` how many messages a channel or an inbox holds. The topology and the
/// executor must outlive the machine. One thread at a time may call run(); each run starts afresh.
///
///     const Topology cube = hypercube(10);
///     Machine<Word> machine(cube, {.ports = PortModel::one});
///     std::vector<Word> item(cube.processors());
///     const Report report = machine.run([&](Processor<Word>& self) { return broadcast(self, 0, item[self.rank()]); });
template <class T, std::size_t Capacity = 2>
class Machine {
  static_assert(HasWords<T>,
                "a payload needs a free function words(const T&) beside its type, which returns its length in words");
  static_assert(std::movable<T> && std::is_nothrow_move_constructible_v<T>,
                "a payload must be movable, and its move constructor noexcept");
  static_assert(Capacity >= 1 && Capacity < 1000, "a channel holds 1 to 999 messages");

 public:
  /// A machine on the default executor: oneTBB with all threads of the host.
  /// Throws MemoryError, before anything is allocated, if it would not fit in memory.
  explicit Machine(const Topology& topology, const Model& model = {})
      : Machine(topology, model, make_executor(ExecutorKind::tbb)) {}
  /// A machine on that executor. The topology and the executor must outlive it. Throws MemoryError.
  Machine(const Topology& topology, const Model& model, Executor& executor)
      : Machine(topology, model, executor, default_channels(topology.slots())) {}
  /// A machine with channels of the given kind for any number of links; a bus, memory or switch ignores it. With a
  /// division, which must outlive it, only the processors of this process and their links take memory (on a medium, all
  /// processors), and every process runs the same programs with the same options: reports and exceptions describe the
  /// whole machine. Throws std::invalid_argument if the payload is not Packable; a divided run throws it if there is an
  /// observer.
  Machine(const Topology& topology, const Model& model, Executor& executor, ChannelKind channels,
          const Division* division = nullptr)
      : topology_(topology),
        model_(model),
        executor_(executor),
        division_(division),
        core_(topology, model, executor, detail::operations_of<T>, Capacity, link_type(model.ports, channels),
              division),
        processors_(topology.processors()) {}
  explicit Machine(const Topology&&, const Model& = {}) = delete;  // the topology must outlive the machine
  Machine(const Topology&&, const Model&, Executor&) = delete;
  Machine(const Topology&&, const Model&, Executor&, ChannelKind, const Division* = nullptr) = delete;

  /// How it is wired.
  const Topology& topology() const { return topology_; }
  /// Its rules and costs.
  const Model& model() const { return model_; }

  /// The default channels of a machine with this many directed links.
  static ChannelKind default_channels(std::uint64_t links) {
    return channel_kind(links * sizeof(detail::LockfreeChannel<T, Capacity>));
  }

  /// Upper bound of the bytes that a machine of this size needs, including the frames of small programs.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model) {
    return bytes(processors, ports, ports_model, default_channels(processors * ports));
  }
  /// The same with channels of the given kind.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model,
                             ChannelKind channels) {
    return detail::MachineCore::bytes(processors, ports, ports_model, link_type(ports_model, channels).record_bytes);
  }
  /// The same for a machine on a medium, which if it is a memory has `memory_slots` slots; payloads must own nothing
  /// outside themselves.
  static std::uint64_t medium_bytes(std::uint64_t processors, std::uint64_t memory_slots,
                                    PortModel ports = PortModel::one) {
    return detail::MachineCore::medium_bytes(processors, memory_slots, ports, Capacity, detail::operations_of<T>);
  }

  /// Sets the number of slots of a shared memory from the next run on. The default is one per processor.
  void share(std::size_t slots) { core_.share(slots); }

  /// Applies these faults from the next run on. Throws std::invalid_argument if they do not fit the machine, see
  /// verify(), or if it is divided over processes; MemoryError if there is no memory for them.
  void apply(const Faults& faults) { core_.apply(faults); }
  /// The former name of apply().
  [[deprecated("use apply()")]] void suffer(const Faults& faults) { apply(faults); }

  /// Shows every message to the observer from the next run on; nullptr ends that.
  void observe(Observer<T>* observer) { observer_ = observer; }

  /// Makes the coroutine of a processor.
  using Program = std::function<Process(Processor<T, Capacity>&)>;

  /// Calls program(self) for every processor, which makes its coroutine, and runs them to their ends. The call belongs
  /// to no cycle: it may read the processor's rank, ports, topology, ... and call hold() and phase(). If it sends,
  /// reads, writes or charges, the run ends as if it had thrown std::logic_error.
  /// Throws RunError (a rule broken, a deadlock, ...), ProgramError if a program threw; all coroutines are destroyed
  /// and all channels drained in any case.
  Report run(const Program& program, const RunOptions& options = {}) {
    // A Processor is its Control and nothing else, so that an array of the ones can be walked as one of the others.
    static_assert(sizeof(Processor<T, Capacity>) == sizeof(detail::Control));
    static_assert(std::is_standard_layout_v<Processor<T, Capacity>>);
    // Each worker constructs its own part: a page is placed by the first thread that touches it.
    executor_.for_ranges(processors_.size(), [&](unsigned, std::size_t first, std::size_t last) {
      if (division_ == nullptr) return processors_.construct(first, last);
      for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
        if (division_->is_here(rank)) processors_.construct(rank, rank + std::size_t{1});
      }
    });
    detail::MachineCore::Show show;
    if (observer_ != nullptr) show = Shown{*observer_, model_.cost};
    return core_.run(
        reinterpret_cast<detail::Control*>(processors_.data()),
        [&](Rank rank) { return program(processors_[rank]).release(); }, show, options);
  }

  /// After run() threw a RunError: the counts and modelled times up to then, the cycle of the error included, and the
  /// processors that had failed. Empty after any other end, and where the machine is divided over processes.
  const Report& until_error() const { return core_.until_error(); }

 private:
  Machine(const Topology& topology, const Model& model, std::unique_ptr<Executor> executor)
      : Machine(topology, model, *executor) {
    own_executor_ = std::move(executor);
  }

  template <detail::PortUse use, ChannelKind kind>
  static detail::LinkType link_type() {
    using Links = detail::Links<T, Capacity, use, kind>;
    return {Links::record_bytes, kind, [](detail::Ground& ground) -> std::unique_ptr<detail::LinkNetwork> {
              return std::make_unique<Links>(ground);
            }};
  }
  template <detail::PortUse use>
  static detail::LinkType link_type(ChannelKind kind) {
    return kind == ChannelKind::lockfree ? link_type<use, ChannelKind::lockfree>()
                                         : link_type<use, ChannelKind::compact>();
  }
  static detail::LinkType link_type(PortModel ports, ChannelKind kind) {
    if (sends_on_several_ports(ports)) return link_type<detail::PortUse::all>(kind);
    return is_k_ports(ports) ? link_type<detail::PortUse::limited>(kind) : link_type<detail::PortUse::one>(kind);
  }

  /// Shows the observer the messages sent, and delivers those that it leaves.
  struct Shown {
    Observer<T>& observer;
    const CostModel& cost;

    bool operator()(Cycle cycle, std::span<const Charge> charges, const std::vector<detail::Sent>& sent,
                    detail::Network& network, detail::Worker& recorder) const {
      if (!charges.empty()) observer.charged(cycle, charges);
      if (sent.empty() && !observer.holds_messages()) return false;
      std::vector<Transfer<T>> transfers;
      for (const detail::Sent& message : sent) {
        alignas(T) std::byte memory[sizeof(T)];
        const double arrival = network.take_back(message, recorder.stamp, memory);
        T* const payload = reinterpret_cast<T*>(memory);
        const std::uint64_t length = words(*payload);
        const std::uint64_t startup_count = startups(*payload, cost);
        transfers.push_back({message.from, message.port, message.to, length, arrival, std::move(*payload),
                             startup_count, message.phase});
        std::destroy_at(payload);
      }
      observer.barrier(cycle, transfers);
      for (Transfer<T>& left : transfers) {
        network.deliver(recorder, left.from, left.port, left.to, &left.payload, left.arrival);
      }
      return observer.holds_messages();
    }
  };

  const Topology& topology_;
  const Model model_;
  Executor& executor_;
  const Division* division_;
  detail::MachineCore core_;
  detail::LargeArray<Processor<T, Capacity>> processors_;
  Observer<T>* observer_ = nullptr;
  std::unique_ptr<Executor> own_executor_;
};

}  // namespace lockstep
