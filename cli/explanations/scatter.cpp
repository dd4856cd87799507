#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> scatter_explanations{
    {
        .method = "scatter/direct",
        .families = "bus",
        .idea = "The root says one block after the other on the bus, each to its receiver. The block for the next rank "
                "comes first, and so on round.",
        .invariant =
            "After step d the processors root + 1, .., root + d have their blocks, and no other but the root has any.",
        .count = "Every processor but the root needs a transaction of its own: k - 1 steps, k - 1 messages, (k - 1) m "
                 "words, all of them after one another, so that the longest sum is (k - 1) m too. All blocks but its "
                 "own have to leave the root, over the one bus.",
        .use = "Where a transaction has one receiver. If it may be heard by all, scatter/direct-one-message saves all "
               "start-ups but one.",
        .paper = "Saad & Schultz 1988, section 3.4, (3.36), \"scattering\" on the bus. The paper has k messages; k - 1 "
                 "are enough, as the root keeps its own block, or one that all hear (erratum B15).",
        .exercise = "`lockstep compare --operation scatter --machine bus:8 --words 4 --beta 16`: both methods move the "
                    "same words; where does the factor of more than three between their times come from, and for which "
                    "blocks does it vanish?",
    },
    {
        .method = "scatter/direct",
        .families = "shared",
        .idea = "The root writes all blocks of the others into the memory in one access, each into its reader's slot. "
                "Then the others read, kstar of them in a step, everybody only its own block.",
        .invariant = "After step 1 all blocks are in the memory; after step 1 + r, min(r kstar, k - 1) of the others "
                     "have theirs.",
        .count = "1 + ceil((k-1)/kstar) steps. There are k accesses, 1 write and k - 1 reads: k messages. Every block "
                 "is written and read: 2 (k - 1) m words. The write is long, the reads are short: longest sum (k - 1) "
                 "m + ceil((k-1)/kstar) m.",
        .use = "With banks=B no more than B read in a step, from consecutive slots: min(kstar, B) takes the place of "
               "kstar. It is the only scatter through a memory. More kstar speeds up the reading, while the root's "
               "writing of "
               "(k - 1) m words stays.",
        .paper = "Saad & Schultz 1988, section 3.4, (3.37), \"scattering\" with shared memory. As printed every "
                 "processor reads all N words; it reads N/k, which gives (N/b + tau) + (N/(kb) + tau) max(1, k/k*) in "
                 "the paper's letters (erratum B16); Table 1 repeats that. The factor should be ceil((k-1)/k*) (B27).",
        .exercise =
            "`lockstep sweep --operation scatter --machine shared:16,kstar=1..16 --words 10 --predict`: to what does "
            "the time fall, and what part of that would still be there with any number of simultaneous readers? Then "
            "put the same numbers into what the paper prints, (N tau + beta)(1 + k/k*) with N = 160.",
    },
    {
        .method = "scatter/direct-one-message",
        .families = "",
        .idea = "The root says all blocks of the others in one transaction that all hear, and everybody keeps its own "
                "block. It is a broadcast of everything: on a bus that costs no more words than k - 1 messages would.",
        .invariant = "Before the one step the root has all blocks, after it everybody has its own.",
        .count = "1 step and 1 message of (k - 1) m words, which is the longest sum too. A bus charges a transaction "
                 "once, however many hear it; the words that a receiver hears and throws away cost nothing.",
        .use = "For a scatter on a bus, if a transaction may have several receivers (multicast). Else scatter/direct. "
               "A gather has no such form: k - 1 sources need as many transactions.",
        .paper = "After Saad & Schultz 1988, section 3.4, (3.36), which counts k messages (erratum B15). The form in "
                 "one message is Lockstep's own.",
        .exercise = "`lockstep run --machine bus:8 --algorithm scatter/direct-one-message --multicast off` (exit code "
                    "2): which rule forbids it? Then think of blocks of which each holds a secret: what does this "
                    "method tell whom that scatter/direct does not?",
    },
    {
        .method = "scatter/doubling-kstar",
        .families = "",
        .idea = "Holders find each other as in broadcast/doubling-kstar, and every one is sent its own block together "
                "with those of all that it will find, and that these will find. A bus of kstar transactions takes "
                "kstar such messages in a step.",
        .invariant =
            "After step i the first min(2^i, k) processors from the root on hold all blocks between them, each "
            "those of its own way, as long as 2^i is at most 2^q, q = ceil(log2 kstar); then kstar more after "
            "every step.",
        .count = "ceil(log2 k) steps for k <= 2^q, else q + ceil((k - 2^q)/kstar). All others receive once: k - 1 "
                 "messages. The root sends the longest message of every step, and all other blocks once: longest sum "
                 "(k - 1) m. Both are bounds without multicast. A block crosses as many messages as its holder is hops "
                 "away: words are m for each.",
        .use =
            "Where the bus has no multicast, kstar > 1, and start-ups count: scatter/direct takes k - 1 steps for the "
            "same longest sum. With multicast scatter/direct-one-message needs one step.",
        .paper =
            "After Saad & Schultz 1988, section 2(a), which defines k* for the bus and never uses it (erratum B29), "
            "and the scatter of 3.4(f). The method is Lockstep's.",
        .exercise =
            "`lockstep trace --machine bus:7,kstar=2 --algorithm scatter/doubling-kstar`: which blocks go by way "
            "of rank 1? Then `lockstep run --machine bus:16,kstar=4 --algorithm scatter/doubling-kstar --words 10 "
            "--beta 100` and the same with scatter/direct: what do fewer steps gain?",
    },
    {
        .method = "scatter/rotated-sbt-halving",
        .families = "",
        .idea = "Every block is cut in n parts, and each part goes down a spanning binomial tree of its own: that of "
                "scatter/sbt with its dimensions in the order r, r + 1, .., round. In every step the n trees are at n "
                "different dimensions; so all links of a holder work, each for another tree, where scatter/sbt uses "
                "one. In each tree every holder hands half of what it has on.",
        .invariant =
            "After step i tree r has 2^i holders, those whose address differs from the root's in the dimensions r to r "
            "+ i - 1 (modulo n) only; each has the parts r for the 2^(n-i) processors that agree with it there.",
        .count =
            "n steps, as every tree is n deep. Each of K trees has 2^n - 1 edges, a message on each: (2^n - 1) K "
            "messages. A block travels n/2 links on average: n 2^(n-1) D words, D words a block. In step i the longest "
            "message has 2^(n-i) parts of at most ceil(D/K) words, in all (2^n - 1) ceil(D/K): with K = n trees and n "
            "dividing D the bound, as (2^n - 1) D words have to leave the root over n links. Start-ups of packets of "
            "at most B_m words: in each tree of parts of D_t words, sum_(i=1..n) 2^(i-1) ceil(2^(n-i) D_t/B_m).",
        .use = "With all ports and blocks whose words n divides; there it is as quick as scatter/rotated-sbt-rbf, "
               "whose longest message is shorter. If n does not divide D, the longer parts count in every step, and "
               "rotated-sbt-rbf or scatter/sbnt is quicker; with fewer trees (--trees) ports are idle. With one port: "
               "scatter/sbt.",
        .paper = "Johnsson & Ho, section 3.1, \"one-to-all personalized\" communication with n-port processors, "
                 "rotated spanning binomial trees. The formula for fewer trees is damaged as printed, with a factor "
                 "that is too large by their number (erratum J5).",
        .exercise = "`lockstep run --machine hypercube:5 --algorithm scatter/rotated-sbt-halving --words 5 --cycles` "
                    "and `lockstep run --machine hypercube:5 --algorithm scatter/rotated-sbt-rbf --words 5 --cycles`: "
                    "compare the columns of the longest messages. Which method needs the larger buffers, and why are "
                    "both sums 31? Then `lockstep sweep --operation scatter --machine hypercube:5 --vary words=1..16 "
                    "--by longest --predict --ports all`: why does halving climb in stairs?",
    },
    {
        .method = "scatter/rotated-sbt-rbf",
        .families = "",
        .idea = "The blocks are cut in n parts for n rotated spanning binomial trees, as in "
                "scatter/rotated-sbt-halving, but leave the root in reverse breadth-first order (rbf): what is for the "
                "farthest processors first, and for its neighbours last. Whatever has left the root moves on in every "
                "step. Nothing is held up: for each distance the n trees use all links of the root alike.",
        .invariant = "After step i everything that has left the root has exactly n - i links before it, and the root "
                     "still has all parts for the processors at distance n - i or less.",
        .count =
            "Everything arrives in step n. In step i those send over port p whose address differs from the root's in "
            "some of the i - 1 dimensions before p (modulo n) only: n 2^(i-1) messages, n (2^n - 1) in all, with K = n "
            "trees. n 2^(n-1) D words, as blocks travel n/2 links on average, D words a block. In step i the longest "
            "message has C(n, n-i+1) D/n words, (2^n - 1) D/n in all, which is the bound: all that leaves the root, "
            "over n links. With fewer trees the root's links have unequal loads: lockstep run prints the sums.",
        .use = "With all ports and long blocks, best if n divides D: both bounds are met, and the messages are shorter "
               "than those of scatter/rotated-sbt-halving, C(n,n/2)/n blocks at most (n even) against 2^(n-1)/n. "
               "Blocks of less than n words: scatter/sbnt, which is ahead of it between the first multiples of n too. "
               "With fewer than n trees scatter/sbt-reflected shares the links better.",
        .paper = "Johnsson & Ho, section 3.1, \"one-to-all personalized\" with n ports. Errata: the formula for fewer "
                 "trees is damaged, with a factor too large by their number (J5); for two trees sqrt(2N) and sqrt(N/2) "
                 "hold for odd n, for even n 1.5 sqrt(N) and sqrt(N)/2 (J6); against the one-port tree the longest "
                 "packet shrinks by sqrt(pi/8) n^1.5, not by about n (J8).",
        .exercise = "`lockstep run --machine hypercube:8 --algorithm scatter/sbt --words 8 --cycles` and `lockstep run "
                    "--machine hypercube:8 --algorithm scatter/rotated-sbt-rbf --words 8 --cycles`: the longest "
                    "message shrinks from 1,024 words to 70. Compare the factor with sqrt(pi/8) n^1.5, and find both "
                    "numbers in the binomial coefficients.",
    },
    {
        .method = "scatter/sbnt",
        .families = "",
        .idea = "The spanning balanced n-tree (SBnT) has n subtrees of nearly the same size below the root, where the "
                "binomial tree has subtrees of half, a quarter, .. of all processors. The first port to a destination "
                "is the least number of right rotations that make its relative address smallest; from that one bit on "
                "its one bits are crossed to the left, round. Blocks stay whole and leave the root farthest first; "
                "what has left moves in every step.",
        .invariant = "After step i everything that has left the root has exactly n - i links before it, and the root "
                     "still has all blocks for the processors at distance n - i or less.",
        .count = "Everything arrives in step n. In step i the root's link 0 carries one block for every necklace of n "
                 "beads, n - i + 1 of them black (a necklace is an address up to rotation), and no link carries more: "
                 "longest sum (necklaces(n) - 1) D, for D words a block. Words as everywhere on shortest paths: n "
                 "2^(n-1) D. The link to a processor carries a message for every distance in the subtree behind it: "
                 "sum_x (1 + height of the subtree of x) messages, x any processor but the root.",
        .use = "With all ports and blocks too short to be cut: it divides the words of scatter/sbt by nearly n without "
               "cutting anything. scatter/rotated-sbt-rbf is better where n divides D and for long blocks; "
               "scatter/sbt-reflected may be with a suitable number of trees. With one port: scatter/sbt.",
        .paper = "Johnsson & Ho, section 3.1, \"one-to-all personalized\" on the SBnT with n ports. The paper's "
                 "(1/n)(1 - 1/N) P Q is approximate; the words are (necklaces(n) - 1) P Q / N (erratum J7). The same "
                 "tree, from every processor, carries alltoall/sbnt.",
        .exercise = "`lockstep sweep --operation scatter --machine hypercube:2..7 --words 1 --by longest --predict "
                    "--ports all`: for which n has sbnt ceil((2^n - 1)/n), the bound? What do n = 4 and n = 6 have in "
                    "common that the others lack (think of addresses like 0101)?",
    },
    {
        .method = "scatter/sbt",
        .families = "",
        .idea = "The root splits the cube in two along dimension 0 and sends its neighbour there all blocks for the "
                "other half; then both are roots of cubes half as large, and go on with dimension 1, and so on. This "
                "is the spanning binomial tree of broadcast/sbt, with less and less to send.",
        .invariant =
            "After step i there are 2^i holders, those whose relative address (exclusive or with the root) is below "
            "2^i; each has the 2^(n-i) blocks of the processors that agree with it in the lowest i bits.",
        .count = "n halvings: n steps. Every processor but the root gets one message: 2^n - 1. Step i moves half of "
                 "all blocks, those that differ from their holder in that bit: n 2^(n-1) m words. Its messages have "
                 "2^(n-i) blocks: longest sum (2^n - 1) m. With one port nothing is better: holders at most double, "
                 "and (2^n - 1) m words have to leave the root.",
        .use = "With one port, in any form: nobody sends and receives in one step; and to some processors only, which "
               "--group names: the tree is then pruned to the paths to them. scatter/sbt-reflected has the same "
               "counts. With all ports the words can be divided by n: scatter/rotated-sbt-rbf, or scatter/sbnt for "
               "short blocks. scatter/shift is the same on a switch.",
        .paper = "Saad & Schultz 1985, section 5, (5.1), and 1988, (3.40), \"scattering\"; Johnsson & Ho, section 3.1. "
                 "As printed the free prefix has n-j-1 bits, so that half of the blocks stay where they are; it has "
                 "n-j (errata A7, B19). That the hypercube is best but for broadcasts is not so: a ring with all ports "
                 "has about half the longest sum of a cube with one (B25).",
        .exercise = "`lockstep plan --machine hypercube:3 --algorithm scatter/sbt` prints every message with its "
                    "blocks; read it from the end to the beginning: which operation is that? Then `lockstep compare "
                    "--operation scatter --machine ring:16 --machine hypercube:4 --words 16`: which methods of the "
                    "cube does the ring beat, and is the comparison fair?",
    },
    {
        .method = "scatter/sbt-all-port",
        .families = "",
        .idea =
            "On the spanning binomial tree of scatter/sbt, but with all ports: blocks leave the root farthest first, "
            "over every link of it that leads to some, and move on in every step. Nothing waits but at the root.",
        .invariant = "After step i everything that has left the root has exactly n - i links before it, and the root "
                     "still has all blocks for the processors at distance n - i or less.",
        .count = "Everything arrives in step n. A link down over dimension d has a tree of height n - 1 - d behind it, "
                 "and so n - d messages, one for every distance; there are 2^d such links: 2^(n+1) - n - 2 messages. "
                 "Blocks travel n/2 links on average: n 2^(n-1) D words, for D words a block. The root's link 0 has "
                 "half of all processors behind it and is the busiest: longest sum 2^(n-1) D, half of scatter/sbt and "
                 "no more, however many ports there are.",
        .use = "To see what a lopsided tree costs. scatter/sbnt shares the root's links nearly evenly, and "
               "scatter/rotated-sbt-rbf, which cuts the blocks, evenly.",
        .paper = "Johnsson & Ho, section 3.1, \"one-to-all personalized\" on the spanning binomial tree with n ports; "
                 "reverse breadth-first order.",
        .exercise = "`lockstep run --machine hypercube:5 --algorithm scatter/sbt --cycles` and `lockstep run --machine "
                    "hypercube:5 --algorithm scatter/sbt-all-port --cycles`: which longest messages (16, 8, 4, 2, 1 "
                    "and 1, 4, 6, 4, 1) are powers of two, and what are the others? How many words go over each of the "
                    "root's five links?",
    },
    {
        .method = "scatter/sbt-reflected",
        .families = "",
        .idea =
            "With one tree it is scatter/sbt with the dimensions from the highest down: the root first hands the upper "
            "half of all relative addresses away, then the next quarter, so that blocks that travel together are those "
            "of consecutive relative addresses. With all ports and --trees K, K/2 trees rotated as in "
            "scatter/rotated-sbt-rbf and K/2 of them reflected carry a part of every block each: where one tree is "
            "heavy at port 0 its reflection is heavy at port n - 1, so that few trees already share the links well.",
        .invariant = "With one tree, after step i the 2^i holders are those whose relative address has only zeros in "
                     "its lowest n - i bits; each has the blocks of the 2^(n-i) addresses from its own on. With "
                     "several trees, after step i everything that has left the root has exactly n - i links before it.",
        .count = "n steps and n 2^(n-1) D words, for D words a block. One tree: 2^n - 1 messages, longest sum (2^n - "
                 "1) D, as scatter/sbt, and with packets of at most B_m words (--max-packet) sum_(i=1..n) 2^(i-1) "
                 "ceil(2^(n-i) D/B_m) start-ups. K trees: the root sends the parts of distance d in one step, over "
                 "port p the parts of every tree whose path there begins with p; lockstep run prints the sums. For two "
                 "trees and a word for each that is 2^(n-1) + 1 words, against 2^(n-1) + 2^(ceil(n/2)-1) if the second "
                 "tree is rotated by n/2 instead of reflected.",
        .use = "One tree: with one port, as scatter/sbt. Several: with all ports, where n does not divide D; on the "
               "6-cube, for instance, 4 trees have the least longest sum for blocks of 4, 7 and 8 words (lockstep best "
               "tries all numbers of trees). Where n divides D scatter/rotated-sbt-rbf uses all links evenly.",
        .paper = "Johnsson & Ho, section 3.1, reflected spanning binomial trees. Damaged exponents, the factor P Q / N "
                 "and a factor too large by the number of trees stand in the formula for several (erratum J5).",
        .exercise =
            "`lockstep plan --machine hypercube:3 --algorithm scatter/sbt-reflected` and `lockstep plan --machine "
            "hypercube:3 --algorithm scatter/sbt`: in which one could a message be sent straight from an array of "
            "blocks? Then `lockstep run --machine hypercube:4 --algorithm scatter/sbt-reflected --trees 2 --words 2 "
            "--ports all`: how near is it to its bound, and what do 4 trees of 4 words change?",
    },
    {
        .method = "scatter/shift",
        .families = "",
        .idea = "scatter/sbt on a switch: in step d, counted from 0, every holder, a < 2^d places after the root, "
                "sends the one 2^d places farther on all blocks for those whose distance from the root has the lowest "
                "bits of that one. Each step is a part of a cyclic shift, which a switch and an Omega network carry at "
                "once. k has to be a power of two.",
        .invariant = "After i steps the holders are root, .., root + 2^i - 1; each has the k/2^i blocks of the "
                     "processors whose distance from it is a multiple of 2^i.",
        .count = "log2 k halvings: log2 k steps. Every processor but the root gets one message: k - 1. Each step moves "
                 "half of all blocks: log2 k (k/2) m words. The messages have k/2, k/4, .., 1 blocks: longest sum (k - "
                 "1) m. Both bounds with one port are met: the root sends k - 1 blocks, and holders at most double.",
        .use = "For a scatter over a switch. The root could send to everybody directly with the same (k - 1) m words, "
               "but in k - 1 steps. scatter/direct is that on a bus.",
        .paper = "Saad & Schultz 1988, section 3.4(f), (3.41), \"scattering\" on the switch. As printed the shift is "
                 "by 2^j; it is by 2^(j-1) (erratum B20).",
        .exercise = "`lockstep trace --machine switch:8 --algorithm scatter/shift --root 3` prints who has which "
                    "blocks. Then take omega:8: why does no message collide within the network, and would the exchange "
                    "x with x xor 2^d pass too?",
    },
    {.method = "scatter/tree",
     .families = "",
     .idea = "Down the tree of broadcast/drbt, over layers, building blocks and subblocks, every node is given the "
             "blocks of "
             "its whole subtree in one message, keeps its own, and gives each child those of its subtree.",
     .invariant = "When a node is served it has the blocks of its subtree, and nobody else has any of them.",
     .count = "A node has all when it is served, so steps are those of broadcast/drbt, the longest subtree first. "
              "Messages = "
              "N - 1, as each node is served once; words = w times the depths of all nodes; longest sum = w times the "
              "largest subtree of every step.",
     .use = "The catalogue's only scatter on a reduced hypercube. Few steps: for short blocks. For long ones its "
            "longest sum "
            "may be some times the (N - 1) w that one port takes at least, as paths between blocks are long.",
     .paper = "Mukherjee has no scatter; the tree is that of chapter 2.",
     .exercise =
         "`lockstep run --machine rh:3,1 --algorithm scatter/tree`: why is the longest message half of all blocks? "
         "Compare the longest sum with that of `lockstep run --machine rh:3,0 --algorithm scatter/tree`: how far is "
         "each from its bound?"},
    {
        .method = "scatter/two-phase",
        .families = "",
        .idea = "On a torus the root first scatters along its row, both ways as scatter/two-way does on a ring, a "
                "message for a column holding the blocks of all its processors. Then every processor of the row does "
                "the same along its column with single blocks. With more dimensions there is a phase for each, the "
                "last first; on a mesh lines are paths.",
        .invariant = "Between the phases every processor of the root's row has the blocks of its column, and nobody "
                     "else has any. Within a phase the blocks for the farthest processors go first, and all arrive in "
                     "the phase's last step (on the arc behind the root, if it is shorter, one before).",
        .count =
            "On s x s two phases of h = floor(s/2) steps: 2 floor(s/2). A ring scatter has H = h(h+1)/2 + e(e+1)/2 "
            "messages, e "
            "= s-1-h: H in the row, H in each of the s columns, H (s + 1) in all. Both phases move s H blocks over "
            "links: 2 s H m words. Messages of s blocks, then of one: longest sum floor(s/2) (s + 1) m. The steps are "
            "a bound, on any grid; the words are about twice theirs, as two of the root's four links are idle in the "
            "first phase. In general D and E processors lie ahead of and behind the root in a dimension: max(D, E) "
            "steps for each, and H = D(D+1)/2 + E(E+1)/2.",
        .use = "It is the scatter on a torus or mesh, and needs all ports (two links to send, one to receive). A "
               "hypercube of "
               "as many processors has fewer words with all ports: scatter/rotated-sbt-rbf, scatter/sbnt.",
        .paper = "Saad & Schultz 1988, section 3.4(d), (3.39), \"scattering\" on the grid. As printed a phase has "
                 "sqrt(ceil(k/2)) start-ups; it has floor(sqrt(k)/2). One term has the wrong rate, and the last "
                 "approximation loses another factor of 2 (erratum B18). Table 2 has another time for it (B24).",
        .exercise = "`lockstep compare --operation scatter --machine torus:9x9 --machine ring:81 --words 1 --beta 16`: "
                    "both need a longest sum of 40. Show that this is so for every odd s, and say what the torus gains "
                    "nevertheless.",
    },
    {
        .method = "scatter/two-way",
        .families = "",
        .idea = "The root sends both ways round the ring, or along the path, in every step, the blocks for the "
                "farthest processors first, "
                "and everybody passes on what is not for it. So all links of an arc are busy at the end, and the last "
                "block that the root sends has one link to go.",
        .invariant = "Let an arc reach R processors: after step t the block for the processor at distance r on it is t "
                     "- (R - r) links from the root, but at least 0 and at most r. So a processor receives its own "
                     "block last, and all on the arc in step R.",
        .count = "The longer arc has D = floor(k/2) processors: D steps. A block crosses as many links as its "
                 "distance: D(D+1)/2 + E(E+1)/2 messages of m words, E = k-1-D. All messages are one block long: "
                 "longest sum floor(k/2) m. Both are bounds: floor(k/2) is the farthest distance, and one of the "
                 "root's two links has floor(k/2) blocks to carry. On a path the arcs are the sides of the root, and "
                 "the longer one takes the place of D.",
        .use = "It is the scatter on a ring or path, and needs all ports at the root (two links to send). It has about "
               "half of "
               "the words of scatter/sbt with its one port, but k/2 start-ups in place of log2 k.",
        .paper = "Saad & Schultz 1988, section 3.4(c), (3.38), \"scattering\" on the ring. As printed there are "
                 "ceil(k/2) start-ups; floor(k/2) are enough (erratum B17). By this the ring beats the paper's cube in "
                 "words, which its conclusion denies (B25).",
        .exercise = "`lockstep trace --machine ring:9 --algorithm scatter/two-way` shows the blocks march. What would "
                    "be the number of steps if the root sent the nearest first? And `lockstep run --machine ring:5 "
                    "--algorithm scatter/two-way --ports one` (exit code 2): who breaks the rule?",
    },
};

}  // namespace lockstep::cli
