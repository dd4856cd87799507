// What costs more on reduced hypercubes, whose blocks have few links between them.
#include "lists.hpp"

namespace lockstep::cli {
namespace {

Demo scan() {
  return {
      .name = "rh-scan",
      .title = "Scan on a reduced hypercube",
      .summary = "64 running totals on RH(2,2), where one processor of a block speaks for all four",
      .introduction =
          "64 processors have a number each, and each shall learn the sum of its own and all before it: a scan. "
          "RH(2,2) has 16 building blocks, each a square of four; of block b they are 4b to 4b + 3. A processor has "
          "one link out of its block: node m of block b leads to node m of block b xor 2^m. First each block adds up "
          "for itself; then node 0 of each block, its hub, speaks for the block; at the end the hubs tell the others.",
      .exhibits = {{.title = "scan/hub, hub 0",
                    .arguments = {"--machine", "rh:2,2", "--algorithm", "scan/hub", "--hub", "0"}}},
      .sentences =
          {{1,
            "All 16 blocks work at once, as small cubes do. Pairs that differ in bit 0 exchange their numbers; the "
            "upper one puts the other's in front of its own."},
           {2,
            "Pairs that differ in bit 1 exchange the totals of their pairs. Now everybody has its sum within the "
            "block, and everybody, the hub too, knows the block's total."},
           {3,
            "Now the hubs only. Each even block tells the next block its total: the hub is node 0, which has just the "
            "link of dimension 0. Groups of two blocks know what lies before each of them."},
           {4,
            "Groups of four. In each of them block 1, 5, 9 or 13 knows the total of the lower pair, which the upper "
            "pair needs. The link of dimension 1 is at node 1, so the hub hands it to its neighbour first."},
           {5, "Node 1 crosses to the block that is two farther on: 5 to 13, that is block 1 to block 3."},
           {6, "There it goes from node 1 to the hub. Three links for one hop between blocks."},
           {7,
            "Block 3 hands the same value on to block 2, unchanged: its own total must not be in it, as it lies behind "
            "block 2. Now all groups of four know what lies before each block."},
           {8, "Groups of eight. Block 3 has the total of blocks 0 to 3; dimension 2 is at node 2: 12 to 14."},
           {9, "Node 2 crosses: 14 to 30, block 3 to block 7. Blocks 8 to 15 do the same: 46 to 62."},
           {10, "From node 2 to the hub of block 7. It puts the value in front of its total."},
           {11, "Block 7 serves the farthest first: block 5, over dimension 1, by way of node 1."},
           {12, "29 crosses to 21."},
           {13, "And on to the hub of block 5. In the other half 53 does the same for block 13."},
           {14,
            "Blocks 7 and 5 both serve dimension 0, with hubs at both ends: blocks 6 and 4 hear of it. All of blocks 4 "
            "to 7 have now been told once what lies before."},
           {15,
            "The last group, all 16. Block 7 knows the total of the lower half. Dimension 3 is at node 3, two links "
            "from the hub: first to node 1."},
           {16, "Then to node 3."},
           {17, "31 crosses to 63. Eight links join the two halves; one of them is used."},
           {18, "Back to the hub: node 3 to node 2."},
           {19, "Node 2 to node 0. Block 15 knows what lies before the upper half. Five links for one hop."},
           {20, "It hands this on, the farthest first: to block 11 over dimension 2, by way of node 2."},
           {21, "62 crosses to 46."},
           {22, "The hub of block 11 has it: with block 15 there are two holders."},
           {23, "Both serve dimension 1, by way of node 1."},
           {24, "45 crosses to 37 and 61 to 53: block 11 serves block 9, block 15 block 13."},
           {25, "The hubs of blocks 9 and 13 have it: four holders."},
           {26,
            "All four serve dimension 0, where hubs are neighbours. Now all 16 hubs know what lies before their "
            "blocks, and heard each part of it once."},
           {27,
            "Each hub but that of block 0, before which nothing lies, tells its neighbour over bit 0: 15 messages."},
           {28, "And both tell theirs over bit 1. Everybody puts the value in front of its sum: done."}},
      .ending =
          "28 steps: 2 for the blocks, 1 + 4 + 7 + 12 between them, for groups of 2, 4, 8 and 16, and 2 to tell all. "
          "The bound is 8, the diameter. 231 messages, of which 128 belong to the first two steps; then only hubs "
          "work, and those on their way to a link, while most processors wait. The 6-cube has 64 processors too, with "
          "twice as many links, 192 against 96, and takes 6 steps.",
      .question =
          "In the thesis the hub is node 3, and the scan takes 40 steps. Why is node 0 the better one? Count how often "
          "each dimension was served.",
      .answer =
          "Dimension 0 was served in all four groups, dimension 1 in three, 2 in two and 3 in one. Node m has the link "
          "of dimension m. From node 0 it is 0, 1, 1, 2 links away and the same back, so that the low dimensions, "
          "which are served most, are the near ones. From node 3 it is 2, 1, 1, 0.",
      .notes = {"15 minutes, or step 1 to 7 and then the counts in 5. Draw a block with its four links out on the "
                "board first: the picture shows it as a square.",
                "Ask at step 7 why block 3 must not send its new total to block 2: block 2 would count block 3.",
                "The thesis' hub: `lockstep run --machine rh:2,2 --algorithm scan/hub`. The cube: `lockstep run "
                "--machine hypercube:6 --algorithm scan/cube`.",
                "Fewer links cost steps: `lockstep info rh:2,2` and `lockstep info hypercube:6`."}};
}

Demo sort() {
  return {
      .name = "rh-sort",
      .title = "Sorting on a reduced hypercube",
      .summary = "eight records on RH(1,1): lists walk to where the link is, and compare there",
      .introduction =
          "Eight processors have a record each and shall end in order, the lowest key at processor 0. RH(1,1) has four "
          "building blocks of two, b has 2b and 2b + 1. The even one has the link to block b xor 1, the odd one that "
          "to block b xor 2. In a compare-split two processors exchange all they have; one keeps the low half, the "
          "other the high half. Who compares with whom never depends on the keys.",
      .exhibits = {{.title = "sort/merge", .arguments = {"--machine", "rh:1,1", "--algorithm", "sort/merge"}}},
      .sentences =
          {{1,
            "Each block sorts itself by a compare-split. Blocks 0 and 2 are ascending now, blocks 1 and 3 descending."},
           {2,
            "The next link, to block b xor 1, is at the even processors. So the odd ones hand over their records: the "
            "even ones now have lists of two."},
           {3,
            "Compare-splits of lists: blocks 0 and 1, and blocks 2 and 3. Block 0 keeps the lower two of four, block 1 "
            "the higher two; 2 and 3 do it the other way round. So the keys rise from block 0 to 1 and fall from 2 to "
            "3."},
           {4, "Now blocks that differ in bit 1 must meet. Their link is at the odd processors: the lists walk there."},
           {5,
            "Blocks 0 and 2, and blocks 1 and 3. As the keys first rise and then fall, this parts them: blocks 0 and 1 "
            "have the lower four, blocks 2 and 3 the higher four."},
           {6, "The lists walk back to the even processors, which have the link to the other block of the half."},
           {7, "Blocks 0 and 1, and blocks 2 and 3, all upwards now: the keys rise from block to block."},
           {8, "Each even processor keeps the lower record of its list and gives the odd one the higher. Sorted."}},
      .ending =
          "8 steps: 4 compare-splits (1, 3, 5, 7), 1 to gather, 2 to walk, 1 to scatter. 36 messages: 8 in step 1, "
          "then 4 in each of seven steps. Lists are two words long, so the longest messages of the steps add up to 1 + "
          "1 + 5 * 2 + 1 = 13, and the time is 8 + 13 = 21. No method takes fewer than 4 steps, as a record may have "
          "to go to the opposite end.",
      .question =
          "On the 3-cube a bitonic sort of eight records compares in 6 steps, here there are 4. Where have the other "
          "two gone?",
      .answer =
          "Into the lists. The sort has stages of 1, 2 and 3 compare-splits. The last ones of the second and the third "
          "stage are between the two records of a block, and these are in one list then: the processor does it alone, "
          "without a message. The walks cost two steps, gathering and scattering two: 8 in all against 6.",
      .notes = {"10 minutes. Let eight students be the processors, with cards for the keys, and do it before the "
                "screen does.",
                "After step 3 let them read their cards aloud in order: up, then down. That is a bitonic sequence.",
                "On RH(K,N) with K = N the three sorts of the catalogue are the same; from `lockstep compare "
                "--operation sort --machine rh:3,2 --words 4` on they differ.",
                "The cube: `lockstep trace --machine hypercube:3 --algorithm sort/bitonic`."}};
}

}  // namespace

std::vector<Demo> reduced_hypercube_demos() { return {scan(), sort()}; }

}  // namespace lockstep::cli
