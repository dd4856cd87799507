// Sending one payload on several ports in as few cycles as the model allows.
#include "lockstep/core/spread.hpp"

#include <algorithm>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::spread_test {
namespace {

using Self = Processor<Word>;

constexpr std::array<Port, 3> order{2, 0, 1};

Process tell_leaves(Self& self, std::size_t count, std::array<Cycle, 4>& cycles) {
  if (self.rank() == 0) {
    const Word item = 7;
    co_await spread(self, std::span(order).first(count), item);
    cycles[0] = self.now();
  } else if (std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), self.rank() - 1) !=
             order.begin() + static_cast<std::ptrdiff_t>(count)) {
    const Word item = co_await self.message(0);
    EXPECT_EQ(item, 7U);
    cycles[self.rank()] = self.now();
  }
}

void expect_cycles(const Model& model, std::size_t count, const std::array<Cycle, 4>& expected) {
  const Topology hub = wirings::star(3);
  runs::on_every_executor(2, [&](Executor& executor) {
    Machine<Word> machine(hub, model, executor);
    std::array<Cycle, 4> cycles{};
    const Report report = machine.run([&](Self& self) { return tell_leaves(self, count, cycles); }, runs::options());
    EXPECT_EQ(cycles, expected);
    EXPECT_EQ(report.messages, count);
  });
}

TEST(Spread, TakesOneCycleWhereTheModelAllowsIt) {
  for (const Model& model :
       {Model{.ports = PortModel::all}, Model{.ports = PortModel::all, .multicast = true}, Model{.multicast = true}}) {
    EXPECT_TRUE(spreads_at_once(model));
    expect_cycles(model, 3, {0, 1, 1, 1});
  }
}

Process tell_neighbours(Self& self, Cycle& end) {
  constexpr std::array<Port, 2> both{0, 1};
  const Word item = 7;
  if (self.rank() == 1) {
    co_await spread(self, std::span(both), item);
    end = self.now();
  } else {
    co_await self.message();
  }
}

TEST(Spread, TakesOneCycleOnARingWithItsRule) {
  const Topology three = wirings::path(3);
  for (const bool multicast : {false, true}) {
    const Model model{.ports = PortModel::ring, .multicast = multicast};
    EXPECT_TRUE(spreads_at_once(model));
    Machine<Word> machine(three, model);
    Cycle end = 9;
    EXPECT_EQ(machine.run([&](Self& self) { return tell_neighbours(self, end); }).steps, 1U);
    EXPECT_EQ(end, 0U);
  }
}

TEST(Spread, TakesACycleAPortElsewhereAndEndsInTheLast) {
  for (const Model& model :
       {Model{}, Model{.ports = PortModel::one_strict}, Model{.ports = PortModel::one_strict, .multicast = true}}) {
    EXPECT_FALSE(spreads_at_once(model));
    expect_cycles(model, 3, {2, 2, 3, 1});
    expect_cycles(model, 1, {0, 0, 0, 1});
    expect_cycles(model, 0, {0, 0, 0, 0});
  }
}

}  // namespace
}  // namespace lockstep::spread_test
