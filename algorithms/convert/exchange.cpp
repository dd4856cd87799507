#include <bit>

#include "lockstep/core/printable.hpp"
#include "matrix/matrix_exchanges.hpp"

namespace lockstep {
namespace convert {
namespace {

bool is_transposed(const Settings& settings) { return settings.transposed.value_or(false); }

Conversion conversion_of(const Settings& settings) {
  return {parse_layout("--from", *settings.from), parse_layout("--to", *settings.to),
          is_transposed(settings) ? Result::transposed : Result::same};
}

/// The fewest bits of a row or column number of which the partition can take so many.
unsigned least_bits(const std::optional<Partition>& partition, unsigned width) {
  if (!partition) return 0;
  return partition->scheme == Partition::Scheme::combined ? width + partition->place - 1 : width;
}

/// The smallest matrix that both layouts can be of.
MatrixSize least_size(const Conversion& conversion, Port n) {
  const auto least = [n](const MatrixLayout& layout) {
    constexpr unsigned most = 62;
    return MatrixSize{std::uint64_t{1} << std::min(most, least_bits(layout.rows, layout.row_width(n))),
                      std::uint64_t{1} << std::min(most, least_bits(layout.columns, layout.column_width(n)))};
  };
  const MatrixSize before = least(conversion.before);
  const MatrixSize after =
      conversion.result == Result::transposed ? least(conversion.after).transposed() : least(conversion.after);
  return {std::max(before.rows, after.rows), std::max(before.columns, after.columns)};
}

void require_both(const Settings& settings) {
  if (settings.from && settings.to) return;
  throw InputError("convert/exchange needs --from FORM and --to FORM, e.g. --from row-consecutive --to row-cyclic");
}

void require_even_if_two_dimensional(const MachineSpec& machine, const char* flag, const std::string& text,
                                     const MatrixLayout& layout) {
  if (!layout.is_two_dimensional() || machine.ports % 2 == 0) return;
  throw InputError(std::string(flag) + " " + text + ": a two-dimensional layout takes an even number of dimensions; " +
                   printable(machine.text) + " has " + std::to_string(machine.ports));
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  require_both(settings);
  const Conversion conversion = conversion_of(settings);
  require_even_if_two_dimensional(machine, "--from", *settings.from, conversion.before);
  require_even_if_two_dimensional(machine, "--to", *settings.to, conversion.after);
  const Port n = cube_dimensions(machine);
  const MatrixSize least = least_size(conversion, n);
  if (!settings.matrix && !settings.input && Wide{least.rows} * least.columns > most_words) {
    throw InputError("--from " + *settings.from + " --to " + *settings.to + " takes a matrix of at least " +
                     to_string(least) + " on " + printable(machine.text) + ", which is too large");
  }
  resolve_matrix(machine, settings, least);
  const auto require_form = [&](const char* flag, const std::string& text, const auto& make_form) {
    try {
      make_form();
    } catch (const std::invalid_argument& error) {
      throw InputError(std::string(flag) + " " + text + " on " + printable(machine.text) + ": " + error.what());
    }
  };
  const MatrixShape shape = matrix_shape(settings);
  require_form("--from", *settings.from, [&] { conversion.form_before(shape, n); });
  require_form("--to", *settings.to, [&] { conversion.form_after(shape, n); });
}

/// How the processor's number changes.
struct Change {
  bool disjoint = false;    ///< no address bit is real before and after
  std::uint64_t local = 0;  ///< bits of the number that get a part that was local
  std::uint64_t real = 0;   ///< others that change
};

Change change_of(const MachineSpec& machine, const Settings& settings) {
  const Conversion conversion = conversion_of(settings);
  const MatrixShape shape = matrix_shape(settings);
  const StorageForm before = conversion.form_before(shape, cube_dimensions(machine));
  const StorageForm after = conversion.form_after(shape, cube_dimensions(machine));
  Change change{.disjoint = (before.real_bits() & after.real_bits()) == 0};
  for (Port d = 0; d < machine.ports; ++d) {
    if (before.node_bit(d) == after.node_bit(d)) continue;
    ++((after.node_bit(d) & ~before.real_bits()) != 0 ? change.local : change.real);
  }
  return change;
}

bool is_gray(const Settings& settings) {
  return settings.from->find("gray:") != std::string::npos || settings.to->find("gray:") != std::string::npos;
}

// If the real bits before and after are disjoint, every real bit is exchanged once with a local one. Else a real bit
// that has to become another real bit takes up to two steps, and in Gray code any may.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide n = machine.ports;
  const Wide processors = machine.processors;
  const std::uint64_t k = words_a_processor(machine, settings);
  const Change change = change_of(machine, settings);
  if (!change.disjoint) {
    const Wide steps = is_gray(settings) ? 2 * (change.local + change.real) : change.local + 2 * change.real;
    Prediction prediction;
    prediction.steps = Count{.value = static_cast<std::uint64_t>(steps),
                             .exact = false,
                             .formula = is_gray(settings) ? "2 for every bit of the rank that changes"
                                                          : "1 for every bit of the rank that was local, 2 for others"};
    return prediction;
  }
  return {.steps = exact_count(n, "n"),
          .messages = exact_count(n * processors, "n N"),
          .words = exact_count(n * processors * (k / 2), "n N K/2, K = P Q/N"),
          .longest_sum = exact_count(n * (k / 2), "n K/2"),
          .message_words = k / 2,
          .startups = exact_count(n * processors * model.cost.startups(k / 2), "n N ceil(K/(2 B_m))")};
}

// Every processor sends to every other if the real bits are disjoint; nothing that simple is known otherwise.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  if (!change_of(machine, settings).disjoint) return {.steps = {}, .longest_sum = {}};
  return lower_bound_of_transposition(machine, model, settings);
}

Outcome run(const RunRequest& request) {
  const Conversion conversion = conversion_of(request.settings);
  const MatrixShape shape = matrix_shape(request.settings);
  const Port n = request.topology.ports();
  AddressExchanges exchanges(conversion.form_before(shape, n));
  exchanges.convert_to(conversion.form_after(shape, n));
  return run_exchanges(request, conversion, exchanges);
}

}  // namespace
}  // namespace convert

extern const Method convert_exchange_method{
    .name = "convert/exchange",
    .operation = "convert",
    .known_as = "conversion of storage forms",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 5, Corollaries 6 and 7 (johnsson-ho.md, Conversion)",
    .summary =
        "a matrix goes from one storage form to another, of its own or of its transposed: real bits are exchanged "
        "with the local bits that become real",
    .parameters = {Parameter{"from",
                             "storage form before: [gray:]row-SCHEME, [gray:]column-SCHEME or "
                             "2d:[gray:]SCHEME,[gray:]SCHEME (rows, columns; n even), SCHEME = consecutive, "
                             "cyclic, combined=I or split=S",
                             "has to be given"},
                   Parameter{"to", "storage form after, of the same names", "has to be given"},
                   Parameter{"transposed", "--to is a form of the transposed matrix", "it is one of the same matrix"},
                   matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = convert::resolve,
    .predict = convert::predict,
    .lower_bound = convert::lower_bound,
    .bytes = bytes_of_exchanges,
    .run = convert::run,
};

}  // namespace lockstep
