#include "summation.hpp"

#include <stdexcept>

#include "operations/broadcast/sbt.hpp"
#include "operations/reduce/cube.hpp"
#include "operations/scan/scan.hpp"

namespace lockstep::application {
namespace {

/// The sum of doubles, as an operation on partial results.
struct DoubleSums {
  using Value = Block;

  /// Every partial result shows in the sum.
  bool may_absorb() const { return false; }
  /// Applications charge only what they compute themselves.
  std::uint64_t operations(const Block& /*number*/) const { return 0; }
  void combine(Block& lower, const Block& higher) const {
    if (lower.size() != 1 || higher.size() != 1) throw std::logic_error("a sum takes two single numbers");
    lower[0] = as_word(as_number(lower[0]) + as_number(higher[0]));
  }
};

Partial partial_of(Rank rank, double number) {
  const Word word = as_word(number);
  return {rank, 1, Block(std::span(&word, 1))};
}

/// The number that covers all ranks.
double number_of(const Partial& partial, Rank processors) {
  if (partial.first != 0 || partial.count != processors || partial.value.size() != 1) {
    throw std::logic_error("received something else than the sum of all");
  }
  return as_number(partial.value[0]);
}

Process reduce_and_broadcast(Processor<Partial>& self, const DoubleSums& sums, double& number, Notes& notes) {
  reduce::HeldPartials<Block> held{partial_of(self.rank(), number), {}};
  co_await reduce::reduce_cube(self, sums, self.rank(), self.ports(), held);
  co_await broadcast::broadcast_sbt(self, self.rank(), self.ports(), held.own);
  number = number_of(held.own, self.processors());
  notes.heard.add(as_word(number));
}

Process scan(Processor<Partial>& self, const DoubleSums& sums, double& number, Notes& notes) {
  scan::HeldPrefixes<Block> held{partial_of(self.rank(), number), partial_of(self.rank(), number)};
  co_await scan::scan_cube(self, sums, self.rank(), self.ports(), held);
  number = number_of(held.total, self.processors());
  notes.heard.add(as_word(number));
}

template <Payload T>
Process gather_and_add(Processor<T>& self, Gathering<T>& gathering, double& number, Cycle start, Notes& notes) {
  gathering.own(self.rank())[0] = as_word(number);
  co_await gathering.gather(self, start);
  hear(gathering, self, notes.heard);
  const Arithmetic arithmetic(self, self.processors() - 1, notes.seconds);
  number = as_number(gathering.block(self.rank(), 0)[0]);
  for (Rank source = 1; source < self.processors(); ++source) {
    number += as_number(gathering.block(self.rank(), source)[0]);
  }
}

class TreeSummation : public Summation<Partial> {
 public:
  Process sum(Processor<Partial>& self, double& number, Cycle, Notes& notes) override {
    return reduce_and_broadcast(self, sums_, number, notes);
  }

 private:
  DoubleSums sums_;
};

class ScanSummation : public Summation<Partial> {
 public:
  Process sum(Processor<Partial>& self, double& number, Cycle, Notes& notes) override {
    return scan(self, sums_, number, notes);
  }

 private:
  DoubleSums sums_;
};

template <Payload T>
class GatheringSummation : public Summation<T> {
 public:
  explicit GatheringSummation(std::unique_ptr<Gathering<T>> gathering) : gathering_(std::move(gathering)) {}

  Process sum(Processor<T>& self, double& number, Cycle start, Notes& notes) override {
    return gather_and_add(self, *gathering_, number, start, notes);
  }

 private:
  std::unique_ptr<Gathering<T>> gathering_;
};

bool gathers(const Method& method) { return method.operation == "allgather"; }
bool reduces(const Method& method) { return method.operation == "reduce"; }

}  // namespace

Cycle add_summation(PredictedParts& parts, const MachineSpec& machine, const Settings& settings, std::uint64_t times) {
  const Method& method = chosen_method(machine, settings);
  Cycle cycles = parts.add(method, 1, times);
  if (reduces(method)) cycles += parts.add(find_method("broadcast/sbt", machine.family), 1, times);
  if (gathers(method)) {
    const Wide each = machine.processors - 1;
    parts.compute(times * each, times * each * machine.processors);
  }
  return cycles;
}

AnySummation make_summation(const RunRequest& request) {
  const Method& method = chosen_method(request.machine, request.settings);
  if (reduces(method)) return std::make_unique<TreeSummation>();
  if (!gathers(method)) return std::make_unique<ScanSummation>();
  AnyGathering any = make_gathering(request, method, 1);
  return std::visit(
      []<Payload T>(std::unique_ptr<Gathering<T>>& gathering) -> AnySummation {
        return std::make_unique<GatheringSummation<T>>(std::move(gathering));
      },
      any);
}

std::uint64_t summation_bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Method& method = chosen_method(machine, settings);
  Settings one;
  one.words = 1;
  method.resolve(machine, model, one);
  return method.bytes(machine, model, one);
}

}  // namespace lockstep::application
