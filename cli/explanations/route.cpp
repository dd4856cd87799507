#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> route_explanations{
    {.method = "route/ecube",
     .families = "",
     .idea = "Every packet goes its own way, store-and-forward: the differing address bits are corrected one by one, "
             "the lowest first. On a reduced hypercube each differing bit of the building block is corrected from the "
             "subblock that has its link, then the place inside the block. Where two packets want one link (or, with "
             "one port, one sender or receiver), the one with most links left goes first, then the one with the lower "
             "number, and the other waits in a queue without limit.",
     .invariant =
         "Every packet is at a processor of its fixed path, and crosses at most one link a step. Whoever waits is "
         "kept from going by a packet that goes before it in that order.",
     .count =
         "Messages = the sum of the paths' lengths and words = w times that, exactly. Steps depend on contention: "
         "at least the longest path, the packets over the busiest link and, with one port, those of the busiest "
         "sender and receiver. Predicted on a d-cube: complement, d steps without any waiting; gather to 0 and "
         "scatter from 0, 2^d - 1 steps with one port and 2^(d-1) with all, both the bound. A path on RH(k,n), D = "
         "2^n, has at most 3D - 2 + k links.",
     .use = "For patterns that nobody has planned for. Planned schedules are better where there is one: gather/sbt and "
            "scatter/sbt combine blocks and take d steps, and permute/bit-reversal 2 floor(d/2) steps. Fixed paths are "
            "bad for some permutations: bit reversal on d = 4, 6, .., 12 dimensions sends 2^(d/2-1) packets over one "
            "link, and so does --pattern transpose for all even d, where transpose/2d-spt takes d steps.",
     .paper = "Mukherjee, chapter 5, uses E-cube routing to gather a block's records in one subblock, and says O(n p / "
              "N) for it; one receiver gets D - 1 blocks, one a step with one port (erratum R15). The order of grants, "
              "and paths on the whole reduced hypercube, are Lockstep's.",
     .exercise =
         "`lockstep run --machine hypercube:8 --algorithm route/ecube --pattern bit-reversal --ports all` and the "
         "same on 4, 6 and 10 dimensions: how do busiest link, longest queue and steps grow? With one port compare "
         "`lockstep run --machine hypercube:10 --algorithm route/ecube --pattern bit-reversal` with `lockstep run "
         "--machine hypercube:10 --algorithm permute/bit-reversal`: 44 steps and 10. Which paths all cross one "
         "link?"},
};

}  // namespace lockstep::cli
