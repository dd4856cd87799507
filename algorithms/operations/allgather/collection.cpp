#include "lockstep/algorithms/operation/collection.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <stdexcept>
#include <string>

#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/per_rank.hpp"

namespace lockstep::allgather {
namespace {

std::string block_of(Rank source) { return "the block of rank " + std::to_string(source); }

/// Bytes of a copy of a block in a bundle of many.
std::uint64_t bytes_of_piece(const Settings& settings) {
  return Bundle::bytes_in_place(*settings.words) + Bundle::bytes_elsewhere(*settings.words);
}

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

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, const UnderWay& under_way,
                    std::uint64_t memory_slots) {
  constexpr std::uint64_t of_message = 200;  // its handle, and the room to grow that a short one has
  const Wide piece = bytes_of_piece(settings);
  const Wide blocks = Wide{machine.processors} * machine.processors * (sizeof(const Word*) + piece);
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) + blocks +
                   machine.processors * Wide{sizeof(Collection)} + under_way.pieces * piece +
                   under_way.messages * of_message + verify_bytes(machine, settings));
}

std::uint64_t bytes_of_long_messages(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings);
}

std::uint64_t bytes_where_shared(const MachineSpec& machine, const Model& model, const Settings& settings,
                                 Wide messages, Wide pieces, std::uint64_t memory_slots) {
  const Wide k = machine.processors;
  const Wide handles = k * sizeof(const Word*) + std::bit_ceil(saturated(messages)) * sizeof(Bundle);
  // A processor's own block, once in its collection and once in the message that it sends.
  return saturated(machine_bytes<Bundle>(machine, model, memory_slots) + k * (sizeof(Collection) + handles) +
                   (2 * k + pieces) * bytes_of_piece(settings) + verify_bytes(machine, settings));
}

std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return bytes(machine, model, settings,
               {.pieces = machine.processors * Wide{std::max<std::uint64_t>(machine.ports, 1)}});
}

}  // namespace lockstep::allgather
