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

/// The part of a machine that does not depend on what its messages carry, and is compiled once. It is composed of
/// a network (links or a medium), rules (functions of what a cycle moved), a scheduler (who is visited when), a ledger
/// (counts and clocks) and a diagnosis (runs that cannot go on); here they are put together and run, cycle by cycle.
///
/// Thread-safety: within a cycle each processor is visited by one worker, which alone touches its Control; what they
/// share is said of the network and of MarkTree. Everything else is touched only between cycles, by the calling thread.
class MachineCore {
 public:
  /// Throws MemoryError if it would not fit memory, before anything is allocated, and std::invalid_argument if the
  /// machine is a medium and the port model not `one`, or cannot be divided so.
  MachineCore(const Topology& topology, const Model& model, Executor& executor, const PayloadOperations& payload,
              std::size_t capacity, const LinkType& links, const Division* division);
  ~MachineCore();

  /// Bytes that a machine of so many processors and ports needs at the most, frames of small programs included.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t ports, PortModel ports_model,
                             std::size_t record_bytes);
  /// The same of a machine with a medium, of which a memory has so many slots.
  static std::uint64_t medium_bytes(std::uint64_t processors, std::uint64_t memory_slots, std::size_t capacity,
                                    const PayloadOperations& payload);

  /// Gives a shared memory so many slots from the next run on.
  void share(std::size_t slots);

  /// Makes the coroutine of a processor.
  using Start = std::function<std::coroutine_handle<>(Rank)>;
  /// Has the machine suffer these faults from the next run on.
  void suffer(const Faults& faults);

  /// Shows an observer the charges and the messages of a cycle and delivers what it leaves of these. Returns whether it
  /// keeps some.
  using Show =
      std::function<bool(Cycle, std::span<const Charge>, const std::vector<Sent>&, Network&, Worker& recorder)>;

  /// Runs the programs on the processors of these records, one for each rank. Throws what ended the run early; all
  /// coroutines are destroyed and all channels drained whatever happens. `show` may be empty.
  Report run(Control* controls, const Start& start, const Show& show, const RunOptions& options);

 private:
  std::unique_ptr<MachineParts> parts_;
};

}  // namespace lockstep::detail
