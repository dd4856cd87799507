#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> all_to_some_explanations{
    {.method = "all-to-some/exchange",
     .families = "",
     .idea = "All 2^n processors have blocks for 2^L, those whose high n - L address bits are zero. First neighbours "
             "over dimensions 0..L-1 exchange all blocks for the other side, as in alltoall/exchange; then over "
             "dimensions L..n-1 half of the holders hand all that they have to the other half, as in a gather, until "
             "the 2^L are left. It is some-to-all/exchange backwards in time.",
     .invariant =
         "After dimensions 0..d every block is at a processor that agrees with its destination in bits d..0 and "
         "with its source in the others.",
     .count = "The counts are those of some-to-all/exchange, in reverse order: PQ being the words of all blocks "
              "together, L exchanges of PQ/2^(n+1) words, then messages that double from PQ/2^n to PQ/2^(L+1): steps = "
              "n, longest sum = L PQ/2^(n+1) + sum over i < n-L of PQ/2^(n-i), messages = 2^n - 2^L + L 2^n, words = n "
              "PQ/2. Accumulating first would exchange longer messages.",
     .use = "With one port, where all have data for some: writing output by a few, or going to a layout on fewer "
            "processors. --sources 0 is a gather (gather/sbt with the dimensions in the other order), --sources n an "
            "alltoall (alltoall/exchange likewise). With all ports all-to-some/rotated-sbt.",
     .paper =
         "Johnsson & Ho, section 3.3, Table 3 and Theorem 1: all-to-some personalized communication. The theorem, that "
         "accumulating last takes the fewest words, holds for every order (--order): each accumulation that is put "
         "before an exchange doubles it. In Table 3 the "
         "terms with 1/k and l fall away at 0 (erratum J10). MPI has no such operation; MPI_Alltoallv with empty "
         "parts comes nearest.",
     .exercise =
         "Put `lockstep trace --machine hypercube:2 --algorithm all-to-some/exchange` beside `lockstep trace "
         "--machine hypercube:2 --algorithm some-to-all/exchange` and read one of them backwards. Then, with "
         "`lockstep run --machine hypercube:4 --algorithm all-to-some/exchange --sources 1 --cycles`, find which "
         "processors are done first."},
    {.method = "all-to-some/rotated-sbt",
     .families = "",
     .idea =
         "As all-to-some/exchange, first exchanging over dimensions L-1..0 and then accumulating over n-1..L, but in "
         "parts. In either phase every block is cut in as many parts as the phase has dimensions, and each part "
         "crosses them in another rotation, so that all dimensions of the phase work in all its steps. It is "
         "some-to-all/rotated-sbt backwards in time.",
     .invariant =
         "After the exchange every block is, whole, at the processor that agrees with its destination in bits L-1..0 "
         "and with its source in the others. Within a phase, after step i, each part has been put right in the i "
         "dimensions of the phase with which its rotation begins.",
     .count =
         "n steps. With b = PQ/2^(n+L) words for each pair, an exchange carries ceil(b/L) words of 2^(L-1) blocks over "
         "each link, and an accumulation a part, ceil(b/(n-L)) words, of 2^L, 2^(L+1), .., 2^(n-1) blocks: longest sum "
         "= L 2^(L-1) ceil(b/L) + (2^n - 2^L) ceil(b/(n-L)), messages = (n-L) (2^n - 2^L) + L^2 2^n, words = n PQ/2. "
         "With --order accumulate-first the few exchange everything among themselves: L 2^(n-1) ceil(b/L) words in the "
         "first term, 2^(n-L) times as many.",
     .use = "With all ports and blocks of L (n-L) words or more; else all-to-some/exchange. --sources 0 is "
            "gather/rotated-sbt-halving, --sources n alltoall/rotated-sbt.",
     .paper =
         "Johnsson & Ho, section 3.3: rotated spanning binomial trees for the exchange and then for the accumulation, "
         "all-to-one personalized communication within subcubes. The terms at 0 are erratum J10.",
     .exercise =
         "`lockstep compare --operation all-to-some --machine hypercube:6 --sources 3 --words 4608 --ports all` sets "
         "both methods side by side. Then `lockstep run --machine hypercube:6 --algorithm all-to-some/rotated-sbt "
         "--sources 3 --words 4608 --order accumulate-first`: what is lost, and what has become less?"},
};

}  // namespace lockstep::cli
