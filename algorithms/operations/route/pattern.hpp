#pragma once

#include <string>
#include <vector>

#include "lockstep/algorithms/parameter.hpp"
#include "lockstep/algorithms/routing.hpp"
#include "lockstep/machines/machine_spec.hpp"

// The requests: the test patterns of mukherjee.md, Routing, or a file. A is the number of address bits; the machine has
// 2^A processors.
namespace lockstep::route {

inline constexpr std::string_view complement = "complement";
inline constexpr std::string_view gather = "gather";
inline constexpr std::string_view scatter = "scatter";

/// The name of a pattern, or of a file with one.
struct PatternParameter : Parameter {
  /// Fills in `complement`, if none is given, and refuses what count_requests() refuses.
  void resolve(const MachineSpec& machine, Settings& settings) const;
};

inline constexpr PatternParameter pattern_parameter{
    {"pattern",
     "who sends to whom: gather, scatter, complement, bit-reversal, rotate-half, shift-one, transpose, or a file of "
     "lines `from to`",
     complement}};

/// The number of requests in the pattern. Throws InputError if the text is neither a pattern nor a file of lines `from
/// to`, two ranks of the machine with white space between them, decimal or binary (0b1010); empty lines are skipped.
std::uint64_t count_requests(const std::string& pattern, Rank processors);

/// The requests, in the order of their numbers: gather x -> 0 and scatter 0 -> x for x = 1..2^A-1; for x = 0..2^A-1
/// complement x -> all bits flipped, bit-reversal, rotate-half x -> x rotated left by floor(A/2) bits, shift-one
/// x -> x+1 mod 2^A, transpose x -> high and low floor(A/2) bits exchanged; of a file line by line. Throws InputError
/// as count_requests does.
std::vector<RouteRequest> make_requests(const std::string& pattern, Rank processors);

}  // namespace lockstep::route
