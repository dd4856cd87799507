#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> reduce_explanations{
    {.method = "reduce/tree",
     .families = "",
     .idea =
         "A binomial tree: in step i = 0, 1, .. of those processors whose address bits 0..i-1 are zero the ones "
         "with bit i set send their partial result over port i, and the others put it to the right of their own. On "
         "a reduced hypercube this is done inside every building block, k steps; then block by block in the same "
         "way, where results of blocks lie in subblock 0 of layer 0 and travel through the subblock that has the "
         "link of dimension i.",
     .invariant =
         "After step i on a cube each processor whose bits 0..i are zero has the operands of the 2^(i+1) ranks from "
         "its own on, in their order. So the operator has to be associative, but need not commute.",
     .count =
         "Cube of v dimensions: v steps, the diameter, and N - 1 messages, as each processor but one sends once. "
         "RH(k,n), D = 2^n: dimension i is pc(i) links away from subblock 0 and takes 2 pc(i) + 1 steps, (n+1) D in "
         "all: steps = k + (n+1) D, with any port model, messages = N - 2^D + sum over i < D of 2^(D-1-i) (2 pc(i) "
         "+ 1). Messages are one value of w words each: words and longest sum are w times messages and steps. In nu "
         "packets (--packets, for operators that commute) values go up the double-rooted tree of broadcast/drbt "
         "instead, whose processors have few children: the steps and the longest sum of that broadcast in packets.",
     .use = "The catalogue's only reduction, and right for any associative operator in rank order: try matrix2 and "
            "concat. Whoever wants the result everywhere adds broadcast/sbt, on a reduced hypercube broadcast/drbt. "
            "All prefixes instead of one result: scan/cube, scan/hub.",
     .paper =
         "Mukherjee, chapter 3. The index of the right child's bit is one off (erratum R7), and other roots are not "
         "discussed (R8): here addresses are moved (xor on a cube), which moves the order of the operands too; "
         "where the operator does not commute the result goes to processor 0 and from there on to the root, which "
         "costs their distance.",
     .exercise =
         "`lockstep run --machine rh:2,1 --algorithm reduce/tree --operator concat --root 3` and the same with "
         "--operator sum: why do the steps differ by 2? Then compare `lockstep compare --operation reduce --machine "
         "rh:3,2 --machine hypercube:7`: what do the reduced hypercube's missing links cost, in steps and in time x "
         "links?"},
    {.method = "reduce/binomial",
     .families = "",
     .idea = "Ranks are counted from the root. At distance 1 every second rank gives its vector to the one before it, "
             "which combines both; of those that are left again every second one does so, at distance 2, and so on: a "
             "binomial tree, upwards.",
     .invariant = "After i steps the ranks whose offset from the root is a multiple of 2^i have the vectors of the 2^i "
                  "ranks from their own on, as far as there are any.",
     .count = "ceil(log2 p) steps, the bound. All but the root send once: p - 1 messages of m words; longest sum m a "
              "step.",
     .use = "For short vectors on any number of ranks. Long ones are better cut into packets: reduce/circulant. The "
            "operator has to commute; reduce/tree on a hypercube takes any.",
     .paper = "Old; R. Thakur, R. Rabenseifner, W. Gropp, 2005, describe it as MPICH's for short vectors.",
     .exercise = "`lockstep compare --operation reduce --machine switch:12 --words 96`: what does the circulant "
                 "reduction gain by its packets, and for how few words (--words 4) is the binomial tree as good?"},
    {.method = "reduce/chain",
     .families = "",
     .idea = "The vector is cut into packets, which come along all ranks to the root; each rank adds its own to a "
             "packet and passes it on.",
     .invariant = "A packet that rank r, counted from the root, passes on stands for the ranks from r to the last.",
     .count = "The last packet sets out in step n and has p - 1 ranks to pass: p + n - 2 steps, (p - 1) n messages, (p "
              "- 1) m words. Longest sum, if n divides m: the steps times m/n.",
     .use = "For very long vectors on few ranks, and where only neighbours are near; reduce/circulant has the same "
            "words in far fewer steps. The operator has to commute.",
     .paper = "broadcast/ring backwards, the pipeline of Saad & Schultz 1988, (3.22).",
     .exercise = "`lockstep run --machine switch:9 --algorithm reduce/chain --words 64 --packets 8` takes 15 steps. "
                 "How many of them has the root nothing to do?"},
    {.method = "reduce/circulant",
     .families = "",
     .idea =
         "broadcast/circulant from its last step to its first. Whoever was sent a packet there gives what it has of "
         "it to the rank that sent it, after all whom it sent it to have given it theirs.",
     .invariant = "What a rank gives away of a packet stands for itself and all ranks that got the packet by it in the "
                  "broadcast; it gives it away once.",
     .count = "n - 1 + ceil(log2 p) steps for n packets, the fewest for any number of ranks; (p - 1) n messages, (p - "
              "1) m words.",
     .use = "For vectors of any length on any number of ranks; with one packet it takes the steps of reduce/binomial. "
            "The operator has to commute.",
     .paper = "J. L. Traeff, arXiv 2407.18004.",
     .exercise =
         "`lockstep sweep --operation reduce --machine switch:17 --vary packets=1..32*2 --words 64 --beta 4 "
         "--predict`: where is the best number of packets of each method, and why is that of the chain larger?"},
};

}  // namespace lockstep::cli
