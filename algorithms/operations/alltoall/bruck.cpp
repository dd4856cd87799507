#include <algorithm>
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/core/processor.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "method/k_ports.hpp"
#include "method/step_lengths.hpp"
#include "method/switches.hpp"
#include "plans/turns/port_to.hpp"

namespace lockstep {
namespace alltoall {
namespace {

constexpr NumberParameter radix_parameter{
    {"radix", "r, the base of the digits: 2 takes the fewest steps, a larger one fewer words, up to p",
     "K + 1 under --ports K, else 2"},
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

/// The steps: of one digit, `ports` hops at once.
std::vector<std::vector<BruckHop>> steps(std::uint64_t p, std::uint64_t radix, std::uint64_t ports) {
  std::vector<std::vector<BruckHop>> all;
  for (const BruckHop& hop : hops(p, radix)) {
    if (all.empty() || all.back().size() == ports || all.back().front().weight != hop.weight) all.emplace_back();
    all.back().push_back(hop);
  }
  return all;
}

// Digit after digit, a block is forwarded by the digit's share of its offset; all with the same digit go together, and
// with k ports those with k values of the digit in one step.
// Bruck, Ho, Kipnis, Upfal, Weathersby 1997 (collectives.md, Alltoall).
Process alltoall_bruck(Processor<Bundle>& self, Bundle& held, std::uint64_t radix) {
  const Rank p = self.processors();
  const Rank rank = self.rank();
  const auto offset = [p](Rank from, Rank to) { return std::uint64_t{offset_from(from, to, p)}; };
  self.hold(words(held));
  const auto has_digit = [&](const Piece& piece, const BruckHop& hop) {
    return offset(piece.origin, piece.destination) / hop.weight % radix == hop.digit;
  };
  for (const std::vector<BruckHop>& step : steps(p, radix, method::ports_at_once(self.model()))) {
    for (const BruckHop& hop : step) {
      Bundle sent = held.take([&](const Piece& piece) { return has_digit(piece, hop); });
      self.send(turns::port_to(self, shifted(rank, static_cast<Rank>(hop.distance()), p)), std::move(sent));
    }
    for (const BruckHop& hop : step) {
      const Rank from = shifted(rank, p - static_cast<Rank>(hop.distance()), p);
      Bundle received = co_await self.message(turns::port_to(self, from));
      check(received, [&](const Piece& piece) {
        const std::uint64_t walked = offset(piece.origin, piece.destination) % (hop.weight * radix);
        return has_digit(piece, hop) && offset(piece.origin, rank) == walked;
      });
      held.add(std::move(received));
    }
  }
}

void resolve_radix(const MachineSpec& machine, const Model& model, Settings& settings) {
  resolve(machine, model, settings);
  const std::uint64_t most = std::max<std::uint64_t>(machine.processors, 2);
  radix_parameter.resolve(settings,
                          {.least = 2, .most = most, .otherwise = std::min(method::ports_at_once(model) + 1, most)});
}

Prediction predict_bruck(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const std::uint64_t p = machine.processors;
  const Wide b = *settings.words;
  const std::uint64_t radix = *settings.radix;
  const bool at_once = is_k_ports(model.ports);
  method::StepLengths lengths(model.cost);
  Wide digits = 0;
  Wide messages = 0;
  for (const std::vector<BruckHop>& step : steps(p, radix, method::ports_at_once(model))) {
    std::uint64_t longest = 0;
    for (const BruckHop& hop : step) {
      longest = std::max(longest, hop.offsets(p, radix));
      digits += hop.offsets(p, radix);
      ++messages;
    }
    lengths.add(1, b * longest);
  }
  return {.steps = exact_count(lengths.steps(), at_once      ? "for every x ceil(values of z / k)"
                                                : radix == 2 ? "ceil(log2 p)"
                                                             : "pairs (x, z), 0 < z < r, z r^x < p"),
          .messages = exact_count(p * messages, at_once ? "p pairs (x, z), 0 < z < r, z r^x < p" : "p steps"),
          .words = exact_count(p * b * digits, "p b Z, Z = non-zero base-r digits of all i < p"),
          .longest_sum = exact_count(lengths.sum(), at_once ? "b times the most offsets of k values of z, summed"
                                                            : "b Z, Z = non-zero base-r digits of all i < p"),
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
    .families = method::switches_and_complete(),
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
