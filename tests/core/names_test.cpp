// The names in reports, errors and flags are the words of docs/command.md and docs/semantics.md.
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "runs.hpp"

namespace lockstep::names_test {
namespace {

template <class Kind>
void expect_names(const std::vector<std::pair<Kind, std::string>>& names) {
  for (const auto& [kind, expected] : names) EXPECT_EQ(name(kind), expected);
}

TEST(Names, OfModelsAreThoseOfTheFlags) {
  expect_names<PortModel>({{PortModel::one, "one"},
                           {PortModel::one_strict, "one-strict"},
                           {PortModel::all, "all"},
                           {PortModel::ring, "ring"},
                           {k_ports(3), "3"}});
  expect_names<Duplex>({{Duplex::full, "full"}, {Duplex::half_link, "half-link"}, {Duplex::half_node, "half-node"}});
  expect_names<Switching>({{Switching::store_and_forward, "store-and-forward"},
                           {Switching::cut_through, "cut-through"},
                           {Switching::circuit, "circuit"}});
  expect_names<StartupPer>({{StartupPer::hop, "hop"}, {StartupPer::path, "path"}});
  expect_names<ChannelKind>({{ChannelKind::lockfree, "lockfree"}, {ChannelKind::compact, "compact"}});
}

TEST(Names, OfErrorsAreThoseOfReports) {
  expect_names<ErrorKind>({{ErrorKind::no_link, "no-link"},
                           {ErrorKind::link_down, "link-down"},
                           {ErrorKind::send_limit, "send-limit"},
                           {ErrorKind::overflow, "overflow"},
                           {ErrorKind::receive_limit, "receive-limit"},
                           {ErrorKind::one_strict, "one-strict"},
                           {ErrorKind::half_link, "half-link"},
                           {ErrorKind::half_node, "half-node"},
                           {ErrorKind::medium_limit, "medium-limit"},
                           {ErrorKind::blocked, "blocked"},
                           {ErrorKind::write_conflict, "write-conflict"},
                           {ErrorKind::bank_conflict, "bank-conflict"},
                           {ErrorKind::nothing_arrived, "nothing-arrived"},
                           {ErrorKind::exception, "exception"},
                           {ErrorKind::deadlock, "deadlock"},
                           {ErrorKind::livelock, "livelock"},
                           {ErrorKind::undelivered, "undelivered"},
                           {ErrorKind::too_many_phases, "too-many-phases"},
                           {ErrorKind::count_overflow, "count-overflow"},
                           {ErrorKind::interrupted, "interrupted"},
                           {ErrorKind::invalid_schedule, "invalid-schedule"}});
}

TEST(Names, OfNoKindAreEmpty) {
  EXPECT_EQ(name(static_cast<Duplex>(99)), "");
  EXPECT_EQ(name(static_cast<Switching>(99)), "");
  EXPECT_EQ(name(static_cast<ExecutorKind>(99)), "");
  EXPECT_EQ(name(static_cast<ErrorKind>(99)), "");
}

TEST(Names, OfExecutorsAreThoseByWhichTheyAreMade) {
  for (const auto& [kind, expected] :
       std::vector<std::pair<ExecutorKind, std::string>>{{ExecutorKind::tbb, "tbb"},
                                                         {ExecutorKind::threads, "threads"},
                                                         {ExecutorKind::seeded, "seeded"},
                                                         {ExecutorKind::sequential, "sequential"}}) {
    EXPECT_EQ(name(kind), expected);
    EXPECT_EQ(make_executor(kind, 2)->name(), expected);
  }
}

TEST(ExecutorOf, EveryKindDoesNothingWhereThereIsNothingToDo) {
  runs::on_every_executor(1, [](Executor& executor) {
    std::atomic<std::size_t> done{0};
    executor.for_ranges(0, 1, [&](unsigned, std::size_t first, std::size_t last) { done += last - first; });
    EXPECT_EQ(done, 0U);
    executor.for_ranges(5, 1, [&](unsigned, std::size_t first, std::size_t last) { done += last - first; });
    EXPECT_EQ(done, 5U);
  });
}

}  // namespace
}  // namespace lockstep::names_test
