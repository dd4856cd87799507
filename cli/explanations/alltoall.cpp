#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> alltoall_explanations{
    {.method = "alltoall/bruck",
     .families = "",
     .idea =
         "How far a block has to go, its destination less its source modulo p, is written in base r. For every digit, "
         "the lowest first, all blocks that have a z there go on together by what it is worth, to the rank z r^x "
         "farther on.",
     .invariant =
         "A rank has p - 1 blocks at any time; after the steps of place x each has come as far as the digits of its "
         "way up to place x are worth.",
     .count =
         "A step for every pair (x, z), 0 < z < r, z r^x < p: with r = 2 the bound q = ceil(log2 p). All p ranks send "
         "in each. A block moves as often as its way has digits other than 0: Z of them for all p ways, longest sum = "
         "b "
         "Z, words = p b Z. With r = 2 and p = 2^q Z is q p/2, the least with so few steps.",
     .use =
         "For short blocks, on any number of ranks. A larger --radix takes more steps and fewer words; with radix p it "
         "is alltoall/pairwise, which is for long blocks. On 2^q ranks alltoall/exchange has the counts of radix 2.",
     .paper = "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, 1997: the index operation.",
     .exercise =
         "`lockstep run --machine switch:16 --algorithm alltoall/bruck --radix 4`: steps and longest sum against "
         "those of radix 2 and 16. From which block length on is each the best, if a start-up costs 20 words?"},
    {.method = "alltoall/cayley",
     .families = "",
     .idea = "On a Cayley graph the processors are the elements of a group, and the links multiply by generators, so "
             "that every processor sees the same machine. For each element g but the neutral one, nearest first, all "
             "processors send their message for \"my place times g\" at once, generator by generator along the same "
             "shortest word of g. Multiplying by a generator is one-to-one, so that in each step everybody sends one "
             "message and receives one.",
     .invariant =
         "In step j of round g every processor holds exactly one message in transit, the one that has come j-1 "
         "generators of g's word. After round g all messages for \"my place times g\" are delivered.",
     .count =
         "Round g takes as many steps as g is far away, so steps = AS, the average status: the sum of the distances "
         "from one processor to all. n messages of b words move in each step: messages = n AS, words = b n AS, "
         "longest sum = b AS. No schedule of uncombined messages with one port is shorter: shortest paths alone "
         "need n AS moves, of which at most n fit in a step.",
     .use = "For one port and messages that are not combined, on any of these machines; it is the one method that is "
            "sure to be optimal on stars, pancakes, cube-connected cycles, circulants and reduced hypercubes "
            "(alltoall/greedy is so by luck on some). Where blocks may be combined, alltoall/exchange on a cube has "
            "the same longest sum in n steps. alltoall/factor on rings and complete graphs and alltoall/product on "
            "their products are as short. On machines that are no Cayley graphs: alltoall/greedy, alltoall/search.",
     .paper = "Dimakopoulos & Dimopoulos, section 5, says only that optimal exchanges exist on Cayley graphs; this "
              "construction is Lockstep's and was run on 15 graphs (erratum D11). The paper's total exchange is MPI's "
              "alltoall.",
     .exercise =
         "`lockstep info pancake:4` shows the average status and the bound, `lockstep compare --operation alltoall "
         "--machine pancake:4 --ports one` who meets it. Replace the machine by star:4, ccc:3 and ccc:4: where does "
         "the greedy schedule fail? `lockstep trace --machine ring:4 --algorithm alltoall/cayley` shows that in "
         "each cycle all processors do the same."},
    {.method = "alltoall/direct",
     .families = "bus",
     .idea =
         "One after the other says all its k - 1 blocks in one transaction, heard by all; each of the others keeps "
         "the one that is for it. The bus makes a start-up for each processor enough, where one for each pair would "
         "be needed.",
     .invariant = "After step t everybody has the blocks that the ranks 0..t-1 have for it.",
     .count =
         "k transactions of k - 1 blocks of b words: steps = messages = k, longest sum = words = k (k - 1) b. With "
         "one transaction a cycle both are bounds: everybody has to speak, and every block has to be said.",
     .use = "On a bus of one transaction a cycle, always. If the bus serves kstar > 1 at once, alltoall/direct-kstar "
            "has a longest sum that is about kstar times smaller, in ceil(k (k - 1)/kstar) steps: better for long "
            "blocks. Alltoall is where a bus is weakest: its k (k - 1) b words grow with the square of k, while "
            "alltoall/exchange on a cube needs n k/2 b.",
     .paper = "Saad & Schultz 1988, section 3.5(a): multiscatter, MPI's alltoall. The time in their tables, T(5,B), "
              "counts each processor's block for itself too, and is an upper bound (erratum B29).",
     .exercise =
         "`lockstep compare --operation alltoall --machine bus:8,kstar=4 --words 1`: which leads? From the "
         "formulas, for which beta (with tau = 1) does the other lead? Check with --beta 8 on the same command."},
    {.method = "alltoall/direct",
     .families = "shared",
     .idea =
         "Everybody writes its k - 1 blocks into the memory in one access, and then reads the k - 1 blocks for it "
         "in one access. At most kstar processors access the memory in a cycle: both phases go through the ranks in "
         "groups of kstar.",
     .invariant =
         "After step t of the writes all blocks from the ranks below t kstar are in the memory; after step t of the "
         "reads these ranks have all that is for them.",
     .count =
         "R = ceil(k/kstar) groups in each phase: steps = 2 R. Each processor has two accesses of (k - 1) b words: "
         "messages = 2 k, words = 2 k (k - 1) b, longest sum = 2 R (k - 1) b.",
     .use = "With banks=B everybody writes all its blocks into one of P = min(kstar, B, k) groups of banks and reads "
            "group after group, each of P readers in another: ceil(k/P) (P + 1) steps, one less if k = P, for the same "
            "words. The catalogue's only alltoall on a shared memory. Every block is moved twice, but with kstar = k "
            "all at "
            "once. With kstar = 1 it has twice the longest sum and twice the steps of a bus (alltoall/direct).",
     .paper = "Saad & Schultz 1988, (3.42), multiscatter. k/k* is right only where kstar divides k, else ceil(k/kstar) "
              "(erratum B27); Table 1 differs from the text, where (k/k*) (2N/(kb) + 2 tau) stands for N words in all, "
              "word time 1/b and start-up tau (B24); and as it counts each processor's block for itself it is an upper "
              "bound (B29).",
     .exercise =
         "`lockstep run --machine shared:8,kstar=2 --algorithm alltoall/direct --words 10` and `lockstep run "
         "--machine bus:8,kstar=2 --algorithm alltoall/direct-kstar --words 10`: which is quicker? With kstar=8 in "
         "both, from which --beta on is it the other?"},
    {.method = "alltoall/direct-kstar",
     .families = "",
     .idea =
         "On a bus that serves kstar transactions at once, everybody sends its blocks one by one: for the offsets d "
         "= 1..k-1 rank p sends to p + d, in the order of p, one offset behind the other, kstar processors a cycle. Of "
         "kstar <= k that follow each other so, also over the end of an offset, senders and receivers are all "
         "different.",
     .invariant =
         "After step t the first t kstar of the k (k - 1) blocks, by offset and sender, are where they belong.",
     .count =
         "All k (k - 1) blocks of b words are messages, kstar a step: steps = ceil(k (k - 1)/kstar), longest sum = "
         "steps times b, messages = k (k - 1), words = k (k - 1) b. The longest sum is the bound where kstar divides "
         "k (k - 1) b, and no schedule of single blocks takes fewer steps.",
     .use = "For long blocks on a bus with kstar > 1: its words go kstar abreast. For short ones alltoall/direct has k "
            "start-ups only, as everybody hears everything at once.",
     .paper =
         "After Saad & Schultz 1988, section 3.5(a); the method is Lockstep's. The paper defines k* for the bus and "
         "never uses it (erratum B29): this shows what it would give.",
     .exercise =
         "`lockstep run --machine bus:8,kstar=4 --algorithm alltoall/direct-kstar`, then with kstar=3, 5 and 8. Which "
         "blocks share the step in which offset 1 ends, for kstar=5? With kstar=8, which other machine of the "
         "catalogue does the same steps "
         "(`lockstep run --machine complete:8 --algorithm alltoall/factor`)?"},
    {.method = "alltoall/exchange",
     .families = "hypercube",
     .idea =
         "For d = n-1 down to 0 neighbours over dimension d give each other every block whose destination is on the "
         "other side. A block so crosses exactly those dimensions in which its source and destination differ, "
         "combined in one message with all that go the same way.",
     .invariant =
         "After the exchanges over dimensions n-1..d (or others, in the order of --order) processor x holds the k "
         "blocks whose source agrees with x in "
         "bits d-1..0 and whose destination agrees with x in bits n-1..d (its own block for itself among them at "
         "all times).",
     .count =
         "Everybody holds k blocks of b words, half of which are for the other side: an exchange moves k/2 b words, "
         "in f = 1 step (full duplex) or 2. So steps = f n, longest sum = f n 2^(n-1) b, messages = n 2^n, words = "
         "n 2^(2n-1) b. A block needs n/2 links on average, so that with one port in full duplex no schedule has a "
         "smaller longest sum; n steps are the diameter: both bounds are met.",
     .use = "With one port the best alltoall on a cube for every length: alltoall/cayley and alltoall/product have the "
            "same longest sum, but n 2^(n-1) steps. With all ports alltoall/rotated-sbt divides the words by n. "
            "alltoall/sequential-gather shows what combining gains. It is known today as recursive exchange; Bruck's "
            "alltoall (1997) has the same counts for 2^n processors.",
     .paper =
         "Saad & Schultz 1985, section 6, MTADEA, which counts f = 2; 1988, section 3.5(e), multiscatter; Johnsson "
         "& Ho, section 3.2, all-to-all personalized. As printed in 1985 A(X,Y) changes places with A(X',Y), by "
         "which one block alone arrives: Y has to be complemented too (erratum A8); each processor has k blocks, "
         "not N/k (A9). One port in the strict sense, both directions on the same link, is enough (J24).",
     .exercise =
         "`lockstep trace --machine hypercube:2 --algorithm alltoall/exchange` shows the blocks of every message: "
         "find the two that carry the block from 0 to 3, and the one that carries that from 0 to 1. Then compare "
         "`lockstep run --machine hypercube:4 --algorithm alltoall/exchange` with `lockstep run --machine "
         "hypercube:4 --algorithm alltoall/cayley`: equal words, 4 start-ups against 32."},
    {.method = "alltoall/exchange",
     .families = "switch, omega, inverse-omega, indirect-cube, data-manipulator",
     .idea = "The exchange of the hypercube with the ranks as corners: for every bit d the ranks x and x xor 2^d give "
             "each other all blocks for the other's half. A switch does such an exchange at once, as it is a "
             "permutation, and an Omega network lets it pass.",
     .invariant =
         "After the exchanges over bits n-1..d rank x holds the k blocks whose source agrees with x in bits d-1..0 "
         "and whose destination agrees with x in bits n-1..d.",
     .count =
         "k = 2^n ranks with blocks of b words. Half of the k blocks that one holds change sides in each exchange: "
         "in full duplex steps = n, longest sum = n 2^(n-1) b, messages = n 2^n, words = n 2^(2n-1) b; twice the "
         "steps and the longest sum in half duplex. On a switch a block could go straight to its destination, so "
         "that the bound of the longest sum is (k - 1) b: combining costs about n/2 times the words and saves k - 1 "
         "- n start-ups.",
     .use = "For short blocks, on 2^n processors; for other numbers alltoall/bruck. Long blocks are sent "
            "straight, in k - 1 permutations, by alltoall/pairwise.",
     .paper =
         "Saad & Schultz 1988, section 3.5(f), multiscatter. T(5,S) of Table 2 counts two messages an exchange, but "
         "the exchange is one permutation: log2 k (N/(2kb) + tau) holds, half of that (erratum B23).",
     .exercise =
         "`lockstep compare --operation alltoall --machine switch:8 --machine complete:8 --words 1 --ports one` "
         "sets combining beside going straight. Derive the block length below which combining wins with beta = 10 "
         "and tau = 1, and check it with --beta 10 and two values of --words."},
    {.method = "alltoall/exchange-interleaved",
     .families = "",
     .idea = "As alltoall/exchange, a block crosses the dimensions in which its ends differ from the highest down. But "
             "blocks go one by one, and no dimension waits for another: each begins with blocks that need not be "
             "brought to it. The schedule of j dimensions is carried out twice, first with the blocks that stay on "
             "this side of dimension j, then with the others, which dimension j carries meanwhile, in the order in "
             "which they are needed.",
     .invariant = "After step t t blocks have crossed every link. At any time every processor holds one block of every "
                  "relative address (source xor destination), its own at first.",
     .count = "Each of the n dimensions is to be crossed by 2^(n-1) relative addresses, one a step: 2^(n-1) steps, in "
              "all of which all links work: messages = n 2^(2n-1), words b times as many, longest sum = 2^(n-1) b, "
              "the bound.",
     .use = "With all ports where words cost much and start-ups little, and blocks cannot be cut: alltoall/rotated-sbt "
            "has the same words in n steps, but needs blocks of n words. alltoall/sbnt takes n steps and a few words "
            "more. With one port alltoall/exchange.",
     .paper =
         "Johnsson & Ho, section 3.2, calls the exchange in a pipeline suboptimal. In words it need not be (erratum "
         "J26); this schedule is Lockstep's.",
     .exercise =
         "`lockstep run --machine hypercube:6 --algorithm alltoall/exchange-interleaved --words 6` and `lockstep "
         "run --machine hypercube:6 --algorithm alltoall/rotated-sbt --words 6`: both meet the bound on words. "
         "What does each step of the first lack, and what would you have to cut to have it?"},
    {.method = "alltoall/exchange-pipelined",
     .families = "",
     .idea = "What alltoall/exchange sends over one dimension in one message is cut in packets, and while a packet "
             "crosses a dimension, those before it cross the next ones. A packet is made of blocks for relative "
             "addresses c and their complements: together these cross every dimension once, so that a packet is as "
             "long on every dimension.",
     .invariant =
         "After step t packet i (from 1) has crossed the t - i + 1 highest dimensions, if it has begun, and at "
         "most all: every block in it is right in these.",
     .count = "The last of NU packets begins in step NU and crosses n dimensions: NU + n - 1 steps. The longest packet "
              "of a step is the first under way: longest sum = 2^(n-1) b + (n-1) ceil(2^(n-1) b/NU). Messages = NU n "
              "2^n, words = n 2^(2n-1) b. By default NU is what costs least, about sqrt((n-1) 2^(n-1) b tau/beta).",
     .use =
         "To see what pipelining gives, and what it lacks: the pipeline fills and drains, so that the words stay n - "
         "1 above the bound 2^(n-1) b at the least. alltoall/rotated-sbt has all links at work from the first step, "
         "and alltoall/exchange-interleaved too.",
     .paper =
         "Johnsson & Ho, section 3.2, names a pipelined exchange for n ports and calls it suboptimal (erratum J26). "
         "How packets are to be made is left open.",
     .exercise =
         "`lockstep run --machine hypercube:6 --algorithm alltoall/exchange-pipelined --words 6 --packets 4` and "
         "the same with 1, 32 and 192 packets: where is the time least, and why does the longest sum never come "
         "to 192? Give --beta 10: which number is chosen without --packets?"},
    {.method = "alltoall/factor",
     .families = "",
     .idea = "The single-port schedules from which products are built. On a ring of m all displacements d follow each "
             "other, all processors alike: d <= floor(m/2) in d steps clockwise, else m - d steps the other way. On a "
             "complete graph i sends to i + d in step d. On a path everybody sends its messages to the right one by "
             "one, the farthest first, and passes on what comes in behind its own; then the same to the left; for even "
             "m the two middle ones have exchanged before.",
     .invariant =
         "Ring and complete graph: everybody sends one message and receives one in every step, and before each "
         "displacement nobody holds a message in transit. Path: in every step of the phase to the right the middle "
         "link (for odd m the two middle ones) carries a message.",
     .count =
         "Messages are b words, never combined. Ring: steps = floor(m^2/4); complete graph: steps = m - 1; both are "
         "the average status, a bound, as at most m messages move in a step. Path: steps = ceil(m^2/2) - 1, what a "
         "middle node has to send or pass on, also a bound. The longest sum is b times that. Messages are the sum "
         "of all distances: m floor(m^2/4), m (m - 1) and, on a path, m (m^2 - 1)/3.",
     .use = "The shortest exchange of uncombined messages with one port on these machines, and the default factor of "
            "alltoall/product. On a ring alltoall/rotate-drop combines blocks, m - 1 steps with a longest sum of m (m "
            "- 1)/2 b, for short blocks. alltoall/cayley is as short on rings and complete graphs.",
     .paper = "Dimakopoulos & Dimopoulos, sections 3 and 5, for rings, complete graphs and two nodes; the optimal "
              "schedule on paths is not in the paper, and its bound (the load of a middle node, up to 1.5 times the "
              "average status) neither. Their total exchange is MPI's alltoall.",
     .exercise =
         "`lockstep run --machine path:6 --algorithm alltoall/factor` is optimal with 17 steps, although `lockstep "
         "info path:6` gives a smaller average status: count what a middle node sends. On a ring, `lockstep compare "
         "--operation alltoall --machine ring:8 --words 3 --beta 4 --ports one` is a tie of all methods. Derive "
         "from the formulas which beta makes it one, and see who leads with --beta 3 and --beta 5."},
    {.method = "alltoall/greedy",
     .families = "",
     .idea = "On any connected graph: in every step list what could move, each message to a neighbour nearer to its "
             "destination, put the list in order and take from it as long as ports are free. First come messages at "
             "processors that most shortest paths pass (sender and receiver together), as these will be busy longest; "
             "then those with the longest way left.",
     .invariant =
         "Every message is always on a shortest path; in a step each processor sends at most one and receives at "
         "most one, and no listed message is left behind whose ports are both free.",
     .count =
         "All moves are on shortest paths, so messages = S, the sum of all distances, and words = b S, exactly. For "
         "the steps only the bound S is known, one move a step; the report says how they compare with the lower "
         "bound, the average status rounded up (or what a processor has to pass on whose removal parts the graph).",
     .use = "Where nothing better is known: meshes, shuffle-exchange networks, graphs from a file. alltoall/search "
            "begins with its schedule and shortens it, at the price of time. Cayley graphs have alltoall/cayley, "
            "products of rings and complete graphs alltoall/product, paths alltoall/factor; all optimal.",
     .paper =
         "Lockstep's own, after the problem of Dimakopoulos & Dimopoulos, who schedule Cayley graphs and products. "
         "On the trees tried it meets the bound of trees; on rings of odd length it misses the average status, by "
         "half on 5 and 7 processors.",
     .exercise =
         "`lockstep compare --operation alltoall --machine ring:7 --ports one` and the same with ring:8: on which "
         "of the two does the greedy choice miss the bound, and on which is there a choice of direction? `lockstep "
         "run --machine mesh:3x3 --algorithm alltoall/greedy` has 22 steps; how many has alltoall/product?"},
    {.method = "alltoall/hierarchical",
     .families = "",
     .idea = "The ranks are in g groups of l. First the ranks of a group give each other the blocks for their places "
             "in all "
             "groups; then the ranks of one place, one in each group, give each other what their groups have for them.",
     .invariant = "After the first phase a rank has all blocks of its group for ranks of its own place.",
     .count =
         "l - 1 steps of g blocks a message and g - 1 of l blocks: longest sum = b ((l - 1) g + (g - 1) l), which is "
         "b (2 p - l - g), words = p times that. With l and g about the root of p that is 2 (sqrt(p) - 1) steps.",
     .use = "Where a group is a node, whose ranks are closer to each other than to others; between alltoall/bruck and "
            "alltoall/pairwise in steps and words. --group-size is l.",
     .paper = "Known in many forms: two phases over rows and columns, as alltoall/two-phase on a torus.",
     .exercise =
         "`lockstep run --machine switch:36 --algorithm alltoall/hierarchical --group-size 4`: which other group "
         "size has the same counts, and why?"},
    {.method = "alltoall/multiport",
     .families = "",
     .idea =
         "With all ports every link can work in every step. On a torus all nodes do the same: a job g sends every "
         "node's message g further, in some order of its hops, and a hop needs one direction of one dimension. Jobs "
         "and directions form a bipartite graph whose edges are the hops; its edges can be coloured with as many "
         "colours as the busiest direction has hops, and the colours are the steps. On meshes whole exchanges of the "
         "sides take the place of hops, half of the messages going along one side first and half along the other. On "
         "other Cayley graphs a planner gives the generators to the jobs with the longest way before them.",
     .invariant = "Before and after each of its hops (rounds, on meshes) a job has exactly one message at every node. "
                  "In a step a "
                  "direction serves one job, and a job is served by one direction.",
     .count =
         "The links of dimension i carry n/n_i times what an exchange on factor i does, and no schedule is shorter "
         "than "
         "that: ceil((n/m) floor(m^2/4) / 2) for a ring of m, n/m for a complete graph, (n/m) floor(m^2/4) for a path, "
         "whose middle link that many messages cross. steps = the most of these on tori, hypercubes (n/2), generalized "
         "hypercubes, and meshes; rings and paths together may need some steps more. On ccc and rh the links out of "
         "the "
         "cycles and blocks decide: half of the bits of every address are to be changed there. messages = S, the sum "
         "of all "
         "distances, longest sum = b times the steps.",
     .use =
         "With all ports and messages that are not combined: always where it runs. alltoall/product takes the sum over "
         "the dimensions where this takes the most, and twice that on rings.",
     .paper =
         "Dimakopoulos & Dimopoulos, section 6, mention that their theory has been extended to several ports, in a "
         "report "
         "that they cite ([7]); this construction is Lockstep's. That the average over all links is no sharp bound is "
         "erratum D12.",
     .exercise =
         "`lockstep run --machine torus:4x3 --algorithm alltoall/multiport` takes 6 steps. There are 240 hops and 48 "
         "directions of links: why are 5 steps not enough? `lockstep run --machine torus:6x6 --algorithm "
         "alltoall/multiport` takes 27, though a ring of six alone takes 5 and there are six of them: what has been "
         "saved?"},
    {.method = "alltoall/pairwise",
     .families = "",
     .idea = "In step i every rank gives the rank i farther on its block, and is given one by the rank i before it.",
     .invariant = "After step i a rank has the blocks of the i ranks before it.",
     .count =
         "p - 1 steps, in each of which all send one block: messages = p (p - 1), words = p (p - 1) b, longest sum = "
         "(p - 1) b, the bound.",
     .use = "For long blocks: every block goes its way at once. For short ones alltoall/bruck, in log2 p steps.",
     .paper = "R. Thakur, R. Rabenseifner, W. Gropp, 2005: MPICH's choice for long blocks.",
     .exercise =
         "`lockstep compare --operation alltoall --machine switch:12 --words 100 --beta 50`: at which --words do "
         "alltoall/bruck and alltoall/pairwise change places?"},
    {.method = "alltoall/product",
     .families = "",
     .idea =
         "An exchange on a product of two graphs A and B is put together from exchanges on A and on B. First, in as "
         "many rounds as A has nodes, all copies of B run B's exchange at once and bring every message into the "
         "copy of A in which it ends; then, in as many rounds as B has nodes, all copies of A run A's exchange. "
         "More factors are folded in one by one.",
     .invariant =
         "Copies of one factor share no node, so that rounds never collide. After the first phase every message is "
         "in the copy of A that holds its destination, and node (i,j) has what the nodes (i,*) have for the nodes "
         "(*,j).",
     .count =
         "With T_i steps on factor i of n_i nodes, n in all: n_1 rounds of T_2 steps and n_2 of T_1, steps = n sum "
         "T_i/n_i in any order of the factors (at most so many if a T_i is a greedy schedule's bound). All moves "
         "are on shortest paths: messages = sum S_i (n/n_i)^2, S_i the sum of the distances in factor i. Words and "
         "longest sum are b times messages and steps.",
     .use = "Tori, generalized hypercubes and all products whose factors reach their average status (rings, complete "
            "graphs, Cayley graphs): then it is optimal with one port and no port ever rests. On meshes it is about "
            "1.5 times the bound: alltoall/search does better. Where messages may be combined, alltoall/two-phase on a "
            "square torus and alltoall/exchange on a cube have far fewer start-ups.",
     .paper =
         "Dimakopoulos & Dimopoulos, section 4, algorithm A2; their total exchange is MPI's alltoall. Theorem 3 "
         "reads as if optimal factors made an optimal product; they need T_i = AS of the factor: on the 3x2 mesh A2 "
         "takes 11 steps, 9 are possible (erratum D9). In A1 (Fig. 2) the own copy is to be skipped, k != j and not "
         "k != i (D1); line 6 of Fig. 3 includes messages that are where they belong (D7).",
     .exercise =
         "`lockstep run --machine torus:4x3 --algorithm alltoall/product` is the paper's example: find 12 (4/4 + "
         "2/3) = 20 in the formula. Then `lockstep compare --operation alltoall --machine mesh:3x2 --ports one`, "
         "and `lockstep run --machine mesh:3x2 --algorithm alltoall/product --schedules greedy`: are they fewer "
         "steps?"},
    {.method = "alltoall/product-columns",
     .families = "",
     .idea = "A total exchange on a product of A and B, the obvious way: one copy of A after the other is sent all "
             "messages for its nodes, along B, and in the end every copy of A exchanges what its nodes hold. The "
             "columns are those of a table that has a row for each node of A and a column for each copy.",
     .invariant =
         "After column k all messages for the k-th copy of A are in it: its node (i,k) has what the nodes (i,*) "
         "have for the copy. In step p of a column it receives the p-th of them, whose other hops were in the "
         "steps before, one link a step.",
     .count =
         "A node (i,k) receives n_1 messages from each of n_2 - 1 others, one in a step: n_2 columns of n_1 (n_2 - 1) "
         "steps, and n_2 rounds of T_A. Folded over d factors that is steps = n (T_1/n_1 + (n_2 - 1) + .. + (n_d - "
         "1)). "
         "All moves are on shortest paths: messages = S, the sum of all distances.",
     .use = "To see what alltoall/product gains by sending row by row: while a column is gathered, one node of every "
            "copy of B receives and the others mostly pass on. Nothing else speaks for it.",
     .paper = "Dimakopoulos & Dimopoulos, section 4, algorithm A1, the first step towards A2. They leave open how the "
              "messages of a column travel (erratum D2), and skip the wrong copy (D1); here they go along a tree of "
              "shortest paths, as fast as one port allows.",
     .exercise =
         "`lockstep compare --operation alltoall --machine torus:4x3 --ports one` has A1 and A2 side by side. Why does "
         "`lockstep run --machine torus:3x4 --algorithm A1` take 44 steps, and torus:4x3 only 36, where A2 takes 20 on "
         "both?"},
    {.method = "alltoall/rotate-drop",
     .families = "",
     .idea = "The blocks of every processor go round the ring together, one place a step, and each processor drops out "
             "of the passing message the block that is for it. So blocks of one source travel as one message, which "
             "shrinks as it goes. On a torus the ring is that of allgather/daisy-chain, through all processors.",
     .invariant =
         "After step t everybody has the blocks of the t sources before it, and holds, to pass on, the blocks of "
         "source p - t for the k - 1 - t processors farther on.",
     .count =
         "A message of step t has k - t blocks of b words: steps = k - 1, longest sum = (k - 1 + .. + 1) b = k (k - "
         "1)/2 b. All send in every step: messages = k (k - 1), words = k^2 (k - 1)/2 b: the fewest in one "
         "direction. Both directions would allow the longest sum floor(k^2/4) b with one port, and half of that "
         "with both.",
     .use = "For short blocks on a ring: k - 1 start-ups. alltoall/factor goes both ways with uncombined blocks: "
            "floor(k^2/4) start-ups and as many blocks, better for long ones. A phase of this a dimension makes "
            "alltoall/two-phase, which is far shorter on a torus.",
     .paper = "Saad & Schultz 1988, (3.43), multiscatter. The sum is printed with k terms of weights k..1 and called "
              "N/2; it has k - 1 terms of weights k-1..1, and the result printed is an upper bound (erratum B21).",
     .exercise =
         "`lockstep best --operation alltoall --machine ring:16 --ports one --words 1..100 --beta 10` says up to "
         "which length rotate-drop leads. Derive that length from both formulas. `lockstep trace --machine ring:4 "
         "--algorithm alltoall/rotate-drop` shows what is dropped where."},
    {.method = "alltoall/rotated-sbt",
     .families = "",
     .idea = "As alltoall/exchange, but with every block cut in n slices, each of which crosses the dimensions in "
             "another rotation: slice r crosses dimension (r + i - 1) mod n in step i, if it has to. So in every step "
             "all n links of all processors carry a slice's exchange.",
     .invariant = "After step i slice r of every block is where its destination wants it in the dimensions r, r+1, .., "
                  "r+i-1, modulo n; everywhere else it is still where it began.",
     .count =
         "f n steps, f = 1 in full duplex and 2 otherwise (even parity first). In each a link carries the slices of "
         "half of the k blocks: longest sum = f n 2^(n-1) ceil(b/n), for b a multiple of n the bound f 2^(n-1) b. "
         "All links work in all exchanges: messages = n^2 2^n; words = n 2^(2n-1) b, as each block still crosses "
         "n/2 links on average.",
     .use = "The best alltoall on a cube with all ports for long blocks, and optimal where n divides b. Blocks of "
            "fewer than n words are refused, and just above a multiple of n rounding can make alltoall/sbnt, which "
            "moves whole blocks, the better one. With one port alltoall/exchange.",
     .paper =
         "Johnsson & Ho, section 3.2 (all-to-all personalized); it reaches the improved time that Saad & Schultz "
         "1988, section 3.5(e), give for a schedule which they say is in their report of 1985, but is not (erratum "
         "B28).",
     .exercise =
         "`lockstep compare --operation alltoall --machine hypercube:4 --words 4` and the same with --words 5: why "
         "does alltoall/sbnt take the lead? Find the next --words at which rotated-sbt meets its bound."},
    {.method = "alltoall/sbnt",
     .families = "",
     .idea =
         "Every block starts in the first step and moves in every step, down the spanning balanced n-tree of its "
         "source, whose n subtrees below the root have nearly the same size, so that all links of a processor carry "
         "about the same. The first dimension of relative address c is base(c), the least number of right rotations "
         "that make c its smallest rotation (that bit of c is set); then the other one bits of c follow, to the "
         "left and round.",
     .invariant = "After step t every block is t links from its source or, if that is less, at its destination; it has "
                  "crossed the first t one bits of c, counted from base(c) to the left.",
     .count = "n steps, the diameter. Summed over the steps each link carries exactly the same, 2^(n-1) b words, which "
              "is the bound. But in single steps some carry more than others: longest sum = b sum over t of max over p "
              "of load(t,p), where load(t,p) counts the c whose t-th hop is over dimension p; for prime n that is b "
              "(2^(n-1) + n - 1). Words = n 2^(2n-1) b; messages = 2^n times the pairs (t,p) with a load.",
     .use = "With all ports for blocks of fewer than n words, which alltoall/rotated-sbt cannot cut, or of a few more, "
            "which it cuts unevenly. Where n divides b that is better; with one port alltoall/exchange. The scatter on "
            "the same tree is scatter/sbnt. --order rbf lets the farthest blocks leave first, in n steps too; --order "
            "postorder sends one block of each subtree a step, which takes necklaces(n) - 1 steps of short messages. "
            "Unless duplex is full a step takes two.",
     .paper = "Johnsson & Ho, section 3.2, all-to-all personalized, with subtrees in postorder or reverse breadth "
              "first; postorder takes more than n start-ups (erratum J27). The time P Q tau / (2N) + n beta is right "
              "for the "
              "words over one link, but not where steps end together: it is the rotated SBT that reaches it (erratum "
              "J9).",
     .exercise =
         "`lockstep run --machine hypercube:5 --algorithm alltoall/sbnt`: the busiest link carries 16 words, the "
         "bound, but the longest sum is 20. With `lockstep run --machine hypercube:5 --algorithm alltoall/sbnt "
         "--cycles` find the steps in which links differ: words / messages against longest. The formula 2^(n-1) + n "
         "- 1 is for prime n: does it hold for 4 and for 6?"},
    {.method = "alltoall/search",
     .families = "",
     .idea = "From the greedy schedule down it asks for a timetable with one step fewer, again and again. Messages are "
             "put into the timetable one by one, each on the cheapest shortest path through processors and steps; a "
             "place taken by another message may be bought, and that message is then put in anew. A message gains "
             "priority each time it is placed, so that those that are hard to place keep their places in the end.",
     .invariant =
         "The best timetable found so far is always a valid schedule. In the one that is being filled no port is "
         "booked twice in a step, and every placed message is on a shortest path.",
     .count =
         "Shortest paths only, so messages = S, the sum of all distances, and words = b S, exactly. The steps are "
         "what the search finds: at least the lower bound, at which it stops, and at most those of alltoall/greedy. "
         "It gives a length up after --tries placements, or altogether after --time-limit.",
     .use = "Where no optimal schedule is known: meshes, shuffle-exchange networks, graphs of one's own of up to some "
            "tens of processors. For Cayley graphs alltoall/cayley is optimal at once. The result depends on --seed, "
            "but on the host only if time runs out.",
     .paper = "Lockstep's own, beyond Dimakopoulos & Dimopoulos, who leave meshes open; the idea is that of negotiated "
              "routing of circuits (PathFinder) and of ejection chains. With seed 1 it finds 9 steps on the 3x2 mesh "
              "(their A2: 11, bound 9), 18 on 3x3 (A2: 24) and 43 on 4x4 (A2: 56).",
     .exercise =
         "`lockstep run --machine mesh:3x3 --algorithm alltoall/search` finds 18 steps; the bound is 16. Do other "
         "seeds, or --tries 1000000, find fewer? In 16 steps every processor would have to send in every one: how "
         "many messages would a corner have to pass on, and which could they be?"},
    {.method = "alltoall/sequential-gather",
     .families = "",
     .idea = "One gather over the binomial tree after the other: first everybody sends its block for processor 0, then "
             "that for processor 1, and so on. Each gather is gather/sbt with another root.",
     .invariant = "After the first j gathers the processors 0..j-1 have all their blocks, and the others none yet.",
     .count =
         "k = 2^n gathers of n steps each: steps = 2^n n. A gather has k - 1 messages and a longest sum of (k - 1) "
         "b, as everything ends at one port: messages = 2^n (2^n - 1), longest sum = 2^n (2^n - 1) b. Words are no "
         "more than with any other shortest paths, n 2^(2n-1) b.",
     .use = "Never, but to see what it lacks: one processor receives at full rate while most others rest. "
            "alltoall/exchange moves the same words in n steps, all processors working, with a longest sum that is 2 "
            "(k - 1)/n times smaller.",
     .paper = "Saad & Schultz 1985, section 6, sequential multiple gathers (SMG). Its time is printed with N^2 tau "
              "instead of (k-1)/k N^2 tau (erratum A10).",
     .exercise =
         "`lockstep compare --operation alltoall --machine hypercube:4 --ports one` puts it last, with 7.5 times "
         "the longest sum. Derive this factor for n dimensions. Then `lockstep run --machine hypercube:3 "
         "--algorithm alltoall/sequential-gather --cycles`: how many of the 8 processors receive in a cycle?"},
    {.method = "alltoall/two-phase",
     .families = "",
     .idea = "First all blocks go round their rows as in alltoall/rotate-drop, each processor keeping those for its "
             "column; then they go round the columns, each processor keeping those for itself. A torus being a product "
             "of rings, each phase puts one coordinate right, however many there are. Along the lines of a mesh, or a "
             "path, blocks go both ways, and none past its place.",
     .invariant =
         "After step t of the first phase a processor has, from the t processors before it in its row and from "
         "itself, all blocks for its column; after step t of the second phase everything for itself from the "
         "sources in its row and in the t rows before it.",
     .count =
         "On s x s processors with blocks of b words each phase has s - 1 steps, in which a message has s blocks "
         "for each of s - t columns (or rows): steps = 2 (s - 1), longest sum = 2 s s (s - 1)/2 b = s^2 (s - 1) b. "
         "All send in each step: messages = 2 s^2 (s - 1), words = s^4 (s - 1) b. With k processors and sides a: sum "
         "of a - 1 steps, longest sum k sum (a - 1)/2 b, on a torus k times as many words. A mesh takes these steps "
         "twice unless all ports and full duplex let both senses go at once, but moves fewer words: nothing goes the "
         "longer way.",
     .use = "For short blocks on a torus or mesh with one port: 2 (s - 1) start-ups on a square torus. "
            "alltoall/product and "
            "alltoall/cayley use both directions and shortest paths: fewer words, but a start-up for every block that "
            "moves.",
     .paper = "Replaces Saad & Schultz 1988, section 3.5(d), (3.44), multiscatter. What the paper describes (gather on "
              "the diagonal, scatter along the column) delivers 1/s of the blocks only (erratum B22); as what it is, a "
              "transposition of one block a processor, it is transpose/diagonal. The counts here stay below (3.44).",
     .exercise =
         "`lockstep compare --operation alltoall --machine torus:4x4 --words 1 --beta 2` and the same with --words "
         "4: find the length at which alltoall/product takes over, and check it with `lockstep best --operation "
         "alltoall --machine torus:4x4 --ports one --words 1..8 --beta 2`."},
};

}  // namespace lockstep::cli
