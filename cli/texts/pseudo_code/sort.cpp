#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::sort {
namespace {

std::string stage_and_dimension(std::uint64_t stage, std::uint64_t d) {
  return value("st", stage) + ", " + value("d", d);
}

/// The compare-splits of a bitonic sort over that many dimensions below `ports`; each takes a step.
void add_bitonic_sort(std::vector<ProgramPlace>& places, std::size_t line, std::uint64_t dimensions,
                      std::uint64_t ports, const std::string& before = "") {
  for (std::uint64_t stage = 0; stage < dimensions; ++stage) {
    for (std::uint64_t d = stage + 1; d-- > 0;) {
      if (d < ports) places.push_back({line, before + stage_and_dimension(stage, d)});
    }
  }
}

std::optional<PseudoProgram> bitonic(const RunPlan& plan) {
  const ProgramText text("sort/bitonic");
  std::vector<ProgramPlace> places;
  add_bitonic_sort(places, text.line("exchange"), plan.machine.ports, plan.machine.ports);
  return text.with(listed(std::move(places)));
}

/// What two building blocks do when they meet.
enum class MeetingKind {
  resort,  ///< a bitonic sort of both
  merge,   ///< one compare-split, and each merges what it keeps
  classic  ///< one compare-split; they merge at the end of an iteration
};

/// All meetings of two building blocks. Compare-splits inside a list send nothing.
std::vector<ProgramPlace> meetings(const ReducedHypercube& rh, MeetingKind meeting, const ProgramText& text) {
  std::vector<ProgramPlace> places;
  Rank at = 0;
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    for (Port j = i + 1; j-- > 0;) {
      const std::string where = value("i", i) + ", " + value("j", j);
      const Port links = one_bits(at ^ j);
      for (Port link = 0; link < links; ++link) {
        places.push_back({text.line("travel"), where + ": link " + of(link + 1, links)});
      }
      at = j;
      const Port c = rh.layer_dimensions();
      if (meeting == MeetingKind::resort) add_bitonic_sort(places, text.line("sort anew"), rh.k(), c, where + "; ");
      places.push_back({text.line("compare"), where});
      if (meeting == MeetingKind::classic && j > 0) continue;
      for (Port d = c; d-- > 0;) places.push_back({text.line("merge"), where + "; " + value("d", d)});
    }
  }
  return places;
}

// Only for the default --move combine: if packets move one by one, a planner determines their time.
std::optional<PseudoProgram> sort_on_rh(const RunPlan& plan, MeetingKind meeting) {
  if (plan.settings.move != "combine") return {};
  const ReducedHypercube rh(plan.machine);
  const ProgramText text(plan.method->name);
  std::vector<ProgramPlace> places;
  add_bitonic_sort(places, text.line("in block"), rh.k(), rh.k());
  for (std::uint64_t i = 0; i < rh.n(); ++i) places.push_back({text.line("gather"), value("i", i)});
  for (ProgramPlace& place : meetings(rh, meeting, text)) places.push_back(std::move(place));
  for (std::uint64_t i = rh.n(); i-- > 0;) places.push_back({text.line("scatter"), value("i", i)});
  return text.with(listed(std::move(places)));
}

std::optional<PseudoProgram> resort(const RunPlan& plan) { return sort_on_rh(plan, MeetingKind::resort); }
std::optional<PseudoProgram> merge(const RunPlan& plan) { return sort_on_rh(plan, MeetingKind::merge); }
std::optional<PseudoProgram> classic(const RunPlan& plan) { return sort_on_rh(plan, MeetingKind::classic); }

constexpr MethodProgram entries[] = {
    {"sort/bitonic", bitonic},
    {"sort/classic", classic},
    {"sort/merge", merge},
    {"sort/resort", resort},
};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::sort
