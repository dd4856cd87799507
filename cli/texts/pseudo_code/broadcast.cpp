#include <algorithm>

#include "host/number_text.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

namespace lockstep::cli::texts::pseudo_code::broadcast {
namespace {

std::string holders_send(std::uint64_t holders) {
  return counted(holders, "holder") + (holders == 1 ? " sends" : " send");
}

std::optional<PseudoProgram> sbt(const RunPlan& plan) {
  const ProgramText text("broadcast/sbt");
  return text.with(repeats(text.line("send"), plan.machine.ports,
                           [](Cycle i) { return value("i", i) + ": " + holders_send(std::uint64_t{1} << i); }));
}

std::optional<PseudoProgram> drbt(const RunPlan& plan) {
  if (*plan.settings.packets > 1) return {};  // several are in flight at a time
  const ProgramText text = [&] {
    if (spreads_at_once(plan.model)) return ProgramText("broadcast/drbt", {"at once"});
    const bool cross_first = plan.settings.order == "cross-first";
    return ProgramText("broadcast/drbt", {"one by one", cross_first ? "another block first" : "longest first"});
  }();
  return text.with(repeats(text.line("send"), predicted_steps(plan),
                           [](Cycle cycle) { return "step " + std::to_string(cycle + 1); }));
}

std::optional<PseudoProgram> direct_at_once(const RunPlan& plan) {
  const bool on_bus = plan.machine.medium->kind == MediumKind::bus;
  const ProgramText text(on_bus ? "broadcast/direct on a bus" : "broadcast/direct by copies");
  return text.with(repeats(text.line("send"), plan.machine.processors == 1 ? 0 : 1,
                           [root = *plan.settings.root](Cycle) { return value("root", root); }));
}

std::optional<PseudoProgram> direct_through_memory(const RunPlan& plan) {
  const std::uint64_t readers = plan.machine.processors - 1;
  const std::uint64_t users = std::min(plan.machine.medium->users, readers);
  const ProgramText text("broadcast/direct through a memory");
  return text.with(lasts(
      readers == 0 ? 0 : 1 + rounds(*plan.machine.medium, readers),
      [=, root = *plan.settings.root](Cycle r) -> ProgramPlace {
        if (r == 0) return {text.line("write"), value("root", root)};
        const std::uint64_t now = std::min(users, readers - (r - 1) * users);
        return {text.line("read"), value("r", r) + ": " + counted(now, "processor") + (now == 1 ? " reads" : " read")};
      }));
}

std::optional<PseudoProgram> direct_through_banks(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const ProgramText text("broadcast/direct through banks");
  return text.with(lasts(k == 1 ? 0 : predicted_steps(plan), [=](Cycle cycle) -> ProgramPlace {
    return {text.line(cycle == 0 ? "write" : "read"), "cycle " + std::to_string(cycle)};
  }));
}

std::optional<PseudoProgram> direct(const RunPlan& plan) {
  const bool is_memory = plan.machine.medium->kind == MediumKind::memory;
  if (plan.machine.medium->banks != 0) return direct_through_banks(plan);
  return is_memory ? direct_through_memory(plan) : direct_at_once(plan);
}

std::optional<PseudoProgram> doubling(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  const ProgramText text("broadcast/doubling");
  return text.with(repeats(text.line("send"), doublings(k), [k](Cycle i) {
    const std::uint64_t c = std::uint64_t{1} << i;
    return value("c", c) + ": " + (k - c < c ? of(k - c, c) + " holders send" : holders_send(c));
  }));
}

constexpr MethodProgram entries[] = {
    {"broadcast/direct", direct},
    {"broadcast/doubling", doubling},
    {"broadcast/drbt", drbt},
    {"broadcast/sbt", sbt},
};

}  // namespace

std::span<const MethodProgram> programs() { return entries; }

}  // namespace lockstep::cli::texts::pseudo_code::broadcast
