#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/algorithms/replay.hpp"
#include "lockstep/core/topology.hpp"

namespace lockstep::simgrid {

/// A line of a trace.
struct TraceLine {
  std::string_view verb{};  ///< lasts as long as the program
  std::size_t file = 0;     ///< among the files of the trace
  std::uint64_t number = 0;
  std::vector<std::int64_t> values{};  ///< the numbers after the verb; fractions of operations are rounded
};

/// "'rank-3.txt': rank 3, line 17".
std::string place_of(const std::vector<NamedText>& files, Rank rank, const TraceLine& line);

/// Bytes of the number of elements at `count_at` of the line, of the type at `type_at`, or of the usual one if there is
/// none. Throws InputError, which begins with `place`, if there is no such type or no such number.
std::uint64_t bytes_of(const TraceLine& line, std::size_t count_at, std::size_t type_at, std::size_t usual_type,
                       const std::string& place);

inline constexpr std::size_t trace_type_double = 0;
inline constexpr std::size_t trace_type_byte = 6;

/// A rank's part of a collective operation in one turn; all its earlier turns come before.
struct CollectiveMessage {
  std::uint64_t turn = 0;
  bool sends = false;  ///< if false, it receives
  Rank peer = no_rank;
  std::uint64_t bytes = 0;

  friend auto operator<=>(const CollectiveMessage&, const CollectiveMessage&) = default;
};

/// That verb, if it is a collective operation of traces, lasting as long as the program; else empty.
std::string_view collective_name(std::string_view verb);
inline bool is_collective(std::string_view verb) { return !collective_name(verb).empty(); }

/// The collective operations of a trace as messages: for a barrier, bcast, reduce, allreduce, allgather, alltoall, scan
/// and exscan those that catalogued methods send on a switch; the others go directly from rank to rank, those to or
/// from all ranks in turns of increasing distance.
class CollectiveCalls {
 public:
  /// calls[rank] are the calls of that rank in their order. The files must outlive this. Throws InputError if ranks
  /// make different calls.
  CollectiveCalls(std::vector<std::vector<TraceLine>> calls, std::size_t usual_type,
                  const std::vector<NamedText>& files);

  /// The rank's messages in its call of that number, in the order of turns, in each of which it receives first.
  std::vector<CollectiveMessage> messages(Rank rank, std::size_t call);
  /// Arithmetic of the rank.
  std::uint64_t operations(Rank rank, std::size_t call) const;
  std::size_t count() const { return calls_.front().size(); }
  const TraceLine& line(Rank rank, std::size_t call) const { return calls_[rank][call]; }

 private:
  using Messages = std::vector<CollectiveMessage>;

  Rank ranks() const { return static_cast<Rank>(calls_.size()); }
  void refuse_many_messages() const;
  Rank root_of(Rank rank, const TraceLine& line) const;
  std::string place(Rank rank, const TraceLine& line) const { return place_of(files_, rank, line); }
  std::uint64_t bytes(Rank rank, std::size_t call, std::size_t count_at, std::size_t type_at) const;
  const std::vector<Messages>& messages_of_method(std::string_view method, Rank root);
  Messages at_root(Rank rank, std::size_t call) const;
  Messages in_turns(Rank rank, std::size_t call) const;
  std::uint64_t sent_in_turns(Rank rank, std::size_t call, Rank to) const;

  std::vector<std::vector<TraceLine>> calls_;  // by rank
  std::size_t usual_type_;
  const std::vector<NamedText>& files_;
  std::map<std::pair<std::string_view, Rank>, std::vector<Messages>> known_;  // for vectors or blocks of a word
};

}  // namespace lockstep::simgrid
