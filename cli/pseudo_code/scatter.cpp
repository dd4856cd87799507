#include "host/number_text.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

/// In the step over dimension d.
std::string messages(std::uint64_t n, std::uint64_t d) {
  const std::uint64_t senders = std::uint64_t{1} << d;
  return value("d", d) + ": " + counted(senders, "processor") + (senders == 1 ? " sends " : " send ") +
         counted(std::uint64_t{1} << (n - 1 - d), "block") + (senders == 1 ? "" : " each");
}

std::optional<Program> scatter(const RunPlan& plan) {
  const std::uint64_t n = plan.machine.ports;
  return Program{.why =
                     "Every holder hands on the half of its blocks that is for the other half of its subcube. The root "
                     "sends every block just once, and with one port it cannot do less.",
                 .lines = {"rel = rank xor root; blocks = those of all ranks, at the root", "for d = 0 .. n - 1:",
                           "  if rel < 2^d:", "    send over dimension d the blocks for ranks with another bit d",
                           "  else if rel < 2^(d + 1):", "    blocks = what comes over dimension d"},
                 .place_in = repeats(3, n, [n](Cycle d) { return messages(n, d); })};
}

std::optional<Program> gather(const RunPlan& plan) {
  const std::uint64_t n = plan.machine.ports;
  return Program{.why =
                     "The scatter read backwards: half of the holders hand all that they have to the other half, "
                     "until only the root holds any.",
                 .lines = {"rel = rank xor root; blocks = own block",
                           "for d = n - 1 .. 0:", "  if 2^d <= rel < 2^(d + 1):", "    send blocks over dimension d",
                           "  else if rel < 2^d:", "    blocks = blocks + what comes over dimension d"},
                 .place_in = repeats(3, n, [n](Cycle cycle) { return messages(n, n - 1 - cycle); })};
}

constexpr Entry entries[] = {{"gather/sbt", gather}, {"scatter/sbt", scatter}};

}  // namespace

std::span<const Entry> scatter_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
