#pragma once

#include <span>
#include <vector>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/move_log.hpp"
#include "lockstep/core/detail/large_array.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::allgather {

/// Blocks on their way, gathered into one message: memory that belongs to the sender before and to the receiver after.
struct Blocks {
  std::span<Word> memory;
};
inline std::uint64_t words(const Blocks& blocks) { return blocks.memory.size(); }
/// The blocks of those ranks that differ from the sender in dimensions above that of the link only, which have been
/// exchanged before.
void log_blocks(const Blocks& blocks, const Move& link, MoveLog& log, std::vector<Move>& moves);
inline void corrupt(Blocks& blocks) {
  Word& word = blocks.memory[blocks.memory.size() / 2];
  word = ~word;
}

/// What the k = 2^n processors of a cube hold while exchange after exchange doubles it.
///
/// The memory is there before the run: fresh memory costs far more than moving data through it. A processor starts with
/// room for k blocks of m words, its own block and then a part for each message that it will send:
///
///     |own| 1 |   2   |       3       |               4               |       part i has 2^(i-1) blocks
///
/// In exchange i it copies the 2^(i-1) blocks that it holds into part i and gives that part away as the message; the
/// part that it is given instead is its own from then on. So each hop of a block copies it once, and in the end every
/// processor owns its own block and the parts of n others: k blocks, shared with nobody.
class Holdings {
 public:
  /// The memory of all processors, each with its own block generated.
  explicit Holdings(const RunRequest& request);

  std::uint64_t block_words() const { return words_; }
  /// Copies all that the rank holds before exchange i = 1..n into its part i.
  Blocks copy_all(Rank rank, Port i);
  /// The rank owns what came in exchange i.
  void keep(Rank rank, Port i, Blocks received) { part(rank, i) = received.memory; }
  /// The block of `source`; the rank must have been through all exchanges.
  std::span<const Word> block(Rank rank, Rank source) const;

  /// Bytes for a cube of so many processors with blocks of so many words; the largest 64-bit number if they are more.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t words);

 private:
  std::span<Word>& part(Rank rank, Port i) { return parts_[rank * (std::size_t{dimensions_} + 1) + i]; }

  Port dimensions_;
  std::uint64_t words_;  // of one block
  detail::LargeArray<Word> memory_;
  std::vector<std::span<Word>> parts_;  // rank by rank the own block and, for i = 1..n, part i
};

/// How neighbours exchange over their link.
enum class ExchangeForm {
  full,  ///< both at once, in one cycle
  half   ///< one after the other: first those whose bit of the dimension is 1
};

/// What every processor runs. Saad & Schultz 1985, section 4.2 (saad-schultz-1985.md, ADEA): one cycle a dimension in
/// full form, two in half form. Legal with one port (and the same one for both directions); half form also where a node
/// may only send or only receive.
Process adea(Processor<Blocks>& self, ExchangeForm form, Holdings& held);

}  // namespace lockstep::allgather
