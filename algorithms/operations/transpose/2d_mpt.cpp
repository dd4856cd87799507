#include "2d_mpt.hpp"

#include <bit>
#include <cmath>

#include "2d_paths.hpp"
#include "block_transposition.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "lockstep/algorithms/per_rank.hpp"

namespace lockstep {
namespace transpose {
namespace {

/// The packets of a block in the class of H.
std::uint64_t packets_of(const Rounds& rounds, std::uint64_t H) { return 4 * rounds[H - 1] * H; }

/// The regime of Theorem 2, by n beside sqrt(r) and sqrt(r/2), r = K tau/beta: 1, 2 or 3.
int regime(std::uint64_t dimensions, std::uint64_t words, const CostModel& cost) {
  const auto n = static_cast<double>(dimensions);
  const double all_words = static_cast<double>(words) * cost.tau;
  if (n * n * cost.beta >= all_words) return 1;
  return 2 * n * n * cost.beta > all_words ? 2 : 3;
}

/// k of the class of H in regime 3. One round more is better as long as 8 H^2 k (k + 1) < r.
std::uint64_t best_rounds(std::uint64_t H, std::uint64_t words, const CostModel& cost) {
  const auto most = static_cast<double>(words / (4 * H));
  double least = 1;
  if (const std::uint64_t limit = cost.max_packet_words; limit != 0) {
    least = std::min(most,
                     std::ceil(static_cast<double>(words) / (4 * static_cast<double>(H) * static_cast<double>(limit))));
  }
  const double product = static_cast<double>(words) * cost.tau / (static_cast<double>(8 * H * H) * cost.beta);
  double k = std::clamp(std::floor(std::sqrt(product)), least, most);
  if (k < most && k * (k + 1) < product) ++k;
  return static_cast<std::uint64_t>(k);
}

constexpr NumberParameter rounds_parameter{
    {"rounds", "k, rounds in which every path takes two packets, for all classes H",
     "floor(h/H); where n <= sqrt(K tau/(2 beta)), for every H the k with the least time of its "
     "class, (2kH+1)(beta + K tau/(4kH))"},
    &Settings::rounds};

// A class takes 4 k H packets of at least a word: at most 4 k h with the k given, and 4 h for the largest class with
// any k.
void resolve_2d_mpt(const MachineSpec& machine, const Model&, Settings& settings) {
  require_even_dimensions(machine);
  if (settings.rounds) rounds_parameter.resolve(settings, {.most = most_words / (4 * machine.ports)});
  const std::uint64_t least = 2 * machine.ports * settings.rounds.value_or(1);
  const bool given = settings.matrix || settings.input;
  resolve_two_dimensional(machine, settings, given ? least : std::bit_ceil(least));
}

packets::PacketStream stream_of(Port n, std::uint64_t words, const Rounds& rounds, Rank origin, std::uint32_t path) {
  const std::uint64_t H = differing_pairs(origin, n);
  if (H == 0) return {.path = {}, .packets = packets::PacketCut::even(words, 1)};
  const Split paths(words, 2 * H);
  return {.path = packets::without_waits(transposition_path(origin, n, path)),
          .packets = packets::PacketCut::even(paths.size(path), 2 * rounds[H - 1]),
          .first_word = paths.first(path),
          .injection = {.burst = 2, .period = 2 * H}};
}

Outcome run_2d_mpt(const RunRequest& request) {
  const Port n = request.topology.ports();
  const std::uint64_t words = matrix::words_a_processor(request.machine, request.settings);
  const packets::PacketSchedule plan =
      multiple_paths(n, words, rounds_of(request.machine, request.model.cost, request.settings));
  return run_blocks(request, two_dimensional,
                    [&](PerRank<LabelledBlock>& held) { return packets::move_packets(request, plan, held); });
}

/// Counts and times of a run; h is at most 15.
struct Classes {
  std::uint64_t steps = 0;
  Wide messages = 0;
  std::uint64_t longest_sum = 0;
  std::uint64_t longest_startups = 0;
  double asynchronous = 0;
  bool asynchronous_exact = false;  ///< the slowest class has packets of one length, and waits nowhere
};

/// From that cycle on no packet of more words moves.
struct Fall {
  Cycle cycle;
  std::uint64_t words;
};

// Path 0's packets are at least as long as those of all others, and later ones are no longer: the longest of a class in
// a cycle is its earliest packet that moves in it, and becomes a word shorter with the first of the shorter packets.
void add_falls(std::vector<Fall>& falls, std::uint64_t words, std::uint64_t k, std::uint64_t H) {
  const Split packets(Split(words, 2 * H).longest(), 2 * k);
  const packets::Injection injection{.burst = 2, .period = 2 * H};
  const auto end = [&](std::uint64_t last) { return injection.start(last) + 2 * H; };
  if (packets.longer() > 0) falls.push_back({end(packets.longer() - 1), packets.longest()});
  falls.push_back({end(2 * k - 1), packets.shortest()});
}

Classes classes(std::uint64_t n, std::uint64_t words, const CostModel& cost, const Rounds& rounds) {
  const std::uint64_t h = n / 2;
  Classes all;
  std::vector<Fall> falls;
  Wide pairs = 1;  // binomial coefficient (h choose H)
  for (std::uint64_t H = 1; H <= h; ++H) {
    pairs = pairs * (h - H + 1) / H;
    const std::uint64_t k = rounds[H - 1];
    const Split packets(words, packets_of(rounds, H));
    const std::uint64_t cycles = 2 * k * H + 1;
    const double time = cost.time(cycles * cost.startups(packets.longest()), cycles * packets.longest());
    const bool even = packets.longer() == 0;
    all.asynchronous_exact =
        time > all.asynchronous ? even : all.asynchronous_exact || (even && time == all.asynchronous);
    all.asynchronous = std::max(all.asynchronous, time);
    all.messages += 8 * Wide{k} * H * H * pairs << h;
    all.steps = std::max(all.steps, cycles);
    add_falls(falls, words, k, H);
  }
  std::sort(falls.begin(), falls.end(), [](const Fall& a, const Fall& b) { return a.cycle > b.cycle; });
  falls.push_back({0, 0});
  std::uint64_t longest = 0;
  for (std::size_t index = 0; index + 1 < falls.size(); ++index) {
    longest = std::max(longest, falls[index].words);
    const std::uint64_t cycles = falls[index].cycle - falls[index + 1].cycle;
    all.longest_sum += cycles * longest;
    all.longest_startups += cycles * cost.startups(longest);
  }
  return all;
}

/// Theorem 2: the time with the best rounds for every class, by its closed forms, r = K tau / beta.
ModelledTime theorem_2(std::uint64_t dimensions, std::uint64_t words, const CostModel& cost) {
  const auto n = static_cast<double>(dimensions);
  const double r = static_cast<double>(words) * cost.tau / cost.beta;
  const std::string where = "Theorem 2, ";
  const std::string unit = ") beta, r = K tau/beta";
  const int number = regime(dimensions, words, cost);
  if (number == 1) {
    return {(n + 1 + (n + 1) * r / (2 * n)) * cost.beta,
            where + "regime 1, n >= sqrt(r): (n + 1 + (n + 1) r/(2 n)" + unit};
  }
  if (number == 2) {
    const std::string regime = where + "regime 2, sqrt(r/2) < n < sqrt(r): ";
    if (dimensions % 4 == 0) {
      return {(n / 2 + 3 + (n + 6) * r / (2 * n + 8)) * cost.beta, regime + "(h + 3 + (n + 6) r/(2 n + 8)" + unit};
    }
    return {(n / 2 + 2 + (n + 4) * r / (2 * n + 4)) * cost.beta, regime + "(h + 2 + (n + 4) r/(2 n + 4)" + unit};
  }
  const double root = 1 + std::sqrt(r / 2);
  return {root * root * cost.beta, where +
                                       "regime 3, n <= sqrt(r/2), the best rounds: (1 + sqrt(r/2))^2 beta, "
                                       "r = K tau/beta"};
}

/// The cycles of the last class, and in regime 3 the values of k_H.
std::string formula_of_steps(std::uint64_t n, std::uint64_t words, const CostModel& cost, const Settings& settings) {
  if (settings.rounds) return "max 2 k H + 1";
  if (regime(n, words, cost) != 3) return "n + 1";
  std::string text = "max 2 k_H H + 1, k_H =";
  for (const std::uint64_t k : default_rounds(static_cast<Port>(n), words, cost)) {
    text.append(" ").append(std::to_string(k));
  }
  return text;
}

Prediction predict_2d_mpt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t words = matrix::words_a_processor(machine, settings);
  const Classes counts = classes(n, words, model.cost, rounds_of(machine, model.cost, settings));
  Prediction prediction{
      .steps = exact_count(counts.steps, formula_of_steps(n, words, model.cost, settings)),
      .messages = exact_count(counts.messages, "sum_H 8 k_H H^2 C(h,H) 2^h"),
      .words = exact_count(Wide{n} * machine.processors / 2 * words, "n N/2 K, K = P Q/N"),
      .longest_sum = exact_count(counts.longest_sum, "sum_c max {K/(4 k_H H): 2 k_H H + 1 >= c}, in whole words")};
  prediction.longest_startups = counts.longest_startups;
  const std::string limited = model.cost.max_packet_words == 0 ? "" : " ceil(K/(4 k_H H B_m))";
  prediction.asynchronous = ModelledTime{
      counts.asynchronous, "max_H (2 k_H H + 1)(beta" + limited + " + ceil(K/(4 k_H H)) tau), a clock for every class",
      counts.asynchronous_exact};
  if (model.cost.beta > 0) {
    prediction.closed_form = theorem_2(n, words, model.cost);
    if (!limited.empty()) prediction.closed_form->formula += ", for packets of any length";
  }
  return prediction;
}

std::uint64_t bytes_2d_mpt(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t words = matrix::words_a_processor(machine, settings);
  const Rounds rounds = rounds_of(machine, model.cost, settings);
  std::uint64_t longest = 0;
  for (std::uint64_t H = 1; H <= rounds.size(); ++H) {
    longest = std::max(longest, Split(words, packets_of(rounds, H)).longest());
  }
  return saturated(Wide{packets::bytes_of_packets(machine, model, words, longest, machine.ports)} +
                   matrix_bytes(machine, settings, 0));
}

}  // namespace

Rounds default_rounds(Port dimensions, std::uint64_t words, const CostModel& cost) {
  const std::uint64_t h = dimensions / 2;
  const bool many_words = regime(dimensions, words, cost) == 3;
  Rounds rounds;
  for (std::uint64_t H = 1; H <= h; ++H) rounds.push_back(many_words ? best_rounds(H, words, cost) : h / H);
  return rounds;
}

Rounds rounds_of(const MachineSpec& machine, const CostModel& cost, const Settings& settings) {
  if (settings.rounds) return Rounds(machine.ports / 2, *settings.rounds);
  return default_rounds(static_cast<Port>(machine.ports), matrix::words_a_processor(machine, settings), cost);
}

packets::PacketSchedule multiple_paths(Port dimensions, std::uint64_t words, const Rounds& rounds) {
  return {
      .streams = [=](Rank origin) { return std::max(1U, 2 * differing_pairs(origin, dimensions)); },
      .stream = [=](Rank origin, std::uint32_t path) { return stream_of(dimensions, words, rounds, origin, path); }};
}

}  // namespace transpose

extern const Method transpose_2d_mpt_method = matrix::transposition({
    .name = "transpose/2d-mpt",
    .aliases = {"MPT"},
    .known_as = "two-dimensional transposition, multiple paths transpose (MPT)",
    .mapping = "two-dimensional",
    .source = "Johnsson & Ho, section 6.1.3 (johnsson-ho.md, Multiple paths)",
    .summary = "every block goes in packets over all 2H disjoint paths from (r,c) to (c,r), which differ in H bits "
               "(n even)",
    .parameters = {matrix_parameter, transpose::rounds_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .reads_costs = true,
    .resolve = transpose::resolve_2d_mpt,
    .predict = transpose::predict_2d_mpt,
    .bytes = transpose::bytes_2d_mpt,
    .run = transpose::run_2d_mpt,
});

}  // namespace lockstep
