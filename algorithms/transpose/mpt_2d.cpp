#include "mpt_2d.hpp"

#include <bit>
#include <cmath>

#include "block_transposition.hpp"
#include "lockstep/algorithms/packets.hpp"
#include "paths_2d.hpp"

namespace lockstep {
namespace transpose {
namespace {

using Rounds = std::optional<std::uint64_t>;

/// k for processors of that H.
std::uint64_t rounds_of(const Rounds& rounds, std::uint64_t n, std::uint64_t H) { return rounds.value_or(n / 2 / H); }

/// The packets of a block in the class of H, 4 k H.
std::uint64_t packets_of(const Rounds& rounds, std::uint64_t n, std::uint64_t H) {
  return 4 * rounds_of(rounds, n, H) * H;
}

/// The most of them in any class.
std::uint64_t most_packets(const Rounds& rounds, std::uint64_t n) {
  std::uint64_t most = 0;
  for (std::uint64_t H = 1; H <= n / 2; ++H) most = std::max(most, packets_of(rounds, n, H));
  return most;
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  require_even_dimensions(machine);
  if (settings.rounds) whole_number("rounds", *settings.rounds, 1, most_words / (4 * machine.ports));
  const std::uint64_t least = most_packets(settings.rounds, machine.ports);
  const bool given = settings.matrix || settings.input;
  resolve_two_dimensional(machine, settings, given ? least : std::bit_ceil(least));
}

permute::Stream stream_of(Port n, std::uint64_t words, const Rounds& rounds, Rank origin, std::uint32_t path) {
  const std::uint64_t H = differing_pairs(origin, n);
  if (H == 0) return {.way = {}, .packets = permute::PacketCut::even(words, 1)};
  const Split paths(words, 2 * H);
  return {.way = permute::without_waits(transposition_path(origin, n, path)),
          .packets = permute::PacketCut::even(paths.size(path), 2 * rounds_of(rounds, n, H)),
          .first_word = paths.first(path),
          .injection = {.burst = 2, .period = 2 * H}};
}

Outcome run(const RunRequest& request) {
  const Port n = request.topology.ports();
  const std::uint64_t words = words_a_processor(request.machine, request.settings);
  const permute::PacketPlan plan = multiple_paths(n, words, request.settings.rounds);
  return run_blocks(request, two_dimensional,
                    [&](std::vector<Piece>& held) { return permute::move_packets(request, plan, held); });
}

/// What a run counts and takes, class by class; h is at most 15.
struct Classes {
  std::uint64_t steps = 0;
  Wide messages = 0;
  std::uint64_t longest_sum = 0;
  double synchronous = 0;
  double asynchronous = 0;
  bool even = true;  ///< all packets of every class are equally long
};

Classes classes(std::uint64_t n, std::uint64_t words, const CostModel& cost, const Settings& settings) {
  const std::uint64_t h = n / 2;
  Classes all;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ends_and_packets;  // of each class
  Wide pairs = 1;                                                         // binomial coefficient (h choose H)
  for (std::uint64_t H = 1; H <= h; ++H) {
    pairs = pairs * (h - H + 1) / H;
    const std::uint64_t k = rounds_of(settings.rounds, n, H);
    const std::uint64_t packets = packets_of(settings.rounds, n, H);
    const std::uint64_t longest = (words + packets - 1) / packets;
    const std::uint64_t cycles = 2 * k * H + 1;
    all.even = all.even && words % packets == 0;
    all.messages += 8 * Wide{k} * H * H * pairs << h;
    all.steps = std::max(all.steps, cycles);
    all.asynchronous = std::max(all.asynchronous, cost.time(cycles * cost.startups(longest), cycles * longest));
    ends_and_packets.emplace_back(cycles, longest);
  }
  for (std::uint64_t cycle = 1; cycle <= all.steps; ++cycle) {
    std::uint64_t longest = 0;
    for (const auto& [end, packet] : ends_and_packets) {
      if (cycle <= end) longest = std::max(longest, packet);
    }
    all.longest_sum += longest;
    all.synchronous += cost.time(cost.startups(longest), longest);
  }
  return all;
}

/// Theorem 2: the time with the best rounds for every class, by its closed forms, r = K tau / beta.
ModelledTime theorem_2(std::uint64_t dimensions, std::uint64_t words, const CostModel& cost) {
  const auto n = static_cast<double>(dimensions);
  const double r = static_cast<double>(words) * cost.tau / cost.beta;
  const std::string where = "Theorem 2, ";
  const std::string unit = ") beta, r = K tau/beta";
  if (n >= std::sqrt(r)) {
    return {(n + 1 + (n + 1) * r / (2 * n)) * cost.beta,
            where + "regime 1, n >= sqrt(r): (n + 1 + (n + 1) r/(2 n)" + unit};
  }
  if (n > std::sqrt(r / 2)) {
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

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const std::uint64_t words = words_a_processor(machine, settings);
  const Classes counts = classes(n, words, model.cost, settings);
  Prediction prediction{.steps = exact_count(counts.steps, settings.rounds ? "max 2 k H + 1" : "n + 1"),
                        .messages = exact_count(counts.messages, "sum_H 8 k_H H^2 C(h,H) 2^h"),
                        .words = exact_count(Wide{n} * machine.processors / 2 * words, "n N/2 K, K = P Q/N"),
                        .longest_sum = exact_count(counts.longest_sum, "sum_c max {K/(4 k_H H): 2 k_H H + 1 >= c}"),
                        .message_words = {}};
  if (prediction.longest_sum) prediction.longest_sum->exact = counts.even;
  const std::string limited = model.cost.max_packet_words == 0 ? "" : " ceil(K/(4 k_H H B_m))";
  prediction.asynchronous = ModelledTime{
      counts.asynchronous, "max_H (2 k_H H + 1)(beta" + limited + " + K tau/(4 k_H H)), a clock for every class"};
  if (counts.even) {
    prediction.synchronous = ModelledTime{counts.synchronous, "the longest packet of every cycle"};
  }
  if (model.cost.beta > 0) prediction.closed_form = theorem_2(n, words, model.cost);
  return prediction;
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t words = words_a_processor(machine, settings);
  std::uint64_t fewest = words;
  for (std::uint64_t H = 1; H <= machine.ports / 2; ++H) {
    fewest = std::min(fewest, packets_of(settings.rounds, machine.ports, H));
  }
  const std::uint64_t longest = (words + fewest - 1) / fewest;
  return saturated(Wide{permute::bytes_of_packets(machine, model, words, longest, machine.ports)} +
                   matrix_bytes(machine, settings, 0));
}

}  // namespace

permute::PacketPlan multiple_paths(Port dimensions, std::uint64_t words, const Rounds& rounds) {
  return {
      .streams = [=](Rank origin) { return std::max(1U, 2 * differing_pairs(origin, dimensions)); },
      .stream = [=](Rank origin, std::uint32_t path) { return stream_of(dimensions, words, rounds, origin, path); }};
}

}  // namespace transpose

extern const Method transpose_2d_mpt_method{
    .name = "transpose/2d-mpt",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, multiple paths transpose (MPT)",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 6.1.3 (T 8)",
    .summary =
        "every block goes in packets over all 2H disjoint paths from (r,c) to (c,r), which differ in H bits "
        "(n even)",
    .parameters = {matrix_parameter,
                   Parameter{"rounds", "k, rounds in which every path takes two packets, for all classes H",
                             "floor(h/H), which ends all classes at the same time"},
                   matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = transpose::resolve,
    .predict = transpose::predict,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .bytes = transpose::bytes,
    .run = transpose::run,
};

}  // namespace lockstep
