#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/medium.hpp"

namespace lockstep {

/// Ranks are 32-bit numbers and one of them means "none", so no machine has more processors than this.
inline constexpr std::uint64_t most_processors = 4294967294;

/// A machine specification that cannot be used. what() is one line: what is wrong, what is allowed, the nearest name.
class MachineSpecError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class Graph;

/// A machine specification, read but not built: its sizes are known, however large.
struct MachineSpec {
  std::string text;    ///< as written
  std::string family;  ///< the word before the colon, e.g. "torus"
  /// The numbers after it: N; K,N; M; M and the strides; the sides; K and kstar; none for a product.
  std::vector<std::uint64_t> parameters;
  std::vector<MachineSpec> factors;    ///< of a torus its rings, of a mesh its paths, of a product its factors
  std::shared_ptr<const Graph> graph;  ///< of a graph: the content of its file when the specification was read
  std::optional<Medium> medium;        ///< the medium that the processors share, if they have no links
  std::uint64_t processors = 0;        ///< number of processors
  std::uint64_t ports = 0;             ///< ports of every processor, those without a link included

  /// Whether it is the same machine, however it is written: same family, parameters, factors and, by their links,
  /// graphs. Machines of a family that fills in none of these are the same if their texts are equal.
  friend bool operator==(const MachineSpec& a, const MachineSpec& b);
};

/// Reads a machine specification such as "hypercube:4", "rh:2,1", "torus:4x5" or "product:ring:5*complete:4".
/// Numbers have no sign, no space and no leading zero; names are in small letters. A product's factors are separated by
/// "*" only, so that a factor may have commas and colons. Builds nothing; reads the file of a graph. Throws
/// MachineSpecError.
MachineSpec parse_machine(std::string_view text);

}  // namespace lockstep
