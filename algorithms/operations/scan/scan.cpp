#include "scan.hpp"

namespace lockstep::scan {
namespace {

constexpr Parameter exclusive_output_parameter{
    "output", "file for the results of ranks 1, 2, .., rank by rank, one number or string a line", "none"};

/// Text that processors hold, which grows with the prefixes: half of all on average, and the total of a block. A
/// processor has each and a message on its way, and growing strings have room for twice as much.
Wide grown_text_bytes(const MachineSpec& machine, const Settings& settings, std::uint64_t block) {
  const Wide each = Wide{operands::text_bytes(machine, settings)};
  return 2 * each * (machine.processors + 2 * block);
}

}  // namespace

Method with_output(Method own, Prefix prefix) {
  const bool is_exclusive = prefix == Prefix::exclusive;
  return filled_in(std::move(own), {.operation = is_exclusive ? "exscan" : "scan",
                                    .known_as = is_exclusive ? "exclusive prefix" : "prefix",
                                    .parameters = {operands::words_parameter, operands::operator_parameter,
                                                   operands::type_parameter, operands::input_parameter,
                                                   is_exclusive ? exclusive_output_parameter : output_parameter},
                                    .resolve = resolve});
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) { operands::resolve(machine, settings); }

std::uint64_t bytes_with_totals(const MachineSpec& machine, const Model& model, const Settings& settings,
                                std::uint64_t block, Wide messages) {
  const Wide values = operands::value_bytes(machine, settings);
  const Wide judged = operands::judged_bytes(machine, settings, 2, messages);
  if (operands::is_concat(settings)) {
    // A prefix, a total, and a message on its way, each with strings of its own.
    const Wide strings = 3 * Wide{machine.processors} * *settings.words * sizeof(std::string);
    return saturated(machine_bytes<Partial<Strings>>(machine, model) +
                     machine.processors * sizeof(HeldPrefixes<Strings>) + values + strings +
                     grown_text_bytes(machine, settings, block) + judged);
  }
  const Wide written = settings.output ? values : 0;
  return saturated(machine_bytes<Partial<Block>>(machine, model) + machine.processors * sizeof(HeldPrefixes<Block>) +
                   5 * values / 2 + written + judged);
}

}  // namespace lockstep::scan
