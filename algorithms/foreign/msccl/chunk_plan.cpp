#include <algorithm>

#include "connections.hpp"
#include "limits.hpp"
#include "lockstep/core/printable.hpp"
#include "method/cycle_use.hpp"
#include "method/wait_ring.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace {

using Action = ChunkPlan::Action;

/// One threadblock while it is planned.
struct BlockProgress {
  const Threadblock* block = nullptr;
  std::uint32_t next = 0;          // its first step that is not done
  Port port = 0;                   // the port it sends to
  Port peer_port = 0;              // of the receiver
  std::uint32_t receiver = 0;      // the threadblock there that takes its messages
  std::uint64_t sent = 0;          // messages
  std::uint64_t taken_before = 0;  // of these, taken in earlier cycles
  std::uint64_t arrived = 0;       // messages for this one
  std::uint64_t received = 0;      // of these
  std::uint32_t sender = 0;        // the threadblock that sends to it
};

class Planner {
 public:
  Planner(const ChunkProgram& program, const MachineSpec& machine, const Topology& topology, const Model& model)
      : program_(program), use_(model, static_cast<Rank>(program.gpus.size())) {
    progress_.resize(program.gpus.size());
    for (Rank gpu = 0; gpu < program.gpus.size(); ++gpu) {
      for (const Threadblock& block : program.gpus[gpu].threadblocks) progress_[gpu].push_back({.block = &block});
    }
    for (const auto& [ends, connection] : msccl::connections_of(program)) {
      const auto& [from, to, channel] = ends;
      if (connection.sender == msccl::no_threadblock || connection.receiver == msccl::no_threadblock) continue;
      BlockProgress& sender = progress_[from][connection.sender];
      progress_[to][connection.receiver].sender = connection.sender;
      sender.receiver = connection.receiver;
      sender.port = turns::port_to(topology, from, to);
      if (!machine.medium && sender.port >= topology.ports()) refuse_missing_link(from, connection.sender, to, machine);
      sender.peer_port = machine.medium ? from : topology.peer(from, sender.port).port;
    }
  }

  /// Returns false, with an unusable plan, at a deadlock.
  bool plan(std::uint32_t slots) {
    slots_ = slots;
    plan_ = {.actions = std::vector<std::vector<Action>>(program_.gpus.size()), .slots = slots};
    for (auto& of_gpu : progress_) {
      for (BlockProgress& one : of_gpu)
        one = {.block = one.block,
               .port = one.port,
               .peer_port = one.peer_port,
               .receiver = one.receiver,
               .sender = one.sender};
    }
    std::uint64_t left = program_.all_steps();
    for (cycle_ = 0; left > 0; ++cycle_) {
      const std::uint64_t done = plan_cycle();
      if (done == 0) return false;
      left -= done;
    }
    arrive();
    return true;
  }

  ChunkPlan take() { return std::move(plan_); }

  /// Throws the chain of waits.
  [[noreturn]] void refuse_deadlock() const {
    Rank gpu = 0;
    std::uint32_t block = 0;
    const auto waits = [&](Rank of_gpu, std::uint32_t of_block) { return !is_done(progress_[of_gpu][of_block]); };
    while (gpu < progress_.size()) {
      for (block = 0; block < progress_[gpu].size() && !waits(gpu, block);) ++block;
      if (block < progress_[gpu].size()) break;
      ++gpu;
    }
    const auto ring = method::wait_ring(std::pair(gpu, block), [&](const std::pair<Rank, std::uint32_t>& place) {
      return waits(place.first, place.second) ? awaited(place.first, place.second) : place;
    });
    const std::string text = method::ring_text(
        ring,
        [&](const auto& place) { return (place == ring.front() ? "" : "; ") + wait_text(place.first, place.second); },
        [](std::size_t more) { return more == 0 ? "" : "; and " + std::to_string(more) + " more"; });
    throw ChunkProgramError(ring.front().first,
                            "no processor can continue after cycle " + std::to_string(cycle_) + ": " + text, true,
                            cycle_);
  }

 private:
  static bool is_done(const BlockProgress& one) { return one.next == one.block->steps.size(); }

  /// Delivers the messages of the cycle before.
  void arrive() {
    for (const auto& [gpu, action] : under_way_) {
      plan_.actions[gpu].push_back(action);
      ++progress_[gpu][action.threadblock].arrived;
    }
    under_way_.clear();
    for (BlockProgress* sender : freed_) ++sender->taken_before;
    freed_.clear();
  }

  /// Returns the number of steps done.
  std::uint64_t plan_cycle() {
    arrive();
    use_.begin();
    std::uint64_t done = 0;
    for (Rank gpu = 0; gpu < progress_.size(); ++gpu) {
      for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::uint32_t block = 0; block < progress_[gpu].size(); ++block) {
          while (may_do(gpu, progress_[gpu][block])) {
            carry_out(gpu, block);
            ++done;
            goes_on = true;
          }
        }
      }
    }
    return done;
  }

  /// The first of the step's waits whose step is not done; null if there is none.
  const ChunkWait* unmet_wait(Rank gpu, const ChunkStep& step) const {
    const auto unmet = std::ranges::find_if(
        step.waits, [&](const ChunkWait& wait) { return progress_[gpu][wait.threadblock].next <= wait.step; });
    return unmet == step.waits.end() ? nullptr : &*unmet;
  }

  bool may_do(Rank gpu, const BlockProgress& one) const {
    if (is_done(one)) return false;
    const ChunkStep& step = one.block->steps[one.next];
    if (takes_message(step.verb) && one.received == one.arrived) return false;
    if (unmet_wait(gpu, step) != nullptr) return false;
    return !sends_message(step.verb) ||
           (one.sent - one.taken_before < slots_ && use_.may_send(gpu, one.block->sends_to));
  }

  void carry_out(Rank gpu, std::uint32_t block) {
    BlockProgress& one = progress_[gpu][block];
    const ChunkStep& step = one.block->steps[one.next];
    plan_.actions[gpu].push_back({.cycle = cycle_, .port = one.port, .threadblock = block, .step = one.next});
    ++one.next;
    if (takes_message(step.verb)) {
      ++one.received;
      freed_.push_back(&progress_[one.block->receives_from][one.sender]);
    }
    if (!sends_message(step.verb)) return;
    ++one.sent;
    use_.send(gpu, one.block->sends_to);
    under_way_.emplace_back(
        one.block->sends_to,
        Action{.cycle = cycle_ + 1, .takes = true, .port = one.peer_port, .threadblock = one.receiver, .step = 0});
  }

  [[noreturn]] void refuse_missing_link(Rank from, std::uint32_t block, Rank to, const MachineSpec& machine) const {
    const Threadblock& own = program_.gpus[from].threadblocks[block];
    std::uint32_t step = 0;
    while (step < own.steps.size() && !sends_message(own.steps[step].verb)) ++step;
    throw ChunkProgramError(from, program_.place(from, block, step) + " sends to gpu " + std::to_string(to) + ", and " +
                                      printable(machine.text) + " has no link from " + std::to_string(from) + " to " +
                                      std::to_string(to));
  }

  /// The threadblock whose turn it is before a waiting one can go on.
  std::pair<Rank, std::uint32_t> awaited(Rank gpu, std::uint32_t block) const {
    const BlockProgress& one = progress_[gpu][block];
    const ChunkStep& step = one.block->steps[one.next];
    if (const ChunkWait* const wait = unmet_wait(gpu, step)) return {gpu, wait->threadblock};
    if (takes_message(step.verb) && one.received == one.arrived) return {one.block->receives_from, one.sender};
    return {one.block->sends_to, one.receiver};
  }

  std::string wait_text(Rank gpu, std::uint32_t block) const {
    const BlockProgress& one = progress_[gpu][block];
    const std::string place = program_.place(gpu, block, one.next);
    if (is_done(one)) return place + " is the end";
    const ChunkStep& step = one.block->steps[one.next];
    if (const ChunkWait* const wait = unmet_wait(gpu, step)) {
      return place + " waits for " + program_.place(gpu, wait->threadblock, wait->step);
    }
    const std::string channel = " on channel " + std::to_string(one.block->channel);
    if (takes_message(step.verb) && one.received == one.arrived) {
      return place + " waits for a message of gpu " + std::to_string(one.block->receives_from) + channel;
    }
    return place + " waits until gpu " + std::to_string(one.block->sends_to) + " takes a message" + channel;
  }

  const ChunkProgram& program_;
  method::CycleUse use_;
  std::vector<std::vector<BlockProgress>> progress_;
  std::vector<std::pair<Rank, Action>> under_way_;
  std::vector<BlockProgress*> freed_;
  ChunkPlan plan_;
  std::uint32_t slots_ = 0;
  Cycle cycle_ = 0;
};

}  // namespace

ChunkPlan plan_chunks(const ChunkProgram& program, const MachineSpec& machine, const Topology& topology,
                      const Model& model) {
  using msccl::usual_slots;
  Planner planner(program, machine, topology, model);
  if (planner.plan(usual_slots)) return planner.take();
  const auto unlimited =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(program.all_steps(), msccl::no_threadblock));
  if (unlimited <= usual_slots || !planner.plan(unlimited)) {
    planner.plan(usual_slots);
    planner.refuse_deadlock();
  }
  std::uint32_t too_few = usual_slots;
  std::uint32_t enough = unlimited;
  while (enough - too_few > 1) {
    const std::uint32_t between = too_few + (enough - too_few) / 2;
    (planner.plan(between) ? enough : too_few) = between;
  }
  planner.plan(enough);
  return planner.take();
}

}  // namespace lockstep
