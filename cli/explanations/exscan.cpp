#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> exscan_explanations{
    {.method = "exscan/123-doubling",
     .families = "",
     .idea =
         "First every rank gives its value to the next one. Then it puts its value behind what it has got and sends "
         "both "
         "over distance 2. From there on it sends its result alone, over 3, 6, 12, ..; what comes goes in front of the "
         "result.",
     .invariant =
         "After the steps over 1, 2, 3, 6, 12, .. a rank has the result of the 1, 3, 6, 12, 24, .. ranks before "
         "it, or of all that there are.",
     .count =
         "The last rank needs p - 1 values: t steps, t the least with 3 2^t >= 4 (p - 1), which is ceil(log2 p) or one "
         "more. Messages = (p - 1) + (p - 2) + (p - 1 - 3) + (p - 1 - 6) + ..; words and longest sum are m times "
         "messages and steps.",
     .use = "The exclusive scan with the fewest steps here; any number of ranks, any associative operator.",
     .paper = "J. L. Traeff, arXiv 2507.04785, 2025.",
     .exercise =
         "`lockstep compare --operation exscan --machine switch:7`: where does exscan/shift lose its step? For which "
         "p do both take as many?"},
    {.method = "exscan/shift",
     .families = "",
     .idea = "Every rank gives its value to the next one. What a rank has got it takes for its own, and the ranks from "
             "1 on "
             "make an inclusive scan at distances 1, 2, 4, ..",
     .invariant =
         "Before the step at distance 2^k a rank has the result of the 2^k ranks before it, or of all that there "
         "are.",
     .count =
         "1 + u steps, u = ceil(log2(p - 1)); p - 1 messages of the shift and (p - 1) u - (2^u - 1) of the scan; words "
         "and longest sum are m times messages and steps.",
     .use = "To compare with: exscan/123-doubling is never slower.",
     .paper = "The plain way, by which J. L. Traeff, arXiv 2507.04785, measures: a shift, and Hillis & Steele 1986.",
     .exercise =
         "`lockstep run --machine switch:6 --algorithm exscan/shift --operator concat`: who needs the message of "
         "rank 0 to rank 1, in the end?"},
};

}  // namespace lockstep::cli
