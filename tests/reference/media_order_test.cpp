// Tiny machines with a medium under every order in which their processors can be resumed.
#include "explore.hpp"
#include "shapes.hpp"

namespace lockstep::reference::media_order_test {
namespace {

struct Case {
  std::string name;
  Medium medium;
  Rules rules;
  std::vector<Program> programs;
  std::vector<std::uint64_t> visited;  ///< processors visited, cycle by cycle
  std::optional<Kind> failure{};
};

Medium bus(std::uint64_t users) { return {.kind = Shared::bus, .users = users}; }
Medium memory(std::uint64_t users, std::uint32_t slots) {
  return {.kind = Shared::memory, .users = users, .slots = slots};
}
const Medium crossbar;
Medium banks(std::uint32_t number, std::uint32_t slots) {
  return {.kind = Shared::memory, .slots = slots, .banks = number};
}
const Medium omega{.omega = true};
const Medium copying{.omega = true, .copies = true};

const Rules one{.beta = 2, .tau = 3};
const Rules one_capacity_one{.capacity = 1, .beta = 2, .tau = 3};
const Rules one_capacity_three{.capacity = 3, .beta = 2, .tau = 3};
const Rules one_multicast{.multicast = true, .beta = 2, .tau = 3};
const Rules half_link{.duplex = Duplex::half_link};
const Rules half_node{.duplex = Duplex::half_node};

std::vector<Case> messages() {
  return {
      {"exchange over a bus", bus(2), one, {{exchange(1, {2})}, {exchange(0, {1, 3})}}, {2, 2}},
      {"broadcasts in turn",
       bus(1),
       one_multicast,
       {{multicast({1, 2}, {3}), message(1)}, {message(0), multicast({2, 0})}, {message(0), message(1)}},
       {3, 2, 2}},
      {"two of a cycle on a bus",
       bus(2),
       one_multicast,
       {{send(1, {5}), message(2)},
        {message(0), forward(3)},
        {multicast({3}, {1}), send(0)},
        {any_message(), message(1)}},
       {4},
       Kind::send_limit},
      {"two on a bus and then one",
       bus(2),
       one,
       {{send(1, {5})}, {message(0), forward(3)}, {send(3, {1})}, {any_message(), message(1)}},
       {4, 2, 1}},
      {"rotation over a crossbar",
       crossbar,
       one,
       {{send(1, {4}), message(2), forward(1), any_message()},
        {send(2), message(0), forward(2), any_message()},
        {send(0), message(1), forward(0), any_message()}},
       {3, 3, 3}},
      {"rotation through an Omega network",
       omega,
       one,
       {{send(1, {4}), message(3)}, {send(2), message(0)}, {send(3), message(1)}, {send(0), message(2)}},
       {4, 4}},
      {"a broadcast and a message beside it through an Omega network that copies",
       copying,
       one_multicast,
       {{multicast({1, 2, 3}, {4}), message(2)}, {message(0)}, {message(0), multicast({0, 1})}, {message(0)}},
       {4, 3, 2},
       Kind::undelivered},
      {"clocks of a crossbar",
       crossbar,
       one,
       {{send(1, {9}), cycle(), send(2)},
        {message(0), send(3)},
        {message(0), message(3)},
        {cycle(), send(2), message(1)}},
       {4, 3},
       Kind::receive_limit},
      {"busy receivers",
       crossbar,
       one,
       {{send(1, {9}), cycle(), send(2)}, {message(0), send(3)}, {message(0), message(3)}, {message(1), send(2)}},
       {4, 2, 2, 1}},
      {"two senders to one inbox in turn",
       crossbar,
       one,
       {{any_message(), any_message()}, {send(0)}, {cycle(), send(0)}},
       {3, 2, 1}},
      // The lower of ranks 1 and 2 first; from rank 2 the older message first.
      {"by sender and in the order of sending",
       crossbar,
       one_capacity_three,
       {{until(3), any_message(), any_message(), any_message()}, {cycle(), send(0)}, {send(0), until(2), send(0)}},
       {3, 2, 2, 1}},
      {"probes",
       crossbar,
       one,
       {{look(1), look_around(), cycle(), look(1), look(2), look_around(), poll(2), receive(1), poll(1)},
        {send(0), drain(), cycle(), drain()},
        {poll(1), send(1), poll(1), cycle(), look_around()}},
       {3, 3}},
      {"polling while others send",
       crossbar,
       one,
       {{poll(1), poll(2), cycle(), poll(1), poll(2), cycle(), poll(1), poll(2), cycle(), drain()},
        {send(0), until(2), send(0)},
        {cycle(), send(0)}},
       {3, 2, 2, 1}},
      {"one place",
       crossbar,
       one_capacity_one,
       {{message(1), message(2)}, {send(0)}, {until(2), send(0)}},
       {3, 1, 1, 1}},
      {"a place taken in a cycle is free from the next",
       crossbar,
       one_capacity_one,
       {{message(1), message(2)}, {send(0)}, {cycle(), send(0)}},
       {3, 2},
       Kind::overflow},
      {"places for messages of all senders together",
       bus(1),
       one,
       {{until(3), drain()}, {send(0)}, {cycle(), send(0)}, {until(2), send(0)}},
       {4, 2, 2},
       Kind::overflow},
  };
}

std::vector<Case> slots() {
  return {
      {"everybody writes and reads",
       memory(3, 3),
       one,
       {{write({0}, {3}), cycle(), read({1})},
        {write({1}, {1, 2}), cycle(), read({2})},
        {write({2}), cycle(), read({0})}},
       {3, 3, 3}},
      {"everybody in a bank of its own",
       banks(3, 6),
       one,
       {{write({0, 3}, {3}), cycle(), read({1})},
        {write({1, 4}, {1, 2}), cycle(), read({2, 5})},
        {write({5, 2}), cycle(), read({0, 3})}},
       {3, 3, 3}},
      {"two readers of a slot that is written",
       memory(3, 1),
       one,
       {{write({0}, {4}), cycle(), write({0}, {1}), cycle(), write({0}, {2})},
        {cycle(), read({0}), read({0}), read({0})},
        {cycle(), read({0}), look_around(), read({0})}},
       {3, 3, 3, 2, 1}},
      {"writers in turn",
       memory(1, 1),
       one,
       {{write({0}), until(3), read({0})}, {cycle(), write({0}, {3})}, {until(2), read({0}), write({0})}},
       {3, 1, 1, 2},
       Kind::medium_limit},
      {"one access a cycle",
       memory(1, 2),
       one,
       {{write({0}), until(3), read({0, 1})}, {cycle(), write({1, 0}, {3})}, {until(2), read({0})}},
       {3, 1, 1, 2, 1}},
      {"several slots in one access",
       memory(2, 3),
       Rules{.beta = 2, .tau = 3, .max_packet = 2},
       {{write({2, 0}, {1, 2}), cycle(), read({1, 0, 1}), write({1})},
        {write({1}, {3, 1}), cycle(), read({0, 2}), read({1})}},
       {2, 2, 2, 1}},
      {"two writers of one slot",
       memory(3, 2),
       one,
       {{read({0})}, {write({1})}, {write({0, 1})}},
       {3},
       Kind::nothing_arrived},
      {"two writers and a reader of one slot",
       memory(4, 2),
       one,
       {{write({1}), cycle(), read({1})}, {cycle(), write({1})}, {}, {cycle(), write({0, 1})}},
       {4, 3},
       Kind::write_conflict},
      {"three writers of two slots",
       memory(3, 2),
       one,
       {{write({1})}, {write({0, 1})}, {write({0})}},
       {3},
       Kind::write_conflict},
      {"a slot that is written in this cycle for the first time",
       memory(2, 1),
       one,
       {{write({0})}, {caught(read({0}))}},
       {2},
       Kind::nothing_arrived},
      {"two writers of one bank",
       banks(2, 4),
       one,
       {{write({1})}, {write({0})}, {}, {write({2, 3})}},
       {4},
       Kind::bank_conflict},
      {"two readers of one slot of a bank",
       banks(2, 2),
       one,
       {{write({0, 1}), cycle(), read({0})}, {cycle(), read({1})}, {cycle(), read({0, 0})}},
       {3, 3},
       Kind::bank_conflict},
      {"a writer and a reader of one bank",
       banks(2, 4),
       one,
       {{write({0, 1}), cycle(), write({3})}, {cycle(), read({1})}},
       {2, 2},
       Kind::bank_conflict},
      {"a bank in use and a read in vain",
       banks(1, 3),
       one,
       {{caught(read({0}))}, {write({1})}},
       {2},
       Kind::nothing_arrived},
      {"more accesses than kstar",
       memory(2, 3),
       one,
       {{write({0})}, {write({1})}, {write({2})}},
       {3},
       Kind::medium_limit},
      {"more accesses than kstar, one of them in vain",
       memory(1, 3),
       one,
       {{write({0})}, {}, {caught(read({2}))}},
       {3},
       Kind::medium_limit},
      {"a second access", memory(2, 2), one, {{write({0}), caught(write({1}))}, {write({1})}}, {2}, Kind::send_limit},
      {"no such slot", memory(2, 2), one, {{write({0})}, {write({1, 2})}}, {2}, Kind::no_link},
      {"a send on a memory", memory(2, 2), one, {{write({0})}, {send(0)}}, {2}, Kind::no_link},
      {"a message on a memory", memory(2, 2), one, {{write({0})}, {any_message()}}, {2}, Kind::deadlock},
  };
}

std::vector<Case> broken_rules() {
  return {
      {"two senders claim one inbox",
       crossbar,
       one,
       {{message(1), message(2)}, {send(0)}, {send(0)}},
       {3},
       Kind::receive_limit},
      {"two senders claim one inbox on a bus",
       bus(3),
       one,
       {{send(1)}, {cycle()}, {cycle()}, {send(1)}},
       {4},
       Kind::receive_limit},
      {"two senders claim the last place",
       crossbar,
       one,
       {{until(3)}, {send(0), cycle(), send(0)}, {cycle(), send(0)}},
       {3, 3},
       Kind::receive_limit},
      {"two senders to an inbox that is full",
       crossbar,
       one_capacity_one,
       {{cycle(), receive(1)}, {send(0), cycle(), send(0)}, {cycle(), send(0)}},
       {3, 3},
       Kind::overflow},
      {"two transactions that meet twice",
       bus(2),
       one_multicast,
       {{multicast({1, 2})}, {}, {}, {multicast({2, 1})}},
       {4},
       Kind::receive_limit},
      {"one transaction to one processor twice",
       bus(1),
       one_multicast,
       {{multicast({1, 1})}, {}},
       {2},
       Kind::receive_limit},
      {"more transactions than kstar", bus(1), one, {{}, {send(0)}, {send(3)}, {}}, {4}, Kind::medium_limit},
      {"more transactions than kstar that meet",
       bus(2),
       one,
       {{send(3)}, {send(3)}, {send(3)}, {}},
       {4},
       Kind::medium_limit},
      {"second send", crossbar, one, {{}, {send(0), caught(send(2))}, {}}, {3}, Kind::send_limit},
      {"several over a crossbar",
       crossbar,
       one_multicast,
       {{caught(multicast({1, 2}))}, {}, {send(0)}},
       {3},
       Kind::send_limit},
      {"several without multicast", bus(1), one, {{caught(multicast({1, 2}))}, {}, {send(0)}}, {3}, Kind::send_limit},
      {"oneself", bus(1), one, {{message(1)}, {caught(send(1)), send(0)}}, {2}, Kind::no_link},
      {"nobody", crossbar, one, {{message(1)}, {send(2)}}, {2}, Kind::no_link},
      {"a slot", bus(1), one, {{send(1)}, {caught(write({0})), caught(read({0}))}}, {2}, Kind::no_link},
      {"nothing there in the cycle of sending", crossbar, one, {{send(1)}, {receive(0)}}, {2}, Kind::nothing_arrived},
      {"exchange under half-link", bus(2), half_link, {{exchange(1)}, {exchange(0)}}, {2}, Kind::half_link},
      {"rotation under half-link", crossbar, half_link, {{send(1)}, {send(2)}, {}}, {3}, Kind::half_link},
      {"rotation under half-node", crossbar, half_node, {{send(1)}, {send(2)}, {}}, {3}, Kind::half_node},
      {"one way and back under half-node", bus(1), half_node, {{exchange(1)}, {message(0), send(0)}}, {2, 2, 1}},
      // Both need the upper output of the element that lines 0 and 2 share.
      {"blocked", omega, one, {{send(1)}, {}, {send(0)}, {}}, {4}, Kind::blocked},
      {"blocked in a network with a line to spare", omega, one, {{send(1)}, {}, {send(0)}}, {3}, Kind::blocked},
      {"two to one through an Omega network",
       omega,
       one,
       {{send(1)}, {}, {send(0)}, {send(1)}},
       {4},
       Kind::receive_limit},
      {"blocked copies", copying, one_multicast, {{multicast({1, 3})}, {}, {send(0)}, {}}, {4}, Kind::blocked},
      {"several through an Omega network without multicast",
       copying,
       one,
       {{caught(multicast({1, 2}))}, {}, {send(0)}},
       {3},
       Kind::send_limit},
      {"exception", bus(2), one, {{cycle()}, {send(0), fail()}, {message(1), fail()}}, {3}, Kind::exception},
      {"cycle of waits", crossbar, one, {{message(1)}, {message(2)}, {any_message()}}, {3}, Kind::deadlock},
      {"undelivered", bus(1), one, {{send(1), cycle(), send(1)}, {until(3)}}, {2, 2, 1, 1}, Kind::undelivered},
      {"undelivered of several", crossbar, one, {{cycle(), send(1)}, {}, {send(0)}}, {3, 1}, Kind::undelivered},
  };
}

class EveryOrderOnMedia : public testing::TestWithParam<Case> {};

TEST_P(EveryOrderOnMedia, ComesToTheSame) {
  const Case& one_case = GetParam();
  Scenario scenario;
  scenario.rules = one_case.rules;
  scenario.programs = one_case.programs;
  scenario.medium = one_case.medium;
  expect_in_every_order(scenario, one_case.visited, one_case.failure);
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return test_name(info.param.name); }
std::ostream& operator<<(std::ostream& out, const Case& one_case) { return out << one_case.name; }

INSTANTIATE_TEST_SUITE_P(Messages, EveryOrderOnMedia, testing::ValuesIn(messages()), name_of);
INSTANTIATE_TEST_SUITE_P(Slots, EveryOrderOnMedia, testing::ValuesIn(slots()), name_of);
INSTANTIATE_TEST_SUITE_P(Rules, EveryOrderOnMedia, testing::ValuesIn(broken_rules()), name_of);

TEST(EveryOrderOnTinyMedia, OfRandomProgramsComesToTheSame) {
  expect_of_random_programs(draw_medium_scenario, runs::stressed(sanitized ? 4'000 : 30'000));
}

}  // namespace
}  // namespace lockstep::reference::media_order_test
