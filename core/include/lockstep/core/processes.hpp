#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/core/packing.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep {

// One machine whose processors are divided over processes of the operating system (docs/clusters.md).

/// The processes that run one machine together, and their exchanges between cycles. All call the same functions in the
/// same order, each from one thread; a call returns when every participant has made it. A transport that fails ends all
/// processes, so no function reports an error.
class Processes {
 public:
  virtual ~Processes() = default;

  /// How many there are.
  virtual unsigned count() const = 0;
  /// The number of this process: 0 .. count()-1.
  virtual unsigned own() const = 0;

  /// Sends outgoing[i] to process others[i] and returns the bytes received from there, in the same order. `others` is
  /// ascending, excludes this process, and names exactly the processes that name this one.
  virtual std::vector<Bytes> exchange(std::span<const unsigned> others, std::vector<Bytes> outgoing) = 0;
  /// Replaces every number by its sum over all processes, or by its maximum.
  virtual void reduce(std::span<std::uint64_t> sums, std::span<std::uint64_t> maxima) = 0;
  /// Returns the data of all processes, by process.
  virtual std::vector<Bytes> gather(Bytes given) = 0;
};

/// Which process holds which processors.
class Placement {
 public:
  /// Consecutive ranks together, in parts whose sizes differ by at most one. Takes no memory.
  Placement(Rank processors, unsigned processes) : processors_(processors), processes_(processes) {}
  /// Process owners[rank] holds the rank: 8 bytes per processor in every process. Throws std::invalid_argument if an
  /// owner is not one of the processes.
  Placement(std::vector<std::uint32_t> owners, unsigned processes);

  /// How many processes there are.
  unsigned processes() const { return processes_; }
  /// The process that holds a processor.
  unsigned owner(Rank rank) const {
    if (!owners_.empty()) return owners_[rank];
    return static_cast<unsigned>((std::uint64_t{rank} * processes_ + processes_ - 1) / processors_);
  }
  /// The index of a processor among those of its owner, in the order of ranks, from 0.
  Rank place(Rank rank) const { return owners_.empty() ? rank - first(owner(rank)) : places_[rank]; }
  /// How many processors a process holds.
  Rank count(unsigned process) const {
    return owners_.empty() ? first(process + 1) - first(process) : counts_[process];
  }

 private:
  /// The first rank that a process holds, where each holds consecutive ones.
  Rank first(unsigned process) const { return static_cast<Rank>(std::uint64_t{process} * processors_ / processes_); }

  std::vector<std::uint32_t> owners_;
  std::vector<Rank> places_;
  std::vector<Rank> counts_;
  Rank processors_ = 0;
  unsigned processes_ = 1;
};

/// How the processors of a machine are divided over processes. Both members must outlive every user of the division.
struct Division {
  Processes& processes;        ///< that run the machine together
  const Placement& placement;  ///< of its processors

  /// Whether this process holds the processor.
  bool is_here(Rank rank) const { return placement.owner(rank) == processes.own(); }
};

/// Whether this process holds the processor; without a division it always does.
inline bool is_here(const Division* division, Rank rank) { return division == nullptr || division->is_here(rank); }

}  // namespace lockstep
