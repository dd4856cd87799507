#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/detail/network.hpp"
#include "lockstep/core/message.hpp"
#include "lockstep/core/process.hpp"

namespace lockstep {

template <class T, std::size_t Capacity>
class Machine;

/// One emulated processor as its program sees it: its rank, its ports, and the verbs by which it communicates with its
/// neighbours. `Capacity` is the number of messages that a channel of the machine holds.
///
/// On a bus and a switch the port of a verb is the rank of the other processor, and every processor has one inbox for
/// the messages of all others, which holds `Capacity` of them. On a shared memory a processor has only read() and
/// write().
///
/// Only the program of the processor may use it: with assertions on, a verb throws std::logic_error if another program
/// calls it. A verb that breaks a rule of the machine throws RunError, and the run ends after the cycle even if the
/// program catches it; rules with two sides are judged at the barrier.
template <class T, std::size_t Capacity = 2>
class Processor {
  static_assert(HasWords<T>,
                "a payload needs a free function words(const T&) beside its type, which returns its length in words");
  static_assert(std::movable<T> && std::is_nothrow_move_constructible_v<T>,
                "a payload must be movable, and its move constructor noexcept");

  class AnyMessage;
  class NextCycle;
  class NextMessage;
  class OneMessage;
  class Values;

 public:
  Processor() = default;
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  /// This processor's number, 0 to processors() - 1.
  Rank rank() const { return control_.rank; }
  /// Processors of the machine.
  Rank processors() const { return topology().processors(); }
  /// Its number of ports; 0 on a medium.
  Port ports() const { return control_.worker->ports; }
  /// Whether the port leads anywhere.
  bool has_link(Port port) const { return network().has_link(rank(), port); }
  /// Whether the port has a link, and neither the link nor the processor behind it has failed: a message sent in this
  /// cycle arrives. See Faults.
  bool is_up(Port port) const { return network().is_up(control_, port); }
  /// The processor that the port leads to; no_rank if it has no link. The port must exist.
  Rank neighbour(Port port) const { return topology().peer(rank(), port).rank; }
  /// The machine's wiring.
  const Topology& topology() const { return network().topology(); }
  /// The machine's rules and costs.
  const Model& model() const { return network().model(); }
  /// The current cycle.
  Cycle now() const { return control_.worker->now; }

  /// Sends the payload to the neighbour behind the port; it arrives in the next cycle.
  /// Throws RunError if the port has no link, if the port model allows no further send in this cycle, or if the
  /// channel was full when the cycle began.
  void send(Port port, T payload) {
    check_own();
    network().send(control_, port, detail::pass(payload), control_.ready_time);
  }

  /// Sends one payload on several ports: one send if the machine has multicast, else one send per port. On a bus it is
  /// one transaction and needs multicast, as it does on a switch whose elements copy (Medium::copies).
  void send(std::span<const Port> on, const T& payload) {
    static_assert(std::copyable<T>, "every port gets a copy");
    check_own();
    if (!on.empty()) network().multicast(control_, on, &payload, control_.ready_time);
  }

  /// Forwards a message that was received. Unlike send(), it is modelled to wait for that message only, not for
  /// everything received since.
  void forward(Port port, Message<T> message) {
    check_own();
    network().send(control_, port, detail::pass(message.payload), message.arrival);
  }

  /// The later of two arrivals: that of data which both messages brought, to forward() it.
  [[nodiscard]] double later(double one, double other) {
    check_own();
    return network().later(control_, one, other);
  }

  /// co_await ends this cycle of the processor.
  [[nodiscard]] NextCycle cycle() {
    check_own();
    return NextCycle(control_, control_.worker->now + 1);
  }
  /// co_await sleeps until that cycle begins; it continues at once if the cycle has begun.
  [[nodiscard]] NextCycle until(Cycle cycle) {
    check_own();
    return NextCycle(control_, cycle);
  }

  /// co_await takes the next message of that port, sleeping until there is one; a message that has arrived already is
  /// taken within the same cycle.
  [[nodiscard]] OneMessage message(Port port) {
    check_own();
    network().expect(control_, port);  // fails now if there is no such port
    return OneMessage(control_, port);
  }
  /// co_await takes a message from whichever port has one, the lowest first. Costs time in proportion to the ports.
  [[nodiscard]] AnyMessage message() {
    check_own();
    return AnyMessage(control_);
  }

  /// Sends, ends the cycle, and takes the next message of the same port: co_await returns the neighbour's message.
  [[nodiscard]] NextMessage exchange(Port port, T payload) {
    check_own();
    network().exchange(control_, port, detail::pass(payload));
    return NextMessage(control_);
  }

  /// Whether a message waits on the port.
  bool arrived(Port port) const {
    check_own();
    return network().arrived(control_, port);
  }
  /// Takes a message that has arrived; throws RunError if there is none.
  Message<T> receive(Port port) {
    check_own();
    if (!network().expect(control_, port)) network().fail_nothing_arrived(control_, port);
    return take(control_);
  }

  /// The ports on which messages wait, ascending: `for (Port port : self.arrivals())`. Each port is tested when the
  /// iteration reaches it, so messages may be taken on the way.
  class Arrivals {
   public:
    class Iterator {
     public:
      using value_type = Port;
      using difference_type = std::ptrdiff_t;

      Iterator() = default;
      Iterator(const Processor& self, Port port) : self_(&self), port_(port) {}
      Port operator*() const { return port_; }
      Iterator& operator++() {
        port_ = self_->next_arrival(port_ + 1);
        return *this;
      }
      Iterator operator++(int) {
        Iterator before = *this;
        ++*this;
        return before;
      }
      friend bool operator==(const Iterator& a, const Iterator& b) { return a.port_ == b.port_; }

     private:
      const Processor* self_ = nullptr;
      Port port_ = 0;
    };

    /// The arrivals of one processor.
    explicit Arrivals(const Processor& self) : self_(&self) {}
    Iterator begin() const { return Iterator(*self_, self_->next_arrival(0)); }
    Iterator end() const { return Iterator(*self_, self_->network().sources()); }

   private:
    const Processor* self_;
  };
  /// The ports on which messages wait now, ascending.
  [[nodiscard]] Arrivals arrivals() const {
    check_own();
    return Arrivals(*this);
  }

  /// Writes a slot of a shared memory; reads in later cycles find the payload. A processor has one access per cycle.
  /// Throws RunError at a second access, or if there is no such memory or slot.
  void write(Slot slot, T payload) {
    std::vector<std::pair<Slot, T>> one;
    one.emplace_back(slot, std::move(payload));
    write(std::move(one));
  }
  /// Writes several slots in one access, whose length is the sum of the payloads' lengths.
  void write(std::vector<std::pair<Slot, T>> values) {
    check_own();
    std::vector<Slot> slots;
    std::vector<void*> payloads;
    for (auto& [slot, payload] : values) {
      slots.push_back(slot);
      payloads.push_back(&payload);
    }
    network().write(control_, slots, payloads);
  }
  /// co_await ends this cycle and returns the value in the slot at the beginning of the cycle, as a message whose port
  /// is the slot. Reading does not remove it, and several processors may read it at once. Throws RunError as write()
  /// does, and if the slot was never written before.
  [[nodiscard]] auto read(Slot slot) {
    const Slot one[] = {slot};
    return OneValue(read(one));
  }
  /// The same for several slots in one access, whose length is the sum of their payloads': returns a vector of messages
  /// in the order of the slots.
  [[nodiscard]] Values read(std::span<const Slot> slots) {
    static_assert(std::copyable<T>, "a read of a slot returns a copy");
    check_own();
    network().read(control_, slots);
    return Values(control_, slots.size());
  }

  /// Charges a local copy of this many words to this cycle (Report::copied_words and both clocks). It is modelled to
  /// begin once everything taken has arrived: a later send() waits for its end, a forward() does not.
  void charge(std::uint64_t copied_words) {
    check_own();
    charge_work(control_.worker->copied, copied_words, &CostModel::copy_cost);
  }
  /// Charges this many arithmetic operations, of --flop each, to this cycle (Report::operations and both clocks). Like
  /// a local copy they begin once everything taken has arrived, and send() waits for their end.
  void compute(std::uint64_t operations) {
    check_own();
    charge_work(control_.worker->computed, operations, &CostModel::flop);
  }
  /// Charges this many looks at blocks, of --scan-cost each, to this cycle (Report::scanned_blocks and both clocks), as
  /// compute() charges operations.
  void scan(std::uint64_t blocks) {
    check_own();
    charge_work(control_.worker->scanned, blocks, &CostModel::scan_cost);
  }
  /// Records how many words the processor holds now; the report gives the maximum over all processors.
  void hold(std::uint64_t held_words) {
    check_own();
    control_.worker->peak_words_held = std::max(control_.worker->peak_words_held, held_words);
  }
  /// From now on, messages of this processor are counted under that name. A run has at most 63 names; one more ends it.
  void phase(std::string_view phase_name) {
    check_own();
    detail::begin_phase(control_, phase_name);
  }

 private:
  friend class Machine<T, Capacity>;
  friend struct detail::Access;

  /// co_await of a later cycle.
  class NextCycle : public detail::Awaiter {
   public:
    NextCycle(detail::Control& control, Cycle cycle) : control_(control), cycle_(cycle) {}
    bool await_ready() const noexcept { return cycle_ <= control_.worker->now; }
    void await_suspend(std::coroutine_handle<>) const {
      detail::suspend(control_, detail::Waiting::cycle);
      if (cycle_ == control_.worker->now + 1) {
        control_.not_before = 0;
        detail::continue_next_cycle(*control_.worker, control_);
      } else {
        detail::sleep_until(control_, cycle_);
      }
    }
    void await_resume() const noexcept { detail::note_visit(control_); }

   private:
    detail::Control& control_;
    Cycle cycle_;
  };

  /// co_await of a message on one port.
  class OneMessage : public detail::Awaiter {
   public:
    OneMessage(detail::Control& control, Port port) : control_(control), port_(port) {}
    bool await_ready() const { return control_.worker->network->expect(control_, port_); }
    void await_suspend(std::coroutine_handle<>) const { detail::suspend_for_message(control_); }
    Message<T> await_resume() const { return take(control_); }

   private:
    detail::Control& control_;
    Port port_;
  };

  /// co_await of a message on one port, in a later cycle; the processor waits for it already.
  class NextMessage : public detail::Awaiter {
   public:
    explicit NextMessage(detail::Control& control) : control_(control) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    Message<T> await_resume() const { return take(control_); }

   private:
    detail::Control& control_;
  };

  /// co_await of a message on any port.
  class AnyMessage : public detail::Awaiter {
   public:
    explicit AnyMessage(detail::Control& control) : control_(control) {}
    bool await_ready() const { return first() != control_.worker->network->sources(); }
    void await_suspend(std::coroutine_handle<>) const { detail::suspend(control_, detail::Waiting::any_message); }
    Message<T> await_resume() const {
      control_.worker->network->expect(control_, first());
      return take(control_);
    }

   private:
    Port first() const { return control_.worker->network->next_arrival(control_, 0); }

    detail::Control& control_;
  };

  /// co_await of values read from a memory.
  class Values : public detail::Awaiter {
   public:
    Values(detail::Control& control, std::size_t count) : control_(control), count_(count) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const {
      detail::suspend(control_, detail::Waiting::values);
      control_.waiting_values = static_cast<std::uint32_t>(count_);
      detail::continue_next_cycle(*control_.worker, control_);
    }
    std::vector<Message<T>> await_resume() const {
      detail::note_visit(control_);
      std::vector<Message<T>> values;
      control_.worker->network->take_values(control_, count_, [&](const detail::TakenValue& value) {
        control_.ready_time = std::max(control_.ready_time, value.arrival);
        values.push_back({moved_out(detail::pass(*static_cast<T*>(value.payload))), value.slot, value.arrival});
      });
      return values;
    }

   private:
    detail::Control& control_;
    std::size_t count_;
  };
  class OneValue : private Values {
   public:
    explicit OneValue(const Values& values) : Values(values) {}
    using Values::await_ready;
    using Values::await_suspend;
    Message<T> await_resume() const { return std::move(Values::await_resume().front()); }
  };

  detail::Network& network() const { return *control_.worker->network; }

  void check_own() const {
#ifndef NDEBUG
    detail::check_visited(control_);
#endif
  }

  void charge_work(detail::LocalWork& work, std::uint64_t amount, double CostModel::*cost) {
    work.add(control_, amount);
    detail::Worker& worker = *control_.worker;
    const double start = control_.ready_time;
    control_.ready_time += static_cast<double>(amount) * (model().cost.*cost) * network().slowness(rank());
    worker.latest_work = std::max(worker.latest_work, control_.ready_time);
    if (worker.is_observed) [[unlikely]]
      network().charged(control_, start, amount, cost);
  }

  Port next_arrival(Port from) const { return network().next_arrival(control_, from); }

  /// Moves the payload out and ends its lifetime there.
  static T moved_out(detail::Passed payload) {
    detail::Received<T> left(payload);
    T taken = std::move(*left);
    std::destroy_at(&*left);
    return taken;
  }
  static Message<T> take(detail::Control& control) {
    detail::note_visit(control);
    const auto [payload, arrival] = control.worker->network->take(control);
    control.ready_time = std::max(control.ready_time, arrival);
    return {moved_out(payload), control.waiting_port, arrival};
  }

  detail::Control control_;
};

}  // namespace lockstep
