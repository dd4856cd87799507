#include "part_exchange.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "lockstep/algorithms/per_rank.hpp"
#include "parts/carry_out.hpp"

namespace lockstep::parts {

Block gathered(const Block& own, const Parts& parts, const std::vector<Rank>& wanted) {
  std::uint64_t size = 0;
  for (const Rank part : wanted) size += parts.size(part);
  Block message(size);
  Word* to = message.data();
  for (const Rank part : wanted) to = std::copy_n(own.data() + parts.first(part), parts.size(part), to);
  return message;
}

void scatter(const Block& message, const Parts& parts, const std::vector<Rank>& places, Block& own) {
  const Word* from = message.data();
  for (const Rank part : places) {
    std::copy_n(from, parts.size(part), own.data() + parts.first(part));
    from += parts.size(part);
  }
}

namespace {

void take(const operands::NumberValues& values, const PartStep& step, const Parts& parts, const Block& message,
          Block& own) {
  if (!step.combines) return scatter(message, parts, step.received, own);
  Block combined = gathered(own, parts, step.received);
  values.combine(combined, message);
  scatter(combined, parts, step.received, own);
}

void check(const LabelledBlock& message, const PartStep& step, Cycle number, const Parts& parts) {
  std::uint64_t due = 0;
  for (const Rank part : step.received) due += parts.size(part);
  if (message.origin == step.from && message.number == number && message.block.size() == due) return;
  throw std::logic_error("the parts that rank " + std::to_string(message.origin) + " sent in step " +
                         std::to_string(message.number) + " came where those of rank " + std::to_string(step.from) +
                         " in step " + std::to_string(number) + " are expected");
}

}  // namespace

std::vector<Rank> run_of_parts(Rank first, Rank count, Rank all) {
  std::vector<Rank> run(count);
  for (Rank place = 0; place < count; ++place) {
    run[place] = static_cast<Rank>((std::uint64_t{first} + place) % all);
  }
  return run;
}

PartSchedule operator+(PartSchedule first, PartSchedule second) {
  const Cycle steps = first.steps + second.steps;
  const Cycle lanes = std::max(first.lanes, second.lanes);
  const auto at = [lanes, first = std::move(first), second = std::move(second)](Rank rank, Cycle number) -> PartStep {
    const Cycle step = number / lanes;
    const bool is_first = step < first.steps;
    const PartSchedule& one = is_first ? first : second;
    if (number % lanes >= one.lanes) return {};
    return one.at(rank, (is_first ? step : step - first.steps) * one.lanes + number % lanes);
  };
  return {steps, at, lanes};
}

PartSchedule reversed(PartSchedule schedule) {
  const Cycle steps = schedule.steps;
  const Cycle lanes = schedule.lanes;
  std::function<StepRange(Rank)> active;
  if (schedule.active) {
    active = [steps, forth = schedule.active](Rank rank) {
      const auto [first, end] = forth(rank);
      return StepRange{steps - end, steps - first};
    };
  }
  const auto at = [steps, lanes, schedule = std::move(schedule)](Rank rank, Cycle number) {
    PartStep one = schedule.at(rank, (steps - 1 - number / lanes) * lanes + number % lanes);
    std::swap(one.to, one.from);
    std::swap(one.sent, one.received);
    one.combines = true;
    return one;
  };
  return {steps, at, lanes, active};
}

PartSchedule moved(PartSchedule schedule, std::function<Rank(Rank)> place, std::function<Rank(Rank)> rank) {
  const Cycle steps = schedule.steps;
  const Cycle lanes = schedule.lanes;
  std::function<StepRange(Rank)> active;
  if (schedule.active)
    active = [place, of_places = schedule.active](Rank own_rank) { return of_places(place(own_rank)); };
  const auto at = [schedule = std::move(schedule), place = std::move(place), rank = std::move(rank)](Rank own_rank,
                                                                                                     Cycle number) {
    PartStep one = schedule.at(place(own_rank), number);
    if (one.to != no_rank) one.to = rank(one.to);
    if (one.from != no_rank) one.from = rank(one.from);
    return one;
  };
  return {steps, at, lanes, active};
}

Process exchange_parts(Processor<LabelledBlock>& self, const operands::NumberValues& values,
                       const PartSchedule& schedule, const Parts& parts, Block& own, std::vector<Block>& received) {
  const auto message = [&own, &parts, origin = self.rank()](const PartStep& step, Cycle number) {
    LabelledBlock labelled{.origin = origin, .block = gathered(own, parts, step.sent)};
    labelled.number = static_cast<std::uint32_t>(number);
    return labelled;
  };
  const auto take_message = [&](const PartStep& step, Cycle number, LabelledBlock labelled) {
    check(labelled, step, number, parts);
    take(values, step, parts, labelled.block, own);
    if (step.combines) self.compute(values.operations(labelled.block));
    if (values.may_absorb()) received.push_back(std::move(labelled.block));
  };
  return carry_out(self, schedule, own.size(), message, take_message);
}

void judge_on_the_way(const RunRequest& request, const operands::NumberValues& values, const PartSchedule& schedule,
                      const Parts& parts, const PerRank<std::vector<Block>>& received, Outcome& outcome) {
  if (!outcome.wrong.empty() || !values.may_absorb()) return;
  std::vector<Block> held(values.ranks());
  for (Rank rank = 0; rank < values.ranks(); ++rank) held[rank] = values.value(rank);
  struct Due {
    Rank to;
    PartStep step;
    Block message;
  };
  PerRank<std::size_t> judged(request);
  std::uint64_t place = 0;
  for (Cycle step = 0; step < schedule.steps; ++step) {
    std::vector<Due> all;
    for (Rank rank = 0; rank < values.ranks(); ++rank) {
      for (Cycle lane = 0; lane < schedule.lanes; ++lane) {
        PartStep one = schedule.at(rank, step * schedule.lanes + lane);
        if (one.from == no_rank) continue;
        Block message = gathered(held[one.from], parts, one.received);
        all.push_back({rank, std::move(one), std::move(message)});
      }
    }
    for (const Due& due : all) {
      ++place;
      if (is_judged(request, outcome, due.to) && received[due.to][judged[due.to]++] != due.message) {
        blame(outcome, place,
              "rank " + std::to_string(due.to) + " received something else in step " + std::to_string(step) +
                  " than rank " + std::to_string(due.step.from) + " should have");
      }
      take(values, due.step, parts, due.message, held[due.to]);
    }
  }
  agree(request, outcome);
}

}  // namespace lockstep::parts
