#pragma once

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "omega.hpp"
#include "outcome.hpp"

// The reference model: the outcome of a scenario by the words of docs/semantics.md, cycle by cycle and processor by
// processor, with plain containers.
namespace lockstep::reference {

/// Executes one scenario. The rules are virtual so that tests can break each and check that this is noticed.
class Simulation {
 public:
  explicit Simulation(const Scenario& scenario);
  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  Outcome run();

 protected:
  struct Message {
    Parcel parcel;
    Cycle sent = 0;
    double arrival = 0;
    bool taken = false;  ///< in this cycle; removed at the barrier
  };

  /// One direction of a link.
  struct Link {
    std::deque<Message> messages;  ///< oldest first
    std::uint64_t words = 0;
    std::uint64_t sent = 0;
    double clock = 0;  ///< under `all`: when its two ports are free
  };

  /// A value that a processor wrote into a slot.
  struct Value {
    Rank writer = nobody;
    Cycle written = 0;
    Parcel parcel;
    double arrival = 0;
  };
  using Slots = std::vector<std::vector<Value>>;  ///< all values ever written, oldest first

  struct Taken {
    Parcel parcel;
    double arrival = 0;
  };

  /// A list of operations that is being executed.
  struct Frame {
    const Program* program;
    std::size_t next;
    bool catches;
  };

  enum class Waiting { nothing, cycle, message, any_message, values, ended };

  struct Processor {
    Rank rank = 0;
    std::vector<Frame> frames;
    Waiting waiting = Waiting::nothing;
    Cycle wake = 0;             ///< not resumed before this cycle
    bool asked = true;          ///< to be visited in the cycle `wake`
    Verb verb{};                ///< that waits
    Port port = 0;              ///< on which it waits
    Cycle since = 0;            ///< when it began to wait
    std::vector<Port> reads;    ///< slots whose values it waits for
    std::vector<Taken> values;  ///< of these slots
    std::vector<Taken> kept;
    double ready = 0;           ///< latest arrival of the messages taken, or end of local work
    double send_clock = 0;      ///< unless under `all`: when it can send again, on a memory when it can access it again
    double receive_clock = 0;   ///< unless under `all`: when it can receive again
    double sent_until = 0;      ///< under `limited`: the next send_clock
    double received_until = 0;  ///< under `limited`: the next receive_clock
    std::uint64_t sends_made = 0;  ///< under `limited`: in this cycle
    std::vector<Port> sends;     ///< ports on which the port model let it send in this cycle, even into a full channel
                                 ///< or inbox; the slots of its access to a memory, even to read one without a value
    std::vector<Port> accesses;  ///< slots that it has written or read in this cycle
    std::uint64_t copied = 0;    ///< in this cycle
    std::uint64_t computed = 0;  ///< likewise, in operations
    std::uint64_t phase = 0;
    Log log;
  };

  /// A rule that a processor breaks on its own.
  struct Violation {
    Kind kind;
    std::vector<Port> ports;
  };
  /// The exception that a program throws.
  struct Thrown {};

  struct Phase {
    PhaseCounts counts;
    std::optional<Cycle> first;
    std::uint64_t longest = 0;  ///< of this cycle
    bool moved = false;         ///< in this cycle
  };

  // The rules.

  /// Whether the message can be received in this cycle.
  virtual bool has_arrived(const Message& message) const { return !message.taken && message.sent < now_; }
  /// Whether a channel has no room for a message of this cycle.
  virtual bool is_full(const Link& link) const;
  /// The ports on which a processor receives in this cycle: a receive is charged to the cycle of sending.
  virtual std::vector<Port> received_on(Rank rank) const;
  /// The start of a transfer of data that is ready at the given time.
  virtual double start(const Processor& sender, const Link& link, const Processor& receiver, double data) const;
  /// The time at which the data of a forwarded message was ready.
  virtual double time_of_forward(const Processor&, const Taken& message) const { return message.arrival; }
  /// The end of a local copy, which begins when the processor's data is ready.
  virtual double end_of_copy(const Processor& processor, std::uint64_t words) const {
    return processor.ready + static_cast<double>(words) * scenario_.rules.copy_cost;
  }
  /// The same for arithmetic.
  virtual double end_of_arithmetic(const Processor& processor, std::uint64_t operations) const {
    return processor.ready + static_cast<double>(operations) * scenario_.rules.flop;
  }
  virtual std::uint64_t startups(const Parcel& parcel) const;
  /// The failure to report among those of one cycle.
  virtual const Failure& first(const std::vector<Failure>& failures) const;
  /// Visits a processor: its program continues if the awaited data is there.
  virtual void look_at(Processor& processor);

  // The rules of media.

  /// Most transactions or accesses of a cycle.
  virtual std::uint64_t users() const { return scenario_.medium->users; }
  /// Whether an inbox has no room for a message of this cycle.
  virtual bool inbox_is_full(Rank rank) const;
  /// The sender of the next message among those that have arrived.
  virtual Port first_arrival(Rank rank) const;
  /// The value that a read of this cycle finds in a slot; null if none.
  virtual const Value* content(Port slot) const;
  virtual std::optional<Failure> blocked(const std::vector<Crossing>& crossings) const;
  virtual std::optional<Failure> written_by_several(Port slot) const;
  /// Checks a processor that has sent and has received from `senders`.
  virtual std::optional<Failure> both_ways(Rank rank, const std::vector<Rank>& senders) const;
  /// The earliest start of this cycle's transfers.
  virtual double medium_clock() const;
  virtual double start_of_transaction(const Processor& sender, const std::vector<Rank>& receivers, double data) const;
  virtual std::uint64_t startups_of_access(const std::vector<Parcel>& parcels) const;

  Port ports() const { return wiring_.empty() ? 0 : static_cast<Port>(wiring_[0].size()); }
  std::vector<Port> arrivals(Rank rank) const;
  Link& inbound(Rank rank, Port port) { return links_[rank][port]; }
  const Link& inbound(Rank rank, Port port) const { return links_[rank][port]; }
  bool sends_one() const { return scenario_.rules.ports == Ports::one || scenario_.rules.ports == Ports::one_strict; }
  bool is_limited() const { return scenario_.rules.ports == Ports::limited; }
  /// How many sends a processor may make in a cycle under `limited`.
  virtual std::size_t most_sends() const { return scenario_.rules.limit; }
  /// How many messages a processor may receive in a cycle.
  virtual std::size_t most_receives() const {
    if (is_limited()) return scenario_.rules.limit;
    return scenario_.rules.ports == Ports::all ? ~std::size_t{0} : 1;
  }

  const Scenario& scenario_;
  const Wiring wiring_;
  std::vector<Processor> processors_;
  std::vector<std::vector<Link>> links_;  ///< by the receiving rank and port
  Slots slots_;
  double ended_ = 0;         ///< when the last transfer of earlier cycles ended
  double worked_until_ = 0;  ///< when the last copy or arithmetic ended
  Cycle now_ = 0;
  Outcome outcome_;

 private:
  bool has_link(Rank rank, Port port) const;
  void require_link(const Processor& processor, Port port) const;
  bool arrived(Rank rank, Port port) const;

  // One processor.
  bool is_due(const Processor& processor) const;
  bool may_go_on(const Processor& processor) const;
  void run_program(Processor& processor);
  void perform(Processor& processor, const Operation& operation);
  void perform_or_unwind(Processor& processor, const Operation& operation);
  void unwind(Processor& processor, const Operation& operation, Kind kind, const std::vector<Port>& ports);
  void send(Processor& processor, const std::vector<Port>& ports, const Parcel& parcel, double data);
  double transmit(Processor& processor, Port port, const Parcel& parcel, double data);
  void begin_send(Processor& processor, const std::vector<Port>& ports);
  double count_transfer(const Processor& processor, std::uint64_t words, std::uint64_t startup_count);
  void end_transfer(double end);
  void transact(Processor& processor, const std::vector<Rank>& receivers, const Parcel& parcel, double data);
  void begin_access(Processor& processor, const std::vector<Port>& slots);
  double access(Processor& processor, const std::vector<Parcel>& parcels, double data);
  void write(Processor& processor, const Operation& operation);
  void read(Processor& processor, const std::vector<Port>& slots);
  void take_values(Processor& processor);
  void receive(Processor& processor, Port port, Verb verb);
  void sleep(Processor& processor, Verb verb, Cycle wake);
  void note(Processor& processor, Verb verb, Port port = 0, Word value = 0, double arrival = 0);

  // All of them.
  bool all_ended() const;
  Rank first_running() const;
  bool begin_next_cycle();
  void end_cycle();
  void judge(Rank rank);
  std::optional<Failure> bank_in_use(Port bank) const;
  void judge_medium();
  void fail(Kind kind, Cycle cycle, Rank rank, std::vector<Port> ports = {}, std::vector<Wait> waits = {});
  Wait wait_of(const Processor& processor) const;
  std::vector<Wait> deadlock() const;
  void check_undelivered();
  void finish();

  std::set<Rank> woken_;  ///< receivers of messages of the cycle before

  // Of this cycle.
  std::vector<Failure> failures_;
  CycleCounts cycle_counts_;
  double costliest_ = 0;
  std::set<Rank> sent_to_;

  std::map<std::uint64_t, Phase> phases_;
};

inline Outcome simulate(const Scenario& scenario) { return Simulation(scenario).run(); }

}  // namespace lockstep::reference
