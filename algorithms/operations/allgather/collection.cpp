#include "lockstep/algorithms/operation/collection.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/per_rank.hpp"

namespace lockstep::allgather {
namespace {

std::string block_of(Rank source) { return "the block of rank " + std::to_string(source); }

}  // namespace

Piece Collection::piece(Rank source) const {
  if (!has(source)) throw std::logic_error(block_of(source) + " is to be sent, but is not here");
  return {source, source, 0, block(source)};
}

void Collection::add(Bundle bundle) {
  if (block_words_ == 0) block_words_ = bundle.at(0).block.size();
  for (const Piece& piece : bundle) {
    if (piece.origin >= blocks_.size() || has(piece.origin) || piece.block.size() != block_words_) {
      throw std::logic_error(block_of(piece.origin) + " has come, but is here already or has no processor");
    }
    blocks_[piece.origin] = piece.block.data();
  }
  words_ += bundle.size() * block_words_;
  held_ += bundle.size();
  bundles_.push_back(std::move(bundle));
}

Bundle own_block(const RunRequest& request, Rank rank) {
  Bundle own;
  generate(request, rank, {own.add(rank, rank, 0, *request.settings.words), *request.settings.words});
  return own;
}

PerRank<Collection> initial_collections(const RunRequest& request) {
  const Rank k = request.topology.processors();
  PerRank<Collection> collections(request);
  for_all_ranks(request, [&](Rank rank) {
    collections[rank] = Collection(k);
    collections[rank].add(own_block(request, rank));
  });
  return collections;
}

void verify(const RunRequest& request, const PerRank<Collection>& collections, Outcome& outcome) {
  verify(
      request, [&](Rank rank, Rank source) { return collections[rank].block(source); }, outcome);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, Wide travelling,
                    std::uint64_t memory_slots) {
  // Each block may have come in a bundle of its own, kept in lists that grow by doubling their room.
  const std::uint64_t content = Bundle::bytes(1, *settings.words);
  const Wide blocks =
      Wide{machine.processors} * machine.processors * (sizeof(const Word*) + 2 * sizeof(Bundle) + content);
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) + blocks +
                   machine.processors * Wide{sizeof(Collection)} + travelling * (sizeof(Bundle) + content) +
                   verify_bytes(machine, settings));
}

std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings, machine.processors * Wide{std::max<std::uint64_t>(machine.ports, 1)});
}

}  // namespace lockstep::allgather
