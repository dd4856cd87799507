#include "host/number_text.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::scatter {
namespace {

/// In the step over dimension d.
std::string messages(std::uint64_t n, std::uint64_t d) {
  const std::uint64_t senders = std::uint64_t{1} << d;
  return value("d", d) + ": " + counted(senders, "processor") + (senders == 1 ? " sends " : " send ") +
         counted(std::uint64_t{1} << (n - 1 - d), "block") + (senders == 1 ? "" : " each");
}

std::optional<PseudoProgram> scatter(const RunPlan& plan) {
  const std::uint64_t n = plan.machine.ports;
  const ProgramText text("scatter/sbt");
  return text.with(repeats(text.line("send"), n, [n](Cycle d) { return messages(n, d); }));
}

std::optional<PseudoProgram> gather(const RunPlan& plan) {
  const std::uint64_t n = plan.machine.ports;
  const ProgramText text("gather/sbt");
  return text.with(repeats(text.line("send"), n, [n](Cycle cycle) { return messages(n, n - 1 - cycle); }));
}

constexpr MethodProgram entries[] = {{"gather/sbt", gather}, {"scatter/sbt", scatter}};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::scatter
