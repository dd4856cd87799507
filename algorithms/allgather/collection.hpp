#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/method.hpp"

// What the allgather methods share that send blocks as pieces of bundles: what a processor has collected, and the run.
namespace lockstep::allgather {

/// The blocks that one processor has collected, by their sources; none of a source from which it has none yet.
class Collection {
 public:
  Collection() = default;
  /// Of a machine of so many processors; empty.
  explicit Collection(Rank processors) : blocks_(processors) {}

  bool has(Rank source) const { return source < blocks_.size() && blocks_[source].size() > 0; }
  const Block& block(Rank source) const { return blocks_[source]; }
  /// Words of all blocks.
  std::uint64_t words() const { return words_; }

  /// A copy of the source's block, to be sent. Throws std::logic_error if it is not here.
  Piece piece(Rank source) const;
  /// Throws std::logic_error if the source's block is here already, or there is no such source.
  void add(Piece piece);
  void add(const Bundle& bundle) {
    for (const Piece& piece : bundle.pieces) add(piece);
  }

 private:
  std::vector<Block> blocks_;
  std::uint64_t words_ = 0;
};

using Program = std::function<Process(Processor<Bundle>& self, Collection& collection)>;

/// Runs the program on every processor, each with its own block in its collection, and compares with the oracle what
/// they have collected.
Outcome run(const RunRequest& request, const Program& program);

/// Bytes of a run, in which at most so many pieces are on their way at once in the whole machine.
std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings, Wide travelling);

}  // namespace lockstep::allgather
