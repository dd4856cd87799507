// Tiny machines under every order in which their processors can be resumed, the whole product over the cycles: each
// rule and each verb, kept and broken, always gives the result of the reference model.
#include <set>

#include "explore.hpp"
#include "shapes.hpp"

namespace lockstep::reference::every_order_test {
namespace {

struct Case {
  std::string name;
  Wiring wiring;
  Rules rules;
  std::vector<Program> programs;
  std::vector<std::uint64_t> visited;  ///< processors visited, cycle by cycle
  std::optional<Kind> failure{};
  Cycle max_cycles = 1000;
  std::optional<Cycle> stop_after{};
};

const Rules one{.beta = 2, .tau = 3};
const Rules one_capacity_one{.capacity = 1};
const Rules one_capacity_three{.capacity = 3};
const Rules one_multicast{.multicast = true, .beta = 2, .tau = 3};
const Rules strict{.ports = Ports::one_strict};
const Rules all{.ports = Ports::all, .beta = 2, .tau = 3, .copy_cost = 0.5, .flop = 0.25, .max_packet = 2};
const Rules all_multicast{.ports = Ports::all, .multicast = true};
const Rules of_ring{.ports = Ports::ring, .beta = 2, .tau = 3};
const Rules two{.ports = Ports::limited, .beta = 2, .tau = 3};
const Rules two_multicast{.ports = Ports::limited, .multicast = true, .beta = 2, .tau = 3};
const Rules half_link{.duplex = Duplex::half_link};
const Rules half_node{.duplex = Duplex::half_node};
const Rules all_half_link{.ports = Ports::all, .duplex = Duplex::half_link};

// On a path, port 0 leads to the rank above and port 1 to the one below; on a ring, too, and from the last to the
// first. On a star the port p of the hub, rank 0, leads to the port 0 of leaf p + 1. On a cube port p flips bit p.

std::vector<Case> messages_and_verbs() {
  return {
      {"exchange", pair(), one, {{exchange(0, {2})}, {exchange(0, {1, 3})}}, {2, 2}},
      {"exchanges in a row",
       pair(),
       one,
       {{exchange(0), exchange(0), exchange(0)}, {exchange(0), exchange(0), exchange(0)}},
       {2, 2, 2, 2}},
      // Rank 1 sends a cycle later, so rank 0 is visited in vain in cycle 1.
      {"exchange with a late neighbour", pair(), one, {{exchange(0)}, {cycle(), exchange(0)}}, {2, 2, 2}},
      {"rotation", ring(3), one, {{send(0, {4}), message(1)}, {send(0), message(1)}, {send(0), message(1)}}, {3, 3}},
      {"rotation over two cycles",
       ring(4),
       one,
       {{send(0, {4}), message(1), forward(0), any_message()},
        {send(0), message(1), forward(0), any_message()},
        {send(0), message(1), forward(0), any_message()},
        {send(0), message(1), forward(0), any_message()}},
       {4, 4, 4}},
      {"pipeline",
       path(3),
       one,
       {{send(0, {1}), cycle(), send(0, {4}), cycle(), send(0, {1})},
        {message(1), forward(0), message(1), forward(0), message(1), forward(0)},
        {message(1), message(1), message(1)}},
       {3, 2, 3, 2, 1}},
      {"recursive doubling",
       cube(2),
       one,
       {{exchange(0), exchange(1)}, {exchange(0), exchange(1)}, {exchange(0), exchange(1)}, {exchange(0), exchange(1)}},
       {4, 4, 4}},
      {"gather under all",
       star(3),
       all,
       {{any_message(), any_message(), any_message()}, {send(0, {5})}, {send(0, {2})}, {send(0)}},
       {4, 1}},
      // The first arrives in cycle 1; of the two in cycle 2 the one on the lower port is taken first.
      {"whichever comes",
       star(3),
       all,
       {{any_message(), any_message(), any_message()}, {cycle(), send(0)}, {cycle(), send(0)}, {send(0)}},
       {4, 3, 1}},
      {"multicast",
       star(3),
       one_multicast,
       {{multicast({0, 1, 2}, {3})}, {message(0)}, {any_message()}, {cycle(), receive(0)}},
       {4, 3}},
      {"multicast under all",
       star(2),
       all_multicast,
       {{multicast({1, 0}), cycle(), send(1)}, {message(0)}, {message(0), message(0)}},
       {3, 3, 1}},
      // Rank 2 is busy with the long message of rank 3 when rank 1 sends to 0 and 2.
      {"receive clocks",
       path(4),
       one_multicast,
       {{message(0), message(0)},
        {cycle(), multicast({0, 1}, {1}), cycle(), send(1, {1})},
        {message(0), message(1)},
        {send(1, {10})}},
       {4, 2, 3, 1}},
      // The two messages of a cycle start together, once the long one of the cycle before has ended.
      {"clocks of two ports",
       star(3),
       two,
       {{send(0, {10}), cycle(), send(1, {1}), send(2, {4}), cycle(), send(0, {1})},
        {message(0), message(0)},
        {message(0)},
        {message(0)}},
       {4, 2, 3, 1}},
      {"receive clocks of two ports",
       star(3),
       two,
       {{any_message(), any_message(), any_message()}, {cycle(), send(0)}, {send(0, {9})}, {cycle(), send(0, {2})}},
       {4, 3, 1}},
      {"multicasts under two ports",
       star(3),
       two_multicast,
       {{multicast({0, 1}, {3}), send(2), cycle(), multicast({2, 0, 1})},
        {message(0), message(0)},
        {message(0), message(0)},
        {message(0), message(0)}},
       {4, 4, 3}},
      {"probes",
       ring(3),
       one,
       {{look(1), send(0), look(1), look_around(), cycle(), look(1), look_around(), receive(1), look(1)},
        {look_around(), send(0), poll(1), cycle(), look_around(), poll(1), poll(1)},
        {drain(), send(0), drain(), cycle(), drain(), look(1)}},
       {3, 3}},
      {"polling while the neighbour sends",
       pair(),
       one,
       {{send(0), cycle(), send(0), cycle(), send(0), cycle()},
        {poll(0), cycle(), poll(0), cycle(), poll(0), cycle(), poll(0)}},
       {2, 2, 2, 2}},
      // In cycle 1 rank 1 is visited in vain.
      {"a message for a sleeper", pair(), one, {{send(0)}, {until(2), receive(0)}}, {2, 1, 1}},
      {"sleepers of one cycle",
       path(3),
       one,
       {{until(7), send(0), until(3)}, {until(7), look(1), message(1)}, {until(7), until(8)}},
       {3, 3, 2}},
      {"copies and what is held",
       path(3),
       all,
       {{charge(4), send(0), hold(7), charge(2)}, {charge(5), hold(9), message(1), charge(8)}, {hold(1)}},
       {3, 1}},
      {"arithmetic and copies",
       path(3),
       all,
       {{compute(4), send(0), compute(2)}, {charge(5), compute(9), message(1), compute(8)}, {compute(1), charge(3)}},
       {3, 1}},
      {"phases named at the same time",
       cube(2),
       all,
       {{phase(1), send(0, {3}), send(1, {1}), phase(2), message(0), message(1)},
        {phase(2), send(0, {5}), message(0), phase(1), message(1)},
        {send(0, {2}), phase(3), send(1), message(1), phase(4), message(0)},
        {phase(4), send(1, {1}), phase(0), message(0), send(0)}},
       {4, 4, 1}},
      {"sub-programs",
       ring(3),
       one,
       {{call({send(0), call({message(1)}), cycle()}), look(1)},
        {call({call({}), send(0)}), call({cycle(), receive(1)})},
        {caught(call({send(0), cycle(), fail()})), receive(1)}},
       {3, 3, 1}},
  };
}

std::vector<Case> channels() {
  return {
      {"a channel of one cannot stream",
       pair(),
       one_capacity_one,
       {{send(0), cycle(), send(0)}, {message(0), message(0)}},
       {2, 2},
       Kind::overflow},
      {"a channel of one every other cycle",
       pair(),
       one_capacity_one,
       {{send(0), until(2), send(0)}, {message(0), message(0)}},
       {2, 1, 1, 1}},
      {"a channel of two streams",
       pair(),
       one,
       {{send(0), cycle(), send(0), cycle(), send(0)}, {message(0), message(0), message(0)}},
       {2, 2, 2, 1}},
      {"a place taken in a cycle is free from the next",
       pair(),
       one,
       {{send(0), cycle(), send(0), cycle(), send(0)}, {until(2), receive(0), receive(0), message(0)}},
       {2, 2, 2},
       Kind::overflow},
      {"a channel of three is slower to overflow",
       pair(),
       one_capacity_three,
       {{send(0), cycle(), send(0), cycle(), send(0), cycle(), send(0)}, {until(3), drain(), message(0)}},
       {2, 2, 2, 2},
       Kind::overflow},
      {"undelivered", path(3), one, {{send(0)}, {until(1)}, {send(1)}}, {3}, Kind::receive_limit},
      {"undelivered at the end", path(3), one, {{send(0)}, {cycle(), send(0)}, {}}, {3, 1}, Kind::undelivered},
      {"a message for one that has ended", pair(), one, {{send(0), until(3)}, {}}, {2, 1, 1}, Kind::undelivered},
  };
}

std::vector<Case> broken_rules() {
  return {
      {"second send", path(3), one, {{}, {send(0), caught(send(1))}, {message(1)}}, {3}, Kind::send_limit},
      {"second message of a port under all", pair(), all, {{send(0), send(0)}, {message(0)}}, {2}, Kind::send_limit},
      {"multicast without multicast",
       star(2),
       one,
       {{caught(multicast({0, 1}))}, {}, {send(0)}},
       {3},
       Kind::send_limit},
      {"multicast under one-strict", star(2), strict, {{multicast({0, 1})}, {}, {}}, {3}, Kind::send_limit},
      {"no link", path(3), one, {{send(0)}, {message(1)}, {caught(send(0)), fail()}}, {3}, Kind::no_link},
      {"nothing there in the cycle of sending",
       path(3),
       one,
       {{send(0)}, {receive(1)}, {}},
       {3},
       Kind::nothing_arrived},
      {"one message received twice",
       pair(),
       one,
       {{send(0), cycle(), send(0)}, {cycle(), receive(0), caught(receive(0))}},
       {2, 2},
       Kind::nothing_arrived},
      {"two to one", star(3), one, {{message(0), message(1)}, {send(0)}, {}, {send(0)}}, {4}, Kind::receive_limit},
      {"two to one, read in different cycles",
       star(2),
       one,
       {{until(5), receive(0), cycle(), receive(1)}, {send(0)}, {send(0)}},
       {3},
       Kind::receive_limit},
      {"third send under two ports",
       star(3),
       two,
       {{multicast({1, 2}), caught(send(0))}, {}, {message(0)}, {message(0)}},
       {4},
       Kind::send_limit},
      {"multicast to three under two ports",
       star(3),
       two,
       {{caught(multicast({0, 1, 2}))}, {}, {}, {}},
       {4},
       Kind::send_limit},
      {"a port without a link is no send under two ports",
       star(3),
       two,
       {{send(0), caught(send(3)), send(1), caught(send(2))}, {}, {}, {}},
       {4},
       Kind::no_link},
      {"three to one under two ports",
       star(3),
       two,
       {{message(0), message(1), message(2)}, {send(0)}, {send(0)}, {send(0)}},
       {4},
       Kind::receive_limit},
      {"rotation under one-strict",
       ring(3),
       strict,
       {{send(0), message(1)}, {send(0), message(1)}, {send(0), message(1)}},
       {3},
       Kind::one_strict},
      {"two to one on a ring with its rule",
       path(3),
       of_ring,
       {{send(0)}, {message(0), message(1)}, {send(1)}},
       {3},
       Kind::receive_limit},
      {"two sends and a receive on a ring with its rule",
       path(3),
       of_ring,
       {{send(0)}, {send(0), send(1)}, {message(1)}},
       {3},
       Kind::receive_limit},
      {"two sends on a ring with its rule",
       path(3),
       of_ring,
       {{message(0)}, {multicast({0, 1}, {2})}, {message(1)}},
       {3, 2}},
      {"exchange under one-strict", pair(), strict, {{exchange(0)}, {exchange(0)}}, {2, 2}},
      {"exchange under half-link", pair(), half_link, {{exchange(0)}, {exchange(0)}}, {2}, Kind::half_link},
      {"one way and back under half-link", pair(), half_link, {{exchange(0)}, {message(0), send(0)}}, {2, 2, 1}},
      {"rotation under half-node",
       ring(3),
       half_node,
       {{send(0), message(1)}, {message(1)}, {send(0)}},
       {3},
       Kind::half_node},
      {"both ways on two links under half-link",
       star(3),
       all_half_link,
       {{multicast({0, 1, 2})}, {send(0)}, {}, {send(0)}},
       {4},
       Kind::half_link},
      {"exception", ring(3), one, {{cycle()}, {send(0), fail()}, {message(1), fail()}}, {3}, Kind::exception},
      {"exception that is caught", ring(3), one, {{cycle()}, {caught(fail()), send(0)}, {message(1)}}, {3, 2}},
  };
}

std::vector<Case> endings() {
  Program names_of_rank_0;
  Program names_of_rank_1;
  for (std::uint64_t number = 1; number <= 40; ++number) {
    names_of_rank_0.push_back(phase(number));
    names_of_rank_1.push_back(phase(24 + number));
  }
  Program too_many_and_a_failure = names_of_rank_1;
  too_many_and_a_failure.push_back(caught(receive(0)));
  Program one_less = names_of_rank_1;
  one_less.pop_back();
  return {
      {"cycle of waits", ring(3), one, {{message(1)}, {message(1)}, {message(1)}}, {3}, Kind::deadlock},
      {"chain of waits", path(4), one, {{message(0)}, {message(0)}, {any_message()}, {}}, {4}, Kind::deadlock},
      {"waits after messages",
       ring(4),
       one,
       {{send(0), message(0)}, {message(1), any_message()}, {until(1), message(0)}, {cycle(), send(1), message(1)}},
       {4, 3, 1},
       Kind::deadlock},
      {"livelock", path(3), one, {{cycle(), cycle(), cycle()}, {cycle(), cycle()}, {}}, {3, 2, 2}, Kind::livelock, 2},
      {"livelock of a sleeper", pair(), one, {{until(40)}, {cycle(), cycle()}}, {2, 1, 1}, Kind::livelock, 39},
      {"the last cycle that is allowed", pair(), one, {{until(40)}, {until(40)}}, {2, 2}, {}, 40},
      {"interrupted",
       pair(),
       one,
       {{exchange(0), exchange(0)}, {exchange(0), exchange(0)}},
       {2, 2},
       Kind::interrupted,
       1000,
       1},
      {"ended before it could be interrupted", pair(), one, {{exchange(0)}, {exchange(0)}}, {2, 2}, {}, 1000, 1},
      {"too many phases", pair(), one, {names_of_rank_0, names_of_rank_1}, {2}, Kind::too_many_phases},
      {"as many phases as there may be", pair(), one, {names_of_rank_0, one_less}, {2}},
      {"too many phases and a failure",
       pair(),
       one,
       {names_of_rank_0, too_many_and_a_failure},
       {2},
       Kind::nothing_arrived},
      {"three failures in one cycle",
       cube(2),
       one,
       {{cycle(), message(0)},
        {cycle(), fail()},
        {cycle(), caught(receive(0)), send(0), caught(send(1))},
        {cycle(), send(5)}},
       {4, 4},
       Kind::exception},
      {"a receiver that fails below its senders",
       star(3),
       one,
       {{caught(receive(2))}, {send(0)}, {send(0), fail()}, {caught(send(1))}},
       {4},
       Kind::receive_limit},
  };
}

class EveryOrderOf : public testing::TestWithParam<Case> {};

TEST_P(EveryOrderOf, ComesToTheSame) {
  const Case& one_case = GetParam();
  Scenario scenario{one_case.wiring, one_case.rules, one_case.programs};
  scenario.max_cycles = one_case.max_cycles;
  scenario.stop_after = one_case.stop_after;
  expect_in_every_order(scenario, one_case.visited, one_case.failure);
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return test_name(info.param.name); }
std::ostream& operator<<(std::ostream& out, const Case& one_case) { return out << one_case.name; }

INSTANTIATE_TEST_SUITE_P(Verbs, EveryOrderOf, testing::ValuesIn(messages_and_verbs()), name_of);
INSTANTIATE_TEST_SUITE_P(Channels, EveryOrderOf, testing::ValuesIn(channels()), name_of);
INSTANTIATE_TEST_SUITE_P(Rules, EveryOrderOf, testing::ValuesIn(broken_rules()), name_of);
INSTANTIATE_TEST_SUITE_P(Endings, EveryOrderOf, testing::ValuesIn(endings()), name_of);

TEST(EveryOrder, IsTriedOnce) {
  // Three pieces of work, then two, then three again.
  std::set<std::vector<std::size_t>> orders;
  EveryOrder executor;
  std::uint64_t tried = 0;
  do {
    ++tried;
    executor.start();
    std::vector<std::size_t> order;
    for (const std::size_t count : {3U, 2U, 3U}) {
      executor.for_ranges(count, [&](unsigned, std::size_t first, std::size_t last) {
        EXPECT_EQ(last, first + 1);
        order.push_back(first);
      });
    }
    orders.insert(order);
  } while (executor.next());
  EXPECT_EQ(tried, 6U * 2U * 6U);
  EXPECT_EQ(orders.size(), tried);
}

TEST(EveryOrder, OfRandomProgramsOnTinyMachinesComesToTheSame) {
  expect_of_random_programs(draw_scenario, runs::stressed(sanitized ? 10'000 : 100'000));
}

}  // namespace
}  // namespace lockstep::reference::every_order_test
