#include "method_sizes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "lockstep/algorithms/method.hpp"

namespace lockstep::bench {
namespace {

// About five million words move in each, in blocks that the method accepts there. Other methods are measured with their
// defaults.
constexpr MethodSize sizes[] = {
    {"all-to-some/exchange", "hypercube:10", "--words 1048576"},
    {"allgather/adea", "hypercube:10", "--words 5"},
    {"allgather/daisy-chain", "hypercube:10", "--words 5"},
    {"allgather/daisy-chain", "path:256", "--words 77"},
    {"allgather/daisy-chain", "rh:4,2", "--words 77"},
    {"allgather/daisy-chain", "ring:256", "--words 77"},
    {"allgather/daisy-chain", "switch:256", "--words 77"},
    {"allgather/daisy-chain", "torus:16x16", "--words 77"},
    {"allgather/daisy-chain-snake", "torus:16x16", "--words 77"},
    {"allgather/direct", "bus:256", "--words 19531"},
    {"allgather/direct", "shared:256,kstar=16", "--words 76"},
    {"allgather/doubling", "switch:256", "--words 77"},
    {"allgather/sequential", "hypercube:10", "--words 5"},
    {"allgather/tea1", "hypercube:10", "--words 1"},
    {"allgather/tea1-grouped", "hypercube:10", "--words 1"},
    {"allgather/tea2", "hypercube:10", "--words 5"},
    {"allgather/tea2-grouped", "hypercube:10", "--words 5"},
    {"allgather/torus", "torus:16x16", "--words 77"},
    {"allgather/two-pass", "mesh:16x16", "--words 77"},
    {"allgather/two-pass", "torus:16x16", "--words 77"},
    {"alltoall/cayley", "hypercube:10", "--words 1"},
    {"alltoall/direct", "bus:256", "--words 77"},
    {"alltoall/direct", "shared:256,kstar=16", "--words 38"},
    {"alltoall/direct-kstar", "bus:256", "--words 77"},
    {"alltoall/exchange", "hypercube:10", "--words 1"},
    {"alltoall/exchange", "switch:256", "--words 19"},
    {"alltoall/factor", "ring:256", "--words 1"},
    {"alltoall/greedy", "hypercube:7", "--words 87"},
    {"alltoall/product", "torus:16x16", "--words 10"},
    {"alltoall/rotate-drop", "ring:256", "--words 1"},
    {"alltoall/rotated-sbt", "hypercube:8", "--words 19"},
    {"alltoall/sbnt", "hypercube:10", "--words 1"},
    {"alltoall/search", "ring:9", "--tries 20 --words 27778"},
    {"alltoall/sequential-gather", "hypercube:10", "--words 1"},
    {"alltoall/two-phase", "torus:16x16", "--words 5"},
    {"barrier/tree", "hypercube:10", "--words 2444"},
    {"broadcast/axis", "torus:16x16", "--words 19608"},
    {"broadcast/direct", "bus:256", "--words 5000000"},
    {"broadcast/direct", "omega:256", "--words 19608"},
    {"broadcast/direct", "shared:256,kstar=16", "--words 19531"},
    {"broadcast/doubling", "switch:256", "--words 19608"},
    {"broadcast/drbt", "hypercube:10", "--words 4888"},
    {"broadcast/one-way", "ring:256", "--words 19608"},
    {"broadcast/ring", "switch:256", "--words 19608"},
    {"broadcast/sbt", "hypercube:10", "--words 4888"},
    {"broadcast/sbt-pipelined", "hypercube:10", "--words 4888"},
    {"broadcast/tree", "switch:256", "--words 19608"},
    {"broadcast/tree-heap", "switch:256", "--words 19608"},
    {"broadcast/two-phase", "torus:16x16", "--words 19608"},
    {"broadcast/two-streams", "torus:16x16", "--words 19608"},
    {"broadcast/two-streams-late", "torus:16x16", "--words 19608"},
    {"broadcast/two-way", "ring:256", "--words 19608"},
    {"convert/exchange", "hypercube:10", "--from row-consecutive --to gray:column-cyclic --matrix 1024x1024"},
    {"gather/direct", "bus:256", "--words 19608"},
    {"gather/direct", "shared:256,kstar=16", "--words 9804"},
    {"gather/sbt", "hypercube:10", "--words 977"},
    {"gather/shift", "switch:256", "--words 4883"},
    {"gather/two-phase", "torus:16x16", "--words 2441"},
    {"gather/two-way", "ring:256", "--words 305"},
    {"permute/bit-reversal", "hypercube:10", "--words 977"},
    {"permute/bit-reversal-pipelined", "hypercube:10", "--words 977"},
    {"permute/dimension-halving", "hypercube:10", "--words 610"},
    {"permute/dimension-two-round", "hypercube:10", "--words 610"},
    {"permute/general-exchange", "hypercube:10", "--words 1024 --pairs 12:3,11:2"},
    {"permute/shuffle", "hypercube:10", "--words 543"},
    {"permute/two-alltoall", "hypercube:9", "--words 512"},
    {"reduce/tree", "hypercube:10", "--words 4888"},
    {"route/ecube", "hypercube:10", "--words 488"},
    {"scan/cube", "hypercube:10", "--words 488"},
    {"scan/hub", "rh:4,2", "--words 3615"},
    {"scatter/direct", "bus:256", "--words 19608"},
    {"scatter/direct", "shared:256,kstar=16", "--words 9804"},
    {"scatter/direct-one-message", "bus:256", "--words 19608"},
    {"scatter/rotated-sbt-halving", "hypercube:10", "--words 977"},
    {"scatter/rotated-sbt-rbf", "hypercube:10", "--words 977"},
    {"scatter/sbnt", "hypercube:10", "--words 977"},
    {"scatter/sbt", "hypercube:10", "--words 977"},
    {"scatter/sbt-all-port", "hypercube:10", "--words 977"},
    {"scatter/sbt-reflected", "hypercube:10", "--words 977"},
    {"scatter/shift", "switch:256", "--words 4883"},
    {"scatter/two-phase", "torus:16x16", "--words 2441"},
    {"scatter/two-way", "ring:256", "--words 305"},
    {"send/direct", "bus:256", "--words 5000000"},
    {"send/direct", "shared:256,kstar=16", "--words 2500000"},
    {"send/disjoint-paths", "hypercube:10", "--words 500000"},
    {"send/disjoint-paths-balanced", "hypercube:10", "--words 500000"},
    {"send/pipelined", "hypercube:10", "--words 500000"},
    {"send/store-and-forward", "hypercube:10", "--words 500000"},
    {"some-to-all/exchange", "hypercube:10", "--words 1048576"},
    {"some-to-all/rotated-sbt", "hypercube:10", "--words 819200"},
    {"sort/bitonic", "hypercube:10", "--words 64"},
    {"sort/classic", "rh:4,2", "--words 512"},
    {"sort/merge", "rh:4,2", "--words 256"},
    {"sort/resort", "rh:4,2", "--words 128"},
    {"transpose/1d-buffered", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/1d-exchange", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/1d-sbnt", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/1d-unbuffered", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/1d-virtual", "hypercube:10", "--matrix 1024x1024", "--matrix 1024x16"},
    {"transpose/2d-dpt", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/2d-mpt", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/2d-pivot", "hypercube:10", "--matrix 1024x512"},
    {"transpose/2d-spt", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/2d-spt-pipelined", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/2d-virtual", "hypercube:10", "--matrix 4096x16", "--matrix 4096x4"},
    {"transpose/binary-to-gray", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/diagonal", "torus:16x16", "--words 2441"},
    {"transpose/gray-mixed", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/gray-mixed-naive", "hypercube:10", "--matrix 1024x512"},
    {"transpose/gray-mixed-pipelined", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/gray-to-binary", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/reassign-1", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/reassign-2", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/reassign-3", "hypercube:10", "--matrix 1024x1024"},
    {"transpose/shuffles", "shuffle-exchange:12", "--matrix 64x64"},
};

/// A machine and a smaller one of its family on which all methods run that are measured on the first.
constexpr std::array<std::array<std::string_view, 2>, 16> smaller{{{"bus:256", "bus:8"},
                                                                   {"hypercube:10", "hypercube:4"},
                                                                   {"hypercube:7", "hypercube:4"},
                                                                   {"hypercube:8", "hypercube:4"},
                                                                   {"hypercube:9", "hypercube:4"},
                                                                   {"hypercube:9+7", "hypercube:3+1"},
                                                                   {"mesh:16x16", "mesh:4x4"},
                                                                   {"omega:256", "omega:8"},
                                                                   {"path:256", "path:8"},
                                                                   {"rh:4,2", "rh:1,1"},
                                                                   {"ring:256", "ring:8"},
                                                                   {"ring:9", "ring:5"},
                                                                   {"shared:256,kstar=16", "shared:8,kstar=2"},
                                                                   {"switch:256", "switch:8"},
                                                                   {"torus:16x16", "torus:4x4"},
                                                                   {"complete:256", "complete:8"}}};

bool is_of(const MethodSize& size, const Method& method) {
  return &find_method(size.method, parse_machine(std::string(size.machine)).family) == &method;
}

/// The first machine above on which the method runs, the default for measuring it.
std::string_view usual_machine(const Method& method) {
  for (const auto& [large, small] : smaller) {
    const std::string family = parse_machine(std::string(large)).family;
    if (std::find(method.families.begin(), method.families.end(), family) != method.families.end()) return large;
  }
  throw std::logic_error(std::string(method.name) + " has no machine to be measured on");
}

}  // namespace

std::span<const MethodSize> method_sizes() {
  static const std::vector<MethodSize> all = [] {
    std::vector<MethodSize> rows(std::begin(sizes), std::end(sizes));
    for (const Method* method : catalogue()) {
      if (std::none_of(std::begin(sizes), std::end(sizes),
                       [&](const MethodSize& size) { return is_of(size, *method); })) {
        rows.push_back({method->name, usual_machine(*method), ""});
      }
    }
    return rows;
  }();
  return all;
}

MethodSize on_a_small_machine(const MethodSize& size) {
  for (const auto& [large, small] : smaller) {
    if (size.machine == large) return {size.method, small, size.small_flags};
  }
  return size;
}

std::string benchmark_name(const MethodSize& size) {
  return std::string(size.method) + "/" + std::to_string(method_threads) + "/" + std::string(size.machine);
}

}  // namespace lockstep::bench
