#include <algorithm>
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/step_lengths.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace alltoall {
namespace {

constexpr NumberParameter radix_parameter{
    {"radix", "r, the base of the digits: 2 takes the fewest steps, a larger one fewer words, up to p", "2"},
    &Settings::radix};

/// A step: blocks whose offset, destination - origin modulo p, has the digit z at the place of that weight.
struct BruckHop {
  std::uint64_t weight;  ///< r^x
  std::uint64_t digit;   ///< z

  std::uint64_t distance() const { return weight * digit; }
  /// The number of offsets below p with that digit.
  std::uint64_t offsets(std::uint64_t p, std::uint64_t radix) const {
    const std::uint64_t above = weight * radix;
    const std::uint64_t rest = p % above;
    return p / above * weight + (rest <= distance() ? 0 : std::min(rest - distance(), weight));
  }
};

/// The pairs (x, z) with z r^x < p, digit after digit from the lowest.
std::vector<BruckHop> hops(std::uint64_t p, std::uint64_t radix) {
  std::vector<BruckHop> all;
  for (std::uint64_t weight = 1; weight < p; weight *= radix) {
    for (std::uint64_t digit = 1; digit < radix && weight * digit < p; ++digit) all.push_back({weight, digit});
  }
  return all;
}

// Digit after digit, a block is forwarded by the digit's share of its offset; all with the same digit go together.
// Bruck, Ho, Kipnis, Upfal, Weathersby 1997 (collectives.md, Alltoall).
Process alltoall_bruck(Processor<Bundle>& self, Bundle& held, std::uint64_t radix) {
  const Rank p = self.processors();
  const Rank rank = self.rank();
  const auto offset = [p](Rank from, Rank to) { return std::uint64_t{offset_from(from, to, p)}; };
  self.hold(words(held));
  for (const BruckHop& hop : hops(p, radix)) {
    const auto is_due = [&](const Piece& piece) {
      return offset(piece.origin, piece.destination) / hop.weight % radix == hop.digit;
    };
    Bundle sent = held.take(is_due);
    const auto distance = static_cast<Rank>(hop.distance());
    self.send(turns::port_to(self, shifted(rank, distance, p)), std::move(sent));
    Bundle received = co_await self.message(turns::port_to(self, shifted(rank, p - distance, p)));
    check(received, [&](const Piece& piece) {
      const std::uint64_t walked = offset(piece.origin, piece.destination) % (hop.weight * radix);
      return is_due(piece) && offset(piece.origin, rank) == walked;
    });
    held.add(std::move(received));
  }
}

void resolve_radix(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  radix_parameter.resolve(settings,
                          {.least = 2, .most = std::max<std::uint64_t>(machine.processors, 2), .otherwise = 2});
}

Prediction predict_bruck(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const Wide b = *settings.words;
  method::StepLengths lengths(model.cost);
  for (const BruckHop& hop : hops(p, *settings.radix)) lengths.add(1, b * hop.offsets(p, *settings.radix));
  return {.steps = exact_count(lengths.steps(),
                               *settings.radix == 2 ? "ceil(log2 p)" : "pairs (x, z), 0 < z < r, z r^x < p"),
          .messages = exact_count(p * lengths.steps(), "p steps"),
          .words = exact_count(p * lengths.sum(), "p b Z, Z = non-zero base-r digits of all i < p"),
          .longest_sum = exact_count(lengths.sum(), "b Z, Z = non-zero base-r digits of all i < p"),
          .longest_startups = lengths.startups()};
}

Outcome run_bruck(const RunRequest& request) {
  const std::uint64_t radix = *request.settings.radix;
  return run(request, [radix](Processor<Bundle>& self, Bundle& held) { return alltoall_bruck(self, held, radix); });
}

}  // namespace
}  // namespace alltoall

extern const Method alltoall_bruck_method = alltoall::with_defaults({
    .name = "alltoall/bruck",
    .families = {"switch", "complete"},
    .source = "Bruck, Ho, Kipnis, Upfal, Weathersby 1997 (collectives.md, Alltoall)",
    .summary = "digit by digit of how far they have to go, blocks go on together: few steps for any number of ranks",
    .parameters = {alltoall::words_parameter, alltoall::radix_parameter},
    .port_models = {PortModel::one},
    .resolve = alltoall::resolve_radix,
    .predict = alltoall::predict_bruck,
    .bytes = alltoall::bytes_of_own,
    .run = alltoall::run_bruck,
});

}  // namespace lockstep
