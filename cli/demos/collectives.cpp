// One to all, all to all, one to one: on cubes and a torus.
#include "lists.hpp"

namespace lockstep::cli {
namespace {

Demo broadcast() {
  return {.name = "broadcast-hypercube",
          .title = "Broadcast on a hypercube",
          .summary = "one processor's item reaches all eight in three steps, as the holders double",
          .introduction =
              "Processor 0 has an item that all eight processors need. Two processors are neighbours if their numbers, "
              "in binary, differ in one bit: 0 = 000 has the neighbours 001, 010 and 100. In a step a processor sends "
              "over one of its links only. What is the least number of steps, and who has to send to whom?",
          .exhibits = {{.title = "broadcast/sbt",
                        .arguments = {"--machine", "hypercube:3", "--algorithm", "broadcast/sbt"}}},
          .sentences = {{1,
                         "Only 0 has the item, so only 0 can send. It serves bit 0: its neighbour there is 1. Now the "
                         "holders are all numbers below 2."},
                        {2,
                         "Both holders serve bit 1: 0 sends to 2 and 1 sends to 3. They are in different places, so "
                         "nobody waits. The holders are all numbers below 4, a face of the cube."},
                        {3,
                         "All four holders serve bit 2, from the lower face to the upper one. Every receiver has its "
                         "one sender, so that nobody gets the item twice."}},
          .ending =
              "3 steps = n, and none fewer will do: with one message each the holders can at most double in a step, "
              "from 1 to 2, 4 and 8. 7 messages = 2^n - 1: everybody but the root receives the item once. Each step "
              "costs a start-up of 1 and a word of 1, so the time is 3 * (1 + 1) = 6.",
          .question =
              "Let every processor send over all its links at once. How many steps does the item take then, if it is "
              "not cut into packets?",
          .answer =
              "Still 3. Processor 7 = 111 differs from 0 in three bits, so it is three links away, and a message "
              "crosses one link a step. More ports help only if the item is cut up: see broadcast/sbt-pipelined.",
          .notes = {
              "5 minutes. Before step 1 let the class guess the number of steps and say why it cannot be less.",
              "Point at the picture: the links used so far are a tree, the spanning binomial tree. The parent of a "
              "number is the number without its highest one bit.",
              "The same on other sizes: `lockstep trace --machine hypercube:4 --algorithm broadcast/sbt`. From another "
              "root all numbers are taken xor the root: add --root 5.",
              "The answer by experiment: `lockstep run --machine hypercube:3 --algorithm broadcast/sbt --ports all`."}};
}

Demo total_exchange_algorithms() {
  return {
      .name = "tea1-tea2",
      .title = "TEA1 beside TEA2",
      .summary = "everybody learns everybody's block on the 4-cube, with copies and without",
      .introduction =
          "Each of the 16 processors of the 4-cube has a block of one word, and all shall have all 16. Everybody may "
          "use its four links at once. Both methods go by distance: in step i everybody gets the blocks of those who "
          "are i links away. TEA1 sends whatever can be new to a neighbour; TEA2 sends each block once. The cube is "
          "drawn as a grid, and a line that leaves the picture comes back on the other side.",
      .exhibits = {{.title = "TEA1", .arguments = {"--machine", "hypercube:4", "--algorithm", "allgather/tea1"}},
                   {.title = "TEA2", .arguments = {"--machine", "hypercube:4", "--algorithm", "allgather/tea2"}}},
      .sentences = {{1,
                     "Nobody knows more than its own block, and sends it to its four neighbours. Here both do the "
                     "same: 64 messages of a word. Afterwards everybody has 1 + 4 blocks."},
                    {2,
                     "6 blocks are two links away. TEA1 sends everybody 4 times 3 words: block 3 comes to processor 0 "
                     "from 1 and from 2, as either is on a shortest path. In TEA2 a table says from where each block "
                     "comes: the four links bring 2, 2, 1 and 1. Both now have 11 blocks."},
                    {3,
                     "4 blocks are three links away. In TEA1 each comes over three links, 12 words for 4 new blocks. "
                     "In TEA2 each link brings one of them."},
                    {4,
                     "One block is left, that of the opposite corner: for processor 0 block 15. In TEA1 it comes over "
                     "all four links. In TEA2 one link will do, that of dimension 2, and the others rest."}},
      .ending =
          "Both take 4 steps, the diameter. TEA1 moves 512 words, as a block from distance i comes i times: 16 * (4 + "
          "2 * 6 + 3 * 4 + 4 * 1). TEA2 moves 240 = 16 * 15, the least, since nobody receives a block twice. The "
          "longest message of each step counts for the time: 1 + 3 + 3 + 1 = 8 words against 1 + 2 + 1 + 1 = 5. The "
          "bound is 4 words, 15 blocks over 4 links.",
      .question = "On the 5-cube TEA2 meets its bound on words exactly, on the 4-cube it does not. Why?",
      .answer =
          "At distances 1 to 5 there are 5, 10, 10, 5 and 1 blocks for 5 links: 1 + 2 + 2 + 1 + 1 = 7, and 31 blocks "
          "over 5 links need 7 too. On the 4-cube 6 blocks at distance 2 are no multiple of 4, so that one step more "
          "is rounded up: 5 against 4.",
      .notes = {"10 minutes. Look at processor 0 alone, in the upper left corner: what does it know after step 2 of "
                "either method?",
                "Let the class count who is how far away from a corner of the 4-cube: 4, 6, 4 and 1.",
                "Who meets the bound: `lockstep run --machine hypercube:5 --algorithm allgather/tea2` is called "
                "optimal, `lockstep run --machine hypercube:4 --algorithm allgather/tea2` is not.",
                "All methods in a row: `lockstep compare --operation allgather --machine hypercube:4 --ports all`."}};
}

Demo disjoint_paths() {
  return {
      .name = "disjoint-paths",
      .title = "One path or three",
      .summary = "an item goes from corner to corner of the cube over three paths that share no link",
      .introduction =
          "Processor 0 has nine words for processor 7, at the opposite corner, three links away. In the first run they "
          "go over one path in three packets of three words, one packet behind the other. In the second they are cut "
          "into three parts for three paths, each in three packets of one word. The paths are 0-1-3-7, 0-2-6-7 and "
          "0-4-5-7.",
      .exhibits = {{.title = "one path",
                    .arguments = {"--machine", "hypercube:3", "--algorithm", "send/pipelined", "--words", "9",
                                  "--packets", "3", "--ports", "all"}},
                   {.title = "three paths",
                    .arguments = {"--machine", "hypercube:3", "--algorithm", "send/disjoint-paths", "--words", "9",
                                  "--packets", "3"}}},
      .sentences =
          {{1,
            "The first packets leave. Path r starts with bit r and corrects the others in cyclic order, so that all "
            "three begin with a link of their own."},
           {2,
            "The second packets follow while the first ones go on. After two links the paths are at 3, 6 and 5: three "
            "different processors, so that none of them is in another's way."},
           {3,
            "The pipe is full: every link of every path has a packet. The first packets arrive at 7, each over another "
            "of its three links."},
           {4, "0 has nothing left to send. What is on its way moves up, and the second packets arrive."},
           {5,
            "The last packets arrive. The step is as short as a packet: three words with one path, one with three."}},
      .ending =
          "Both take 5 steps: the last packet leaves in step 3 and has 2 links more to go, nu - 1 + L = 2 + 3. Both "
          "move 27 words, as each of the nine crosses three links. But a step lasts as long as its longest message: 5 "
          "* 3 words against 5 * 1, and with the start-ups the time is 5 + 15 = 20 against 5 + 5 = 10. The bound is 3 "
          "steps, the distance, and 3 words: nine over the three links of 7.",
      .question =
          "Let the destination be 3, which differs from 0 in two bits. Are there still three paths that share no link, "
          "and how long is the third?",
      .answer =
          "Yes: 0-1-3, 0-2-3 and a detour, 0-4-5-7-3, which goes over bit 2 first and comes back over it at the end: 4 "
          "links, two more than the distance. The last packet over it decides when all is there.",
      .notes = {"7 minutes. Ask first how many paths can share no link at all: 0 has three links, so there are three "
                "at most.",
                "In step 3 let the class find the packets of path 0-2-6-7 in the picture.",
                "The question by experiment: `lockstep trace --machine hypercube:3 --algorithm send/disjoint-paths "
                "--destination 3`.",
                "Few packets are long, many cost start-ups: `lockstep sweep --operation send --machine hypercube:3 "
                "--words 90 --vary packets=1..30 --predict`."}};
}

Demo torus_exchange() {
  return {
      .name = "total-exchange-torus",
      .title = "Total exchange on a torus",
      .summary = "everybody has another word for everybody else on the 4x3 torus: 20 steps, nobody ever rests",
      .introduction =
          "Each of the 12 processors has a word of its own for each of the 11 others. In a step everybody may send one "
          "word and receive one. The torus is a grid of four rows and three columns that are closed to rings: a line "
          "that leaves the picture comes back on the other side. First all words go along their rows, into the column "
          "of their destination, then along the columns. Follow the words that processor 0 sends.",
      .exhibits = {{.title = "alltoall/product",
                    .arguments = {"--machine", "torus:4x3", "--algorithm", "alltoall/product"}}},
      .sentences =
          {{1,
            "Rows are rings of three. In round 1 everybody serves the row 0: 0 sends the word for 1, one place to the "
            "right. All turn the same way, so nobody receives two words."},
           {2, "The word for the other neighbour goes one place to the left: 0 to 2. A ring of three needs two steps."},
           {3,
            "Round 2 is the same with the words for row 1. 0 sends 1 the word for 4, which is below 1: it is in the "
            "right column now."},
           {4, "And one place to the left: 2 gets the word for 5."},
           {5, "Round 3: the words for row 2, one place to the right. 0 sends the word for 7."},
           {6, "And one place to the left: 0 sends the word for 8."},
           {7, "Round 4: the words for row 3, one place to the right. 0 sends the word for 10."},
           {8,
            "And to the left: 0 sends the word for 11. Four rounds of two steps, and each word is in the column of its "
            "destination."},
           {9,
            "Now the columns, rings of four. In round 1 everybody serves what comes from column 0. Each word for the "
            "processor below goes one place down: 0 sends the word for 3."},
           {10, "The words that have two places to go set out downwards: 0 sends the word for 6, to 3."},
           {11, "They go on: 3 passes the word for 6 on. So each ring has brought everybody the word from opposite."},
           {12, "The words for the processor above go one place up: 0 to 9. A ring of four takes four steps."},
           {13, "Round 2: what came from column 1, one place down. 0 passes on the word of 1 for 3."},
           {14, "The words for the processor opposite leave downwards: that of 1 for 6."},
           {15, "They go their second place and arrive."},
           {16, "One place up: 0 passes the word of 1 for 9 on."},
           {17, "Round 3: what came from column 2, one place down. 0 passes on the word of 2 for 3."},
           {18, "The words for the processor opposite leave downwards: that of 2 for 6."},
           {19, "They go their second place and arrive."},
           {20, "One place up, and the last words are where they belong."}},
      .ending =
          "4 rounds of 2 steps in the rows and 3 rounds of 4 in the columns: 4 * 2 + 3 * 4 = 20 steps, 12 * (4/4 + "
          "2/3) in the paper's formula. It is the least: from each processor the ways to the 11 others have 20 links "
          "in all, so that 12 * 20 = 240 messages have to move, and in a step no more than 12 can. All 12 sent and "
          "received in each of the 20 steps, on shortest paths.",
      .question =
          "A processor has four links and used one at a time. If it could use all at once, how many steps would be "
          "needed at least? Look at the rows and the columns apart.",
      .answer =
          "6. In the columns 3 * 4 * 12 = 144 messages move over 24 directed links, 6 each; in the rows 2 * 4 * 12 = "
          "96 over 24, 4 each. All together are 240 over 48, which gives 5 only: the columns are the narrow place.",
      .notes = {"10 minutes; with --auto 3 about one. Stop at step 8: which words does processor 1 hold, and for whom?",
                "Let the class add up the ways from one processor: a ring of three has 0 + 1 + 1, a ring of four 0 + 1 "
                "+ 2 + 1, and 4 * 2 + 3 * 4 = 20.",
                "What the machine says of itself: `lockstep info torus:4x3` has the bound of 20.",
                "Where rounds of the factors do not reach it: `lockstep compare --operation alltoall --machine "
                "mesh:3x2 --ports one`."}};
}

}  // namespace

std::vector<Demo> collective_demos() {
  return {broadcast(), total_exchange_algorithms(), disjoint_paths(), torus_exchange()};
}

}  // namespace lockstep::cli
