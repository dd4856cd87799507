#include "scanning.hpp"

#include "lockstep/machines/hypercube.hpp"

namespace lockstep::application {
namespace {

Settings scan_settings(const MachineSpec& machine, const Model& model, const Settings& settings, std::uint64_t words) {
  Settings scan;
  scan.words = words;
  chosen_method(machine, settings).resolve(machine, model, scan);
  return scan;
}

}  // namespace

Scanning::Scanning(const RunRequest& request, Combination combination)
    : combination_(std::move(combination)), dimensions_(request.topology.ports()) {
  const MachineSpec& machine = request.machine;
  const std::uint64_t words = combination_.unit.size();
  const Settings settings = scan_settings(machine, request.model, request.settings, words);
  steps_ = chosen_method(machine, request.settings).predict(machine, request.model, settings).steps.value().value;
  if (is_hypercube(machine)) return;
  hubs_.emplace(ReducedHypercube(machine), static_cast<Rank>(*settings.hub));
  dimensions_ = hubs_->rh().k();
}

Process scan_lower_ranks(Processor<Partial>& self, const Scanning& scanning, const Block& own,
                         Scanning::Result& result) {
  // A prefix that starts from the empty value covers the lower ranks only.
  scan::HeldPrefixes<Block> held{{self.rank(), 0, scanning.combination_.unit}, {self.rank(), 1, own}};
  if (scanning.hubs_) {
    co_await scan::scan_hub(self, scanning.combination_, *scanning.hubs_, held);
  } else {
    co_await scan::scan_cube(self, scanning.combination_, self.rank(), scanning.dimensions_, held);
  }
  co_await self.until(scanning.steps_);
  if (held.prefix.first != 0 || held.prefix.count != self.rank()) {
    throw std::logic_error("a prefix that does not cover all lower ranks");
  }
  result = {std::move(held.prefix.value), std::move(held.total)};
}

Scanning::Totals Scanning::totals(Rank processors, const Expected& expected) const {
  const Rank block = Rank{1} << dimensions_;
  Totals totals;
  Block before = combination_.unit;
  for (Rank rank = 0; rank < processors; ++rank) {
    totals.before.push_back(before);
    combination_.apply(before, expected(rank, 1));
  }
  for (Rank first = 0; first < processors; first += block) {
    totals.of_block.push_back(expected(first, block));
    if (hubs_) totals.up_to_block.push_back(expected(0, first + block));
  }
  return totals;
}

std::string Scanning::what_is_wrong(Rank rank, const Result& result, const Totals& totals) const {
  if (result.before != totals.before[rank]) {
    return "rank " + std::to_string(rank) + " has another prefix than the lower ranks come to";
  }
  const Rank block = rank >> dimensions_;
  const bool is_hub = hubs_ && hubs_->from_hub(rank) == 0;
  const Rank from = is_hub ? 0 : block << dimensions_;
  const Rank count = ((block + 1) << dimensions_) - from;
  const Block& right = (is_hub ? totals.up_to_block : totals.of_block)[block];
  if (result.total.first == from && result.total.count == count && result.total.value == right) return {};
  return "rank " + std::to_string(rank) + " has another total than the ranks " + std::to_string(from) + " to " +
         std::to_string(from + count - 1) + " come to";
}

void add_scan(PredictedParts& parts, const MachineSpec& machine, const Settings& settings, std::uint64_t words) {
  parts.add(chosen_method(machine, settings), words);
}

std::uint64_t scan_bytes(const MachineSpec& machine, const Model& model, const Settings& settings,
                         std::uint64_t words) {
  constexpr std::uint64_t frame = 400;  // of a processor's sub-program
  const Method& method = chosen_method(machine, settings);
  return saturated(Wide{method.bytes(machine, model, scan_settings(machine, model, settings, words))} +
                   machine.processors * Wide{sizeof(Scanning::Result) + frame});
}

}  // namespace lockstep::application
