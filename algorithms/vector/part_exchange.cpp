#include "part_exchange.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "named_port.hpp"

namespace lockstep::vector {
namespace {

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

void take(const operands::NumberValues& values, const PartStep& step, const Parts& parts, const Block& message,
          Block& own) {
  if (!step.combines) return scatter(message, parts, step.received, own);
  Block combined = gathered(own, parts, step.received);
  values.combine(combined, message);
  scatter(combined, parts, step.received, own);
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
  return {steps, [first = std::move(first), second = std::move(second)](Rank rank, Cycle step) {
            return step < first.steps ? first.at(rank, step) : second.at(rank, step - first.steps);
          }};
}

Process exchange_parts(Processor<LabelledBlock>& self, const operands::NumberValues& values,
                       const PartSchedule& schedule, const Parts& parts, Block& own) {
  const Rank rank = self.rank();
  self.hold(own.size());
  for (Cycle number = 0; number < schedule.steps; ++number) {
    const PartStep step = schedule.at(rank, number);
    if (step.to != no_rank) {
      LabelledBlock message{.origin = rank, .block = gathered(own, parts, step.sent)};
      message.number = static_cast<std::uint32_t>(number);
      co_await self.until(number);
      self.send(port_to(self, step.to), std::move(message));
    }
    if (step.from == no_rank) continue;
    const LabelledBlock message = co_await self.message(port_to(self, step.from));
    std::uint64_t due = 0;
    for (const Rank part : step.received) due += parts.size(part);
    if (message.origin != step.from || message.number != number || message.block.size() != due) {
      throw std::logic_error("what rank " + std::to_string(message.origin) + " sent in step " +
                             std::to_string(message.number) + " came where that of rank " + std::to_string(step.from) +
                             " in step " + std::to_string(number) + " is due");
    }
    take(values, step, parts, message.block, own);
  }
}

}  // namespace lockstep::vector
