#include "reproductions/six_machines.hpp"

#include <limits>

#include "host/joined.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "lists.hpp"
#include "run/execution.hpp"

namespace lockstep::cli {
namespace {

constexpr SixMachinesSize size{.k = 16, .N = 1536, .kstar = 4, .beta = 10};

double time_of(const SixMachinesCell& cell) {
  return predicted_time(planned(plan_prediction(arguments_of(cell, size))))->value;
}

/// As the race calls it.
std::string name_of(const SixMachinesCell& cell) {
  if (cell.machine == "shared memory") return "memory";
  return cell.machine == "grid" ? "torus" : cell.machine;
}

/// The predicted times of three operations on the six machines, and who is fastest.
std::string times(const std::atomic<bool>&) {
  const std::vector<std::pair<std::string, std::string>> operations{
      {"one to all", "1 to all"}, {"all to all", "all to all"}, {"scatter", "scatter"}};
  std::vector<Column> columns{{"time", true, {}}};
  std::string text = "Modelled times for 1,536 words in all,\nby the methods of the paper:\n\n";
  std::vector<std::string> winners;
  for (const auto& [operation, heading] : operations) {
    Column column{heading, false, {}};
    double least = std::numeric_limits<double>::infinity();
    std::string fastest;
    for (const SixMachinesCell& cell : six_machines_cells()) {
      if (cell.operation != operation) continue;
      if (columns.size() == 1) columns.front().cells.push_back(name_of(cell));
      const double time = time_of(cell);
      if (time < least) fastest = name_of(cell);
      least = std::min(least, time);
      column.cells.push_back(short_number(time, 6));
    }
    columns.push_back(column);
    winners.push_back(fastest);
  }
  return text + plain_table(columns) + "\nFastest: " + joined(winners) + ".\n";
}

Exhibit exhibit(const std::string& title, const std::string& machine, const std::string& method, bool in_packets) {
  std::vector<std::string> arguments{"--machine", machine, "--algorithm", "broadcast/" + method,
                                     "--words",   "16",    "--beta",      "10"};
  if (in_packets) arguments.insert(arguments.end(), {"--packets", "1"});
  return {.title = title, .arguments = arguments};
}

}  // namespace

std::vector<Demo> six_machines_demos() {
  return {
      {.name = "six-machines",
       .title = "Six machines race: one tells all",
       .summary = "one broadcast on bus, memory, ring, torus, hypercube and switch, under one clock",
       .introduction =
           "Saad & Schultz (1988) asked which way of wiring processors is best, and gave each of six machines methods "
           "of its own for the same operations. Here sixteen processors race: processor 0 has an item of 16 words, "
           "and everybody wants it. A start-up costs 10 and a word 1, so that a message of the whole item takes 26. "
           "Nobody divides the item, but on the torus, whose processors use all their links at once, it goes in two "
           "halves. On bus, ring and hypercube several may hear one message.",
       .exhibits = {exhibit("bus", "bus:16", "direct", false),
                    exhibit("shared memory, 4 accesses a cycle", "shared:16,kstar=4", "direct", false),
                    exhibit("ring", "ring:16", "two-way", true), exhibit("torus", "torus:4x4", "two-streams", true),
                    exhibit("hypercube", "hypercube:4", "sbt-pipelined", true),
                    exhibit("switch", "switch:16", "tree", true)},
       .sentences =
           {{1,
             "On the bus all the others listen: one transaction, and the race is over there. The memory has been "
             "written, but nobody has read yet. Ring, torus and hypercube have told their neighbours: two, four and "
             "four. On the torus each message is half the item, and travels in two streams."},
            {2,
             "Four may read the memory in a cycle, so that fifteen readers need four cycles. On the hypercube whoever "
             "knows tells neighbours in higher dimensions only, and nobody is told twice."},
            {3,
             "The ring gains two processors a step, whatever happens; the switch doubles slowly, as a processor of its "
             "tree tells one child after the other."},
            {4,
             "Torus and hypercube end in the same step: on both, the farthest processor is four links away, and the "
             "item goes one link a step. A step of half an item is the shorter one."},
            {5, "The memory ends: one step to write, four to read."},
            {6,
             "The switch ends. It has all the wires, but a tree in which everybody tells two children takes two steps "
             "a level."},
            {7, "The ring is alone now. Both its arms are moving, one processor a step each."},
            {8, "Processor 8 is opposite to 0, at distance 8: no ring of 16 can do it sooner."}},
       .ending =
           "Steps are 1, 5, 8, 4, 4 and 6. In time the bus wins with 26, and the torus comes second with 72, before "
           "the hypercube with 104: its two streams carry half the item each. The item is short, so that the bus with "
           "its "
           "single start-up cannot be beaten. The table is of a longer one, in as many packets as are best: there many "
           "links beat one bus, and each operation has a winner of its own.",
       .question = "All to all, everybody tells everybody the same. Why does the bus need at least 16 steps for it, "
                   "and why do 4 suffice on the hypercube?",
       .answer = "The bus carries one item a cycle, and there are sixteen. On the hypercube what a processor knows can "
                 "double in "
                 "each of the log2 16 = 4 steps, as it and a neighbour tell each other all that they know: "
                 "`lockstep trace --machine hypercube:4 --algorithm allgather/adea` shows how.",
       .notes =
           {"10 minutes. Let the students bet before the first step: most bet on the switch.",
            "Point at the ring in steps 6 to 8: it is the only one that still moves. Distance is fate.",
            "The table at the end is computed from the paper's methods: `lockstep reproduce saad-schultz-table-1` and "
            "`lockstep reproduce saad-schultz-table-2` have its tables, with what the paper got wrong.",
            "With --packets N the ring, torus, hypercube and switch send the item in parts: `lockstep demo "
            "pipelining` shows why that helps."},
       .finale = times}};
}

}  // namespace lockstep::cli
