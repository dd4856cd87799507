#include "lockstep/algorithms/operation/matrix_data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/shuffle_exchange.hpp"

namespace lockstep {
namespace transpose {
namespace {

// One element per processor of the shuffle-exchange network, the one of address u 2^q + v. A shuffle moves it to the
// left-rotated address: p of them, or q in the other direction, give v 2^p + u. Johnsson & Ho, section 2, Lemma 1 and
// Corollary 1 (johnsson-ho.md, Permutations).

/// The number of steps, and the port of each.
struct Shuffles {
  Port steps;
  Port port;
};

Shuffles shuffles_of(const MatrixShape& shape) {
  if (shape.row_bits <= shape.column_bits) return {shape.row_bits, ShuffleExchange::shuffle_port};
  return {shape.column_bits, ShuffleExchange::unshuffle_port};
}

Port opposite(Port port) {
  return port == ShuffleExchange::shuffle_port ? ShuffleExchange::unshuffle_port : ShuffleExchange::shuffle_port;
}

/// The port of the rank to the node that this move of its address leads to: the lowest one where links coincide.
Port port_of(const Processor<Block>& self, const ShuffleExchange& network, Port move) {
  const Rank to =
      move == ShuffleExchange::shuffle_port ? network.shuffled(self.rank()) : network.unshuffled(self.rank());
  Port port = ShuffleExchange::exchange_port;
  while (!self.has_link(port) || self.neighbour(port) != to) ++port;
  return port;
}

Process shuffle(Processor<Block>& self, const ShuffleExchange& network, const Shuffles& shuffles, Block& element) {
  self.hold(1);
  const bool stays = self.rank() == 0 || self.rank() == self.processors() - 1;
  for (Port step = 0; step < shuffles.steps && !stays; ++step) {
    self.send(port_of(self, network, shuffles.port), std::move(element));
    element = co_await self.message(port_of(self, network, opposite(shuffles.port)));
  }
}

unsigned address_bits(const MachineSpec& machine) {
  return static_cast<unsigned>(std::countr_zero(machine.processors));
}

void resolve_shuffles(const MachineSpec& machine, const Model&, Settings& settings) {
  const unsigned n = address_bits(machine);
  const bool given = settings.matrix || settings.input;
  const MatrixSize square{std::uint64_t{1} << n / 2, std::uint64_t{1} << (n - n / 2)};
  resolve_matrix(machine, settings, given ? MatrixSize{1, 1} : square);
  if (matrix_words(settings) == machine.processors) return;
  throw InputError("--matrix " + to_string(*settings.matrix) + " does not have one element for each of the " +
                   std::to_string(machine.processors) + " processors of " + printable(machine.text) + "; " +
                   to_string(square) + " would fit");
}

Prediction predict_shuffles(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide steps = shuffles_of(matrix_shape(settings)).steps;
  const Wide messages = steps * (machine.processors - 2);
  // On two processors no element moves.
  return {.steps = exact_count(messages == 0 ? 0 : steps, "min(p, q)"),
          .messages = exact_count(messages, "min(p, q) (N - 2)"),
          .words = exact_count(messages, "min(p, q) (N - 2)"),
          .longest_sum = exact_count(messages == 0 ? 0 : steps, "min(p, q)"),
          .message_words = 1};
}

LowerBound lower_bound_shuffles(const MachineSpec&, const Model&, const Settings&) { return {}; }

std::uint64_t bytes_shuffles(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(machine_bytes<Block>(machine, model) + matrix_bytes(machine, settings, 1));
}

Outcome run_shuffles(const RunRequest& request) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Shuffles shuffles = shuffles_of(shape);
  const ShuffleExchange network(shape.address_bits());
  const MatrixData data(request);
  const auto row_by_row = [](const MatrixSize& size) {
    return PlaceOf(
        size, [&](std::uint64_t row) { return static_cast<Rank>(row * size.columns); },
        [](std::uint64_t column) { return static_cast<Rank>(column); });
  };
  const MatrixSize& size = *request.settings.matrix;
  PerRank<Block> arrays = spread(request, data, row_by_row(size));
  Outcome outcome;
  outcome.report = run_program<Block>(
      request, [&](Processor<Block>& self) { return shuffle(self, network, shuffles, arrays[self.rank()]); });
  verify_matrix(request, data, Result::transposed, row_by_row(size.transposed()), arrays, outcome);
  return outcome;
}

}  // namespace
}  // namespace transpose

extern const Method transpose_shuffles_method{
    .name = "transpose/shuffles",
    .operation = "transpose",
    .known_as = "transposition by shuffles",
    .mapping = "of elements",
    .families = {"shuffle-exchange"},
    .source = "Johnsson & Ho, section 2, Lemma 1 and Corollary 1 (johnsson-ho.md, Permutations)",
    .summary =
        "one element a processor: p shuffles, or q unshuffles if they are fewer, transpose a matrix of 2^p x 2^q",
    .parameters = {Parameter{"matrix", "rows x columns of the matrix, powers of two, one element a processor",
                             "as --input has, or as square as can be"},
                   matrix_input_parameter, matrix_output_parameter},
    .port_models = {PortModel::one, PortModel::all},
    .resolve = transpose::resolve_shuffles,
    .predict = transpose::predict_shuffles,
    .proven = transpose::lower_bound_shuffles,
    .bytes = transpose::bytes_shuffles,
    .run = transpose::run_shuffles,
};

}  // namespace lockstep
