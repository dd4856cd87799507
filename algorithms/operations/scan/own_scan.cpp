#include <chrono>

#include "lockstep/algorithms/operation/scan.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep::scan {

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "scan",
                                    .known_as = "prefix",
                                    .parameters = {operands::words_parameter, operands::operator_parameter,
                                                   operands::type_parameter, operands::input_parameter},
                                    .resolve = operands::resolve_own,
                                    .bytes = operands::bytes_of_own});
}

Outcome run(const RunRequest& request, Process (*program)(Processor<Block>&, const operands::NumberValues&, Block&)) {
  const operands::NumberValues values(request);
  PerRank<Block> held = operands::initial_values(request, values);
  Outcome outcome;
  outcome.report =
      run_program<Block>(request, [&](Processor<Block>& self) { return program(self, values, held[self.rank()]); });
  const auto start = std::chrono::steady_clock::now();
  PerRank<std::string> wrong(request);
  operands::NumberValues::Oracle oracle(values, values.value(0));
  for (Rank rank = 0; rank < values.ranks(); ++rank) {
    if (rank > 0) oracle.extend(values.value(rank));
    if (values.is_here(rank)) wrong[rank] = operands::what_is_wrong_at(rank, oracle, held[rank]);
  }
  const auto judge = [&](Rank rank) -> Verdict { return {values.digest(held[rank]), wrong[rank]}; };
  verify_ranks(request, start, judge, outcome);
  return outcome;
}

}  // namespace lockstep::scan
