#include "2d_pipelined.hpp"

// The dual paths transpose: halves of every block on two paths. Johnsson & Ho, section 6.1.2 (johnsson-ho.md, Two
// dimensions).
namespace lockstep {

extern const Method transpose_2d_dpt_method = transpose::pipelined::method<2>({
    .name = "transpose/2d-dpt",
    .aliases = {"DPT"},
    .known_as = "two-dimensional transposition, dual paths transpose (DPT)",
    .mapping = "two-dimensional",
    .summary = "halves of every block go in packets over two paths from (r,c) to (c,r), which use links in both "
               "directions (n even, K >= 2)",
});

}  // namespace lockstep
