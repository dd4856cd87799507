#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> broadcast_explanations{
    {
        .method = "broadcast/axis",
        .families = "",
        .idea = "On a torus or a mesh every packet goes both ways along the root's column, and every processor of that "
                "column also passes it on both ways along its row; with more dimensions so on. So it reaches the "
                "processor at the offset (x,y) from the root over |x| + |y| links, which is a shortest path, and "
                "nobody receives it twice. The packets follow each other, one a step, so that all links of the tree "
                "are busy at once.",
        .invariant = "Let d = |x| + |y| > 0 be a processor's distance from the root: after step t it has the packets 0 "
                     "to t - d, as far as there are any.",
        .count = "The last packet leaves the root in step nu and has e links to go to the farthest processor: e + nu - "
                 "1 steps. On a torus e is the sum of floor(side/2), so 2 floor(s/2) on a square; on a mesh it is the "
                 "sum of the ways to the farther ends, and least for a root in the middle. Every other processor "
                 "receives every packet once: (k - 1) nu messages, (k - 1) N words. A step lasts as long as a packet, "
                 "and longer packets go first: longest sum (e - 1) ceil(N/nu) + N. The number of packets is a "
                 "compromise: each costs a start-up, but shortens the e - 1 steps in which the pipe fills; the best "
                 "is near sqrt((e - 1) N tau / beta).",
        .use = "For any item if a processor can only send one payload a step, over several links at once (multicast): "
               "broadcast/two-phase is never quicker. With all ports broadcast/two-streams sends two halves over two "
               "trees, and wins from a few words on; so does broadcast/two-streams-late if links are half duplex.",
        .paper = "Saad & Schultz 1988, section 3.2(d), (3.18), \"one to all\" on the square torus; other grids follow "
                 "the same way (section 2(d) leaves them to the reader). As printed the distance is "
                 "|h+j|, rows and columns change places between two sentences, and distances run to 2 "
                 "floor(sqrt(k/4)); it is |h| + |j|, up to 2 floor(sqrt(k)/2) (erratum B9). The closed form is the "
                 "time of the best real number of packets: a lower bound for whole ones (B2).",
        .exercise =
            "`lockstep sweep --operation broadcast --machine torus:9x9 --vary packets=1..32*2 --words 64 --beta 4 "
            "--predict` shows the times for 1, 2, 4, .. packets. Where is the best of axis, and how does that agree "
            "with sqrt((e - 1) N tau / beta)? Then `lockstep run --machine torus:5x5 --algorithm broadcast/axis "
            "--multicast off` (exit code 2): who breaks which rule, and does --ports all in place of --multicast help?",
    },
    {
        .method = "broadcast/direct",
        .families = "bus",
        .idea = "On a bus everybody hears everything. The root says the item once, as one transaction with all others "
                "as its receivers, and the broadcast is done.",
        .invariant = "Before the one step only the root has the item, after it everybody.",
        .count = "One transaction of N words: 1 step, 1 message, N words, longest sum N. A bus charges a transaction "
                 "once, however many hear it; so all bounds are met.",
        .use = "With multicast a bus needs no other; without it, broadcast/doubling-kstar. Broadcasts are what a bus "
               "does best: where "
               "everybody has something else for everybody (alltoall/direct), all blocks go one by one over the one "
               "medium.",
        .paper = "Saad & Schultz 1988, section 3.2(a), \"one to all\" on the bus; nothing is wrong with it. Section "
                 "2(a) defines k*, the number of simultaneous users, for the bus too, and never uses it there (erratum "
                 "B29); one broadcast could not gain by it.",
        .exercise = "`lockstep compare --operation broadcast --machine bus:16 --machine hypercube:4 --words 64`: the "
                    "bus beats the cube. `lockstep compare --operation alltoall --machine bus:16 --machine hypercube:4 "
                    "--words 64 --ports one`: by how much does it lose there, and how do both results change from 16 "
                    "processors to 64 (bus:64, hypercube:6)?",
    },
    {
        .method = "broadcast/direct",
        .families = "omega, inverse-omega, indirect-cube",
        .idea = "The elements of these networks can send one input to both outputs. The root says the item once; in "
                "every stage each element that it comes to copies it, so that the ways to all outputs, which form a "
                "tree, are all taken in one pass.",
        .invariant = "Behind stage t the item is on 2^(t+1) lines; behind the last it is at everybody's.",
        .count = "One pass of N words: 1 step, and as on a bus 1 message and N words, however many hear it; longest "
                 "sum N. All bounds are met.",
        .use = "It needs --multicast on, which is its default here. No other broadcast over these networks is as "
               "quick. A crossbar connects each input with one output and a cell of a data manipulator passes to one "
               "other, so there it takes ceil(log2 k) steps or packets (broadcast/doubling, broadcast/ring).",
        .paper = "Saad & Schultz 1988, section 3.2(f), \"one to all\" on the switch, which mentions such elements and "
                 "gives no formula for them (erratum B32).",
        .exercise = "`lockstep compare --operation broadcast --machine omega:16 --words 64`: which methods share the "
                    "lead, and with what packets? Then add --multicast off: which is left?",
    },
    {
        .method = "broadcast/direct",
        .families = "shared",
        .idea = "The root writes the item into a slot of the memory, and then all others read it from there. Reading "
                "takes nothing away, but at most kstar processors can be at the memory in one step; so the readers "
                "come in groups of kstar, in the order of their ranks.",
        .invariant =
            "After step 1 the item is in the memory; after step 1 + r, min(r kstar, k - 1) of the others have read it.",
        .count = "One step of writing and ceil((k-1)/kstar) of reading: 1 + ceil((k-1)/kstar) steps. Each of the k "
                 "accesses, 1 write and k - 1 reads, is a message of N words: k messages, k N words, and a longest sum "
                 "of N words a step.",
        .use =
            "With banks=B one item would be read by one processor at a time; there those who have read it write "
            "copies into other banks, so that readers double up to P = min(kstar, B): 1 + q + ceil((k - 2^q)/P) "
            "steps of N words, q = ceil(log2 P), or 1 + ceil(log2 k) if k <= 2^q. It is the only broadcast through a "
            "memory. Every reader fetches the N words for itself, kstar of them "
            "at a time, and so the time grows with (k - 1)/kstar. On a bus one transaction is heard by all, and on "
            "a switch (broadcast/doubling) those who have the item help to spread it; here neither is so.",
        .paper = "Saad & Schultz 1988, (3.15), \"one to all\" with shared memory. The factor k/k* should be "
                 "ceil((k-1)/k*): groups are whole, and the root does not read (erratum B27).",
        .exercise = "`lockstep sweep --operation broadcast --machine shared:16,kstar=1..16 --words 10 --predict`: why "
                    "are some values of kstar as quick as smaller ones? Which is the smallest that no larger one "
                    "beats, and how does the formula say so?",
    },
    {
        .method = "broadcast/doubling",
        .families = "",
        .idea = "Everybody who has the item sends it, in every step, as far on as there are holders: to the rank that "
                "comes c after its own, if c processors have it. A switch can carry all these messages at once, as "
                "they are a cyclic shift, and so the holders double.",
        .invariant = "After step i the min(2^i, k) processors from the root on, root, root + 1, .., have the item "
                     "(ranks modulo k).",
        .count = "The holders double until there are k: ceil(log2 k) steps, the least with one port. Every other "
                 "processor receives the item once: k - 1 messages, (k - 1) N words. Every step has a message of N "
                 "words: longest sum ceil(log2 k) N.",
        .use = "For short items, where start-ups count: no method has fewer steps. The whole item crosses the switch "
               "once a step, ceil(log2 k) N words in all; for longer items broadcast/tree or broadcast/tree-heap has "
               "about 2 N and for the longest ones broadcast/ring about N, both with more start-ups. It is "
               "broadcast/sbt of the cubes for any number of processors.",
        .paper = "Saad & Schultz 1988, (3.23), \"one to all\" on the switch; only the closed forms of its neighbours "
                 "(3.22) and (3.25) need correction (erratum B2). The shifts pass through an Omega network too, so "
                 "that the counts there are the same.",
        .exercise = "`lockstep trace --machine switch:6 --algorithm broadcast/doubling --root 2` prints who has the "
                    "item after each cycle. Why do only 2 of the 4 holders send in the last one? Then `lockstep best "
                    "--operation broadcast --machine switch:16 --words 1..65536*4 --beta 16`: from which length on is "
                    "doubling no longer best?",
    },
    {
        .method = "broadcast/doubling-kstar",
        .families = "",
        .idea =
            "A bus without multicast takes a transaction to one receiver, and kstar of them in a step. Everybody who "
            "has the item sends it to somebody who has not: in step i holder x finds x + 2^i, counted from the root. "
            "When there are kstar holders or more, the first kstar of them find one each.",
        .invariant = "After step i the first min(2^i, k) have the item, as long as 2^i is at most 2^q, q = ceil(log2 "
                     "kstar); later kstar more after every step.",
        .count = "ceil(log2 k) steps for k <= 2^q, else q + ceil((k - 2^q)/kstar). Every other processor receives the "
                 "item once: k - 1 messages, (k - 1) N words, and N words in the longest message of every step. From h "
                 "holders no schedule gets more than h + min(h, kstar), so the steps are a bound.",
        .use = "Where the bus has no multicast (--multicast off); else broadcast/direct needs one step.",
        .paper =
            "After Saad & Schultz 1988, section 2(a), which defines k*, the simultaneous users of a bus, and never "
            "uses it (erratum B29), and the doubling of 3.2(f). The method is Lockstep's.",
        .exercise =
            "`lockstep run --machine bus:16,kstar=8 --algorithm broadcast/doubling-kstar` takes 4 steps. How many "
            "are there with kstar=7, and from which kstar on does more of it gain nothing?",
    },
    {
        .method = "broadcast/drbt",
        .families = "",
        .idea =
            "A complete binary tree of 2^d - 1 processors is no part of the d-cube for d > 2, as its even and its odd "
            "levels have not the sizes that the two parities of a cube have. One processor more on the edge from the "
            "root to one of its children, the spacer, mends that: the double-rooted binary tree spans the cube. On a "
            "reduced hypercube the item goes down such a tree over the layers, then over a tree of the building "
            "blocks, and in every block over a tree of its subblocks, from where it comes in to all that need it and "
            "to where it has to leave. Every processor finds its parent and its children from its own address.",
        .invariant =
            "Those who have the item are always a connected part of the tree with the root in it, and nobody receives "
            "it twice. On a cube with all ports they are, after step t, all processors of depth t or less.",
        .count =
            "The tree of all N processors has N - 1 edges: N - 1 messages, (N - 1) w words for an item of w "
            "words, and w words a step for the longest sum. On a cube of v dimensions its depth v is the number "
            "of steps with all ports. With one port the spacer is served first, so that after two steps both "
            "halves have begun, and every further level costs two: 2 (v - 1). On RH(k,n): (k-n) + T(n) steps with "
            "all ports, T = 1, 5, 12, 32, 76 for n = 0 to 4; with one, the longest subtree first, B1(k-n) + (n+1) "
            "2^n + 1 for n = 1 to 4, B1(d) = 2 (d - 1) from d = 2 on, else d. In nu packets (--packets), one every d "
            "cycles, d the most children of a processor (1 with all ports): (nu - 1) d steps more, and a longest "
            "sum of (T - d) ceil(w/nu) + d w instead of T w, T the steps of one packet.",
        .use = "It is the broadcast of reduced hypercubes, whose links out of a block are few. On a hypercube "
               "broadcast/sbt is as quick with all ports and quicker with one (n steps against 2 (n - 1)); the "
               "double-rooted tree is for machines where a processor should serve two children at most.",
        .paper = "Mukherjee, chapter 2, \"broadcasting\". The listing of the tree is wrong as printed: a processor "
                 "must first undo the transformations of its label, and the entries must move with the bits (errata "
                 "R1, R2); small trees are missing (R3). Another root takes more than an exclusive or, which breaks "
                 "links between blocks (R4). The order of sends is not said (R5); the total O(k + n 2^n) holds (R6).",
        .exercise = "`lockstep run --machine rh:3,3 --algorithm broadcast/drbt` serves the child first whose subtree "
                    "takes longest; compare `lockstep run --machine rh:3,3 --algorithm broadcast/drbt --order "
                    "cross-first`, the order of the thesis. How many steps does the order cost? With --ports all there "
                    "are 32: why does one port, in the better order, lose a single step only?",
    },
    {
        .method = "broadcast/one-way",
        .families = "",
        .idea = "The ring is cut open behind the root, and the item goes up it in packets, one behind the other. While "
                "a processor passes a packet on it already receives the next one; so the links work together like an "
                "assembly line.",
        .invariant =
            "After step t the processor d places after the root has the packets 0 to t - d, as far as there are any.",
        .count = "The last packet leaves the root in step nu and crosses k - 1 links: k - 1 + nu - 1 steps. Every "
                 "packet crosses every one of these links once: (k - 1) nu messages, (k - 1) N words. Longer packets "
                 "go first: longest sum (k - 2) ceil(N/nu) + N. The best number of packets is near sqrt((k - 2) N tau "
                 "/ beta), and then the time is near (sqrt(N tau) + sqrt((k - 2) beta))^2.",
        .use = "If a processor can neither multicast nor send on two ports. Otherwise broadcast/two-way, which has "
               "half the distance to go for the same packets, is never slower.",
        .paper = "Saad & Schultz 1988, section 3.2(c), (3.16), \"one to all\" on the ring. The closed form is a lower "
                 "bound for whole numbers of packets; for k = 2, one link, a start-up is missing in it (erratum B2).",
        .exercise = "`lockstep compare --operation broadcast --machine ring:16 --words 64 --packets 8` and `lockstep "
                    "compare --operation broadcast --machine ring:16 --words 64 --packets 1`: in one packet two-way "
                    "takes 8 steps against 15, in 8 packets 15 against 22. What becomes of the advantage for very long "
                    "items in many packets?",
    },
    {
        .method = "broadcast/ring",
        .families = "",
        .idea = "A switch carries any partial permutation in a step; here the ranks are a ring on it: root, root + 1, "
                "and so on, each sending to the next. The item goes round in packets, as in broadcast/one-way. "
                "Although every processor could send anywhere, sending one packet a step and receiving another is all "
                "that one port allows, and the chain uses it fully.",
        .invariant =
            "After step t the processor d places after the root has the packets 0 to t - d, as far as there are any.",
        .count = "As in broadcast/one-way: k - 1 + nu - 1 steps, (k - 1) nu messages, (k - 1) N words, longest sum (k "
                 "- 2) ceil(N/nu) + N. With many packets the longest sum comes near N, the bound, since the root has "
                 "to send every word at least once; the price is k - 2 steps to fill the chain.",
        .use = "For long items: the time of a word is counted once, against twice in broadcast/tree and log2 k times "
               "in broadcast/doubling. For short ones the k - 1 start-ups are too many.",
        .paper =
            "Saad & Schultz 1988, section 3.2(f), (3.22), \"one to all\" on the switch. It goes one way only, as a "
            "processor has one output. The closed form is a lower bound for whole numbers of packets (erratum B2).",
        .exercise =
            "`lockstep sweep --operation broadcast --machine switch:16 --vary words=1..65536*4 --beta 16 --predict` "
            "shows from which length on the ring is quicker than the tree. Predict with 1, 2 and log2 k times N tau, "
            "and the start-ups of each "
            "method, where the change from tree to ring goes for 64 processors, and check with switch:64.",
    },
    {
        .method = "broadcast/sbt",
        .families = "hypercube",
        .idea =
            "In each step every processor that has the item sends it over the next dimension of the cube. Addresses "
            "are taken relative to the root (exclusive or), so that one schedule serves all roots. The links used are "
            "the spanning binomial tree: the parent of an address is that address without its highest one bit.",
        .invariant = "After step j exactly the 2^j processors whose relative address is below 2^j have the item: a "
                     "j-dimensional subcube.",
        .count = "The holders double, so 2^n processors take n steps; with one port no method takes fewer, and n is "
                 "the diameter too. Every processor but the root receives the item once: 2^n - 1 messages, (2^n - 1) m "
                 "words. The whole item moves in every step: longest sum n m.",
        .use = "For short items, with any port model: as a processor receives in one step and sends in later ones "
               "only, it needs neither full duplex nor several ports. For long items the n m words are too many: "
               "broadcast/sbt-pipelined comes near m, if processors can send one payload over all links at once. "
               "broadcast/doubling is the same on a switch. --group sends to some processors only: the tree is then "
               "pruned to the paths that lead to them, and who is on one without being in the group keeps nothing.",
        .paper = "Saad & Schultz 1985, section 2, Prop. 2.1, \"one to all\"; nothing is wrong with it. The spanning "
                 "binomial tree (SBT) returns in scatter/sbt, gather/sbt and, rotated, in Johnsson & Ho.",
        .exercise =
            "`lockstep trace --machine hypercube:3 --algorithm broadcast/sbt --root 5` shows the subcube of holders "
            "grow. Now give everybody all ports: `lockstep run --machine hypercube:4 --algorithm broadcast/sbt --words "
            "8 --ports all`. No count changes: why can no schedule that sends the item whole take fewer steps?",
    },
    {
        .method = "broadcast/sbt-pipelined",
        .families = "hypercube",
        .idea = "The item goes down the spanning binomial tree of broadcast/sbt in packets, one behind the other. A "
                "processor sends every packet to all its children at once, in the step after it came; so a packet "
                "spreads a level a step, and the next one follows a level behind.",
        .invariant = "After step t a processor whose relative address has d > 0 one bits has the packets 0 to t - d, "
                     "as far as there are any.",
        .count = "The tree is n deep and the last packet starts in step nu: n + nu - 1 steps. Every other processor "
                 "receives every packet: (k - 1) nu messages, (k - 1) N words; by multicast the messages of a "
                 "processor in a step are one send. Longest sum (n - 1) ceil(N/nu) + N; the best number of packets is "
                 "near sqrt((n - 1) N tau / beta), for a time near (sqrt(N tau) + sqrt((n - 1) beta))^2.",
        .use = "For long items: the words count about once instead of n times in broadcast/sbt. It needs multicast or "
               "all ports; with one port and no multicast the root alone would be busy for n nu steps. With all ports "
               "n different trees could divide the words by about n, which neither paper does; scatter/rotated-sbt-rbf "
               "shows such trees.",
        .paper = "Saad & Schultz 1985, section 2, Prop. 2.2, and 1988, (3.21), \"one to all\". The square form (2.2) "
                 "is the time for a real number of packets, hence a lower bound; for one hop, n = 1, it is too small "
                 "by exactly a start-up (errata A2, B2).",
        .exercise = "`lockstep best --operation broadcast --machine hypercube:6 --words 1..4096*4 --beta 16 --ports "
                    "one`: up to which length is one packet best, and how does the number of packets grow with the "
                    "length? Then `lockstep run --machine hypercube:3 --algorithm broadcast/sbt-pipelined --multicast "
                    "off --packets 2` (exit code 2): which rule would be broken?",
    },
    {
        .method = "broadcast/sbt",
        .families = "incomplete-hypercube",
        .idea =
            "Two binomial trees, one in either cube. From a root in the N-cube the item spreads there as on any cube, "
            "and then those of its processors that have a link to the M-cube send it over, all at once. A root in the "
            "M-cube sends it to its neighbour in the N-cube first, and both spread it in their own cubes.",
        .invariant = "Whoever has the item has got it over a shortest path from the root, and nobody gets it twice.",
        .count = "With one port holders double at best: 2^N + 2^M, which is more than 2^N, take N + 1 steps, and so "
                 "many it takes. With all ports a processor serves all its children in the step after it got the "
                 "item: e steps, e links to the farthest processor, which is N + 1 for a root in the M-cube, and from "
                 "another the larger of N and h + M + 1, h one bits of its rank from bit M on. k - 1 messages, one for "
                 "each other of the k processors, (k - 1) m words, longest sum steps times m. Optimal in steps.",
        .use = "For short items, with any port model, wherever the root is. For long ones broadcast/sbt-pipelined.",
        .paper = "Mukherjee, 1.2.1, has the machine as a variation of the hypercube, and no algorithm; the trees are "
                 "those of Saad & Schultz 1985, section 2.",
        .exercise = "`lockstep run --machine hypercube:4+2 --algorithm broadcast/sbt --ports all --root 0` and the "
                    "same with --root 12: why does the one take 4 steps and the other 5, and which roots are like "
                    "which?",
    },
    {
        .method = "broadcast/sbt-pipelined",
        .families = "incomplete-hypercube",
        .idea = "The item goes down the trees of broadcast/sbt in packets, one behind the other. A processor sends "
                "every packet to all its children at once, in the step after it came.",
        .invariant = "After step t a processor d > 0 links from the root has the packets 0 to t - d, as far as there "
                     "are any.",
        .count = "The trees are e deep, e links to the farthest processor, and the last packet starts in step nu: e + "
                 "nu - 1 steps; e + 2 (nu - 1) where processors send and receive in turns. (k - 1) nu messages, (k - "
                 "1) N words, longest sum (e - 1) ceil(N/nu) + N.",
        .use = "For long items, with multicast or all ports.",
        .paper = "Mukherjee, 1.2.1, has the machine and no algorithm; the pipeline is that of Saad & Schultz 1985, "
                 "Prop. 2.2.",
        .exercise = "`lockstep best --operation broadcast --machine hypercube:4+2 --words 1..256*4 --beta 16`: from "
                    "which length on is it better than broadcast/sbt?",
    },
    {
        .method = "broadcast/tree",
        .families = "",
        .idea =
            "Packets go down a binary tree of the switch's processors. With one port it takes two steps to serve two "
            "children: in odd steps everybody sends to left children, in even steps to right ones, every packet first "
            "left and then right. The tree has k = 2^n processors, one more than a perfect binary tree: the odd one is "
            "the right child of the leftmost leaf, and is served together with the last right children, at no cost.",
        .invariant = "Packet p, counted from 0, comes to a left child of depth d (the root has depth 0) in step 2p + "
                     "2d - 1, and to a right child in step 2p + 2d; to the odd processor in step 2p + 2(n - 1), as if "
                     "it were a right child of depth n - 1.",
        .count = "A packet takes two steps a level, and every two steps another one leaves the root: 2(nu - 1) + "
                 "2(log2 k - 1) steps (nu, if k = 2). Every other processor receives every packet once: (k - 1) nu "
                 "messages, (k - 1) N words. Every packet is the longest of two steps, and in the S - 2 nu others, "
                 "while the tree fills, the longest are those of ceil(N/nu) words: longest sum (S - 2 nu) ceil(N/nu) + "
                 "2 N. The best number of packets is near sqrt((n - 2) N tau / beta) for n > 2.",
        .use = "For items of medium length on a switch of 2^n processors: a word counts twice, against log2 k times in "
               "broadcast/doubling, and there are fewer start-ups than in broadcast/ring, where it counts once. For "
               "other numbers of processors there is broadcast/tree-heap.",
        .paper = "Saad & Schultz 1988, section 3.2(f), (3.24) and (3.25), \"one to all\" on the switch. A letter s "
                 "stands where a 2 is meant; the count is exact for 2^n - 1 processors, and for 2^n with this tree, "
                 "while a heap needs a step more; (3.25) needs log2 k >= 3 (erratum B12) and is a lower bound for "
                 "whole numbers of packets (B2).",
        .exercise = "`lockstep trace --machine switch:8 --algorithm broadcast/tree --packets 1 --words 1` and "
                    "`lockstep trace --machine switch:8 --algorithm broadcast/tree-heap --packets 1 --words 1`: where "
                    "does processor 7 hang in each tree, and which step does the heap need for it alone?",
    },
    {
        .method = "broadcast/tree-heap",
        .families = "",
        .idea = "As broadcast/tree, but for any number of processors: number them 1 to k from the root on, and let v "
                "have the children 2v (left) and 2v + 1 (right), as in a heap. In odd steps everybody sends to left "
                "children, in even steps to right ones, packet behind packet.",
        .invariant = "Packet p, counted from 0, comes to a left child of depth d (the root has depth 0) in step 2p + "
                     "2d - 1, and to a right child in step 2p + 2d.",
        .count =
            "With D = floor(log2 k) the deepest processor has depth D: 2(nu - 1) + 2 D - [k = 2^D] steps (nu, if k = "
            "2), the bracket being 1 if k = 2^D, when the one processor of the last level is a left child. Messages, "
            "words and longest sum as in broadcast/tree: (k - 1) nu, (k - 1) N, (S - 2 nu) ceil(N/nu) + 2 N.",
        .use = "As broadcast/tree, where k is no power of two. For k = 2^n broadcast/tree is a step quicker.",
        .paper = "After Saad & Schultz 1988, section 3.2(f), (3.24) and (3.25), whose count is that of 2^n - 1 "
                 "processors with log2(k+1), and one less than the heap's for 2^n (erratum B12).",
        .exercise = "`lockstep run --machine switch:7 --algorithm broadcast/tree-heap --packets 3` takes 8 steps, "
                    "`lockstep run --machine switch:8 --algorithm broadcast/tree-heap --packets 3` takes 9. How many "
                    "do 9, 15 and 16 processors take? In the second run the asynchronous clock shows less than the "
                    "synchronous one: which messages need not have waited for their step?",
    },
    {
        .method = "broadcast/two-phase",
        .families = "",
        .idea = "First all packets go both ways along the root's column, as in broadcast/two-way on a ring; when the "
                "last one has arrived, every processor of the column does the same along its row, and so on where "
                "there are more dimensions. The phases do not overlap, and so nobody sends over more than two links "
                "at once.",
        .invariant = "After step t of a phase a processor d > 0 links from where the phase began (the root, or its "
                     "row's processor in the root's column) has the packets 0 to t - d, as far as there are any. "
                     "Between the phases the root's column has all of the item and nobody else has any.",
        .count = "Each phase is a pipeline over h links, of nu - 1 + h steps, h being floor(side/2) on a torus and the "
                 "way to the farther end on a mesh or a path: 2 (nu - 1 + h) in all on a square torus. Every other "
                 "processor receives every packet once: (k - 1) nu messages, (k - 1) N words. Longest sum, over the "
                 "phases, (h - 1) ceil(N/nu) + N: each word is paid for once a dimension.",
        .use = "Where a processor can send a payload over two links at once, but not over four. Else broadcast/axis "
               "has the same messages in nu - 1 steps less (twice that in three dimensions), as its rows begin before "
               "the column has ended; in one packet both are alike, and on a path.",
        .paper = "Saad & Schultz 1988, section 3.2(d), (3.20), \"one to all\" on the grid. That it is always slower "
                 "than (3.18) is not so: with one packet the counts are alike, and for short items the closed forms "
                 "even reverse (erratum B11); those are lower bounds for whole numbers of packets, with two start-ups "
                 "missing where h = 1 (B2).",
        .exercise =
            "`lockstep run --machine torus:9x9 --algorithm broadcast/two-phase --packets 1` and `lockstep run "
            "--machine torus:9x9 --algorithm broadcast/axis --packets 1` take 8 steps both. Run both with --packets 16 "
            "--words 64: what is the difference, and which links of the torus are idle for how long in two-phase?",
    },
    {
        .method = "broadcast/two-streams",
        .families = "",
        .idea = "The item is cut in halves X and Y. X goes along the root's column and from it along the rows, Y along "
                "the root's row and from it along the columns: two trees that share no direction of a link, so that "
                "both run at full speed, each in nu packets. But the root's row itself lacks X then, and its column "
                "lacks Y. They get it from neighbours: the processors next to the row hand X back over links that Y "
                "uses in the other direction only, and likewise for the column. In d dimensions there are d streams "
                "of a d-th of the item each, stream s beginning in dimension s and then taking the next ones, counted "
                "round; on a path there is one.",
        .invariant = "Let a processor be at the offset (x,y) from the root. After step t, if x and y are not 0, it has "
                     "the packets 0 to t - |x| - |y| of both halves, as far as there are any; on the column it has X "
                     "up to t - |y| and Y up to t - |y| - 2, on the row Y up to t - |x| and X up to t - |x| - 2.",
        .count = "The last packets leave the root in step nu and have e links to go to the farthest processor, or, "
                 "where neighbours complete a stream, 2 more than to the farthest such one: nu - 1 + max(e, e + 2 - "
                 "r) steps, r being how far it is to the end of the shortest axis; on a square torus max(nu - 1 + 2h, "
                 "nu + 1 + h), h = floor(s/2), where the second is larger for s = 3 only. Every other processor "
                 "receives nu packets of each half: 2 (k - 1) nu messages, (k - 1) N words. A packet has N/(2 nu) "
                 "words, so that the longest sum is S N / (2 nu) if 2 nu divides N: near N/2 for many packets, or "
                 "N/d in d dimensions. The bound with four links is N/4; the root sends every packet over two.",
        .use = "For all but the shortest items on a torus or mesh with all ports and full-duplex links: it halves the "
               "words of broadcast/axis, or divides them by three in three dimensions. Over half-duplex links the "
               "handing back collides with what comes (from two packets "
               "on); there is broadcast/two-streams-late. With one port, broadcast/axis.",
        .paper = "After Saad & Schultz 1988, section 3.2(d), (3.19), \"one to all\" on the grid. The paper says that "
                 "the axes are complete when the rest is, in nu + 2 sqrt(k) steps; as it does it that holds for nu <= "
                 "h only. Handing back over full-duplex links meets the count for s >= 4; for s = 3 it takes a step "
                 "more (erratum B10). Table 2 lacks a factor 2 of the start-ups (B24).",
        .exercise = "`lockstep run --machine torus:9x9 --algorithm broadcast/two-streams --words 16 --packets 8` and "
                    "`lockstep run --machine torus:9x9 --algorithm broadcast/two-streams-late --words 16 --packets 8`: "
                    "15 steps against 19. Then `lockstep run --machine torus:9x9 --algorithm broadcast/two-streams "
                    "--words 16 --packets 2 --duplex half-link` (exit code 2): which two messages meet on a link, and "
                    "why do they not with --packets 1?",
    },
    {
        .method = "broadcast/two-streams-late",
        .families = "",
        .idea = "As broadcast/two-streams, two halves X and Y over two trees at once: X along the root's column and "
                "from there along the rows, Y the other way about. But the root itself completes its row and its "
                "column: when all packets have left it once, it sends X along its row too, and Y along its column. In "
                "d dimensions there are d streams and d such waves, each beginning one dimension further back and "
                "going where none was before.",
        .invariant = "Let a processor be at the offset (x,y) from the root. After step t, if x and y are not 0, it has "
                     "the packets 0 to t - |x| - |y| of both halves, as far as there are any; on the column it has X "
                     "up to t - |y| and Y up to t - nu - |y|, on the row Y up to t - |x| and X up to t - nu - |x|.",
        .count = "On a square torus the last packet off the axes arrives in step nu - 1 + 2h, the last one on them in "
                 "step 2 nu - 1 + h: max(nu - 1 + 2h, 2 nu - 1 + h) steps, h = floor(s/2). In general wave w begins w "
                 "nu steps late and has e_w links to go, the way to the farthest processor that lies on the axis of "
                 "w neighbouring dimensions: the largest of (w + 1) nu - 1 + e_w. Every other processor receives nu "
                 "packets of "
                 "each half: 2 (k - 1) nu messages, (k - 1) N words; the longest sum is S N / (2 nu) if 2 nu divides "
                 "N. For many packets that comes near N, no less than in broadcast/axis: the root sends all of the "
                 "item over each of its links.",
        .use = "With all ports, but half-duplex links, where broadcast/two-streams is not legal with several packets. "
               "Few packets, about h, are best: up to there completing the axes takes no step of its own. Over "
               "full-duplex links two-streams takes as many steps up to h packets and fewer for more (s = 3 apart, "
               "where it is behind with one packet).",
        .paper = "Saad & Schultz 1988, section 3.2(d), (3.19), \"one to all\" on the grid. Its count nu + 2 sqrt(k) "
                 "leaves out that the axes may end last; it is right for nu <= h only (erratum B10).",
        .exercise = "`lockstep sweep --operation broadcast --machine torus:9x9 --vary packets=1..8 --words 16 --beta 4 "
                    "--duplex half-link --predict`: where is the best number of packets, and what is h? Then `lockstep "
                    "sweep --operation broadcast --machine torus:9x9 --vary words=1..4096*4 --beta 16 --duplex "
                    "half-link --predict`: why does its lead over axis shrink for long items?",
    },
    {
        .method = "broadcast/two-way",
        .families = "",
        .idea = "The root sends the same packets both ways round the ring, as one payload on two links, and everybody "
                "passes them on, away from the root. The two streams end where they would meet, half way round.",
        .invariant = "After step t a processor at the distance d > 0 from the root, on its arc, has the packets 0 to t "
                     "- d, as far as there are any.",
        .count = "The longer arc has floor(k/2) processors: floor(k/2) + nu - 1 steps. Every other processor receives "
                 "every packet from one side: (k - 1) nu messages, (k - 1) N words; the root's two messages of a step "
                 "are one send by multicast. Longest sum (floor(k/2) - 1) ceil(N/nu) + N. The best number of packets "
                 "is near sqrt((floor(k/2) - 1) N tau / beta).",
        .use = "For any item on a ring, if processors can multicast or have all ports. Else broadcast/one-way, over "
               "twice the distance. For very long items both come near N tau: it is the root's link that counts then, "
               "and not the distance.",
        .paper = "Saad & Schultz 1988, section 3.2(c), (3.17), \"one to all\" on the ring. The closed form is a lower "
                 "bound for whole numbers of packets (erratum B2).",
        .exercise = "`lockstep run --machine ring:9 --algorithm broadcast/two-way --words 64 --packets 8` has 64 "
                    "messages in 56 sends: which sends are two messages? Then let the program choose the packets: "
                    "`lockstep run --machine ring:9 --algorithm broadcast/two-way --words 64 --beta 12`. Does the "
                    "choice agree with the formula, and what does one packet more or less cost?",
    },
};

}  // namespace lockstep::cli
