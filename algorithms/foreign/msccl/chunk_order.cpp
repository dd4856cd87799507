#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "connections.hpp"

namespace lockstep {
namespace {

/// The number of steps known to be done, for every threadblock of the program. Equal knowledge about one processor's is
/// shared.
class StepClock {
 public:
  explicit StepClock(std::size_t gpus) : of_gpus_(gpus) {}

  std::uint32_t steps(Rank gpu, std::uint32_t threadblock) const {
    return of_gpus_[gpu] ? (*of_gpus_[gpu])[threadblock] : 0;
  }

  /// Sets the steps done of one of a processor's `threadblocks` threadblocks.
  void set(Rank gpu, std::uint32_t threadblock, std::uint32_t steps, std::size_t threadblocks) {
    const StepsOfGpu& known = of_gpus_[gpu];
    auto changed = known ? std::make_shared<Steps>(*known) : std::make_shared<Steps>(threadblocks);
    (*changed)[threadblock] = steps;
    of_gpus_[gpu] = std::move(changed);
  }

  /// Adds the knowledge of the other.
  void join(const StepClock& other) {
    for (std::size_t gpu = 0; gpu < of_gpus_.size(); ++gpu) {
      StepsOfGpu& own = of_gpus_[gpu];
      const StepsOfGpu& others = other.of_gpus_[gpu];
      if (own == others || !others || (own && std::ranges::equal(*others, *own, std::ranges::less_equal()))) continue;
      if (!own || std::ranges::equal(*own, *others, std::ranges::less_equal())) {
        own = others;
        continue;
      }
      auto joined = std::make_shared<Steps>(*own);
      std::ranges::transform(*own, *others, joined->begin(), [](auto one, auto two) { return std::max(one, two); });
      own = std::move(joined);
    }
  }

 private:
  using Steps = std::vector<std::uint32_t>;
  using StepsOfGpu = std::shared_ptr<const Steps>;  ///< null: nothing

  std::vector<StepsOfGpu> of_gpus_;
};

struct StepUse {
  std::uint32_t threadblock;
  std::uint32_t step;
};

/// The uses of one chunk since it was last written.
struct Uses {
  bool is_known = false;  ///< it was filled at first, or written
  std::optional<StepUse> written{};
  std::vector<StepUse> read{};
};

// A vector clock per threadblock, sent with its messages and flags: a use comes after another if its clock includes it.
class OrderCheck {
 public:
  explicit OrderCheck(const ChunkProgram& program) : program_(program) {
    for (const ChunkGpu& gpu : program.gpus) {
      first_.push_back(static_cast<std::uint32_t>(threadblocks_));
      threadblocks_ += gpu.threadblocks.size();
      uses_.emplace_back(gpu.chunk_names.size());
      for (const ChunkContent& content : gpu.initial) uses_.back()[content.place].is_known = true;
    }
    clocks_.assign(threadblocks_, StepClock(program.gpus.size()));
    flags_.resize(threadblocks_);
  }

  void check(const ChunkPlan& plan) {
    // In the order of cycles, so that messages are sent before they are taken.
    std::vector<std::size_t> next(plan.actions.size(), 0);
    std::vector<std::vector<Rank>> active;
    for (Rank gpu = 0; gpu < plan.actions.size(); ++gpu) {
      for (const ChunkPlan::Action& action : plan.actions[gpu]) {
        if (active.size() <= action.cycle) active.resize(action.cycle + 1);
        if (active[action.cycle].empty() || active[action.cycle].back() != gpu) active[action.cycle].push_back(gpu);
      }
    }
    for (Cycle cycle = 0; cycle < active.size(); ++cycle) {
      for (const Rank gpu : active[cycle]) {
        const auto& actions = plan.actions[gpu];
        for (std::size_t& index = next[gpu]; index < actions.size() && actions[index].cycle == cycle; ++index) {
          if (!actions[index].takes) carry_out(gpu, actions[index]);
        }
      }
    }
  }

 private:
  void carry_out(Rank gpu, const ChunkPlan::Action& action) {
    const Threadblock& block = program_.gpus[gpu].threadblocks[action.threadblock];
    const ChunkStep& step = block.steps[action.step];
    const std::uint32_t own = first_[gpu] + action.threadblock;
    StepClock& clock = clocks_[own];
    for (const ChunkWait& wait : step.waits) clock.join(flags_[first_[gpu] + wait.threadblock].at(wait.step));
    if (takes_message(step.verb)) {
      auto& queue = messages_[{block.receives_from, gpu, block.channel}];
      clock.join(queue.front());
      queue.pop_front();
    }
    clock.set(gpu, action.threadblock, action.step + 1, program_.gpus[gpu].threadblocks.size());
    const StepUse use{action.threadblock, action.step};
    for (std::uint32_t chunk = 0; chunk < step.count && reads_source(step.verb); ++chunk) {
      read(gpu, step.source + chunk, use, clock);
    }
    for (std::uint32_t chunk = 0; chunk < step.count && writes_destination(step.verb); ++chunk) {
      if (step.verb == ChunkVerb::reduce) read(gpu, step.destination + chunk, use, clock);
      write(gpu, step.destination + chunk, use, clock);
    }
    if (step.sets_flag) flags_[own].emplace(action.step, clock);
    if (sends_message(step.verb)) messages_[{gpu, block.sends_to, block.channel}].push_back(clock);
  }

  bool comes_after(Rank gpu, const StepUse& before, const StepClock& clock) const {
    return clock.steps(gpu, before.threadblock) > before.step;
  }

  void read(Rank gpu, std::uint32_t place, const StepUse& use, const StepClock& clock) {
    Uses& uses = uses_[gpu][place];
    if (!uses.is_known) {
      throw ChunkProgramError(gpu, program_.place(gpu, use.threadblock, use.step) + " reads " + name(gpu, place) +
                                       ", which was never written");
    }
    if (uses.written && !comes_after(gpu, *uses.written, clock))
      refuse(gpu, place, use, " reads ", *uses.written, " writes");
    uses.read.push_back(use);
  }

  void write(Rank gpu, std::uint32_t place, const StepUse& use, const StepClock& clock) {
    Uses& uses = uses_[gpu][place];
    if (uses.written && !comes_after(gpu, *uses.written, clock))
      refuse(gpu, place, use, " writes ", *uses.written, " writes");
    for (const StepUse& before : uses.read) {
      if (!comes_after(gpu, before, clock)) refuse(gpu, place, use, " writes ", before, " reads");
    }
    uses = {.is_known = true, .written = use, .read = {}};
  }

  const std::string& name(Rank gpu, std::uint32_t place) const { return program_.gpus[gpu].chunk_names[place]; }

  [[noreturn]] void refuse(Rank gpu, std::uint32_t place, const StepUse& use, const char* does, const StepUse& other,
                           const char* others) const {
    throw ChunkProgramError(gpu, program_.place(gpu, use.threadblock, use.step) + does + name(gpu, place) + ", which " +
                                     program_.place(gpu, other.threadblock, other.step) + others +
                                     ", and no wait orders them");
  }

  const ChunkProgram& program_;
  std::size_t threadblocks_ = 0;
  std::vector<std::uint32_t> first_;  // by rank, its first threadblock among all
  std::vector<StepClock> clocks_;
  std::vector<std::map<std::uint32_t, StepClock>> flags_;  // by step
  std::map<msccl::ConnectionEnds, std::deque<StepClock>> messages_;
  std::vector<std::vector<Uses>> uses_;
};

}  // namespace

void check_order(const ChunkProgram& program, const ChunkPlan& plan) { OrderCheck(program).check(plan); }

}  // namespace lockstep
