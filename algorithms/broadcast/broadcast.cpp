#include "broadcast.hpp"

#include <algorithm>
#include <chrono>

#include "lockstep/algorithms/data.hpp"

namespace lockstep::broadcast {

void resolve(const MachineSpec& machine, Settings& settings) {
  settings.words = whole_number("words", settings.words.value_or(1), 1, most_words);
  settings.root = whole_number("root", settings.root.value_or(0), 0, machine.processors - 1);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t item = sizeof(Block) + (*settings.words > 1 ? *settings.words * sizeof(Word) : 0);
  return machine_bytes<Block>(machine, model) + machine.processors * item;
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t steps) {
  if (machine.processors == 1) return {.steps = 0, .longest_sum = 0};
  const std::uint64_t links = model.ports == PortModel::all ? machine.ports : 1;
  return {.steps = steps, .longest_sum = std::max(steps, (*settings.words + links - 1) / links)};
}

std::vector<Block> initial_items(const RunRequest& request) {
  const auto root = static_cast<Rank>(*request.settings.root);
  std::vector<Block> items(request.topology.processors());
  items[root] = generated_block(request.settings.seed, root, root, *request.settings.words);
  return items;
}

void verify(const RunRequest& request, const std::vector<Block>& items, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const auto root = static_cast<Rank>(*request.settings.root);
  Digest digest;
  for (Rank rank = 0; rank < items.size(); ++rank) {
    const Block& item = items[rank];
    for (std::uint64_t index = 0; index < item.size(); ++index) digest.add(item[index]);
    std::uint64_t right = 0;
    while (right < item.size() && item[right] == generated_word(request.settings.seed, root, root, right)) ++right;
    if (outcome.wrong.empty() && (item.size() != *request.settings.words || right < item.size())) {
      outcome.wrong = "rank " + std::to_string(rank) + " holds " + std::to_string(item.size()) + " words of " +
                      std::to_string(*request.settings.words) + ", the first " + std::to_string(right) + " right";
    }
  }
  outcome.data_digest = digest.value();
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace lockstep::broadcast
