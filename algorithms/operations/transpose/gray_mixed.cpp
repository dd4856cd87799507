#include "block_transposition.hpp"
#include "gray.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/machines/hypercube.hpp"
#include "plans/packets/block_moves.hpp"
#include "plans/packets/packet_moves.hpp"

namespace lockstep {
namespace transpose {
namespace {

// In packets, which follow each other through the dimensions in that order; a packet that does not cross a dimension
// waits, so that all at the same bit use the same dimension.
Outcome run_pipelined(const RunRequest& request) {
  const Port n = request.topology.ports();
  const matrix::Conversion conversion = mixed_encoding(request.settings);
  const std::vector<Port> dimensions = row_then_column(n);
  const auto cut = packets::PacketCut::full(matrix::words_a_processor(request.machine, request.settings),
                                            *request.settings.packet_words);
  const packets::PacketSchedule plan{.streams = [](Rank) { return 1U; },
                                     .stream =
                                         [&](Rank origin, std::uint32_t) {
                                           const Rank crossed = origin ^ target_of_block(conversion, n, origin);
                                           packets::PacketStream stream{.path = {}, .packets = cut};
                                           for (Cycle slot = 0; slot < dimensions.size(); ++slot) {
                                             if (has_bit(crossed, dimensions[slot]))
                                               stream.path.push_back({dimensions[slot], slot});
                                           }
                                           return stream;
                                         }};
  return run_blocks(request, conversion,
                    [&](PerRank<LabelledBlock>& held) { return packets::move_packets(request, plan, held); });
}

void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_mixed(machine, model, settings);
  packets::resolve_packet_words(settings, machine.ports, matrix::words_a_processor(machine, settings), model.cost);
}

Prediction predict_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_in_packets(machine, model, settings, 1);
}

std::uint64_t bytes_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_in_packets(machine, model, settings, 1);
}

}  // namespace
}  // namespace transpose

extern const Method transpose_gray_mixed_method = matrix::transposition({
    .name = "transpose/gray-mixed",
    .known_as = "two-dimensional transposition, mixed encoding, combined",
    .mapping = "two-dimensional, mixed codes",
    .source = transpose::gray_source,
    .summary =
        "rows in binary code and columns in Gray code, or the other way round: codes and blocks change together, "
        "bit by bit (n even)",
    .parameters = {transpose::encoding_parameter, matrix_parameter},
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_mixed,
    .predict = transpose::predict_conversion,
    .proven = transpose::lower_bound_of_mixed,
    .bytes = transpose::bytes_of_conversion,
    .run =
        [](const RunRequest& request) {
          return transpose::run_conversion(request, transpose::mixed_encoding(request.settings));
        },
});

extern const Method transpose_gray_mixed_pipelined_method = matrix::transposition({
    .name = "transpose/gray-mixed-pipelined",
    .known_as = "two-dimensional transposition, mixed encoding, pipelined",
    .mapping = "two-dimensional, mixed codes",
    .source = transpose::gray_source,
    .summary = "transpose/gray-mixed in packets, which follow each other through all dimensions at once (n even)",
    .parameters = {transpose::encoding_parameter, matrix_parameter, packets::packet_words_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = transpose::resolve_pipelined,
    .predict = transpose::predict_pipelined,
    .proven = transpose::lower_bound_of_mixed,
    .bytes = transpose::bytes_pipelined,
    .run = transpose::run_pipelined,
});

}  // namespace lockstep
