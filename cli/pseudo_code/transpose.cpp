#include "lockstep/algorithms/multiple_paths.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

std::optional<Program> single_path(const RunPlan& plan) {
  const std::uint64_t h = plan.machine.ports / 2;
  return Program{.why =
                     "Processors whose bits i of r and c differ exchange their blocks through one where they are "
                     "alike: two steps for each bit, which one port allows.",
                 .lines = {"rank = (r||c), h bits each; its block is for (c||r)", "for i = h - 1 .. 0:",
                           "  if bits i of r and c differ:", "    send the block over dimension h + i",
                           "  if they are alike:", "    send the block that came on over dimension i",
                           "  if they differ: take the block that comes"},
                 .place_in = lasts(2 * h, [h](Cycle cycle) -> Place {
                   const std::uint64_t i = h - 1 - cycle / 2;
                   const bool first = cycle % 2 == 0;
                   return {first ? 3U : 5U, value("i", i) + ": dimension " + std::to_string(first ? h + i : i)};
                 })};
}

/// Where the packets of the class of H are in that cycle; nothing once all have come. In each of k rounds of 2H cycles
/// a path takes two packets, the second a cycle behind the first.
std::optional<std::string> packets_of(std::uint64_t H, std::uint64_t k, Cycle cycle) {
  if (cycle > 2 * k * H) return {};
  const std::string name = value("H", H);
  if (cycle == 2 * k * H) return name + ": last packets";
  return name + ": round " + std::to_string(cycle / (2 * H) + 1) + ", " + value("e", cycle % (2 * H) + 1);
}

std::optional<Program> multiple_paths(const RunPlan& plan) {
  const transpose::Rounds rounds = transpose::rounds_of(plan.machine, plan.model.cost, plan.settings);
  return Program{
      .why =
          "Processors whose bits of r and c differ in H places have 2H paths without a common link to where their "
          "block has to go, and use all of them; other classes H use other links.",
      .lines = {"rank = (r||c), h bits each; its block is for (c||r)",
                "H = number of bits in which r and c differ; 2H disjoint paths",
                "cut the block into 4 k H packets, 2 k for each path", "for round = 1 .. k:", "  for e = 1 .. 2H:",
                "    on all paths the round's first packet crosses link e,",
                "    and the second, a cycle behind it, link e - 1",
                "    (if e = 1: that of the round before its link 2H)", "the second packets of round k cross link 2H"},
      .place_in = [rounds](Cycle cycle) -> std::optional<Place> {
        std::string values;
        bool rounds_go_on = false;
        for (std::size_t H = 1; H <= rounds.size(); ++H) {
          const std::optional<std::string> packets = packets_of(H, rounds[H - 1], cycle);
          if (!packets) continue;
          values += (values.empty() ? "" : "; ") + *packets;
          rounds_go_on = rounds_go_on || cycle < 2 * rounds[H - 1] * H;
        }
        if (values.empty()) return {};
        return Place{rounds_go_on ? 5U : 8U, std::move(values)};
      }};
}

constexpr Entry entries[] = {{"transpose/2d-mpt", multiple_paths}, {"transpose/2d-spt", single_path}};

}  // namespace

std::span<const Entry> transpose_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
