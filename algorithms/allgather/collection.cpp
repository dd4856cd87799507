#include "collection.hpp"

#include <chrono>
#include <span>
#include <stdexcept>
#include <string>

#include "allgather.hpp"
#include "lockstep/algorithms/data.hpp"

namespace lockstep::allgather {
namespace {

std::string block_of(Rank source) { return "the block of rank " + std::to_string(source); }

std::vector<Collection> initial_collections(const RunRequest& request) {
  const Rank k = request.topology.processors();
  std::vector<Collection> collections(k);
  request.executor.for_ranges(k, [&](unsigned, std::size_t first, std::size_t last) {
    for (auto rank = static_cast<Rank>(first); rank < last; ++rank) {
      collections[rank] = Collection(k);
      collections[rank].add(
          {rank, rank, 0, generated_block(request.settings.seed, rank, rank, *request.settings.words)});
    }
  });
  return collections;
}

}  // namespace

Piece Collection::piece(Rank source) const {
  if (!has(source)) throw std::logic_error(block_of(source) + " is to be sent and is not here");
  return {source, source, 0, blocks_[source]};
}

void Collection::add(Piece piece) {
  if (piece.origin >= blocks_.size() || has(piece.origin)) {
    throw std::logic_error(block_of(piece.origin) + " arrives and is here already, or is of nobody");
  }
  words_ += piece.block.size();
  blocks_[piece.origin] = std::move(piece.block);
}

Outcome run(const RunRequest& request, const Program& program) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Collection> collections = initial_collections(request);
  const std::chrono::duration<double> preparing = std::chrono::steady_clock::now() - start;
  Outcome outcome;
  outcome.report =
      run_program<Bundle>(request, [&](Processor<Bundle>& self) { return program(self, collections[self.rank()]); });
  outcome.report.setup_seconds += preparing.count();
  const auto held = [&](Rank rank, Rank source) {
    const Block& block = collections[rank].block(source);
    return std::span(block.data(), block.size());
  };
  verify(request, held, outcome);
  return outcome;
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, Wide travelling) {
  constexpr std::uint64_t allocation = 16;  // what the host's allocator adds to a block
  const std::uint64_t content = *settings.words == 1 ? 0 : *settings.words * sizeof(Word) + allocation;
  const Wide blocks = Wide{machine.processors} * machine.processors * (sizeof(Block) + content);
  return saturated(machine_bytes<Bundle>(machine, model) + blocks + machine.processors * Wide{sizeof(Collection)} +
                   travelling * (sizeof(Piece) + content) + verify_bytes(machine, settings));
}

}  // namespace lockstep::allgather
