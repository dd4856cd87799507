#include "errata.hpp"

namespace lockstep::cli {

PaperErrata saad_schultz_1985_errata() {
  return {
      .paper = "saad-schultz-1985",
      .title = "Saad & Schultz 1985",
      .errata =
          {

              {"A1",
               "section 3",
               "optimal packets sqrt(i tau / beta)",
               "sqrt((i-1) m tau / beta), which alone gives (3.1)",
               {{"run --machine hypercube:5 --algorithm send/pipelined --words 64 --beta 4", "--packets 8"}}},
              {"A2",
               "(2.2), (3.1), (4.1), Prop. 3.2",
               "square forms as times",
               "P is real there: lower bounds of whole P; for one hop too small by exactly beta",
               {{"run --machine hypercube:5 --algorithm send/pipelined --words 64 --beta 4 --destination 1",
                 "synchronous 68"}}},
              {"A3",
               "TEA2",
               "every rotation of a class is sent through every dimension",
               "blocks whose address has a rotation orbit of fewer than n members come several times: already 11 for n "
               "= 2; for n = 8, i = 4 a link carries 10 blocks, not 9; at n = 16 even (4.5) breaks (8,230 blocks, not "
               "at most 8,224). saad-schultz-1985.md, TEA2 repairs it. The worked example n = 5, i = 3 is right",
               {{"run --machine hypercube:2 --algorithm allgather/tea2", "words 12"},
                {"run --machine hypercube:8 --algorithm allgather/tea2 --cycles", "3 2,048 17,920 9"}}},
              {"A4",
               "time of a TEA2 step",
               "bracket with both ceil and + 1",
               "one of the two; (4.5) is a valid upper bound, 2 n beta + 2 sum c_i m tau exact",
               {{"run --machine hypercube:8 --algorithm allgather/tea2 --duplex half-link", "synchronous 84"}}},
              {"A5",
               "grouped loop",
               "upper limit floor((n-1)/2), 2 ceil(n/2) passes",
               "for even n no odd processor gets its antipode's block (k/2 blocks lost): the limit is floor(n/2) and "
               "the last odd pass falls away, n + 1 passes for all n; then the bound (n+1) beta is exact",
               {{"run --machine hypercube:4 --algorithm allgather/tea2-grouped", "steps 5"}}},
              {"A6",
               "gather",
               "sender's label lacks a 1, so that sender and receiver are one",
               "0^(n-j) 1 a_j sends to 0^(n-j+1) a_j",
               {{"plan --machine hypercube:2 --algorithm gather/sbt", "{\"from\":3,\"to\":1,\"blocks\":[[3,0]]}"}}},
              {"A7",
               "scatter",
               "free prefix of n-j-1 bits",
               "n-j bits; else half of the blocks stay where they are",
               {{"run --machine hypercube:4 --algorithm scatter/sbt", "words 32"}}},
              {"A8",
               "MTADEA",
               "A(X,Y) changes with A(X',Y)",
               "with A(X',Y'): bit i of Y is complemented too; as printed one block alone arrives",
               {{"run --machine hypercube:3 --algorithm alltoall/exchange", "all data is right"}}},
              {"A9", "section 6", "processor i has A(i,j), j = 1..N/k", "j = 1..k", {}},
              {"A10",
               "SMG's time",
               "N^2 tau + ..",
               "(k-1)/k N^2 tau; and (4.3) to (4.5) and MTADEA count half-duplex exchanges, which full duplex halves. "
               "Bits are counted from the left in sections 3 and 4.2, from the right in 4.3",
               {{"run --machine hypercube:4 --algorithm alltoall/sequential-gather", "longest sum 240"},
                {"run --machine hypercube:4 --algorithm allgather/adea --duplex half-node", "longest sum 30"}}}},
      .open = ""};
}

}  // namespace lockstep::cli
