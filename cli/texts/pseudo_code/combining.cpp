#include <numeric>

#include "host/number_text.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/block_link.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::combining {
namespace {

std::string link_of(std::uint64_t link, std::uint64_t links) { return ": link " + of(link + 1, links); }

/// The cycles of a reduction to processor 0: a step for every bit of a processor's place in its block, then the links
/// between two blocks for every bit of the block. A cube is one block and has only the former.
class ReductionCycles {
 public:
  explicit ReductionCycles(const MachineSpec& machine) {
    if (is_hypercube(machine)) {
      bits_in_block_ = machine.ports;
      return;
    }
    const ReducedHypercube rh(machine);
    bits_in_block_ = rh.k();
    for (Port i = 0; i < rh.block_dimensions(); ++i) links_.push_back(BlockLink(rh, 0, i).links());
  }

  /// In the lines "in block" and "to block".
  std::vector<ProgramPlace> places(const ProgramText& text) const {
    std::vector<ProgramPlace> all;
    for (std::uint64_t i = 0; i < bits_in_block_; ++i) all.push_back({text.line("in block"), value("i", i)});
    for (std::size_t i = 0; i < links_.size(); ++i) {
      for (std::uint64_t link = 0; link < links_[i]; ++link) {
        all.push_back({text.line("to block"), value("i", i) + link_of(link, links_[i])});
      }
    }
    return all;
  }
  std::uint64_t steps() const { return std::accumulate(links_.begin(), links_.end(), bits_in_block_); }

 private:
  std::uint64_t bits_in_block_;
  std::vector<std::uint64_t> links_;  // by the bit of the block
};

std::string_view form_of(const MachineSpec& machine) { return is_hypercube(machine) ? "cube" : "blocks"; }

std::optional<PseudoProgram> reduce(const RunPlan& plan) {
  if (*plan.settings.packets > 1) return {};  // several packets are in flight at a time
  const ReductionCycles cycles(plan.machine);
  // The result is forwarded to the root if its operands may not move.
  const std::uint64_t further = predicted_steps(plan) - cycles.steps();
  const ProgramText text("reduce/tree", {form_of(plan.machine), further == 0 ? "at the root" : "at processor 0"});
  std::vector<ProgramPlace> places = cycles.places(text);
  for (std::uint64_t link = 0; link < further; ++link) {
    places.push_back({text.line("to root"), "link " + of(link + 1, further)});
  }
  return text.with(listed(std::move(places)));
}

// If processors arrive late, only the planner knows which cycle is in which half.
std::optional<PseudoProgram> barrier(const RunPlan& plan) {
  if (plan.settings.arrivals != 0U) return {};
  const ProgramText text("barrier/tree",
                         {form_of(plan.machine), spreads_at_once(plan.model) ? "at once" : "one by one"});
  std::vector<ProgramPlace> places = ReductionCycles(plan.machine).places(text);
  const std::uint64_t release = predicted_steps(plan) - places.size();
  for (std::uint64_t step = 0; step < release; ++step) {
    places.push_back({text.line("release"), "step " + of(step + 1, release)});
  }
  return text.with(listed(std::move(places)));
}

std::optional<PseudoProgram> scan_on_cube(const RunPlan& plan) {
  const ProgramText text("scan/cube");
  return text.with(repeats(text.line("exchange"), plan.machine.ports, [](Cycle i) {
    const std::uint64_t operands = std::uint64_t{1} << i;
    return value("i", i) + ": " + (operands == 1 ? "own values" : "totals of " + grouped(operands));
  }));
}

std::optional<PseudoProgram> scan_over_hubs(const RunPlan& plan) {
  const ProgramText text("scan/hub");
  const ReducedHypercube rh(plan.machine);
  const Rank hubs_subblock = static_cast<Rank>(*plan.settings.hub) >> rh.layer_dimensions();
  std::vector<ProgramPlace> places;
  for (std::uint64_t i = 0; i < rh.k(); ++i) places.push_back({text.line("exchange"), value("i", i)});
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    for (Port m = i + 1; m-- > 0;) {
      const std::uint64_t links = BlockLink(rh, hubs_subblock, m).links();
      for (std::uint64_t link = 0; link < links; ++link) {
        places.push_back({text.line(m == i ? "send total" : "pass on"),
                          value("i", i) + ", " + value("m", m) + link_of(link, links)});
      }
    }
  }
  for (std::uint64_t i = 0; i < rh.k(); ++i) places.push_back({text.line("spread"), value("i", i)});
  return text.with(listed(std::move(places)));
}

constexpr MethodProgram entries[] = {
    {"barrier/tree", barrier},
    {"reduce/tree", reduce},
    {"scan/cube", scan_on_cube},
    {"scan/hub", scan_over_hubs},
};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::combining
