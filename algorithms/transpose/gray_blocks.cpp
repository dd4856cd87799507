#include "../permute/block_moves.hpp"
#include "../permute/packet_moves.hpp"
#include "block_transposition.hpp"
#include "gray.hpp"
#include "lockstep/machines/hypercube.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Conversion of codes and transposition together: for every bit of the row and column numbers, the highest first,
// blocks cross the dimension of the row, then that of the column, if that bit of the rank is not what it has to be. A
// processor may keep its own block while another's passes through. Where it has come a block is transposed locally,
// which copies `transposed_words` of it. Johnsson & Ho, section 6.3 (T 10).
Process convert_and_transpose(Processor<permute::MovingBlock>& self, std::span<const permute::Round> rounds,
                              std::uint64_t transposed_words, Piece& held) {
  co_await permute::move_blocks(self, rounds, held);
  self.charge(transposed_words);
}

Outcome run(const RunRequest& request, const Conversion& conversion) {
  const Port n = request.topology.ports();
  const permute::Round round{[&](Rank rank) { return target_of_block(conversion, n, rank); }, row_then_column(n)};
  const std::uint64_t transposed_words = words_to_transpose(request.machine, request.settings);
  return run_blocks(request, conversion, [&](std::vector<Piece>& held) {
    return run_program<permute::MovingBlock>(request, [&](Processor<permute::MovingBlock>& self) {
      return convert_and_transpose(self, {&round, 1}, transposed_words, held[self.rank()]);
    });
  });
}

Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t n = machine.ports;
  const Wide messages = Wide{n} * machine.processors / 2;
  const std::uint64_t k = words_a_processor(machine, settings);
  return {
      .steps = exact_count(n, "n"),
      .messages = exact_count(messages, "n N/2"),
      .words = exact_count(messages * k, "n N/2 K, K = P Q/N"),
      .longest_sum = exact_count(n * k, "n K"),
      .message_words = k,
      .startups = exact_count(messages * model.cost.startups(k), "n N/2 ceil(K/B_m)"),
      .copied_words = copied_to_transpose(machine, settings),
      .synchronous = time_in_step(model.cost, n * model.cost.startups(k), n * k, words_to_transpose(machine, settings),
                                  "n (ceil(K/B_m) beta + K tau), and K t_copy where blocks are transposed locally")};
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return saturated(machine_bytes<permute::MovingBlock>(machine, model) + matrix_bytes(machine, settings, 2) +
                   Wide{machine.processors} * sizeof(Piece));
}

// In packets, which follow each other through the dimensions in that order; where one does not cross a dimension it
// waits, so that those that are at the same bit use the same dimension.
Outcome run_pipelined(const RunRequest& request) {
  const Port n = request.topology.ports();
  const Conversion conversion = mixed_encoding(request.settings);
  const std::vector<Port> dimensions = row_then_column(n);
  const auto cut =
      permute::PacketCut::full(words_a_processor(request.machine, request.settings), *request.settings.packet_words);
  const permute::PacketPlan plan{.streams = [](Rank) { return 1U; },
                                 .stream =
                                     [&](Rank origin, std::uint32_t) {
                                       const Rank crossed = origin ^ target_of_block(conversion, n, origin);
                                       permute::Stream stream{.way = {}, .packets = cut};
                                       for (Cycle slot = 0; slot < dimensions.size(); ++slot) {
                                         if (has_bit(crossed, dimensions[slot]))
                                           stream.way.push_back({dimensions[slot], slot});
                                       }
                                       return stream;
                                     }};
  return run_blocks(request, conversion,
                    [&](std::vector<Piece>& held) { return permute::move_packets(request, plan, held); });
}

void resolve_pipelined(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_mixed(machine, model, settings);
  permute::resolve_packet_words(settings, machine.ports, words_a_processor(machine, settings), model.cost);
}

Prediction predict_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return predict_in_packets(machine, model, settings, 1);
}

std::uint64_t bytes_pipelined(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_in_packets(machine, model, settings, 1);
}

constexpr std::string_view source = "Johnsson & Ho, section 6.3 (T 10)";

}  // namespace
}  // namespace transpose

extern const Method transpose_gray_mixed_method{
    .name = "transpose/gray-mixed",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, mixed encoding, combined",
    .families = {"hypercube"},
    .source = transpose::source,
    .summary =
        "rows in binary code and columns in Gray code, or the other way round: codes and blocks change together, "
        "bit by bit (n even)",
    .parameters = {transpose::encoding_parameter, matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = transpose::resolve_mixed,
    .predict = transpose::predict,
    .lower_bound = transpose::lower_bound_of_mixed,
    .bytes = transpose::bytes,
    .run =
        [](const RunRequest& request) { return transpose::run(request, transpose::mixed_encoding(request.settings)); },
};

extern const Method transpose_gray_mixed_pipelined_method{
    .name = "transpose/gray-mixed-pipelined",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, mixed encoding, pipelined",
    .families = {"hypercube"},
    .source = transpose::source,
    .summary = "transpose/gray-mixed in packets, which follow each other through all dimensions at once (n even)",
    .parameters = {transpose::encoding_parameter, matrix_parameter, permute::packet_words_parameter,
                   matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = transpose::resolve_pipelined,
    .predict = transpose::predict_pipelined,
    .lower_bound = transpose::lower_bound_of_mixed,
    .bytes = transpose::bytes_pipelined,
    .run = transpose::run_pipelined,
};

extern const Method transpose_binary_to_gray_method{
    .name = "transpose/binary-to-gray",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, change of encoding",
    .families = {"hypercube"},
    .source = transpose::source,
    .summary = "rows and columns in binary code before, in Gray code afterwards (n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_two_dimensional(machine, settings, 1); },
    .predict = transpose::predict,
    .lower_bound =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return transpose::lower_bound_of_gray(transpose::binary_to_gray, machine, model, settings);
        },
    .bytes = transpose::bytes,
    .run = [](const RunRequest& request) { return transpose::run(request, transpose::binary_to_gray); },
};

extern const Method transpose_gray_to_binary_method{
    .name = "transpose/gray-to-binary",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, change of encoding",
    .families = {"hypercube"},
    .source = transpose::source,
    .summary = "rows and columns in Gray code before, in binary code afterwards (n even)",
    .parameters = {matrix_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::one},
    .port_models = {PortModel::one, PortModel::one_strict, PortModel::all},
    .strictest_duplex = Duplex::half_node,
    .resolve = [](const MachineSpec& machine, const Model&,
                  Settings& settings) { transpose::resolve_two_dimensional(machine, settings, 1); },
    .predict = transpose::predict,
    .lower_bound =
        [](const MachineSpec& machine, const Model& model, const Settings& settings) {
          return transpose::lower_bound_of_gray(transpose::gray_to_binary, machine, model, settings);
        },
    .bytes = transpose::bytes,
    .run = [](const RunRequest& request) { return transpose::run(request, transpose::gray_to_binary); },
};

}  // namespace lockstep
