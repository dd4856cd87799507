// Methods that a program adds: what own_method() of every operation makes of a program, right or wrong, and the methods
// that add_method() accepts. A separate test program, as added methods stay.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "lockstep/algorithms/operation/alltoall.hpp"
#include "lockstep/algorithms/operation/barrier.hpp"
#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/algorithms/operation/collection.hpp"
#include "lockstep/algorithms/operation/reduce.hpp"
#include "lockstep/algorithms/operation/scan.hpp"
#include "lockstep/algorithms/operation/scatter.hpp"
#include "lockstep/algorithms/operation/sort.hpp"
#include "lockstep/algorithms/operation/transpose.hpp"
#include "method_run.hpp"

namespace lockstep::own_methods_test {
namespace {

using operands::NumberValues;
using Keys = std::vector<sort::NumberKey>;
using Records = sort::Records<sort::NumberKey>;

// ---- Programs on rings: they send upwards, over port 0. A ring of two has one link, port 0 of both.

constexpr Port upwards = 0;

template <class T>
Port from_below(const Processor<T>& self) {
  return self.has_link(1) ? 1 : 0;
}
/// Links from that rank upwards to this one.
template <class T>
Rank links_from(const Processor<T>& self, Rank rank) {
  return (self.rank() + self.processors() - rank) % self.processors();
}

Process broadcast_round(Processor<Block>& self, Rank root, Block& item) {
  const Rank distance = links_from(self, root);
  if (distance > 0) item = (co_await self.message(from_below(self))).payload;
  if (distance + 1 < self.processors()) self.send(upwards, item);
}

/// a_0 (+) a_1 (+) .. up to this rank's operand.
Process scan_upwards(Processor<Block>& self, const NumberValues& values, Block& own) {
  if (self.rank() > 0) {
    Block lower = (co_await self.message(from_below(self))).payload;
    values.combine(lower, own);
    own = lower;
  }
  if (self.rank() + 1 < self.processors()) self.send(upwards, own);
}

// The same, and the highest rank forwards its result to the root.
Process reduce_round(Processor<Block>& self, const NumberValues& values, Rank root, Block& own) {
  const Rank last = self.processors() - 1;
  co_await scan_upwards(self, values, own);
  if (root == last) co_return;
  if (self.rank() <= root) own = (co_await self.message(from_below(self))).payload;
  if (self.rank() == last || self.rank() < root) self.send(upwards, own);
}

Bundle all_of(Bundle& held) {
  return held.take([](const Piece&) { return true; });
}

Process gather_round(Processor<Bundle>& self, Rank root, Bundle& held) {
  const Rank distance = links_from(self, root);
  if (distance != 1 && self.processors() > 1) held.add((co_await self.message(from_below(self))).payload);
  if (distance != 0) self.send(upwards, all_of(held));
}

Process scatter_round(Processor<Bundle>& self, Rank root, Bundle& held) {
  const Rank distance = links_from(self, root);
  if (distance > 0) held = (co_await self.message(from_below(self))).payload;
  if (distance + 1 == self.processors()) co_return;
  self.send(upwards, held.take([&](const Piece& piece) { return piece.destination != self.rank(); }));
}

Process allgather_round(Processor<Bundle>& self, allgather::Collection& held) {
  Rank next = self.rank();
  for (Rank step = 1; step < self.processors(); ++step) {
    self.send(upwards, Bundle(held.piece(next)));
    held.add((co_await self.message(from_below(self))).payload);
    next = (next + self.processors() - 1) % self.processors();
  }
}

// Every block that is not at its destination moves on.
Process exchange_round(Processor<Bundle>& self, Bundle& held) {
  for (Rank step = 1; step < self.processors(); ++step) {
    self.send(upwards, held.take([&](const Piece& piece) { return piece.destination != self.rank(); }));
    held.add((co_await self.message(from_below(self))).payload);
  }
}

/// Odd-even transposition, `steps` steps of it, on the path from rank 0 to the last.
Process transpositions(Processor<Records>& self, Keys& own, Rank steps) {
  const auto size = static_cast<std::ptrdiff_t>(own.size());
  std::ranges::sort(own);
  for (Rank step = 0; step < steps; ++step) {
    const bool is_lower = self.rank() % 2 == step % 2;
    if (is_lower ? self.rank() + 1 == self.processors() : self.rank() == 0) {
      co_await self.cycle();  // without a partner
      continue;
    }
    Records records{.value = own};
    Message<Records> message = co_await self.exchange(is_lower ? upwards : from_below(self), records);
    own.insert(own.end(), message.payload.value.begin(), message.payload.value.end());
    std::ranges::sort(own);
    own = is_lower ? Keys(own.begin(), own.begin() + size) : Keys(own.end() - size, own.end());
  }
}
Process sort_round(Processor<Records>& self, Keys& own) { co_await transpositions(self, own, self.processors()); }

// Once round to collect, and once to release.
Process barrier_round(Processor<LabelledBlock>& self, LabelledBlock& token) {
  const Rank last = self.processors() - 1;
  if (last == 0) co_return;
  if (self.rank() > 0) barrier::take_in(token, (co_await self.message(from_below(self))).payload);
  self.send(upwards, token);
  if (self.rank() == last) co_return;
  token = (co_await self.message(from_below(self))).payload;
  if (self.rank() + 1 < last) self.send(upwards, token);
}

// ---- The same programs with a mistake.

Process broadcast_too_short(Processor<Block>& self, Rank root, Block& item) {
  const Rank distance = links_from(self, root);
  if (distance + 1 == self.processors()) co_return;
  if (distance > 0) item = (co_await self.message(from_below(self))).payload;
  if (distance + 2 < self.processors()) self.send(upwards, item);
}

Process scan_without_own(Processor<Block>& self, const NumberValues&, Block& own) {
  if (self.rank() > 0) own = (co_await self.message(from_below(self))).payload;
  if (self.rank() + 1 < self.processors()) self.send(upwards, own);
}

Process reduce_at_last(Processor<Block>& self, const NumberValues& values, Rank, Block& own) {
  co_await scan_upwards(self, values, own);
}

Process gather_nothing(Processor<Bundle>&, Rank, Bundle&) { co_return; }

Process scatter_nothing(Processor<Bundle>&, Rank, Bundle&) { co_return; }

Process allgather_one_step(Processor<Bundle>& self, allgather::Collection& held) {
  self.send(upwards, Bundle(held.piece(self.rank())));
  held.add((co_await self.message(from_below(self))).payload);
}

Process exchange_one_step(Processor<Bundle>& self, Bundle& held) {
  self.send(upwards, held.take([&](const Piece& piece) { return piece.destination == self.neighbour(upwards); }));
  held.add((co_await self.message(from_below(self))).payload);
}

Process sort_one_step(Processor<Records>& self, Keys& own) { co_await transpositions(self, own, 1); }

Process barrier_without_release(Processor<LabelledBlock>& self, LabelledBlock& token) {
  if (self.rank() > 0) barrier::take_in(token, (co_await self.message(from_below(self))).payload);
  if (self.rank() + 1 < self.processors()) self.send(upwards, token);
}

// ---- On other machines.

Process exchange_by_dimensions(Processor<Bundle>& self, Bundle& held) {
  for (Port port = 0; port < self.ports(); ++port) {
    Bundle leaving =
        held.take([&](const Piece& piece) { return ((piece.destination ^ self.rank()) >> port & 1) == 1; });
    held.add((co_await self.exchange(port, leaving)).payload);
  }
}

// On a switch ports are ranks.
Process allgather_over_switch(Processor<Bundle>& self, allgather::Collection& held) {
  const Rank k = self.processors();
  for (Rank distance = 1; distance < k; ++distance) {
    self.send((self.rank() + distance) % k, Bundle(held.piece(self.rank())));
    held.add((co_await self.message((self.rank() + k - distance) % k)).payload);
  }
}

void add_all() {
  for (const Method& method : {broadcast::own_method<broadcast_round>("broadcast/round", {"ring"}),
                               broadcast::own_method<broadcast_too_short>("broadcast/too-short", {"ring"}),
                               reduce::own_method<reduce_round>("reduce/round", {"ring"}),
                               reduce::own_method<reduce_at_last>("reduce/at-last", {"ring"}),
                               scan::own_method<scan_upwards>("scan/upwards", {"ring", "path"}),
                               scan::own_method<scan_without_own>("scan/without-own", {"ring"}),
                               scatter::own_gather<gather_round>("gather/round", {"ring"}),
                               scatter::own_gather<gather_nothing>("gather/nothing", {"ring"}),
                               scatter::own_method<scatter_round>("scatter/round", {"ring"}),
                               scatter::own_method<scatter_nothing>("scatter/nothing", {"ring"}),
                               allgather::own_method<allgather_round>("allgather/round", {"ring"}),
                               allgather::own_method<allgather_one_step>("allgather/one-step", {"ring"}),
                               allgather::own_method<allgather_over_switch>("allgather/over-switch", {"switch"}),
                               alltoall::own_method<exchange_round>("alltoall/round", {"ring"}),
                               alltoall::own_method<exchange_one_step>("alltoall/one-step", {"ring"}),
                               alltoall::own_method<exchange_by_dimensions>("alltoall/by-dimensions", {"hypercube"}),
                               transpose::own_method<exchange_round>("transpose/round", {"ring"}),
                               transpose::own_method<exchange_one_step>("transpose/one-step", {"ring"}),
                               transpose::own_method<exchange_by_dimensions>("transpose/by-dimensions", {"hypercube"}),
                               sort::own_method<sort_round>("sort/round", {"ring", "path"}),
                               sort::own_method<sort_one_step>("sort/one-step", {"ring"}),
                               barrier::own_method<barrier_round>("barrier/round", {"ring"}),
                               barrier::own_method<barrier_without_release>("barrier/without-release", {"ring"})}) {
    add_method(method);
  }
}

class OwnMethods : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool are_added = (add_all(), true);
    EXPECT_TRUE(are_added);
  }
};

Report run_right(std::string_view method, const std::string& text, const Settings& settings) {
  SCOPED_TRACE(std::string(method) + " on " + text);
  const BuiltMachine machine(text);
  const Outcome outcome = machine.run(method, machine.method(method).defaults, settings);
  EXPECT_EQ(outcome.wrong, "");
  return outcome.report;
}

std::string wrong(std::string_view method, const std::string& text, const Settings& settings = {}) {
  const BuiltMachine machine(text);
  return machine.run(method, machine.method(method).defaults, settings).wrong;
}

const std::vector<std::string> rings{"ring:1", "ring:2", "ring:3", "ring:8", "ring:13"};

TEST_F(OwnMethods, OfEveryOperationAreRight) {
  // Steps on a ring of k: once round is k - 1; the result of a reduction takes one more, from the highest rank to rank
  // 0; a barrier goes round twice; a sort has k stages, of which two processors need one.
  struct Right {
    const char* method;
    std::function<std::uint64_t(Rank k)> steps;
  };
  const auto round = [](Rank k) -> std::uint64_t { return k - 1; };
  for (const auto& [method, steps] :
       {Right{"broadcast/round", round}, Right{"scan/upwards", round}, Right{"gather/round", round},
        Right{"scatter/round", round}, Right{"allgather/round", round}, Right{"alltoall/round", round},
        Right{"reduce/round", [](Rank k) -> std::uint64_t { return k == 1 ? 0 : k; }},
        Right{"sort/round", [](Rank k) -> std::uint64_t { return k < 3 ? k - 1 : k; }},
        Right{"barrier/round", [](Rank k) -> std::uint64_t { return k == 1 ? 0 : 2 * std::uint64_t{k} - 2; }}}) {
    for (const std::string& text : rings) {
      const BuiltMachine machine(text);
      for (const std::uint64_t words : {1U, 5U, 40U}) {
        EXPECT_EQ(run_right(method, text, block_settings(words)).steps, steps(machine.topology.processors()))
            << method << " on " << text;
      }
    }
  }
  for (const char* text : {"ring:1", "ring:2", "ring:4", "ring:8"}) run_right("transpose/round", text, {});
}

TEST_F(OwnMethods, TakeEveryRootAndOperator) {
  for (const std::string& text : rings) {
    const Rank k = BuiltMachine(text).topology.processors();
    for (Rank root = 0; root < k; ++root) {
      for (const char* method : {"broadcast/round", "gather/round", "scatter/round", "reduce/round"}) {
        run_right(method, text, item_settings(3, root));
      }
    }
    for (const Operator& op : operators()) {
      if (op.name == "concat") continue;
      Settings settings = block_settings(3 * op.element_words);
      settings.operator_name = op.name;
      run_right("scan/upwards", text, settings);
      settings.root = k / 2;
      run_right("reduce/round", text, settings);
    }
  }
  Settings settings;
  settings.operator_name = "concat";
  EXPECT_EQ(refusal("scan/upwards", "ring:3", settings),
            "--operator concat is not for your own methods: they combine numbers");
  settings = {};
  settings.type = "string";
  EXPECT_EQ(refusal("sort/round", "ring:3", settings),
            "--type string is not for methods of your own: their records are numbers");
}

TEST_F(OwnMethods, RunOnEveryKindOfMachine) {
  for (const char* method : {"alltoall/by-dimensions", "transpose/by-dimensions"}) {
    for (std::uint64_t n = 0; n <= 5; ++n) EXPECT_EQ(run_right(method, cube(n), {}).steps, n);
  }
  for (const char* text : {"path:1", "path:2", "path:7"}) {
    run_right("scan/upwards", text, block_settings(4));
    run_right("sort/round", text, block_settings(4));
  }
  for (const char* text : {"switch:1", "switch:2", "switch:7"}) run_right("allgather/over-switch", text, {});
}

// A processor that arrives late keeps all others waiting.
TEST_F(OwnMethods, BarriersWaitForTheLast) {
  Settings settings;
  settings.arrivals = 20;
  for (const std::string& text : rings) run_right("barrier/round", text, settings);
  EXPECT_NE(wrong("barrier/without-release", "ring:3", settings), "");
}

TEST_F(OwnMethods, NameTheRankWithWrongData) {
  const std::map<std::string, std::string> said{
      {"broadcast/too-short", "rank 7 holds 0 words of 1, the first 0 right"},
      {"reduce/at-last", "rank 0 holds a result of 1 words of 1, the first 0 right"},
      {"scan/without-own", "rank 1 holds a result of 1 words of 1, the first 0 right"},
      {"gather/nothing", "rank 0 holds 0 words of the 1 from rank 1, the first 0 right"},
      {"scatter/nothing", "rank 0 holds 1 words from rank 0 for rank 1, which it should not"},
      {"allgather/one-step", "rank 0 holds 0 words of the 1 from rank 1, the first 0 right"},
      {"alltoall/one-step", "rank 0 holds 1 words from rank 0 for rank 2, which it should not"},
      {"transpose/one-step", "rank 0 holds something else than element (0,1) of the resulting matrix at index 1"},
      {"sort/one-step", "rank 1 holds 1 of its 1 records, the first 0 right"},
      {"barrier/without-release", "rank 0 left with a token that does not stand for every processor once"}};
  for (const auto& [method, text] : said) EXPECT_EQ(wrong(method, "ring:8"), text) << method;
}

TEST_F(OwnMethods, NoticeEveryFaultInEveryMessage) {
  for (const char* text : {"ring:2", "ring:5"}) {
    expect_catches_faults("broadcast/round", text, item_settings(3, 1));
    expect_catches_faults("reduce/round", text, item_settings(3, 0));
    expect_catches_faults("scan/upwards", text, block_settings(3));
    expect_catches_faults("gather/round", text, item_settings(3, 1));
    expect_catches_faults("scatter/round", text, item_settings(3, 1));
    expect_catches_faults("allgather/round", text, block_settings(3));
    expect_catches_faults("alltoall/round", text, block_settings(3));
    // A record that a processor does not keep may be wrong.
    expect_catches_faults("sort/round", text, block_settings(3), {}, {FaultKind::drop, FaultKind::repeat});
    expect_catches_faults("barrier/round", text, block_settings(3));
  }
  expect_catches_faults("transpose/round", "ring:4", {});
}

// ---- Methods that can be added.

std::string refused(const Method& method) {
  try {
    add_method(method);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}
TEST_F(OwnMethods, AreRefusedIfSomethingIsMissing) {
  const Method good = broadcast::own_method<broadcast_round>("broadcast/another", {"ring"});
  const auto with = [&good](const auto& change) {
    Method method = good;
    change(method);
    return refused(method);
  };
  const auto named = [&with](std::string_view name) { return with([name](Method& method) { method.name = name; }); };
  for (const std::string name : {"", "another", "/another", "broadcast/"}) {
    EXPECT_EQ(named(name), "method \"" + name + "\" is not called OPERATION/METHOD");
  }
  EXPECT_EQ(named("broadcast/round"), "method \"broadcast/round\" is there already");
  EXPECT_EQ(named("broadcast/one-way"), "method \"broadcast/one-way\" is there already");
  EXPECT_EQ(with([](Method& method) { method.families.clear(); }),
            "method \"broadcast/another\" is for no family of machines");
  EXPECT_EQ(with([](Method& method) { method.run = nullptr; }), "method \"broadcast/another\" has no run");
}

TEST_F(OwnMethods, AreFilledIn) {
  const Method& method = find_method("broadcast/round", "ring");
  EXPECT_EQ(method.operation, "broadcast");
  EXPECT_EQ(method.port_models.size(), 3U);
  EXPECT_FALSE(method.summary.empty());
  EXPECT_FALSE(method.predict(parse_machine("ring:3"), {}, {}).steps);
  EXPECT_EQ(lower_bound(method, parse_machine("ring:3"), {}, {}).steps, 2U);
  const auto& all = catalogue();
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Method::name));
  const std::vector<const Method*> added = added_methods();
  const auto first = std::ranges::find(added, "broadcast/round", &Method::name);
  ASSERT_LT(first + 1, added.end());
  EXPECT_EQ((*(first + 1))->name, "broadcast/too-short");  // in the order in which they were added
  EXPECT_TRUE(std::ranges::all_of(added, [&](const Method* one) { return std::ranges::find(all, one) != all.end(); }));
}

// Another entry, on another family, may have the same name.
TEST_F(OwnMethods, MayHaveTheNameOfOneOnOtherMachines) {
  EXPECT_EQ(refused(broadcast::own_method<broadcast_round>("broadcast/round", {"path"})), "");
  EXPECT_EQ(find_method("broadcast/round", "path").families, std::vector<std::string_view>{"path"});
  EXPECT_EQ(run_right("broadcast/round", "path:5", {}).steps, 4U);
}

}  // namespace
}  // namespace lockstep::own_methods_test
