#include <algorithm>

#include "host/number_text.hpp"
#include "lockstep/core/spread.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "program.hpp"

namespace lockstep::cli::pseudo_code {
namespace {

std::string holders_send(std::uint64_t holders) {
  return counted(holders, "holder") + (holders == 1 ? " sends" : " send");
}

std::optional<Program> sbt(const RunPlan& plan) {
  return Program{
      .why = "Every holder sends in every step, so that the holders double: with one port nothing is faster.",
      .lines = {"rel = rank xor root", "for i = 0 .. n - 1:", "  if rel < 2^i:", "    send the item over dimension i",
                "  else if rel < 2^(i + 1):", "    receive the item over dimension i"},
      .place_in = repeats(3, plan.machine.ports,
                          [](Cycle i) { return value("i", i) + ": " + holders_send(std::uint64_t{1} << i); })};
}

std::optional<Program> drbt(const RunPlan& plan) {
  if (*plan.settings.packets > 1) return {};  // several are on their way at a time
  const bool cross_first = plan.settings.order == "cross-first";
  std::vector<std::string> lines{"parent, children: neighbours in the double-rooted binary tree",
                                 "if rank is not the root:", "  wait for the item from the parent"};
  if (spreads_at_once(plan.model)) {
    lines.emplace_back("send the item to all children at once");
  } else {
    lines.emplace_back(cross_first ? "for each child, that in another block first, one a cycle:"
                                   : "for each child, that whose subtree takes longest first, one a cycle:");
    lines.emplace_back("  send it the item");
  }
  const std::size_t sends = lines.size() - 1;
  const std::uint64_t steps = predicted_steps(plan);
  return Program{.why =
                     "A complete binary tree does not fit into a cube, link for link; with a second root beside its "
                     "root it does, and every link of the tree is one of the machine.",
                 .lines = std::move(lines),
                 .place_in = repeats(sends, steps, [](Cycle cycle) { return "step " + std::to_string(cycle + 1); })};
}

std::optional<Program> direct_at_once(const RunPlan& plan) {
  const bool on_bus = plan.machine.medium->kind == MediumKind::bus;
  return Program{.why = on_bus ? "All hear what is said on a bus: a broadcast is what it does best."
                               : "Elements that copy take one message to all outputs in one pass.",
                 .lines = {"if rank = root:", "  send the item to all others, in one transaction",
                           "else:", "  keep the item that is heard"},
                 .place_in = repeats(1, plan.machine.processors == 1 ? 0 : 1,
                                     [root = *plan.settings.root](Cycle) { return value("root", root); })};
}

std::optional<Program> direct_through_memory(const RunPlan& plan) {
  const std::uint64_t readers = plan.machine.processors - 1;
  const std::uint64_t users = std::min(plan.machine.medium->users, readers);
  return Program{
      .why =
          "One access writes the item; after that only kstar, the accesses that the memory takes in a cycle, "
          "limits who reads it.",
      .lines = {"if rank = root:", "  write the item into the slot",
                "else, kstar processors in each cycle r = 1, 2, ..:", "  read the slot"},
      .place_in =
          lasts(readers == 0 ? 0 : 1 + rounds(*plan.machine.medium, readers),
                [=, root = *plan.settings.root](Cycle r) -> Place {
                  if (r == 0) return {1, value("root", root)};
                  const std::uint64_t now = std::min(users, readers - (r - 1) * users);
                  return {3, value("r", r) + ": " + counted(now, "processor") + (now == 1 ? " reads" : " read")};
                })};
}

std::optional<Program> direct_through_banks(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  return Program{
      .why =
          "A bank serves one reader a cycle; so those who have the item write copies into other banks, until P = "
          "min(kstar, banks) can read at a time.",
      .lines = {"place = (rank - root) mod k, c = 1", "if rank = root: write copy 0",
                "in cycles 1, 2, ..: c processors read, each another copy, the next places first",
                "  meanwhile place < c writes copy c + place, if it will be read, and c doubles up to P"},
      .place_in = lasts(k == 1 ? 0 : predicted_steps(plan), [](Cycle cycle) -> Place {
        return {cycle == 0 ? 1U : 2U, "cycle " + std::to_string(cycle)};
      })};
}

std::optional<Program> direct(const RunPlan& plan) {
  const bool is_memory = plan.machine.medium->kind == MediumKind::memory;
  if (plan.machine.medium->banks != 0) return direct_through_banks(plan);
  return is_memory ? direct_through_memory(plan) : direct_at_once(plan);
}

std::optional<Program> doubling(const RunPlan& plan) {
  const std::uint64_t k = plan.machine.processors;
  return Program{
      .why = "A switch lets everybody send to anybody, so that each holder finds somebody new in every step.",
      .lines = {"place = (rank - root) mod k", "for c = 1, 2, 4, .. below k:", "  if place < c and place + c < k:",
                "    send the item to the processor c places on",
                "  else if c <= place < 2 c:", "    receive the item from the processor c places back"},
      .place_in = repeats(3, doublings(k), [k](Cycle i) {
        const std::uint64_t c = std::uint64_t{1} << i;
        return value("c", c) + ": " + (k - c < c ? of(k - c, c) + " holders send" : holders_send(c));
      })};
}

constexpr Entry entries[] = {
    {"broadcast/direct", direct},
    {"broadcast/doubling", doubling},
    {"broadcast/drbt", drbt},
    {"broadcast/sbt", sbt},
};

}  // namespace

std::span<const Entry> broadcast_programs() { return entries; }

}  // namespace lockstep::cli::pseudo_code
