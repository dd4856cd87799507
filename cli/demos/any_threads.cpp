#include "host/table.hpp"
#include "learn/demo_run.hpp"
#include "lists.hpp"

namespace lockstep::cli {
namespace {

/// The digests of one run under several numbers of threads and orders of processors.
std::string digests(const std::atomic<bool>& stop) {
  const std::vector<std::string> run{"--machine", "hypercube:8", "--algorithm", "sort/bitonic", "--words", "16"};
  const std::vector<std::pair<std::string, std::vector<std::string>>> ways{
      {"1 thread", {"--threads", "1"}},
      {"2 threads", {"--threads", "2"}},
      {"16 threads", {"--threads", "16"}},
      {"schedule seed 1", {"--executor", "seeded", "--schedule-seed", "1"}},
      {"schedule seed 2", {"--executor", "seeded", "--schedule-seed", "2"}},
      {"schedule seed 3", {"--executor", "seeded", "--schedule-seed", "3"}}};
  Column how{"256 processors", true, {}}, digest{"digest", true, {}};
  for (const auto& [name, flags] : ways) {
    std::vector<std::string> arguments = run;
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    how.cells.push_back(name);
    digest.cells.push_back(run_of(arguments, stop).digest);
  }
  return "Sorting 4,096 records, run six times:\n\n" + plain_table({how, digest});
}

}  // namespace

std::vector<Demo> any_threads_demos() {
  return {
      {.name = "any-threads",
       .title = "Any number of threads, one result",
       .summary = "one run under 1, 2 and 16 threads and three orders of the processors: one digest",
       .introduction =
           "Every emulated processor is a task of its own, and the host's threads take the tasks in an order that "
           "nobody knows. Nevertheless a run always comes to the same: data, counts and modelled times. To see why, "
           "watch a small sort: each of 8 processors holds one number, and compares it with that of a neighbour, step "
           "by step. The question in each step is whether it matters who goes first.",
       .exhibits = {{.title = "", .arguments = {"--machine", "hypercube:3", "--algorithm", "sort/bitonic"}}},
       .sentences =
           {{1,
             "Pairs 0 and 1, 2 and 3, .. exchange their numbers. Whichever of the two a thread takes first: what it "
             "sends arrives in the next cycle only, so that neither sees the other's move within this one."},
            {2,
             "A barrier ends each cycle for all. Everybody has sent before anybody looks; that is what lockstep "
             "means."},
            {3,
             "Each link has a channel of its own in each direction, so that no two senders ever race for one place."},
            {4,
             "Four pairs exchange over bit 2. No pair has anything to do with another one, so that they can be taken "
             "in "
             "any order."},
            {5,
             "A program sees its own variables and what has arrived, nothing else. There is nothing through which the "
             "order could be seen."},
            {6, "The sort ends: processor 0 has the least, 7 the largest number, on every host, every time."}},
       .ending =
           "A digest is a number of 16 hexadecimal digits that stands for all of a run: the data of all processors, "
           "every count "
           "and "
           "both modelled times. The six runs of the table are of a larger sort. Their digests were computed just "
           "now, with different threads and in different orders, and they are one.",
       .question =
           "Take the barrier away: processors go on as soon as they like, and a message can be taken as soon as "
           "it is there. Would the sorted data still be the same? Would the counts of each cycle?",
       .answer =
           "This sort names the port on which it waits for every message, so that its data would be the same: it is a "
           "network of processes that wait for named channels. A program that takes whichever message comes first "
           "could differ. Which messages move together in a cycle would depend on the host in both.",
       .notes =
           {"5 minutes. The walk is short; the table is the point.",
            "Seeded executors take the processors in an order that the seed decides: a way to search for a bug that "
            "depends on the order, and to find it again.",
            "Let the students choose a seed: `lockstep run --machine hypercube:8 --algorithm sort/bitonic --words 16 "
            "--executor seeded --schedule-seed 4711` shows the same digest."},
       .finale = digests}};
}

}  // namespace lockstep::cli
