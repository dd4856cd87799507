#include "lockstep/algorithms/duplex_forms.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep {
namespace {

/// In no cycle a processor sends that receives, or not unless duplex is full.
constexpr std::array<std::string_view, 35> for_half_nodes{
    "allgather/adea",
    "allgather/direct",
    "allgather/tea1",
    "allgather/tea1-grouped",
    "allgather/tea2",
    "allgather/tea2-grouped",
    "alltoall/direct",
    "alltoall/exchange",
    "alltoall/rotated-sbt",
    "alltoall/sequential-gather",
    "barrier/tree",
    "broadcast/direct",
    "broadcast/doubling",
    "broadcast/drbt",
    "broadcast/sbt",
    "gather/direct",
    "gather/sbt",
    "gather/shift",
    "permute/bit-reversal",
    "permute/dimension-halving",
    "permute/dimension-two-round",
    "permute/shuffle",
    "permute/two-alltoall",
    "reduce/tree",
    "scatter/direct",
    "scatter/direct-one-message",
    "scatter/sbt",
    "scatter/shift",
    "send/direct",
    "send/store-and-forward",
    "transpose/2d-spt",
    "transpose/2d-virtual",
    "transpose/binary-to-gray",
    "transpose/gray-mixed",
    "transpose/gray-to-binary",
};

/// In no cycle a link carries messages both ways.
constexpr std::array<std::string_view, 28> for_half_links{
    "allgather/daisy-chain",
    "allgather/daisy-chain-snake",
    "allgather/sequential",
    "allgather/two-pass",
    "alltoall/rotate-drop",
    "alltoall/two-phase",
    "broadcast/axis",
    "broadcast/one-way",
    "broadcast/sbt-pipelined",
    "broadcast/two-phase",
    "broadcast/two-streams-late",
    "broadcast/two-way",
    "gather/two-phase",
    "gather/two-way",
    "permute/bit-reversal-pipelined",
    "scatter/rotated-sbt-halving",
    "scatter/rotated-sbt-rbf",
    "scatter/sbnt",
    "scatter/sbt-all-port",
    "scatter/sbt-reflected",
    "scatter/two-phase",
    "scatter/two-way",
    "send/disjoint-paths",
    "send/disjoint-paths-balanced",
    "send/pipelined",
    "transpose/2d-spt-pipelined",
    "transpose/diagonal",
    "transpose/gray-mixed-pipelined",
};

template <class Names>
bool has(const Names& names, const Method& method) {
  return std::find(names.begin(), names.end(), method.name) != names.end();
}

/// Whether all processors send to and receive from others at once, although the method of that name is one of
/// for_half_links on other machines.
bool closes_a_ring_of_ranks(const Method& method) {
  return method.name == "allgather/daisy-chain" && method.families.front() == "switch";
}

}  // namespace

std::vector<Duplex> duplex_forms(const Method& method) {
  if (has(for_half_nodes, method)) return {Duplex::full, Duplex::half_link, Duplex::half_node};
  if (has(for_half_links, method) && !closes_a_ring_of_ranks(method)) return {Duplex::full, Duplex::half_link};
  return {Duplex::full};
}

}  // namespace lockstep
