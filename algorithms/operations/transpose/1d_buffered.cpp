#include <bit>
#include <cmath>

#include "one_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Consecutive words that move together in the i-th exchange: K/2^(i+1).
std::uint64_t strip_words(std::uint64_t array_words, Port exchange) { return array_words >> (exchange + 1); }

// The exchanges without shuffles: in the i-th, from 0, the words that a processor sends lie in 2^i strips of its array.
// Strips shorter than the threshold are gathered first, in a buffer. Johnsson & Ho, section 8.1 (johnsson-ho.md, One
// dimension).
matrix::AddressExchanges exchange_in_place(const MatrixShape& shape, Port n, std::uint64_t threshold) {
  matrix::AddressExchanges exchanges(one_dimensional.form_before(shape, n));
  exchanges.reorder(block_number_first(shape, n));
  const unsigned k = exchanges.local_bits();
  for (Port i = 0; i < n; ++i) {
    const bool gathers = strip_words(std::uint64_t{1} << k, i) < threshold;
    exchanges.exchange(n - 1 - i, k - 1 - i, gathers ? matrix::StripGathering::copying : matrix::StripGathering::none);
  }
  exchanges.convert_to(one_dimensional.form_after(shape, n));
  return exchanges;
}

std::uint64_t threshold_of(const Settings& settings) { return settings.copy_threshold.value_or(1); }

Prediction predict_1d_buffered(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const CostModel& cost = model.cost;
  const Wide processors = machine.processors;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  std::uint64_t startups = 0;
  std::uint64_t gathered = 0;  // exchanges
  for (Port i = 0; i < machine.ports; ++i) {
    const std::uint64_t strip = strip_words(k, i);
    if (strip < threshold_of(settings)) {
      ++gathered;
      startups += cost.startups(k / 2);
    } else {
      startups += (std::uint64_t{1} << i) * cost.startups(strip);
    }
  }
  const bool buffers = settings.copy_threshold.has_value();
  Prediction prediction = predict_half_exchanges(machine, model, settings);
  prediction.message_words.reset();  // as blocks are start-ups of their own
  prediction.startups =
      exact_count(processors * startups, buffers ? "N S, S = sum_i 2^i ceil(K/(2^(i+1) B_m)), or ceil(K/(2 B_m)) "
                                                   "where K/2^(i+1) < B_copy"
                                                 : "N S, S = sum_i 2^i ceil(K/(2^(i+1) B_m))");
  prediction.copied_words =
      exact_count(processors * gathered * k, buffers ? "N K for every i with K/2^(i+1) < B_copy" : "0");
  const std::uint64_t f = steps_an_exchange(model);
  const std::string transfer = f == 1 ? "S beta + n K/2 tau" : "2 S beta + n K tau";
  prediction.synchronous = prediction.asynchronous =
      matrix::time_in_step(cost, f * startups, f * machine.ports * (k / 2), gathered * k,
                           transfer + (buffers ? " + K t_copy for every i with K/2^(i+1) < B_copy" : ""));
  return prediction;
}

/// beta / (e t_copy + beta / B_m), with e = 2 copies of every word (johnsson-ho.md, One dimension): blocks of at least
/// that length take less time if they are sent without a copy. A message has K/2 words, which are one packet if B_m is
/// no less. At least 1.
double best_threshold(const CostModel& cost, std::uint64_t array_words) {
  const std::uint64_t half = std::max<std::uint64_t>(array_words / 2, 1);
  const std::uint64_t packet = cost.max_packet_words == 0 ? half : std::min(cost.max_packet_words, half);
  const double least_time = 2 * cost.copy_cost + cost.beta / static_cast<double>(packet);
  return least_time > 0 ? std::max(cost.beta / least_time, 1.0) : 1;
}

/// The power of two that gathers the same blocks, whose lengths are powers of two.
std::uint64_t default_threshold(const CostModel& cost, std::uint64_t array_words) {
  return std::bit_ceil(static_cast<std::uint64_t>(std::ceil(best_threshold(cost, array_words))));
}

constexpr NumberParameter threshold_parameter{
    {"copy-threshold", "words; shorter blocks are gathered before they are sent",
     "beta/(2 t_copy + beta/B_m), B_m at most K/2, as the next power of two"},
    &Settings::copy_threshold};

void resolve_buffered(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_one_dimensional(machine, model, settings);
  const std::uint64_t fallback = default_threshold(model.cost, matrix::words_a_processor(machine, settings));
  threshold_parameter.resolve(settings, {.otherwise = fallback});
}

Outcome run_1d_buffered(const RunRequest& request) {
  return run_one_dimensional(request, exchange_in_place(matrix_shape(request.settings), request.topology.ports(),
                                                        threshold_of(request.settings)));
}

Outcome run_buffered(const RunRequest& request) {
  Outcome outcome = run_1d_buffered(request);
  const double best = best_threshold(request.model.cost, matrix::words_a_processor(request.machine, request.settings));
  outcome.measures.push_back({"best_copy_threshold", static_cast<std::uint64_t>(best)});
  return outcome;
}

}  // namespace
}  // namespace transpose

extern const Method transpose_1d_unbuffered_method = matrix::transposition({
    .name = "transpose/1d-unbuffered",
    .known_as = "one-dimensional transposition, unbuffered",
    .mapping = "one-dimensional",
    .source = "Johnsson & Ho, section 8.1 (johnsson-ho.md, One dimension)",
    .summary = "the standard exchange without shuffles: in exchange i a processor sends 2^i blocks, each a start-up of "
               "its own",
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_one_dimensional,
    .predict = transpose::predict_1d_buffered,
    .run = transpose::run_1d_buffered,
});

extern const Method transpose_1d_buffered_method = matrix::transposition({
    .name = "transpose/1d-buffered",
    .known_as = "one-dimensional transposition, buffered",
    .mapping = "one-dimensional",
    .source = "Johnsson & Ho, section 8.1 (johnsson-ho.md, One dimension)",
    .summary = "the standard exchange without shuffles: short blocks are gathered in a buffer and sent as one, which "
               "costs copies at both ends; long ones are start-ups of their own",
    .parameters = {matrix_parameter, transpose::threshold_parameter},
    .strictest_duplex = Duplex::half_node,
    .reads_costs = true,
    .resolve = transpose::resolve_buffered,
    .predict = transpose::predict_1d_buffered,
    .run = transpose::run_buffered,
});

}  // namespace lockstep
