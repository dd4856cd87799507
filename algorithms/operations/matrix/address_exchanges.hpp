#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/machines/storage_form.hpp"

namespace lockstep::matrix {

// Exchanges of address bits on a cube (Johnsson & Ho, definitions 10 and 11; johnsson-ho.md, General exchange). Every
// processor has an array of 2^k words, without labels. The place of an element is rank 2^k + index, of n + k bits: the
// n highest choose the processor (real), the k lowest the word of its array (local). An exchange swaps two bits of all
// places.

/// n of the n-cube.
inline Port cube_dimensions(const MachineSpec& machine) { return static_cast<Port>(machine.ports); }

/// How the words of one exchange get into one message.
enum class StripGathering {
  free,    ///< they are one block without being copied, after a shuffle for instance
  none,    ///< every strip of words that lie side by side is a start-up of its own
  copying  ///< they are copied into a buffer, and out of one
};

/// Whether a new order of an array's words costs the copy that makes it.
enum class Copying {
  free,    ///< it is only another way to look at the words: by indirect addressing, or before and after the method
  charged  ///< every word is copied, unless all stay where they are
};

/// A sequence of exchanges as a value. It is built for data in some form, and always knows which address bits each bit
/// of a place stands for: those whose sum modulo 2 it is, as a mask.
class AddressExchanges {
 public:
  /// Words with odd parity of (place & moves) go over the dimension; their local index has the bits `flips` flipped.
  struct AddressExchange {
    Port dimension;
    std::uint64_t moves;
    std::uint64_t flips;
    StripGathering gathering;
  };
  /// Processors with odd parity of (place & moves), which has both dimensions and no local bit, send all that they have
  /// over the first and then, through a processor with even parity, over the second: two steps.
  struct Relay {
    Port first;
    Port second;
    std::uint64_t moves;
  };
  /// Every processor reorders its array; column b is what bit b of a place adds to the new index.
  struct Reorder {
    std::vector<std::uint64_t> columns;
    Copying copying;
  };
  /// Every processor copies all that it has, which is charged.
  struct Copy {};
  using Operation = std::variant<AddressExchange, Relay, Reorder, Copy>;

  /// For addresses that are the places themselves.
  AddressExchanges(Port dimensions, unsigned local_bits);
  explicit AddressExchanges(const StorageForm& before);

  Port dimensions() const { return dimensions_; }
  unsigned local_bits() const { return static_cast<unsigned>(bits_.size()) - dimensions_; }
  const std::vector<Operation>& operations() const { return operations_; }

  /// For half-duplex links or processors: an exchange of one step takes two. First the processors whose bit of the
  /// dimension is 1 send, then the others.
  void take_turns() { takes_turns_ = true; }
  bool takes_turns() const { return takes_turns_; }

  /// Exchanges a real bit and a local one: one step, half of every array moves.
  void exchange(Port dimension, unsigned local, StripGathering gathering = StripGathering::free);
  /// Exchanges two different real bits: two steps, half of the processors send all that they have.
  void exchange_dimensions(Port first, Port second);
  /// Adds one real bit to another, modulo 2: one step, the processors where the former is 1 send all that they have.
  void add_dimension(Port to, Port added);
  /// Exchanges two local bits: nothing moves.
  void exchange_local(unsigned a, unsigned b);
  /// Exchanges any two bits of a place.
  void exchange_bits(unsigned a, unsigned b);
  /// Charges a local copy of everything.
  void copy() { operations_.emplace_back(Copy{}); }
  /// From now on convert_to() has no free shuffles: the strips of a message are gathered if they have fewer than
  /// `words` words, and else are start-ups of their own. It takes forms that have no bit in common, or no Gray code.
  void send_strips_from(std::uint64_t words) { least_strip_ = words; }
  /// Gives the local bits a new order, the highest first: e.g. {0, 2, 1} makes what was bit 0 the highest.
  void reorder(const std::vector<unsigned>& order, Copying copying = Copying::free);
  /// Adds what is still to be done until the data is in that form: for every real bit that is not right one step, and
  /// more where real bits change places only among themselves: two steps for two bits, else one through a local bit.
  /// Last, every array is reordered.
  void convert_to(const StorageForm& after, Copying copying = Copying::free);

 private:
  std::uint64_t place_bit(unsigned bit) const { return std::uint64_t{1} << bit; }
  unsigned bit_of(Port dimension) const { return local_bits() + dimension; }
  std::uint64_t meaning(std::uint64_t place_bits) const;
  void append(const AddressExchange& exchange);
  void append(const Relay& relay);
  void append_reorder(const std::vector<std::uint64_t>& new_bits, Copying copying);
  void convert_real_bits(const StorageForm& after);
  bool replace(Port dimension, std::uint64_t wanted);
  void unlock(Port dimension, const StorageForm& after);
  void code_for(const StorageForm& after);
  StripGathering gathering_of(std::uint64_t strip_words) const;

  Port dimensions_;
  bool takes_turns_ = false;
  std::vector<std::uint64_t> bits_;  // of places, the lowest first, as masks over addresses
  std::vector<Operation> operations_;
  std::optional<std::uint64_t> least_strip_;
};

/// Bytes of a machine that carries out exchanges, without the arrays.
Wide bytes_of_exchanges(const MachineSpec& machine, const Model& model);

/// Carries out the exchanges on the arrays, array r being that of rank r; each has 2^local_bits words.
Report run_exchanges(const RunRequest& request, const AddressExchanges& exchanges, PerRank<Block>& arrays);

}  // namespace lockstep::matrix
