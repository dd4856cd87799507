#include "2d_pipelined.hpp"

#include "2d_paths.hpp"
#include "block_transposition.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "plans/packets/packet_moves.hpp"

namespace lockstep::transpose::pipelined {
namespace {

std::uint64_t words_of_path(std::uint32_t paths, const MachineSpec& machine, const Settings& settings) {
  return matrix::words_a_processor(machine, settings) / paths;
}

}  // namespace

Outcome run(std::uint32_t paths, const RunRequest& request) {
  const Port n = request.topology.ports();
  const std::uint64_t words = words_of_path(paths, request.machine, request.settings);
  const packets::PacketCut cut = packets::PacketCut::full(words, *request.settings.packet_words);
  const packets::PacketSchedule plan{
      .streams = [paths](Rank) { return paths; },
      .stream =
          [&](Rank origin, std::uint32_t number) {
            const auto path = transposition_path(origin, n, number * differing_pairs(origin, n));
            return packets::PacketStream{
                .path = packets::without_waits(path), .packets = cut, .first_word = number * words};
          }};
  return run_blocks(request, two_dimensional,
                    [&](PerRank<LabelledBlock>& held) { return packets::move_packets(request, plan, held); });
}

void resolve(std::uint32_t paths, const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_two_dimensional(machine, settings, paths);
  packets::resolve_packet_words(settings, machine.ports, words_of_path(paths, machine, settings), model.cost);
}

Prediction predict(std::uint32_t paths, const MachineSpec& machine, const Model& model, const Settings& settings) {
  Prediction prediction = predict_in_packets(machine, model, settings, paths);
  prediction.asynchronous = synchronous_time(prediction, model.cost);  // packets wait only for each other
  if (model.cost.startup == StartupPer::path) {
    const std::uint64_t words = words_of_path(paths, machine, settings);
    prediction.asynchronous = {packets::full_packet_arrival(machine.ports, words, *settings.packet_words, model.cost),
                               "start-ups once a path: every packet's start, and the last one's way"};
  }
  return prediction;
}

std::uint64_t bytes(std::uint32_t paths, const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes_in_packets(machine, model, settings, paths);
}

}  // namespace lockstep::transpose::pipelined
