#include "explanation.hpp"

namespace lockstep::cli {

// The broadcasts of collectives.md.
extern const std::vector<Explanation> broadcast_packets_explanations{
    {.method = "broadcast/circulant",
     .families = "",
     .idea =
         "In every step all ranks send equally far, and the distances p/2, p/4, .., 1, each rounded up, are used in "
         "turn, the shortest first. Which packet a rank passes on is arranged so that each step brings it one that "
         "it lacks: in the time in which one packet could reach all, as many packets reach somebody.",
     .invariant =
         "In any q rounds a rank receives q packets: the one that the root gives away in these rounds and that "
         "comes to it at once, its baseblock, and q - 1 of those that the root gave away before.",
     .count =
         "n - 1 + q steps for n packets, q = ceil(log2 p): the root needs n steps to give them away, and the last one "
         "needs q to reach all; nothing is faster. Nobody is sent what it has: (p - 1) n messages and (p - 1) m words. "
         "Every step takes as long as its longest packet: floor(m/n) words, and one more where one of the first "
         "packets, which have a word more, is on its way.",
     .use = "For any number of ranks and any length: with one packet it is broadcast/doubling, with many it comes near "
            "the m words that everybody has to receive. The best number of packets is near sqrt((q - 1) m tau / beta).",
     .paper = "J. L. Traeff, CLUSTER 2022, arXiv 2312.11236 and 2407.18004. MPICH has it for broadcast, reduce and "
              "allgather.",
     .exercise = "`lockstep compare --operation broadcast --machine switch:64 --words 64 --packets 64`: the steps are "
                 "n + 5, n + 8 and more. Why can no method take fewer than n + 5?"},
};

}  // namespace lockstep::cli
