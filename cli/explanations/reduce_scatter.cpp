#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> reduce_scatter_explanations{
    {.method = "reduce-scatter/circulant",
     .families = "",
     .idea =
         "Skips p/2, p/4, .., 1, each rounded up. A rank orders the parts from its own on; over skip s it gives the "
         "parts beyond s to the rank s farther on, whose first ones they are, and sums what it is given into its "
         "own first ones.",
     .invariant = "Before the step over skip s, half of S rounded up, a rank has S parts left, from its own on.",
     .count = "q = ceil(log2 p) steps, p messages in each, (p - 1) m words, longest sum the ceil(m (s_(k+1) - s_k)/p), "
              "summed: m (1 - 1/p), the bound, if p divides m. Steps and words are both the fewest.",
     .use = "Always, if the operator commutes: it is the first half of allreduce/circulant.",
     .paper = "J. L. Traeff, arXiv 2410.14234, 2024.",
     .exercise =
         "`lockstep compare --operation reduce-scatter --machine switch:13 --words 130`: which bounds are met?"},
    {.method = "reduce-scatter/halving",
     .families = "",
     .idea = "At distances p/2, p/4, .. partners share what they both still work on: each gives away the half with the "
             "other's own part, and sums the half with its own.",
     .invariant = "After i steps a rank has the p/2^i parts around its own, summed over 2^i ranks.",
     .count = "log2 p steps, p messages in each, (p - 1) m words, longest sum m/2 + m/4 + .., rounded up each: m (1 - "
              "1/p), the bound, if p divides m.",
     .use = "On a power of two of ranks; it is the first half of allreduce/rabenseifner. Elsewhere "
            "reduce-scatter/circulant.",
     .paper = "R. Thakur, R. Rabenseifner, W. Gropp, 2005.",
     .exercise =
         "`lockstep run --machine switch:8 --algorithm reduce-scatter/halving --words 9`: where does the longest "
         "sum of 10 come from, if the bound is 8?"},
    {.method = "reduce-scatter/pairwise",
     .families = "",
     .idea = "Everybody gives everybody that one's part, one after the other: in step t to the rank t farther on.",
     .invariant = "After step t a rank's part is summed over itself and the t ranks before it.",
     .count = "p - 1 steps of p messages, (p - 1) m words, longest sum (p - 1) ceil(m/p).",
     .use = "For very long vectors; it needs no room but for one part, and every part travels once. Otherwise "
            "reduce-scatter/circulant, which takes log2 p steps for the same words.",
     .paper = "R. Thakur, R. Rabenseifner, W. Gropp, 2005: MPICH's choice for long vectors.",
     .exercise = "`lockstep sweep --operation reduce-scatter --machine switch:16 --vary words=16..16384*4 --beta 100 "
                 "--predict`: does it ever win?"},
    {.method = "reduce-scatter/ring",
     .families = "",
     .idea =
         "The ranks are a ring. Every part starts at the rank behind its own and goes round until it is there, each "
         "rank on the way adding its own summand.",
     .invariant = "In step t rank r sends part r - 1 - t, summed over t + 1 ranks.",
     .count = "p - 1 steps of p messages, (p - 1) m words, longest sum (p - 1) ceil(m/p).",
     .use = "Where only neighbours have links; it is the first half of allreduce/ring.",
     .paper = "P. Patarasuk, X. Yuan, 2009.",
     .exercise =
         "`lockstep run --machine complete:6 --algorithm reduce-scatter/ring --words 36` and the same with "
         "reduce-scatter/pairwise: no count differs. What would, on a machine with links between neighbours only?"},
};

}  // namespace lockstep::cli
