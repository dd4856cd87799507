#include "texts.hpp"

namespace lockstep::cli {

const std::vector<OperationText> operation_texts{
    {.name = "all-to-some",
     .mpi = "",
     .text = "Every one of the 2^n processors has a block for each of 2^L receivers; afterwards these have them. With "
             "as many receivers as processors it is an alltoall, with one it is a gather. Johnsson & Ho call it "
             "all-to-some "
             "personalized communication. It is some-to-all backwards."},
    {.name = "allgather",
     .mpi = "MPI_Allgather",
     .text =
         "Every processor has one block; afterwards every processor has the blocks of all, in the order of the "
         "ranks. It does what a broadcast from every processor would. Saad & Schultz call it total exchange, a name "
         "that Dimakopoulos & Dimopoulos give to the alltoall. A processor has to take in N - 1 foreign blocks, so "
         "that "
         "with one port no method has a longest sum below (N-1) m words."},
    {.name = "allreduce",
     .mpi = "MPI_Allreduce",
     .text =
         "Every processor has a vector; afterwards every processor has all of them combined by an operator, word by "
         "word. It is what training of neural networks does with gradients. A reduce and a broadcast would do it; "
         "better ones are a reduce-scatter and an allgather. With one port it takes log2 N steps, and 2 m (1 - "
         "1/N) words have to leave a processor, if the operator commutes."},
    {.name = "alltoall",
     .mpi = "MPI_Alltoall",
     .text = "Every processor has another block for every other processor; afterwards each block is where it belongs, "
             "as when a matrix of blocks, a row a processor, is transposed. Saad & Schultz call it multiscatter or "
             "transposition, Johnsson & Ho all-to-all personalized communication, Dimakopoulos & Dimopoulos total "
             "exchange. There are N (N-1) blocks, each of which has to cross as many links as its two processors are "
             "apart: the sum of all distances, divided by what the machine moves in a step, is a lower bound."},
    {.name = "application",
     .mpi = "",
     .text = "A whole program that computes, and calls a collective operation of your choice again and again: power "
             "iteration, n bodies, inner products, Gaussian elimination, conjugate gradients, alternating directions. "
             "It shows what a collective is worth where it is used: --flop prices the arithmetic, --method names the "
             "collective, and Eigen verifies the result."},
    {.name = "barrier",
     .mpi = "MPI_Barrier",
     .text = "Nobody leaves before everybody has arrived. No data moves but tokens: what a reduction gathers is the "
             "news that all have come, what a broadcast spreads is the permission to go."},
    {.name = "broadcast",
     .mpi = "MPI_Bcast",
     .text =
         "One processor, the root, has an item; afterwards all have it. With one port the holders can at most "
         "double in a step, so that log2 N steps, rounded up, are the least; where the item is long, it is cut into "
         "packets which follow each other, or go different ways."},
    {.name = "convert",
     .mpi = "",
     .text =
         "A matrix is spread over the processors in one storage form (say, consecutive rows) and afterwards in "
         "another (cyclic columns, Gray code); with --transposed in that form of the transposed matrix. Which address "
         "bits choose the processor changes, so that a conversion is a sequence of exchanges of address bits."},
    {.name = "exscan",
     .mpi = "MPI_Exscan",
     .text =
         "The exclusive scan: every processor x has a value a_x, and afterwards a_0 + .. + a_(x-1), for an associative "
         "operator that need not commute; processor 0 is left with nothing. With ones for values it numbers "
         "processors; with lengths it says where each one's data begins. The last processor needs all other values, "
         "so that with one port it takes log2 N steps, as the inclusive scan does."},
    {.name = "gather",
     .mpi = "MPI_Gather",
     .text =
         "Every processor has a block; afterwards the root has all of them, in the order of the ranks. It is the "
         "scatter backwards in time: whatever tree serves the one serves the other with the arrows turned round. The "
         "root takes in N - 1 blocks, which with one port bounds the longest sum."},
    {.name = "permute",
     .mpi = "",
     .text =
         "Every processor has one block, and sends it to one processor so that everybody is sent one: a permutation "
         "of the ranks, or of the bits of the addresses of all words (bit reversal, shuffles, permutations of "
         "the dimensions)."},
    {.name = "reduce",
     .mpi = "MPI_Reduce",
     .text =
         "Every processor has a value; afterwards the root has all of them combined by an associative operator, "
         "a_0 + a_1 + .. + a_(N-1) in the order of the ranks, which matters where the operator does not commute. It "
         "is a broadcast backwards in time, with an operation wherever two branches meet. Mukherjee calls it data "
         "reduction."},
    {.name = "reduce-scatter",
     .mpi = "MPI_Reduce_scatter_block",
     .text =
         "Every processor has a vector; afterwards each has one part of all of them combined: the processor of rank "
         "r the r-th of as many parts as there are processors. An allgather after it makes it an allreduce."},
    {.name = "route",
     .mpi = "",
     .text = "Any set of packets, each from one processor to one other, finds its way through a machine whose "
             "processors store and forward. Packets that want the same link in the same step wait: how long is what a "
             "pattern is run for."},
    {.name = "scan",
     .mpi = "MPI_Scan",
     .text = "Every processor x has a value a_x, and afterwards a_0 + .. + a_x, for an associative operator that need "
             "not commute. Mukherjee calls it prefix computation. The last processor ends with what a reduction would "
             "give, so "
             "that a scan takes at least as many steps as there are links from the first processor to the last."},
    {.name = "scatter",
     .mpi = "MPI_Scatter",
     .text = "The root has a block for every processor; afterwards everybody has its own. Johnsson & Ho call it "
             "one-to-all personalized communication. N - 1 blocks leave the root, over one port one after the other, "
             "over all ports at best on every link alike: that bounds the longest sum."},
    {.name = "send",
     .mpi = "MPI_Send",
     .text = "One processor has an item, and afterwards one other has it, too. The distance bounds the steps; how many "
             "paths there are that share no link bounds how fast a long item can flow."},
    {.name = "some-to-all",
     .mpi = "",
     .text = "Each of 2^L processors has a block for every one of all 2^n; afterwards these have them. With one source "
             "it is a scatter, with all an alltoall. Johnsson & Ho call it some-to-all personalized communication."},
    {.name = "sort",
     .mpi = "",
     .text =
         "Every processor has as many records; afterwards those of all processors together are in ascending order "
         "through the ranks, each again with as many. Equal records are neither lost nor doubled; their order is not "
         "kept."},
    {.name = "transpose",
     .mpi = "",
     .text = "A matrix is spread over the processors, by rows or by rows and columns; afterwards its transposed matrix "
             "is, in the same form or in another. With one row (or block of rows) a processor it is an alltoall, with "
             "blocks of a grid of processors it is a permutation in which processor (r,c) sends to (c,r). MPI has no "
             "call for "
             "it: programs use MPI_Alltoall and derived types."},
};

}  // namespace lockstep::cli
