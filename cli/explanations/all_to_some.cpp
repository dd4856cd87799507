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
            "alltoall (alltoall/exchange likewise). The catalogue has no form for all ports; some-to-all/rotated-sbt "
            "is that of the other direction.",
     .paper =
         "Johnsson & Ho, section 3.3, Table 3 and Theorem 1: all-to-some personalized communication. In Table 3 the "
         "terms with 1/k and l fall away at 0 (erratum J10). MPI has no such operation; MPI_Alltoallv with empty "
         "parts comes nearest.",
     .exercise =
         "Put `lockstep trace --machine hypercube:2 --algorithm all-to-some/exchange` beside `lockstep trace "
         "--machine hypercube:2 --algorithm some-to-all/exchange` and read one of them backwards. Then, with "
         "`lockstep run --machine hypercube:4 --algorithm all-to-some/exchange --sources 1 --cycles`, find which "
         "processors are done first."},
};

}  // namespace lockstep::cli
