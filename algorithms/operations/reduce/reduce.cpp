#include "lockstep/algorithms/operation/reduce.hpp"

#include <chrono>

#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep::reduce {
namespace {

void resolve_own(const MachineSpec& machine, const Model& model, Settings& settings) {
  operands::resolve_own(machine, model, settings);
  root_parameter.resolve(machine, settings);
}

}  // namespace

Method with_defaults(Method own) {
  return filled_in(std::move(own),
                   {.operation = "reduce",
                    .known_as = "reduction",
                    .parameters = {operands::words_parameter, root_parameter, operands::operator_parameter,
                                   operands::type_parameter, operands::input_parameter},
                    .resolve = resolve_own,
                    .bytes = operands::bytes_of_own});
}

Outcome run(const RunRequest& request,
            Process (*program)(Processor<Block>&, const operands::NumberValues&, Rank, Block&)) {
  const operands::NumberValues values(request);
  const Rank root = request.root();
  PerRank<Block> held = operands::initial_values(request, values);
  Outcome outcome;
  outcome.report = run_program<Block>(
      request, [&](Processor<Block>& self) { return program(self, values, root, held[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  operands::NumberValues::Oracle oracle(values, values.value(0));
  for (Rank rank = 1; rank < values.ranks(); ++rank) oracle.extend(values.value(rank));
  const auto judge = [&](Rank rank) -> Verdict {
    if (rank != root) return {};
    return {values.digest(held[rank]), operands::what_is_wrong_at(rank, oracle, held[rank])};
  };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace lockstep::reduce
