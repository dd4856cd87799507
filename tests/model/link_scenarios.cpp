#include <array>
#include <optional>
#include <vector>

#include "cycles.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "lockstep/core/error.hpp"
#include "parcel.hpp"
#include "scenarios.hpp"

namespace lockstep::model {

namespace {

using namespace detail;

/// Processors joined by links, with the parts of a run that they need.
template <std::size_t capacity, bool all_ports, ChannelKind kind>
class Linked : public Cycles {
 protected:
  Linked(unsigned cycles, Topology topology)
      : Cycles(workers, cycles),
        topology_(std::move(topology)),
        ground_{topology_, {.ports = all_ports ? PortModel::all : PortModel::one}, operations_of<Parcel>, capacity},
        links_(ground_) {
    for (unsigned worker = 0; worker < workers; ++worker) {
      workers_[worker].index = worker;
      workers_[worker].network = &links_;
    }
    for (Rank rank = 0; rank < topology_.processors(); ++rank) {
      controls_[rank].rank = rank;
      controls_[rank].worker = &workers_[rank % workers];
    }
    freeze();  // where ports lead
  }
  ~Linked() override { links_.clear(); }

  void begin(unsigned cycle) override {
    for (Worker& worker : workers_) worker.begin(cycle);
  }

  void send(Rank rank, Port port, std::uint64_t word) {
    Parcel parcel{word};
    links_.send(controls_[rank], port, pass(parcel), controls_[rank].ready_time);
  }
  /// Returns whether the channel had room.
  bool try_send(Rank rank, Port port, std::uint64_t word) {
    try {
      send(rank, port, word);
    } catch (const RunError& error) {
      expect(error.kind() == ErrorKind::overflow, "a send fails for another reason than an overflow");
      return false;
    }
    return true;
  }
  /// Takes the message of a port, if one has arrived.
  std::optional<std::uint64_t> receive(Rank rank, Port port) {
    if (!links_.expect(controls_[rank], port)) return std::nullopt;
    return take_word(links_.take(controls_[rank]).payload);
  }

  /// The marked ranks, as bits.
  std::uint64_t marked() {
    std::uint64_t ranks = 0;
    links_.marks().drain([&](const MarkTree::Group& group) { ranks |= group.received; });
    return ranks;
  }
  static Stamp stamp(unsigned cycle) { return stamp_of(cycle); }

  static constexpr unsigned workers = 2;

  const Topology topology_;
  Ground ground_;
  Links<Parcel, capacity, all_ports ? PortUse::all : PortUse::one, kind> links_;
  std::array<Control, 3> controls_;
  std::array<Worker, workers> workers_;
};

Topology pair() {
  return Topology("pair", 2, 1, [](Rank rank, Port) { return End{1 - rank, 0}; });
}

/// The fault of the receiver or the sender.
enum class Wrong { nothing, early_reader, early_place };

/// One processor sends in every cycle, the other takes each message in the next cycle.
template <bool all_ports, ChannelKind kind>
class Stream : public Linked<2, all_ports, kind> {
 public:
  explicit Stream(unsigned messages) : Linked<2, all_ports, kind>(messages + 1, pair()), messages_(messages) {}

 private:
  void work(unsigned worker, unsigned cycle) override {
    if (worker == 0) {
      if (cycle < messages_) this->send(0, 0, 100 + cycle);
      return;
    }
    const std::optional<std::uint64_t> word = this->receive(1, 0);
    expect(word.has_value() == (cycle > 0), "a message does not arrive in the next cycle");
    expect(!word || *word == 99 + cycle, "a message arrives that was not sent");
    expect(!this->receive(1, 0), "a message arrives twice, or early");
  }
  void barrier(unsigned cycle) override {
    expect(this->marked() == (cycle < messages_ ? 2U : 0U), "not only the receiver is marked");
    expect(this->links_.has_carried({1, 0}, this->stamp(cycle)) == (cycle < messages_), "a link is used wrongly");
  }

  const unsigned messages_;
};

/// A channel for one message: a send in the cycle in which it is emptied finds it full, in either order, and in the
/// next cycle free.
template <ChannelKind kind>
class Full : public Linked<1, true, kind> {
 public:
  explicit Full(Wrong wrong = Wrong::nothing) : Linked<1, true, kind>(4, pair()), wrong_(wrong) {}

 private:
  void begin(unsigned cycle) override {
    Linked<1, true, kind>::begin(cycle);
    Worker& receiver = this->workers_[1];
    if (wrong_ == Wrong::early_reader) ++receiver.stamp;
    if (wrong_ == Wrong::early_place) receiver.empty_now = empty(receiver.stamp - 1);
  }
  void work(unsigned worker, unsigned cycle) override {
    if (worker == 0) {
      if (cycle == 3) return;
      expect(this->try_send(0, 0, 100 + cycle) == (cycle != 1), "whether there is room depends on the order");
    } else {
      const std::optional<std::uint64_t> word = this->receive(1, 0);
      expect(word.has_value() == (cycle % 2 == 1), "a message does not arrive in the next cycle");
      expect(!word || *word == 99 + cycle, "a message arrives that was not sent");
    }
  }

  const Wrong wrong_;
};

/// Both processors exchange messages in every cycle.
template <bool all_ports, ChannelKind kind>
class Exchange : public Linked<2, all_ports, kind> {
 public:
  explicit Exchange(unsigned exchanges) : Linked<2, all_ports, kind>(exchanges + 1, pair()), exchanges_(exchanges) {}

 private:
  void work(unsigned worker, unsigned cycle) override {
    Control& control = this->controls_[worker];
    if (cycle > 0) {
      expect(has_arrived(control.waiting_link->first(), control.worker->stamp), "an exchange brings nothing");
      const std::uint64_t word = take_word(this->links_.take(control).payload);
      expect(word == 10 * (cycle - 1) + (1 - worker), "an exchange brings something else");
    }
    if (cycle == exchanges_) return;
    Parcel parcel{10 * std::uint64_t{cycle} + worker};
    this->links_.exchange(control, 0, pass(parcel));
  }
  void barrier(unsigned cycle) override {
    expect(this->marked() == (cycle < exchanges_ ? 3U : 0U), "not exactly both are marked");
  }

  const unsigned exchanges_;
};

/// Two processors send to a third one in one cycle, on ports that are looked up in that cycle. With one port that
/// breaks a rule, reported at the barrier; the accesses are those of a legal run.
template <bool all_ports>
class Meeting : public Linked<2, all_ports, ChannelKind::compact> {
 public:
  Meeting()
      : Linked<2, all_ports, ChannelKind::compact>(2, Topology::computed("star", 3, 2, [](Rank rank, Port port) {
                                                     if (rank == 2) return End{port, 0};
                                                     return port == 0 ? End{2, rank} : End{};
                                                   })) {}

 private:
  void work(unsigned worker, unsigned cycle) override {
    if (cycle == 0) {
      if constexpr (all_ports) expect(this->links_.has_link(2, 0), "a link is not found");  // both look it up
      return this->send(worker, 0, 100 + worker);
    }
    if (worker != 0) return;
    for (Port port = 0; port < 2; ++port) {
      expect(this->receive(2, port) == 100 + port, "a message arrives that was not sent");
    }
  }
  void barrier(unsigned cycle) override {
    expect(this->marked() == (cycle == 0 ? 4U : 0U), "not only the receiver is marked");
    expect(this->links_.received_on(2, this->stamp(cycle)).size() == (cycle == 0 ? 2U : 0U),
           "the barrier sees other messages than were sent");
  }
};

}  // namespace

std::vector<Case> link_cases() {
  constexpr auto compact = ChannelKind::compact;
  constexpr auto lockfree = ChannelKind::lockfree;
  return {make_case<Stream<true, compact>>("stream over a compact channel", 2, 3U),
          make_case<Stream<false, compact>>("stream under one-port", 2, 3U),
          make_case<Stream<true, lockfree>>("stream over a queue", 2, 2U),
          make_case<Full<compact>>("full compact channel", 2),
          make_case<Full<lockfree>>("full queue", 2),
          make_case<Exchange<true, compact>>("exchange over compact channels", 2, 2U),
          make_case<Exchange<false, lockfree>>("exchange over queues", 2, 2U),
          make_case<Meeting<true>>("two senders meet", 2),
          make_case<Meeting<false>>("two senders meet under one-port", 2)};
}

Case early_reader() {
  return make_case<Full<ChannelKind::compact>>("link that is read a cycle early", 2, Wrong::early_reader);
}
Case early_place() {
  return make_case<Full<ChannelKind::compact>>("place that is free in the same cycle", 2, Wrong::early_place);
}

}  // namespace lockstep::model
