// The core on machines of every family: a message over every link in both directions, under every executor.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "lockstep/machines/topologies.hpp"
#include "naive_graph.hpp"
#include "runs.hpp"

namespace lockstep::messages_test {
namespace {

/// The message received on each port; "nothing" where there is no link.
using Heard = std::vector<End>;

Word as_word(End end) { return Word{end.rank} << 32 | end.port; }
End as_end(Word word) { return {static_cast<Rank>(word >> 32), static_cast<Port>(word)}; }

/// Sends its rank and the port's number on every port, and receives from all neighbours.
Process greet(Processor<Word>& self, Heard& heard) {
  for (Port port = 0; port < self.ports(); ++port) {
    if (self.has_link(port)) self.send(port, as_word({self.rank(), port}));
  }
  co_await self.cycle();
  heard.resize(self.ports());
  for (const Port port : self.arrivals()) {
    const Word word = self.receive(port);
    heard[port] = as_end(word);
  }
}

TEST(Messages, CrossEveryLinkUnderEveryExecutor) {
  std::vector<const NaiveMachine*> machines;
  for (const NaiveMachine& machine : naive_machines()) {
    if (machine.graph.size() <= 128) machines.push_back(&machine);
  }
  std::vector<Topology> topologies;
  for (const NaiveMachine* machine : machines) topologies.push_back(build(parse_machine(machine->spec)));

  runs::on_every_executor(2, [&](Executor& executor) {
    for (std::size_t index = 0; index < machines.size(); ++index) {
      const NaiveGraph& graph = machines[index]->graph;
      SCOPED_TRACE(machines[index]->spec);
      Machine<Word> machine(topologies[index], {.ports = PortModel::all}, executor);
      std::vector<Heard> heard(graph.size());
      const Report report =
          machine.run([&](Processor<Word>& self) { return greet(self, heard[self.rank()]); }, runs::options());
      EXPECT_EQ(report.messages, 2 * graph.links());
      EXPECT_EQ(report.cycles, graph.links() == 0 ? 0U : 1U);
      for (Rank rank = 0; rank < graph.size(); ++rank) {
        std::set<Rank> neighbours;
        for (Port port = 0; port < heard[rank].size(); ++port) {
          const End there = heard[rank][port];
          if (!there) continue;
          neighbours.insert(there.rank);
          ASSERT_EQ(heard[there.rank][there.port], (End{rank, port}));
        }
        ASSERT_EQ(neighbours, graph.neighbours[rank]) << "received by rank " << rank;
      }
    }
  });
}

}  // namespace
}  // namespace lockstep::messages_test
