// The same operation on two machines, or under two rules.
#include "lists.hpp"

namespace lockstep::cli {
namespace {

Demo bus_against_switch() {
  return {
      .name = "bus-switch",
      .title = "Bus against switch",
      .summary = "all learn all blocks: one speaks and seven hear, or eight speak to one each",
      .introduction =
          "Eight processors have a block of a word each, and all shall have all eight. On the bus only one can speak "
          "in a step, but all others hear it. On the switch all can speak at once, but each to one other only, and "
          "nobody can hear two. What is better, to be heard by all or to speak at the same time?",
      .exhibits = {{.title = "bus", .arguments = {"--machine", "bus:8", "--algorithm", "allgather/direct"}},
                   {.title = "switch", .arguments = {"--machine", "switch:8", "--algorithm", "allgather/doubling"}}},
      .sentences =
          {{1,
            "Bus: 0 says its block, and seven processors have a new one. Switch: everybody is given the block of the "
            "next rank, eight new ones at the same time. It passes, as it is a permutation."},
           {2,
            "Bus: 1 says its block. Switch: everybody has two blocks and is given those of the processor two places "
            "on: again both are new."},
           {3,
            "Bus: 2 says its block. Switch: everybody is given four blocks by the processor four places on, and has "
            "all eight. The number of blocks in hand has doubled in each step: 1, 2, 4, 8."},
           {4, "The switch is done. On the bus 3 says its block: it is half way."},
           {5, "4 says its block. Everybody else waits and listens."},
           {6, "5 says its block. More processors would not help here: each has a block that nobody else can say."},
           {7, "6 says its block. The steps grow with the number of processors, on the switch with its logarithm."},
           {8, "7 says its block, and all have all."}},
      .ending =
          "Bus: 8 steps and 8 words, as a transaction counts once, however many hear it; time 8 * (1 + 1) = 16. "
          "Switch: 3 steps, ceil(log2 8), 24 messages, 56 words; messages of 1, 2 and 4 words, so the time is 3 + 7 = "
          "10. Both are the least on their machine: blocks have to be said one by one on the bus, and to come in one "
          "by one, 7 words, through the port of each processor on the switch.",
      .question = "Make the blocks 1000 words long. By how much does the switch win then, and why by so little?",
      .answer =
          "8 * (1 + 1000) = 8008 against 3 + 7000 = 7003. Everybody has to receive 7000 words through its one port, "
          "whatever the switch can do. The bus is nearly as quick because all want the same blocks. If everybody has "
          "another block for each of the others, alltoall, it is 56,008 against 12,003.",
      .notes = {"7 minutes. The bus is a lecture, the switch is eight telephones: who would spread news faster?",
                "The bus wins a broadcast, 1 step to 3: `lockstep compare --operation broadcast --machine bus:8 "
                "--machine switch:8`.",
                "The answer by experiment: `lockstep compare --operation allgather --machine bus:8 --machine switch:8 "
                "--words 1000`, and the same with --operation alltoall.",
                "Mention what they cost: a bus is a wire, a crossbar for K processors has K times K points."}};
}

Demo ports() {
  return {
      .name = "one-all-ports",
      .title = "One port against all ports",
      .summary = "the same broadcast down the same tree, over one link at a time or over all",
      .introduction =
          "Processor 0 broadcasts an item on the 3-cube down a tree in which nobody has more than two children: 0 has "
          "1 and 4, 1 has 3 and 5, 4 has 6, and 6 has 7 and 2. With one port a processor can send over one of its "
          "links in a step, with all ports over all of them. The tree, the messages and the words are the same.",
      .exhibits = {{.title = "one port",
                    .arguments = {"--machine", "hypercube:3", "--algorithm", "broadcast/drbt", "--ports", "one"}},
                   {.title = "all ports",
                    .arguments = {"--machine", "hypercube:3", "--algorithm", "broadcast/drbt", "--ports", "all"}}},
      .sentences = {{1,
                     "All ports: 0 serves both children at once. One port: it has to choose, and 4 comes first, since "
                     "the way behind it is longer."},
                    {2,
                     "All ports: 1 and 4 serve their three children. One port: 0 now serves 1, while 4 serves 6: one "
                     "step late in this branch."},
                    {3,
                     "All ports: 6 serves 7 and 2, and all have the item. One port: 1 and 6 have two children each and "
                     "serve the first. 0 and 4 have the item too, but nobody left to send it to."},
                    {4, "One port: 1 and 6 serve their second children, 5 and 2."}},
      .ending =
          "4 steps with one port, 2 (n - 1), and 3 with all ports, n: the depth of the tree. Both need 7 messages and "
          "7 words, one for everybody but the root; ports do not change what has to move, only how much of it at once. "
          "The time is 4 * (1 + 1) = 8 against 6. The bound is 3 steps for both.",
      .question =
          "broadcast/sbt takes 3 steps on the 3-cube with one port. What does its tree have that this one lacks?",
      .answer =
          "In the binomial tree the root has three children, the first of them two, and so on: each holder has "
          "somebody to send to in every step until the end, so that the holders double. Here nobody has more than two, "
          "and 0 and 4 rest from step 3 on while others lack the item.",
      .notes = {"5 minutes. Draw the tree on the board beside the picture of the cube.",
                "Where ports matter most: `lockstep compare --operation allgather --machine hypercube:4 --ports one "
                "--ports all`.",
                "Where they do not matter at all: `lockstep run --machine hypercube:3 --algorithm broadcast/sbt "
                "--ports all`.",
                "The three port models are told apart by `lockstep explain 'port model'`."}};
}

}  // namespace

std::vector<Demo> comparison_demos() { return {bus_against_switch(), ports()}; }

}  // namespace lockstep::cli
