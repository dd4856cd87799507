#include "lockstep/algorithms/operation/broadcast.hpp"

#include <algorithm>
#include <chrono>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/number_file.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/reduced_hypercube.hpp"
#include "method/group.hpp"

namespace lockstep::broadcast {
namespace {

Wide bytes_of_items(const MachineSpec& machine, const Settings& settings) {
  const std::uint64_t frame = machine.medium ? 220 : 0;  // of the program, beyond that of a small one
  const Wide copies = settings.input ? 3 : 2;            // the root's, the oracle's, and that of the file
  return Wide{machine.processors} * (sizeof(Block) + frame) + copies * *settings.words * sizeof(Word);
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "broadcast",
                                    .known_as = "one to all",
                                    .parameters = {words_parameter, root_parameter, input_parameter, output_parameter},
                                    .resolve = resolve,
                                    .bytes = bytes});
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  if (settings.input) {
    const std::uint64_t numbers = scan_numbers(*settings.input).count;
    if (settings.words.value_or(numbers) != numbers) {
      throw InputError("--words " + std::to_string(*settings.words) + " does not fit " + input_name(*settings.input) +
                       ", which has " + counted(numbers, "number"));
    }
    settings.words = numbers;
  }
  words_parameter.resolve(settings);
  root_parameter.resolve(machine, settings);
  if (settings.output) check_writable(*settings.output);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_over(machine, model, settings, machine.processors);
}

std::uint64_t bytes_over(const MachineSpec& machine, const Model& model, const Settings& settings, Wide directions) {
  return saturated(machine_bytes_used<Block>(machine, model, directions) + bytes_of_items(machine, settings));
}

std::uint64_t bytes_with_slots(const MachineSpec& machine, const Model& model, const Settings& settings,
                               std::uint64_t slots) {
  return saturated(machine_bytes<Block>(machine, model, slots) + slots * sizeof(Block) +
                   bytes_of_items(machine, settings));
}

PerRank<Block> initial_items(const RunRequest& request) {
  const Rank root = request.root();
  PerRank<Block> items(request);
  if (!is_here(request.division, root)) return items;
  if (!request.settings.input) {
    items[root] = generated_block(request.settings.seed, root, root, *request.settings.words);
    return items;
  }
  const std::vector<Word> numbers = read_numbers(*request.settings.input).words;
  if (numbers.size() != *request.settings.words) refuse_changed(*request.settings.input);
  items[root] = Block(std::span(numbers));
  return items;
}

void finish(const RunRequest& request, const PerRank<Block>& items, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Settings& settings = request.settings;
  const Rank root = root_of(settings);
  const Numbers input = settings.input ? read_numbers(*settings.input) : Numbers{};
  const Block generated = settings.input ? Block() : generated_block(settings.seed, root, root, *settings.words);
  const std::span<const Word> expected = settings.input ? std::span(input.words) : generated.words();
  const std::optional<method::Group> group = method::group_of(request.machine, settings);
  verify_items(
      request, start, items, expected, [&](Rank rank) { return !group || group->has(rank); }, outcome);

  if (!settings.output || !outcome.wrong.empty()) return;
  const Rank last_rank = group ? group->members().back() : request.topology.processors() - 1;
  const Block last = of_rank(request, last_rank, [&] { return items[last_rank]; });
  write_numbers(*settings.output, {last.data(), last.size()}, input.type);
}

}  // namespace lockstep::broadcast
