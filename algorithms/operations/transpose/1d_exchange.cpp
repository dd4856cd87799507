#include "one_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// The standard exchange: for every dimension, the highest first, a processor sends its neighbour the half of its blocks
// whose number begins with the other's bit. A shuffle of the blocks within every processor makes the next bit the
// first, so that each message is one half of the array. Every shuffle copies the whole array; putting the blocks'
// numbers first before, and their words in order after all exchanges, is not part of the section's program. Johnsson &
// Ho, section 5 (johnsson-ho.md, One dimension).
matrix::AddressExchanges standard_exchange(const MatrixShape& shape, Port n) {
  matrix::AddressExchanges exchanges(one_dimensional.form_before(shape, n));
  exchanges.reorder(block_number_first(shape, n));
  const unsigned k = exchanges.local_bits();
  std::vector<unsigned> shuffled;
  for (unsigned bit = k; bit-- > 0;) shuffled.push_back(bit);
  if (n > 0) std::rotate(shuffled.begin(), shuffled.begin() + 1, shuffled.begin() + n);
  for (Port dimension = n; dimension-- > 0;) {
    exchanges.exchange(dimension, k - 1);
    exchanges.reorder(shuffled, matrix::Copying::charged);
  }
  exchanges.convert_to(one_dimensional.form_after(shape, n));
  return exchanges;
}

Prediction predict_1d_exchange(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Prediction prediction = predict_half_exchanges(machine, model, settings);
  const std::uint64_t n = machine.ports;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  const std::uint64_t startups = n * model.cost.startups(k / 2);
  const std::uint64_t copied = n > 1 ? n * k : 0;
  prediction.startups = exact_count(Wide{startups} * machine.processors, "n N ceil(K/(2 B_m))");
  prediction.copied_words =
      exact_count(Wide{copied} * machine.processors,
                  n > 1 ? "n N K, a shuffle after every exchange" : "0, as a shuffle of one or two blocks moves none");
  const std::uint64_t f = steps_an_exchange(model);
  prediction.synchronous = prediction.asynchronous =
      matrix::time_in_step(model.cost, f * startups, f * n * (k / 2), copied,
                           f == 1 ? "n (ceil(K/(2 B_m)) beta + K/2 tau) + n K t_copy for the shuffles"
                                  : "2 n (ceil(K/(2 B_m)) beta + K/2 tau) + n K t_copy for the shuffles");
  return prediction;
}

Outcome run_1d_exchange(const RunRequest& request) {
  return run_one_dimensional(request, standard_exchange(matrix_shape(request.settings), request.topology.ports()));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_1d_exchange_method = matrix::transposition({
    .name = "transpose/1d-exchange",
    .known_as = "one-dimensional transposition, standard exchange",
    .mapping = "one-dimensional",
    .source = "Johnsson & Ho, section 5 (johnsson-ho.md, One dimension)",
    .summary = "blocks of rows become blocks of columns: neighbours exchange half of their arrays, dimension by "
               "dimension, with a local shuffle after each, which copies all of them and buys single start-ups",
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_one_dimensional,
    .predict = transpose::predict_1d_exchange,
    .run = transpose::run_1d_exchange,
});

}  // namespace lockstep
