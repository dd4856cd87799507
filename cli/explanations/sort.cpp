#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> sort_explanations{
    {.method = "sort/bitonic",
     .families = "",
     .idea =
         "Batcher's bitonic sort on blocks: in a compare-split two neighbours exchange their sorted blocks of b "
         "records, both merge them, and one keeps the low half, the other the high half. Stage st = 0..v-1 sorts "
         "every subcube of the st + 1 lowest dimensions by compare-splits over dimensions st..0; its two halves are "
         "sorted in opposite directions before, which makes them a bitonic sequence that such a merge sorts.",
     .invariant =
         "After stage st every subcube of the st + 1 lowest dimensions is sorted through its ranks, ascending where "
         "bit st + 1 of the rank is clear and descending where it is set; the last stage sorts all ascending. "
         "Blocks are ascending inside at all times.",
     .count =
         "Stages of 1, 2, .., v compare-splits: steps = v (v+1)/2. In each all N processors send their b records: "
         "messages = N v (v+1)/2, words = N b v (v+1)/2, longest sum = b v (v+1)/2. The bound is only v steps, as a "
         "record may have to cross the cube.",
     .use = "Sorting on a cube, any number of records: what N does not divide is filled up with maximal records. It "
            "sends all records v (v+1)/2 times, which long blocks feel. On a reduced hypercube of as many processors "
            "sort/classic takes somewhat more steps, with messages of D blocks.",
     .paper = "Mukherjee, chapter 5, whose sorts on reduced hypercubes are measured against this one. Records that N "
              "does not divide, and equal keys, are left open there (erratum R19): both ends have to merge the two "
              "blocks in the same order, else equal keys are lost or doubled.",
     .exercise =
         "`lockstep run --machine hypercube:3 --algorithm sort/bitonic --words 4 --cycles`: six steps, all alike. "
         "Sort the keys 5 2 7 1 8 3 6 4 by hand through its three stages: what do the two halves look like before "
         "the last? Then `lockstep compare --operation sort --machine rh:3,2 --machine hypercube:7 --words 4`: who "
         "sends fewer messages, and who longer ones?"},
    {.method = "sort/resort",
     .families = "",
     .idea =
         "Every building block sorts its records (sort/bitonic inside it) and gathers the blocks of its D = 2^n "
         "subblocks in subblock 0, layer by layer, as lists. Then building blocks meet as the processors of a "
         "bitonic sort of the D-cube do: for i = 0..D-1 and j = i..0 the lists go to subblock j, which has the link "
         "of dimension j, and the two blocks together are sorted anew, by a bitonic sort of a virtual (k+1)-cube. "
         "At the end lists are scattered to the subblocks.",
     .invariant =
         "Before and after every meeting each building block is ascending. After iteration i each group of 2^(i+1) "
         "aligned building blocks is sorted block by block, low keys first where bit i + 1 of the block's number is "
         "clear, last where it is set; the last iteration puts all low keys first.",
     .count =
         "On RH(k,n), with D = 2^n and c = k - n: k(k+1)/2 steps inside the blocks, 2G for gathering and scattering "
         "(G = n with --move combine; with packets D - 1 for one port, floor(D/2) for all), D(D-1) for the ways "
         "between subblocks, and in each of the D(D+1)/2 meetings 1 + c(k+1) - c(c-1)/2 compare-splits over links; "
         "those inside a list cost nothing. For c = 0 these steps are exact; else they are a limit, as the first k "
         "stages of a meeting find sorted data and could be left out. Messages are b records in the blocks and D b "
         "in the lists: longest sum = b k(k+1)/2 + 2g + D b times the steps between the blocks, g = b (D-1) when "
         "combining.",
     .use = "To see the thesis' own method. The first k stages of every meeting sort what is sorted: sort/merge leaves "
            "them out, and sort/classic needs fewer steps still. For k = n all three are the same. On a cube of as "
            "many processors sort/bitonic has far shorter messages.",
     .paper = "Mukherjee, chapter 5, with one error removed: section 5.1.2 sorts on a virtual (n+1)-cube, which leaves "
              "RH(2,1), (3,1), (3,2) and others unsorted; it has to be a (k+1)-cube (erratum R13). Section 5.2's cost "
              "lacks the lists' length D and the c low dimensions (R14), and gathering takes D - 1 blocks through one "
              "port, not n (R15). Directions and ways between subblocks are worked out here (R16).",
     .exercise =
         "`lockstep compare --operation sort --machine rh:3,2 --words 4` ranks the three. From the phases of "
         "`lockstep run --machine rh:3,2 --algorithm sort/resort --words 4` take the 62 steps between blocks apart: "
         "how many are ways, how many compare-splits? Then try --move packets with --ports one and --ports all."},
    {.method = "sort/merge",
     .families = "",
     .idea = "As sort/resort, but building blocks are kept sorted in alternate directions, so that two that meet are a "
             "bitonic sequence already: they compare once over the link between them, and then each block merges what "
             "it kept, by compare-splits over its own dimensions k-1..0. Sorting anew falls away.",
     .invariant =
         "Before a meeting over dimension j one of the two building blocks is ascending and the other descending; "
         "after it each is sorted in the direction that its next meeting needs. After iteration i each group of "
         "2^(i+1) aligned blocks is sorted, ascending where bit i + 1 of the block's number is clear, else "
         "descending.",
     .count =
         "As sort/resort, but a meeting has 1 + c compare-splits over links, c = k - n: one over port k and c "
         "inside the block (dimensions between list entries cost nothing). So steps = k(k+1)/2 + 2G + D(D-1) + "
         "D(D+1)/2 (1 + c), exactly, with G as there (2G at most with --move packets). Longest sum, with combining: "
         "b (k(k+1)/2 + 2 (D-1) + D P), P the steps between the blocks.",
     .use = "Better than sort/resort for k > n and the same for k = n; sort/classic merges once an iteration and not "
            "at every meeting, and is better still. On a cube sort/bitonic.",
     .paper =
         "Lockstep's own, after Mukherjee, chapter 5: the thesis sorts anew at each meeting. Its closing statement, "
         "O((p/N) k^2) for fixed n and p records, holds for all three methods, but with a constant near 8^n; in "
         "general it is O((p/N) 8^n (1 + c)) for this one.",
     .exercise =
         "`lockstep run --machine rh:4,2 --algorithm sort/merge` has 56 steps, `lockstep run --machine rh:4,2 "
         "--algorithm sort/resort` 126: account for the difference of 70. With `lockstep compare --operation sort "
         "--machine rh:5,2` find what one more layer dimension costs each of the three methods, the 5 steps more "
         "inside the blocks aside."},
    {.method = "sort/classic",
     .families = "",
     .idea =
         "The bitonic sort of the hypercube with as many processors, done by virtual ones: list entry s in layer lo "
         "is virtual processor s 2^c + lo of its building block, c = k - n. Dimensions below c are links, those up "
         "to k are inside the lists and cost nothing, and block dimension j is the link that subblock j has, to "
         "which the lists go. Building blocks that meet only compare; they merge inside at the end of each "
         "iteration.",
     .invariant =
         "After iteration i each group of 2^(i+1) aligned building blocks is sorted through its virtual processors, "
         "ascending where bit i + 1 of the block's number is clear and descending where it is set, as after stage k "
         "+ i of sort/bitonic on the cube.",
     .count =
         "As sort/resort, with D(D+1)/2 compare-splits between blocks and c after each of the D iterations: steps = "
         "k(k+1)/2 + 2G + D(D-1) + D(D+1)/2 + D c, exactly (2G at most with --move packets). Messages have b "
         "records inside the blocks and D b in the lists, so that the longest sum, with combining, is b (k(k+1)/2 + "
         "2 (D-1) + D P), P the steps between the blocks.",
     .use = "The quickest sort of the catalogue on reduced hypercubes; for k = n sort/merge and sort/resort are the "
            "same. On a cube of as many processors sort/bitonic has nearly as many steps but messages of b records "
            "only: the reduced hypercube pays for its missing links in words.",
     .paper = "Lockstep's own, after Mukherjee, chapter 5, whose method is sort/resort. In the thesis' terms it takes "
              "O((p/N)(8^n + 4^n c)) for p records, where resort takes O((p/N) 8^n (1 + ck)).",
     .exercise =
         "`lockstep compare --operation sort --machine rh:3,2 --machine hypercube:7 --words 4`: 36 steps against "
         "28, but more than four times the longest sum. Which phase is to blame (`lockstep run --machine rh:3,2 "
         "--algorithm sort/classic --words 4` shows them)? Would --move packets help?"},
};

}  // namespace lockstep::cli
