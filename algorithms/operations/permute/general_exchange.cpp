#include <bit>
#include <set>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/piece_oracle.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "method/comma_list.hpp"
#include "operations/matrix/address_exchanges.hpp"
#include "permute.hpp"

namespace lockstep {
namespace permute {
namespace {

/// Two bits of a place: those below log2 K are bits of the local index, the others are dimensions.
using Pair = std::pair<unsigned, unsigned>;

std::vector<Pair> parse_pairs(std::string_view text, unsigned bits) {
  std::vector<Pair> pairs;
  std::set<unsigned> firsts;
  std::set<unsigned> seconds;
  const auto bit = [&](std::string_view number) {
    return static_cast<unsigned>(parse_whole_number("--pairs: bit", number, 0, bits == 0 ? 0 : bits - 1));
  };
  std::vector<std::string_view> fields = method::split_at_commas(text);
  if (fields.empty()) fields.emplace_back();  // which is no pair
  for (const std::string_view pair : fields) {
    const std::size_t colon = pair.find(':');
    if (colon == std::string_view::npos) {
      throw InputError("--pairs " + quoted(text) + " is no list of pairs G:F,G:F..; " + quoted(pair) +
                       " is not a pair");
    }
    const Pair numbers{bit(pair.substr(0, colon)), bit(pair.substr(colon + 1))};
    if (!firsts.insert(numbers.first).second || !seconds.insert(numbers.second).second) {
      throw InputError("--pairs " + quoted(text) +
                       " names a bit twice on one side: the first bits of all pairs must "
                       "differ, and so must the second");
    }
    pairs.push_back(numbers);
  }
  return pairs;
}

unsigned local_bits(const Settings& settings) { return static_cast<unsigned>(std::countr_zero(*settings.words)); }

std::vector<Pair> pairs_of(const MachineSpec& machine, const Settings& settings) {
  return parse_pairs(*settings.pairs, matrix::cube_dimensions(machine) + local_bits(settings));
}

constexpr NumberParameter words_in_pairs{{"words", "K, words of each processor, a power of two", "1"},
                                         &Settings::words};

void resolve_general_exchange(const MachineSpec& machine, const Model&, Settings& settings) {
  if (!settings.pairs) {
    throw InputError(
        "permute/general-exchange needs --pairs G:F,G:F.., bits of (rank, index within --words); e.g. "
        "--words 4 --pairs 2:0,3:1 exchanges the two lowest dimensions with the index");
  }
  words_in_pairs.resolve(settings);
  if (!std::has_single_bit(*settings.words)) {
    throw InputError("--words " + std::to_string(*settings.words) +
                     " is no power of two, so that its index has no bits to exchange");
  }
  pairs_of(machine, settings);
}

// An exchange with a local bit takes a step, in which every processor sends K/2 words; one of two dimensions takes two,
// in each of which half of the processors send K words.
Prediction predict_general_exchange(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const unsigned k = local_bits(settings);
  std::uint64_t mixed = 0;
  std::uint64_t real = 0;
  for (const auto& [a, b] : pairs_of(machine, settings)) {
    if (a == b) continue;
    if (a >= k && b >= k) ++real;
    if ((a >= k) != (b >= k)) ++mixed;
  }
  const Wide processors = machine.processors;
  const std::uint64_t words = *settings.words;
  return {.steps = exact_count(mixed + 2 * real, "1 a pair of a dimension and an index bit, 2 a pair of dimensions"),
          .messages = exact_count((mixed + real) * processors, "N for every pair with a dimension"),
          .words = exact_count(mixed * processors * (words / 2) + real * processors * words,
                               "N K/2 a pair of a dimension and an index bit, N K a pair of dimensions"),
          .longest_sum = exact_count(mixed * (words / 2) + 2 * real * words,
                                     "K/2 a pair of a dimension and an index bit, 2 K a pair of dimensions"),
          .longest_startups = mixed * model.cost.startups(words / 2) + 2 * real * model.cost.startups(words)};
}

std::uint64_t bytes_general_exchange(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide words = Wide{machine.processors} * *settings.words;
  return saturated(matrix::bytes_of_exchanges(machine, model) + 4 * words * sizeof(Word) +
                   Wide{machine.processors} * sizeof(Block));
}

/// Where the pairs, one after the other, take the word at `place`.
std::uint64_t exchanged(std::uint64_t place, const std::vector<Pair>& pairs) {
  for (const auto& [a, b] : pairs) {
    const std::uint64_t both = (std::uint64_t{1} << a) | (std::uint64_t{1} << b);
    if ((place & both) != 0 && (place & both) != both) place ^= both;
  }
  return place;
}

Outcome run_general_exchange(const RunRequest& request) {
  const Rank processors = request.topology.processors();
  const std::uint64_t words = *request.settings.words;
  const std::vector<Pair> pairs = pairs_of(request.machine, request.settings);
  matrix::AddressExchanges exchanges(request.topology.ports(), local_bits(request.settings));
  for (const auto& [a, b] : pairs) {
    if (a != b) exchanges.exchange_bits(a, b);
  }
  const auto generated = [&](Rank rank) { return generated_block(request.settings.seed, rank, rank, words); };
  PerRank<Block> arrays(request);
  for_all_ranks(request, [&](Rank rank) { arrays[rank] = generated(rank); });
  Outcome outcome;
  outcome.report = matrix::run_exchanges(request, exchanges, arrays);

  const auto start = std::chrono::steady_clock::now();
  std::vector<Word> expected(processors * words);
  for (Rank rank = 0; rank < processors; ++rank) {
    const Block before = generated(rank);
    for (std::uint64_t index = 0; index < words; ++index) {
      expected[exchanged(rank * words + index, pairs)] = before[index];
    }
  }
  const PieceOracle oracle(
      [&](Rank origin, Rank) { return Block(std::span(expected).subspan(origin * words, words)); });
  const auto judge = [&](Rank rank) {
    const BlockLabels labels{rank, rank};
    return oracle.judge(rank, {Piece{rank, rank, 0, arrays[rank].words()}}, {&labels, 1});
  };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace
}  // namespace permute

extern const Method permute_general_exchange_method = permute::with_defaults({
    .name = "permute/general-exchange",
    .known_as = "general exchange",
    .mapping = "of address bits",
    .source = "Johnsson & Ho, section 3.2, Definition 11 (johnsson-ho.md, General exchange)",
    .summary = "pairs of bits of (rank, index) are exchanged in order: a dimension and an index bit in a step, two "
               "dimensions in two",
    .parameters = {permute::words_in_pairs,
                   Parameter{"pairs",
                             "G:F,G:F..: bits to exchange, in order; bits below log2 K are those of the index, "
                             "bit log2 K + d is dimension d",
                             "has to be given"}},
    .resolve = permute::resolve_general_exchange,
    .predict = permute::predict_general_exchange,
    .proven = [](const MachineSpec&, const Model&, const Settings&) { return LowerBound{}; },
    .bytes = permute::bytes_general_exchange,
    .run = permute::run_general_exchange,
});

}  // namespace lockstep
