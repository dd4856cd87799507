#include "2d_pipelined.hpp"

// The single path transpose in packets. Johnsson & Ho, section 6.1.1 (johnsson-ho.md, Two dimensions).
namespace lockstep {

extern const Method transpose_2d_spt_pipelined_method = transpose::pipelined::method<1>({
    .name = "transpose/2d-spt-pipelined",
    .known_as = "two-dimensional transposition, pipelined single path transpose (SPT)",
    .mapping = "two-dimensional",
    .summary = "packets follow each other over one path from (r,c) to (c,r), which uses links in one direction only "
               "(n even)",
    .strictest_duplex = Duplex::half_link,
});

}  // namespace lockstep
