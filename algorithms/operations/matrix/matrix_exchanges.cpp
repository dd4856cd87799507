#include "matrix_exchanges.hpp"

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/per_rank.hpp"

namespace lockstep::matrix {

StorageForm Conversion::form_after(const MatrixShape& shape, Port dimensions) const {
  if (result == Result::same) return after.form(shape, dimensions);
  return after.form({shape.column_bits, shape.row_bits}, dimensions).of_transposed();
}

Outcome run_exchanges(const RunRequest& request, const Conversion& conversion, const AddressExchanges& exchanges) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  const MatrixData data(request);
  PerRank<Block> arrays = spread(request, data, place_in(conversion.before, shape, n));
  Outcome outcome;
  outcome.report = run_exchanges(request, exchanges, arrays);
  const MatrixShape resulting =
      conversion.result == Result::same ? shape : MatrixShape{shape.column_bits, shape.row_bits};
  verify_matrix(request, data, conversion.result, place_in(conversion.after, resulting, n), arrays, outcome);
  return outcome;
}

std::uint64_t bytes_of_exchanges(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(bytes_of_exchanges(machine, model) + matrix_bytes(machine, settings, 1));
}

Method transposition(Method entry) {
  entry.operation = "transpose";
  entry.families = {"hypercube"};
  if (entry.parameters.empty()) entry.parameters = {matrix_parameter};
  entry.parameters.insert(entry.parameters.end(), {matrix_input_parameter, matrix_output_parameter});
  if (entry.port_models.empty()) entry.port_models = {PortModel::one, PortModel::one_strict, PortModel::all};
  if (entry.proven == nullptr) entry.proven = lower_bound_of_transposition;
  if (entry.bytes == nullptr) entry.bytes = bytes_of_exchanges;
  return entry;
}

ModelledTime time_in_step(const CostModel& cost, std::uint64_t startups, std::uint64_t words,
                          std::uint64_t copied_words, std::string formula) {
  return {.value = cost.time(startups, words) + static_cast<double>(copied_words) * cost.copy_cost,
          .formula = std::move(formula)};
}

LowerBound lower_bound_of_transposition(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  if (n == 0) return {.steps = 0, .longest_sum = 0, .time = {}};
  const Wide hops = Wide{n} * matrix_words(settings) / 2;
  const Wide at_once = alltoall::messages_a_cycle(facts(machine), model);
  return {.steps = n, .longest_sum = saturated((hops + at_once - 1) / at_once), .time = {}};
}

}  // namespace lockstep::matrix
