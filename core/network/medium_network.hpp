#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "lockstep/core/detail/network.hpp"
#include "network/inboxes.hpp"
#include "network/letters.hpp"
#include "network/shared_memory.hpp"

namespace lockstep::detail {

struct Visits;

/// A copy of a value that was in a memory.
class HeldValue {
 public:
  HeldValue(const PayloadOperations& payload, Slot slot, double arrival);
  HeldValue(HeldValue&&) noexcept = default;
  HeldValue& operator=(HeldValue&&) noexcept = default;

  void* payload() const { return memory_.get(); }
  Slot slot;
  double arrival;

 private:
  struct Free {
    std::align_val_t alignment;
    void operator()(void* memory) const { ::operator delete(memory, alignment); }
  };
  std::unique_ptr<void, Free> memory_;  // the owner manages the payload's lifetime
};

/// The medium that processors share instead of links. On a bus and a switch ports are the ranks of other processors,
/// and every processor has an inbox; a memory has slots. Compiled once, for payloads of all types.
class MediumNetwork : public Network {
 public:
  explicit MediumNetwork(Ground& ground);

  /// Bytes that this many processors need, with this many slots if it is a memory.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t memory_slots, std::size_t capacity,
                             const PayloadOperations& payload);

  /// How many messages a processor may receive in a cycle.
  static std::size_t most_receipts(std::uint64_t processors, PortModel ports) {
    return is_k_ports(ports) ? std::clamp<std::size_t>(processors - 1, 1, port_limit(ports)) : 1;
  }

  /// Sets the number of slots of a memory from the next run on.
  void share(std::size_t slots) { slots_ = slots; }

  void send(Control& control, Port port, Passed payload, double data_time) override;
  void exchange(Control& control, Port port, Passed payload) override;
  void multicast(Control& control, std::span<const Port> on, const void* payload, double data_time) override;
  bool expect(Control& control, Port port) override;
  Taken take(Control& control) override;
  bool arrived(const Control& control, Port port) const override;
  Port next_arrival(const Control& control, Port from) const override;
  Port sources() const override { return ground_.topology.processors(); }
  bool has_link(Rank rank, Port port) const override;
  bool is_there(const Control& control) const override;
  void write(Control& control, std::span<const Slot> slots, std::span<void* const> payloads) override;
  void read(Control& control, std::span<const Slot> slots) override;
  void take_values(Control& control, std::size_t count, const TakeValue& take) override;

  std::vector<Port> ports_sent_on(const Control& control) const override;

  std::uint64_t lose(Rank rank, Stamp now) override;
  void reset(Executor& executor) override;
  void clear() override;
  std::vector<Sent> sent(std::span<const Worker> workers, std::span<const Rank> senders, Stamp now) const override;
  double take_back(const Sent& sent, Stamp now, void* into) override;
  void deliver(Worker& recorder, Rank sender, Port port, End to, void* payload, double arrival) override;

  /// Where all share one path, transfers of later cycles wait for those of this one.
  void end_cycle(std::span<const Worker> workers);

  // For a machine that is divided over processes: each process keeps the data of all processors that the rules need,
  // and all slots of a memory.

  /// The data of the cycle for the other processes: `moved` transactions of the visited processors. Removes the
  /// payloads that were sent to processors elsewhere.
  Bytes pack_cycle(std::span<const Worker> workers, std::span<const Visits> visited, const Control* controls,
                   std::uint64_t moved);
  /// Applies another process's packed data and returns its number of transactions. Throws std::runtime_error if it
  /// belongs to another cycle or another process.
  std::uint64_t unpack_cycle(const Bytes& received, unsigned process, Worker& recorder, Control* controls);

  /// The messages of one cycle, by (from, to); on a memory, the writes.
  static std::vector<Crossing> crossings(std::span<const Worker> workers);

  /// The writes and then the reads of one cycle, as (rank, slot), without failed reads.
  std::vector<Crossing> accesses(std::span<const Worker> workers) const;

  /// The earliest message that was never received; on a memory, only its owner.
  struct Undelivered {
    Rank rank;
    Rank peer;
    Stamp sent;
  };
  Undelivered first_undelivered() const;

 private:
  /// The values that one processor has read from a memory and not taken, the latest last.
  struct Reader {
    std::deque<HeldValue> values;
    std::size_t fresh = 0;  ///< how many of them were read in its latest cycle with a read
  };

  bool is_memory() const { return medium_.kind == MediumKind::memory; }
  void require_peer(Control& control, Rank peer) const;
  void count_send(Control& control, std::span<const Rank> to);
  double begin_transaction(Control& control, std::span<const Rank> to, const void* payload, double data_time);
  /// Whether the receiver may take a message more in this cycle.
  bool claim(Rank to, double arrival, Stamp now) {
    return tallies_.empty() ? inboxes_.claim(to, now) : tallies_.book_receipt(to, arrival);
  }
  void post(Control& control, Rank to, void* payload, double arrival);
  void begin_access(Control& control, std::span<const Slot> slots) const;
  double end_access(Control& control, std::uint64_t words, std::uint64_t startup_count, double data_time);
  double count_transfer(const Control& control, std::uint64_t words, std::uint64_t startup_count, double start) const;
  /// The reads of the cycle by processors of this process, as (rank, slot).
  std::vector<Crossing> reads(std::span<const Worker> workers) const;
  /// Where the payload of a crossing of the cycle lies; Inboxes::nowhere if another one crossed to there before.
  std::size_t place_of(const Crossing& crossing, Stamp now) const;
  void take_over(const Crossing& crossing, void* payload, double arrival, Worker& recorder);
  void destroy(void* payload) const {
    if (ground_.payload.destroy != nullptr) ground_.payload.destroy(payload);
  }

  const Medium medium_;
  double clock_ = 0;  // bus and memory: modelled time at which the transfers of earlier cycles have ended
  std::vector<double> receive_clock_;
  Inboxes inboxes_;
  std::optional<Letters> letters_;  // by the places of the inboxes
  std::optional<SharedMemory> memory_;
  std::vector<Reader> readers_;           // of a memory, by rank
  std::vector<Crossing> read_elsewhere_;  // of a memory: reads of the latest cycle by processors of other processes
  std::vector<std::max_align_t> came_;    // a payload on its way
  std::size_t slots_;
};

}  // namespace lockstep::detail
