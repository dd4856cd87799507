#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> transpose_explanations{
    {.method = "transpose/1d-buffered",
     .families = "",
     .idea = "Between transpose/1d-exchange, which copies everything and starts once, and transpose/1d-unbuffered, "
             "which copies nothing and starts for every strip: strips of at least B_copy words (--copy-threshold) "
             "are sent as they lie, shorter ones are first gathered in a buffer and sent as one. Strips halve from "
             "exchange to exchange, so that the first exchanges are of the one kind and the last of the other.",
     .invariant = "As for transpose/1d-unbuffered: a buffer is filled and emptied within one exchange, and every "
                  "word ends at the place in the array where it would lie without it.",
     .count = "n steps, n N messages, n N K/2 words, longest sum n K/2. An exchange whose strips of K/2^(i+1) words "
              "are shorter than B_copy has ceil(K/(2 B_m)) start-ups a processor and copies K words, half of them "
              "where they leave and half where they arrive; others have 2^i ceil(K/(2^(i+1) B_m)) start-ups and no "
              "copies. To gather a strip of s words costs 2 s t_copy and its share s beta/B_m of the buffer's "
              "start-ups, to send it alone costs beta: equal at s = beta/(2 t_copy + beta/B_m), which is the "
              "default (B_m at most K/2, the next power of two).",
     .use = "One port, and a machine on which both start-ups and copies cost. With copies for nothing every strip "
            "but the first is gathered and it takes as long as transpose/1d-exchange; with a threshold of 1 it is "
            "transpose/1d-unbuffered. With all ports transpose/1d-sbnt.",
     .paper = "Johnsson & Ho, section 8.1, optimum buffering. Section 8.1 charges K copied words an exchange and "
              "section 9 only K/2; K is right, since both ends copy (erratum J21). The best threshold is not in the "
              "paper: its constants (37 ms to copy 1,024 words, 5 ms a start-up) give 54 words, or 90 if only one "
              "end copied; it reports 64.",
     .exercise = "`lockstep sweep --operation transpose --machine hypercube:6 --matrix 256x256 --preset ipsc "
                 "--ports one --vary copy-threshold=8..512*2 --predict`: the column of 1d-buffered is least at 64. "
                 "Why does it stop changing below 16, and whose time does it have there?"},
    {.method = "transpose/1d-exchange",
     .families = "",
     .idea = "Processor x has block row x of the matrix and is to have block column x, so that everybody has a "
             "block of K/N words for everybody: an MPI_Alltoall. For every dimension, the highest first, neighbours "
             "exchange the blocks that belong to the other's side; a block crosses just the dimensions in which its "
             "source and its destination differ. After each exchange a shuffle of the blocks within every processor "
             "brings the next bit of their destinations to the front, so that what is sent is always one half of "
             "the array, in one piece.",
     .invariant = "After the exchanges of dimensions n-1..j every processor still has N blocks: those for the "
                  "destinations that agree with it in these dimensions, from the sources that agree with it in all "
                  "lower ones.",
     .count = "In each of the n exchanges all N processors send half of their K = P Q/N words: n steps, n N "
              "messages, n N K/2 words, longest sum n K/2, n N ceil(K/(2 B_m)) start-ups. With one port no method "
              "has less: a block crosses n/2 links on average, so that N K n/2 words have to cross a link, and N "
              "messages a step are all there can be. Each of the n shuffles copies K words (for n = 1 there are two "
              "blocks, and none moves).",
     .use = "With one port, where copies are cheap beside start-ups. Where copies cost, transpose/1d-buffered "
            "copies only the short blocks, and transpose/1d-unbuffered none. With all ports transpose/1d-sbnt. It "
            "takes P, Q >= N; for fewer columns there is transpose/1d-virtual. Under --duplex half-node or half-link "
            "neighbours take turns, which doubles steps, longest sum and time but for copies: then transpose/2d-spt "
            "is as quick.",
     .paper = "Johnsson & Ho, section 5, \"Transposition by the Standard Exchange Algorithm\"; what the processors "
              "do is all-to-all personalized communication there. The shuffle has to take a block to the address "
              "turned left; Definition 3 leaves that open, and the other direction fails from n = 3 on (erratum "
              "J3). Exchanges count from i = 0 (J4). One dimension in a step is enough, so that the strictest "
              "one-port model will do (J24).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/1d-exchange --matrix 64x64 --beta 10 "
                 "--copy-cost 0.1`, and the same with transpose/1d-unbuffered. From which copy cost on are the 15 "
                 "start-ups of the latter cheaper than the 4 start-ups and 4 shuffles of the former? Derive it from "
                 "the two predicted times, and try it."},
    {.method = "transpose/1d-sbnt",
     .families = "",
     .idea = "Everybody has a block for everybody, as in transpose/1d-exchange, but all ports work at once. A block "
             "with the relative address c = source xor destination goes down the spanning balanced n-tree of its "
             "source: first over dimension base(c), then over the next one bit of c to the left, round. base(c) is "
             "the least number of right rotations that make c smallest, which deals the relative addresses out "
             "among the ports nearly alike. All sources have the same tree but for an xor, so that all processors "
             "do the same in every step.",
     .invariant = "After step t a block whose relative address has at most t one bits is where it goes; every other "
                  "has crossed t of its dimensions.",
     .count = "n steps, since the block for the opposite corner crosses all n dimensions. With b = K/N words a "
              "block, words are n N^2 b/2 = n N K/2, and every direction of every link carries N b/2 of them. But a "
              "step takes as long as its longest message: the longest sum is b times the sum over t of max over p "
              "of load(t,p), where load(t,p) is the number of c whose t-th hop is over port p. For prime n that is "
              "b (N/2 + n - 1). Blocks for one port travel as one message.",
     .use = "All ports: about n times less than the n K/2 words in a row of transpose/1d-exchange. "
            "alltoall/rotated-sbt carries the same blocks in slices, and its longest sum is K/2 exactly where a "
            "block has a multiple of n words.",
     .paper = "Johnsson & Ho, section 5, \"Transposition by a SBnT Algorithm\"; the tree is that of section 3.1. "
              "The time of section 3.2, K/2 tau + n beta in our symbols, counts the words of a link; as the sum of "
              "the steps' longest messages it is more (erratum J9), and the rotated binomial trees do reach it.",
     .exercise = "`lockstep run --machine hypercube:5 --algorithm transpose/1d-sbnt --cycles`: the longest messages "
                 "are 7, 6, 4, 2 and 1 words, 20 together, where a link carries but 16. The 7 are the relative "
                 "addresses c with base(c) = 0: one for every necklace of 5 beads but the white one. Find them, and "
                 "say over which port the longest message of cycle 4 goes."},
    {.method = "transpose/1d-unbuffered",
     .families = "",
     .idea = "The exchanges of transpose/1d-exchange without the shuffles. Blocks stay where they lie in the array, "
             "so that what has to cross the i-th dimension, i = 0, 1, .., lies in 2^i separate strips of K/2^(i+1) "
             "words. A message takes them as they are: nothing is copied, and every strip is a start-up of its own.",
     .invariant = "The same blocks are in the same processors as in transpose/1d-exchange. After i exchanges the i "
                  "highest bits of a block's place in the array are bits of its source, those below them still bits "
                  "of its destination.",
     .count = "Steps n, messages n N, words n N K/2 and longest sum n K/2 as in transpose/1d-exchange, and no "
              "copies. Start-ups of a processor: sum of 2^i ceil(K/(2^(i+1) B_m)) over i < n. Without a longest "
              "packet that is 1 + 2 + 4 + .. = N - 1, as many as there are blocks for others.",
     .use = "With one port, as long as strips are so long that to copy one costs more than to start it. Strips "
            "halve with every dimension, so on large cubes the N - 1 start-ups decide: then transpose/1d-buffered, "
            "or transpose/1d-exchange where copies are cheap.",
     .paper = "Johnsson & Ho, section 8.1: what they ran on the Intel iPSC, as copies took long there. In our "
              "symbols they print N + ceil(K/(2 B_m)) min(n, log2 ceil(K/B_m)) - K/B_m start-ups a processor, which "
              "is right for B_m <= K <= N B_m only (erratum J20). In powers of two it is N - min(N, R) + ceil(K/(2 "
              "B_m)) min(n, log2 R), R = max(1, K/B_m).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/1d-unbuffered --matrix 16x16 "
                 "--max-packet 64`: 240 start-ups, 15 a processor, where the printed formula says 15.75. Which of "
                 "its terms goes wrong once a whole array is shorter than a packet?"},
    {.method = "transpose/1d-virtual",
     .families = "",
     .idea = "A matrix of Q = 2^q <= N columns: processor v < Q has column v, and the others have virtual columns, "
             "which is nothing. In the end processor x has block x of the rows of all columns. First the columns "
             "are spread: over dimensions n-1..q a holder gives its neighbour the half of its column that belongs "
             "there. Then everybody has data, and dimensions q-1..0 are those of transpose/1d-exchange.",
     .invariant = "After i <= n - q steps 2^(q+i) processors have P Q/2^(q+i) words each, all of them for "
                  "destinations that agree with the holder in the i highest dimensions; from then on all N have P "
                  "Q/N.",
     .count = "n steps. In a spreading step every holder sends half of what it has, in each of the q exchanges "
              "everybody does: messages 2^n - 2^q + q 2^n, longest sum q P Q/2^(n+1) + the sum of P Q/2^(n-i) over "
              "i < n - q, words n P Q/2. To spread first is best: exchanges take the longer the fewer processors "
              "share the data.",
     .use = "Fewer columns than processors, one a processor. From Q = N on transpose/1d-exchange takes the matrix, "
            "with Q/N columns a processor. The same communication by itself is some-to-all/exchange, and "
            "some-to-all/rotated-sbt with all ports. On a two-dimensional layout it is transpose/2d-virtual.",
     .paper = "Johnsson & Ho, section 5, with the counts of Table 3 for some-to-all personalized communication, l = "
              "q and k = n - q; that splitting comes first is their Theorem 1. Where l or k is 0 its term falls "
              "away, which Table 3 does not say (erratum J10).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/1d-virtual --matrix 16x4`, and with "
                 "--matrix 64x1: both move 128 words of 64 elements in 4 steps, but with longest sums of 16 and 60. "
                 "Which steps make the difference? What is the operation called when there is but one column?"},
    {.method = "transpose/2d-dpt",
     .families = "",
     .idea = "transpose/2d-spt-pipelined with two paths for every block, half of it on each: one crosses the row's "
             "dimension of every pair first, the other the column's. Both have the same length, and no two paths "
             "share a directed link, neither those of one block nor those of different ones. The second paths use "
             "the links in the direction that the first leave idle.",
     .invariant = "As for transpose/2d-spt-pipelined, for both halves of every block: all packets under way move in "
                  "every step, none waits.",
     .count = "The longest paths have n links, and a path now has ceil(K/(2B)) packets: ceil(K/(2B)) + n - 1 steps, "
              "2 ceil(K/(2B)) n N/2 messages, n N/2 K words. The best packet is near sqrt(K beta/(2 (n-1) tau)), "
              "with the time (sqrt(K tau/2) + sqrt((n-1) beta))^2: for long blocks half of what one path takes.",
     .use = "All ports, full duplex, K >= 2, few words: with one packet a path it has n steps, one fewer than "
            "transpose/2d-mpt at the least. For longer blocks transpose/2d-mpt with its 2H paths, if every class "
            "has a clock of its own; by the synchronous clock the two are close, and now one is ahead and now the "
            "other. Where a link carries one message at a time, transpose/2d-spt-pipelined.",
     .paper = "Johnsson & Ho, section 6.1.2, the Dual Paths Transpose (DPT); the speed-up of about 2 over SPT holds "
              "for K tau much above n beta, as they say. On their g and f see transpose/2d-spt-pipelined (erratum "
              "J12).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/2d-dpt --matrix 4x32 --beta 100` takes "
                 "416, transpose/2d-mpt 505; with --matrix 32x64 it is 656 against 580. Between which two matrices "
                 "do they change places, and how many packets a path does this method make of each?"},
    {.method = "transpose/2d-mpt",
     .families = "",
     .idea = "(r,c) and (c,r), which differ in H bits of either half, are joined by 2H paths of 2H links: take the "
             "H pairs of dimensions in a rotated order, and in all of them the row's first or the column's first. "
             "Processors of the same r + c and the same xor of r and c form a class of 2^H, whose paths share one "
             "set of links; classes share none. Within a class links are used in turns: two packets leave on every "
             "path in the first two of every 2H steps. So all 2H ports that lead towards the target work for every "
             "block.",
     .invariant = "No two packets ever want one link: those that left in the first step of a round are on an odd "
                  "hop when those of the second are on an even one, and odd and even hops of a class are different "
                  "links.",
     .count = "A block of class H is cut in 4 k_H H packets, two a path and round: k_H rounds of 2H steps, and one "
              "step more for the second packets, 2 k_H H + 1. The default k_H = floor(h/H) makes that n + 1 steps; "
              "messages sum over H of 8 k_H H^2 C(h,H) 2^h, words n N/2 K. With a clock for every class the time is "
              "the max over H of (2 k_H H + 1)(beta + K tau/(4 k_H H)); with long blocks, n <= sqrt(K tau/(2 "
              "beta)), more rounds of shorter packets are better, down to about (sqrt(beta) + sqrt(K tau/2))^2.",
     .use = "All ports, full duplex, two-dimensional layout. For very short blocks transpose/2d-dpt has a step "
            "fewer; by the synchronous clock, where every class waits for the longest packet of all, it may lead "
            "for long ones too, by a little. Every class needs words for its packets, K >= 4 k_H H. If the layout "
            "is free, 1-D with all ports (alltoall/rotated-sbt, K tau/2 + n beta) takes less for every K (computed "
            "for n <= 40).",
     .paper = "Johnsson & Ho, section 6.1.3, the Multiple Paths Transpose (MPT), Theorem 2. The period of "
              "Definition 16 is 2H, not n (erratum J13). Of the closed forms of Theorem 2 the middle and the last "
              "are approximations, as k is a whole number (J14). In section 9 a radical is upside down (J22), and "
              "the break-even with 1-D does not exist (J23). Theorem 3 bounds any such transposition by max(n beta, "
              "K tau/2); what lies between is open.",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm transpose/2d-mpt --matrix 8x512`, then with "
                 "--rounds 1 and --rounds 2: 7, 7 and 13 steps, longest sums 51, 75 and 67. Which class is the last "
                 "to end in each run, and which one sends the longest packets? Why does the default give the "
                 "classes different numbers of rounds?"},
    {.method = "transpose/2d-pivot",
     .families = "",
     .idea =
         "The permutation of transpose/2d-spt with all processors busy in every step. To exchange two bits of "
         "the rank, i+h and i, take one bit of the local address as a pivot: exchange (i, local), then (i+h, "
         "local), then (i, local) again. Three exchanges of a pair through a third place exchange the other two "
         "and leave the third as it was. Each of them is with a neighbour, who gets half of the array for the "
         "half that it gives. If rows and columns have unequally many dimensions (--layout R,C; any n), the dimensions "
         "that have no partner are exchanged once with the local bit that they get.",
     .invariant = "After the three exchanges for bit i the data is where transpose/2d-spt has it after its two "
                  "steps; between them the local bit and a bit of the rank stand for each other.",
     .count =
         "Three steps for each of n/2 pairs of bits, in which all N processors send K/2 words: 3n/2 steps, "
         "3n/2 N messages, longest sum 3n/2 K/2 = 3 n K/4, words 3n/2 N K/2. That is a quarter less in a row "
         "than the n K of transpose/2d-spt for half as many steps more, though half as many words more move in "
         "all. At last every block is transposed locally, K copied words unless it has but one row or column. In a "
         "layout R,C with c = min(R,C) and d = |R - C| it is 3c + d steps for 3n/2, and exchanges without a "
         "partner copy K words each where the local bit is not the highest.",
     .use = "One port with full duplex, K >= 2, and blocks so long that words decide: better than transpose/2d-spt "
            "once K tau > 2 beta, copies and longest packet aside. Below full duplex transpose/2d-spt, with all "
            "ports transpose/2d-mpt.",
     .paper = "Not in the paper, but Lockstep's own: for one port Johnsson & Ho have the single path alone. Each "
              "step is one of their exchanges of a real and a virtual bit (Definition 10); as a sequence they are "
              "no general exchange (Definition 11), which names a bit but once on either side of its pairs.",
     .exercise = "`lockstep compare --operation transpose --machine hypercube:6 --matrix 256x256 --preset ipsc "
                 "--ports one`: 0.1453 seconds, where transpose/2d-spt takes 0.2183. Work out from K = 1,024, B_m = "
                 "256 and the costs of the preset how much of each is words, start-ups and copies."},
    {.method = "transpose/2d-spt",
     .families = "",
     .idea =
         "Processors are a square of 2^h x 2^h, n = 2h; processor (r,c), whose rank is r followed by c, has one "
         "block, and (c,r) is to have it. For i = h-1..0 bits i+h and i of the rank change places: a block "
         "whose processor's two bits differ crosses dimension i+h and then dimension i, through a processor in "
         "which the two are alike. That one keeps its own block meanwhile. All blocks take the dimensions in "
         "the same order, so that every step is on one dimension. Rows may have R dimensions and columns C, R + C = "
         "n (--layout, half each by default, rows the larger half): c = min(R,C) pairs change places so, and "
         "each of the d = |R - C| dimensions without a partner is exchanged with the local bit that it gets, a "
         "step in which everybody sends half.",
     .invariant = "After the two steps of bit i every processor has one block: the one for whose processor r and c "
                  "have their bits i and above exchanged.",
     .count = "Two steps for each of h pairs of bits: n steps. In each of them half of the processors send a block "
              "of K = P Q/N words: n N/2 messages, n N/2 K words, longest sum n K, start-ups n N/2 ceil(K/B_m). A "
              "block is copied into one piece before and apart afterwards, 2 K words. With one port n K/2 would be "
              "the bound: half of the processors send nothing in a step. In a layout R,C still 2c + d = n steps, "
              "the d of them of K/2 words: longest sum (2c + d/2) K, max(R,C) N messages, n N/2 K words, and K "
              "copied words more for each of the d but the first.",
     .use = "One port, a two-dimensional layout, and above all machines in which a processor either sends or "
            "receives: the counts are the same under every duplex form, but for exchanges of halves, which take two "
            "steps below full duplex. With full duplex transpose/2d-pivot sends "
            "less in a row once K tau > 2 beta (copies and longest packet aside). With all ports transpose/2d-mpt. "
            "If the layout is free, transpose/1d-exchange has half the longest sum.",
     .paper = "Johnsson & Ho, section 6.1.1, the Single Path Transpose (SPT), stepwise as they ran it on the Intel "
              "iPSC (section 8.2.1). The loop of section 4 exchanges (u,v) with (v,u) in every iteration; only the "
              "bits u_i and v_i may change in it, or the result is wrong for q >= 2 (erratum J11). With rows and "
              "columns both in Gray code it is the same permutation of processors.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/2d-spt --matrix 16x16 --beta 8` and the "
                 "same with transpose/2d-pivot take 96 each. Which is faster with --beta 4, which with --beta 16, "
                 "and why do they meet at K tau = 2 beta on every cube?"},
    {.method = "transpose/2d-spt-pipelined",
     .families = "",
     .idea = "Every block goes from (r,c) to (c,r) in packets of B words that follow each other over one path: for "
             "every bit in which r and c differ, the highest first, the dimension of the row and then that of the "
             "column. The paths of different processors share no directed link, so that with all ports every packet "
             "can move in every step. Dimensions that a block need not cross are skipped.",
     .invariant = "In every step each packet under way crosses the next link of its path; the packets of a block "
                  "are one link apart, and no two packets want the same link.",
     .count = "Blocks on the anti-diagonal have n links to go, and their last packet leaves ceil(K/B) - 1 steps "
              "after the first: ceil(K/B) + n - 1 steps of beta + B tau. A block crosses n/2 links on average: n "
              "N/2 K words, ceil(K/B) n N/2 messages. The best packet is near sqrt(K beta/((n-1) tau)), with the "
              "time (sqrt(K tau) + sqrt((n-1) beta))^2.",
     .use = "All ports, and links that carry one message at a time: a link is used in one direction only, so that "
            "half-duplex links are enough. With full duplex transpose/2d-dpt uses the other direction too, and "
            "transpose/2d-mpt all links.",
     .paper = "Johnsson & Ho, section 6.1.1, the Single Path Transpose (SPT) in packets. There g is said to be the "
              "low dimension of a pair and to come first, though elsewhere g is the row's, the high one; neither "
              "order of the two collides (erratum J12). That packets skip dimensions (greedy) or wait for their "
              "turn makes no difference to the steps.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/2d-spt-pipelined --matrix 32x32 "
                 "--packet-words 64`, then without --packet-words: time 260 becomes 95. Which packet did it choose, "
                 "and how near is 95 to the formula with sqrt? Try the packets of a word more and a word less."},
    {.method = "transpose/2d-virtual",
     .families = "",
     .idea = "A matrix of Q = 2^q <= 2^h columns on a square of 2^h x 2^h processors: (r,c) has block r of the rows "
             "of column c, and those with c >= 2^q have virtual columns, which is nothing. The blocks move as in "
             "transpose/2d-spt; what is virtual is not sent, and processors that have nothing still pass on what is "
             "on its way.",
     .invariant = "As for transpose/2d-spt: after the two steps of bit i every real block is where the bits i and "
                  "above of its row and column numbers are exchanged.",
     .count = "n steps, since some block moves in each. There are 2^(h+q) blocks of P/2^h words. In the q low bits "
              "row and column differ for half of them, in the others, where c has 0, for the half whose row has a "
              "1: n/2 links a block on average, n/2 2^(h+q) messages, n/2 P Q words. Every step has a message of a "
              "whole block: longest sum n P/2^h.",
     .use = "Matrices of fewer columns than the square has, where the layout is given. Only 2^(h+q) of the N "
            "processors have data, before and after: with a free layout transpose/1d-virtual spreads the result "
            "over all. From 2^h columns on transpose/2d-spt takes the matrix.",
     .paper = "Johnsson & Ho, section 6.2 and Definition 2: a matrix is made square by virtual elements, which need "
              "not be communicated.",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm transpose/2d-virtual --matrix 64x1`, then "
                 "--matrix 8x8: 192 words both times, but longest sums of 48 and 6. How many processors have "
                 "anything in the first run, and why does that make the steps longer?"},
    {.method = "transpose/binary-to-gray",
     .families = "",
     .idea = "Block (u,v) is at the processor u followed by v, in binary code, and goes to G(v) followed by G(u), "
             "in Gray code: codes and places change together. Bit j of G(w) is bit j of w xor bit j+1, so for j = "
             "h-1..0 a block has to get the row bit b xor R and the column bit a xor C, where a and b are bits j+h "
             "and j of where it is. R and C are the higher bits of the numbers, which the processor reads off its "
             "own rank: the parity of its row bits above, and of its column bits above, since those are Gray code "
             "already.",
     .invariant = "After the two steps of bit j every processor has one block, and in the bits j and above its "
                  "place is coded and transposed, in those below as it was.",
     .count = "For each of h bits one step over the row's dimension and one over the column's: n steps, in each of "
              "which half of the processors send K words on average, n N/2 messages, n N/2 K words, longest sum n "
              "K. That is transpose/2d-spt: the change of code costs nothing. No block goes farther than n - 1 "
              "links for n >= 4 (computed up to n = 10), so that the n steps are not proved to be least.",
     .use = "Where the next phase needs neighbouring rows and columns in neighbouring processors. If both codes are "
            "Gray before and after, transpose/2d-spt does it; for one binary and one Gray transpose/gray-mixed; "
            "back with transpose/gray-to-binary.",
     .paper = "Johnsson & Ho, section 6.3, after the case table. The two changes of the table that are said to give "
              "binary to Gray code and Gray to binary code are interchanged; that shows from n = 6 on (erratum J17).",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm transpose/binary-to-gray` counts 6 steps above a "
                 "bound of 5. On hypercube:2 both are 2. Work out on paper why no block of the 4-cube crosses all "
                 "four dimensions."},
    {.method = "transpose/diagonal",
     .families = "",
     .idea = "On a torus of s x s processors (x,y) has one block, which is for (y,x). Row y gathers all its blocks "
             "in (y,y), the processor on the diagonal, over both ways round the row; column y is just where all of "
             "them have to go, and (y,y) scatters them down it, both ways again. Rows and columns are rings, and "
             "one is the reverse of the other in time.",
     .invariant = "On the way in every block that has set out comes a processor nearer to the diagonal in each "
                  "step, and after step h all of a row are there; on the way out those for the farthest leave "
                  "first, and all are there after step 2 h.",
     .count = "h = floor(s/2) steps to gather, as many to scatter: S = 2 h, with a block of b words in every "
              "message, longest sum 2 h b. On one ring blocks go 1, 2, .., h links one way and 1, .., e = s-1-h the "
              "other, H = h(h+1)/2 + e(e+1)/2 messages; there are s rings in each phase: 2 s H messages and 2 s H b "
              "words.",
     .use = "One block a processor on a square torus with all ports. Where everybody has a block for everybody, "
            "that is alltoall/two-phase. On a hypercube the same operation is transpose/2d-spt or, with all ports, "
            "transpose/2d-mpt.",
     .paper = "Saad & Schultz 1988, section 3.5(d), (3.44), for the transposition (alltoall, \"multiscatter\") of a "
              "matrix distributed by rows. What it describes delivers 1/s of the blocks of an alltoall (erratum "
              "B22): what row y gathers reaches column y alone, and every processor needs blocks from all rows. For "
              "one block a processor it is right, in half the time of (3.44) where s is even.",
     .exercise = "`lockstep run --machine torus:4x4 --algorithm transpose/diagonal --words 6 --cycles`, then "
                 "torus:5x5: the same 4 steps and longest sum 24, though a row has 4 blocks to gather instead of 3. "
                 "Why? And why are the messages of its four cycles, 20, 10, 10 and 20, the same read backwards?"},
    {.method = "transpose/gray-mixed",
     .families = "",
     .idea = "Rows in binary code and columns in Gray code, before and after: block (u,v) goes from u followed by "
             "G(v) to v followed by G(u). Instead of converting both codes and then transposing, all is done bit by "
             "bit from the top: for j = h-1..0 a block crosses the row's dimension if b xor R is not a, and the "
             "column's if a xor C is not b, a and b being bits j+h and j of where it is. R is the processor's own "
             "row bit above, C the parity of its column bits above. So a bit's codes cost no step of their own. "
             "With --encoding rows-gray rows and columns change parts.",
     .invariant = "After the two steps of bit j every processor has one block, whose place is right in the bits j "
                  "and above and as it was in those below. In between a processor may have its own block and one "
                  "that passes through.",
     .count = "Two steps a bit, n in all; n N/2 messages of K words, longest sum n K, as in transpose/2d-spt. The "
              "farthest block goes ceil(3n/4) links (computed up to n = 10), so that n steps are not proved to be "
              "least.",
     .use = "One port, rows and columns in different codes. transpose/gray-mixed-naive does the same in 2n - 2 "
            "steps; with all ports transpose/gray-mixed-pipelined. Where both are Gray or both binary, "
            "transpose/2d-spt.",
     .paper = "Johnsson & Ho, section 6.3, which has it as a table of cases. The table is right as printed (erratum "
              "J18): its cases follow from (a, b) becoming (b xor R, a xor C); a processor whose case is a rotation "
              "needs two buffers. It is what follows the table that errs, see transpose/binary-to-gray.",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm transpose/gray-mixed`, the same with "
                 "transpose/gray-mixed-naive, and both on hypercube:2: 6 and 10 steps, then 2 and 2. Why does the "
                 "naive way lose nothing on the 2-cube?"},
    {.method = "transpose/gray-mixed-naive",
     .families = "",
     .idea = "What transpose/gray-mixed does in one go, part by part: rows go from binary to Gray code, columns "
             "from Gray to binary, and then transpose/2d-spt exchanges rows and columns, so that each has the code "
             "that it should have. Binary becomes Gray by flipping bit j of the place where bit j+1 is set, from "
             "the lowest bit up; Gray becomes binary by the same from the highest bit down.",
     .invariant = "After a conversion step one bit more is in the new code, and every processor has one block; "
                  "after all of them the codes are exchanged and every block is in its old row and column.",
     .count = "h - 1 steps for either conversion, as the highest bits of both codes are alike, and n to transpose: "
              "2n - 2. In every step half of the processors send K words: (n - 1) N messages, (n - 1) N K words, "
              "longest sum (2n - 2) K.",
     .use = "To see what combining is worth; transpose/gray-mixed has n steps instead and works with half duplex "
            "too, which the conversions, where neighbours exchange, do not.",
     .paper = "Johnsson & Ho, section 6.3, the naive algorithm; they ran both on the Intel iPSC (Figure 15).",
     .exercise = "`lockstep compare --operation transpose --machine hypercube:8 --matrix 256x256 --ports one`: find "
                 "the two methods for mixed codes. What is the ratio of their times, and what does it come to on "
                 "ever larger cubes?"},
    {.method = "transpose/gray-mixed-pipelined",
     .families = "",
     .idea = "transpose/gray-mixed in packets of B words, which follow each other through the dimensions in the "
             "order of the bits, row before column. A packet that has no need of a dimension waits for the turn of "
             "the next, so that packets at different bits use different dimensions and never meet.",
     .invariant = "The k-th packets of all blocks are at the same bit in every step, one dimension behind the "
                  "(k-1)-th; in each dimension all that moves in a step has the same number.",
     .count = "n turns for the first packet and one more for each that follows: ceil(K/B) + n - 1 steps of beta + B "
              "tau, ceil(K/B) n N/2 messages, n N/2 K words: the counts of transpose/2d-spt-pipelined, with the "
              "same best packet.",
     .use = "All ports, rows and columns in different codes; half-duplex links are enough. With one port "
            "transpose/gray-mixed. Where the codes are alike, transpose/2d-dpt and transpose/2d-mpt have more paths.",
     .paper = "Johnsson & Ho, section 6.3, say that pipelining can be applied and describe the other version.",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/gray-mixed-pipelined --matrix 32x64`: "
                 "171 by the synchronous clock, 162 by the asynchronous one, where transpose/2d-spt-pipelined has "
                 "171 by both. Which packets gain when nobody waits for a turn?"},
    {.method = "transpose/gray-to-binary",
     .families = "",
     .idea = "The way back from transpose/binary-to-gray: block (u,v) is at G(u) followed by G(v) and goes to v "
             "followed by u. Bit j of a number is bit j of its Gray code xor bit j+1 of the number, and that higher "
             "bit stands in the rank of the processor that has the block, since from the top down the place is "
             "binary already: R and C are the processor's own bits j+1+h and j+1.",
     .invariant = "After the two steps of bit j every processor has one block, and in the bits j and above its "
                  "place is binary and transposed, in those below as it was.",
     .count = "n steps, n N/2 messages, n N/2 K words, longest sum n K, as in transpose/binary-to-gray and in "
              "transpose/2d-spt. No block goes farther than n - 1 links for n >= 4 (computed up to n = 10).",
     .use = "After phases that wanted neighbours in neighbouring processors, before one that wants binary "
            "addresses. Others of the family: see transpose/binary-to-gray.",
     .paper = "Johnsson & Ho, section 6.3; the changes to the case table for the two directions are interchanged "
              "there (erratum J17).",
     .exercise = "`lockstep run --machine hypercube:6 --algorithm transpose/gray-to-binary --duplex half-node`: the "
                 "counts are those of full duplex. Why does a processor never have to send and receive in one step, "
                 "although two blocks may be in its hands?"},
    {.method = "transpose/reassign-1",
     .families = "",
     .idea = "Before, rows and columns are assigned to processors consecutively; the transposed matrix is to be "
             "assigned cyclically. Write row and column numbers as fields u = u1 u2 u3 and v = v1 v2 v3, the outer "
             "ones of h bits: the data of processor (u1,v1) has to get to processor (v3,u3). Algorithm 1 takes one "
             "thing after the other: exchanges within columns of processors make rows cyclic, u3 for u1; exchanges "
             "within rows make columns cyclic, v3 for v1; then transpose/2d-spt exchanges (u3,v3) with (v3,u3).",
     .invariant = "After i exchanges of a field its i highest real bits are bits of the new assignment; the field "
                  "that they replace has become local. Everybody always has K words.",
     .count = "n exchanges with a local bit, in which everybody sends K/2 words, and n steps of transpose/2d-spt, "
              "in which half of the processors send K: 2n steps, 3n N/2 messages, n N K words, longest sum 3n K/2. "
              "Without shuffles exchange i of a field that starts s bits below the highest local one sends 2^(s+i) "
              "blocks, each a start-up; s is p - n for the rows and p + q - n - h for the columns. One local "
              "reorder copies K words.",
     .use = "To see the parts; transpose/reassign-2 and transpose/reassign-3 take n steps and a third of its "
            "longest sum. One port, full duplex, P, Q >= N. For other pairs of storage forms convert/exchange "
            "--transposed.",
     .paper = "Johnsson & Ho, section 6.2, algorithm 1. Their trace marks u2 as real after the first step; it is u3 "
              "(erratum J16).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/reassign-1 --matrix 16x64` and the same "
                 "with reassign-2 and reassign-3: longest sums 384, 128, 128. Which part of the 384 do the "
                 "exchanges take, and which the transposition that the others do without?"},
    {.method = "transpose/reassign-2",
     .families = "",
     .idea = "The task of transpose/reassign-1, from consecutive assignment to the cyclic one of the transposed "
             "matrix, with one exchange a dimension. A local transposition first puts v2 v3 before u2 u3; then what "
             "replaces the row bits of the rank, u1, are bits of v3, and what replaces the column bits are those of "
             "u3. So to make both fields cyclic is at the same time to transpose. At last the local words are put "
             "in order.",
     .invariant = "After i exchanges of a field its i highest real bits are final; what they replaced is local. "
                  "Everybody always has K words.",
     .count = "n steps, in which all N processors send K/2 words: n N messages, n N K/2 words, longest sum n K/2, "
              "which with one port is least. Exchange i of a field that starts s bits below the highest local one "
              "sends 2^(s+i) blocks, each a start-up, or with --gather on one, for K copied words where there are "
              "several; s is q - n for the rows and p + q - n - h for the columns. The two local reorders copy 2 K "
              "words.",
     .use = "Where the first local transposition is wanted anyway. transpose/reassign-3 does without it, and has "
            "fewer start-ups where P < Q.",
     .paper = "Johnsson & Ho, section 6.2, algorithm 2. The offset of the rows' exchanges is printed as p - 2n_r; "
              "it has to be q - 2n_r, or matrices with p != q come out wrong. And the last local step exchanges the "
              "fields u1 and v1; the sizes printed for it would exchange u2 and v2 (erratum J15).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm transpose/reassign-2 --matrix 64x64`, then with "
                 "--gather on: 4,096 words copied more a dimension, and start-ups fall from 3,264 to 64. From which "
                 "--copy-cost on is it better not to gather, at beta 1?"},
    {.method = "transpose/reassign-3",
     .families = "",
     .idea = "The task of transpose/reassign-1 with one exchange a dimension, of bits where they lie: the row bits "
             "of the rank, u1, are exchanged directly with v3 in the local address, and the column bits, v1, with "
             "u3. What comes from there is at once right in both respects, transposed and cyclic. The local words "
             "come to lie as u2 v1 v2 u1, which is in order if p = n; else they are turned left by p - n bits.",
     .invariant = "After i exchanges of a field its i highest real bits are final; the local bits that they came "
                  "from hold the old ones.",
     .count = "n steps, in which all N processors send K/2 words: n N messages, n N K/2 words, longest sum n K/2, "
              "which with one port is least. Exchange i of a field with the offset s sends 2^(s+i) blocks; s is p + "
              "q - n - h for the rows and p - n for the columns. At most one local reorder, K copied words, and "
              "none if P = N. --gather on makes one start-up of a message, for K copied words where it has several "
              "blocks.",
     .use = "The first choice for this change of assignment with one port: without --gather it never copies more "
            "than the others, and where P <= Q it has no more start-ups than transpose/reassign-2. Other pairs of "
            "storage forms: convert/exchange --transposed.",
     .paper = "Johnsson & Ho, section 6.2, algorithm 3, right as printed; a local shuffle by p - 2n_r bits is "
              "needed if p > 2n_r.",
     .exercise = "`lockstep compare --operation transpose --machine hypercube:4 --matrix 16x64`, then --matrix "
                 "64x16: which of reassign-2 and reassign-3 has fewer start-ups each time? Derive it from the "
                 "offsets."},
    {.method = "transpose/shuffles",
     .families = "",
     .idea = "One element a processor: (u,v) of a 2^p x 2^q matrix is where the address u 2^q + v says. To "
             "transpose is to exchange the two fields of the address, which is to turn it left by p bits, or right "
             "by q. A shuffle-exchange network has a link for just that: in a step everybody sends its element to "
             "the address turned by one bit.",
     .invariant = "After t shuffles every processor has one element, the one whose address turned left by t bits is "
                  "its own.",
     .count = "p shuffles, or q unshuffles if they are fewer: min(p,q) steps. Addresses 0..0 and 1..1 stay as they "
              "are when turned, so that N - 2 messages of a word move in a step: min(p,q) (N - 2) messages and "
              "words.",
     .use = "Shuffle-exchange networks, one element a processor. A hypercube of as many processors needs no fewer "
            "steps; for a square matrix of one element a processor transpose/2d-spt takes n = 2p there, twice as "
            "many. To turn the addresses of a cube by any number of places is permute/shuffle.",
     .paper = "Johnsson & Ho, section 2, Lemma 1 and Corollary 1; that a cube needs no fewer is their Lemma 4. "
              "Definition 3 does not say in which direction a shuffle goes: an element goes to the address turned "
              "left (erratum J3). The bits of an address are 0..m-1, not 0..m (J2).",
     .exercise = "`lockstep run --machine shuffle-exchange:6 --algorithm transpose/shuffles --matrix 4x16`, then "
                 "16x4, 8x8 and 64x1, and beside it `lockstep run --machine hypercube:6 --algorithm "
                 "transpose/2d-spt --matrix 8x8`. Explain the 2, 2, 3 and 0 steps, and why a machine of three links "
                 "a processor beats one of six."},
};

}  // namespace lockstep::cli
