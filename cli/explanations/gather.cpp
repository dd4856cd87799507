#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> gather_explanations{
    {
        .method = "gather/direct",
        .families = "bus",
        .idea = "One after the other sends its block to the root over the bus. It is scatter/direct backwards in time: "
                "the rank after the root comes last.",
        .invariant = "After step i the root has its own block and those of the ranks root + k - i to root + k - 1 "
                     "(modulo k), so the i ranks before it.",
        .count = "Each of the k - 1 other processors needs a transaction: k - 1 steps, k - 1 messages, (k - 1) m "
                 "words, longest sum (k - 1) m. With one transaction a step nothing is better.",
        .use = "With one transaction a step, always; with kstar > 1 gather/doubling-kstar has fewer steps. What "
               "scatter/direct-one-message does for the scatter has no reverse: a "
               "transaction has one source.",
        .paper = "Saad & Schultz 1988, section 3.4, (3.36), \"gathering\": everywhere the scatter backwards, with the "
                 "same counts. k messages as printed are one too many (erratum B15).",
        .exercise =
            "`lockstep trace --machine bus:5 --algorithm gather/direct` and `lockstep trace --machine bus:5 "
            "--algorithm scatter/direct`: read one of them backwards. Then `lockstep run --machine bus:8,kstar=4 "
            "--algorithm gather/direct`: four transactions fit in a step and do not help. How could others help the "
            "root, so that it needs fewer steps (the bound is 3), and what would the longest sum be? "
            "gather/doubling-kstar answers.",
    },
    {
        .method = "gather/direct",
        .families = "shared",
        .idea = "All others write their blocks into the memory, each into a slot of its own, kstar of them in a step. "
                "Then the root reads them all in one access. It is scatter/direct backwards in time.",
        .invariant = "After step r, for r up to ceil((k-1)/kstar), min(r kstar, k - 1) blocks are in the memory; the "
                     "root has them all after the last step.",
        .count = "ceil((k-1)/kstar) + 1 steps. There are k accesses, k - 1 writes and 1 read: k messages. Every block "
                 "is written and read: 2 (k - 1) m words. The read is long, the writes are short: longest sum (k - 1) "
                 "m + ceil((k-1)/kstar) m.",
        .use = "With banks=B no more than B write in a step, into consecutive slots: min(kstar, B) takes the place of "
               "kstar. It is the only gather through a memory. With more kstar the writing gets shorter, but the root "
               "still "
               "reads (k - 1) m words.",
        .paper = "Saad & Schultz 1988, section 3.4, (3.37) backwards, \"gathering\". What is wrong with (3.37) is so "
                 "here too: N/k words, not N, for each of the others (erratum B16), and ceil((k-1)/k*) rounds (B27).",
        .exercise = "`lockstep compare --operation gather --machine shared:16,kstar=1 --machine shared:16,kstar=15 "
                    "--machine bus:16 --words 16`: why is the memory slower than the bus even if all may write at "
                    "once, and from which beta on is it not?",
    },
    {
        .method = "gather/doubling-kstar",
        .families = "",
        .idea = "scatter/doubling-kstar in reversed time. At first kstar processors a step hand all that they have to "
                "one of the first kstar; when 2^q >= kstar are left, half of them hand it to the other half in every "
                "step, until the root has all.",
        .invariant =
            "Before the last i steps the blocks are with the first 2^i processors from the root on, for 2^i at "
            "most 2^q, q = ceil(log2 kstar).",
        .count = "As the scatter: ceil(log2 k) steps for k <= 2^q, else q + ceil((k - 2^q)/kstar), k - 1 messages, "
                 "longest sum (k - 1) m, m words for each hop of a block. Steps and longest sum are bounds: the root "
                 "receives one message a step and k - 1 blocks in all.",
        .use =
            "Where kstar > 1 and start-ups count: gather/direct takes k - 1 steps for the same longest sum, which no "
            "kstar makes smaller.",
        .paper =
            "After Saad & Schultz 1988, section 2(a), which defines k* for the bus and never uses it (erratum B29). "
            "The method is Lockstep's.",
        .exercise = "`lockstep compare --operation gather --machine bus:16,kstar=4 --words 10 --beta 100`: by what "
                    "factor is direct slower, and for which beta is it less than twice as slow?",
    },
    {
        .method = "gather/rotated-sbt",
        .families = "",
        .idea =
            "Every block is cut in n parts, one for each of n spanning binomial trees that are rotated against each "
            "other. All parts leave in the first step, each over the one link by which its tree leads to the "
            "processor, and move in every step. It is scatter/rotated-sbt-rbf backwards in time: what the root had "
            "to hand out farthest first comes in nearest first by itself.",
        .invariant = "After step i every part has i links behind it, or is at the root: the root has all blocks from "
                     "distance i and less.",
        .count = "The farthest parts are there after step n. On each tree every processor but the root has one link "
                 "up, which carries a message as long as anything comes from below; with n trees a processor has all "
                 "n links to send on: n (2^n - 1) messages, as in the scatter, 2^(n-1) n D words for D words a block, "
                 "and in step d the root's links carry what comes from distance d, C(n,d) D/n words each where n "
                 "divides D: longest sum (2^n - 1) D/n, the bound.",
        .use = "With all ports and blocks of n words or more; gather/rotated-sbt-halving does it in messages that "
               "double, which costs the same where n divides D. Blocks of less than n words: gather/sbnt, or fewer "
               "trees (--trees). With one port: gather/sbt.",
        .paper = "Johnsson & Ho, section 3.1, gives the scatter, \"one-to-all personalized\" on n rotated trees with n "
                 "ports; \"all-to-one personalized\" of section 3.3 is its reverse. The formulas for fewer trees are "
                 "erratum J5.",
        .exercise = "`lockstep run --machine hypercube:4 --algorithm gather/rotated-sbt --words 4 --cycles` and "
                    "`lockstep run --machine hypercube:4 --algorithm scatter/rotated-sbt-rbf --words 4 --cycles`: read "
                    "one table from below. Then give a word less, with --trees 2 --words 3: which links wait?",
    },
    {
        .method = "gather/rotated-sbt-halving",
        .families = "",
        .idea = "As gather/rotated-sbt, every block is cut in n parts for n rotated spanning binomial trees. But "
                "nothing moves before it is complete: in step i half of the holders of part r hand all that they have "
                "of it over dimension (r - i) mod n to the other half. All n parts do that at once over different "
                "dimensions. It is scatter/rotated-sbt-halving backwards in time.",
        .invariant = "After step i part r of all blocks is at the 2^(n-i) processors that agree with the root in the i "
                     "dimensions crossed by it, 2^i blocks' parts at each.",
        .count = "n steps. Messages of a part double from 1 block to 2^(n-1): longest sum (2^n - 1) ceil(D/n) for D "
                 "words a block. Every processor but the root sends once for each part: n (2^n - 1) messages, n "
                 "2^(n-1) D words.",
        .use = "With all ports and blocks whose words n divides; else gather/rotated-sbt is as short or shorter, as "
               "parts that are longer than others do not all meet on one link. With one port: gather/sbt.",
        .paper =
            "Johnsson & Ho, section 3.1 and 3.3: \"all-to-one personalized\", the reverse of one-to-all on rotated "
            "trees, all data of a subtree at once.",
        .exercise = "`lockstep compare --operation gather --machine hypercube:5 --words 7 --ports all`: why does "
                    "halving need (2^5 - 1) 2 words, and gather/rotated-sbt fewer?",
    },
    {
        .method = "gather/sbnt",
        .families = "",
        .idea = "All blocks leave in the first step and move in every step, up the spanning balanced n-tree, whose n "
                "subtrees under the root are nearly of one size. It is scatter/sbnt backwards in time. Everybody sends "
                "over one link only, the one by which the tree leads to it, but all of the root's n links work.",
        .invariant = "After step i every block has i links behind it, or is at the root: the root has all blocks from "
                     "distance i and less.",
        .count = "The farthest block is there after step n. In step i the root's link 0 carries one block for every "
                 "necklace of n beads, i of them black, and no link carries more: longest sum (necklaces(n) - 1) D for "
                 "D words a block. The link up from a processor carries a message for every distance in the subtree "
                 "below it: sum_x (1 + height of the subtree of x) messages. Words as on all shortest paths: n 2^(n-1) "
                 "D.",
        .use = "With all ports and blocks too short to be cut: on hypercube:6 with single words 13 in the longest sum, "
               "where gather/sbt has 63 and the bound is 11. Blocks of n words or more: gather/rotated-sbt. With one "
               "port: gather/sbt.",
        .paper = "Johnsson & Ho, section 3.1, has the scatter on the SBnT, section 3.3 its reverse, \"all-to-one "
                 "personalized\". (1/n)(1 - 1/N) P Q words are approximate (erratum J7).",
        .exercise = "`lockstep compare --operation gather --machine hypercube:6 --words 1 --ports all`: how far is the "
                    "bound? Give 6 words: who meets it?",
    },
    {
        .method = "gather/sbt",
        .families = "",
        .idea = "Everybody begins with a block. Over the highest dimension half of the processors hand all that they "
                "have to their neighbours in the other half, and are done; the same over the next dimension down, "
                "until the root has everything. This is scatter/sbt backwards in time, up the spanning binomial tree.",
        .invariant =
            "After step i the holders are the 2^(n-i) processors whose relative address (exclusive or with the root) "
            "is below 2^(n-i); each has the 2^i blocks of the processors that agree with it in the lowest n - i bits.",
        .count = "The holders are halved n times: n steps. Every processor but the root sends once: 2^n - 1 messages. "
                 "Each step moves half of all blocks: n 2^(n-1) m words. Messages double from 1 block to 2^(n-1): "
                 "longest sum (2^n - 1) m. Both bounds with one port are met: n is the diameter, and the root receives "
                 "(2^n - 1) m words over one port.",
        .use = "With one port, in any form, and from some processors only, which --group names. With all ports the "
               "bound is (2^n - 1) m / n words, which "
               "gather/rotated-sbt reaches where n divides m; gather/sbnt comes near it with shorter blocks. If only "
               "the sum of the blocks is "
               "wanted, reduce/tree adds on the way, and messages do not grow.",
        .paper = "Saad & Schultz 1985, section 5, (5.1), \"gathering\". As printed the sender's label lacks a 1, so "
                 "that sender and receiver are one: 0^(n-j) 1 a_j sends to 0^(n-j+1) a_j (erratum A6).",
        .exercise = "`lockstep run --machine hypercube:5 --algorithm gather/sbt --words 3 --cycles` shows messages of "
                    "3, 6, 12, 24 and 48 words. In which step is half of the time spent, for tau much greater than "
                    "beta? How would you use five ports at the root?",
    },
    {
        .method = "gather/shift",
        .families = "",
        .idea = "gather/sbt on a switch, scatter/shift backwards in time: half of the holders send all that they have "
                "back by k/2 ranks, then half of the rest by k/4, and so on down to 1. Every step is a part of a "
                "cyclic shift. k has to be a power of two.",
        .invariant = "After i steps the holders are root, .., root + k/2^i - 1; each has the 2^i blocks of the "
                     "processors whose distance from it is a multiple of k/2^i.",
        .count = "log2 k halvings of the holders: log2 k steps. Every processor but the root sends once: k - 1 "
                 "messages. Each step moves half of all blocks: log2 k (k/2) m words. The messages have 1, 2, .., k/2 "
                 "blocks: longest sum (k - 1) m. Both bounds with one port are met.",
        .use = "It is the gather over a switch. If all shall have the result, allgather/doubling has as many steps and "
               "no larger longest sum.",
        .paper = "Saad & Schultz 1988, section 3.4(f), (3.41) backwards, \"gathering\" on the switch; the shift is by "
                 "2^(j-1), not by 2^j (erratum B20).",
        .exercise = "`lockstep run --machine switch:16 --algorithm gather/shift --words 8` and `lockstep run --machine "
                    "switch:16 --algorithm allgather/doubling --words 8`: steps and longest sum are alike, the words "
                    "are not. Where are the additional ones, and why do they take no time?",
    },
    {.method = "gather/tree",
     .families = "",
     .idea = "scatter/tree in reversed time: up the tree of broadcast/drbt every node gives its parent the blocks of "
             "its whole "
             "subtree in one message, when its children have given theirs.",
     .invariant = "A node that has given its blocks has none, and its parent has those of the whole subtree.",
     .count =
         "As of scatter/tree: the steps of broadcast/drbt, N - 1 messages, words = w times the depths of all nodes, "
         "longest sum = w times the largest subtree of every step.",
     .use = "The catalogue's only gather on a reduced hypercube. If the values need only be combined, reduce/tree.",
     .paper = "Mukherjee has no gather; the tree is that of chapter 2.",
     .exercise =
         "`lockstep run --machine rh:2,2 --algorithm gather/tree` and `lockstep run --machine rh:2,2 --algorithm "
         "reduce/tree`: which takes fewer steps, which fewer words, and why does the gather not combine?"},
    {
        .method = "gather/two-phase",
        .families = "",
        .idea = "On a torus every column first gathers into its processor of the root's row, both ways as in "
                "gather/two-way. Then the row gathers into the root, a message holding the blocks of a column. With "
                "more dimensions there is a phase for each, the first first; on a mesh lines are paths. It is "
                "scatter/two-phase backwards in time.",
        .invariant = "After the first phase, of floor(s/2) steps on s x s, every processor of the root's row has the "
                     "blocks of its column, and nobody else has any.",
        .count =
            "On s x s two phases of h = floor(s/2) steps: 2 floor(s/2). A gather on a ring has H = h(h+1)/2 + e(e+1)/2 "
            "messages, e = s-1-h: H in each of the s columns and H in the row, H (s + 1) in all. Both phases move "
            "s H blocks over links: 2 s H m words. Messages of one block, then of s: longest sum floor(s/2) (s + "
            "1) m. The steps are a bound, on any grid; the words are about twice theirs, as two of the root's four "
            "links are idle in the second phase. In general D and E processors lie ahead of and behind the root in a "
            "dimension: max(D, E) steps for each, and H = D(D+1)/2 + E(E+1)/2.",
        .use = "It is the gather on a torus or mesh, and needs all ports (two links to receive, one to send). With one "
               "port "
               "the catalogue has gathers on other machines only: gather/sbt, gather/shift, gather/direct.",
        .paper =
            "Saad & Schultz 1988, section 3.4(d), (3.39) backwards, \"gathering\" on the grid; its errors are those of "
            "the scatter: floor(sqrt(k)/2) start-ups a phase, one rate, the last approximation (erratum B18).",
        .exercise = "`lockstep run --machine torus:5x5 --algorithm gather/two-phase --words 4 --cycles`: the longest "
                    "message has 4 words in two cycles, 20 in two others. How many words would the longest sum lose if "
                    "the root received over four links all the time (see the lower bound)?",
    },
    {
        .method = "gather/two-way",
        .families = "",
        .idea = "On a ring every processor sends its block towards the root, the shorter way (on a path the only one), "
                "and then passes on what "
                "comes from behind, a block a step. So the root receives from both sides in every step, nearest blocks "
                "first. It is scatter/two-way backwards in time.",
        .invariant = "Let an arc reach R processors, and the longer one D = floor(k/2): after step t the block that "
                     "began at distance r on it has r - (t - (D - R)) links left, but at most r and at least 0. So the "
                     "root has the blocks of the nearest t - (D - R) processors of the arc.",
        .count =
            "The longer arc has D processors: floor(k/2) steps. A block crosses as many links as its distance: "
            "D(D+1)/2 + E(E+1)/2 messages of m words, E = k-1-D. All messages are one block long: longest sum "
            "floor(k/2) m. Both are bounds: the farthest block has D links to go, and one of the root's links carries "
            "D blocks. On a path the arcs are the sides of the root, and the longer one takes the place of D.",
        .use = "It is the gather on a ring or path, and needs all ports: the root receives two messages a step. "
               "allgather/daisy-chain gathers everywhere at once in k - 1 steps, with one port and one direction.",
        .paper = "Saad & Schultz 1988, section 3.4(c), (3.38) backwards, \"gathering\" on the ring; floor(k/2) "
                 "start-ups, not ceil(k/2) (erratum B17). The paper's port rule for the ring does not list what it "
                 "needs: to read from both neighbours in a step (B4).",
        .exercise = "`lockstep run --machine ring:5 --algorithm gather/two-way --ports one` (exit code 2) breaks the "
                    "rule at the root. `lockstep run --machine ring:16 --algorithm gather/two-way --words 16` and "
                    "`lockstep run --machine hypercube:4 --algorithm gather/sbt --words 16`: which is quicker, and for "
                    "which beta does the other one win?",
    },
};

}  // namespace lockstep::cli
