#include "gray.hpp"

#include "block_transposition.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep::transpose {
namespace {

constexpr std::string_view rows_binary = "rows-binary";
constexpr std::string_view rows_gray = "rows-gray";

}  // namespace

Conversion mixed_encoding(const Settings& settings) {
  const Partition binary{};
  const MatrixLayout layout =
      *settings.encoding == rows_gray ? MatrixLayout{gray_consecutive, binary} : MatrixLayout{binary, gray_consecutive};
  return {layout, layout, Result::transposed};
}

void resolve_mixed(const MachineSpec& machine, const Model&, Settings& settings) {
  if (!settings.encoding) settings.encoding = rows_binary;
  if (*settings.encoding != rows_binary && *settings.encoding != rows_gray) {
    refuse_choice("--encoding", *settings.encoding, {std::string(rows_binary), std::string(rows_gray)});
  }
  resolve_two_dimensional(machine, settings, 1);
}

LowerBound lower_bound_of_gray(const Conversion& conversion, const MachineSpec& machine, const Model& model,
                               const Settings& settings) {
  constexpr std::uint64_t most_looked_at = std::uint64_t{1} << 20;
  if (machine.processors > most_looked_at) return {.steps = {}, .longest_sum = {}};
  std::uint64_t farthest = 0;
  Wide hops = 0;
  for (Rank rank = 0; rank < machine.processors; ++rank) {
    const Port distance = one_bits(rank ^ target_of_block(conversion, cube_dimensions(machine), rank));
    farthest = std::max<std::uint64_t>(farthest, distance);
    hops += distance;
  }
  const Wide links = Wide{machine.processors} * (model.ports == PortModel::all ? machine.ports : 1);
  return {.steps = farthest,
          .longest_sum = saturated((hops * words_a_processor(machine, settings) + links - 1) / links)};
}

}  // namespace lockstep::transpose
