#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "lockstep/core/channel_kind.hpp"
#include "lockstep/core/detail/network.hpp"
#include "lockstep/core/executor.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/core/run_options.hpp"

namespace lockstep::detail {

class LinkNetwork;
struct MachineParts;

/// The links that a machine would have.
struct LinkType {
  std::size_t record_bytes;
  ChannelKind channels;
  std::unique_ptr<LinkNetwork> (*make)(Ground&);
};

/// The part of a machine that does not depend on its payload type and is compiled once. It is composed of a network
/// (links or a medium), rules (functions of what a cycle moved), a scheduler (which processors run in a cycle), a
/// ledger (counts and clocks) and a diagnosis (runs that cannot continue); here they are put together and run, cycle by
/// cycle.
///
/// Thread-safety: within a cycle each processor is visited by one worker, which alone touches its Control; shared data
/// is documented at the networks and at MarkTree. Everything else is touched only between cycles, by the calling
/// thread.
class MachineCore {
 public:
  /// Throws MemoryError if it would not fit in memory, before anything is allocated, and std::invalid_argument if the
  /// machine is a medium and the port model is not `one`, or if it cannot be divided this way.
  MachineCore(const Topology& topology, const Model& model, Executor& executor, const PayloadOperations& payload,
              std::size_t capacity, const LinkType& links, const Division* division);
  ~MachineCore();

  /// Upper bound of the bytes that a machine of this size needs, including the frames of small programs.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model,
                             std::size_t record_bytes);
  /// The same for a machine on a medium, which if it is a memory has `memory_slots` slots.
  static std::uint64_t medium_bytes(std::uint64_t processors, std::uint64_t memory_slots, PortModel ports,
                                    std::size_t capacity, const PayloadOperations& payload);

  /// Sets the number of slots of a shared memory from the next run on.
  void share(std::size_t slots);

  /// Makes the coroutine of a processor.
  using Start = std::function<std::coroutine_handle<>(Rank)>;
  /// Applies these faults from the next run on.
  void apply(const Faults& faults);

  /// Shows an observer the charges and the messages of a cycle and delivers the messages that it leaves. Returns
  /// whether it holds some back.
  using Show =
      std::function<bool(Cycle, std::span<const Charge>, const std::vector<Sent>&, Network&, Worker& recorder)>;

  /// Runs the programs on the processors of these records, one per rank. Throws the error that ended the run early; all
  /// coroutines are destroyed and all channels drained in any case. `show` may be empty.
  Report run(Control* controls, const Start& start, const Show& show, const RunOptions& options);

  /// The counts and modelled times of the last run up to the RunError that ended it, its cycle included; those of a new
  /// Report if there was none, or the machine is divided over processes.
  const Report& until_error() const;

 private:
  std::unique_ptr<MachineParts> parts_;
};

}  // namespace lockstep::detail
