#pragma once

#include <span>
#include <vector>

#include "lockstep/algorithms/labelled_block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/core/processor.hpp"

namespace lockstep::allgather {

/// What the k = 2^n processors of a cube hold while exchange after exchange doubles it.
///
/// The memory is allocated before the run: fresh memory costs far more than moving data through it. A processor starts
/// with room for k blocks of m words, its own block and then a part for each message that it will send:
///
///     |own| 1 |   2   |       3       |               4               |       part i has 2^(i-1) blocks
///
/// In exchange i it copies the 2^(i-1) blocks that it holds into part i and sends that part as the message; the part
/// that it receives instead is its own from then on. So each hop of a block copies it once, and in the end every
/// processor owns its own block and the parts of n others: k blocks, none of them shared.
class HeldParts {
 public:
  /// The memory of all processors, each with its own block generated.
  explicit HeldParts(const RunRequest& request);
  /// As above, with blocks of that many words, all 0. Programs may write them and exchange again and again.
  HeldParts(const RunRequest& request, std::uint64_t words);

  std::uint64_t block_words() const { return words_; }
  /// The rank's own block, to be written.
  std::span<Word> own(Rank rank) { return {part(rank, 0).data(), words_}; }
  /// Copies all that the rank holds before exchange i = 1..n into its part i.
  LabelledBlock copy_all(Rank rank, Port i);
  /// Makes the part received in exchange i the rank's own. Throws std::logic_error if it is not as long as the part
  /// sent.
  void keep(Rank rank, Port i, LabelledBlock received);
  /// The block of `source`, once the rank has made all exchanges.
  std::span<const Word> block(Rank rank, Rank source) const;

  /// Bytes for a cube of that many processors with blocks of that many words; the largest 64-bit number if they are
  /// more.
  static std::uint64_t bytes(std::uint64_t processors, std::uint64_t words);

 private:
  Block& part(Rank rank, Port i) { return parts_[rank][i]; }

  Port dimensions_;
  std::uint64_t words_;                // of one block
  PerRank<std::vector<Block>> parts_;  // its own block and, for i = 1..n, part i
};

/// How neighbours exchange over their link.
enum class ExchangeForm {
  full,  ///< both at once, in one cycle
  half   ///< one after the other: first those whose bit of the dimension is 1
};

/// The full form where links carry both directions at once, else the half form.
inline ExchangeForm exchange_form_for(const Model& model) {
  return model.duplex == Duplex::full ? ExchangeForm::full : ExchangeForm::half;
}

/// The program of every processor. Saad & Schultz 1985, section 4.2 (saad-schultz-1985.md, ADEA): one cycle a dimension
/// in full form, two in half form. Legal with one port (and the same one for both directions); half form also where a
/// node may only send or only receive.
Process adea(Processor<LabelledBlock>& self, ExchangeForm form, HeldParts& held);

}  // namespace lockstep::allgather
