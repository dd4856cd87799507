// A program for judge_test.cpp with its own methods, most of them wrong in one way each. Called by the name of one of
// them it has only that one.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/algorithms/operation/reduce.hpp"
#include "lockstep/algorithms/operation/transpose.hpp"
#include "lockstep/command/command.hpp"

namespace lockstep {
namespace {

using allgather::Collection;

constexpr Port up = 0;
constexpr Port down = 1;

/// All blocks go `places` - 1 places round the ring.
Process circulate(Processor<Bundle>& self, Collection& collection, Rank places) {
  Bundle next(collection.piece(self.rank()));
  for (Rank step = 1; step < places; ++step) {
    self.send(up, next);
    next = (co_await self.message(down)).payload;
    collection.add(next);
  }
}

Process pass_nothing(Processor<Bundle>& self) {
  self.send(up, Bundle());
  co_await self.message(down);
}

Process right(Processor<Bundle>& self, Collection& collection) {
  co_await circulate(self, collection, self.processors());
}

Process slow(Processor<Bundle>& self, Collection& collection) {
  co_await circulate(self, collection, self.processors());
  for (Rank step = 0; step < 2 * self.processors(); ++step) co_await pass_nothing(self);
}

Process incomplete(Processor<Bundle>& self, Collection& collection) {
  co_await circulate(self, collection, self.processors() - 1);
}

Process endless(Processor<Bundle>& self, Collection&) {
  std::atomic<int> turns = 0;
  while (turns >= 0) turns = 1;
  co_await self.cycle();
}

Process restless(Processor<Bundle>& self, Collection&) {
  for (;;) co_await self.cycle();
}

Process crashing(Processor<Bundle>& self, Collection&) {
  if (self.rank() == 1) std::raise(SIGSEGV);
  co_return;
}

Process asserting(Processor<Bundle>& self, Collection&) {
  if (self.rank() == 1) {
    std::cerr << "Assertion `blocks > 0' failed.\n\n";
    std::abort();
  }
  co_return;
}

Process aborting(Processor<Bundle>& self, Collection&) {
  if (self.rank() == 1) std::abort();
  co_return;
}

Process greedy(Processor<Bundle>& self, Collection& collection) {
  const std::vector<char> all(std::size_t{100} << 30, 1);
  self.hold(all.back());
  co_await circulate(self, collection, self.processors());
}

Process exiting(Processor<Bundle>&, Collection&) {
  std::exit(0);
  co_return;
}

Process closing(Processor<Bundle>& self, Collection& collection) {
  for (int file = 0; file < 1024; ++file) close(file);
  co_await circulate(self, collection, self.processors());
}

Process printing(Processor<Bundle>& self, Collection& collection) {
  std::cout << "{\"ending\": \"ended\"}\n\n}]" << std::flush;
  std::cerr << "rank " << self.rank() << '\n';
  co_await circulate(self, collection, self.processors());
}

Process throwing(Processor<Bundle>& self, Collection&) {
  if (self.rank() == 2) throw std::out_of_range("no block 17");
  co_return;
}

Process sending_twice(Processor<Bundle>& self, Collection& collection) {
  self.send(up, Bundle(collection.piece(self.rank())));
  self.send(down, Bundle(collection.piece(self.rank())));
  co_await circulate(self, collection, self.processors());
}

Process waiting(Processor<Bundle>& self, Collection& collection) {
  collection.add((co_await self.message(down)).payload);
  self.send(up, Bundle(collection.piece(self.rank())));
}

std::vector<Bundle> all_blocks(64);

Process peeking(Processor<Bundle>& self, Collection& collection) {
  all_blocks[self.rank()] = Bundle(collection.piece(self.rank()));
  co_await self.cycle();
  for (Rank other = 0; other < self.processors(); ++other) {
    if (other != self.rank()) collection.add(all_blocks[other]);
  }
}

Process sending_foreign_data(Processor<Bundle>& self, Collection& collection) {
  all_blocks[self.rank()] = Bundle(collection.piece(self.rank()));
  co_await self.cycle();
  const Rank size = self.processors();
  for (Rank step = 1; step < size; ++step) {
    self.send(up, all_blocks[(self.rank() + 1 + step) % size]);
    collection.add((co_await self.message(down)).payload);
  }
}

/// Right only where a processor's block has one word.
Process for_one_word(Processor<Bundle>& self, Collection& collection) {
  const bool is_long = Bundle(collection.piece(self.rank())).words() > 1;
  co_await circulate(self, collection, is_long ? 2 : self.processors());
}

/// Slow only under other orders.
Process slow_in_other_orders(Processor<Bundle>& self, Collection& collection) {
  static std::atomic<Rank> first = no_rank;
  Rank nobody = no_rank;
  first.compare_exchange_strong(nobody, self.rank());
  while (first != 0) usleep(1000);
  co_await circulate(self, collection, self.processors());
}

/// A broadcast round the ring that takes 0 as the root.
Process from_rank_0(Processor<Block>& self, Rank, Block& item) {
  if (self.rank() != 0) item = co_await self.message(down);
  if (self.rank() + 1 < self.processors()) self.send(up, item);
}

std::vector<Bundle> all_for_others(64);

/// A transposition without a message.
Process transposing_alone(Processor<Bundle>& self, Bundle& held) {
  all_for_others[self.rank()] = held;
  co_await self.cycle();
  for (Rank other = 0; other < self.processors(); ++other) {
    if (other == self.rank()) continue;
    Bundle copy = all_for_others[other];
    held.add(copy.take([&](const Piece& piece) { return piece.destination == self.rank(); }));
  }
}

/// The exchange of a square on a complete graph of four: a message has two blocks.
Process combining(Processor<Bundle>& self, Bundle& held) {
  for (const Rank bit : {1U, 2U}) {
    const Rank other = self.rank() ^ bit;
    Bundle leaving = held.take([&](const Piece& piece) { return ((piece.destination ^ self.rank()) & bit) != 0; });
    held.add((co_await self.exchange(other < self.rank() ? other : other - 1, std::move(leaving))).payload);
  }
}

std::atomic<Rank> first_seen = no_rank;

Process ordered(Processor<Bundle>& self, Collection& collection) {
  Rank nobody = no_rank;
  if (self.rank() < 2) first_seen.compare_exchange_strong(nobody, self.rank());
  co_await self.cycle();
  co_await circulate(self, collection, self.processors());
  if (first_seen == 1) co_await pass_nothing(self);
}

Process reading_past_the_end(Processor<Bundle>& self, Collection& collection) {
  const std::vector<Word> words(8);
  const Word* const beyond = words.data() + 9 + self.rank();
  self.hold(*beyond % 2);
  co_await circulate(self, collection, self.processors());
}

std::vector<Block> all_values(64);

/// Reads all values, after messages that carry none of them.
Process reducing_with_empty_messages(Processor<Block>& self, const operands::NumberValues& values, Rank root,
                                     Block& own) {
  all_values[self.rank()] = own;
  for (Rank step = 0; step < self.processors(); ++step) {
    self.send(up, Block());
    co_await self.message(down);
  }
  if (self.rank() != root) co_return;
  Block sum = all_values[0];
  for (Rank other = 1; other < self.processors(); ++other) values.combine(sum, all_values[other]);
  own = sum;
}

Process reducing_alone(Processor<Block>& self, const operands::NumberValues& values, Rank root, Block& own) {
  all_values[self.rank()] = own;
  co_await self.cycle();
  if (self.rank() != root) co_return;
  Block sum = all_values[0];
  for (Rank other = 1; other < self.processors(); ++other) values.combine(sum, all_values[other]);
  own = sum;
}

/// The method, restricted to some machines of its families.
Method strict(Method method) {
  method.resolve = [](const MachineSpec& machine, const Model& model, Settings& settings) {
    if (machine.processors % 4 != 0) throw InputError("allgather/strict is for multiples of 4 processors");
    allgather::resolve(machine, model, settings);
  };
  return method;
}

Method of_all_ports(Method method) {
  method.defaults.ports = PortModel::all;
  return method;
}

/// The method, with an operation that no other method has.
Method lonely(Method method) {
  method.operation = "gossip";
  return method;
}

Method optimistic(Method method) {
  method.predict = [](const MachineSpec&, const Model&, const Settings&) {
    Prediction prediction;
    prediction.steps = Count{1, true, "1"};
    return prediction;
  };
  return method;
}

/// The method, with a proof that no steps are needed.
Method modest(Method method) {
  method.proven = [](const MachineSpec&, const Model&, const Settings&) {
    LowerBound bound;
    bound.steps = 0;
    return bound;
  };
  return method;
}

template <Process (*program)(Processor<Bundle>&, Collection&)>
Method gathering(std::string_view name) {
  return allgather::own_method<program>(name, {"ring"});
}

std::vector<Method> methods() {
  return {gathering<right>("allgather/right"),
          gathering<slow>("allgather/slow"),
          gathering<incomplete>("allgather/incomplete"),
          gathering<endless>("allgather/endless"),
          gathering<restless>("allgather/restless"),
          gathering<crashing>("allgather/crashing"),
          gathering<aborting>("allgather/aborting"),
          gathering<asserting>("allgather/asserting"),
          gathering<for_one_word>("allgather/for-one-word"),
          gathering<slow_in_other_orders>("allgather/slow-in-other-orders"),
          modest(gathering<peeking>("allgather/modest")),
          gathering<greedy>("allgather/greedy"),
          gathering<exiting>("allgather/exiting"),
          gathering<closing>("allgather/closing"),
          gathering<printing>("allgather/printing"),
          gathering<throwing>("allgather/throwing"),
          gathering<sending_twice>("allgather/sending-twice"),
          gathering<waiting>("allgather/waiting"),
          gathering<peeking>("allgather/peeking"),
          gathering<sending_foreign_data>("allgather/sending-foreign-data"),
          gathering<ordered>("allgather/ordered"),
          gathering<reading_past_the_end>("allgather/reading-past-the-end"),
          strict(gathering<right>("allgather/strict")),
          of_all_ports(gathering<right>("allgather/of-all-ports")),
          optimistic(gathering<right>("allgather/optimistic")),
          lonely(gathering<right>("gossip/lonely")),
          alltoall::own_method<combining>("alltoall/combining", {"complete"}),
          reduce::own_method<reducing_alone>("reduce/alone", {"ring"}),
          reduce::own_method<reducing_with_empty_messages>("reduce/empty-messages", {"ring"}),
          broadcast::own_method<from_rank_0>("broadcast/from-rank-0", {"ring"}),
          transpose::own_method<transposing_alone>("transpose/alone", {"ring"})};
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename();
  if (name == "hanging") pause();
  if (name == "boasting") {
    std::cout << R"({"status": "right", "points": 1000, "sizes": [{"machine": "ring:4", "processors": 4, "steps": 1,
                     "time": 1, "complaints": []}]})";
    return 0;
  }
  lockstep::Additions additions{.methods = lockstep::methods(), .families = {}, .sizes = {"ring:4..8*2"}};
  const auto is_it = [&](const lockstep::Method& method) { return own_name(method) == name; };
  if (std::ranges::any_of(additions.methods, is_it)) std::erase_if(additions.methods, std::not_fn(is_it));
  return lockstep::command(argc, argv, additions);
}
