#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

std::string stage_and_dimension(std::uint64_t stage, std::uint64_t d) {
  return value("st", stage) + ", " + value("d", d);
}

/// The compare-splits of a bitonic sort over so many dimensions, of those below `ports`, each of which takes a step.
void add_bitonic_sort(std::vector<Place>& places, std::size_t line, std::uint64_t dimensions, std::uint64_t ports,
                      const std::string& before = "") {
  for (std::uint64_t stage = 0; stage < dimensions; ++stage) {
    for (std::uint64_t d = stage + 1; d-- > 0;) {
      if (d < ports) places.push_back({line, before + stage_and_dimension(stage, d)});
    }
  }
}

std::optional<Program> bitonic(const RunPlan& plan) {
  std::vector<Place> places;
  add_bitonic_sort(places, 3, plan.machine.ports, plan.machine.ports);
  return Program{
      .why =
          "Stage st turns sorted subcubes of 2^st processors, in alternate directions, into ones of twice "
          "the size; who compares with whom does not depend on the data.",
      .lines = {"sort the own records",
                "for st = 0 .. n - 1:", "  for d = st .. 0:", "    exchange all records with rank xor 2^d",
                "    keep the low half of both if bits d and st + 1 of rank are", "      alike, else the high half"},
      .place_in = listed(std::move(places))};
}

/// What two building blocks that meet do.
enum class Meeting {
  resort,  ///< a bitonic sort of both
  merge,   ///< one compare-split, and each merges what it keeps
  classic  ///< one compare-split; they merge at the end of an iteration
};

/// Where a sort on RH is, by the line.
struct Lines {
  std::size_t in_block = 2;
  std::size_t gather = 3;
  std::size_t travel = 5;
  std::size_t sort_anew = 7;  ///< of resort only
  std::size_t compare;
  std::size_t merge;
  std::size_t scatter;

  explicit Lines(Meeting meeting)
      : compare(meeting == Meeting::resort ? 8 : 6), merge(compare + 2), scatter(merge + 1) {}
};

std::vector<std::string> text_of(Meeting meeting) {
  const std::string in_lists = "    compare-split over port d (if d >= k - n: inside a list)";
  std::vector<std::string> lines{"sort the own records; every block b sorts itself:",
                                 "  for st = 0 .. k - 1, for d = st .. 0:",
                                 "    compare-split over port d",
                                 "for i = 0 .. n - 1: lists gather over port k - n + i",
                                 "for i = 0 .. 2^n - 1, for j = i .. 0:",
                                 "  lists move to subblock j, which has the links of bit j"};
  if (meeting == Meeting::resort) {
    lines.emplace_back("  for st = 0 .. k - 1, for d = st .. 0:");
    lines.push_back(in_lists);
  }
  lines.emplace_back("  compare-split with block b xor 2^j, over port k");
  lines.emplace_back(meeting == Meeting::classic ? "  if j = 0, for d = k - 1 .. 0:" : "  for d = k - 1 .. 0:");
  lines.push_back(in_lists);
  lines.emplace_back("for i = n - 1 .. 0: halves of lists go back over port k - n + i");
  return lines;
}

/// All meetings of two building blocks. Compare-splits inside a list send nothing.
std::vector<Place> meetings(const ReducedHypercube& rh, Meeting meeting, const Lines& lines) {
  std::vector<Place> places;
  Rank at = 0;
  for (Port i = 0; i < rh.block_dimensions(); ++i) {
    for (Port j = i + 1; j-- > 0;) {
      const std::string where = value("i", i) + ", " + value("j", j);
      const Port links = one_bits(at ^ j);
      for (Port link = 0; link < links; ++link) {
        places.push_back({lines.travel, where + ": link " + of(link + 1, links)});
      }
      at = j;
      const Port c = rh.layer_dimensions();
      if (meeting == Meeting::resort) add_bitonic_sort(places, lines.sort_anew, rh.k(), c, where + "; ");
      places.push_back({lines.compare, where});
      if (meeting == Meeting::classic && j > 0) continue;
      for (Port d = c; d-- > 0;) places.push_back({lines.merge, where + "; " + value("d", d)});
    }
  }
  return places;
}

// The default --move combine only: where packets move one by one, a planner says how long they take.
std::optional<Program> sort_on_rh(const RunPlan& plan, Meeting meeting, std::string why) {
  if (plan.settings.move != "combine") return {};
  const ReducedHypercube rh(plan.machine);
  const Lines lines(meeting);
  std::vector<Place> places;
  add_bitonic_sort(places, lines.in_block, rh.k(), rh.k());
  for (std::uint64_t i = 0; i < rh.n(); ++i) places.push_back({lines.gather, value("i", i)});
  for (Place& place : meetings(rh, meeting, lines)) places.push_back(std::move(place));
  for (std::uint64_t i = rh.n(); i-- > 0;) places.push_back({lines.scatter, value("i", i)});
  return Program{.why = std::move(why), .lines = text_of(meeting), .place_in = listed(std::move(places))};
}

std::optional<Program> resort(const RunPlan& plan) {
  return sort_on_rh(plan, Meeting::resort,
                    "All blocks are ascending; two that meet are sorted anew, one keeps the low records, the other the "
                    "high ones. Lists travel, as only subblock j has links in dimension j.");
}

std::optional<Program> merge(const RunPlan& plan) {
  return sort_on_rh(plan, Meeting::merge,
                    "Blocks are sorted so that two that meet form a bitonic sequence: one compare-split parts it, and "
                    "each merges its half. Lists travel to the subblock with the links.");
}

std::optional<Program> classic(const RunPlan& plan) {
  return sort_on_rh(plan, Meeting::classic,
                    "The bitonic sort of the hypercube with as many processors: lists hold what its processors would, "
                    "and travel to the subblock that has the links of the dimension.");
}

constexpr Entry entries[] = {
    {"sort/bitonic", bitonic},
    {"sort/classic", classic},
    {"sort/merge", merge},
    {"sort/resort", resort},
};

}  // namespace

std::span<const Entry> sort_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
