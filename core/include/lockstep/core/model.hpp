#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace lockstep {

/// Number of a machine cycle, from 0.
using Cycle = std::uint64_t;
/// The unit of length: 64 bits.
using Word = std::uint64_t;

/// The clock of a run ends before this cycle; links stamp cycles with 31 bits.
inline constexpr Cycle last_cycle = std::numeric_limits<std::int32_t>::max() - 2;

/// What one processor may do in one cycle.
enum class PortModel {
  one,         ///< send at most one payload on one port and receive at most one message; the ports may differ
  one_strict,  ///< as `one`, and both on the same port
  all          ///< one message a port and direction
};

/// What one link or processor may do in one cycle about directions.
enum class Duplex {
  full,       ///< each direction of a link carries one message
  half_link,  ///< a link carries one message, in one direction
  half_node   ///< a processor either only sends or only receives
};

/// As --ports takes it: "one-strict".
std::string_view name(PortModel ports);
/// As --duplex takes it: "half-link".
std::string_view name(Duplex duplex);

/// What a message, a local copy and an operation cost. A message costs `startups * beta + words * tau`.
struct CostModel {
  double beta = 1;                     ///< time of one start-up
  double tau = 1;                      ///< time of one word on a link
  std::uint64_t max_packet_words = 0;  ///< longest packet of one start-up, in words; 0 = unlimited
  double copy_cost = 0;                ///< time of one word copied locally
  double flop = 0;                     ///< time of one arithmetic operation

  /// Start-ups of one block of `words` words: max(1, ceil(words / max_packet_words)).
  std::uint64_t startups(std::uint64_t words) const {
    if (max_packet_words == 0 || words <= max_packet_words) return 1;
    return words / max_packet_words + (words % max_packet_words != 0);
  }
  /// Time of a message of so many start-ups and words.
  double time(std::uint64_t startup_count, std::uint64_t words) const {
    return static_cast<double>(startup_count) * beta + static_cast<double>(words) * tau;
  }
};

/// The rules and costs of a machine, apart from its wiring.
struct Model {
  PortModel ports = PortModel::one;  ///< what a processor may do in a cycle
  bool multicast = false;            ///< one payload may leave on any set of ports as one send
  Duplex duplex = Duplex::full;      ///< what directions a cycle allows
  CostModel cost{};                  ///< what modelled times charge
};

}  // namespace lockstep
