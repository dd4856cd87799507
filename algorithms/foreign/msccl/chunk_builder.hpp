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

/// A step as MSCCL has it: it waits for one other at most.
struct BuiltStep {
  ChunkVerb verb = ChunkVerb::nothing;  ///< what it does
  std::uint32_t source = 0;             ///< the first place that it reads
  std::uint32_t destination = 0;        ///< the first that it writes
  std::uint32_t count = 0;              ///< how many
  std::optional<ChunkWait> waits{};     ///< of another threadblock of the same processor
  bool sets_flag = false;               ///< others wait for it
};

/// A threadblock with one peer both ways, or none.
struct BuiltThreadblock {
  Rank peer = no_rank;             ///< to and from whom it sends and receives
  std::uint32_t channel = 0;       ///< of its messages
  bool sends = false;              ///< whether it does
  bool receives = false;           ///< the same
  std::vector<BuiltStep> steps{};  ///< in their order
};

/// What one processor holds where, and what is made of what. A value is what one chunk is at some time: input,
/// received, or a sum of two others. First all messages are told, in their order, so that it is known until when each
/// value is used; then they are placed: a sum takes the place of an operand that is not used again, and a message goes
/// to where it belongs in the end, or into scratch.
class ChunkBuilder {
 public:
  using Event = std::uint64_t;  ///< one after the other over the whole machine
  static constexpr Event at_the_end = std::numeric_limits<Event>::max();
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  /// What a step does with places, before waits and threadblocks are known.
  struct Operation {
    ChunkVerb verb = ChunkVerb::nothing;
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint32_t count = 1;
  };
  using Operations = std::vector<Operation>;

  /// Places below `own_places` are those of the buffers that the collective has; of these may be written those that are
  /// demanded. Scratch has the places from there on.
  ChunkBuilder(const MessageContents& contents, Rank rank, std::uint32_t own_places)
      : contents_(contents), rank_(rank), own_places_(own_places), next_place_(own_places) {}

  /// At first there is this in that place.
  void begin(std::uint32_t place, std::uint32_t sum);
  /// Values that hold these sums, for a message. Throws InputError if they cannot be made.
  std::vector<std::uint32_t> used(const std::vector<std::uint32_t>& sums, Event event);
  /// New values.
  std::vector<std::uint32_t> received(const std::vector<std::uint32_t>& sums);
  /// In the end this has to be there.
  void demand(std::uint32_t place, std::uint32_t sum);

  /// From here on they are placed. Where the values of a message lie one after the other, and what is to be done
  /// before.
  std::uint32_t place_sent(const std::vector<std::uint32_t>& values, Event event, Operations& before);
  /// How a message is received, and what is to be done before.
  Operation place_received(const std::vector<std::uint32_t>& values, Event event, Operations& before);
  /// What is to be done in the end.
  Operations finish();

  /// The sum of two others, by number; see MessageContents::sums.
  using Sums = std::map<ChunkSum, std::uint32_t>;
  static std::uint32_t number_of(const ChunkSum& sum, Sums& numbers, std::vector<ChunkSum>& sums);
  /// All numbers, which all processors share.
  void share(Sums& numbers, std::vector<ChunkSum>& sums) {
    numbers_ = &numbers;
    sums_ = &sums;
  }

  std::uint32_t places() const { return next_place_; }

  std::vector<BuiltThreadblock> threadblocks{};  ///< so far
  /// Adds one without steps; no_rank if it has no peer. Its place among them comes back.
  std::uint32_t add_threadblock(Rank peer, std::uint32_t channel);
  /// How many steps it would take in that threadblock, waits included.
  std::size_t steps_of(std::uint32_t threadblock, const Operations& operations) const;
  /// Adds them with their waits.
  void append(std::uint32_t threadblock, const Operations& operations);

 private:
  struct Use {
    Event event;
    std::uint32_t by;  // the sum that it is a summand of; nowhere: a message, or it is demanded
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
  static Operations by_levels(const std::vector<Operations>& lists);
  std::vector<ChunkWait> waits_of(std::uint32_t threadblock, const Operation& operation) const;

  const MessageContents& contents_;
  Rank rank_;
  std::uint32_t own_places_;
  std::uint32_t next_place_;
  Sums* numbers_ = nullptr;
  std::vector<ChunkSum>* sums_ = nullptr;
  std::vector<Value> values_;
  std::map<std::uint32_t, std::uint32_t> held_;                     // by sum
  std::map<std::uint32_t, std::vector<std::uint32_t>> of_chunk_;    // values by chunk
  std::map<std::uint32_t, std::uint32_t> occupants_;                // by place
  std::map<std::uint32_t, std::uint32_t> demands_;                  // by place
  std::map<std::uint32_t, Touched> touched_;                        // by place
  std::vector<std::map<std::uint32_t, std::uint32_t>> has_waited_;  // by threadblock: of others, until which step
};

}  // namespace lockstep::msccl
