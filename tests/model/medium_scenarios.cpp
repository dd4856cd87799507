#include <array>
#include <optional>
#include <vector>

#include "cycles.hpp"
#include "lockstep/core/error.hpp"
#include "network/medium_network.hpp"
#include "parcel.hpp"
#include "scenarios.hpp"

namespace lockstep::model {

namespace {

using namespace detail;

/// The network of a medium requires an executor but does not use it.
class NoExecutor : public Executor {
 public:
  void run(std::size_t, unsigned, Body, void*) override {}
  std::string_view name() const override { return "none"; }
};

/// Processors on a medium.
class OnMedium : public Cycles {
 protected:
  OnMedium(Rank processors, unsigned cycles, MediumKind kind, std::size_t capacity, PortModel ports = PortModel::one)
      : Cycles(workers, cycles),
        topology_("medium", processors, {.kind = kind}),
        ground_{topology_, {.ports = ports}, operations_of<Parcel>, capacity},
        network_(ground_) {
    network_.share(1);
    NoExecutor executor;
    network_.reset(executor);
    for (unsigned worker = 0; worker < workers; ++worker) {
      workers_[worker].index = worker;
      workers_[worker].network = &network_;
    }
    for (Rank rank = 0; rank < processors; ++rank) {
      controls_[rank].rank = rank;
      controls_[rank].worker = &workers_[rank % workers];
    }
  }
  ~OnMedium() override { network_.clear(); }

  void begin(unsigned cycle) override {
    for (Worker& worker : workers_) {
      worker.begin(cycle);
      worker.collided = false;
      worker.crossings.clear();
    }
  }

  bool try_send(Rank from, Rank to, std::uint64_t word) {
    Parcel parcel{word};
    try {
      network_.send(controls_[from], to, pass(parcel), 0);
    } catch (const RunError& error) {
      expect(error.kind() == ErrorKind::overflow, "a send fails for another reason than an overflow");
      return false;
    }
    return true;
  }
  std::optional<std::uint64_t> receive(Rank rank, Rank from) {
    if (!network_.expect(controls_[rank], from)) return std::nullopt;
    return take_word(network_.take(controls_[rank]).payload);
  }
  void write(Rank rank, std::uint64_t word) {
    Parcel parcel{word};
    const Slot slot = 0;
    void* const payload = &parcel;
    network_.write(controls_[rank], {&slot, 1}, {&payload, 1});
  }
  std::uint64_t read(Rank rank) {
    const Slot slot = 0;
    network_.read(controls_[rank], {&slot, 1});
    std::uint64_t word = 0;
    network_.take_values(controls_[rank], 1, [&](const TakenValue& value) {
      word = static_cast<Parcel*>(value.payload)->word;
      std::destroy_at(static_cast<Parcel*>(value.payload));
    });
    return word;
  }
  unsigned collisions() const {
    unsigned count = 0;
    for (const Worker& worker : workers_) count += worker.collided ? 1 : 0;
    return count;
  }

  static constexpr unsigned workers = 2;

  const Topology topology_;
  Ground ground_;
  MediumNetwork network_;
  std::array<Control, 3> controls_;
  std::array<Worker, workers> workers_;
};

/// An inbox for one message: a send in the cycle in which it is emptied finds it full, in either order, and in the next
/// cycle free.
class Inbox : public OnMedium {
 public:
  explicit Inbox(bool reads_early = false) : OnMedium(2, 4, MediumKind::bus, 1), reads_early_(reads_early) {}

 private:
  void begin(unsigned cycle) override {
    OnMedium::begin(cycle);
    if (reads_early_) ++workers_[1].stamp;
  }
  void work(unsigned worker, unsigned cycle) override {
    if (worker == 0) {
      if (cycle == 3) return;
      expect(try_send(0, 1, 100 + cycle) == (cycle != 1), "whether there is room depends on the order");
    } else {
      const std::optional<std::uint64_t> word = receive(1, 0);
      expect(word.has_value() == (cycle % 2 == 1), "a message does not arrive in the next cycle");
      expect(!word || *word == 99 + cycle, "a message arrives that was not sent");
    }
  }

  const bool reads_early_;
};

/// Two processors send to a third one: one message arrives, and the barrier counts the other.
class Claim : public OnMedium {
 public:
  Claim() : OnMedium(3, 2, MediumKind::crossbar, 2) {}

 private:
  void work(unsigned worker, unsigned cycle) override {
    if (cycle == 0) return expect(try_send(worker, 2, 100 + worker), "an empty inbox is full");
    if (worker != 0) return;
    unsigned arrived = 0;
    for (Rank from = 0; from < 2; ++from) {
      const std::optional<std::uint64_t> word = receive(2, from);
      arrived += word ? 1 : 0;
      expect(!word || *word == 100 + from, "a message arrives that was not sent");
    }
    expect(arrived == 1, "not exactly one of two messages arrives in the next cycle");
  }
  void barrier(unsigned cycle) override {
    if (cycle == 0) expect(collisions() == 1, "not exactly one of two senders has collided");
  }
};

/// Two processors send to a third one that may receive twice: both messages arrive.
class TwoPorts : public OnMedium {
 public:
  TwoPorts() : OnMedium(3, 2, MediumKind::crossbar, 1, PortModel::two) {}

 private:
  void work(unsigned worker, unsigned cycle) override {
    if (cycle == 0) return expect(try_send(worker, 2, 100 + worker), "an empty inbox is full");
    if (worker != 0) return;
    for (Rank from = 0; from < 2; ++from) {
      expect(receive(2, from) == 100 + from, "one of two messages does not arrive in the next cycle");
    }
  }
  void barrier(unsigned cycle) override {
    expect(collisions() == 0, "one of two senders has collided");
    expect(!network_.tallies().end_cycle(2), "two messages are more than two ports may receive");
    expect(cycle > 0 || network_.tallies().receive_clock(2) == 2, "a transfer of one word does not end at 2");
  }
};

/// One processor writes a slot in every cycle, the other reads the value from before the cycle.
class Rewritten : public OnMedium {
 public:
  explicit Rewritten(bool reads_early = false) : OnMedium(2, 3, MediumKind::memory, 1), reads_early_(reads_early) {}

 private:
  void begin(unsigned cycle) override {
    OnMedium::begin(cycle);
    if (reads_early_) ++workers_[1].stamp;
  }
  void work(unsigned worker, unsigned cycle) override {
    if (worker == 0) {
      write(0, 100 + cycle);
    } else if (cycle > 0) {
      expect(read(1) == 99 + cycle, "a value is not read in the next cycle");
    }
  }
  void barrier(unsigned) override { expect(collisions() == 0, "a sole writer has collided"); }

  const bool reads_early_;
};

/// Two processors write one slot: both read the same one of the two values in the next cycle, and the barrier counts
/// the other.
class Written : public OnMedium {
 public:
  Written() : OnMedium(2, 2, MediumKind::memory, 1) {}

 private:
  void work(unsigned worker, unsigned cycle) override {
    if (cycle == 0) {
      write(worker, 100 + worker);
    } else {
      read_[worker] = read(worker);
    }
  }
  void barrier(unsigned cycle) override {
    if (cycle == 0) return expect(collisions() == 1, "not exactly one of two writers has collided");
    expect(read_[0] == read_[1] && (read_[0] == 100 || read_[0] == 101), "a slot has two values");
  }

  std::array<Owned<std::uint64_t>, 2> read_;
};

}  // namespace

std::vector<Case> medium_cases() {
  return {make_case<Inbox>("full inbox", 2), make_case<Claim>("inbox that two send to", 2),
          make_case<TwoPorts>("inbox of two ports", 2), make_case<Rewritten>("slot that is written again", 2),
          make_case<Written>("slot that two write", 2)};
}

Case early_inbox_reader() { return make_case<Inbox>("inbox that is read a cycle early", 2, true); }
Case early_memory_reader() { return make_case<Rewritten>("slot that is read a cycle early", 2, true); }

}  // namespace lockstep::model
