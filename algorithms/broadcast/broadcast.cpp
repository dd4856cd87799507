#include "broadcast.hpp"

#include <algorithm>
#include <chrono>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/number_file.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"

namespace lockstep::broadcast {

namespace {

/// What is wrong with the item that the rank holds; empty if it has `size` words and word i is expected(i).
template <class Expected>
std::string what_is_wrong(Rank rank, const Block& item, std::uint64_t size, const Expected& expected) {
  std::uint64_t right = 0;
  while (right < std::min(size, item.size()) && item[right] == expected(right)) ++right;
  if (right == size && item.size() == size) return {};
  return "rank " + std::to_string(rank) + " holds " + std::to_string(item.size()) + " words of " +
         std::to_string(size) + ", the first " + std::to_string(right) + " right";
}

}  // namespace

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  if (settings.input) {
    const std::uint64_t numbers = scan_numbers(*settings.input).count;
    if (settings.words.value_or(numbers) != numbers) {
      throw InputError("--words " + std::to_string(*settings.words) + " does not fit " + input_name(*settings.input) +
                       ", which has " + std::to_string(numbers) + (numbers == 1 ? " number" : " numbers"));
    }
    settings.words = numbers;
  }
  words_parameter.resolve(settings);
  root_parameter.resolve(machine, settings);
  if (settings.output) check_writable(*settings.output);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_with_slots(machine, model, settings, 0);
}

std::uint64_t bytes_with_slots(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t slots) {
  const Wide item = sizeof(Block) + (*settings.words > 1 ? *settings.words * sizeof(Word) : 0);
  const std::uint64_t input = settings.input ? *settings.words * sizeof(Word) : 0;
  return saturated(machine_bytes<Block>(machine, model, slots) + (machine.processors + slots) * item + input);
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t steps) {
  if (machine.processors == 1) return {.steps = 0, .longest_sum = 0};
  const std::uint64_t links = model.ports == PortModel::all ? machine.ports : 1;
  return {.steps = steps, .longest_sum = std::max(steps, (*settings.words + links - 1) / links)};
}

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t diameter = is_hypercube(machine) ? machine.ports : ReducedHypercube(machine).diameter();
  return lower_bound(machine, model, settings, diameter);
}

std::vector<Block> initial_items(const RunRequest& request) {
  const auto root = static_cast<Rank>(*request.settings.root);
  std::vector<Block> items(request.topology.processors());
  if (!request.settings.input) {
    items[root] = generated_block(request.settings.seed, root, root, *request.settings.words);
    return items;
  }
  const std::vector<Word> numbers = read_numbers(*request.settings.input).words;
  if (numbers.size() != *request.settings.words) throw InputError(*request.settings.input + " has changed meanwhile");
  items[root] = Block(numbers.size());
  std::copy(numbers.begin(), numbers.end(), items[root].data());
  return items;
}

void finish(const RunRequest& request, const std::vector<Block>& items, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Settings& settings = request.settings;
  const auto root = static_cast<Rank>(*settings.root);
  const Numbers input = settings.input ? read_numbers(*settings.input) : Numbers{};
  const std::uint64_t size = settings.input ? input.words.size() : *settings.words;
  const auto expected = [&](std::uint64_t index) {
    return settings.input ? input.words[index] : generated_word(settings.seed, root, root, index);
  };
  Digest digest;
  for (Rank rank = 0; rank < items.size(); ++rank) {
    const Block& item = items[rank];
    for (std::uint64_t index = 0; index < item.size(); ++index) digest.add(item[index]);
    if (outcome.wrong.empty()) outcome.wrong = what_is_wrong(rank, item, size, expected);
  }
  outcome.data_digest = digest.value();
  outcome.verify_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (!settings.output || !outcome.wrong.empty()) return;
  write_numbers(*settings.output, {items.back().data(), items.back().size()}, input.type);
}

}  // namespace lockstep::broadcast
