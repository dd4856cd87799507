#pragma once

#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/engine.hpp"
#include "lockstep/core/message.hpp"

namespace lockstep {

template <class T, std::size_t Capacity>
class Machine;

/// One emulated processor as its program sees it: its rank, its ports, and the verbs by which it talks to its
/// neighbours. `Capacity` is the number of messages that a channel of the machine holds.
///
/// On a bus and a switch the same verbs take the rank of the other processor where they say port; there every processor
/// has one inbox for the messages of all others, which holds `Capacity` of them. On a shared memory a processor has
/// only read() and write().
///
/// Only the program of the processor may use it: where assertions are on, a verb throws std::logic_error if another
/// does. A verb that breaks a rule of the machine throws RunError, and the run ends after the cycle even if the program
/// catches it; rules with two sides are judged at the barrier.
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

  Rank rank() const { return control_.rank; }
  Rank processors() const { return machine().topology().processors(); }
  /// None on a medium.
  Port ports() const { return control_.worker->engine->ports(); }
  bool has_link(Port port) const {
    if (machine().on_medium()) return machine().has_peer(rank(), port);
    return port < ports() && machine().topology().peer(rank(), port);
  }
  /// The processor that the port leads to; no_rank if it has no link. The port must exist.
  Rank neighbour(Port port) const { return machine().topology().peer(rank(), port).rank; }
  const Topology& topology() const { return machine().topology(); }
  const Model& model() const { return machine().model(); }
  /// The current cycle.
  Cycle now() const { return control_.worker->now; }

  /// Sends the payload to the neighbour behind the port; it arrives in the next cycle.
  /// Throws RunError if the port has no link, if the port model allows no further send in this cycle, or if the
  /// channel was full when the cycle began.
  void send(Port port, T payload) {
    check_own();
    transmit(port, std::move(payload), control_.ready_time);
  }

  /// Sends one payload on several ports: one send where the machine has multicast, else one send a port. On a bus it is
  /// one transaction, which needs multicast; no switch has it.
  void send(std::span<const Port> on, const T& payload) {
    check_own();
    if (on.empty()) return;
    if (machine().on_medium()) {
      const double arrival = begin_transaction(on, payload, control_.ready_time);
      for (const Rank peer : on) machine().post_payload(*control_.worker, control_, peer, T(payload), arrival);
      return;
    }
    detail::Engine& engine = machine();
    engine.begin_multicast(control_, on);
    // All leave at once: each waits for the send clock as it was, and the clock goes on to the last end.
    const double before = control_.send_clock;
    double last = before;
    for (const Port port : on) {
      control_.send_clock = before;
      launch(*control_.worker, port, engine.outlet(control_, port), T(payload), control_.ready_time);
      last = std::max(last, control_.send_clock);
    }
    control_.send_clock = last;
  }

  /// Sends on what came in with `message`. Unlike send, it is modelled to wait for that message only, not for
  /// everything that has been received meanwhile.
  void forward(Port port, Message<T> message) {
    check_own();
    transmit(port, std::move(message.payload), message.arrival);
  }

  /// co_await ends this cycle of the processor.
  [[nodiscard]] NextCycle cycle() {
    check_own();
    return NextCycle(*this, control_.worker->now + 1);
  }
  /// co_await sleeps until that cycle begins; goes on at once if it has begun already.
  [[nodiscard]] NextCycle until(Cycle cycle) {
    check_own();
    return NextCycle(*this, cycle);
  }

  /// co_await takes the next message of that port, sleeping until there is one; a message that has arrived already is
  /// taken within the same cycle.
  [[nodiscard]] OneMessage message(Port port) {
    check_own();
    require_source(port);
    return OneMessage(*this, port);
  }
  /// co_await takes a message from whichever port has one, the lowest first. Costs time in proportion to the ports.
  [[nodiscard]] AnyMessage message() {
    check_own();
    return AnyMessage(*this);
  }

  /// Sends, ends the cycle, and takes the next message of the same port: co_await gives the neighbour's message.
  [[nodiscard, gnu::always_inline]] NextMessage exchange(Port port, T payload) {
    check_own();
    transmit(port, std::move(payload), control_.ready_time);
    return NextMessage(*this, port);
  }

  /// Whether a message waits on the port.
  bool arrived(Port port) const {
    check_own();
    return has_link(port) && is_there(port);
  }
  /// Takes a message that has arrived; throws RunError if there is none.
  Message<T> receive(Port port) {
    check_own();
    require_source(port);
    if (!is_there(port)) machine().fail_nothing_arrived(control_, port);
    return take(port, machine().slot(rank(), port));
  }

  /// The ports on which messages wait, ascending: `for (Port port : self.arrivals())`. The walk looks at each port when
  /// it comes to it, so messages may be taken on the way.
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

    explicit Arrivals(const Processor& self) : self_(&self) {}
    Iterator begin() const { return Iterator(*self_, self_->next_arrival(0)); }
    Iterator end() const { return Iterator(*self_, self_->machine().sources()); }

   private:
    const Processor* self_;
  };
  [[nodiscard]] Arrivals arrivals() const {
    check_own();
    return Arrivals(*this);
  }

  /// Writes a slot of a shared memory; who reads it in a later cycle finds the payload. A processor has one access a
  /// cycle. Throws RunError if it has had it, or if there is no such memory or slot.
  void write(Slot slot, T payload) {
    std::vector<std::pair<Slot, T>> one;
    one.emplace_back(slot, std::move(payload));
    write(std::move(one));
  }
  /// Writes several slots in one access, which is as long as all payloads together.
  void write(std::vector<std::pair<Slot, T>> values) {
    check_own();
    std::vector<Slot> slots;
    for (const auto& [slot, payload] : values) slots.push_back(slot);
    machine().begin_access(control_, slots, machine().memory_slots());
    std::uint64_t length = 0;
    for (const auto& [slot, payload] : values) length += words(payload);
    const double end = machine().end_access(control_, length, startups_of(values, length), control_.ready_time);
    for (auto& [slot, payload] : values) machine().write(*control_.worker, rank(), slot, std::move(payload), end);
  }
  /// co_await ends this cycle and gives what was in the slot when the cycle began, as a message whose port is the slot.
  /// Reading does not remove it, and several processors may read it at once. Throws RunError as write() does, and if
  /// nobody has written the slot before.
  [[nodiscard]] auto read(Slot slot) {
    const Slot one[] = {slot};
    return OneValue(read(one));
  }
  /// The same for several slots in one access, which is as long as all their payloads together: a vector of messages in
  /// the order of the slots.
  [[nodiscard]] Values read(std::span<const Slot> slots) {
    check_own();
    machine().begin_access(control_, slots, machine().memory_slots());
    machine().read(*control_.worker, control_, slots);
    return Values(*this, slots.size());
  }

  /// Charges a local copy of so many words to this cycle (Report::copied_words and both clocks). It is modelled to
  /// begin once all that has been taken has arrived: what send() sends afterwards waits for its end, what forward()
  /// sends does not.
  void charge(std::uint64_t copied_words) {
    check_own();
    detail::Worker& worker = *control_.worker;
    worker.visit_copied += copied_words;
    control_.ready_time += static_cast<double>(copied_words) * model().cost.copy_cost;
    worker.latest_copy = std::max(worker.latest_copy, control_.ready_time);
  }
  /// Says how many words the processor holds now; the report gives the most that one held.
  void hold(std::uint64_t held_words) {
    check_own();
    control_.worker->peak_words_held = std::max(control_.worker->peak_words_held, held_words);
  }
  /// What this processor sends from now on is counted under that name. A run has at most 63 names; more end it.
  void phase(std::string_view phase_name) {
    check_own();
    control_.phase = machine().phase(phase_name);
  }

 private:
  friend class Machine<T, Capacity>;
  friend struct detail::Access;

  /// co_await of a later cycle.
  class NextCycle : public detail::Awaiter {
   public:
    NextCycle(Processor& self, Cycle cycle) : self_(self), cycle_(cycle) {}
    bool await_ready() const noexcept { return cycle_ <= self_.control_.worker->now; }
    void await_suspend(std::coroutine_handle<>) const {
      self_.suspend(detail::Waiting::cycle);
      if (cycle_ == self_.control_.worker->now + 1) {
        self_.control_.not_before = 0;
        detail::Engine::continue_next_cycle(self_.control_);
      } else {
        self_.machine().sleep_until(self_.control_, cycle_);
      }
    }
    void await_resume() const noexcept {}

   private:
    Processor& self_;
    Cycle cycle_;
  };

  /// co_await of a message on one port.
  class OneMessage : public detail::Awaiter {
   public:
    OneMessage(Processor& self, Port port) : self_(self), port_(port) {}
    bool await_ready() const {
      wait_for_port();
      return self_.is_there(port_);
    }
    void await_suspend(std::coroutine_handle<>) const { self_.suspend(self_.machine().message_waiting()); }
    Message<T> await_resume() const { return self_.take(self_.control_.waiting_port, self_.control_.waiting_slot); }

   protected:
    // Also before it is known whether to wait: await_resume then need not compute the slot a second time.
    void wait_for_port() const {
      self_.control_.waiting_port = port_;
      self_.control_.waiting_slot = self_.machine().slot(self_.rank(), port_);
    }

    Processor& self_;
    Port port_;
  };

  /// co_await of a message on one port, in a later cycle.
  class NextMessage : private OneMessage {
   public:
    using OneMessage::await_resume;
    using OneMessage::OneMessage;

    bool await_ready() const noexcept {
      this->wait_for_port();
      return false;
    }
    void await_suspend(std::coroutine_handle<> program) const {
      OneMessage::await_suspend(program);
      // An older message may be there already, for which nobody would wake the processor.
      detail::Engine::continue_next_cycle(this->self_.control_);
    }
  };

  /// co_await of a message on any port.
  class AnyMessage : public detail::Awaiter {
   public:
    explicit AnyMessage(Processor& self) : self_(self) {}
    bool await_ready() const { return self_.next_arrival(0) != self_.machine().sources(); }
    void await_suspend(std::coroutine_handle<>) const { self_.suspend(detail::Waiting::any_message); }
    Message<T> await_resume() const {
      const Port port = self_.next_arrival(0);
      return self_.take(port, self_.machine().slot(self_.rank(), port));
    }

   private:
    Processor& self_;
  };

  /// co_await of what has been read from a memory.
  class Values : public detail::Awaiter {
   public:
    Values(Processor& self, std::size_t count) : self_(self), count_(count) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const {
      self_.control_.waiting_slot = count_;
      self_.suspend(detail::Waiting::values);
      detail::Engine::continue_next_cycle(self_.control_);
    }
    std::vector<Message<T>> await_resume() const {
      auto values = self_.machine().take_values(*self_.control_.worker, self_.rank(), count_);
      for (const Message<T>& value : values) {
        self_.control_.ready_time = std::max(self_.control_.ready_time, value.arrival);
      }
      return values;
    }

   private:
    Processor& self_;
    std::size_t count_;
  };
  class OneValue : private Values {
   public:
    explicit OneValue(const Values& values) : Values(values) {}
    using Values::await_ready;
    using Values::await_suspend;
    Message<T> await_resume() const { return std::move(Values::await_resume().front()); }
  };

  static Machine<T, Capacity>& machine_of(const detail::Worker& worker) {
    return static_cast<Machine<T, Capacity>&>(*worker.engine);
  }
  Machine<T, Capacity>& machine() const { return machine_of(*control_.worker); }

  void check_own() const {
#ifndef NDEBUG
    detail::check_visited(control_);
#endif
  }

  Port next_arrival(Port from) const { return machine().first_arrival(*control_.worker, rank(), from); }

  void require_source(Port port) {
    if (machine().on_medium()) {
      machine().require_peer(control_, port);
    } else {
      machine().outlet(control_, port);
    }
  }
  bool is_there(Port port) const {
    const detail::Worker& worker = *control_.worker;
    if (machine().on_medium()) return machine().place_from(worker, rank(), port) != detail::Inboxes::nowhere;
    return machine().has_arrived(worker, machine().slot(rank(), port));
  }

  void suspend(detail::Waiting waiting) {
    control_.waiting = waiting;
    control_.waiting_since = control_.worker->stamp;
  }

  // Inlined like exchange(): called, it saves and restores its caller's registers once more, and what exchange()
  // returns comes back in pieces that stall the next load.
  [[gnu::always_inline]] void transmit(Port port, T&& payload, double data_time) {
    detail::Worker& worker = *control_.worker;
    detail::Engine& engine = machine_of(worker);
    if (port >= engine.ports()) return transmit_to_peer(port, std::move(payload), data_time);
    const auto outlet = engine.outlet(control_, port);
    engine.begin_send(worker, control_, port);
    launch(worker, port, outlet, std::move(payload), data_time);
  }

  /// Sends to a processor that no port leads to: on a medium, which has no ports; elsewhere it fails.
  [[gnu::noinline]] void transmit_to_peer(Rank peer, T&& payload, double data_time) {
    if (!machine().on_medium()) machine().fail_no_link(control_, peer);
    const double arrival = begin_transaction({&peer, 1}, payload, data_time);
    machine().post_payload(*control_.worker, control_, peer, std::move(payload), arrival);
  }
  double begin_transaction(std::span<const Rank> to, const T& payload, double data_time) {
    return machine().begin_transaction(control_, to, words(payload), startups(payload, machine().model().cost),
                                       data_time);
  }

  /// Of an access to several slots: one block, unless it is to one slot and the payload says otherwise.
  std::uint64_t startups_of(const std::vector<std::pair<Slot, T>>& values, std::uint64_t length) const {
    const CostModel& cost = machine().model().cost;
    return values.size() == 1 ? startups(values.front().second, cost) : cost.startups(length);
  }

  void launch(detail::Worker& worker, Port port, const detail::Engine::Outlet& outlet, T&& payload, double data_time) {
    Machine<T, Capacity>& machine = machine_of(worker);
    const std::uint64_t length = words(payload);
    const std::uint64_t startup_count = startups(payload, machine.model().cost);
    const auto passage = machine.template pass<Machine<T, Capacity>::single_words>(
        worker, control_, port, outlet, Capacity, length, startup_count, data_time);
    machine.dispatch(worker, control_.rank, port, outlet.to, passage, length, std::move(payload));
  }

  Message<T> take(Port port, std::size_t slot) {
    detail::Worker& worker = *control_.worker;
    Machine<T, Capacity>& machine = machine_of(worker);
    Message<T> message = machine.on_medium() ? machine.take_from_inbox(worker, rank(), port)
                                             : machine.channels_.take(slot, machine.take(worker, slot), port);
    control_.ready_time = std::max(control_.ready_time, message.arrival);
    return message;
  }

  detail::Control control_;
};

}  // namespace lockstep
