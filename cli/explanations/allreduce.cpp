#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> allreduce_explanations{
    {.method = "allreduce/circulant",
     .families = "",
     .idea = "A reduce-scatter and an allgather over the links of a circulant graph, whose skips are p/2, p/4, .., 1, "
             "each rounded up. A rank keeps its parts in the order that begins with its own, so that what it works on "
             "is always a piece from the beginning on: over skip s it gives away what lies beyond s. The allgather is "
             "the same backwards.",
     .invariant =
         "Before the step over skip s, half of S rounded up, every rank r has the S parts from r on, each "
         "summed over the ranks that gave theirs to it; together all copies of a part have every summand once.",
     .count =
         "S = 2 q steps, q = ceil(log2 p), in each of which all ranks send: 2 p q messages. Each half moves (p - 1) "
         "m words. A message of c parts has at most ceil(m c/p) words, and in each step one has as many: the sum "
         "of ceil(m (s_(k+1) - s_k)/p) over all skips, twice, which is 2 m (1 - 1/p), the bound, if p divides m.",
     .use = "For any number of ranks; where that is no power of two nothing else has the fewest words in so few steps. "
            "For short vectors allreduce/recursive-doubling takes half the steps. The operator has to commute.",
     .paper = "J. L. Traeff, arXiv 2410.14234, 2024. The skips are those of his broadcast schedules.",
     .exercise = "`lockstep compare --operation allreduce --machine switch:12 --words 384`: two methods take 8 steps. "
                 "Why does the one have twice the longest sum of the other, and is it so on switch:16?"},
    {.method = "allreduce/rabenseifner",
     .families = "",
     .idea = "First the vector is halved again and again: at distance p/2, p/4, .. partners share what they both still "
             "work on, each giving away one half and summing the other. Then each has one part of the result, and "
             "they are put together the same way back. Where the ranks are no power of two, some give their vector to "
             "a neighbour first and are given the result at last: the fold.",
     .invariant = "After i halvings a rank has 1/2^i of the vector, summed over 2^i ranks; after i doublings 2^i parts "
                  "of the result.",
     .count = "2 Q + x steps, Q = floor(log2 p), x = 2 for the fold, which is there if r = p - 2^Q > 0. 2^Q ranks send "
              "in 2 Q steps, and 2 r messages are the folds': 2 Q 2^Q + 2 r. Words 2 m (2^Q - 1) + 2 r m. Longest sum "
              "2 (m/2 + m/4 + ..), rounded up each, and x m: 2 m (1 - 1/p), the bound, if p is a power of two that "
              "divides m.",
     .use =
         "For long vectors on a power of two of ranks, where it is as good as allreduce/circulant; on others that is "
         "better. The operator has to commute.",
     .paper =
         "R. Rabenseifner, 2004; R. Thakur, R. Rabenseifner, W. Gropp, 2005, with the fold. MPICH's choice for long "
         "vectors.",
     .exercise = "`lockstep run --machine switch:9 --algorithm allreduce/rabenseifner --words 64` and the same on "
                 "switch:8: what does one rank more cost, in steps and in words?"},
    {.method = "allreduce/recursive-doubling",
     .families = "",
     .idea =
         "Partners at distances 1, 2, 4, .. give each other all that they have, and both combine it, the lower "
         "ranks' on the left. Where the ranks are no power of two, some of them let a neighbour take part for them: "
         "the fold.",
     .invariant = "After i steps what a rank has stands for 2^i ranks in a row (more where they are folded), in order.",
     .count = "Q + x steps, Q = floor(log2 p), x = 2 for the fold, which is there if r = p - 2^Q > 0; Q 2^Q + 2 r "
              "messages of the whole vector, m words each, and a longest sum of m a step. For a power of two of ranks "
              "the steps are the bound.",
     .use =
         "For short vectors, whose start-ups count; and for any associative operator, in the order of the ranks: try "
         "matrix2 and concat. For long vectors allreduce/circulant sends about 2 m words instead of m log2 p.",
     .paper = "R. Thakur, R. Rabenseifner, W. Gropp, 2005; it is the butterfly of older papers, and on a hypercube the "
              "exchange of allgather/adea.",
     .exercise = "`lockstep best --operation allreduce --machine switch:16 --words 16..16384*4 --beta 100`: from which "
                 "length on is it no longer the best, and how does that depend on beta?"},
    {.method = "allreduce/ring",
     .families = "switch, complete",
     .idea = "The ranks are a ring. Parts of the vector go round it, each rank adding its own summand; when a part has "
             "come round it is the result, and goes round once more to be copied.",
     .invariant = "In step t of the first round the part that rank r gives on is summed over t + 1 ranks, r the last.",
     .count =
         "p - 1 steps a round, in each of which everybody sends one part: 2 (p - 1) steps, 2 p (p - 1) messages, 2 "
         "(p - 1) m words, longest sum 2 (p - 1) ceil(m/p): the bound, if p divides m.",
     .use = "For very long vectors, and where only neighbours have links; elsewhere allreduce/circulant has the same "
            "words in 2 log2 p steps. The operator has to commute.",
     .paper = "P. Patarasuk, X. Yuan, 2009; what made it known are the libraries of machine learning.",
     .exercise = "`lockstep run --machine switch:8 --algorithm allreduce/ring --words 12`: why is the longest sum 28 "
                 "and not the bound of 21?"},
    {.method = "allreduce/rings",
     .families = "",
     .idea = "The links of a cube of an even number n of dimensions are n/2 rings through all processors. Parts go "
             "round each of them, both ways, as in allreduce/ring: n rings at once, each with 1/n of the vector, and "
             "all ports are always busy.",
     .invariant = "On each ring that of allreduce/ring: after step t of the first half each rank has summed one more "
                  "part, over t + 2 ranks.",
     .count = "2 (p - 1) steps, in which every rank sends n messages: 2 n p (p - 1) in all, 2 (p - 1) m words, longest "
              "sum 2 (p - 1) ceil(m/(n p)), which is 2 m (1 - 1/p)/n, the bound of all ports, if n p divides m.",
     .use = "For very long vectors on cubes with all ports; 2 (p - 1) start-ups are many. n has to be even, and 12 at "
            "most, as the rings are searched for. The operator has to commute.",
     .paper = "The rings: J. Aubert, B. Schneider, 1982, and B. Alspach, J.-C. Bermond, D. Sotteau, 1990, who prove "
              "that they exist; what goes round them: P. Patarasuk, X. Yuan, 2009.",
     .exercise = "`lockstep compare --operation allreduce --machine hypercube:4 --words 640 --ports all`: how much "
                 "shorter is the longest sum than that of allreduce/ring, and why by that factor?"},
    {.method = "allreduce/swing",
     .families = "",
     .idea = "As halving and doubling, but with partners who are near on a ring: 1, 1, 3, 5, 11, .. ranks away, to the "
             "one side and to the other in turn. A rank gives its partner the parts of all whom that will still reach. "
             "With --sides the ranks are those of a torus: dimensions take turns, and partners are so far apart on a "
             "ring of theirs; a dimension whose steps are done is left out.",
     .invariant =
         "What rank r still works on before step s are the parts of the ranks that it reaches in the steps from "
         "s on, p/2^s of them, itself among them; those of partners have none in common.",
     .count = "2 log2 p steps, in each of which all send: 2 p log2 p messages, 2 (p - 1) m words, longest sum 2 m (1 - "
              "1/p), the bound, if p divides m. Else the parts of a message, which lie apart, may all be the longer "
              "ones.",
     .use = "On rings and tori, whose links it loads less than halving at distances p/2, p/4, ..; give it the sides of "
            "the torus. On a switch it is as good as halving. For powers of two; the operator has to commute.",
     .paper = "D. De Sensi and others, NSDI 2024, arXiv 2401.09356. For other even numbers of ranks the sets overlap, "
              "which the paper mends by leaving some out; that is not here.",
     .exercise = "`lockstep trace --machine switch:8 --algorithm allreduce/swing --text` shows who talks to whom: how "
                 "far do the words travel on a ring of 8, and how far with allreduce/rabenseifner? `lockstep run "
                 "--machine torus:4x4 --embed complete:16 --algorithm allreduce/swing --sides 4x4` crosses 128 links: "
                 "how many without --sides?"},
    {.method = "allreduce/ring",
     .families = "ring, torus, hypercube, rh",
     .idea =
         "A ring through all processors whose neighbours have links: the ring itself, the torus wound through row by "
         "row, the hypercube in the order of the Gray code, the reduced hypercube round joined rings of subblocks. "
         "Parts of the vector go round it, each processor adding "
         "its own; what has come round is the result, and goes round once more to be copied.",
     .invariant =
         "In step t of the first round the part that a place of the ring gives on is summed over t + 1 places, "
         "itself the last.",
     .count =
         "p - 1 steps a round, in each of which everybody sends one part over one link: 2 (p - 1) steps, 2 p (p - 1) "
         "messages, 2 (p - 1) m words, longest sum 2 (p - 1) ceil(m/p): the one-port bound, if p divides m.",
     .use = "For very long vectors with one port. On tori allreduce/torus takes far fewer steps for the same words, on "
            "rings with all ports allreduce/two-way-ring half. The operator has to commute.",
     .paper = "P. Patarasuk, X. Yuan, 2009; what made it known are the libraries of machine learning.",
     .exercise =
         "`lockstep compare --operation allreduce --machine torus:4x4 --words 160`: the longest sums are equal. "
         "From which beta on does that matter?"},
    {.method = "allreduce/torus",
     .families = "",
     .idea = "One dimension after the other: in the rings of the first the vector is scattered while it is summed, so "
             "that each rank has one piece; in those of the second this piece, and so on. The results come together on "
             "the same rings backwards.",
     .invariant = "When dimension i is done a rank has the parts of the ranks that agree with it in the first i "
                  "coordinates, summed over all who agree with it in the others.",
     .count =
         "2 sum (a_i - 1) steps on the torus a_1 x .. x a_d, in each of which all send: 2 p sum (a_i - 1) messages, 2 "
         "(p - 1) m words, longest sum 2 sum (a_i - 1) ceil(m/(a_1 .. a_i)): 2 m (1 - 1/p), the one-port bound, if p "
         "divides m.",
     .use = "On tori: as few words as allreduce/ring in far fewer steps. Machines of rings of accelerators do it. With "
            "all ports 2 d copies run at once, each on its part of the vector: they begin with different dimensions, "
            "and half of them go the other way round, so that every link works in every step if the sides are equal.",
     .paper = "M. Cho and others, 2019 (BlueConnect); P. Sack, W. Gropp, 2015 (the bucket algorithm).",
     .exercise =
         "`lockstep compare --operation allreduce --machine torus:4x4 --words 64`: what do ring and torus have in "
         "common, and in what do they differ?"},
    {.method = "allreduce/tree",
     .families = "",
     .idea = "reduce/tree to rank 0, and a broadcast of the result from there: over the double-rooted tree on reduced "
             "hypercubes, the binomial tree on cubes. With --packets both halves go over the double-rooted tree, and "
             "packets follow each other.",
     .invariant = "What a processor sends up stands for ranks in a row, in order; what comes down is the result.",
     .count = "Both halves add up: k + (n+1) D up, D = 2^n, and B1(c) + T1(n) or, with all ports, c + T(n) down; on a "
              "cube v and v. The vector is sent whole: longest sum m S. In packets twice T + (nu - 1) d steps and 2 "
              "((T - d) ceil(m/nu) + d m) words.",
     .use = "The allreduce of reduced hypercubes, and for any associative operator in the order of the ranks, matrix2 "
            "and concat too (whole vectors only). For long vectors take packets; on cubes allreduce/ring and, with all "
            "ports, allreduce/rings send fewer words.",
     .paper = "After P. Mukherjee's reduction and broadcast on reduced hypercubes, chapters 3 and 2, put together as "
              "in barrier/tree.",
     .exercise = "`lockstep run --machine rh:3,2 --algorithm allreduce/tree --words 64 --ports all --packets 8` and "
                 "the same without --packets: which number of packets has the smallest longest sum?"},
    {.method = "allreduce/two-tree",
     .families = "",
     .idea =
         "The vector goes up two binary trees to rank 0, packet by packet in turn, every rank adding its own, and down "
         "both again. Who passes on in one tree is a leaf of the other, so that all work about as much.",
     .invariant = "When a packet leaves a rank upwards it is the sum over the rank and all below it in that tree.",
     .count =
         "Up it is broadcast/two-tree from the last step to the first, and down that itself: 2 (n + 2 h - 2) steps on "
         "2^h ranks for an even number n of packets. 2 (p - 1) n messages, 2 (p - 1) m words; W is m/n a step.",
     .use = "Between allreduce/recursive-doubling, which has fewer steps and sends the whole vector in each, and "
            "allreduce/circulant, which sends fewer words on any one way: log2 p steps and about 2 m words in all, and "
            "each rank has few partners.",
     .paper =
         "P. Sanders, J. Speck, J. L. Traeff, 2009; NCCL calls it tree. In two steps every rank sends two packets and "
         "receives two, up or down, so that both ways cannot overlap with one port.",
     .exercise = "`lockstep compare --operation allreduce --machine switch:64 --words 4096 --beta 100`: in how many "
                 "packets does it send, and why does it lose to allreduce/circulant?"},
    {.method = "allreduce/two-way-ring",
     .families = "",
     .idea = "With both ports of a ring the summands of a part come to it from both sides at once, and its result goes "
             "back to both: half round the ring instead of once round.",
     .invariant = "After step t of the first half part b has been summed, from the one side, over the t + 1 farthest "
                  "ranks, and from the other over as many, or one less.",
     .count =
         "2 floor(p/2) steps. Every part crosses p - 1 links in either half: 2 p (p - 1) messages of m/p words. In "
         "every step some longest part moves: 2 floor(p/2) ceil(m/p).",
     .use = "On rings with all ports: half the steps and half the longest sum of allreduce/ring. For an even number of "
            "ranks it meets the bound of the steps but for the second half, as everything has to go there and back.",
     .paper = "The ring is P. Patarasuk's and X. Yuan's, 2009; the other form that is known cuts every part in two and "
              "lets two rings run against each other, which takes 2 (p - 1) steps.",
     .exercise =
         "`lockstep compare --operation allreduce --machine ring:9 --machine ring:10 --words 90`: which of the two "
         "sizes uses its links better, and why?"},
};

}  // namespace lockstep::cli
