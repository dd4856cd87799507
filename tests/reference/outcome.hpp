#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario.hpp"

// The outcome of executing a scenario, in the reference's own types.
namespace lockstep::reference {

/// Kinds in the order in which failures of one rank and cycle are reported.
enum class Kind {
  no_link,
  send_limit,
  overflow,
  receive_limit,
  one_strict,
  half_link,
  half_node,
  medium_limit,
  blocked,
  write_conflict,
  bank_conflict,
  nothing_arrived,
  exception,
  deadlock,
  livelock,
  undelivered,
  too_many_phases,
  interrupted
};
inline constexpr std::array<std::string_view, 18> kind_names{
    "no-link",   "send-limit",   "overflow", "receive-limit",  "one-strict",      "half-link",
    "half-node", "medium-limit", "blocked",  "write-conflict", "bank-conflict",   "nothing-arrived",
    "exception", "deadlock",     "livelock", "undelivered",    "too-many-phases", "interrupted"};
inline std::string_view name(Kind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

struct Wait {
  Rank rank = nobody;
  std::optional<Port> port;  ///< none: any
  Cycle since = 0;
  Rank neighbour = nobody;
  bool neighbour_ended = false;

  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Failure {
  Kind kind = Kind::exception;
  Cycle cycle = 0;
  Rank rank = nobody;
  std::vector<Port> ports;
  std::vector<Wait> waits;  ///< of a deadlock

  friend bool operator==(const Failure&, const Failure&) = default;
};

struct PhaseCounts {
  std::string name;
  std::uint64_t steps = 0, messages = 0, words = 0, longest_sum = 0;

  friend bool operator==(const PhaseCounts&, const PhaseCounts&) = default;
};

struct CycleCounts {
  Cycle cycle = 0;
  std::uint64_t messages = 0, words = 0, longest = 0, visited = 0;

  friend bool operator==(const CycleCounts&, const CycleCounts&) = default;
};

struct Counts {
  std::uint64_t cycles = 0, steps = 0, messages = 0, sends = 0, words = 0, longest_sum = 0, startups = 0,
                busiest_link_words = 0, busiest_link_messages = 0, peak_words_held = 0, copied_words = 0,
                operations = 0, visits = 0;
  double time_synchronous = 0, time_asynchronous = 0, time_arithmetic = 0;

  friend bool operator==(const Counts&, const Counts&) = default;
};

struct Outcome {
  std::optional<Failure> failure;
  Counts counts;  ///< these three only for a run that did not fail
  std::vector<PhaseCounts> phases;
  std::vector<CycleCounts> per_cycle;
  std::vector<std::vector<Note>> notes;  ///< of every rank
};

/// The first difference between two outcomes, or nothing.
std::string difference(const Outcome& ours, const Outcome& expected);

}  // namespace lockstep::reference
