#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace lockstep {

/// Number of a machine cycle, from 0.
using Cycle = std::uint64_t;
/// The unit of length: 64 bits.
using Word = std::uint64_t;

/// The last cycle that a run can reach; links stamp cycles in 31 bits.
inline constexpr Cycle last_cycle = std::numeric_limits<std::int32_t>::max() - 2;

/// The sends and receives that one processor may make in one cycle.
enum class PortModel : std::uint32_t {
  one,         ///< send at most one payload on one port and receive at most one message; the ports may differ
  one_strict,  ///< as `one`, and both on the same port
  all,         ///< one message per port and direction
  ring,        ///< send on both ports, or send on one and receive on one (Saad & Schultz 1988, 2(c))
  two          ///< at most two sends and two receives, on any ports; the values that follow allow 3, 4, ...: k_ports()
};

/// The greatest limit of k_ports().
inline constexpr std::uint32_t most_ports = std::numeric_limits<std::uint16_t>::max();

/// At most k sends and k receives a cycle, each on a port of its own: `one` for 1. k is 1 to most_ports.
constexpr PortModel k_ports(std::uint32_t k) {
  return k == 1 ? PortModel::one : static_cast<PortModel>(static_cast<std::uint32_t>(PortModel::two) + k - 2);
}
/// Whether the model is that of k_ports(2) or more.
constexpr bool is_k_ports(PortModel ports) { return ports >= PortModel::two; }
/// The most messages that a processor may receive in one cycle; under all but `ring` also the most that it may send.
constexpr std::uint32_t port_limit(PortModel ports) {
  if (ports == PortModel::all) return std::numeric_limits<std::uint32_t>::max();
  return is_k_ports(ports) ? static_cast<std::uint32_t>(ports) - static_cast<std::uint32_t>(PortModel::two) + 2 : 1;
}

/// Whether a processor may send on all its ports in one cycle, without multicast.
constexpr bool sends_on_several_ports(PortModel ports) { return ports == PortModel::all || ports == PortModel::ring; }

/// Which directions one link or processor may use in one cycle.
enum class Duplex {
  full,       ///< each direction of a link carries one message
  half_link,  ///< a link carries one message, in one direction
  half_node   ///< a processor either only sends or only receives
};

/// As --ports takes it: "one-strict", "3".
std::string name(PortModel ports);
/// As --duplex takes it: "half-link".
std::string_view name(Duplex duplex);

/// How a message that knows its path crosses several links.
enum class Switching {
  store_and_forward,  ///< whole from processor to processor
  cut_through,        ///< its words follow the header, which moves on at once
  circuit             ///< its words move once the header has arrived; all links of the path are held until then
};

/// How often a message that knows its path pays its start-ups.
enum class StartupPer {
  hop,  ///< on every link
  path  ///< once, on the first
};

/// As --switching takes it: "cut-through".
std::string_view name(Switching switching);
/// As --startup takes it: "path".
std::string_view name(StartupPer startup);

/// Where on its path a message is when it crosses a link. A message without a path is at both its beginning and its
/// end.
struct Journey {
  std::uint32_t hops_made = 0;  ///< links that it has crossed before
  std::uint32_t hops_left = 1;  ///< until its destination, this one included
};

/// How long a message takes over one link.
struct Passage {
  double arrival = 0;  ///< from its start until the next processor can forward it
  double release = 0;  ///< from its start until the ports are free
};

/// The costs of messages, local copies and operations. A message costs `startups * beta + words * tau`.
struct CostModel {
  double beta = 1;                     ///< time of one start-up
  double tau = 1;                      ///< time of one word on a link
  std::uint64_t max_packet_words = 0;  ///< longest packet of one start-up, in words; 0 = unlimited
  double copy_cost = 0;                ///< time of one word copied locally
  double flop = 0;                     ///< time of one arithmetic operation
  double scan_cost = 0;                ///< time of one look at a block
  double hop_cost = 0;                 ///< time of a header over one link, unless messages are stored and forwarded
  Switching switching = Switching::store_and_forward;  ///< of messages that know their paths
  StartupPer startup = StartupPer::hop;                ///< of messages that know their paths

  /// Start-ups of one block of `words` words: max(1, ceil(words / max_packet_words)).
  std::uint64_t startups(std::uint64_t words) const {
    if (max_packet_words == 0 || words <= max_packet_words) return 1;
    return words / max_packet_words + (words % max_packet_words != 0);
  }
  /// Time of a message of this many start-ups and words.
  double time(std::uint64_t startup_count, std::uint64_t words) const {
    return static_cast<double>(startup_count) * beta + static_cast<double>(words) * tau;
  }
  /// Whether a message pays no start-up on this link of its path.
  bool started_before(const Journey& journey) const {
    return journey.hops_made > 0 && (startup == StartupPer::path || switching != Switching::store_and_forward);
  }
  /// How long such a message takes over this link of its path. Alone on a path of d links it takes
  /// `startups * beta + d * hop_cost + words * tau` in all, unless it is stored and forwarded.
  Passage passage(std::uint64_t startup_count, std::uint64_t words, const Journey& journey) const {
    if (switching == Switching::store_and_forward) {
      const double whole = time(startup_count, words);
      return {whole, whole};
    }
    const double header = time(startup_count, 0) + hop_cost;
    const double body = time(0, words);
    const double rest = switching == Switching::circuit ? (journey.hops_left - 1) * hop_cost : 0;
    return {journey.hops_left == 1 ? header + body : header, header + rest + body};
  }
};

/// The rules and costs of a machine, apart from its wiring.
struct Model {
  PortModel ports = PortModel::one;  ///< sends and receives of a processor in a cycle
  bool multicast = false;            ///< one payload may leave on any set of ports as one send
  Duplex duplex = Duplex::full;      ///< directions that a cycle allows
  CostModel cost{};                  ///< charges of the modelled times
};

}  // namespace lockstep
