#include <bit>
#include <limits>

#include "conversion_distance.hpp"
#include "lockstep/core/printable.hpp"
#include "operations/matrix/matrix_exchanges.hpp"

namespace lockstep {
namespace convert {
namespace {

bool is_transposed(const Settings& settings) { return settings.transposed.value_or(false); }

matrix::Conversion conversion_of(const Settings& settings, Port n) {
  matrix::Conversion conversion{parse_layout("--from", *settings.from), parse_layout("--to", *settings.to),
                                is_transposed(settings) ? Result::transposed : Result::same};
  if (!settings.layout) return conversion;
  for (MatrixLayout* layout : {&conversion.before, &conversion.after}) {
    if (layout->is_two_dimensional()) layout->row_dimensions = parse_row_dimensions(*settings.layout, n);
  }
  return conversion;
}

constexpr unsigned most_bits = 62;

/// The fewest bits of a row or column number from which the partition can take `width`.
unsigned least_bits(const std::optional<Partition>& partition, unsigned width) {
  if (!partition) return 0;
  return partition->scheme == Partition::Scheme::combined ? width + partition->place - 1 : width;
}

/// The smallest matrix that has the chosen bits.
MatrixShape least_shape(const std::vector<ChosenField>& fields) {
  MatrixShape shape;
  for (const ChosenField& field : fields) {
    for (const auto& [of_row, number] : field.bits) {
      unsigned& bits = of_row ? shape.row_bits : shape.column_bits;
      bits = std::max(bits, number + 1);
    }
  }
  return shape;
}

/// The smallest matrix that fits the layout.
MatrixSize least_size(const MatrixLayout& layout, Port n) {
  MatrixShape shape{least_bits(layout.rows, layout.row_width(n)), least_bits(layout.columns, layout.column_width(n))};
  if (!layout.chosen_fields.empty()) shape = least_shape(layout.chosen_fields);
  if (layout.band_dimensions) {
    const unsigned blocks = std::min<unsigned>(*layout.band_dimensions, n);
    shape = {(n + blocks) / 2, (n - blocks) / 2};
  }
  return {std::uint64_t{1} << std::min(most_bits, shape.row_bits),
          std::uint64_t{1} << std::min(most_bits, shape.column_bits)};
}

/// The smallest matrix that fits both layouts. A band's number of rows is a multiple of its number of columns.
MatrixSize least_size(const matrix::Conversion& conversion, Port n) {
  const bool turned = conversion.result == Result::transposed;
  const MatrixSize before = least_size(conversion.before, n);
  const MatrixSize after = turned ? least_size(conversion.after, n).transposed() : least_size(conversion.after, n);
  MatrixSize least{std::max(before.rows, after.rows), std::max(before.columns, after.columns)};
  const auto lengthen = [](std::uint64_t& rows, std::uint64_t columns, const std::optional<unsigned>& blocks) {
    if (blocks && std::bit_width(columns) + *blocks <= most_bits) rows = std::max(rows, columns << *blocks);
  };
  lengthen(least.rows, least.columns, conversion.before.band_dimensions);
  lengthen(turned ? least.columns : least.rows, turned ? least.rows : least.columns, conversion.after.band_dimensions);
  return least;
}

void require_both(const Settings& settings) {
  if (settings.from && settings.to) return;
  throw InputError("convert/exchange needs --from FORM and --to FORM, e.g. --from row-consecutive --to row-cyclic");
}

struct Forms {
  StorageForm before;
  StorageForm after;  ///< in addresses of the matrix before

  bool is_disjoint() const { return (before.real_bits() & after.real_bits()) == 0; }
};

Forms forms_of(const MachineSpec& machine, const Settings& settings) {
  const Port n = matrix::cube_dimensions(machine);
  const matrix::Conversion conversion = conversion_of(settings, n);
  const MatrixShape shape = matrix_shape(settings);
  return {conversion.form_before(shape, n), conversion.form_after(shape, n)};
}

bool is_gray(const Settings& settings) {
  return settings.from->find("gray:") != std::string::npos || settings.to->find("gray:") != std::string::npos;
}

constexpr NumberParameter threshold_parameter{
    {"copy-threshold", "words; with --gather on, which it means, only shorter strips are gathered",
     "all strips are gathered, unless a message is one strip"},
    &Settings::copy_threshold};

/// The least words of a strip that is a start-up of its own; shorter ones are gathered. No value if there are no
/// strips, as shuffles that cost nothing have put every message into one.
std::optional<std::uint64_t> least_strip(const Settings& settings) {
  if (settings.copy_threshold) return settings.copy_threshold;
  if (!settings.gather) return {};
  return *settings.gather ? std::numeric_limits<std::uint64_t>::max() : 0;
}

void resolve_gathering(const MachineSpec& machine, Settings& settings) {
  if (settings.copy_threshold) {
    threshold_parameter.resolve(settings);
    if (!settings.gather.value_or(true)) {
      throw InputError("--copy-threshold " + std::to_string(*settings.copy_threshold) +
                       " selects the strips to gather, and --gather off gathers none");
    }
    settings.gather = true;
  }
  if (least_strip(settings) && is_gray(settings) && !forms_of(machine, settings).is_disjoint()) {
    throw InputError("--gather takes forms in binary code, or forms without a bit that is real in both: in Gray code " +
                     *settings.from + " and " + *settings.to + " have messages of unequal strips");
  }
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  require_both(settings);
  const Port n = matrix::cube_dimensions(machine);
  const matrix::Conversion conversion = conversion_of(settings, n);
  if (settings.layout && !conversion.before.is_two_dimensional() && !conversion.after.is_two_dimensional()) {
    throw InputError("--layout " + *settings.layout + " is for two-dimensional forms, which neither --from " +
                     *settings.from + " nor --to " + *settings.to + " is");
  }
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
  resolve_gathering(machine, settings);
}

matrix::AddressExchanges exchanges_of(const Forms& forms, const Settings& settings) {
  matrix::AddressExchanges exchanges(forms.before);
  if (const auto words = least_strip(settings)) exchanges.send_strips_from(*words);
  exchanges.convert_to(forms.after);
  return exchanges;
}

/// Counts of the operations.
struct Costs {
  std::uint64_t local = 0;     ///< exchanges with a local bit: a step in which every processor sends half
  std::uint64_t real = 0;      ///< with real bits only: a step in which half of the processors send everything
  std::uint64_t swaps = 0;     ///< of two real bits: two such steps
  std::uint64_t startups = 0;  ///< of a processor that sends in all steps
  std::uint64_t startups_of_locals = 0;
  std::uint64_t gathered = 0;  ///< exchanges that copy
};

Costs costs_of(const matrix::AddressExchanges& exchanges, const CostModel& cost) {
  const std::uint64_t k = std::uint64_t{1} << exchanges.local_bits();
  Costs costs;
  for (const matrix::AddressExchanges::Operation& operation : exchanges.operations()) {
    if (std::holds_alternative<matrix::AddressExchanges::Relay>(operation)) ++costs.swaps;
    const auto* exchange = std::get_if<matrix::AddressExchanges::AddressExchange>(&operation);
    if (exchange == nullptr) continue;
    if (exchange->moves % k == 0) {
      ++costs.real;
      continue;
    }
    ++costs.local;
    const std::uint64_t strips = exchange->gathering == matrix::StripGathering::none ? k / 2 / exchange->flips : 1;
    costs.startups_of_locals += strips * cost.startups(k / 2 / strips);
    if (exchange->gathering == matrix::StripGathering::copying) ++costs.gathered;
  }
  costs.startups = costs.startups_of_locals + (costs.real + 2 * costs.swaps) * cost.startups(k);
  return costs;
}

std::string formula_of_steps(const Costs& costs) {
  return "a + b + 2 s, a = " + std::to_string(costs.local) +
         " exchanges with a local bit, b = " + std::to_string(costs.real) +
         " with real bits only, s = " + std::to_string(costs.swaps) + " swaps of two";
}

// Counts the operations that the forms lead to; docs/algorithms gives their numbers for any forms in binary code, and
// for forms without a bit that is real in both.
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Forms forms = forms_of(machine, settings);
  const Costs costs = costs_of(exchanges_of(forms, settings), model.cost);
  const Wide processors = machine.processors;
  const std::uint64_t k = matrix::words_a_processor(machine, settings);
  const std::uint64_t whole = costs.real + 2 * costs.swaps;  // steps in which half of the processors send whole arrays
  const bool disjoint = forms.is_disjoint();
  const bool in_strips = least_strip(settings).has_value();
  const std::uint64_t longest_sum = costs.local * (k / 2) + whole * k;
  Prediction prediction{
      .steps = exact_count(costs.local + whole, disjoint ? "n" : formula_of_steps(costs)),
      .messages = exact_count((2 * costs.local + whole) * processors / 2, disjoint ? "n N" : "(a + b/2 + s) N"),
      .words = exact_count((costs.local + whole) * processors * k / 2,
                           disjoint ? "n N K/2, K = P Q/N" : "(a + b + 2 s) N K/2, K = P Q/N"),
      .longest_sum = exact_count(longest_sum, disjoint ? "n K/2" : "(a/2 + b + 2 s) K"),
      .message_words = whole == 0 && !in_strips ? std::optional(k / 2) : std::nullopt,
      .startups = exact_count((2 * costs.startups_of_locals + whole * model.cost.startups(k)) * processors / 2,
                              in_strips  ? "N ceil(l/B_m) for every strip of l words, or for a buffer of K/2"
                              : disjoint ? "n N ceil(K/(2 B_m))"
                                         : "a N ceil(K/(2 B_m)) + (b/2 + s) N ceil(K/B_m)")};
  if (in_strips) {
    prediction.copied_words = exact_count(processors * costs.gathered * k, "N K for every exchange that gathers");
  }
  prediction.synchronous = matrix::time_in_step(model.cost, costs.startups, longest_sum, costs.gathered * k,
                                                "the longest message's start-ups and words in every step, and copies");
  if (whole == 0) prediction.asynchronous = prediction.synchronous;  // every processor sends in every step
  return prediction;
}

// Half of all words have to cross every dimension that changes. With one port N messages move in a cycle, with all
// ports N over every dimension.
LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Forms forms = forms_of(machine, settings);
  const ConversionDistance distance = distance_between(forms.before, forms.after);
  const unsigned crossings = model.ports == PortModel::all ? std::min(distance.dimensions, 1U) : distance.dimensions;
  return {.steps = distance.greatest,
          .longest_sum = saturated((Wide{crossings} * matrix::words_a_processor(machine, settings) + 1) / 2)};
}

Outcome run(const RunRequest& request) {
  const matrix::Conversion conversion = conversion_of(request.settings, request.topology.ports());
  return matrix::run_exchanges(request, conversion,
                               exchanges_of(forms_of(request.machine, request.settings), request.settings));
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
                             "storage form before: [gray:]row-SCHEME, [gray:]column-SCHEME, "
                             "2d:[gray:]SCHEME,[gray:]SCHEME (rows, columns), [gray:]band=S or bits:FIELD,FIELD..; "
                             "SCHEME = consecutive, cyclic, combined=I or split=S, FIELD = [gray:]BIT+BIT.., BIT = "
                             "u3, v0 or u3-u0",
                             "has to be given"},
                   Parameter{"to", "storage form after, of the same names", "has to be given"},
                   Parameter{"transposed", "--to is a form of the transposed matrix", "it is one of the same matrix"},
                   matrix::layout_parameter, matrix_parameter,
                   Parameter{"gather",
                             "off: every strip of words that lie side by side is a start-up of its own; on: the strips "
                             "of a message are copied into a buffer, and out of one",
                             "shuffles that cost nothing put every message into one strip"},
                   convert::threshold_parameter, matrix_input_parameter, matrix_output_parameter},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .resolve = convert::resolve,
    .predict = convert::predict,
    .proven = convert::lower_bound,
    .bytes = matrix::bytes_of_exchanges,
    .run = convert::run,
};

}  // namespace lockstep
