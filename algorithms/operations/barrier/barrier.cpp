#include "lockstep/algorithms/operation/barrier.hpp"

#include <algorithm>
#include <chrono>

#include "lockstep/algorithms/data.hpp"
#include "lockstep/algorithms/per_rank.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep::barrier {
namespace {

std::uint64_t bytes_of_own(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const Wide token = sizeof(Attendance) + sizeof(Cycle) + 2 * allocated_bytes(*settings.words);
  return saturated(machine_bytes<LabelledBlock>(machine, model) + machine.processors * token);
}

Block evidence(const RunRequest& request, Rank rank) {
  return generated_block(request.settings.seed, rank, rank, *request.settings.words);
}

void add(Block& sum, const Block& value) {
  Word* const to = sum.data();
  for (std::uint64_t index = 0; index < std::min(sum.size(), value.size()); ++index) to[index] += value[index];
}

/// What is wrong with the way a processor left; empty if nothing is.
std::string what_is_wrong(Rank rank, const Attendance& attendance, const Block& all, Cycle last_arrival) {
  const std::string text = "rank " + std::to_string(rank) + " left ";
  if (attendance.token.block != all) return text + "with a token that does not stand for every processor once";
  if (attendance.token.number != last_arrival) {
    return text + "with a token of arrivals up to cycle " + std::to_string(attendance.token.number) +
           ", where the last was in cycle " + std::to_string(last_arrival);
  }
  if (attendance.left >= last_arrival) return {};
  return text + "in cycle " + std::to_string(attendance.left) + ", before the last arrival in cycle " +
         std::to_string(last_arrival);
}

Process arrive(Processor<LabelledBlock>& self, Cycle arrival,
               Process (*program)(Processor<LabelledBlock>&, LabelledBlock&), Attendance& attendance) {
  co_await self.until(arrival);
  co_await program(self, attendance.token);
  attendance.left = self.now();
}

}  // namespace

void resolve(const MachineSpec&, const Model&, Settings& settings) {
  words_parameter.resolve(settings);
  arrivals_parameter.resolve(settings);
}

Method with_defaults(Method own) {
  return filled_in(std::move(own), {.operation = "barrier",
                                    .known_as = "barrier synchronisation",
                                    .parameters = {words_parameter, arrivals_parameter},
                                    .resolve = resolve,
                                    .bytes = bytes_of_own});
}

void take_in(LabelledBlock& token, const LabelledBlock& other) {
  add(token.block, other.block);
  token.number = std::max(token.number, other.number);
}

std::vector<Cycle> arrivals(const MachineSpec& machine, const Settings& settings) {
  std::vector<Cycle> cycles(machine.processors);
  for (Rank rank = 0; rank < cycles.size(); ++rank) {
    // A word that no generated value has.
    cycles[rank] = generated_word(settings.seed, rank, no_rank, 0) % (*settings.arrivals + 1);
  }
  return cycles;
}

std::vector<Cycle> arrivals(const RunRequest& request) { return arrivals(request.machine, request.settings); }

PerRank<Attendance> initial_attendances(const RunRequest& request, const std::vector<Cycle>& arrived) {
  PerRank<Attendance> attendances(request);
  for_all_ranks(request, [&](Rank rank) {
    attendances[rank].token = {
        .origin = rank, .block = evidence(request, rank), .number = static_cast<std::uint32_t>(arrived[rank])};
  });
  return attendances;
}

std::vector<Measure> measures(const RunRequest& request, Cycle last_arrival, Cycle first_left, Cycle last_left) {
  std::array<std::uint64_t, 2> extremes{~first_left, last_left};  // the minimum is the complement of a maximum
  if (request.division != nullptr) request.division->processes.reduce({}, extremes);
  return {{"last_arrival", last_arrival}, {"first_release", ~extremes[0]}, {"last_release", extremes[1]}};
}

void finish(const RunRequest& request, const PerRank<Attendance>& attendances, const std::vector<Cycle>& arrived,
            Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const Cycle last_arrival = *std::ranges::max_element(arrived);
  Block all = evidence(request, 0);
  for (Rank rank = 1; rank < arrived.size(); ++rank) add(all, evidence(request, rank));
  outcome.measures = measures(request, last_arrival, attendances);
  const auto judge = [&](Rank rank) -> Verdict {
    const Attendance& one = attendances[rank];
    WordDigest digest;
    digest.add(one.token.block.words());
    digest.add(one.left);
    return {digest.value(), what_is_wrong(rank, one, all, last_arrival)};
  };
  verify_ranks(request, start, judge, outcome);
}

Outcome run(const RunRequest& request, Process (*program)(Processor<LabelledBlock>&, LabelledBlock&)) {
  const std::vector<Cycle> arrived = arrivals(request);
  PerRank<Attendance> attendances = initial_attendances(request, arrived);
  Outcome outcome;
  outcome.report = run_program<LabelledBlock>(request, [&](Processor<LabelledBlock>& self) {
    return arrive(self, arrived[self.rank()], program, attendances[self.rank()]);
  });
  finish(request, attendances, arrived, outcome);
  return outcome;
}

}  // namespace lockstep::barrier
