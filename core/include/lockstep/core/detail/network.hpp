#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/detail/control.hpp"
#include "lockstep/core/detail/fault_table.hpp"
#include "lockstep/core/detail/mark_tree.hpp"
#include "lockstep/core/detail/payload_operations.hpp"
#include "lockstep/core/detail/port_tallies.hpp"
#include "lockstep/core/detail/worker.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/message.hpp"
#include "lockstep/core/processes.hpp"

namespace lockstep::detail {

/// The data that all parts of one machine share.
struct Ground {
  const Topology& topology;
  const Model model;
  const PayloadOperations& payload;
  const std::size_t capacity;          ///< of a channel or an inbox
  std::string name{};                  ///< of the run, for error messages
  const Division* division = nullptr;  ///< null: all processors are here
  std::optional<FaultTable> faults{};  ///< none: nothing fails

  /// Whether every message is one word, so that only messages are counted: an access to a memory may be several.
  bool counts_messages_as_words() const { return payload.single_words && !topology.medium(); }
};

/// A value that was read from a memory and has been taken: the receiver moves it out and destroys it.
struct TakenValue {
  void* payload;
  Slot slot;
  double arrival;
};

using TakeValue = std::function<void(const TakenValue&)>;

/// A message of the cycle that ends, as an observer sees it.
struct Sent {
  Rank from;
  Port port;
  End to;
  std::string_view phase{};
};

/// The links or the medium between the processors, behind the same verbs. Programs reach it through their Processor.
///
/// A verb that breaks a rule which the caller alone can break records that and throws RunError. Payloads that are not
/// const are moved from. Within a cycle every worker may use it for the processor that it visits; functions documented
/// as "at the barrier" are for the calling thread alone.
class Network {
 public:
  explicit Network(Ground& ground)
      : ground_(ground),
        marks_(ground.topology.processors()),
        tallies_(ground.topology.processors(), ground.model.ports) {}
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  const Topology& topology() const { return ground_.topology; }
  const Model& model() const { return ground_.model; }
  /// Which processors have something to do in the next cycle.
  MarkTree& marks() { return marks_; }
  PortTallies& tallies() { return tallies_; }

  /// Sends a message whose data was ready at `data_time`.
  virtual void send(Control& control, Port port, Passed payload, double data_time) = 0;
  /// Sends once everything taken has arrived, and makes the processor wait for a message of the same port from the next
  /// cycle on.
  virtual void exchange(Control& control, Port port, Passed payload) = 0;
  /// Sends copies on all of these ports, as one send where the machine has multicast.
  virtual void multicast(Control& control, std::span<const Port> on, const void* payload, double data_time) = 0;

  /// Prepares to take the next message of a port; returns whether it has arrived.
  virtual bool expect(Control& control, Port port) = 0;
  /// Takes the message that was expected and has arrived.
  virtual Taken take(Control& control) = 0;
  [[noreturn]] void fail_nothing_arrived(Control& control, Port port);

  /// Whether a message waits on the port; false if there is no such port.
  virtual bool arrived(const Control& control, Port port) const = 0;
  /// The lowest port >= from on which a message waits; sources() if there is none.
  virtual Port next_arrival(const Control& control, Port from) const = 0;
  /// One more than the highest port, or rank on a medium, from which a message can come.
  virtual Port sources() const = 0;
  virtual bool has_link(Rank rank, Port port) const = 0;
  /// Whether the port has a link that has not failed.
  bool is_up(const Control& control, Port port) const;
  /// Whether the awaited event has occurred; not for waits for a cycle or for a message on one link.
  virtual bool is_there(const Control& control) const = 0;

  /// The ports on which the processor has sent in this cycle, where it may send on several; none on a medium.
  virtual std::vector<Port> ports_sent_on(const Control& control) const = 0;

  // For a shared memory; elsewhere these fail.
  virtual void write(Control& control, std::span<const Slot> slots, std::span<void* const> payloads);
  virtual void read(Control& control, std::span<const Slot> slots);
  /// Calls take(value) for the first values that the processor has read and not taken.
  virtual void take_values(Control& control, std::size_t count, const TakeValue& take);

  /// The later of two times of arrival.
  virtual double later(Control&, double one, double other) { return std::max(one, other); }
  /// Where charges are observed: the processor, ready at `start` before, has charged that much work of that cost.
  virtual void charged(Control& control, double start, std::uint64_t amount, double CostModel::*cost);

  /// The factor by which the processor is slower than others.
  double slowness(Rank rank) const { return ground_.faults ? ground_.faults->slowness(rank) : 1.0; }

  // At the barrier.

  /// Called when the faults have changed, which takes effect in the next run.
  virtual void faults_changed() {}
  /// Destroys the messages that wait for a processor that fails when the cycle of `now` begins; returns their number.
  virtual std::uint64_t lose(Rank rank, Stamp now) = 0;

  /// Forgets an earlier run; the executor's threads may share the work.
  virtual void reset(Executor& executor) = 0;
  /// Destroys payloads that were never taken.
  virtual void clear() = 0;
  /// The messages of the cycle of `now`, by (from, port); `senders` are the processors that have sent one.
  virtual std::vector<Sent> sent(std::span<const Worker> workers, std::span<const Rank> senders, Stamp now) const = 0;
  /// Takes a message of this cycle back before it can be received: constructs its payload at `into` and returns its
  /// time of arrival.
  virtual double take_back(const Sent& sent, Stamp now, void* into) = 0;
  /// Delivers a message that an observer has left. Records a failure if there is no room. Throws std::out_of_range if
  /// the receiver does not exist.
  virtual void deliver(Worker& recorder, Rank sender, Port port, End to, void* payload, double arrival) = 0;

 protected:
  /// Records that the processor has broken a rule and throws it.
  [[noreturn]] void fail(Control& control, ErrorKind kind, std::vector<Port> ports, std::string rule) const;
  [[noreturn]] void fail_second_send(Control& control, Port port) const;
  /// Fails a send beyond the limit of k_ports().
  [[noreturn]] void fail_send_beyond(Control& control, std::vector<Port> ports) const;
  [[noreturn]] void fail_overflow(Control& control, Port port) const;
  [[noreturn]] void fail_link_down(Control& control, Port port, Rank peer) const;
  /// Whether the processor has failed by the cycle of `now`.
  bool is_gone(Rank rank, Stamp now) const { return ground_.faults && ground_.faults->fails(rank) <= cycle_of(now); }
  void record_overflow(Worker& recorder, Rank sender, Port port) const;
  /// The processor that the port, or the rank on a medium, leads to.
  Rank peer_of(Rank rank, Port port) const { return on_medium() ? port : topology().peer(rank, port).rank; }
  bool on_medium() const { return ground_.topology.medium().has_value(); }

  Ground& ground_;
  MarkTree marks_;
  PortTallies tallies_;
};

}  // namespace lockstep::detail
