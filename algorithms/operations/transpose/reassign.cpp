#include "two_dimensional.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Transposition with a change of assignment, from consecutive to cyclic rows and columns. Johnsson & Ho, section 6.2
// (johnsson-ho.md, Reassignment). With u = (u1 u2 u3) and v = (v1 v2 v3), u1, u3, v1 and v3 of h bits, processor
// (u1||v1) has the local address (u2 u3 v2 v3) at first, and (v3||u3) has (v1 v2 u1 u2) in the end. There are no
// shuffles between exchanges, so that blocks are start-ups of their own unless they are gathered. Reordering before or
// after all exchanges copies the words reordered.

constexpr Partition cyclic{.scheme = Partition::Scheme::cyclic};
constexpr matrix::Conversion consecutive_to_cyclic{consecutive_blocks, {cyclic, cyclic}, Result::transposed};

/// What the three algorithms differ in. The h real bits of the rows are exchanged with h local bits, the highest first,
/// from `rows_below` places below the highest on, then those of the columns, from `columns_below` places on: in the
/// i-th exchange of a field, from 0, half of an array moves, which lies in 2^(places+i) blocks.
struct ReassignPlan {
  bool transposes_first = false;  ///< (u2 u3 v2 v3) becomes (v2 v3 u2 u3) locally
  unsigned rows_below = 0;
  unsigned columns_below = 0;
  bool swaps_last = false;     ///< processors (r||c) and (c||r) exchange their arrays
  bool reorders_last = false;  ///< the local words are not in order by then
};
using MakeReassignPlan = ReassignPlan (*)(const MatrixShape&, Port n);

unsigned local_bits(const MatrixShape& shape, Port n) { return shape.address_bits() - n; }

// Both fields become cyclic, and then processors (u3||v3) and (v3||u3) exchange their arrays.
ReassignPlan assign_then_transpose(const MatrixShape& shape, Port n) {
  return {.rows_below = shape.row_bits - n,
          .columns_below = local_bits(shape, n) - n / 2,
          .swaps_last = true,
          .reorders_last = true};
}

// After a local transposition v3 replaces u1, and u3 replaces v1.
ReassignPlan transpose_then_exchange(const MatrixShape& shape, Port n) {
  return {.transposes_first = true,
          .rows_below = shape.column_bits - n,
          .columns_below = local_bits(shape, n) - n / 2,
          .reorders_last = true};
}

// v3 replaces u1, and u3 replaces v1, where they lie: (u2 v1 v2 u1), which is right if u2 is empty.
ReassignPlan exchange_in_place(const MatrixShape& shape, Port n) {
  return {.rows_below = local_bits(shape, n) - n / 2,
          .columns_below = shape.row_bits - n,
          .reorders_last = shape.row_bits > n};
}

bool gathers(const Settings& settings) { return settings.gather.value_or(false); }

void exchange_field(matrix::AddressExchanges& exchanges, Port highest, unsigned below, bool gather) {
  for (Port i = 0; i < exchanges.dimensions() / 2; ++i, ++below) {
    exchanges.exchange(highest - i, exchanges.local_bits() - 1 - below,
                       gather && below > 0 ? matrix::StripGathering::copying : matrix::StripGathering::none);
  }
}

template <MakeReassignPlan make_plan>
Outcome run_reassign(const RunRequest& request) {
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  const ReassignPlan plan = make_plan(shape, n);
  matrix::AddressExchanges exchanges(consecutive_to_cyclic.form_before(shape, n));
  if (plan.transposes_first) {
    const unsigned of_columns = shape.column_bits - n / 2;
    std::vector<unsigned> order;
    for (unsigned bit = of_columns; bit-- > 0;) order.push_back(bit);
    for (unsigned bit = exchanges.local_bits(); bit-- > of_columns;) order.push_back(bit);
    exchanges.reorder(order, matrix::Copying::charged);
  }
  exchange_field(exchanges, n - 1, plan.rows_below, gathers(request.settings));
  exchange_field(exchanges, n / 2 - 1, plan.columns_below, gathers(request.settings));
  if (plan.swaps_last) {
    for (Port i = n / 2; i-- > 0;) exchanges.exchange_dimensions(i + n / 2, i);
  }
  exchanges.convert_to(consecutive_to_cyclic.form_after(shape, n), matrix::Copying::charged);
  return matrix::run_exchanges(request, consecutive_to_cyclic, exchanges);
}

void resolve_reassign(const MachineSpec& machine, const Model&, Settings& settings) {
  require_even_dimensions(machine);
  resolve_matrix(machine, settings, {machine.processors, machine.processors});
}

void resolve_gather(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_reassign(machine, model, settings);
  settings.gather = gathers(settings);
}

/// Start-ups of a processor's messages in the exchanges of both fields, and the number of exchanges that gather.
struct Exchanges {
  std::uint64_t startups = 0;
  std::uint64_t gathering = 0;
};

Exchanges count_exchanges(const CostModel& cost, const ReassignPlan& plan, std::uint64_t half, Port h, bool gather) {
  Exchanges counted;
  for (const unsigned below : {plan.rows_below, plan.columns_below}) {
    for (Port i = 0; i < h; ++i) {
      const std::uint64_t blocks = std::uint64_t{1} << (below + i);
      if (gather && blocks > 1) ++counted.gathering;
      counted.startups += gather ? cost.startups(half) : blocks * cost.startups(half / blocks);
    }
  }
  return counted;
}

std::string formula_of_copies(std::uint64_t reorders, std::uint64_t gathering) {
  const std::string gathered = std::to_string(gathering) + " N K for exchanges of several blocks";
  if (reorders == 0) return gathering > 0 ? gathered : "0, as p = n leaves nothing to reorder";
  const std::string reordered = reorders == 1 ? "N K for a local reorder" : "2 N K for local reorders";
  return gathering > 0 ? reordered + ", and " + gathered : reordered;
}

template <MakeReassignPlan make_plan>
Prediction predict_reassign(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide processors = machine.processors;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  const bool gather = gathers(settings);
  const ReassignPlan plan = make_plan(matrix_shape(settings), matrix::cube_dimensions(machine));
  const Exchanges exchanges = count_exchanges(model.cost, plan, k / 2, matrix::cube_dimensions(machine) / 2, gather);
  const std::uint64_t swaps = plan.swaps_last ? n : 0;  // steps in which half of the processors send whole arrays
  const std::uint64_t reorders = (plan.transposes_first ? 1 : 0) + (plan.reorders_last ? 1 : 0);
  const std::uint64_t copied = (reorders + exchanges.gathering) * k;
  const std::string startups = gather       ? "n N ceil(K/(2 B_m))"
                               : swaps == 0 ? "N times those of 2^(s+i) blocks in step i of an exchange with offset s"
                                            : "N times those of 2^(s+i) blocks in step i of an exchange with offset s, "
                                              "and n N/2 ceil(K/B_m)";
  const ModelledTime time =
      matrix::time_in_step(model.cost, exchanges.startups + swaps * model.cost.startups(k), n * (k / 2) + swaps * k,
                           copied, swaps == 0 ? "S beta + n K/2 tau + copies" : "S beta + 3 n K/2 tau + K t_copy");
  return {
      .steps = exact_count(n + swaps, swaps == 0 ? "n" : "2 n"),
      .messages = exact_count((2 * n + swaps) * processors / 2, swaps == 0 ? "n N" : "3 n N/2"),
      .words = exact_count((n + swaps) * processors / 2 * k, swaps == 0 ? "n N K/2, K = P Q/N" : "n N K, K = P Q/N"),
      .longest_sum = exact_count(n * (k / 2) + swaps * k, swaps == 0 ? "n K/2" : "3 n K/2"),
      .startups =
          exact_count(exchanges.startups * processors + swaps * model.cost.startups(k) * processors / 2, startups),
      .copied_words = exact_count(copied * processors, formula_of_copies(reorders, exchanges.gathering)),
      .synchronous = time,
      .asynchronous = time};
}

constexpr Parameter gather_parameter{
    "gather",
    "on: the blocks of a message are gathered in a buffer and sent as one, which costs "
    "copies of K words an exchange; off: each is a start-up of its own",
    "off"};

constexpr std::string_view known_as = "two-dimensional transposition with change of assignment";
constexpr std::string_view source = "Johnsson & Ho, section 6.2 (johnsson-ho.md, Reassignment)";

}  // namespace
}  // namespace transpose

extern const Method transpose_reassign_1_method = matrix::transposition({
    .name = "transpose/reassign-1",
    .known_as = transpose::known_as,
    .mapping = "two-dimensional, change of assignment",
    .source = transpose::source,
    .summary = "from consecutive to cyclic rows and columns: both are reassigned, then processors exchange all that "
               "they have (n even)",
    .resolve = transpose::resolve_reassign,
    .predict = transpose::predict_reassign<transpose::assign_then_transpose>,
    .run = transpose::run_reassign<transpose::assign_then_transpose>,
});

extern const Method transpose_reassign_2_method = matrix::transposition({
    .name = "transpose/reassign-2",
    .known_as = transpose::known_as,
    .mapping = "two-dimensional, change of assignment",
    .source = transpose::source,
    .summary = "from consecutive to cyclic rows and columns: a local transposition, then one exchange a dimension "
               "(n even)",
    .parameters = {matrix_parameter, transpose::gather_parameter},
    .resolve = transpose::resolve_gather,
    .predict = transpose::predict_reassign<transpose::transpose_then_exchange>,
    .run = transpose::run_reassign<transpose::transpose_then_exchange>,
});

extern const Method transpose_reassign_3_method = matrix::transposition({
    .name = "transpose/reassign-3",
    .known_as = transpose::known_as,
    .mapping = "two-dimensional, change of assignment",
    .source = transpose::source,
    .summary = "from consecutive to cyclic rows and columns: one exchange a dimension, of bits where they lie (n even)",
    .parameters = {matrix_parameter, transpose::gather_parameter},
    .resolve = transpose::resolve_gather,
    .predict = transpose::predict_reassign<transpose::exchange_in_place>,
    .run = transpose::run_reassign<transpose::exchange_in_place>,
});

}  // namespace lockstep
