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
             "real in both forms, Gray code is put on and taken off locally. A form may be of any bits "
             "(bits:u5,u2,v2), or that of a band matrix (band=S).",
     .invariant = "After every exchange the data is in a storage form, one in which one more dimension stands for "
                  "the bit that it has to; everybody always has K = P Q/N words.",
     .count = "If no bit is real both before and after, everybody has data for everybody, and each of the n "
              "dimensions takes one exchange: n steps, n N messages, n N K/2 words, longest sum n K/2, which with "
              "one port is least. Else dimensions that are right cost nothing, others a step where the bits follow "
              "each other out of local places; two dimensions that have each other's bits change places in two "
              "steps of K words, and L > 2 that go round take L + 1 steps of K/2 through a local bit. In Gray code "
              "a dimension that changes takes one or two. No conversion has fewer steps than the farthest element "
              "has links to cross, nor, with w dimensions that change, less than w K/2 in a row with one port: "
              "half of all words cross each.",
     .use = "Between phases of a computation that want different layouts: consecutive rows for one, cyclic ones to "
            "share work evenly, blocks in both directions. It takes any pair of forms, and two-dimensional ones of "
            "any --layout. Shuffles between exchanges are free here; on a machine that copies slowly --gather off "
            "sends every strip as it lies, --gather on copies strips into one message, and --copy-threshold only "
            "the shorter ones. With all ports transpositions are faster by transpose/1d-sbnt and transpose/2d-mpt.",
     .paper =
         "Johnsson & Ho, section 5, Lemma 7 and Corollaries 6 and 7: all-to-all personalized communication "
         "where no bit is real in both forms; between cyclic and consecutive rows that takes P >= N^2. Section 8.1 "
         "has the start-ups without shuffles: from consecutive to cyclic rows those of the transposition only "
         "if P = N^2 (erratum J25). "
         "Definition 6 has row u in processor u div P in consecutive form, which is always 0; it is u div "
         "(P/N) (erratum J1).",
     .exercise = "`lockstep run --machine hypercube:4 --algorithm convert/exchange --from row-consecutive --to "
                 "row-cyclic --matrix 256x1`, then --matrix 128x1: 4 steps both times. Which bit is real in both "
                 "forms of the second? Then try --to gray:row-consecutive: 3 steps, a dimension less. Which one, and "
                 "why? And how many start-ups has --gather off with --matrix 256x4, and how many with 1024x1?"},
};

}  // namespace lockstep::cli
