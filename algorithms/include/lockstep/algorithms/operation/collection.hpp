#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/operation/allgather.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"

// What allgather methods share that send blocks as pieces of bundles: a processor's collection, and the run.
namespace lockstep::allgather {

/// The blocks that one processor has collected, by source; none for a source whose block it lacks. They stay in the
/// bundles in which they arrived, so that nothing is copied, and a bundle with many receivers is stored once.
class Collection {
 public:
  Collection() = default;
  /// An empty collection for a machine of `processors` processors.
  explicit Collection(Rank processors) : blocks_(processors) {}

  /// Whether the source's block is here.
  bool has(Rank source) const { return source < blocks_.size() && blocks_[source] != nullptr; }
  /// The source's block; no words if it is not here.
  std::span<const Word> block(Rank source) const { return {blocks_[source], has(source) ? block_words_ : 0}; }
  /// Words of all blocks.
  std::uint64_t words() const { return words_; }
  /// How many blocks are here.
  std::uint64_t blocks() const { return held_; }

  /// The source's block, to be sent. Throws std::logic_error if it is not here.
  Piece piece(Rank source) const;
  /// Throws std::logic_error if the block of a source is here already, has another length than the others, or there is
  /// no such source.
  void add(Bundle bundle);

 private:
  std::vector<const Word*> blocks_;  // in bundles_
  std::vector<Bundle> bundles_;
  std::uint64_t block_words_ = 0;
  std::uint64_t words_ = 0;
  std::uint64_t held_ = 0;
};

/// Runs program(self, collection) on every processor, each with its own block in its collection, and compares the
/// collections with the oracle. Messages are of type T; a shared memory has `memory_slots` slots.
template <Payload T = Bundle, class Program>
Outcome run(const RunRequest& request, const Program& program, std::size_t memory_slots = 0);

/// What a run holds at once beside the blocks that every processor has in the end.
struct UnderWay {
  Wide pieces = 0;    ///< copies of pieces that are under way, or were thrown away, in the whole machine
  Wide messages = 0;  ///< messages of few pieces that collections keep, each with memory of its own
};

/// Bytes of a run in which every processor keeps a copy of every block, in the messages in which they came. A shared
/// memory has `memory_slots` slots.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings,
                    const UnderWay& under_way = {}, std::uint64_t memory_slots = 0);
/// As bytes(), for the entry of a method where messages hold many pieces and nothing else is under way.
std::uint64_t bytes_of_long_messages(const MachineSpec& machine, const Model& model, const Settings& settings);
/// As bytes(), where all processors share the memory of a message that goes to many: each of them has a handle of each
/// of the `messages` that come to a processor. `pieces` are in the messages of all processors that make their own.
std::uint64_t bytes_where_shared(const MachineSpec& machine, const Model& model, const Settings& settings,
                                 Wide messages, Wide pieces, std::uint64_t memory_slots = 0);

/// As bytes(), with a piece under way on every port of a processor: for entries of your own.
std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings);

/// The rank's own block, which it holds before the run.
Bundle own_block(const RunRequest& request, Rank rank);
/// The collections before the run.
PerRank<Collection> initial_collections(const RunRequest& request);
/// Compares the collections after the run with the oracle; fills in wrong, data_digest and verify_seconds.
void verify(const RunRequest& request, const PerRank<Collection>& collections, Outcome& outcome);

template <Payload T, class Program>
Outcome run(const RunRequest& request, const Program& program, std::size_t memory_slots) {
  PerRank<Collection> collections = initial_collections(request);
  Outcome outcome;
  outcome.report = run_program<T>(
      request, [&](Processor<T>& self) { return program(self, collections[self.rank()]); }, memory_slots);
  verify(request, collections, outcome);
  return outcome;
}

/// The entry of your own allgather: every processor runs the program, whose collection has its own block.
template <Process (*program)(Processor<Bundle>& self, Collection& collection)>
Method own_method(std::string_view name, const std::vector<std::string_view>& families) {
  return with_defaults(
      {.name = name, .families = families, .bytes = bytes_of_own, .run = [](const RunRequest& request) {
         return run(request, program);
       }});
}

}  // namespace lockstep::allgather
