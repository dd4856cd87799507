#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> permute_explanations{
    {.method = "permute/bit-reversal",
     .families = "",
     .idea = "Every block goes to the processor whose rank is its own read backwards: for every i < floor(n/2) bits "
             "i and n-1-i change places. A block whose two bits differ crosses dimension n-1-i and then dimension "
             "i, through a processor whose two bits are alike and which keeps its own block meanwhile. Ranks that "
             "read the same both ways keep theirs throughout.",
     .invariant = "After the two steps of i every processor has one block, and the outer i+1 bits on either side of "
                  "where it is have changed places.",
     .count = "Two steps for each of floor(n/2) pairs of bits, in which half of the processors send a block of K "
              "words: 2 floor(n/2) steps, floor(n/2) 2^n messages, longest sum 2 floor(n/2) K. The steps are least, "
              "as 0..01..1 has all its pairs to change; with one port the longest sum is twice the bound, since "
              "half of the processors send nothing in a step.",
     .use = "One port, and before or after a fast Fourier transform, which takes its data in this order or leaves "
            "it so. Half-duplex machines take no longer. With all ports and long blocks "
            "permute/bit-reversal-pipelined. Other permutations of the dimensions: permute/dimension-two-round and "
            "permute/shuffle.",
     .paper = "Johnsson & Ho, section 7: the general exchange algorithm with f(i) = i and g(i) = n-1-i, where a "
              "transposition has g(i) = i + n/2. They have it for even n; for odd n the bit in the middle stays.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm permute/bit-reversal`, then on hypercube:5: 4 "
                 "steps each. How many processors of the 5-cube keep their block, and why is it 2^ceil(n/2) in "
                 "general?"},
    {.method = "permute/bit-reversal-pipelined",
     .families = "",
     .idea = "permute/bit-reversal with all ports: blocks are cut in packets of B words, which follow each other "
             "over the dimensions that their block has to cross, pair of bits after pair. Packets never wait: no "
             "two blocks want a directed link in common, as in transpose/2d-spt-pipelined, of which this is a "
             "sister with other pairs of bits.",
     .invariant = "In every step each packet under way crosses the next link of its path, and the packets of a "
                  "block are one link apart.",
     .count = "The longest paths have 2 floor(n/2) links, and the last packet leaves ceil(K/B) - 1 steps after the "
              "first: ceil(K/B) + 2 floor(n/2) - 1 steps of beta + B tau; ceil(K/B) floor(n/2) 2^n messages and "
              "floor(n/2) 2^n K words. --packet-words is by default what makes that least.",
     .use = "All ports and long blocks; half-duplex links are enough. Short blocks gain nothing: with one packet it "
            "takes as long as permute/bit-reversal.",
     .paper = "Johnsson & Ho, section 7, say which dimensions to exchange, and section 6.1.1 how packets follow "
              "each other; together they give this method.",
     .exercise = "`lockstep run --machine hypercube:5 --algorithm permute/bit-reversal-pipelined --words 64` takes "
                 "95, permute/bit-reversal takes 260. It chose packets of 5 words; --packet-words 4 takes 95 too, "
                 "--packet-words 64 takes 260. Compare steps and longest sums of the three, and say why 5 was taken "
                 "and not 4."},
    {.method = "permute/dimension-halving",
     .families = "",
     .idea = "A permutation of the bits of the ranks, delta: bit i of where a block goes is bit delta(i) of where "
             "it is. The dimensions are split in a lower and an upper half. As many bits of the lower half belong "
             "in the upper as the other way round, so they can be paired, and the pairs change places, each in two "
             "steps as in permute/bit-reversal. Then every bit is in its half, and both halves go on in the same "
             "way at once.",
     .invariant = "After round k every bit is in the right one of 2^k parts of the dimensions, and every processor "
                  "has one block.",
     .count = "ceil(log2 n) rounds, until parts have a single bit. A round of s pairs takes 2 s steps with one "
              "port; with s pairs in all rounds it is 2 s steps, s 2^n messages of K words, longest sum 2 s K. s "
              "depends on delta, and may be more than what delta needs: n less the number of its cycles.",
     .use = "Rarely: permute/dimension-two-round does the same in two rounds, never with more pairs and sometimes "
            "with fewer. The rounds would count where the pairs of a round cost together what one of them does.",
     .paper = "Johnsson & Ho, section 7, Definitions 17 and 18 and Lemma 15: ceil(log2 n) parallel swappings for "
              "any dimension permutation. Virtual elements, which the proof adds where n is no power of two, are "
              "not needed; and two rounds always do (erratum J19).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm permute/dimension-halving --permutation 3,2,1,0` "
                 "takes 8 steps, and permute/dimension-two-round 4. Write down the pairs of both rounds: which bits "
                 "are moved to the right half, but to the wrong place in it?"},
    {.method = "permute/dimension-two-round",
     .families = "",
     .idea = "The same task as permute/dimension-halving in two rounds. A rotation of a circle is two reflections, "
             "and a permutation turns each of its cycles by one: number a cycle so that place c_k is to get the bit "
             "of c_(k+1); first the bits of c_k and c_(-k) change places, then those of c_k and c_(-1-k), modulo "
             "its length. The pairs of a round have no bit in common, so that every round is a parallel swapping.",
     .invariant = "After the first round every cycle is reflected, after the second turned by one; after the two "
                  "steps of each pair every processor has one block.",
     .count = "A cycle of length L takes floor((L-1)/2) pairs and then floor(L/2), L - 1 together. So s = n less "
              "the number of cycles, and no sequence of swaps takes fewer. With one port 2 s steps, s 2^n messages "
              "of K words, longest sum 2 s K. The bound in steps is the farthest that a block goes, 2 floor(L/2) "
              "summed over the cycles of more than one bit: met where no cycle is longer than two.",
     .use = "Any permutation of dimensions on a cube with one port. permute/shuffle and permute/bit-reversal take "
            "just as many steps for theirs. For a permutation of the ranks that is none of the dimensions there is "
            "permute/two-alltoall, which has fewer words in a row, n K, where s > n/2.",
     .paper = "Not in the paper, but better than its Lemma 15 (section 7), which needs ceil(log2 n) rounds: erratum "
              "J19.",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm permute/dimension-two-round --permutation "
                 "4,5,3,2,0,1` takes 6 steps, halving 14. Find the cycles of this delta, and a delta of the 6-cube "
                 "that takes 10 steps."},
    {.method = "permute/general-exchange",
     .families = "",
     .idea = "The places of all words are rank and index within the processor's K words, n + log2 K bits. --pairs "
             "names pairs of these bits, which change places one pair after the other: a word whose two bits differ "
             "goes to the place with both flipped. Transpositions, conversions of storage forms and bit reversal "
             "are such sequences; here they can be tried bit by bit.",
     .invariant = "After every pair each processor has K words, and a word that started at place w is where the "
                  "pairs so far take w.",
     .count = "A dimension and an index bit: everybody keeps the half of its words whose bits are alike and trades "
              "the other half with its neighbour, a step of N messages of K/2 words. Two dimensions: half of the "
              "processors send everything over the first, and the next processors send it on over the second, two "
              "steps of N/2 messages of K words. Two index bits: nothing moves.",
     .use = "To build and to count a sequence of one's own. For given purposes there are transpose/1d-exchange, "
            "transpose/2d-spt, convert/exchange and permute/bit-reversal.",
     .paper = "Johnsson & Ho, section 3.2: Definition 11, and Definition 10 for the standard exchange, where no bit "
              "is in two pairs and both sides are in order. Exchanges count from i = 0 (erratum J4). The order of "
              "the pairs matters where the two sides overlap.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm permute/general-exchange --words 16 --pairs "
                 "7:3,6:2,5:1,4:0`: 4 steps and a longest sum of 32, as transpose/1d-exchange has on 16x16. Now "
                 "--words 4 --pairs 2:0,0:3 and --pairs 0:3,2:0: the counts are alike, the digests are not. What "
                 "became of index bit 0?"},
    {.method = "permute/shuffle",
     .families = "",
     .idea = "k shuffles at once: the block of every processor goes to the rank turned left by k places. Place i "
             "gets the bit of place i - k, modulo n; these steps from place to place fall into gcd(n,k) cycles of "
             "n/gcd(n,k) places. Along each cycle bits change places pair after pair, each pair in two steps: one "
             "pair fewer than the cycle has places is enough, since the last bit falls into its place.",
     .invariant = "After every pair one more place of its cycle has its final bit, and every processor has one "
                  "block.",
     .count = "n - gcd(n,k) pairs, two steps each: 2 (n - gcd(n,k)) steps, (n - gcd(n,k)) 2^n messages of K words, "
              "longest sum 2 (n - gcd(n,k)) K. For k = n/2 that is n, least, and a transposition. The farthest "
              "block goes n links if n/gcd(n,k) is even, else n - gcd(n,k).",
     .use = "Turning ranks by any number of places with one port. k = n/2 is the permutation of transpose/2d-spt. "
            "permute/dimension-two-round takes as many steps. On a shuffle-exchange network a shuffle is a step: "
            "transpose/shuffles.",
     .paper = "Johnsson & Ho, section 7, name k shuffles as a case of dimension permutation, and Lemma 2 of section "
              "2 has the distances. A shuffle takes a block to the address turned left (erratum J3).",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm permute/shuffle --shift 1`, and so on to --shift "
                 "5: 10, 8, 6, 8, 10 steps. Which of them meet the bound in steps, and why do --shift 2 and --shift "
                 "4 cost the same?"},
    {.method = "permute/two-alltoall",
     .families = "",
     .idea = "Any permutation of the ranks, without looking at it: every block is cut in N groups, group j goes to "
             "processor j, and j sends the group of x on to where the block of x is to go. Each of the two phases "
             "is an alltoall in which every processor has K/N words for each, so that no permutation can make a "
             "link busier than another.",
     .invariant = "Between the phases every processor has K/N words of every block. Within a phase it is the "
                  "invariant of alltoall/exchange: after each dimension a processor has what agrees with it in all "
                  "dimensions so far.",
     .count = "Twice the n steps of alltoall/exchange, everybody sending half of its K words in each: 2n steps, 2n "
              "2^n messages, n 2^n K words, longest sum n K, whatever the permutation. Below full duplex an "
              "exchange takes two steps, 4n in all. N has to divide K.",
     .use = "Permutations without structure, K >= N words. For those of the dimensions permute/dimension-two-round "
            "takes 2 s steps of K words with s pairs, fewer steps at any rate; but where s > n/2 and blocks are "
            "long, the n K words in a row of this method are less even there. Where blocks only go to neighbours it "
            "is far too much.",
     .paper = "Johnsson & Ho, section 7, after Stout and Wager. They remark that for a two-dimensional "
              "transposition it costs more than the best of its own algorithms.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm permute/two-alltoall --words 16 --seed 1`, then "
                 "with other seeds, which are other permutations: steps and longest sum stay, the bounds change. "
                 "`lockstep run --machine hypercube:6 --algorithm permute/shuffle --words 64` takes 650 in 10 "
                 "steps, and this method 396 in 12 with the same words. Up to which --beta is it ahead?"},
};

}  // namespace lockstep::cli
