#include "written/follow.hpp"

#include "lockstep/machines/machine_family.hpp"
#include "written/carry_out.hpp"

namespace lockstep::written {

std::vector<std::string_view> linked_families() {
  // Copies: the list's own strings move when a program adds a family to it.
  static const std::vector<std::string> names = [] {
    std::vector<std::string> linked;
    for (const MachineFamily& family : machine_families()) {
      if (family.wiring != nullptr) linked.push_back(family.name);
    }
    return linked;
  }();
  return {names.begin(), names.end()};
}

Wide bytes_to_follow(const MachineSpec& machine, const Model& model, const Task& task, std::uint64_t words,
                     Wide moves) {
  const Chunks chunks(PlanForm::blocks, task, static_cast<Rank>(machine.processors));
  return bytes_to_carry_out(machine, model, chunks, words, moves);
}

Outcome follow(const RunRequest& request, Schedule schedule) {
  return carry_out(request, plan_of(std::move(schedule)), *request.settings.words);
}

}  // namespace lockstep::written
