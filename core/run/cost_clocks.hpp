#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "cycle/ledger.hpp"
#include "lockstep/core/detail/link_network.hpp"
#include "lockstep/core/run_options.hpp"
#include "run/machine_parts.hpp"

namespace lockstep::detail {

/// The modelled clocks of a run under several costs: a network in front of the links, which carry the messages and
/// count them as ever. Programs reach the links through it, so that a run under one model pays nothing. Every time is
/// one number for each model, side by side: a "times".
///
/// Arrivals are kept in a ring for each worker, and what a message brings as its arrival is a number for its times
/// there, below zero; 0 stands for itself, and Control::ready_time is `everything`, which stands for all that the
/// processor has taken. Of its ring a worker may fill one half in a cycle; times older than the other half at the
/// beginning of the cycle count as forgotten, and end the run. So no times are read that another worker may change.
///
/// Thread-safety: as that of LinkNetwork. The clocks of a link belong to its sender, those of a receiver under one-port
/// to its sender in the cycle.
class CostClocks final : public Network {
 public:
  /// Null without further costs, and where the times cannot be kept, see Report::other_times. Throws
  /// std::invalid_argument for costs that do not fit the machine's.
  static std::unique_ptr<CostClocks> make(MachineParts& parts, bool is_observed, const RunOptions& options);

  /// The rings of the workers have that many entries each, a power of two.
  CostClocks(Ground& ground, LinkNetwork& links, std::vector<CostModel> costs, unsigned workers, std::uint64_t entries);

  /// What ready_time is instead of a time.
  static constexpr double everything = std::numeric_limits<double>::infinity();

  /// Books a cycle, at its barrier. Throws ArrivalsForgotten.
  void book(const Totals& totals);
  /// Fills in the times of the run.
  void settle(Report& report) const;

  void send(Control& control, Port port, Passed payload, double data_time) override;
  void exchange(Control& control, Port port, Passed payload) override;
  void multicast(Control& control, std::span<const Port> on, const void* payload, double data_time) override;
  Taken take(Control& control) override;
  double later(Control& control, double one, double other) override;
  void charged(Control& control, double start, std::uint64_t amount, double CostModel::*cost) override;

  bool expect(Control& control, Port port) override { return links_.expect(control, port); }
  bool arrived(const Control& control, Port port) const override { return links_.arrived(control, port); }
  Port next_arrival(const Control& control, Port from) const override { return links_.next_arrival(control, from); }
  Port sources() const override { return links_.sources(); }
  bool has_link(Rank rank, Port port) const override { return links_.has_link(rank, port); }
  bool is_there(const Control& control) const override { return links_.is_there(control); }
  std::vector<Port> ports_sent_on(const Control& control) const override { return links_.ports_sent_on(control); }

  // The barrier asks the links themselves.
  std::uint64_t lose(Rank rank, Stamp now) override { return links_.lose(rank, now); }
  void reset(Executor& executor) override { links_.reset(executor); }
  void clear() override { links_.clear(); }
  std::vector<Sent> sent(std::span<const Worker> workers, std::span<const Rank> senders, Stamp now) const override {
    return links_.sent(workers, senders, now);
  }
  double take_back(const Sent& sent, Stamp now, void* into) override { return links_.take_back(sent, now, into); }
  void deliver(Worker& recorder, Rank sender, Port port, End to, void* payload, double arrival) override {
    links_.deliver(recorder, sender, port, to, payload, arrival);
  }

 private:
  /// What belongs to one worker.
  struct alignas(128) Kept {
    std::vector<std::unique_ptr<double[]>> ring;  // of `entries_` arrivals, in chunks that are made when they are used
    std::uint64_t next = 0;                       // the number of the next entry
    std::uint64_t cycle_first = 0;                // of the first entry of the cycle; changes at barriers only
    bool has_forgotten = false;
    std::vector<double> costliest;  // of the cycle
    std::vector<double> latest;     // of the run
  };
  /// The length of a message as its sender's worker has counted it.
  struct Length {
    double startups;
    double words;
  };
  /// The counts of a worker in the phase of the processor before it sends.
  struct CountsBefore {
    explicit CountsBefore(const Control& control)
        : words(control.worker->phases[control.phase].words), startups(control.worker->extra_startups) {}
    std::uint64_t words;
    std::uint64_t startups;
  };

  /// Bytes of the clocks, with that many entries in all rings together.
  static std::uint64_t bytes(const Ground& ground, std::size_t models, std::uint64_t entries);

  Kept& kept(const Control& control) { return kept_[control.worker->index]; }
  double* ready(Rank rank) { return clocks_.data() + rank * clocks_of_one_; }
  double* send_clock(Rank rank) { return ready(rank) + models_; }
  double* receive_clock(Rank rank) { return ready(rank) + 2 * models_; }
  double* link_clock(End to) { return link_clocks_.data() + slot(to) * models_; }
  std::size_t slot(End end) const { return std::size_t{end.port} * ranks_ + end.rank; }

  /// The times of an entry, whose chunk exists.
  double* entry_of(const Kept& kept, std::uint64_t entry) const {
    const std::uint64_t place = entry & (entries_ - 1);
    return kept.ring[place >> chunk_bits_].get() + (place & ((std::uint64_t{1} << chunk_bits_) - 1)) * models_;
  }
  /// The times for which the number stands.
  const double* times_of(Control& control, double arrival);
  /// Where data_time stands for what the processor has taken, its ready times, else times_of().
  const double* data_times(Control& control, double data_time);
  /// A new entry; sets the number that stands for it.
  double* new_times(Kept& kept, unsigned worker, double& number);

  /// The length of each of `messages` equal messages that the processor has sent since.
  Length length_since(const CountsBefore& before, const Control& control, std::size_t messages) const;
  /// Books a message that the links have taken.
  void book(Control& control, Port port, const double* data, Length length);

  LinkNetwork& links_;
  const std::vector<CostModel> costs_;  // the machine's first
  const std::size_t models_;
  const std::size_t ranks_;
  const bool one_port_;
  const std::uint64_t entries_;  // of a ring, a power of two
  const unsigned chunk_bits_;    // of the number of entries in a chunk
  const std::size_t clocks_of_one_;
  std::vector<double> betas_;
  std::vector<double> taus_;
  std::vector<double> zeros_;
  std::vector<double> synchronous_;
  std::vector<double> arithmetic_;
  std::vector<Kept> kept_;          // by workers
  LargeArray<double> clocks_;       // by ranks: ready times and, under one-port, those of sends and of receipts
  LargeArray<double> link_clocks_;  // by slots; empty under one-port
  LargeArray<double> arrivals_;     // numbers, by slots and places
};

}  // namespace lockstep::detail
