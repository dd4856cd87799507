#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/message_contents.hpp"

namespace lockstep::msccl {

/// A step in MSCCL's form: it waits for at most one other.
struct BuiltStep {
  ChunkVerb verb = ChunkVerb::nothing;  ///< what it does
  std::uint32_t source = 0;             ///< the first place that it reads
  std::uint32_t destination = 0;        ///< the first that it writes
  std::uint32_t count = 0;              ///< number of places
  std::optional<ChunkWait> waits{};     ///< for another threadblock of the same processor
  bool sets_flag = false;               ///< whether others wait for it
};

/// A threadblock with one peer both ways, or none.
struct BuiltThreadblock {
  Rank peer = no_rank;             ///< the peer of its sends and receives
  std::uint32_t channel = 0;       ///< of its messages
  bool sends = false;              ///< whether it sends
  bool receives = false;           ///< whether it receives
  std::vector<BuiltStep> steps{};  ///< in their order
};

/// The places and the makeup of what one processor holds. A value is the content of one chunk at some time: an input, a
/// received one, or a sum of two others. First all messages are added, in order, to find the last use of each value;
/// then values are placed: a sum takes the place of an operand that is not used again, and a message goes to its final
/// place, or into scratch.
class ChunkBuilder {
 public:
  using Event = std::uint64_t;  ///< numbered over the whole machine, in order
  static constexpr Event at_the_end = std::numeric_limits<Event>::max();
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  /// The effect of a step on places, before waits and threadblocks are known.
  struct Operation {
    ChunkVerb verb = ChunkVerb::nothing;
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t count = 1;
  };
  using Operations = std::vector<Operation>;

  /// The number of each sum; see MessageContents::sums.
  using Sums = std::map<ChunkSum, std::uint32_t>;
  static std::uint32_t number_of(const ChunkSum& sum, Sums& numbers, std::vector<ChunkSum>& sums);

  /// Places below `own_places` are those of the collective's buffers; of these, demanded ones may be written. Scratch
  /// has the places from there on. All processors share the sums and their numbers, which must outlive this.
  ChunkBuilder(const MessageContents& contents, Rank rank, std::uint32_t own_places, Sums& numbers,
               std::vector<ChunkSum>& sums)
      : contents_(contents),
        rank_(rank),
        own_places_(own_places),
        next_place_(own_places),
        numbers_(numbers),
        sums_(sums) {}

  /// States that the place holds this sum at first.
  void begin(std::uint32_t place, std::uint32_t sum);
  /// Values that hold these sums, for a message. Throws InputError if they cannot be made.
  std::vector<std::uint32_t> used(const std::vector<std::uint32_t>& sums, Event event);
  /// New values, received with a message.
  std::vector<std::uint32_t> received(const std::vector<std::uint32_t>& sums);
  /// States that the place must hold this sum in the end.
  void demand(std::uint32_t place, std::uint32_t sum);

  /// Placing begins here. The first of the consecutive places of a message's values; operations that must precede
  /// the send are added to `before`.
  std::uint32_t place_sent(const std::vector<std::uint32_t>& values, Event event, Operations& before);
  /// The receiving step of a message; operations that must precede it are added to `before`.
  Operation place_received(const std::vector<std::uint32_t>& values, Event event, Operations& before);
  /// The operations at the end.
  Operations finish();

  std::uint32_t places() const { return next_place_; }

  std::vector<BuiltThreadblock> threadblocks{};  ///< so far
  /// Adds a threadblock without steps; `peer` is no_rank if it has none. Returns its place.
  std::uint32_t add_threadblock(Rank peer, std::uint32_t channel);
  /// The number of steps that the operations take in that threadblock, waits included.
  std::size_t steps_of(std::uint32_t threadblock, const Operations& operations) const;
  /// Adds the operations with their waits.
  void append(std::uint32_t threadblock, const Operations& operations);

 private:
  struct Use {
    Event event;
    std::uint32_t by;  // the sum that has it as a summand; nowhere: a message, or a demand
  };
  struct Value {
    std::uint32_t sum = 0;
    std::uint32_t place = nowhere;
    std::uint32_t one = nowhere;  // of a sum: its summands
    std::uint32_t other = nowhere;
    bool is_made = false;
    std::vector<Use> uses{};
    std::vector<std::uint32_t> demanded{};  // places
  };
  struct Touched {
    std::optional<ChunkWait> writer{};
    std::vector<ChunkWait> readers{};
  };

  std::uint32_t obtain(std::uint32_t sum, Event event);
  std::uint32_t add_value(std::uint32_t sum, std::uint32_t chunk);
  bool cover(const ChunkSum& wanted, const std::vector<std::uint32_t>& candidates, std::size_t next,
             std::vector<std::uint32_t>& chosen, std::uint64_t& tries) const;
  bool can_be_made(std::uint32_t value) const;
  void make(std::uint32_t value, Event event, Operations& operations);
  bool is_dead(std::uint32_t value, Event event, std::uint32_t except) const;
  bool is_free(std::uint32_t place, Event event, std::uint32_t except) const;
  bool may_write(std::uint32_t place) const;
  void set(std::uint32_t value, std::uint32_t place);
  std::uint32_t scratch(std::uint32_t count);
  std::uint32_t run_from(const std::vector<std::uint32_t>& places) const;
  Operations by_levels(const std::vector<Operations>& lists) const;
  /// Whether the place is the first of a buffer that follows another one.
  bool begins_buffer(std::uint32_t place) const;
  std::vector<ChunkWait> waits_of(std::uint32_t threadblock, const Operation& operation) const;

  const MessageContents& contents_;
  Rank rank_;
  std::uint32_t own_places_;
  std::uint32_t next_place_;
  Sums& numbers_;
  std::vector<ChunkSum>& sums_;
  std::vector<Value> values_;
  std::map<std::uint32_t, std::uint32_t> held_;                     // by sum
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_chunk_;    // values by chunk
  std::map<std::uint32_t, std::uint32_t> occupants_;                // by place
  std::map<std::uint32_t, std::uint32_t> demands_;                  // by place
  std::map<std::uint32_t, Touched> touched_;                        // by place
  std::vector<std::map<std::uint32_t, std::uint32_t>> has_waited_;  // by threadblock: last awaited step of others
};

}  // namespace lockstep::msccl
