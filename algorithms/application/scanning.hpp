#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "application.hpp"
#include "operations/scan/hub.hpp"

// Prefixes as parts of programs: the combined values of all lower ranks.
namespace lockstep::application {

/// The methods of this kind.
inline constexpr std::string_view scan_methods[] = {"scan/cube", "scan/hub"};
inline constexpr MethodParameter scan_method_parameter{
    {"method", "scan/cube; on reduced hypercubes scan/hub", "the one that the machine has"}, scan_methods};

/// Defaults and ranges of an application over scans; --size counts what `size` describes.
template <const NumberParameter& size>
void resolve_scan(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve_size(size, machine, settings);
  scan_method_parameter.resolve(machine, model, settings);
}

/// How the values of ranks are combined, for the programs of scans: an associative operation, and its unit.
struct Combination {
  using Value = Block;

  Block unit;
  /// lower := lower (+) higher. Throws std::logic_error if one of them is no value of the kind.
  void (*apply)(Block& lower, const Block& higher);

  /// A wrong operand shows in a total or in what is computed from it.
  bool may_absorb() const { return false; }
  /// Applications charge only what they compute themselves.
  std::uint64_t operations(const Block& /*value*/) const { return 0; }
  void combine(Block& lower, const Block& higher) const { apply(lower, higher); }
};

using Partial = operands::Partial<Block>;

/// One scan on a machine, of values of --words words each.
class Scanning {
 public:
  Scanning(const RunRequest& request, Combination combination);

  /// The results of one processor.
  struct Result {
    Block before;   ///< the combined values of all lower ranks
    Partial total;  ///< of its building block; at the hub, of all ranks up to the block's last
  };

  /// The combined values of `count` ranks from `first` on.
  using Expected = std::function<Block(Rank first, Rank count)>;
  /// The expected results: before every rank, and the totals by building blocks.
  struct Totals {
    std::vector<Block> before;
    std::vector<Block> of_block;
    std::vector<Block> up_to_block;  ///< this block included: the total at its hub
  };
  Totals totals(Rank processors, const Expected& expected) const;
  /// "rank 3 has another total than the ranks 0 to 7 come to"; empty if that and the prefix are right.
  std::string what_is_wrong(Rank rank, const Result& result, const Totals& totals) const;

 private:
  friend Process scan_lower_ranks(Processor<Partial>&, const Scanning&, const Block&, Result&);

  Combination combination_;
  Port dimensions_ = 0;  // of a cube, or of a building block
  Cycle steps_ = 0;
  std::optional<scan::HubPlan> hubs_;  // of a reduced hypercube
};

/// Sub-program that all processors start in cycle 0 with a value each, and end in the same cycle.
Process scan_lower_ranks(Processor<Partial>& self, const Scanning& scanning, const Block& own,
                         Scanning::Result& result);

/// Adds the scan of values of `words` words.
void add_scan(PredictedParts& parts, const MachineSpec& machine, const Settings& settings, std::uint64_t words);

/// Bytes of a run with such a scan: the machine and the scan's data.
std::uint64_t scan_bytes(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t words);

/// The entry of an application over scans; --size counts what `size` describes.
template <const NumberParameter& size>
Method on_scans(Method entry) {
  entry.families = {"hypercube", "rh"};
  entry.parameters = {size, scan_method_parameter};
  entry.port_models = {PortModel::one, PortModel::one_strict, PortModel::all};
  entry.resolve = resolve_scan<size>;
  return with_defaults(std::move(entry));
}

}  // namespace lockstep::application
