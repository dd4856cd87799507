#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> allgather_explanations{
    {.method = "allgather/adea",
     .families = "",
     .idea =
         "For d = n-1 down to 0 the two neighbours over dimension d give each other all that they hold (recursive "
         "doubling). Two addresses differ in some set of bits, and each exchange carries everything across one bit: "
         "after n dimensions every block has reached every processor. No processor is ever sent a block that it "
         "has.",
     .invariant =
         "After the exchanges over dimensions n-1..d a processor holds exactly the 2^(n-d) blocks of the processors "
         "whose addresses agree with its own in bits d-1..0. Its neighbour over dimension d-1 holds as many others.",
     .count =
         "m is the words of a block. An exchange takes f = 1 step in full duplex and f = 2 otherwise, so steps = f "
         "n. Exchange i moves the 2^(i-1) blocks held so far: longest sum = f (1 + 2 + .. + 2^(n-1)) m = f (2^n - "
         "1) m. All send in each exchange, so messages = n 2^n; everybody receives the 2^n - 1 other blocks once, "
         "so words = 2^n (2^n - 1) m. In full duplex both one-port bounds are met: n is the diameter, and 2^n - 1 "
         "blocks have to come in through one port.",
     .use = "With one port and full duplex nothing in the catalogue is quicker on a cube. With all ports "
            "allgather/tea2 takes the same steps and about 1/n of the longest sum. Under --duplex half-link an "
            "exchange costs twice the words, and allgather/daisy-chain, which never turns a link round, is quicker for "
            "long blocks. allgather/doubling does the same on a switch of any size. --group exchanges between some "
            "processors only, through others where it must: a subcube of d dimensions takes d exchanges.",
     .paper = "Saad & Schultz 1985, section 4.2, formula (4.3), alternate direction exchange (ADEA). Their total "
              "exchange is MPI's allgather. (4.3) counts exchanges in half duplex, which full duplex halves; and bits "
              "are counted from the left there, but from the right in section 4.3 (erratum A10).",
     .exercise =
         "`lockstep trace --machine hypercube:3 --algorithm allgather/adea` shows who holds which blocks after "
         "every cycle: check the invariant. Then `lockstep run --machine hypercube:4 --algorithm allgather/adea "
         "--duplex half-node`: who sends second already has the first one's blocks. What would the longest sum of "
         "30 be if they were sent back too?"},
    {.method = "allgather/circulant",
     .families = "",
     .idea = "Rank r collects the blocks of r, r + 1, .. (mod p), as in Bruck's method, but over skips that are p "
             "halved again and again, rounded up each time, the smallest first. So no step is left over for a rest: "
             "every message but the last is as many blocks as the next skip is farther on.",
     .invariant = "Before the step over skip s_k rank r has the blocks of the s_k ranks from r on.",
     .count = "ceil(log2 p) steps, in each of which all ranks send: p messages a step. p - 1 blocks come to everybody, "
              "and none twice: longest sum (p - 1) b, words p (p - 1) b. Steps and longest sum are the bounds.",
     .use = "For any number of ranks. allgather/doubling and allgather/sparbit count the same; this one is the second "
            "half of allreduce/circulant. For an even number of ranks on a ring allgather/neighbour-exchange needs no "
            "far links.",
     .paper = "J. L. Traeff, arXiv 2410.14234, 2024.",
     .exercise = "`lockstep run --machine switch:11 --algorithm allgather/circulant --words 4`: which skips are used, "
                 "and how many blocks go over each? Compare with `lockstep run --machine switch:11 --algorithm "
                 "allgather/doubling --words 4`."},
    {.method = "allgather/daisy-chain",
     .families = "hypercube",
     .idea = "The reflected Gray code lists all addresses so that each differs from the next in one bit, and the last "
             "from the first: so the cube contains a ring of all k = 2^n processors. In every step everybody passes on "
             "to its successor the block that came last, at first its own. After k - 1 steps every block has been "
             "everywhere.",
     .invariant =
         "After step t the processor at place i of the ring holds the t + 1 blocks that began at the places i-t..i, "
         "modulo k.",
     .count =
         "Everybody lacks k - 1 blocks, of m words each, and is given one a step: steps = k - 1, longest sum = (k - "
         "1) m. All k send in every step: messages = k (k - 1), words = k (k - 1) m. With one port the longest sum "
         "is the bound; the steps are far above it, the diameter n. A processor sends on one of its n ports only, "
         "so that --ports all changes nothing.",
     .use = "allgather/adea has the same longest sum in n steps. The ring wins for long blocks where a link carries "
            "one direction at a time (--duplex half-link): it uses each link in one direction only, while an exchange "
            "then takes two steps and 2 (k - 1) m words. Messages are never longer than a block, so that buffers can "
            "be small.",
     .paper =
         "Saad & Schultz 1985, section 4.1, (4.2), for their total exchange (MPI's allgather); no erratum concerns "
         "it. For n = 1 the ring is a single link. Where a processor either sends or receives (--duplex half-node) "
         "places "
         "take turns: 2 (k - 1) steps.",
     .exercise =
         "Compare `lockstep compare --operation allgather --machine hypercube:5 --words 100 --ports one --duplex "
         "half-link` with `lockstep compare --operation allgather --machine hypercube:5 --words 100 --ports one`. "
         "From the formulas, from which start-up time --beta on does allgather/adea win in half duplex too? Check "
         "with `lockstep best --operation allgather --machine hypercube:5 --words 100 --ports one --duplex "
         "half-link --vary beta=1..1000*10`."},
    {.method = "allgather/daisy-chain",
     .families = "ring",
     .idea = "Everybody sends to rank + 1 the block that came last from rank - 1, at first its own. So all blocks "
             "travel round the ring together, one place a step, and k - 1 steps show every block to everybody.",
     .invariant = "After step t rank i holds the t + 1 blocks of the ranks i-t..i, modulo k.",
     .count =
         "One block of m words comes to everybody a step, and k - 1 are missing: steps = k - 1, longest sum = (k - "
         "1) m, messages = k (k - 1), words = k (k - 1) m. With one port the longest sum is the bound. Every link "
         "works in every step, but in one direction only: with both ports floor(k/2) steps and ceil((k - 1)/2) m "
         "words would be the bounds.",
     .use = "For an even number of processors allgather/neighbour-exchange takes half the steps, for which it needs "
            "full duplex. Where the machine has more links, use them: allgather/two-pass on a torus and allgather/adea "
            "on a cube have the same longest sum in fewer steps, allgather/tea2 a smaller one.",
     .paper =
         "Saad & Schultz 1988, section 3.3(c), (3.28): the papers use one direction. Their total exchange is MPI's "
         "allgather. No erratum concerns it.",
     .exercise =
         "`lockstep run --machine ring:8 --algorithm allgather/daisy-chain --ports all` says how far it is from the "
         "bounds of two ports. Plan a schedule that sends both ways at once: how many steps does it take for 8 "
         "processors, and how many for 9? `lockstep trace --machine ring:4 --algorithm allgather/daisy-chain` shows "
         "which direction rests."},
    {.method = "allgather/daisy-chain",
     .families = "switch, omega, inverse-omega, indirect-cube, data-manipulator",
     .idea = "The ranks are taken for a ring: in every step everybody sends to rank + 1 the block that came last, at "
             "first its own. A step is the cyclic shift by one, a permutation, so that a crossbar does it at once; an "
             "Omega network lets it pass too.",
     .invariant = "After step t rank i holds the t + 1 blocks of the ranks i-t..i, modulo k.",
     .count = "k - 1 blocks of m words are missing, and one comes a step: steps = k - 1, longest sum = (k - 1) m, "
              "messages = k (k - 1), words = k (k - 1) m. The longest sum is the one-port bound; ceil(log2 k) steps "
              "would do.",
     .use = "allgather/doubling has the same words and longest sum in ceil(log2 k) steps, and is never slower. Its "
            "messages grow to half of all data, though, while the chain never sends more than a block: with packets as "
            "short as a block (--max-packet) both have the same start-ups.",
     .paper = "Saad & Schultz 1988, (3.34), beside the doubling of (3.35); total exchange is their name for allgather. "
              "No erratum concerns it.",
     .exercise =
         "`lockstep compare --operation allgather --machine switch:8 --words 10` and `lockstep compare --operation "
         "allgather --machine switch:8 --words 10 --max-packet 10`: why is the second a tie? Find a --max-packet "
         "between 10 and 40 with which doubling leads by 3 start-ups."},
    {.method = "allgather/daisy-chain",
     .families = "torus",
     .idea = "A ring goes through all processors. On s x s it goes along a row, one link down its last column, along "
             "the next row, which so begins one column farther back (place t is at y = t div s, x = (t - y) mod s). On "
             "AxB, d = gcd(A, B), (x, y) leads down if (x + y) mod d >= d - e and else to the right, if some e makes "
             "that a ring: prime to A, and d - e to B. Where none does the ring is that of "
             "allgather/daisy-chain-snake. All blocks go once round it.",
     .invariant =
         "After step t the processor at place i of the ring holds the t + 1 blocks that began at the places i-t..i, "
         "modulo k.",
     .count =
         "Everybody lacks k - 1 blocks, of m words each, and is given one a step: steps = k - 1, longest sum = (k - "
         "1) m, messages = k (k - 1), words = k (k - 1) m, whatever the ring. The longest sum is the one-port bound, "
         "and all but one of a processor's ports never send.",
     .use = "allgather/two-pass has the same longest sum in far fewer steps, 2 (s - 1) on a square. The chain's "
            "messages are never longer than one block. allgather/daisy-chain-snake counts the same, and does without "
            "wrap-around links where a side is even.",
     .paper = "Saad & Schultz 1988, section 3.3(d), (3.30). The paper wants an even number of processors, which holds "
              "only without wrap-around links (erratum B14): this ring exists for every s.",
     .exercise =
         "`lockstep run --machine torus:5x5 --algorithm allgather/daisy-chain` is the case that the paper leaves "
         "out. Draw the ring for s = 3 from the formula and check it with `lockstep trace --machine torus:3x3 "
         "--algorithm allgather/daisy-chain`: to whom does rank 2 send in cycle 0?"},
    {.method = "allgather/daisy-chain",
     .families = "path, mesh",
     .idea = "Where there is no ring all blocks go along a path through all processors (on a mesh to and fro through "
             "its rows) to both ends: everybody passes up what comes from below and down what comes from above. With "
             "all ports and full duplex both senses go at once, else everything goes up first, and then down.",
     .invariant = "After step t of a sense the processor at place i of the path holds, from that side, the blocks of "
                  "the t places before it, or all that there are.",
     .count = "The block of one end has k - 1 links to go to the other: k - 1 steps for a sense, with a longest sum "
              "of (k - 1) m. Every link carries k blocks, those from below one way and those from above the other: "
              "messages = k (k - 1), words = k (k - 1) m. With all ports in full duplex both are bounds, as an end has "
              "one link for k - 1 blocks; one sense after the other takes 2 (k - 1) steps and 2 (k - 1) m.",
     .use = "Paths, with all ports; and meshes of odd sides with short messages. A mesh with a side of even length has "
            "a ring, and allgather/daisy-chain-snake half the longest sum with one port; allgather/two-pass has far "
            "fewer steps.",
     .paper = "Saad & Schultz 1988 have no such grid: section 3.3(d) wants a ring, and an even number of processors "
              "for it (erratum B14). The form on a path is Lockstep's.",
     .exercise = "`lockstep run --machine path:5 --algorithm allgather/daisy-chain` and the same with --ports all: 8 "
                 "steps and 4. With one port a processor in the middle has k + 1 blocks to send. Why does no schedule "
                 "of single blocks end after k + 1 steps?"},
    {.method = "allgather/daisy-chain",
     .families = "rh",
     .idea = "A reduced hypercube has a ring through all its nodes: in each layer the rings of the building blocks' "
             "subblocks, joined four blocks at a time over links between blocks, and then layer after layer there and "
             "back. In every step everybody passes on to its successor the block that came last, at first its own.",
     .invariant =
         "After step t the node at place i of the ring holds the t + 1 blocks that began at the places i-t..i, "
         "modulo k.",
     .count = "Everybody lacks k - 1 blocks, of m words each, and is given one a step: steps = k - 1, longest sum = (k "
              "- 1) m, messages = k (k - 1), words = k (k - 1) m. With one port the longest sum is the bound; the "
              "steps are far above theirs, the diameter (2 D + k - n for n > 0). On the machine of two nodes the ring "
              "goes over its "
              "only link and back.",
     .use = "With one port nothing has a smaller longest sum, and messages are never longer than a block. "
            "allgather/bfs-tree takes fewer steps on large machines, but sends many times the words: it is for very "
            "short blocks where a start-up is dear.",
     .paper = "The method is that of Saad & Schultz 1985, section 4.1; the ring is Lockstep's, from the embeddings of "
              "Mukherjee's chapter 1. The thesis has no allgather.",
     .exercise = "`lockstep compare --operation allgather --machine rh:2,1 --words 100`: from which start-up time "
                 "--beta on is another method better? `lockstep info rh:2,1 --embed ring:16` shows the ring."},
    {.method = "allgather/daisy-chain-snake",
     .families = "",
     .idea = "A closed tour through all processors, as a rule without wrap-around links: from (0,0) along row 0, back "
             "along row 1 as far as column 1, and so on to and fro, until column 0 leads straight back to the start. "
             "For an odd number of rows of even length rows and columns change roles; if both are odd one wrap-around "
             "link closes the tour, which a mesh has not: it is refused. All blocks go once round.",
     .invariant =
         "After step t the processor at place i of the tour holds the t + 1 blocks that began at the places i-t..i, "
         "modulo k.",
     .count =
         "As of every daisy chain, with blocks of m words: steps = k - 1, longest sum = (k - 1) m, messages = k (k "
         "- 1), words = k (k - 1) m. The longest sum is the one-port bound.",
     .use = "Meshes with a side of even length, and tori whose wrap-around links are slow. With one port a mesh has "
            "nothing of a smaller longest sum: allgather/two-pass takes twice that there, in fewer steps.",
     .paper = "Saad & Schultz 1988, section 3.3(d), (3.30). That the number of processors has to be even is right for "
              "this tour, and wrong once wrap-around links may be used (erratum B14).",
     .exercise =
         "`lockstep compare --operation allgather --machine mesh:5x5` says why the snake is not there. Colour the "
         "processors like a chess-board and show that no closed tour of an odd grid without wrap-around exists. "
         "`lockstep trace --machine torus:4x4 --algorithm allgather/daisy-chain-snake --ranks 0,4,8,12` shows which "
         "links column 0 uses."},
    {.method = "allgather/direct",
     .families = "bus",
     .idea =
         "One after the other says its block, and all others hear it: a transaction on a bus costs the same however "
         "many listen. Rank q speaks in step q + 1.",
     .invariant = "After step t everybody holds the blocks of the ranks 0..t-1, and its own.",
     .count =
         "Each of the k processors has to speak once, m words: steps = messages = k, and longest sum = words = k m, "
         "as a transaction counts once, not once for each listener. Both are bounds of a bus with one transaction a "
         "cycle: k transactions and k m words.",
     .use = "The catalogue's only allgather on a bus. With one port it is hardly slower than a ring of as many links: "
            "everybody has to hear k - 1 blocks one after the other on either, so that the bus's single wire is no "
            "worse than k links. More links pay by fewer start-ups (allgather/adea) and with several ports "
            "(allgather/tea2).",
     .paper = "Saad & Schultz 1988, (3.26), for their total exchange. The paper defines k*, transactions that a bus "
              "serves at once, and never uses it (erratum B29); here a bus has kstar = 1 unless it is given more.",
     .exercise =
         "`lockstep compare --operation allgather --machine bus:16 --machine ring:16 --machine hypercube:4 --words "
         "10 --ports one`: the bus needs one block more than the ring. Which one, and why does the ring not? Then "
         "compare the columns time x links."},
    {.method = "allgather/direct",
     .families = "shared",
     .idea = "Everybody writes its block into the memory, and then reads those of all others in one access. At most "
             "kstar processors access the memory in a cycle, so that both phases go through the ranks in groups of "
             "kstar. Reading leaves the data there: the memory is the broadcast.",
     .invariant =
         "After step t of the writes the blocks of the ranks below t kstar are in the memory; after step t of the "
         "reads these ranks hold all k blocks.",
     .count = "R = ceil(k/kstar) groups write m words each and then read (k - 1) m: steps = 2 R, longest sum = R m + R "
              "(k - 1) m = R k m. Each processor has two accesses: messages = 2 k, words = k m + k (k - 1) m = k^2 m.",
     .use =
         "With banks=B the blocks lie in P = min(kstar, B, k) groups of banks; everybody writes into its own and "
         "reads group after group, each of P readers in another: ceil(k/P) (P + 1) steps, one less if k = P, for the "
         "same words. The catalogue's only allgather on a shared memory. With kstar = k it takes 2 steps and k m "
         "words, as many "
         "words as a bus; with fewer simultaneous accesses it is ceil(k/kstar) times as slow, as everybody has to "
         "read nearly all data.",
     .paper = "Saad & Schultz 1988, (3.27). Its factor k/k* is right only where kstar divides k, ceil(k/kstar) holds "
              "(erratum B27); Table 1 differs from the text (B24): with their N = k m words in all, word time 1/b and "
              "start-up tau it is (k/k*) (N/b + 2 tau).",
     .exercise =
         "Run `lockstep run --machine shared:8,kstar=3 --algorithm allgather/direct` with kstar from 1 to 8, and "
         "find those values that buy nothing over a smaller one. What does `lockstep compare --operation allgather "
         "--machine shared:8,kstar=8 --machine bus:8 --words 10` say about the memory against the bus?"},
    {.method = "allgather/doubling",
     .families = "",
     .idea = "With c blocks in hand, at first its own, everybody is given blocks by the processor c places farther on: "
             "as many as that has, or as are still lacking. So c doubles in every step until all k are there, whatever "
             "k is. Every step is a cyclic shift, a permutation that crossbars and Omega networks realise.",
     .invariant =
         "After step i rank j holds the c = min(2^i, k) blocks of the ranks j, j+1, .., j+c-1, modulo k, in this "
         "order.",
     .count =
         "Of k blocks of m words c are in hand, and c doubles from 1 to k: steps = ceil(log2 k). The messages of 1, "
         "2, 4, .. blocks and a last, shorter one bring the k - 1 missing ones, none twice: longest sum = (k - 1) "
         "m. All send in each step: messages = k ceil(log2 k), words = k (k - 1) m. Both one-port bounds are met "
         "for every k.",
     .use = "The best allgather on a switch, for all k and all lengths. allgather/daisy-chain has the same words in k "
            "- 1 steps, its messages being one block each. On a cube allgather/adea does the same with neighbours "
            "only.",
     .paper =
         "Saad & Schultz 1988, (3.35). The loop as printed starts at i = 1 and leaves out the shift by 2^0, without "
         "which half of the data is missing (erratum B26). It is known today as Bruck's allgather (1997).",
     .exercise =
         "`lockstep run --machine switch:6 --algorithm allgather/doubling --cycles`: the last messages are shorter "
         "than twice the ones before. `lockstep trace --machine switch:6 --algorithm allgather/doubling` shows "
         "which blocks they hold. How many steps more does k = 9 take than k = 8?"},
    {.method = "allgather/neighbour-exchange",
     .families = "switch, complete",
     .idea = "Two by two ranks exchange their blocks. Then everybody exchanges the two blocks that came last with the "
             "neighbour on either side in turn. Pairs of blocks so travel both ways at once, two places a step.",
     .invariant = "After t + 1 steps every rank has the blocks of t + 1 pairs in a row, its own among them.",
     .count = "The first step brings a block, each other one two: p/2 steps, p/2 messages a rank, longest sum 1 + 2 "
              "(p/2 - 1) = p - 1 blocks of b words, words p (p - 1) b.",
     .use = "Where messages between neighbours are cheaper than others, half the steps of allgather/daisy-chain. Else "
            "allgather/doubling takes ceil(log2 p). It is for an even number of ranks.",
     .paper = "J. Chen, L. Zhang, Y. Zhang, W. Yuan, 2005; Open MPI has it.",
     .exercise = "`lockstep trace --machine switch:6 --algorithm allgather/neighbour-exchange` shows whom rank 0 "
                 "exchanges with. Why does it not work for 7 ranks?"},
    {.method = "allgather/neighbour-exchange",
     .families = "ring",
     .idea = "The ring's links take turns: in even steps those between 2i and 2i + 1 carry blocks both ways, in odd "
             "ones the others. First a block each way, and then always the two that came last.",
     .invariant = "After t + 1 steps every processor has the blocks of t + 1 pairs in a row, its own among them.",
     .count = "p/2 steps, which is the diameter, and p - 1 blocks of b words one after the other: longest sum (p - 1) "
              "b, messages p^2/2, words p (p - 1) b. With one port both are the bounds.",
     .use = "With one port the best there is on a ring, for an even number of processors: allgather/daisy-chain takes "
            "p - 1 steps for the same words. It wants full duplex, the daisy chain does not.",
     .paper = "J. Chen, L. Zhang, Y. Zhang, W. Yuan, 2005.",
     .exercise = "`lockstep compare --operation allgather --machine ring:8 --words 3`, and then with --duplex "
                 "half-link: which of both remains, and why?"},
    {.method = "allgather/sequential",
     .families = "",
     .idea =
         "One pipelined broadcast after the other, from every processor in turn: of each block nu packets go down a "
         "spanning tree, on a cube the binomial tree (broadcast/sbt-pipelined), on a torus, mesh or path along the "
         "dimensions in turn (broadcast/axis). The next begins when the last packet has arrived "
         "everywhere.",
     .invariant = "After the first j broadcasts everybody holds the blocks of the ranks 0..j-1 and its own. Within a "
                  "broadcast, packet p = 0..nu-1 has reached all at distance h from the root after its step p + h.",
     .count =
         "A block is m words in nu packets. The last packet leaves in step nu of its broadcast and crosses as many "
         "links as the tree is deep: steps = k (n + nu - 1) and longest sum = k ((n - 1) ceil(m/nu) + m) on a cube; "
         "on a square torus 2h, h = floor(s/2), stands for n, on any grid the mean over the roots of the links to the "
         "farthest processor. Each packet goes once to each of the k - 1 others: messages "
         "= k (k - 1) nu, words = k (k - 1) m. The --packets that are best depend on beta and tau.",
     .use = "To see what exchanging gains: it keeps all links but one tree's idle, and takes k times a broadcast. "
            "allgather/adea on a cube and allgather/two-pass on a torus have a longest sum of (k - 1) m only, and few "
            "steps. Without multicast or all ports it is refused.",
     .paper =
         "Saad & Schultz 1985, section 4.1, (4.1), sequential broadcasts (SBA), and 1988, (3.29), which prints the "
         "time of one broadcast instead of k (erratum B13). The closed forms hold for a real number of packets, and "
         "are lower bounds for a whole one (A2, B2).",
     .exercise =
         "`lockstep run --machine hypercube:4 --algorithm allgather/sequential --words 12` chooses its packets; try "
         "--packets 1, 2, 6 and 12 and find the best. Why is its asynchronous time below the synchronous one, and "
         "by how much is `lockstep run --machine hypercube:4 --algorithm allgather/adea --words 12` still quicker?"},
    {.method = "allgather/sparbit",
     .families = "",
     .idea = "Over distances 2^(q-1), .., 4, 2, 1 ranks give blocks to the rank that far on: first its own, and then "
             "of all that it has those that are wanting there. Blocks so come to where they are to stay at once, while "
             "Bruck's method collects them from its own on and has to rotate them in the end.",
     .invariant = "After the step over distance d rank r has the blocks r, r - d, r - 2 d, .. back to itself.",
     .count = "q = ceil(log2 p) steps; before that over d a rank has ceil(p/2d) blocks and afterwards ceil(p/d), so "
              "that p - 1 come in all: longest sum (p - 1) b, messages p q, words p (p - 1) b. Both are the bounds.",
     .use = "For any number of ranks; it counts what allgather/doubling counts. What it saves, the rotation in memory, "
            "costs no steps here. The long way comes first, for few words, and the near neighbours give the most.",
     .paper = "W. J. Loch, G. P. Koslovski, 2021. Open MPI, which has it, sends every block by itself, as they lie "
              "apart; here the blocks of a step are one message.",
     .exercise = "`lockstep trace --machine switch:6 --algorithm allgather/sparbit`: which blocks does rank 0 give in "
                 "the last step, and why not all that it has?"},
    {.method = "allgather/tea1",
     .families = "",
     .idea =
         "In step i = 1..n every processor x sends to each neighbour y, over all n links at once, those blocks that "
         "it holds and whose source is at distance i from y. These can be new to y, and x has them, as it is one "
         "nearer to their source. A block comes over several links at once; copies are dropped.",
     .invariant = "After step i everybody holds exactly the blocks of all sources at distance at most i.",
     .count =
         "n steps, the diameter (2 n below full duplex, even parity first). A block is m words. In step i a link "
         "carries the blocks whose source is at distance i from y on x's side, C(n-1,i-1): longest sum = 2^(n-1) m "
         "in all, twice that in half duplex. All n links of all processors work in all steps: messages = n^2 2^n, "
         "and words = n 2^(2n-1) m, about n/2 times what has to move, as a block from distance i comes i times.",
     .use =
         "For its simplicity: no table says who sends what. Who sends looks at the labels of all its blocks first, for "
         "each neighbour, which --scan-cost prices: n^2 2^(n-1) looks a processor. allgather/tea2 takes the same steps "
         "and about 2/n of "
         "the longest sum, by sending each block once. With one port use allgather/adea.",
     .paper = "Saad & Schultz 1985, section 4.3, (4.4), TEA1 (total exchange is MPI's allgather). The paper counts "
              "half-duplex exchanges, two steps each; full duplex halves that (erratum A10).",
     .exercise =
         "`lockstep compare --operation allgather --machine hypercube:5 --words 1 --ports all`: the words of tea1 "
         "and tea2 differ by 1568. Derive this from the n = 5 distances: a block at distance i comes i times. "
         "`lockstep trace --machine hypercube:2 --algorithm allgather/tea1` shows the first block that comes twice."},
    {.method = "allgather/tea1-grouped",
     .families = "",
     .idea =
         "Where a processor either sends or receives, processors of even and of odd parity take turns, as "
         "neighbours always differ in parity. Instead of two turns for each distance, those whose turn it is send "
         "two classes together: in pass p = 1..n+1 the blocks whose source is p-1 or p away from the receiver. So n "
         "+ 1 passes do instead of 2 n.",
     .invariant =
         "After pass p those that received in it hold all blocks from distance at most p, those that sent all from "
         "distance at most p-1.",
     .count =
         "n + 1 steps; m words a block. In pass p a link carries C(n-1,p-2) + C(n-1,p-1) = C(n,p-1) blocks, 2^n in "
         "all passes: longest sum = 2^n m, as much as allgather/tea1 in half duplex. Half of the processors send "
         "over n links in each pass: messages = (n + 1) n 2^(n-1), words = n 2^(2n-1) m.",
     .use = "Only under --duplex half-node or half-link, and where start-ups count: n - 1 fewer than allgather/tea1 at "
            "the same longest sum. In full duplex it has twice the longest sum of allgather/tea1. "
            "allgather/tea2-grouped is better still, as no block comes twice.",
     .paper = "Saad & Schultz 1985, section 4.3. As printed, with 2 ceil(n/2) passes, for even n no odd processor gets "
              "its antipode's block; with n + 1 passes it is right for all n, and the start-ups that the paper states "
              "hold (erratum A5). With parities in turn fewer passes cannot do: who is silent in pass 1 has n links to "
              "its antipode.",
     .exercise =
         "`lockstep compare --operation allgather --machine hypercube:4 --duplex half-node --words 1 --beta 10` and "
         "the same with --beta 0: which methods change places? Verify the invariant for n = 2 with `lockstep trace "
         "--machine hypercube:2 --algorithm allgather/tea1-grouped --duplex half-node`."},
    {.method = "allgather/tea2",
     .families = "",
     .idea = "As allgather/tea1, but every block comes once. A table, the same for all, says for each relative address "
             "r = source xor receiver over which dimension that block comes: over one of r's one bits, so that the "
             "neighbour there is nearer to the source and has it already. The table deals the addresses with i ones to "
             "the n dimensions in rotation, orbit by orbit, so that in step i no link carries more than c_i = "
             "ceil(C(n,i)/n) of them.",
     .invariant =
         "After step i everybody holds exactly the blocks of all sources at distance at most i, each received once.",
     .count =
         "n steps, the diameter (2 n below full duplex); m words a block. In step i a link carries at most c_i "
         "blocks. Longest sum = sum over i = 1..n of c_i m (twice that below full duplex): the bound (2^n - 1) m / "
         "n but for rounding. No copies: words = 2^n (2^n - 1) m. In the last step one block is left, the "
         "antipode's, and one dimension works, in all others n: messages = 2^n (n (n - 1) + 1).",
     .use = "The best allgather on a cube with all ports in full duplex. For processors that cannot send and receive "
            "at once (--duplex half-node) allgather/tea2-grouped has n + 1 steps for 2 n. With one port it is refused: "
            "allgather/adea is best there.",
     .paper =
         "Saad & Schultz 1985, section 4.3, (4.5); 1988, (3.33). The printed rule sends every rotation of a class "
         "through every dimension, so that addresses with short orbits (11 for n = 2, 0101 for n = 4) come several "
         "times (erratum A3); the table here, with an offset that runs on from orbit to orbit, repairs it. The time "
         "of a step is printed with one rounding too many (A4), and 2N/(n b) of 1988 is no upper bound (B30).",
     .exercise =
         "`lockstep run --machine hypercube:5 --algorithm allgather/tea2` is called optimal, `lockstep run "
         "--machine hypercube:4 --algorithm allgather/tea2` is not. For which n up to 8 does the longest sum meet "
         "its bound? What has n to do with the length of the orbits?"},
    {.method = "allgather/tea2-grouped",
     .families = "",
     .idea =
         "allgather/tea2 with the turns of allgather/tea1-grouped: even and odd processors send in alternate passes "
         "p = 1..n+1, and each sends the classes p-1 and p together, every block over the one link that TEA2's "
         "table names.",
     .invariant =
         "After pass p those that received in it hold all blocks from distance at most p, those that sent all from "
         "distance at most p-1; each block came once.",
     .count =
         "n + 1 steps; m words a block. Two classes together are C(n,p-1) + C(n,p) = C(n+1,p) blocks for n links, "
         "while in pass 1 a link carries one block and in pass n+1 one link carries one: longest sum = (2 + sum "
         "over p = 2..n of ceil(C(n+1,p)/n)) m. Half of the processors send, over n links in n passes and over one "
         "in the last: messages = 2^(n-1) (n^2 + 1); words = 2^n (2^n - 1) m.",
     .use = "The best allgather on a cube with all ports where links or processors are half duplex: n - 1 start-ups "
            "fewer than allgather/tea2, and never more words; rounding once for two classes can even save some (n = 6: "
            "24 blocks, not 26). In full duplex allgather/tea2 has n steps and half of the longest sum or little more.",
     .paper = "Saad & Schultz 1985, section 4.3: the grouped form. Printed with a loop that for even n ends too early, "
              "so that k/2 blocks are lost (erratum A5), and with the repeated blocks of TEA2 (A3). With floor(n/2) as "
              "the limit, and n + 1 passes, the start-up bound that the paper gives is exact.",
     .exercise =
         "`lockstep compare --operation allgather --machine hypercube:6 --words 6 --duplex half-node` ranks all "
         "that are legal there. Compute the longest sums of both forms of TEA2, in blocks, by hand. In full duplex, "
         "`lockstep compare --operation allgather --machine hypercube:6 --words 6 --ports all`: is there any beta "
         "and tau for which the grouped form leads?"},
    {.method = "allgather/torus",
     .families = "",
     .idea =
         "Every block is cut into c pieces, one for each dimension and way round. Each piece goes round the rings of "
         "one dimension after the other and takes along what it has found there, as in allgather/two-pass; but "
         "each begins with another dimension, and half of them go the other way round, so that all links work.",
     .invariant = "After i dimensions of a copy's order a processor holds that piece of all blocks whose processors "
                  "differ from it in these dimensions only.",
     .count = "c = 2 d for d dimensions with links, d where links are half duplex or a side is 2, b if a block has "
              "fewer words, 1 with one port. All send a message for each copy in each step of its rings: c p sum (a_i "
              "- 1). A turn takes as long as its longest ring. With equal sides that is d (a - 1) steps, of (a^d - 1) "
              "pieces together: longest sum (p - 1) ceil(b/c), the bound of all ports if c = 2 d divides b. With one "
              "port it is sum (a_i - 1) and (p - 1) b, as of allgather/two-pass.",
     .use = "The allgather of tori with all ports: a quarter of the longest sum of allgather/two-pass in two "
            "dimensions, a sixth in three. If sides are very different the shorter rings wait for the longest.",
     .paper = "The second half of allreduce/torus: M. Cho and others, 2019; P. Sack, W. Gropp, 2015. Saad & Schultz "
              "1988 have the form with one copy, allgather/two-pass.",
     .exercise = "`lockstep compare --operation allgather --machine torus:4x4 --words 8 --ports all`, and the same on "
                 "torus:2x8: why is allgather/torus hardly better than allgather/two-pass there?"},
    {.method = "allgather/two-pass",
     .families = "torus",
     .idea = "First a daisy chain of blocks round every column, all columns at once, then a daisy chain of whole "
             "columns (s blocks a message on s x s) round every row. Dimension by dimension, however many there are, "
             "like allgather/adea on a cube: a torus is a product of rings.",
     .invariant =
         "After step t of the first pass a processor holds t + 1 blocks of its own column; after step t of the "
         "second all blocks of t + 1 columns, its own and the t that come before it in +x direction.",
     .count = "On s x s processors with blocks of m words each pass takes s - 1 steps: steps = 2 (s - 1), and longest "
              "sum = (s - 1) m + (s - 1) s m = (s^2 - 1) m, the one-port bound. All send in each step: messages = 2 "
              "s^2 (s - 1), and everybody receives each block once: words = s^2 (s^2 - 1) m. With sides a: sum of a - "
              "1 steps, longest sum (k - 1) m, k times as many messages as steps.",
     .use = "The best allgather on a torus with one port: allgather/daisy-chain has the same longest sum, but k - 1 "
            "steps. With all four ports allgather/torus takes a quarter of the words: this one keeps one direction of "
            "each link idle, and half of the dimensions.",
     .paper = "Saad & Schultz 1988, section 3.3(d), (3.31) and (3.32), for their total exchange on squares; no erratum "
              "concerns it. Other sides and more dimensions are Lockstep's.",
     .exercise =
         "`lockstep run --machine torus:4x4 --algorithm allgather/two-pass` shows the words of both phases: why "
         "does the second move four times as many? `lockstep compare --operation allgather --machine torus:8x8 "
         "--machine hypercube:6 --words 10 --ports one` sets it beside the cube of as many processors."},
    {.method = "allgather/two-pass",
     .families = "mesh, path",
     .idea = "As on a torus a pass a dimension: blocks along the columns, then those of whole columns along the rows. "
             "These lines are not closed, so blocks go both ways along them; one sense after the other unless all "
             "ports and full duplex are there.",
     .invariant =
         "After step t of a sense of the first pass a processor holds, from that side, the blocks of the t places "
         "before it in its column, or all that there are; in the second the blocks of whole columns likewise.",
     .count = "A side of a processors takes a - 1 steps a sense. Both at once: steps = sum of a - 1 over the sides, "
              "longest sum = (k - 1) m with blocks of m words; one after the other: twice both. Either way k times "
              "the sum of a - 1 messages, and words = k (k - 1) m, as everybody receives each block once.",
     .use = "Meshes: the fewest steps of the catalogue. With one port and a side of even length "
            "allgather/daisy-chain-snake has half its longest sum. On a path with all ports both bounds are met.",
     .paper = "Saad & Schultz 1988, section 3.3(d), has the two passes on tori; that without wrap-around links is "
              "Lockstep's.",
     .exercise = "`lockstep run --machine mesh:4x4 --algorithm allgather/two-pass` and the same with --ports all: 12 "
                 "steps and 6. Which links of a corner are idle in the second, and when?"},
};

}  // namespace lockstep::cli
