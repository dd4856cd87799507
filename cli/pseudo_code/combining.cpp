#include "host/number_text.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/block_link.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

std::string link_of(std::uint64_t link, std::uint64_t links) { return ": link " + of(link + 1, links); }

/// The cycles of a reduction to processor 0: a step for every bit of a processor's place in its block, then for every
/// bit of the block the links between two blocks. On a cube, which is one block, only the former.
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

  /// The line of a step in a block, and that of one between blocks.
  std::vector<Place> places(std::size_t in_block, std::size_t between) const {
    std::vector<Place> all;
    for (std::uint64_t i = 0; i < bits_in_block_; ++i) all.push_back({in_block, value("i", i)});
    for (std::size_t i = 0; i < links_.size(); ++i) {
      for (std::uint64_t link = 0; link < links_[i]; ++link) {
        all.push_back({between, value("i", i) + link_of(link, links_[i])});
      }
    }
    return all;
  }

 private:
  std::uint64_t bits_in_block_;
  std::vector<std::uint64_t> links_;  // by the bit of the block
};

/// The lines of that tree: processors of address x send `what`, and are done with `done`; others `take` what comes.
std::vector<std::string> upwards(bool on_cube, const std::string& what, const std::string& done,
                                 const std::string& take) {
  std::vector<std::string> lines{on_cube ? "for i = 0 .. n - 1:" : "for i = 0 .. k - 1, in every block:",
                                 "  if bit i of x is 1: send " + what + " over port i, then " + done,
                                 "  " + take + " over port i"};
  if (on_cube) return lines;
  lines.emplace_back("for i = 0 .. 2^n - 1, only the first processor of each block b:");
  lines.emplace_back("  if bit i of b is 1: send " + what + " to block b xor 2^i, then " + done);
  lines.emplace_back("  " + take + " from block b xor 2^i");
  return lines;
}
constexpr std::size_t sends_in_block = 1;
constexpr std::size_t sends_to_block = 4;

std::optional<Program> reduce(const RunPlan& plan) {
  if (*plan.settings.packets > 1) return {};  // several packets are on their way at a time
  std::vector<std::string> lines =
      upwards(is_hypercube(plan.machine), "result", "stop", "result = result (+) what comes");
  std::vector<Place> places = ReductionCycles(plan.machine).places(1 + sends_in_block, 1 + sends_to_block);
  const std::uint64_t further =
      predicted_steps(plan) - places.size();  // the result goes on, if its operands may not move
  lines.insert(lines.begin(),
               further == 0 ? "x = address as seen from the root; result = own value" : "x = rank; result = own value");
  if (further > 0) lines.emplace_back("from processor 0 result goes on to the root");
  for (std::uint64_t link = 0; link < further; ++link) {
    places.push_back({lines.size() - 1, "link " + of(link + 1, further)});
  }
  return Program{.why =
                     "The tree of a broadcast, upwards: half of those who still have a result give it to the other "
                     "half, higher addresses to lower ones, so that operands stay in order.",
                 .lines = std::move(lines),
                 .place_in = listed(std::move(places))};
}

// Where processors arrive late only the planner knows which cycle is in which half.
std::optional<Program> barrier(const RunPlan& plan) {
  if (plan.settings.arrivals != 0U) return {};
  std::vector<std::string> lines =
      upwards(is_hypercube(plan.machine), "the token", "wait", "take the token that comes");
  lines.insert(lines.begin(), "x = rank");
  lines.emplace_back("if rank is not 0: wait for the release from the parent");
  lines.emplace_back("leave the barrier");
  lines.emplace_back(spreads_at_once(plan.model) ? "release all children at once"
                                                 : "release one child after the other");
  std::vector<Place> places = ReductionCycles(plan.machine).places(1 + sends_in_block, 1 + sends_to_block);
  const std::uint64_t release = predicted_steps(plan) - places.size();
  for (std::uint64_t step = 0; step < release; ++step) {
    places.push_back({lines.size() - 1, "step " + of(step + 1, release)});
  }
  return Program{.why =
                     "A reduction without values tells processor 0 that all have arrived, and a broadcast tells all: "
                     "nobody leaves before everybody has come.",
                 .lines = std::move(lines),
                 .place_in = listed(std::move(places))};
}

std::optional<Program> scan_on_cube(const RunPlan& plan) {
  return Program{
      .why =
          "In step i everybody learns the total of a subcube of 2^i processors next to its own; for those above it "
          "is part of their prefix, and it goes in front.",
      .lines = {"prefix = total = own value",
                "for i = 0 .. n - 1:", "  send total over dimension i, received = what comes",
                "  if bit i of rank is 1:", "    prefix = received (+) prefix, total = received (+) total",
                "  else:", "    total = total (+) received"},
      .place_in = repeats(2, plan.machine.ports, [](Cycle i) {
        const std::uint64_t operands = std::uint64_t{1} << i;
        return value("i", i) + ": " + (operands == 1 ? "own values" : "totals of " + grouped(operands));
      })};
}

std::optional<Program> scan_over_hubs(const RunPlan& plan) {
  const ReducedHypercube rh(plan.machine);
  const Rank hubs_subblock = static_cast<Rank>(*plan.settings.hub) >> rh.layer_dimensions();
  std::vector<Place> places;
  for (std::uint64_t i = 0; i < rh.k(); ++i) places.push_back({2, value("i", i)});
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    for (Port m = i + 1; m-- > 0;) {
      const std::uint64_t links = BlockLink(rh, hubs_subblock, m).links();
      for (std::uint64_t link = 0; link < links; ++link) {
        places.push_back({m == i ? 6U : 8U, value("i", i) + ", " + value("m", m) + link_of(link, links)});
      }
    }
  }
  for (std::uint64_t i = 0; i < rh.k(); ++i) places.push_back({11, value("i", i)});
  return Program{
      .why =
          "A block is a cube, which scans itself. Between blocks only the totals travel, from hub to hub: each block "
          "is told what lies before it, and spreads that among its processors.",
      .lines = {"total = prefix = own value; left = nothing",
                "for i = 0 .. k - 1, in every block b:", "  scan as on a cube: exchange total over port i",
                "for i = 0 .. 2^n - 1, only the hub of each block b:",
                "  for m = i .. 0, on the way from block b to block b xor 2^m:",
                "    if m = i, bits 0 .. i - 1 of b are 1 and bit i is 0:", "      send total",
                "    if m < i, bits 0 .. m and i of b are 1:", "      send what came for this i",
                "    put what comes in front of left and total", "for i = 0 .. k - 1, in every block but block 0:",
                "  who knows left, at first the hub, sends it over port i", "prefix = left (+) prefix"},
      .place_in = listed(std::move(places))};
}

constexpr Entry entries[] = {
    {"barrier/tree", barrier},
    {"reduce/tree", reduce},
    {"scan/cube", scan_on_cube},
    {"scan/hub", scan_over_hubs},
};

}  // namespace

std::span<const Entry> combining_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
