#include "vectors.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/verification.hpp"
#include "lockstep/machines/rank_arithmetic.hpp"
#include "operands/predicted_operations.hpp"

namespace lockstep::parts {
namespace {

/// The values of all ranks, combined one after the other.
operands::NumberValues::Oracle oracle_of(const operands::NumberValues& values) {
  operands::NumberValues::Oracle oracle(values, values.value(0));
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend(values.value(rank));
  return oracle;
}

/// The most operations of a rank in every step, summed; empty if there are too many steps to count.
std::optional<Wide> most_operations(const PartSchedule& schedule, const Parts& parts, Rank ranks) {
  constexpr Wide most_asked = Wide{1} << 20;
  if (Wide{ranks} * schedule.steps * schedule.lanes > most_asked) return {};
  operands::MostOperations most;
  for (Rank rank = 0; rank < ranks; ++rank) {
    for (Cycle number = 0; number < schedule.steps * schedule.lanes; ++number) {
      const PartStep step = schedule.at(rank, number);
      if (step.from == no_rank || !step.combines) continue;
      for (const Rank part : step.received) most.charge(number / schedule.lanes, parts.size(part));
    }
    most.next_processor();
  }
  return most.sum();
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(std::move(own),
                   {.parameters = {words_parameter, operands::operator_parameter, operands::type_parameter,
                                   operands::input_parameter, output_parameter},
                    .bytes = bytes});
}

void resolve_words(Wide parts, Settings& settings) {
  const Operator& chosen = operands::operator_parameter.resolve(settings);
  if (!settings.words && !settings.input) settings.words = saturated(parts * chosen.element_words);
}

void resolve_in_any_order(const MachineSpec& machine, const Model& model, Settings& settings) {
  operands::require_commutative(settings);
  resolve_in_order(machine, model, settings);
}

void resolve_in_order(const MachineSpec& machine, const Model&, Settings& settings) {
  resolve_words(machine.processors, settings);
  operands::resolve(machine, settings);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  // Beside its vector a processor has a quarter more in messages; where received parts are judged they are kept, twice
  // the vector, and the vectors that they are made of.
  constexpr std::uint64_t frame = 700;  // of the program, beyond that of a small one
  const Wide vector = sizeof(Block) + allocated_bytes(*settings.words);
  const Wide of_each =
      operands::may_absorb(settings) ? 13 * vector / 4 + 2 * machine.processors * sizeof(Block) : vector / 4;
  return saturated(machine_bytes<LabelledBlock>(machine, model) + machine.processors * (frame + of_each) +
                   operands::value_bytes(machine, settings));
}

std::uint64_t bytes_of_halves(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide listed = 5 * sizeof(Rank) / 4;  // of each part, half of them as sent and half as received
  return saturated(Wide{bytes(machine, model, settings)} + Wide{machine.processors} * machine.processors * listed);
}

void predict_operations(const MachineSpec& machine, const Settings& settings, std::optional<Wide> longest_sum,
                        Prediction& prediction) {
  const Wide others = machine.processors - 1;
  operands::predict_operations(settings, others * *settings.words, "(p - 1) m", longest_sum, prediction);
}

void predict_operations(const MachineSpec& machine, const Model& model, const Settings& settings, const Parts& parts,
                        const std::function<PartSchedule()>& combining, Prediction& prediction) {
  const Wide p = machine.processors;
  std::optional<Wide> most;
  if (*settings.words % parts.count() == 0) {
    most = (p - 1) * *settings.words / p;  // as much for every rank
  } else if (model.cost.flop != 0) {
    most = most_operations(combining(), parts, static_cast<Rank>(p));
  }
  predict_operations(machine, settings, most, prediction);
}

Outcome run(const RunRequest& request, const PartSchedule& schedule, const Parts& parts, Share share) {
  const operands::NumberValues values(request);
  PerRank<Block> held = operands::initial_values(request, values);
  PerRank<std::vector<Block>> received(request);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return exchange_parts(self, values, schedule, parts, held[self.rank()], received[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  const operands::NumberValues::Oracle oracle = oracle_of(values);
  const auto judge = [&](Rank rank) -> Verdict {
    if (share == Share::all) {
      return {values.digest(held[rank]), operands::what_is_wrong_at(rank, oracle, held[rank])};
    }
    Block own = oracle.expected();  // except for the part that the rank has
    std::copy_n(held[rank].data() + parts.first(rank), parts.size(rank), own.data() + parts.first(rank));
    return {digest_of(std::span(own.words()).subspan(parts.first(rank), parts.size(rank))),
            operands::what_is_wrong_at(rank, oracle, own)};
  };
  verify_ranks(request, start, judge, outcome);
  judge_on_the_way(request, values, schedule, parts, received, outcome);
  if (request.settings.output && outcome.wrong.empty()) {
    Block result;
    if (share == Share::all) {
      result = of_rank(request, 0, [&] { return held[0]; });
    } else {
      const std::vector<Block> all = shared(request, [&](Rank rank) {
        return rank < parts.count() ? Block(held[rank].words().subspan(parts.first(rank), parts.size(rank))) : Block();
      });
      result = Block(*request.settings.words);
      for (Rank rank = 0; rank < parts.count(); ++rank) {
        std::ranges::copy(all[rank].words(), result.data() + parts.first(rank));
      }
    }
    values.write(*request.settings.output, {&result, 1});
  }
  return outcome;
}

Outcome run(const RunRequest& request, const PartSchedule& schedule, Rank parts, Share share) {
  return run(request, schedule, Parts(*request.settings.words, parts), share);
}

}  // namespace lockstep::parts
