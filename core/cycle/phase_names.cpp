#include "cycle/phase_names.hpp"

#include <mutex>

#include "lockstep/core/detail/network.hpp"

namespace lockstep::detail {

bool PhaseNames::find(std::string_view name, std::size_t& number) const {
  for (number = 0; number < known_.size(); ++number) {
    const Owned<std::string>* known = known_[number].load(std::memory_order_acquire);  // pairs with the release in add
    if (known == nullptr) return false;
    if (*known == name) return true;
  }
  return false;
}

void PhaseNames::add(std::string_view name) {
  const Owned<std::string>& kept = names_.emplace_back(name);
  known_[names_.size() - 1].store(&kept, std::memory_order_release);  // pairs with the acquire in find
}

std::uint8_t PhaseNames::number(std::string_view name) {
  std::size_t number = 0;
  if (find(name, number)) return static_cast<std::uint8_t>(number);
  const std::scoped_lock lock(mutex_);
  if (find(name, number)) return static_cast<std::uint8_t>(number);  // another worker was first
  if (number == known_.size()) {
    too_many_.store(true, std::memory_order_relaxed);
    return 0;
  }
  add(name);
  return static_cast<std::uint8_t>(number);
}

void begin_phase(Control& control, std::string_view name) {
  Worker& worker = *control.worker;
  const std::uint8_t number = worker.phase_names->number(name);
  if (worker.is_observed && control.last_send == worker.stamp && number != control.phase) {
    worker.phases_left.push_back({control.rank, worker.network->ports_sent_on(control), control.phase});
  }
  control.phase = number;
}

}  // namespace lockstep::detail
