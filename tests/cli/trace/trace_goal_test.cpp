// trace --goal: its files, simulated as LogGOPSim does, take Lockstep's modelled time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <sstream>
#include <tuple>

#include "command_line.hpp"

namespace lockstep::test::trace_goal_test {
namespace {

using Time = std::uint64_t;

/// The parameters of the LogGOPS model. S, above which messages wait for their receivers, is infinite here.
struct LogGops {
  Time L = 0;
  Time o = 0;
  Time g = 0;
  Time G = 0;
  Time O = 0;
};

struct Operation {
  bool is_send = false;
  std::size_t rank = 0;
  std::uint64_t size = 0;
  std::size_t peer = 0;
  std::uint64_t tag = 0;
  std::size_t missing = 0;              ///< requirements not yet done
  std::vector<std::size_t> dependents;  ///< operations that require it
  bool is_done = false;
};

/// A GOAL file; strict about its grammar.
class Goal {
 public:
  explicit Goal(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line.substr(0, 10), "num_ranks ");
    ranks = std::stoul(line.substr(10));
    std::size_t rank = 0;
    bool is_open = false;
    std::map<std::string, std::size_t> labels;
    while (std::getline(in, line)) {
      if (line.starts_with("//")) continue;
      if (line == "rank " + std::to_string(rank) + " {" && !is_open) {
        is_open = true;
      } else if (line == "}" && is_open) {
        is_open = false;
        labels.clear();
        ++rank;
      } else {
        EXPECT_TRUE(is_open) << line;
        read_statement(line, rank, labels);
      }
    }
    EXPECT_EQ(rank, ranks);
  }

  std::size_t ranks = 0;
  std::vector<Operation> operations;

 private:
  void read_statement(const std::string& line, std::size_t rank, std::map<std::string, std::size_t>& labels) {
    std::istringstream in(line);
    std::string label, verb, size, word, peer, tag_word, further;
    in >> label >> verb;
    if (verb == "requires") {
      in >> word;
      ASSERT_TRUE(labels.contains(label) && labels.contains(word)) << line;
      operations[labels[word]].dependents.push_back(labels[label]);
      ++operations[labels[label]].missing;
      return;
    }
    Operation operation;
    in >> size >> word >> peer >> tag_word >> operation.tag;
    operation.is_send = verb == "send";
    ASSERT_TRUE(operation.is_send || verb == "recv") << line;
    ASSERT_EQ(word, operation.is_send ? "to" : "from") << line;
    ASSERT_EQ(tag_word, "tag") << line;
    ASSERT_EQ(size.back(), 'b') << line;
    ASSERT_FALSE(in.fail() || in >> further) << line;
    ASSERT_EQ(label.back(), ':') << line;
    label.pop_back();
    ASSERT_FALSE(labels.contains(label)) << line;
    operation.rank = rank;
    operation.size = std::stoull(size);
    ASSERT_GE(operation.size, 1U) << line;
    operation.peer = std::stoul(peer);
    labels[label] = operations.size();
    operations.push_back(operation);
  }
};

/// LogGOPSim's time, by its rules. A send at t, when processor and network are free, occupies its processor until
/// t + o + (s-1)O and its network until t + g + (s-1)G; it is done at once. Its first byte arrives at t + o + L, or
/// when the receiver's processor and network are free: a. Then the processor is occupied until a + o + max((s-1)O,
/// (s-1)G), when the receive is done, and the network until a + g + (s-1)G.
class Simulation {
 public:
  Simulation(Goal goal, const LogGops& model) : goal_(std::move(goal)), model_(model), hosts_(goal_.ranks) {}

  Time run() {
    for (std::size_t number = 0; number < goal_.operations.size(); ++number) {
      const Operation& operation = goal_.operations[number];
      if (!operation.is_send) {
        EXPECT_EQ(operation.missing, 0U) << "a receive that requires something";
        receives_[{operation.peer, operation.rank, operation.tag}].push_back(number);
      } else if (operation.missing == 0) {
        push(0, number, false);
      }
    }
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.has_arrived) {
        arrive(event);
      } else {
        send(event);
      }
    }
    for (const Operation& operation : goal_.operations)
      EXPECT_TRUE(operation.is_done) << "not matched or never started";
    return latest_;
  }

 private:
  struct Event {
    Time time;
    std::size_t order;
    std::size_t operation;  ///< a send
    bool has_arrived;       ///< at its receiver
    bool operator<(const Event& other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
  };
  struct Host {
    Time processor = 0;
    Time sending = 0;
    Time receiving = 0;
  };

  void push(Time time, std::size_t operation, bool has_arrived) {
    events_.push({time, ++order_, operation, has_arrived});
  }

  void send(const Event& event) {
    const Operation& operation = goal_.operations[event.operation];
    Host& host = hosts_[operation.rank];
    const Time free = std::max(host.processor, host.sending);
    if (free > event.time) return push(free, event.operation, false);
    const Time further = operation.size - 1;
    host.processor = event.time + model_.o + further * model_.O;
    host.sending = event.time + model_.g + further * model_.G;
    push(event.time + model_.o + model_.L, event.operation, true);
    end(event.operation, host.processor);
  }

  void arrive(const Event& event) {
    const Operation& sent = goal_.operations[event.operation];
    Host& host = hosts_[sent.peer];
    const Time free = std::max(host.processor, host.receiving);
    if (free > event.time) return push(free, event.operation, true);
    const Time further = sent.size - 1;
    host.processor = event.time + model_.o + std::max(further * model_.O, further * model_.G);
    host.receiving = event.time + model_.g + further * model_.G;
    auto& waiting = receives_[{sent.rank, sent.peer, sent.tag}];
    ASSERT_EQ(waiting.size(), 1U) << "one receive for each tag of a pair";
    EXPECT_EQ(goal_.operations[waiting.front()].size, sent.size);
    end(waiting.front(), host.processor);
    waiting.clear();
  }

  void end(std::size_t number, Time time) {
    latest_ = std::max(latest_, time);
    goal_.operations[number].is_done = true;
    for (const std::size_t dependent : goal_.operations[number].dependents) {
      if (--goal_.operations[dependent].missing == 0) push(time, dependent, false);
    }
  }

  Goal goal_;
  const LogGops model_;
  std::vector<Host> hosts_;
  std::map<std::tuple<std::size_t, std::size_t, std::uint64_t>, std::vector<std::size_t>> receives_;
  std::priority_queue<Event> events_;
  std::size_t order_ = 0;
  Time latest_ = 0;
};

/// A run with messages that cost 1000 and 7 a word, and LogGOPSim's time.
struct SimulatedRun {
  std::string flags;
  Time time;
};

// The times that LogGOPSim itself gave for these runs; they equal the closed forms: n (beta + m tau) for a broadcast, n
// beta + (k-1) m tau for ADEA, (k-1)(beta + m tau) round a ring, n beta + n k/2 m tau for the exchange.
TEST(TraceGoal, TakesTheModelledTimeInLogGopSim) {
  const std::vector<SimulatedRun> runs{{"--machine hypercube:4 --algorithm broadcast/sbt", 4140},
                                       {"--machine hypercube:4 --algorithm broadcast/sbt --root 5", 4140},
                                       {"--machine hypercube:4 --algorithm gather/sbt", 4525},
                                       {"--machine hypercube:4 --algorithm scatter/sbt", 4525},
                                       {"--machine hypercube:4 --algorithm allgather/adea", 4525},
                                       {"--machine hypercube:10 --algorithm allgather/adea", 45805},
                                       {"--machine ring:8 --algorithm allgather/daisy-chain", 7245},
                                       {"--machine hypercube:5 --algorithm alltoall/exchange", 7800}};
  for (const SimulatedRun& run : runs) {
    SCOPED_TRACE(run.flags);
    const TemporaryDirectory directory;
    const Finished traced =
        lockstep("trace " + run.flags + " --words 5 --beta 1000 --tau 7 --json - --goal " + directory.file("goal"));
    ASSERT_EQ(traced.exit_code, 0) << traced.err;
    EXPECT_EQ(nlohmann::json::parse(traced.out)["modelled_time"]["asynchronous"], run.time);
    Simulation simulation(Goal(read_file(directory.file("goal"))), {.L = 1000, .g = 1000, .G = 7});
    EXPECT_EQ(simulation.run(), run.time);
  }
}

TEST(TraceGoal, HasASendForEveryReceiveAndRequiresWhatCameBefore) {
  EXPECT_EQ(lockstep("trace --machine ring:3 --algorithm allgather/daisy-chain --words 4 --goal -").out,
            R"(num_ranks 3
// allgather/daisy-chain on ring:3
rank 0 {
s0: send 5b to 1 tag 0
r2: recv 5b from 2 tag 0
s3: send 5b to 1 tag 1
s3 requires s0
s3 requires r2
r5: recv 5b from 2 tag 1
}
rank 1 {
s1: send 5b to 2 tag 0
r0: recv 5b from 0 tag 0
s4: send 5b to 2 tag 1
s4 requires s1
s4 requires r0
r3: recv 5b from 0 tag 1
}
rank 2 {
s2: send 5b to 0 tag 0
r1: recv 5b from 1 tag 0
s5: send 5b to 0 tag 1
s5 requires s2
s5 requires r1
r4: recv 5b from 1 tag 1
}
)");
}

}  // namespace
}  // namespace lockstep::test::trace_goal_test
