#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> convert_explanations{
    {.method = "convert/exchange",
     .families = "",
     .idea = "A storage form says which bits of an element's row and column number make up the rank of its "
             "processor, the real bits; the others are its local address. To convert is to make other bits real: "
             "every real bit that has to go is exchanged with the local bit that takes its place, a step in which "
             "neighbours trade half of what they have. --transposed means a form of the transposed matrix, whose "
             "row bits are the column bits of this one, so that transposing is a conversion too. Where no bit is "
             "real in both forms, Gray code is put on and taken off locally.",
     .invariant = "After every exchange the data is in a storage form, one in which one more dimension stands for "
                  "the bit that it has to; everybody always has K = P Q/N words.",
     .count = "If no bit is real both before and after, everybody has data for everybody, and each of the n "
              "dimensions takes one exchange: n steps, n N messages, n N K/2 words, longest sum n K/2, which with "
              "one port is least. Else dimensions that are right cost nothing, a local bit for a real one a step, "
              "and two real bits at most two steps, of K words; with Gray code any dimension that changes may take "
              "two. These are limits, and the least number is not known.",
     .use = "Between phases of a computation that want different layouts: consecutive rows for one, cyclic ones to "
            "share work evenly, blocks in both directions. It takes any pair of forms. With all ports "
            "transpositions are faster by transpose/1d-sbnt and transpose/2d-mpt. Where all real bits stay real, as "
            "in a two-dimensional transposition, only a limit is predicted; transpose/2d-spt is exact.",
     .paper = "Johnsson & Ho, section 5, Lemma 7 and Corollaries 6 and 7: all-to-all personalized communication "
              "where no bit is real in both forms; between cyclic and consecutive rows that takes P >= N^2. "
              "Definition 6 has row u in processor u div P in consecutive form, which is always 0; it is u div "
              "(P/N) (erratum J1).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm convert/exchange --from row-consecutive --to "
                 "row-cyclic --matrix 256x1`, then --matrix 128x1: 4 steps both times, but only the first is "
                 "predicted exactly. Which bit is real in both forms of the second? Then try --to "
                 "gray:row-consecutive: 3 steps, a dimension less. Which one, and why?"},
};

}  // namespace lockstep::cli
