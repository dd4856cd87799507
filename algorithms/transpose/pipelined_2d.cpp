#include "../permute/packet_moves.hpp"
#include "block_transposition.hpp"
#include "paths_2d.hpp"

namespace lockstep {
namespace transpose {
namespace {

// Packets of a block follow each other over one path, or the packets of its halves over two, one every cycle. Johnsson
// & Ho, sections 6.1.1 and 6.1.2 (T 8).

using permute::PacketCut;

/// Paths of a block: the single path transpose has path 0, the dual paths transpose paths 0 and H.
enum class Paths : std::uint32_t { single = 1, dual = 2 };

template <Paths paths>
std::uint64_t words_of_path(const MachineSpec& machine, const Settings& settings) {
  return words_a_processor(machine, settings) / static_cast<std::uint64_t>(paths);
}

template <Paths paths>
Outcome run(const RunRequest& request) {
  const Port n = request.topology.ports();
  const std::uint64_t words = words_of_path<paths>(request.machine, request.settings);
  const PacketCut cut = PacketCut::full(words, *request.settings.packet_words);
  const permute::PacketPlan plan{
      .streams = [](Rank) { return static_cast<std::uint32_t>(paths); },
      .stream =
          [&](Rank origin, std::uint32_t number) {
            const auto path = transposition_path(origin, n, number * differing_pairs(origin, n));
            return permute::Stream{.way = permute::without_waits(path), .packets = cut, .first_word = number * words};
          }};
  return run_blocks(request, two_dimensional,
                    [&](std::vector<Piece>& held) { return permute::move_packets(request, plan, held); });
}

template <Paths paths>
void resolve(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_two_dimensional(machine, settings, static_cast<std::uint64_t>(paths));
  permute::resolve_packet_words(settings, machine.ports, words_of_path<paths>(machine, settings), model.cost);
}

template <Paths paths>
Prediction predict(const MachineSpec& machine, const Model& model, const Settings& settings) {
  Prediction prediction = predict_in_packets(machine, model, settings, static_cast<std::uint32_t>(paths));
  prediction.asynchronous = synchronous_time(prediction, model.cost);  // packets wait for each other only
  return prediction;
}

template <Paths paths>
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_in_packets(machine, model, settings, static_cast<std::uint32_t>(paths));
}

}  // namespace
}  // namespace transpose

extern const Method transpose_2d_spt_pipelined_method{
    .name = "transpose/2d-spt-pipelined",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, pipelined single path transpose (SPT)",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 6.1.1 (T 8)",
    .summary =
        "packets follow each other over one path from (r,c) to (c,r), which uses links in one direction only "
        "(n even)",
    .parameters = {matrix_parameter, permute::packet_words_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .strictest_duplex = Duplex::half_link,
    .resolve = transpose::resolve<transpose::Paths::single>,
    .predict = transpose::predict<transpose::Paths::single>,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .bytes = transpose::bytes<transpose::Paths::single>,
    .run = transpose::run<transpose::Paths::single>,
};

extern const Method transpose_2d_dpt_method{
    .name = "transpose/2d-dpt",
    .operation = "transpose",
    .known_as = "two-dimensional transposition, dual paths transpose (DPT)",
    .families = {"hypercube"},
    .source = "Johnsson & Ho, section 6.1.2 (T 8)",
    .summary =
        "halves of every block go in packets over two paths from (r,c) to (c,r), which use links in both "
        "directions (n even, K >= 2)",
    .parameters = {matrix_parameter, permute::packet_words_parameter, matrix_input_parameter, matrix_output_parameter},
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = transpose::resolve<transpose::Paths::dual>,
    .predict = transpose::predict<transpose::Paths::dual>,
    .lower_bound = transpose::lower_bound_of_two_dimensional,
    .bytes = transpose::bytes<transpose::Paths::dual>,
    .run = transpose::run<transpose::Paths::dual>,
};

}  // namespace lockstep
