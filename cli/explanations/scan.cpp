#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> scan_explanations{
    {.method = "scan/cube",
     .families = "",
     .idea =
         "Dimension by dimension, from 0 up, neighbours exchange the totals of their subcubes. Who is in the upper "
         "half puts what comes in front of its prefix and of its total; who is in the lower half puts it behind its "
         "total only. So everybody has the total of a subcube twice as large, and its own prefix within it.",
     .invariant =
         "After step i every processor has the total of the 2^i ranks that agree with it in all bits from i on, and "
         "the result of those of them up to itself, operands in rank order.",
     .count =
         "v dimensions, N = 2^v: steps = v, the diameter, and a bound, as rank 0's operand has to reach rank N - 1. "
         "All send in all steps, values of w words: messages = v N, words = v N w, longest sum = v w.",
     .use = "Prefixes on a cube, with any port model and any associative operator: matrix2 and concat show that it "
            "need not commute. On a reduced hypercube scan/hub. If one result is enough, reduce/tree sends N - 1 "
            "messages only. At the end everybody also has the total of all: that is MPI's allreduce, a by-product.",
     .paper = "Mukherjee, chapter 4 (prefix is MPI's scan, inclusive): phase I, here over the whole cube, to compare "
              "reduced hypercubes with. Its section 4.1 leaves open on which side the received value goes; lower "
              "addresses go to the left (erratum R9).",
     .exercise =
         "`lockstep trace --machine hypercube:2 --algorithm scan/cube` shows who talks to whom; write down total "
         "and prefix of rank 2 after each cycle. With `lockstep run --machine hypercube:5 --algorithm scan/cube "
         "--operator concat` the order matters: which processors' prefixes would be wrong if what comes were put on "
         "the right?"},
    {.method = "scan/doubling",
     .families = "",
     .idea = "At distances 1, 2, 4, .. every rank sends what it has to the rank so far behind it in the order of the "
             "ranks, "
             "r to r + 2^k, and puts what comes in front of its own.",
     .invariant =
         "Before the step at distance 2^k a rank has the result of the 2^k ranks up to itself, or of all that there "
         "are.",
     .count =
         "q = ceil(log2 p) steps, the bound: what a result depends on doubles at best. The last 2^k ranks have nobody "
         "to send to: messages = p q - (2^q - 1); words and longest sum are m times messages and steps.",
     .use =
         "On a switch or complete graph, for any number of ranks and any associative operator. It sends about p log2 p "
         "messages, where a tree would do with 2 p in twice the steps.",
     .paper = "W. D. Hillis, G. L. Steele, Data parallel algorithms, 1986.",
     .exercise =
         "`lockstep run --machine switch:6 --algorithm scan/doubling --operator concat`: which rank has its result "
         "after one step, after two? Which messages does the last rank's result need?"},
    {.method = "scan/hub",
     .families = "",
     .idea = "Three phases. Every building block makes the prefixes of its own ranks, as scan/cube, so that its hub "
             "(the last processor of the block, or with --hub 0 the first) has its total. Then hubs pass on totals so "
             "that each learns what lies before its block. Then each hub broadcasts that in its block, and everybody "
             "puts it in front.",
     .invariant =
         "Before iteration i = 0..D-1 of the second phase, D = 2^n, every hub has the total of its group of 2^i "
         "aligned blocks up to its own block; so the hub of a group's last block has the group's total. In the "
         "iteration every second group's total goes from there to all hubs of the next group, to each once.",
     .count =
         "Phases one and three take k steps each. In the second, iteration i serves dimensions m = i..0, each in 2 "
         "(n - pc(m)) + 1 steps, as the hub's subblock, all ones, is n - pc(m) links from subblock m: steps = 2k + "
         "D(D+1)/2 + n D + (n+1) D (D-1)/2, exact with all port models. Messages = k N + sum over m < D of (2 (n - "
         "pc(m)) + 1)(2^(D-1-m) + (D-1-m) 2^(D-2-m)) + (2^D - 1)(2^k - 1). With --hub 0 pc(m) stands for n - pc(m): "
         "fewer steps, as low dimensions are used most. Words and longest sum are w times messages and steps.",
     .use = "The catalogue's only scan on a reduced hypercube. --hub 0 is better for n > 0: take it unless you want "
            "the thesis' own. On a cube of as many processors scan/cube takes k + D steps.",
     .paper =
         "Mukherjee, chapter 4 (prefix). Hubs are to forward the value that they have received, unchanged and the "
         "farthest distance first, not \"the prefix value\", or operands count twice (erratum R10); received values "
         "go on the left (R9); the sum of substeps is D(D+1)/2 (R11); block 0 has nothing to spread (R12). Hub 0 is "
         "Lockstep's.",
     .exercise =
         "`lockstep run --machine rh:3,2 --algorithm scan/hub` and `lockstep run --machine rh:3,2 --algorithm "
         "scan/hub --hub 0`: 42 steps and 30. In which of the three phases do they differ, and for which m is each "
         "of the hubs nearer? Set both beside `lockstep run --machine hypercube:7 --algorithm scan/cube`."},
};

}  // namespace lockstep::cli
