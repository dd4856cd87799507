// Machines that are divided over processes: runs that cannot be divided are refused, and a run ends alike in all of
// them. The processes are threads of this one; tests/reference has the random programs.
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../threaded_processes.hpp"
#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::division_test {
namespace {

using runs::expect_failure;
using runs::options;
using test::ThreadedProcesses;

using Self = Processor<Word>;

/// The message of what body(division) throws in each of two processes, which hold half of the processors each;
/// "nothing" where it throws nothing.
template <class Body>
std::array<std::string, 2> complaints(Rank processors, const Body& body, unsigned parts = 2) {
  const Placement placement(processors, parts);
  std::array<std::string, 2> complaints{"nothing", "nothing"};
  const auto thrown = ThreadedProcesses(2).run([&](Processes& own) {
    const Division division{own, placement};
    body(division);
  });
  for (std::size_t process = 0; process < 2; ++process) {
    try {
      if (thrown[process]) std::rethrow_exception(thrown[process]);
    } catch (const std::invalid_argument& error) {
      complaints[process] = error.what();
    }
  }
  return complaints;
}

std::array<std::string, 2> both(const std::string& text) { return {text, text}; }

/// A payload that has a length but cannot be sent to another process.
struct Local {
  std::unique_ptr<int> value;
};
std::uint64_t words(const Local&) { return 1; }

TEST(Division, IsRefusedToPayloadsThatCannotGoToAnotherProcess) {
  const Topology path = wirings::path(4);
  EXPECT_EQ(complaints(4,
                       [&](const Division& division) {
                         const auto executor = make_executor(ExecutorKind::sequential);
                         const Machine<Local> machine(path, {}, *executor, ChannelKind::compact, &division);
                       }),
            both("path is divided over processes, but its messages cannot be packed"));
}

TEST(Division, IsRefusedToAnotherNumberOfProcessesThanThereAre) {
  const Topology path = wirings::path(4);
  EXPECT_EQ(complaints(
                4,
                [&](const Division& division) {
                  const auto executor = make_executor(ExecutorKind::sequential);
                  const Machine<Word> machine(path, {}, *executor, ChannelKind::compact, &division);
                },
                3),
            both("path is divided over 3 processes, of which there are 2"));
}

TEST(Division, IsRefusedToMachinesThatSufferFaults) {
  const Topology path = wirings::path(4);
  EXPECT_EQ(complaints(4,
                       [&](const Division& division) {
                         const auto executor = make_executor(ExecutorKind::sequential);
                         Machine<Word> machine(path, {}, *executor, ChannelKind::compact, &division);
                         machine.apply({.links = {{0, 1, 2}}});
                       }),
            both("a machine that is divided over processes cannot have faults"));
}

/// Sends to the right once and waits for a message from the left.
Process shift(Self& self) {
  if (self.has_link(0)) self.send(0, self.rank());
  if (self.has_link(1)) co_await self.message(1);
}

TEST(Division, IsRefusedToRunsWithAnObserver) {
  struct Idle : Observer<Word> {
    void barrier(Cycle, std::vector<Transfer<Word>>&) override {}
  };
  const Topology path = wirings::path(4);
  EXPECT_EQ(complaints(4,
                       [&](const Division& division) {
                         const auto executor = make_executor(ExecutorKind::sequential);
                         Machine<Word> machine(path, {}, *executor, ChannelKind::compact, &division);
                         Idle idle;
                         machine.observe(&idle);
                         machine.run(shift, options());
                       }),
            both("path is divided over processes, where no observer sees all of it"));
}

TEST(Division, OfComputedWiringsIsThatOfTabledOnes) {
  const Topology tabled = wirings::ring(6);
  const Topology computed =
      Topology::computed("ring", 6, 2, [&](Rank rank, Port port) { return tabled.peer(rank, port); });
  for (const Topology* ring : {&tabled, &computed}) {
    std::array<std::uint64_t, 2> messages{};
    EXPECT_EQ(complaints(6,
                         [&](const Division& division) {
                           const auto executor = make_executor(ExecutorKind::sequential);
                           Machine<Word> machine(*ring, {}, *executor, ChannelKind::compact, &division);
                           messages[division.processes.own()] = machine.run(shift, options()).messages;
                         }),
              both("nothing"));
    EXPECT_EQ(messages, (std::array<std::uint64_t, 2>{6, 6}));
  }
}

/// Rank 3 of four throws something that is not a std::exception.
Process throw_a_number(Self& self) {
  co_await self.cycle();
  if (self.rank() == 3) throw 7;
  co_await self.cycle();
}

TEST(Division, TellsAllOfAnExceptionOfUnknownType) {
  const Topology path = wirings::path(4);
  const Placement placement(4, 2);
  const auto thrown = ThreadedProcesses(2).run([&](Processes& own) {
    const Division division{own, placement};
    const auto executor = make_executor(ExecutorKind::sequential);
    Machine<Word> machine(path, {}, *executor, ChannelKind::compact, &division);
    machine.run(throw_a_number, options());
  });
  for (const std::exception_ptr& one : thrown) {
    ASSERT_TRUE(one);
    try {
      std::rethrow_exception(one);
    } catch (const ProgramError& error) {
      expect_failure(
          error,
          {ErrorKind::exception, 1, 3, {}, "test: cycle 1, rank 3: the program threw an exception of unknown type"});
      EXPECT_THROW(std::rethrow_exception(error.cause()), int);
    }
  }
}

Process compute(Self& self, std::uint64_t operations) {
  self.compute(operations);
  co_return;
}

Process go_on(Self& self) {
  for (Cycle cycle = 0; cycle < 1000; ++cycle) co_await self.cycle();
}

TEST(Division, StopsAllWhereOneIsAskedTo) {
  const Topology path = wirings::path(4);
  const Placement placement(4, 2);
  for (const unsigned asked : {0U, 1U}) {
    const auto thrown = ThreadedProcesses(2).run([&](Processes& own) {
      const Division division{own, placement};
      const auto executor = make_executor(ExecutorKind::sequential);
      Machine<Word> machine(path, {}, *executor, ChannelKind::compact, &division);
      std::atomic<bool> stop{false};
      RunOptions stoppable = options();
      stoppable.stop = &stop;
      stoppable.on_barrier = [&](const Progress& progress) {
        if (own.own() == asked && progress.cycle == 6) stop = true;
      };
      machine.run(go_on, stoppable);
    });
    for (const std::exception_ptr& one : thrown) {
      ASSERT_TRUE(one) << asked;
      try {
        std::rethrow_exception(one);
      } catch (const RunError& error) {
        expect_failure(error, {ErrorKind::interrupted, 6, no_rank, {}, "test: interrupted after cycle 6"});
      }
    }
  }
}

/// The error that ends the run in both processes, which hold half of the processors each.
void expect_failure_of_both(const Topology& topology, const std::function<Process(Self&)>& program,
                            const runs::Expected& expected) {
  const Placement placement(topology.processors(), 2);
  const auto thrown = ThreadedProcesses(2).run([&](Processes& own) {
    const Division division{own, placement};
    const auto executor = make_executor(ExecutorKind::sequential);
    Machine<Word> machine(topology, {}, *executor, ChannelKind::compact, &division);
    machine.share(topology.medium() && topology.medium()->kind == MediumKind::memory ? 4 : 0);
    expect_failure(runs::failure_of(machine, program), expected);
  });
  for (const std::exception_ptr& one : thrown) EXPECT_FALSE(one);
}

/// Rank 1 sends to 0 in cycle 3, and rank 2 to 3 in cycle 1.
Process send_in_vain(Self& self) {
  co_await self.until(self.rank() == 1 ? 3 : 1);
  if (self.rank() == 1) self.send(1, 1);
  if (self.rank() == 2) self.send(0, 1);
}

TEST(Division, ReportsTheFirstMessageNeverReceivedToAll) {
  expect_failure_of_both(wirings::path(4), send_in_vain,
                         {ErrorKind::undelivered,
                          1,
                          3,
                          {1},
                          "test: cycle 1, rank 3, port 1: a message from rank 2 was never received (2 in all)"});
}

Process send_to_the_lower_in_vain(Self& self) {
  if (self.rank() % 2 == 1) self.send(self.rank() - 1, 1);
  co_return;
}

TEST(Division, ReportsTheFirstMessageOnAMediumNeverReceivedToAll) {
  expect_failure_of_both(wirings::crossbar(4), send_to_the_lower_in_vain,
                         {ErrorKind::undelivered,
                          0,
                          0,
                          {1},
                          "test: cycle 0, rank 0, peer 1: a message from there was never received (2 in all)"});
}

/// Ranks 1 and 3 request a slot and never read its value.
Process read_in_vain(Self& self) {
  if (self.rank() == 0) self.write(0, 1);
  co_await self.cycle();
  if (self.rank() % 2 == 1) static_cast<void>(self.read(0));
}

TEST(Division, ReportsTheFirstReaderOfUnusedValuesToAll) {
  expect_failure_of_both(
      wirings::memory(4, 4), read_in_vain,
      {ErrorKind::undelivered, 1, 1, {}, "test: rank 1 was given more values than it has read (2 in all)"});
}

TEST(Division, TellsAllOfACountBeyond64BitsThatNoProcessHasAlone) {
  expect_failure_of_both(wirings::path(4), [](Self& self) { return compute(self, std::uint64_t{1} << 62U); },
                         {ErrorKind::count_overflow, 0, no_rank, {}, "test: cycle 0: a count goes beyond 64 bits"});
}

/// What the process `to` throws when data on its way there is changed by `change`, in a run of `shift` on two
/// processors in two processes.
std::string complaint_of_changed(unsigned to, const std::function<void(Bytes&)>& change) {
  const Topology path = wirings::path(2);
  const Placement placement(2, 2);
  ThreadedProcesses processes(2, [&](unsigned, unsigned receiver, Bytes bytes) {
    if (receiver == to) change(bytes);
    return std::vector<Bytes>{std::move(bytes)};
  });
  const auto thrown = processes.run([&](Processes& own) {
    const Division division{own, placement};
    const auto executor = make_executor(ExecutorKind::sequential);
    Machine<Word>(path, {}, *executor, ChannelKind::compact, &division).run(shift, options());
  });
  try {
    if (thrown[to]) std::rethrow_exception(thrown[to]);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

/// The data of a cycle starts with the cycle and both processes, 4 bytes each; its items follow.
constexpr std::size_t header_bytes = 12;

TEST(Division, RefusesMoreMessagesThanFitOnALink) {
  const auto repeat_item = [](Bytes& bytes) {
    const Bytes item(bytes.begin() + header_bytes, bytes.end());
    for (int copy = 0; copy < 1000; ++copy) bytes.insert(bytes.end(), item.begin(), item.end());
  };
  EXPECT_EQ(complaint_of_changed(1, repeat_item), "another process sent more messages than there is room for");
}

TEST(Division, RefusesMoreMessagesTakenThanSent) {
  // A report of emptied places: the link, 4 bytes, and how many.
  const auto report_one_more = [](Bytes& bytes) {
    if (bytes.size() == header_bytes + 8) bytes[header_bytes + 4] = std::byte{2};
  };
  EXPECT_EQ(complaint_of_changed(0, report_one_more),
            "more messages were taken in another process than were sent there");
}

}  // namespace
}  // namespace lockstep::division_test
