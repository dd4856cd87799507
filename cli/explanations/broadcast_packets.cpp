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
    {.method = "broadcast/two-tree",
     .families = "",
     .idea =
         "Half of the processors of a binary tree are leaves, which only receive. Here there are two trees on the same "
         "ranks, and the leaves of one pass on in the other: odd packets go down one, even ones down the other, and "
         "all send about as much as they receive.",
     .invariant =
         "No rank passes on in both trees. The edges have two colours, one for even steps and one for odd ones, "
         "and nobody sends or receives over two edges of the same colour.",
     .count =
         "A tree takes a packet every other step, the two together one a step; a level costs one step or two. So it "
         "takes n + 2 h - 2 steps on 2^h ranks for an even number n of packets, and on others n and at most two a "
         "level. (p - 1) n messages, (p - 1) m words.",
     .use =
         "It was the best for any number of ranks before broadcast/circulant, which takes log2 p steps less and is as "
         "general. Its trees fit machines whose links are trees; NCCL's allreduce goes up both and down both.",
     .paper =
         "P. Sanders, J. Speck, J. L. Traeff, 2009. The second tree is the first mirrored or shifted; NCCL builds its "
         "trees so.",
     .exercise = "`lockstep compare --operation broadcast --machine switch:64 --words 64 --packets 64`: with how many "
                 "packets would broadcast/tree, which has one tree, be as quick?"},
    {.method = "broadcast/scatter-allgather",
     .families = "",
     .idea =
         "The item is cut into as many parts as there are ranks. A binomial tree takes every rank its part, and then "
         "the parts go once round a ring, so that all have all.",
     .invariant =
         "After the scatter rank i, counted from the root, has part i; after t steps of the ring also the t parts "
         "before it.",
     .count =
         "ceil(log2 p) steps of the tree and p - 1 of the ring; p - 1 messages and p (p - 1). Longest sum m (1 - 1/p) "
         "each, if p divides m: 2 m (1 - 1/p). A part crosses as many links of the tree as the offset of its rank "
         "has one bits, m log2(p)/2 words together if p is a power of two; the ring moves (p - 1) m.",
     .use =
         "MPI libraries took it for long items. broadcast/circulant needs about m words of longest sum instead of 2 m, "
         "and fewer steps. Here the root, too, is sent all parts; MPICH leaves out what the scatter brought already.",
     .paper = "M. Barnett and others, 1994 (van de Geijn's); R. Thakur, R. Rabenseifner, W. Gropp, 2005.",
     .exercise =
         "`lockstep compare --operation broadcast --machine switch:16 --words 1600 --beta 100`: how much of the "
         "time of scatter-allgather is start-ups?"},
    {.method = "broadcast/bine",
     .families = "",
     .idea =
         "A binomial tree in which partners are 1, 1, 3, 5, 11, .. ranks apart, to the one side and to the other in "
         "turn, instead of 1, 2, 4, 8: the far ways first.",
     .invariant = "After step s 2^s ranks have the item, and their partners of the next level do not.",
     .count = "log2 p steps, the bound, and p - 1 messages of m words, as in every binomial tree. What it saves is "
              "distance: on a ring of 128 ranks the ways are 313 links in all instead of 448.",
     .use = "Where ranks that are near in number are near in the machine; on a switch it is as good as "
            "broadcast/doubling. For powers of two.",
     .paper =
         "D. De Sensi and others, SC 2025, arXiv 2508.17311: a third less traffic over far links. The partners are "
         "those of allreduce/swing.",
     .exercise =
         "`lockstep trace --machine switch:8 --algorithm broadcast/bine --text` shows who sends to whom: add up "
         "the distances on a ring of 8. They come to 9; what does a binomial tree need?"},
    {.method = "broadcast/k-nomial",
     .families = "switch",
     .idea =
         "A binomial tree of another radix r: whoever has the item gives it to r - 1 others in a round, each of which "
         "stands for one digit of the offset from the root. Over a switch these are r - 1 steps.",
     .invariant =
         "After i rounds all ranks have the item whose offset from the root has zeros in all but the i highest of "
         "its digits to base r.",
     .count =
         "R = ceil(log_r p) rounds of r - 1 steps, the first only of as many as there are receivers; p - 1 messages "
         "of m words. With r = 2 that is ceil(log2 p), and no other radix takes fewer.",
     .use = "To see what a radix costs where processors have one port. With all ports it is one step a round.",
     .paper = "Trees for k ports are in J. Bruck and others, 1997; MPICH's and UCC's name is k-nomial.",
     .exercise = "`lockstep run --machine switch:64 --algorithm broadcast/k-nomial --radix 4 --words 5` takes 9 steps. "
                 "Which radices take fewest, and why not those above 2?"},
    {.method = "broadcast/k-nomial",
     .families = "complete",
     .idea =
         "A binomial tree of another radix r: whoever has the item gives it to r - 1 others in a round, each of which "
         "stands for one digit of the offset from the root. With all ports that is one step.",
     .invariant =
         "After i rounds all ranks have the item whose offset from the root has zeros in all but the i highest of "
         "its digits to base r.",
     .count =
         "With all ports ceil(log_r p) steps, with one port as many as r - 1 times that; p - 1 messages of m words.",
     .use = "For short items, with a radix one above the ports that are worth using at a time.",
     .paper = "Trees for k ports are in J. Bruck and others, 1997; MPICH's and UCC's name is k-nomial.",
     .exercise =
         "`lockstep run --machine complete:64 --algorithm broadcast/k-nomial --radix 4 --ports all` takes 3 steps: "
         "what does --radix 64 take, and how many ports does the root use then?"},
    {.method = "broadcast/corrected-tree",
     .families = "",
     .idea =
         "A binomial tree whose neighbours on the ring of ranks hang on different branches, and then a correction: who "
         "has the item sends it to the first, second, third rank on either side, until on both sides it has met "
         "somebody who does so too. Where processors have failed, the holes that they leave in the tree are filled.",
     .invariant =
         "When a processor has met others on both sides, at distances a and b, all that live between them have been "
         "sent the item, by it and by those that it has met.",
     .count =
         "ceil(log2 p) + 2 steps and p - 1 + 2 p messages of m words if nothing has failed; a hole of g ranks takes "
         "2 (g + 1) steps in place of 2.",
     .use = "Where processors may have failed before it begins: all others get the item, unless the root has failed. "
            "While all live it sends three times what a tree does.",
     .paper = "M. Kuettler, M. Planeta, J. Bierbaum, C. Weinhold, H. Haertig, A. Barak, T. Hoefler, PPoPP 2019: "
              "Corrected trees for reliable group communication.",
     .exercise =
         "`lockstep run --machine complete:16 --algorithm broadcast/corrected-tree --fail-processor 1`: half of the "
         "tree hangs on rank 1. How many steps does it take, and how many if 2 and 3 fail as well?"},
    {.method = "broadcast/msbt-redundant",
     .families = "",
     .idea =
         "The whole item goes down each of the k trees of broadcast/msbt, which share no link in one direction and no "
         "processor but the root on their ways to any one. Who has it when its turn in a tree comes passes it on, from "
         "whichever tree it came; who finds the link down does not.",
     .invariant = "A processor that lives has the item at the end if a way to it in one of the trees is whole.",
     .count =
         "n + 1 steps with all ports, 2 n with one; n (2^n - 1) messages of m words, n times those of one tree, and "
         "fewer where something has failed. In one dimension one step.",
     .use =
         "On a cube of which up to n - 1 links or processors may fail, whenever they do: no planning, no waiting, and "
         "nobody has to know of it but who would send over what has failed.",
     .paper = "P. Ramanathan, K. G. Shin, IEEE Transactions on Computers 37(12), 1988: Reliable broadcast in hypercube "
              "multicomputers. The trees are Johnsson's and Ho's, 1989.",
     .exercise = "`lockstep run --machine hypercube:3 --algorithm broadcast/msbt-redundant --fail-link 0-1,0-2`: and "
                 "which third link has to fail before somebody gets nothing?"},
    {.method = "broadcast/msbt",
     .families = "",
     .idea =
         "The k links of the root lead to k binomial trees, one and the same but for a rotation of the dimensions, "
         "and no link is in two of them in the same direction. Packets go down them in turn; with all ports down all "
         "of them at once.",
     .invariant =
         "With one port only the dimension (cycle mod k) is in use. A packet that is e steps on its way down tree "
         "j is where bit j of the address, counted from the root, is one and all other one bits are among the "
         "next e - 1 dimensions.",
     .count = "A packet takes k + 1 steps. With one port one sets out in every step: n + k steps. With all ports k do: "
              "ceil(n/k) + k. (p - 1) n messages, (p - 1) m words; in one dimension there is one link, and n steps.",
     .use =
         "For long items on a cube: with one port about m words, broadcast/sbt-pipelined needs all ports or multicast "
         "for that; with all ports m/k. As the trees share no link, a packet sent down all of them survives k - 1 "
         "failed links.",
     .paper = "S. L. Johnsson, C.-T. Ho, IEEE Transactions on Computers 38(9), 1989: multiple spanning binomial trees.",
     .exercise =
         "`lockstep compare --operation broadcast --machine hypercube:6 --words 600 --packets 60 --ports all`: by "
         "how much is msbt quicker than the pipelined tree, and where do the six trees show?"},
};

}  // namespace lockstep::cli
