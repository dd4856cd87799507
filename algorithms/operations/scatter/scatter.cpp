#include "lockstep/algorithms/operation/scatter.hpp"

#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/number_file.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/group.hpp"
#include "plans/tree/limited_doubling.hpp"

namespace lockstep::scatter {
namespace {

std::uint64_t processors_with_blocks(const MachineSpec& machine, const Settings& settings) {
  const std::optional<method::Group> group = method::group_of(machine, settings);
  return group ? group->members().size() : machine.processors;
}

/// Words of each block if the file is divided among k processors.
std::uint64_t block_words(const std::string& path, const MachineSpec& machine, std::uint64_t k,
                          const std::optional<std::uint64_t>& words) {
  const std::uint64_t numbers = scan_numbers(path).count;
  const std::string has = " has " + counted(numbers, "number");
  if (words && Wide{k} * *words != numbers) {
    throw InputError("--words " + std::to_string(*words) + " does not fit " + input_name(path) + ", which" + has +
                     ": " + to_string(Wide{k} * *words) + " would fit " + printable(machine.text));
  }
  if (numbers % k != 0) {
    const std::uint64_t less = numbers / k * k;
    throw InputError(input_name(path) + has + ", which cannot be divided evenly among the processors of " +
                     printable(machine.text) + ": " + (less > 0 ? std::to_string(less) + " or " : "") +
                     std::to_string(less + k) + " would fit");
  }
  return numbers / k;
}

/// The blocks, from the input or generated.
class ScatterData {
 public:
  ScatterData(const RunRequest& request, Reading reading)
      : seed_(request.settings.seed),
        size_(*request.settings.words),
        reading_(reading),
        group_(method::group_of(request.machine, request.settings)) {
    if (!request.settings.input) return;
    input_ = read_numbers(*request.settings.input);
    if (input_.words.size() != processors_with_blocks(request.machine, request.settings) * size_) {
      refuse_changed(*request.settings.input);
    }
  }

  NumberType type() const { return input_.type; }

  Block block(Rank origin, Rank destination) const {
    if (input_.words.empty()) return generated_block(seed_, origin, destination, size_);
    const std::uint64_t place = place_of(reading_ == Reading::forwards ? destination : origin);
    Block block(size_);
    std::copy_n(input_.words.begin() + static_cast<std::ptrdiff_t>(place * size_), size_, block.data());
    return block;
  }

 private:
  /// The place of a rank among those that have blocks.
  std::uint64_t place_of(Rank owner) const {
    if (!group_) return owner;
    const auto place = std::ranges::lower_bound(group_->members(), owner);
    return static_cast<std::uint64_t>(place - group_->members().begin());
  }

  std::uint64_t seed_;
  std::uint64_t size_;
  Reading reading_;
  std::optional<method::Group> group_;
  Numbers input_;
};

/// The labels of all blocks of a scatter or gather, in the order of their ranks.
std::vector<BlockLabels> all_blocks(const RunRequest& request, Reading reading) {
  const Rank root = request.root();
  const std::optional<method::Group> group = method::group_of(request.machine, request.settings);
  std::vector<BlockLabels> all;
  for (Rank rank = 0; rank < request.topology.processors(); ++rank) {
    if (group && !group->has(rank)) continue;
    all.push_back(reading == Reading::forwards ? BlockLabels{root, rank} : BlockLabels{rank, root});
  }
  return all;
}

/// Writes the blocks of all ranks.
template <class Bundles>
void write_output(const std::string& path, const Bundles& held, NumberType type) {
  std::vector<Word> words;
  for (const Bundle& one : held) {
    std::vector<Piece> pieces = one.pieces();
    std::ranges::sort(pieces, {}, [](const Piece& piece) { return std::pair(piece.origin, piece.first); });
    for (const Piece& piece : pieces) {
      words.insert(words.end(), piece.block.begin(), piece.block.end());
    }
  }
  write_numbers(path, words, type);
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "scatter",
                                    .known_as = "scattering",
                                    .parameters = {words_parameter, root_parameter, input_parameter, output_parameter},
                                    .resolve = resolve});
}

Method gather_with_defaults(Method own) {
  own.operation = "gather";
  if (own.known_as.empty()) own.known_as = "gathering";
  return with_defaults(std::move(own));
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  if (settings.words || !settings.input) words_parameter.resolve(settings);
  if (settings.input) {
    const std::uint64_t k = processors_with_blocks(machine, settings);
    settings.words = block_words(*settings.input, machine, k, settings.words);
  }
  root_parameter.resolve(machine, settings);
  if (settings.output) check_writable(*settings.output);
}

std::uint64_t bytes_for(const MachineSpec& machine, const Model& model, const Settings& settings, Wide pieces,
                        std::uint64_t memory_slots, std::uint64_t parts) {
  const Wide k = machine.processors;
  const Wide m = *settings.words;
  const std::uint64_t part = (*settings.words + parts - 1) / parts;
  const Wide files = (settings.input ? 1 : 0) + (settings.output ? 1 : 0);
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) +
                   k * (sizeof(HeldBlocks) + sizeof(BlockLabels)) +
                   (pieces + memory_slots) * Wide{sizeof(Bundle) + Bundle::bytes_in_place(part)} +
                   k * parts * Bundle::bytes_elsewhere(part) + files * k * m * sizeof(Word));
}

std::uint64_t bytes_over(const MachineSpec& machine, const Model& model, const Settings& settings, Wide directions,
                         Wide pieces, std::uint64_t parts) {
  const std::uint64_t unused =
      machine_bytes<Bundle>(machine, model) - machine_bytes_used<Bundle>(machine, model, directions);
  const std::uint64_t bytes = bytes_for(machine, model, settings, pieces, 0, parts);
  return bytes == std::numeric_limits<std::uint64_t>::max() ? bytes : bytes - unused;
}

std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_for(machine, model, settings, 2 * Wide{machine.processors});
}

PerRank<HeldBlocks> initially_held(const RunRequest& request, Reading reading) {
  const ScatterData data(request, reading);
  PerRank<HeldBlocks> held(request);
  const std::vector<BlockLabels> all = all_blocks(request, reading);
  const Rank root = request.root();
  if (reading == Reading::forwards && is_here(request.division, root)) {
    held[root].pieces.reserve(all.size(), all.size() * *request.settings.words);
  }
  for (const auto& [origin, destination] : all) {
    if (!is_here(request.division, origin)) continue;
    HeldBlocks& owner = held[origin];
    owner.pieces.add(
        LabelledBlock{.origin = origin, .destination = destination, .block = data.block(origin, destination)});
    owner.words += *request.settings.words;
  }
  return held;
}

void finish(const RunRequest& request, Reading reading, const PerRank<HeldBlocks>& held, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const ScatterData data(request, reading);
  const std::vector<BlockLabels> all = all_blocks(request, reading);
  const PieceOracle oracle([&](Rank origin, Rank destination) { return data.block(origin, destination); });
  const auto judge = [&](Rank rank) {
    const auto due = std::ranges::equal_range(all, rank, {}, &BlockLabels::destination);
    return oracle.judge(rank, held[rank].pieces.pieces(), {due.begin(), due.end()});
  };
  verify_ranks(request, start, judge, outcome);
  if (!request.settings.output || !outcome.wrong.empty()) return;
  if (request.division == nullptr) {
    write_output(*request.settings.output, held | std::views::transform(&HeldBlocks::pieces), data.type());
  } else {
    const std::vector<Bundle> of_ranks = shared(request, [&](Rank rank) { return held[rank].pieces; });
    write_output(*request.settings.output, of_ranks, data.type());
  }
}

Outcome run_own(const RunRequest& request, Reading reading, Process (*program)(Processor<Bundle>&, Rank, Bundle&)) {
  const Rank root = request.root();
  return run(request, reading,
             [&](Processor<Bundle>& self, HeldBlocks& held) { return program(self, root, held.pieces); });
}

}  // namespace lockstep::scatter
