#include "two_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Transposition with a change of assignment, from consecutive to cyclic rows and columns. Johnsson & Ho, section 6.2
// (T 9). With u = (u1 u2 u3) and v = (v1 v2 v3), u1, u3, v1 and v3 of h bits, processor (u1||v1) has the local address
// (u2 u3 v2 v3) at first, and (v3||u3) has (v1 v2 u1 u2) in the end. There are no shuffles, so that blocks are
// start-ups of their own.

constexpr Partition cyclic{.scheme = Partition::Scheme::cyclic};
constexpr Conversion consecutive_to_cyclic{consecutive_blocks, {cyclic, cyclic}, Result::transposed};

/// Exchanges the h real bits of the rows, or of the columns, with h local bits, the highest first, `below` places below
/// the highest.
void exchange_field(AddressExchanges& exchanges, Port highest, unsigned below) {
  const Port h = exchanges.dimensions() / 2;
  for (Port i = 0; i < h; ++i) {
    exchanges.exchange(highest - i, exchanges.local_bits() - 1 - below - i, Gathering::none);
  }
}
void exchange_rows(AddressExchanges& exchanges, unsigned below) {
  exchange_field(exchanges, exchanges.dimensions() - 1, below);
}
void exchange_columns(AddressExchanges& exchanges, unsigned below) {
  exchange_field(exchanges, exchanges.dimensions() / 2 - 1, below);
}

// Both fields become cyclic, and then processors (u3||v3) and (v3||u3) exchange all that they have.
void assign_then_transpose(AddressExchanges& exchanges, const MatrixShape& shape, Port n) {
  exchange_rows(exchanges, shape.row_bits - n);
  exchange_columns(exchanges, exchanges.local_bits() - n / 2);
  for (Port i = n / 2; i-- > 0;) exchanges.exchange_dimensions(i + n / 2, i);
}

// (u2 u3 v2 v3) becomes (v2 v3 u2 u3) locally; v3 replaces u1, and u3 replaces v1.
void transpose_then_exchange(AddressExchanges& exchanges, const MatrixShape& shape, Port n) {
  const unsigned k = exchanges.local_bits();
  const unsigned of_columns = shape.column_bits - n / 2;
  std::vector<unsigned> order;
  for (unsigned bit = of_columns; bit-- > 0;) order.push_back(bit);
  for (unsigned bit = k; bit-- > of_columns;) order.push_back(bit);
  exchanges.reorder(order);
  exchange_rows(exchanges, shape.column_bits - n);
  exchange_columns(exchanges, k - n / 2);
}

// v3 replaces u1, and u3 replaces v1, where they lie.
void exchange_in_place(AddressExchanges& exchanges, const MatrixShape& shape, Port n) {
  exchange_rows(exchanges, exchanges.local_bits() - n / 2);
  exchange_columns(exchanges, shape.row_bits - n);
}

using Steps = void (*)(AddressExchanges&, const MatrixShape&, Port n);

template <Steps steps>
Outcome run(const RunRequest& request) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  AddressExchanges exchanges(consecutive_to_cyclic.form_before(shape, n));
  steps(exchanges, shape, n);
  exchanges.convert_to(consecutive_to_cyclic.form_after(shape, n));
  return run_exchanges(request, consecutive_to_cyclic, exchanges);
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  require_even_dimensions(machine);
  resolve_matrix(machine, settings, {machine.processors, machine.processors});
}

/// Start-ups of one message in all exchanges of a field whose first sends strips of `longest` words, each further one
/// twice as many of half the length.
std::uint64_t field_startups(const CostModel& cost, std::uint64_t half, std::uint64_t longest, Port h) {
  std::uint64_t sum = 0;
  for (Port i = 0; i < h; ++i) sum += half / (longest >> i) * cost.startups(longest >> i);
  return sum;
}

/// Of exchanges from `rows_below` and `columns_below` places below the highest local bit on, apart from start-ups of
/// whole arrays.
Prediction predict_exchanges(const MachineSpec& machine, const Model& model, const Settings& settings,
                             unsigned rows_below, unsigned columns_below, bool then_whole_arrays) {
  const std::uint64_t n = machine.ports;
  const Wide processors = machine.processors;
  const std::uint64_t k = words_a_processor(machine, settings);
  const Port h = cube_dimensions(machine) / 2;
  const std::uint64_t by_halves = field_startups(model.cost, k / 2, k / 2 >> rows_below, h) +
                                  field_startups(model.cost, k / 2, k / 2 >> columns_below, h);
  const std::uint64_t whole = then_whole_arrays ? n * model.cost.startups(k) : 0;
  const std::string blocks = "2^(s+i) blocks in step i of an exchange with offset s";
  if (!then_whole_arrays) {
    return {.steps = exact_count(n, "n"),
            .messages = exact_count(n * processors, "n N"),
            .words = exact_count(n * processors * (k / 2), "n N K/2, K = P Q/N"),
            .longest_sum = exact_count(n * (k / 2), "n K/2"),
            .message_words = {},
            .startups = exact_count(processors * by_halves, "N times those of " + blocks),
            .synchronous = ModelledTime{model.cost.time(by_halves, n * (k / 2)), "S beta + n K/2 tau"}};
  }
  return {.steps = exact_count(2 * n, "2 n"),
          .messages = exact_count(n * processors * 3 / 2, "3 n N/2"),
          .words = exact_count(n * processors * k, "n N K, K = P Q/N"),
          .longest_sum = exact_count(n * k / 2 * 3, "3 n K/2"),
          .message_words = {},
          .startups = exact_count(processors * by_halves + processors / 2 * whole,
                                  "N times those of " + blocks + ", and n N/2 ceil(K/B_m)"),
          .synchronous = ModelledTime{model.cost.time(by_halves + whole, n * k / 2 * 3), "S beta + 3 n K/2 tau"}};
}

unsigned local_bits(const MachineSpec& machine, const Settings& settings) {
  return matrix_shape(settings).address_bits() - cube_dimensions(machine);
}

Prediction predict_1(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_exchanges(machine, model, settings, matrix_shape(settings).row_bits - cube_dimensions(machine),
                           local_bits(machine, settings) - cube_dimensions(machine) / 2, true);
}
Prediction predict_2(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_exchanges(machine, model, settings, matrix_shape(settings).column_bits - cube_dimensions(machine),
                           local_bits(machine, settings) - cube_dimensions(machine) / 2, false);
}
Prediction predict_3(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_exchanges(machine, model, settings, local_bits(machine, settings) - cube_dimensions(machine) / 2,
                           matrix_shape(settings).row_bits - cube_dimensions(machine), false);
}

constexpr std::string_view known_as = "two-dimensional transposition with change of assignment";
constexpr std::string_view source = "Johnsson & Ho, section 6.2 (T 9)";

}  // namespace
}  // namespace transpose

extern const Method transpose_reassign_1_method{
    .name = "transpose/reassign-1",
    .operation = "transpose",
    .known_as = transpose::known_as,
    .families = {"hypercube"},
    .source = transpose::source,
    .summary =
        "from consecutive to cyclic rows and columns: both are reassigned, then processors exchange all that "
        "they have (n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = transpose::resolve,
    .predict = transpose::predict_1,
    .lower_bound = lower_bound_of_transposition,
    .bytes = bytes_of_exchanges,
    .run = transpose::run<transpose::assign_then_transpose>,
};

extern const Method transpose_reassign_2_method{
    .name = "transpose/reassign-2",
    .operation = "transpose",
    .known_as = transpose::known_as,
    .families = {"hypercube"},
    .source = transpose::source,
    .summary =
        "from consecutive to cyclic rows and columns: a local transposition, then one exchange a dimension "
        "(n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = transpose::resolve,
    .predict = transpose::predict_2,
    .lower_bound = lower_bound_of_transposition,
    .bytes = bytes_of_exchanges,
    .run = transpose::run<transpose::transpose_then_exchange>,
};

extern const Method transpose_reassign_3_method{
    .name = "transpose/reassign-3",
    .operation = "transpose",
    .known_as = transpose::known_as,
    .families = {"hypercube"},
    .source = transpose::source,
    .summary = "from consecutive to cyclic rows and columns: one exchange a dimension, of bits where they lie (n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = transpose::resolve,
    .predict = transpose::predict_3,
    .lower_bound = lower_bound_of_transposition,
    .bytes = bytes_of_exchanges,
    .run = transpose::run<transpose::exchange_in_place>,
};

}  // namespace lockstep
