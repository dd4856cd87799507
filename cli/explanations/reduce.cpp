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
};

}  // namespace lockstep::cli
