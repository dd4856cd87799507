#include <algorithm>
#include <bit>

#include "exchange_packets.hpp"
#include "lockstep/algorithms/operation/alltoall.hpp"

namespace lockstep {
namespace alltoall {
namespace {

// A packet is a pair of blocks, and all dimensions work in all N/2 cycles (johnsson-ho.md, Pipelined exchange). The
// schedule of the lower j dimensions is carried out twice: first with the blocks whose bit j is clear, and then with
// those whose bit j is set. Dimension j takes the latter in the order in which they are needed, and last the block 2^j,
// which no other dimension waits for.
class Interleaved : public PacketPlan {
 public:
  Interleaved(Port n, std::uint64_t block_words)
      : PacketPlan(n, block_words, std::max<std::uint64_t>((std::uint64_t{1} << n) / 2, 1)), sent_(n) {
    for (Port dimension = 0; dimension < n; ++dimension) add_above(dimension);
  }

  std::uint64_t cycles() const override { return dimensions() == 0 ? 0 : sent_.front().size(); }

  std::optional<std::uint64_t> packet(std::uint64_t cycle, Port dimension) const override {
    return packet_with(sent_[dimension][cycle], 0);
  }

 private:
  void add_above(Port dimension) {
    const Rank bit = Rank{1} << dimension;
    std::vector<Rank>& added = sent_[dimension];
    added.reserve(bit);
    for (std::size_t cycle = 0; dimension > 0 && cycle < sent_.front().size(); ++cycle) {
      for (Port below = 0; below < dimension; ++below) {
        const Rank c = sent_[below][cycle];
        const bool begins = c >> below == 1;
        if (begins) added.push_back(bit | c);
      }
    }
    added.push_back(bit);
    for (Port below = 0; below < dimension; ++below) {
      std::vector<Rank>& again = sent_[below];
      const std::size_t cycles = again.size();
      again.reserve(2 * cycles);
      for (std::size_t cycle = 0; cycle < cycles; ++cycle) again.push_back(bit | again[cycle]);
    }
  }

  std::vector<std::vector<Rank>> sent_;  // over each dimension, the relative address in each cycle
};

void resolve_words(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_exchanged_words(machine, settings);
}

Prediction predict_exchange_interleaved(const MachineSpec& machine, const Model&, const Settings& settings) {
  const Wide n = machine.ports;
  const Wide k = machine.processors;
  const Wide b = *settings.words;
  return {.steps = exact_count(k / 2, "2^(n-1)"),
          .messages = exact_count(n * k * (k / 2), "n 2^(2n-1)"),
          .words = exact_count(n * k * (k / 2) * b, "n 2^(2n-1) b"),
          .longest_sum = exact_count(k / 2 * b, "2^(n-1) b"),
          .message_words = *settings.words};
}

std::uint64_t bytes_exchange_interleaved(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t pairs = std::max<std::uint64_t>(machine.processors / 2, 1);
  return saturated(bytes_of_packets(machine, model, settings, pairs) + Wide{machine.ports} * pairs * sizeof(Rank));
}

Outcome run_interleaved(const RunRequest& request) {
  return run_packets(request, Interleaved(request.topology.ports(), *request.settings.words));
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_exchange_interleaved_method = alltoall::with_defaults({
    .name = "alltoall/exchange-interleaved",
    .known_as = "all-to-all personalized",
    .families = {"hypercube"},
    .source = "after Johnsson & Ho, section 3.2 (johnsson-ho.md, Pipelined exchange)",
    .summary = "as exchange, a block a message: all dimensions work from the first step to the last",
    .defaults = {.ports = PortModel::all},
    .port_models = {PortModel::all},
    .resolve = alltoall::resolve_words,
    .predict = alltoall::predict_exchange_interleaved,
    .bytes = alltoall::bytes_exchange_interleaved,
    .run = alltoall::run_interleaved,
});

}  // namespace lockstep
