#include "collection.hpp"

#include <span>
#include <stdexcept>
#include <string>

#include "allgather.hpp"
#include "lockstep/algorithms/data.hpp"

namespace lockstep::allgather {
namespace {

std::string block_of(Rank source) { return "the block of rank " + std::to_string(source); }

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

void verify(const RunRequest& request, const std::vector<Collection>& collections, Outcome& outcome) {
  const auto held = [&](Rank rank, Rank source) {
    const Block& block = collections[rank].block(source);
    return std::span(block.data(), block.size());
  };
  verify(request, held, outcome);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, Wide travelling,
                    std::uint64_t memory_slots) {
  constexpr std::uint64_t allocation = 16;  // what the host's allocator adds to a block
  const std::uint64_t content = *settings.words == 1 ? 0 : *settings.words * sizeof(Word) + allocation;
  const Wide blocks = Wide{machine.processors} * machine.processors * (sizeof(Block) + content);
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) + blocks +
                   machine.processors * Wide{sizeof(Collection)} + travelling * (sizeof(Piece) + content) +
                   verify_bytes(machine, settings));
}

}  // namespace lockstep::allgather
