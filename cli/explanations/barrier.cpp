#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> barrier_explanations{
    {.method = "barrier/dissemination",
     .families = "",
     .idea =
         "In round i every rank tells the one 2^i farther on, modulo p, that all ranks have arrived of which it knows, "
         "and is told the same by the one 2^i before it.",
     .invariant = "After round i a rank knows that the 2^(i+1) ranks up to itself have arrived.",
     .count = "ceil(log2 p) steps, the bound, in which all p ranks send; messages have no words. With --arrivals ranks "
              "begin "
              "at different times; of two that would tell the same rank something in one cycle the higher waits.",
     .use = "On a switch or complete graph, for any number of ranks: to know of some arrivals twice does no harm.",
     .paper = "D. Hensgen, R. Finkel, U. Manber, 1988; MPICH's barrier.",
     .exercise =
         "`lockstep run --machine switch:6 --algorithm barrier/dissemination --arrivals 10`: how soon after the last "
         "arrival is the first rank released, and which one is it?"},
    {.method = "barrier/tree",
     .families = "",
     .idea = "A processor that has arrived, and has the tokens of all its children in the tree of reduce/tree, sends "
             "its own token to its parent. When processor 0 has all, everybody has arrived, and it starts a broadcast "
             "(broadcast/sbt on a cube, broadcast/drbt with the longest subtree first on a reduced hypercube); whoever "
             "the release reaches may leave.",
     .invariant =
         "A token stands for all arrivals in its sender's subtree. No processor is released before the last has "
         "arrived; the run checks this, and that every token counted each processor once.",
     .count =
         "If all arrive in cycle 0, reduction and broadcast add up. Cube: 2v steps, 2 (N - 1) messages. RH(k,n), D "
         "= 2^n, c = k - n: k + (n+1) D steps up, as in reduce/tree, and down c + T(n) with all ports or B1(c) + "
         "T1(n) with one, where T(0..4) = 1, 5, 12, 32, 76, B1(c) = c up to 1 and 2 (c - 1) above, and T1(n) = 1 "
         "for n = 0, (n+1) D + 1 for n = 1..4. With --arrivals C tokens set out at different times: on a cube at "
         "most 2v + C steps.",
     .use = "The barrier of cubes and reduced hypercubes. A processor cannot learn of the farthest one in fewer steps "
            "than the "
            "diameter, while the tree takes twice the cube's: exchanging with all dimensions in turn, as scan/cube "
            "does, would synchronise in v steps with more messages.",
     .paper = "Mukherjee names the barrier in chapter 3 and does not work it out (erratum R8): this is worked out from "
              "its reduction and its broadcast. Where two tokens would break the port model in one cycle, the lower "
              "sender goes first.",
     .exercise =
         "`lockstep run --machine hypercube:4 --algorithm barrier/tree --arrivals 10` shows last arrival, first and "
         "last release. Vary --seed: how soon after the last arrival can the first release come, and which rank has "
         "to be last for that? Design the barrier of v steps: who may leave when?"},
};

}  // namespace lockstep::cli
