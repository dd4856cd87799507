#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> application_explanations{
    {.method = "application/adi",
     .families = "",
     .idea = "Heat on a g x g grid: a time step solves a tridiagonal system along every row, and then along every "
             "column. Strips of rows make the sweep along rows local. For the columns either the grid is transposed "
             "by an alltoall (MPI_Alltoall), swept along rows and transposed back; or (--method none) the sweep "
             "goes from strip to strip and back, along the path of the Gray code, with columns in groups: a strip "
             "has one group in hand while the strip before it has the next.",
     .invariant = "After every time step each processor has its strip of the new grid. Within a sweep from strip to "
                  "strip, in its cycle t + q, the strip at place t goes through group q.",
     .count = "Transposing: 2 I alltoalls of blocks of b = ceil(g/N)^2 words; with alltoall/exchange log2 N steps "
              "each, N log2 N messages, longest sum N b/2 log2 N. Without: A = min(g,N) strips and as many groups, "
              "2 (A-1) steps each way, so I 4 (A-1) steps with messages of about g/A words. Operations 8 g^2 a time "
              "step either way, but strips wait for each other at the ends of a sweep.",
     .use = "Where start-ups decide, alltoall/exchange, and alltoall/sbnt with --ports all: few long messages. "
            "Where words do, none: it sends only borders, and all of them once forth and once back, while a "
            "transposition moves the whole grid.",
     .paper = "No paper: an application of Lockstep's own. Johnsson & Ho, section 1, name this method as a reason "
              "to transpose on a cube although a grid can be embedded with neighbours side by side.",
     .exercise = "`lockstep run --machine hypercube:3 --algorithm application/adi --size 8`, and with --method "
                 "none: 60 against 112; with --size 16 it is 204 against 168. At which --beta do they break even "
                 "for 16?"},
    {.method = "application/carry-look-ahead",
     .families = "",
     .idea = "The sum of two numbers of many words, the lowest at rank 0. Every processor adds its words as if no "
             "carry came, and then knows what would become of one: it ends, it goes on, or one begins here anyway. "
             "A scan (MPI_Exscan) of these statuses tells each whether a carry comes, instead of a carry that runs "
             "through all processors.",
     .invariant = "The later of two statuses holds, unless it is that a carry goes on: so a status of some ranks in a "
                  "row says what they all together make of a carry.",
     .count = "One scan of a word: log2 N steps and N log2 N messages with scan/cube; on reduced hypercubes the counts "
              "of scan/hub. Operations 4 a word: two to add, two for the carry.",
     .use = "Where words are many: a carry from rank to rank takes N - 1 steps at the worst, the scan log2 N.",
     .paper = "No paper works it out; Mukherjee, chapter 4, names carry look-ahead addition as a use of prefixes.",
     .exercise =
         "`lockstep run --machine hypercube:6 --algorithm application/carry-look-ahead --size 4096 --flop 0.01` "
         "and the same on hypercube:0. From how many processors on does another dimension no longer help?"},
    {.method = "application/conjugate-gradient",
     .families = "",
     .idea = "A system of linear equations on a g x g grid, solved by conjugate gradients. Processors have strips "
             "of rows of the grid, along the path of the Gray code, so that strips that touch are neighbours in the "
             "cube. To multiply by the matrix a strip needs the rows next to it: one message up, one down. The two "
             "inner products of an iteration are needed by all, and are added up as in application/inner-product.",
     .invariant = "After every iteration all processors have the same two sums, to the last bit, and their strips "
                  "of x, the residual and the direction; the residual is orthogonal to all before it, but for "
                  "rounding.",
     .count = "2 I + 1 sums of a word, and I times 2 steps in which strips trade rows of g words: with scan/cube (2 "
              "I + 1) log2 N + 2 I steps (for several strips). Operations 2 g^2 at first, then 15 g^2 + 2 N in "
              "every iteration, and N (N-1) more for a sum that is gathered.",
     .use = "scan/cube for the sums: half the steps of reduce/tree, and log2 N words in a row where allgather/adea "
            "has N - 1, and as many additions. For small grids on large cubes the sums decide, for large ones rows "
            "and arithmetic.",
     .paper = "No paper: an application of Lockstep's own. On the Gray code's ring see Saad & Schultz 1985; for the "
              "sums Mukherjee's scan/cube and reduce/tree.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm application/conjugate-gradient --size 16 --beta "
                 "10 --flop 0.1`, then with --method reduce/tree, adea and daisy-chain: 1360.8, 2108.8, 1573.3 and "
                 "3443.3. Take the 17 sums out of each and see what is left."},
    {.method = "application/cyclic-reduction",
     .families = "",
     .idea = "A tridiagonal system in blocks along the path of the Gray code. Within a block all unknowns but the "
             "last are taken out, which leaves one equation a processor. Then every other equation goes to its two "
             "neighbours, which replace its unknown by it; every other of the rest goes to its neighbours, now two "
             "places away, and so on until one is left. That one is solved, and the unknowns go back the same way.",
     .invariant = "Before stage j the places t with t + 1 a multiple of 2^j have an equation in their own unknown and "
                  "those of the places 2^j before and behind: a tridiagonal system again.",
     .count = "From stage 1 on both neighbours are two links away, over one processor that is idle: a message there "
              "and two onwards, three steps; stage 0 takes two, the last one less. So 3 n - 2 steps each way, of 3 "
              "words to eliminate and of one back, with the first relations and the last words 6 n - 2 in all "
              "(6 n - 3 with one unknown each); 12 n - 4 words in a row. Operations 17 n and about 19 g/N for the "
              "processor with most.",
     .use = "One system, of however many unknowns: steps grow as log2 N. Of many systems at once application/adi "
            "--method none keeps all processors busy, where half of what is left rests in every stage here.",
     .paper = "No paper of the five: Johnsson & Ho, section 6.1.2, observe that both neighbours' paths share no "
              "link in odd-even cyclic reduction (their reference 11); here they share the first, which saves a "
              "message where ports are one at a time.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm application/cyclic-reduction --size 16`: 21 steps. "
                 "With --size 17 still 21, with --size 18 there are 22. Which message is new?"},
    {.method = "application/gaussian-elimination",
     .families = "",
     .idea = "A x = b by elimination. Row i is that of processor i mod N, so that all have rows left to the end. "
             "For k = 0, 1, .. the owner of row k looks for its largest entry, whose column changes places with "
             "column k, and broadcasts (MPI_Bcast) which column that is, the rest of the row and its right side; "
             "the others take it out of their rows below. Then the components come back, the last first, each "
             "broadcast and taken out of the right sides above. A pivot that is looked for in a row needs no "
             "message.",
     .invariant = "After step k rows 0..k are final, the columns before k+1 are 0 in all rows below, and everybody "
                  "knows which columns have changed places. On the way back everybody knows the components from k "
                  "on.",
     .count = "2 n broadcasts, of n - k + 2 words for k = 0..n-1 and of one word n times, one after the other. With "
              "broadcast/sbt each takes log2 N steps: 2 n log2 N steps, 2 n (N - 1) messages, longest sum log2 N n "
              "(n+7)/2. Operations: 1 + 2 (n - k) for each row below k and 1 + 2 k for component k.",
     .use = "broadcast/sbt, since items are short: a broadcast costs a start-up a dimension. With --ports all and "
            "long rows broadcast/sbt-pipelined sends packet behind packet. broadcast/drbt, made for reduced "
            "hypercubes, is there to compare.",
     .paper = "No paper: an application of Lockstep's own. The broadcasts are those of Saad & Schultz 1985, section "
              "2, and Mukherjee, chapter 2.",
     .exercise = "`lockstep run --machine hypercube:2 --algorithm application/gaussian-elimination --size 64 --flop "
                 "0.1` takes 9489.6; hypercube:0 takes 18083.2 and hypercube:4 10929.2. Why is a cube of 4 "
                 "processors best here, and what would --ports all --method sbt-pipelined change on hypercube:4?"},
    {.method = "application/inner-product",
     .families = "hypercube",
     .idea = "The inner product of two vectors of n components, which all processors need (MPI_Allreduce). "
             "Everybody multiplies and adds its parts; that leaves one word of each to be added up, by --method: "
             "neighbours exchange the sums of their subcubes (scan/cube), or sums go down a tree to rank 0 and the "
             "total back (reduce/tree and broadcast/sbt), or everybody gathers all words and adds them "
             "(allgather/adea, allgather/daisy-chain).",
     .invariant = "With scan/cube: after the exchange of dimension i everybody has the sum of its subcube of "
                  "2^(i+1) processors, and neighbours the same. In the end all have the same bits, as everybody "
                  "adds the sums of lower ranks first.",
     .count = "scan/cube: log2 N steps, N log2 N messages of a word. reduce/tree: 2 log2 N steps, 2 (N - 1) "
              "messages. allgather/adea: log2 N steps, but a longest sum of N - 1 words and N - 1 additions of "
              "everybody. allgather/daisy-chain: N - 1 steps. Operations 2 n, and N (N-1) more where all words are "
              "gathered.",
     .use = "scan/cube: fewest steps, fewest words in a row. Below full duplex, where neighbours cannot exchange in "
            "one step, it is refused, and one of the others has to do; reduce/tree also has fewest messages. "
            "application/conjugate-gradient needs such a sum twice an iteration.",
     .paper = "No paper: an application of Lockstep's own. scan/cube and reduce/tree are Mukherjee's operations on "
              "a cube, the allgathers those of Saad & Schultz 1985.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm application/inner-product --size 64 --beta 10 "
                 "--flop 0.1`, then with --method reduce/tree and adea: 44, 88 and 55 beside the arithmetic. "
                 "Explain each number by steps and longest sum."},
    {.method = "application/inner-product",
     .families = "ring, torus",
     .idea = "The inner product of the entry on hypercubes. Here the words of all processors go once round a ring "
             "by allgather/daisy-chain, and everybody adds them up in the order of ranks. On a torus the ring leads "
             "through all rows.",
     .invariant = "After step t a processor has its own word and those of the t processors before it.",
     .count = "N - 1 steps and N (N-1) messages of a word; operations 2 n + N (N-1), for everybody adds N words. So "
              "the time has one term that falls with N, 2 n/N operations, and two that grow with it.",
     .use = "Rings and tori, where no shorter sum is among the methods. For long vectors the arithmetic outweighs "
            "it.",
     .paper = "No paper: an application of Lockstep's own. The daisy chains are those of Saad & Schultz 1988, "
              "section 3.3(c) and (d).",
     .exercise = "`lockstep run --machine ring:16 --algorithm application/inner-product --size 256 --flop 1` takes "
                 "77, ring:8 85 and ring:32 109. Find the best ring by the formula; how does it grow with n?"},
    {.method = "application/inner-product",
     .families = "switch, omega, inverse-omega, indirect-cube, data-manipulator",
     .idea = "The inner product of the entry on hypercubes. Here the words of all go round all ranks by "
             "allgather/daisy-chain: everybody sends to the next rank in every step, and adds up in the end.",
     .invariant = "After step t a processor has its own word and those of the t ranks before it.",
     .count = "N - 1 steps and N (N-1) messages of a word; operations 2 n + N (N-1).",
     .use = "Switches and omega networks. allgather/doubling would bring the same words in log2 N steps, but is "
            "none of the methods of this application.",
     .paper = "No paper: an application of Lockstep's own. The allgather is Saad & Schultz 1988, (3.34).",
     .exercise = "`lockstep run --machine switch:16 --algorithm application/inner-product --beta 100` and the same "
                 "on hypercube:4: 1515 and 404. Which part of the difference is the machine's, and which the "
                 "method's? Give the hypercube --method daisy-chain."},
    {.method = "application/linear-recurrence",
     .families = "",
     .idea = "x_i = a_i x_(i-1) + b_i, n steps from x_0 on, whole numbers modulo 2^64. A step is a map, and composing "
             "maps is associative: each processor composes its own steps to one map of two numbers, a scan "
             "(MPI_Exscan) brings what all lower ranks come to, and each goes through its steps from the right x.",
     .invariant = "A message stands for ranks in a row: what their steps together make of any x.",
     .count = "One scan of 2 words: log2 N steps, N log2 N messages, longest sum 2 log2 N with scan/cube; on reduced "
              "hypercubes the counts of scan/hub. Operations 5 n, two and a half times those of one processor.",
     .use = "Recurrences longer than a processor should go through alone. The composition costs 3 operations where a "
            "step costs 2, so that at least three processors are needed to gain.",
     .paper = "No paper works it out; Mukherjee, chapter 4, names linear recurrences as a use of prefixes.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm application/linear-recurrence --size 1024 --flop 1` "
                 "and the same on hypercube:0, which composes in vain. Where does the time go?"},
    {.method = "application/n-body",
     .families = "hypercube",
     .idea = "n bodies attract each other, each all others. Every processor moves about n/N of them; to do so it "
             "needs the places and masses of all, so every time step begins with an allgather (MPI_Allgather, "
             "--method). Then the pulls of all bodies are added up, always in the same order, and change the "
             "velocities, and these the places.",
     .invariant = "At the start of every time step a processor has the present place, mass and velocity of its own "
                  "bodies; after the allgather the places and masses of all, the same everywhere.",
     .count = "I allgathers of 4 m words, m = ceil(n/N): with allgather/adea log2 N steps each, N log2 N messages, "
              "longest sum 4 m (N-1). Operations I n (19 n + 12), 19 for a pull and 12 to move a body: arithmetic "
              "grows with n^2 and words with n, so that many bodies make good use of many processors.",
     .use = "allgather/adea with one port; with --ports all allgather/tea2. For few bodies on many processors the "
            "start-ups decide, log2 N an iteration here and N - 1 with allgather/daisy-chain.",
     .paper = "No paper: an application of Lockstep's own. The allgathers are those of Saad & Schultz 1985, section "
              "4.",
     .exercise = "`lockstep run --machine hypercube:5 --algorithm application/n-body --size 64 --flop 0.1` takes "
                 "1994.4, and 31436.8 on hypercube:0: 16 times faster with 32 processors. Which part of the time is "
                 "arithmetic? Now take --size 65: why does one body more cost so much?"},
    {.method = "application/n-body",
     .families = "ring, torus",
     .idea = "The bodies of the entry on hypercubes, gathered by allgather/daisy-chain: blocks of places and masses "
             "go once round the ring, a processor farther in each step. On a torus the ring leads through all rows.",
     .invariant = "After step t of an allgather a processor has the bodies of itself and of the t processors before "
                  "it.",
     .count = "I allgathers of N - 1 steps and N (N-1) messages of 4 m words, m = ceil(n/N): longest sum 4 I (N-1) "
              "m. Operations I n (19 n + 12).",
     .use = "Rings and tori, and many bodies: blocks of 4 m words soon outweigh the N - 1 start-ups, and then a "
            "ring is hardly slower than a hypercube with one port, whose longest sum is the same.",
     .paper = "No paper: an application of Lockstep's own. The daisy chains are those of Saad & Schultz 1988, "
              "section 3.3(c) and (d).",
     .exercise = "`lockstep run --machine ring:16 --algorithm application/n-body --size 16` takes 300 and "
                 "hypercube:4 256; with --size 256 compare again. Why does the difference stay at 44 while the "
                 "times grow?"},
    {.method = "application/n-body",
     .families = "switch, omega, inverse-omega, indirect-cube, data-manipulator",
     .idea = "The bodies of the entry on hypercubes, gathered by allgather/daisy-chain over a switch. In every step "
             "everybody sends to the next rank the block that it has got last.",
     .invariant = "After step t of an allgather a processor has the bodies of itself and of the t ranks before it.",
     .count = "As on a ring: I times N - 1 steps, N (N-1) messages of 4 m words, m = ceil(n/N), longest sum 4 I "
              "(N-1) m; operations I n (19 n + 12).",
     .use = "Switches and omega networks. The network is used like a ring; what a switch can do more, "
            "allgather/doubling with its log2 N steps, is worth something for few bodies only.",
     .paper = "No paper: an application of Lockstep's own. The allgather is Saad & Schultz 1988, (3.34).",
     .exercise = "`lockstep run --machine omega:8 --algorithm application/n-body` takes 140, and so does switch:8; "
                 "switch:6 takes 180, with two processors fewer. Why is six slower than eight for eight bodies?"},
    {.method = "application/packing",
     .families = "",
     .idea = "Some of the records that all processors have are marked, and go to the front in their order, as in a "
             "filter or in parallel quicksort. A scan (MPI_Exscan) of the counts gives every marked record its place; "
             "then all records go there along their E-cube paths, those with the same way at the same turn in one "
             "message.",
     .invariant = "After turn t the first t turns of every record's path are behind it.",
     .count = "One scan of a word, log2 N steps with scan/cube, and at most one step a turn: log2 N on a cube, "
              "D (n+1) + k on RH(k,n), D = 2^n. 2 words a record for each link of its way; operations n.",
     .use = "Where later steps should have work for few processors in full instead of for all in part.",
     .paper = "No paper works it out; Mukherjee, chapter 4, names packing as a use of prefixes.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm application/packing --size 64` moves less than "
                 "`lockstep run --machine rh:2,1 --algorithm application/packing --size 64`, though the records and "
                 "places are the same. Which links make the difference?"},
    {.method = "application/power-iteration",
     .families = "hypercube",
     .idea = "The largest eigenvalue of a symmetric n x n matrix: start with equal components and repeat x := A x / "
             "|A x|, I times. Processor r has about n/N rows of A; with all of x it computes its part of A x, and "
             "an allgather (MPI_Allgather, --method) makes the whole of it known to all. Then everybody computes "
             "the length and divides, all alike, so that no second message is needed.",
     .invariant = "After every iteration all processors have the same x, to the last bit, of length 1; it has "
                  "turned towards the eigenvector of the largest eigenvalue.",
     .count = "I allgathers of m = ceil(n/N) words. With allgather/adea neighbours give each other all that they "
              "have, dimension by dimension: log2 N steps each, N log2 N messages, N (N-1) m words, longest sum "
              "(N-1) m. With allgather/daisy-chain N - 1 steps and N (N-1) messages of m, the same words. "
              "Operations I (2 n^2 + 5 n N): everybody computes the length for itself.",
     .use = "allgather/adea with one port, where start-ups cost; with --ports all allgather/tea2, and "
            "allgather/tea1 behind it. The product of matrix and vector needs all of x, so that no sum, as in "
            "application/inner-product, can take the place of the gathering.",
     .paper = "No paper: an application of Lockstep's own. The allgathers are those of Saad & Schultz 1985, section "
              "4 (ADEA, TEA1, TEA2).",
     .exercise = "`lockstep run --machine hypercube:4 --ports all --algorithm application/power-iteration --size 64 "
                 "--method adea`, then tea1 and tea2: 512, 288 and 192. How near is tea2 to the words that four "
                 "links can bring in, and what keeps tea1 from it?"},
    {.method = "application/power-iteration",
     .families = "ring, torus",
     .idea = "The computation of the entry on hypercubes. Here A x is gathered by allgather/daisy-chain: in every "
             "step each processor hands on to the next what it has just got, until all parts have been everywhere. "
             "On a torus the ring leads through all rows.",
     .invariant = "After step t of an iteration's allgather every processor has its own part of A x and those of "
                  "the t processors before it; after the iteration all have the same x.",
     .count = "I allgathers of N - 1 steps, N (N-1) messages of m = ceil(n/N) words: longest sum I (N-1) m. "
              "Operations I (2 n^2 + 5 n N).",
     .use = "Rings and tori. N - 1 start-ups an iteration grow with N, while the arithmetic falls: there is a best "
            "number of processors. On a hypercube with allgather/adea the start-ups are log2 N.",
     .paper = "No paper: an application of Lockstep's own. The daisy chains are those of Saad & Schultz 1988, "
              "section 3.3(c) and (d).",
     .exercise = "`lockstep run --machine ring:16 --algorithm application/power-iteration --size 64 --flop 0.05` "
                 "takes 932.8, ring:8 1041.6, ring:32 974.4. Which terms fall and which grow with N, and where is "
                 "the minimum by the formula?"},
    {.method = "application/power-iteration",
     .families = "switch, omega, inverse-omega, indirect-cube, data-manipulator",
     .idea = "The computation of the entry on hypercubes, with allgather/daisy-chain over a switch. In every step "
             "everybody sends to the next rank: a cyclic shift by one, which a switch and an omega network pass "
             "without two messages meeting.",
     .invariant = "As on a ring: after step t of an allgather every processor has the parts of itself and of the t "
                  "ranks before it.",
     .count = "As on a ring: I times N - 1 steps, N (N-1) messages of m = ceil(n/N) words, longest sum I (N-1) m; "
              "operations I (2 n^2 + 5 n N).",
     .use = "Switches of any number of processors, and omega networks of a power of two. allgather/doubling would "
            "take log2 N steps there, but is none of the methods of this application.",
     .paper = "No paper: an application of Lockstep's own. The allgather is Saad & Schultz 1988, (3.34).",
     .exercise = "`lockstep compare --operation allgather --machine switch:16 --words 4`: by what factor would the "
                 "communication of this application be faster with allgather/doubling, at beta 1 and at --beta 100?"},
};

}  // namespace lockstep::cli
