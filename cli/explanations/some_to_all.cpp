#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> some_to_all_explanations{
    {.method = "some-to-all/exchange",
     .families = "",
     .idea =
         "2^L processors, those whose high n - L address bits are zero, have blocks for all 2^n. First they split: "
         "over dimensions n-1..L every holder hands the blocks for the other side to its neighbour, which becomes a "
         "holder too, as in scatter/sbt-reflected. When all are holders, neighbours over dimensions L-1..0 exchange "
         "all blocks for the other side, as in alltoall/exchange.",
     .invariant =
         "After dimensions n-1..d every block is at a processor that agrees with its destination in bits n-1..d and "
         "with its source in bits d-1..0.",
     .count = "PQ is the words of all blocks together. A holder begins with PQ/2^L words and hands half on in each "
              "splitting step, PQ/2^(L+1) down to PQ/2^n; then all hold PQ/2^n and exchange half of it in L steps: "
              "longest sum = L PQ/2^(n+1) + sum over i < n-L of PQ/2^(n-i), steps = n. A message comes to each new "
              "holder, then everybody sends: messages = 2^n - 2^L + L 2^n. A block crosses a dimension with chance one "
              "half: words = n PQ/2. Any other order of the steps (--order) is right too, but each splitting that is "
              "put behind an exchange doubles that: an exchange after s splittings is 2^(L+s) messages of PQ/2^(L+s+1) "
              "words.",
     .use = "With one port wherever some processors have data for all: reading input by a few, or a transposition "
            "between layouts on different numbers of processors. --sources 0 is scatter/sbt-reflected, --sources n "
            "alltoall/exchange. Unless duplex is full an exchange takes two steps, n + L in all. With all ports "
            "some-to-all/rotated-sbt. all-to-some/exchange is the way back.",
     .paper =
         "Johnsson & Ho, section 3.3, Table 3 and Theorem 1: some-to-all personalized communication. The terms of "
         "Table 3 with 1/k, k = n - L, and with l = L make no sense at 0: there the term falls away (erratum J10). "
         "MPI has no such operation; MPI_Alltoallv with empty parts comes nearest.",
     .exercise =
         "Run `lockstep run --machine hypercube:4 --algorithm some-to-all/exchange --sources 2 --words 256` with "
         "--sources 0 to 4: the same words from more and more processors. Explain 240, 120, 64, 40 and 32. Then "
         "find the two ends among `lockstep run --machine hypercube:4 --algorithm scatter/sbt-reflected --words 16` "
         "and `lockstep run --machine hypercube:4 --algorithm alltoall/exchange`."},
    {.method = "some-to-all/rotated-sbt",
     .families = "",
     .idea = "As some-to-all/exchange, first splitting over the dimensions n-1..L and then exchanging over L-1..0, but "
             "in parts. In either phase every block is cut in as many parts as the phase has dimensions, and each part "
             "crosses them in another rotation, so that all dimensions of the phase work in all its steps.",
     .invariant =
         "After the splitting every block is, whole, at the processor that agrees with its destination in bits "
         "n-1..L and with its source in the others. Within a phase, after step i, each part has been put right in "
         "the i dimensions of the phase with which its rotation begins.",
     .count =
         "n steps. With b = PQ/2^(n+L) words for each pair, a splitting message carries a part, ceil(b/(n-L)) "
         "words, of at most 2^(n-1), 2^(n-2), .., 2^L blocks; an exchange carries ceil(b/L) words of 2^(L-1) blocks "
         "over each link: longest sum = L 2^(L-1) ceil(b/L) + (2^n - 2^L) ceil(b/(n-L)). Each message of "
         "some-to-all/exchange becomes one for each part: messages = (n-L) (2^n - 2^L) + L^2 2^n; words = n PQ/2 "
         "still. A term falls away where its phase is empty.",
     .use = "With all ports and blocks that can be cut, of L (n-L) words or more; else some-to-all/exchange. Only one "
            "phase's dimensions work at a time, so that words take 1/(n-L) and 1/L of the time in the two phases, not "
            "1/n. --sources 0 is scatter/rotated-sbt-halving, --sources n alltoall/rotated-sbt.",
     .paper =
         "Johnsson & Ho, section 3.3: rotated spanning binomial trees for the splitting and then for the exchange. "
         "The terms at 0 are erratum J10, as for some-to-all/exchange.",
     .exercise =
         "`lockstep compare --operation some-to-all --machine hypercube:6 --sources 3 --words 4608` sets both "
         "methods side by side. By what is the longest sum divided, and why not by 6? Try --sources 2 with --words "
         "2304: how much is lost to rounding?"},
};

}  // namespace lockstep::cli
