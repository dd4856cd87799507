#include "texts.hpp"

namespace lockstep::cli {

const std::vector<MachineText> machine_texts{
    {.family = "hypercube",
     .built =
         "Two (N-1)-cubes side by side, every processor linked to its twin. Ranks are numbers of N bits, and a link "
         "flips one of them.",
     .reason =
         "It has short ways and much bandwidth, is alike from every processor and in every dimension, and contains "
         "rings, meshes, and trees of many kinds. Machines of the 1980s were cubes: the Cosmic Cube, the Intel "
         "iPSC, nCUBE, the Connection Machine. The price is a degree that grows with the size.",
     .distances =
         "2^N processors, N 2^(N-1) links, degree N, diameter N, bisection width 2^(N-1). Two processors are as "
         "far apart as their ranks differ in bits, N/2 on average if a processor counts as its own neighbour "
         "at distance 0.",
     .routing = "E-cube: correct the differing bits in a fixed order, the lowest first. Between two processors that "
                "differ in i bits there are N paths that meet nowhere between: i of length i, the others of i + 2.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm send/disjoint-paths --destination 3 --words 12"}},
    {.family = "incomplete-hypercube",
     .built = "An N-cube and a smaller M-cube: the first 2^N + 2^M corners of the (N+1)-cube, and the links between "
              "them. Written hypercube:N+M.",
     .reason = "A machine may then have other sizes than powers of two: 1,280 processors as 1,024 and 256. The price "
               "are ports without a link, 2^N - 2^M of those that lead from the larger cube to the smaller.",
     .distances =
         "2^N + 2^M processors, N 2^(N-1) + M 2^(M-1) + 2^M links, degree N or N + 1 in the N-cube, M + 1 in the "
         "M-cube, diameter N + 1. Two processors are as far apart as their ranks differ in bits.",
     .routing = "Correct the differing bits, the way out of the M-cube first and the way into it last. Between two "
                "processors there are as many paths without a common link as the one with fewer links has.",
     .trial = {"lockstep run --machine hypercube:4+2 --algorithm send/disjoint-paths --words 12"}},
    {.family = "rh",
     .built =
         "A cube of cubes in which links are saved: 2^D building blocks, D = 2^N, each a K-cube, and from every node "
         "one link out of its block. The highest N bits of its number in the block, its subblock, say in which "
         "dimension that leads. What a D-cube of single processors needs D links for is shared out among the "
         "processors of a block.",
     .reason = "The degree K + 1 stays small where a hypercube of the same size needs K + D. It contains the "
               "cube-connected cycles and emulates the hypercube with links that become short paths.",
     .distances =
         "2^(K+D) processors, 2^(K+D) (K+1) / 2 links, degree K + 1, diameter 2D + K - N (K + 1 if N = 0). As a "
         "hypercube of its size it has dilation 1 for K + 1 edges of a processor, 2N + 1 at the worst.",
     .routing = "For every bit in which the blocks differ go to the subblock whose links lead that way, cross, and at "
                "last go to the node within the block. Every way between blocks takes moves inside them; most of the "
                "work of the algorithms is to share such moves.",
     .trial = {"lockstep info rh:2,1"}},
    {.family = "ring",
     .built = "A circle: rank r is linked to r + 1 and r - 1, modulo M.",
     .reason = "The least wiring that survives one cut, and the pattern of pipelines: whatever passes through all "
               "processors can go round. It is a part of tori, of hypercubes (by a Gray code), and of most machines.",
     .distances =
         "M processors and links (two processors have one link), degree 2, diameter floor(M/2), bisection width 2, "
         "average status floor(M^2/4).",
     .routing =
         "The shorter way round. Both ways are disjoint, so that a long item goes both at once, best in parts as "
         "unequal as the ways.",
     .trial = {"lockstep run --machine ring:8 --algorithm broadcast/two-way"}},
    {.family = "path",
     .built = "A ring without the link from the last processor to the first: a line.",
     .reason = "The smallest connected machine, a factor of meshes, and the case in which ends matter: who is in the "
               "middle has twice as much to pass on as anybody on a ring.",
     .distances =
         "M processors, M - 1 links, degree 2 (1 at the ends), diameter M - 1, bisection width 1, average status "
         "(M^2-1)/3.",
     .routing = "There is one way. A total exchange is bounded by its middle rather than by its average status.",
     .trial = {"lockstep run --machine path:5 --algorithm alltoall/factor"}},
    {.family = "complete",
     .built = "A link between every two processors.",
     .reason = "No machine of any size is built so; it is the yardstick for what distance costs, and a factor of "
               "generalized hypercubes, of which `product:complete:4*complete:4` is one.",
     .distances = "M processors, M(M-1)/2 links, degree M - 1, diameter 1, bisection width floor(M/2) ceil(M/2).",
     .routing =
         "Straight to the receiver. With one port an alltoall takes M - 1 steps: in step d everybody sends to the one "
         "d farther on.",
     .trial = {"lockstep run --machine complete:6 --algorithm alltoall/factor"}},
    {.family = "torus",
     .built = "A grid whose lines and columns are rings, in any number of dimensions: a product of rings.",
     .reason = "All links can be short, the degree does not grow with the size, and it is alike from every "
               "processor: the Cray T3D, Blue Gene and the K computer were tori.",
     .distances =
         "For sides m_1 .. m_d, all above 2: N = m_1 .. m_d processors, d N links, degree 2d, diameter the sum of "
         "floor(m_i/2); if the longest side is even, bisection width 2 N / (longest side).",
     .routing = "Dimension by dimension, each the shorter way round. With all ports a long item goes "
                "over as many paths as a processor has links, none of which shares a link with another.",
     .trial = {"lockstep run --machine torus:4x4 --algorithm send/disjoint-paths --words 16"}},
    {.family = "mesh",
     .built = "A grid: a product of paths. A torus without the links that lead from end to end.",
     .reason = "It fits flat onto a board or a chip, all links equally short, and fits problems that live on a grid, "
               "where neighbours exchange boundaries.",
     .distances =
         "For sides m_1 .. m_d: N processors, degree 2d in the middle and d in the corners, diameter the sum of "
         "m_i - 1, twice that of the torus or nearly; if the longest side is even, bisection width "
         "N / (longest side).",
     .routing = "Dimension by dimension. Ways between halves meet in the middle, which is where a total exchange is "
                "slowest.",
     .trial = {"lockstep compare --operation alltoall --machine mesh:4x4 --machine torus:4x4 --predict"}},
    {.family = "product",
     .built =
         "A processor for every choice of one from each factor; two are linked if they differ in one factor, by a link "
         "of that factor. Hypercubes, tori, meshes and generalized hypercubes are products.",
     .reason = "What is known of the factors tells about the product: distances add up, and a total exchange of the "
               "product is put together from those of its factors.",
     .distances = "Processors multiply, degrees and diameters add up. The average status is N times the sum over the "
                  "factors of their average status by their processors.",
     .routing = "Factor by factor, each on its own shortest way.",
     .trial = {"lockstep run --machine 'product:ring:3*complete:4' --algorithm alltoall/product"}},
    {.family = "ccc",
     .built = "A D-cube in which every corner is a ring of D processors; the one at place p has the corner's link in "
              "dimension p.",
     .reason =
         "A hypercube with degree 3, whatever the size: what a cube's processor does over its D links one after the "
         "other, a ring does with one link at each of its places.",
     .distances =
         "D 2^D processors, 3 D 2^D / 2 links, degree 3, diameter 2D + floor(D/2) - 2 for D >= 4 and 6 for D = 3, "
         "bisection width 2^(D-1).",
     .routing =
         "Walk round the ring and cross wherever the corner's bit has to change; then walk on to the right place.",
     .trial = {"lockstep run --machine ccc:3 --algorithm alltoall/cayley"}},
    {.family = "shuffle-exchange",
     .built =
         "2^N processors whose numbers have N bits. The exchange link flips the lowest bit, the shuffle links turn the "
         "number left and right by one bit.",
     .reason = "Any bit can be turned to the lowest place and changed there, so that N shuffles and exchanges do what "
               "the N dimensions of a hypercube do, with degree 3. Fast Fourier transforms, bitonic sorts and "
               "transpositions follow shuffles.",
     .distances = "2^N processors, degree 3 at most, diameter 2N - 1.",
     .routing = "N times: exchange if the lowest bit is not what it has to become, then shuffle (but after the last "
                "exchange).",
     .trial = {"lockstep run --machine shuffle-exchange:4 --algorithm transpose/shuffles --matrix 4x4"}},
    {.family = "star",
     .built = "The N! permutations of N symbols; a link exchanges the first symbol with another.",
     .reason =
         "Among machines alike from every processor it has fewer links and shorter ways than a hypercube of about "
         "the size: its degree and diameter grow more slowly than the logarithm of the size.",
     .distances = "N! processors, degree N - 1, diameter floor(3(N-1)/2).",
     .routing =
         "Sort the permutation: bring the first symbol to its place, and whenever the right one is first, exchange "
         "it with any that is misplaced.",
     .trial = {"lockstep run --machine star:4 --algorithm alltoall/cayley"}},
    {.family = "pancake",
     .built = "The N! permutations of N symbols; a link reverses the first few, as one turns the top of a stack of "
              "pancakes.",
     .reason = "A relative of the star graph, with the same degree and short ways, too. How far apart two stacks can "
               "be is an old puzzle: no formula for the diameter is known.",
     .distances = "N! processors, degree N - 1; diameters 3, 4 and 5 for N = 3, 4, 5.",
     .routing =
         "Largest first: turn the largest misplaced pancake to the top, then down to its place. That takes at most "
         "twice as many flips as pancakes, and is not always shortest; the methods here search shortest ways.",
     .trial = {"lockstep info pancake:4"}},
    {.family = "circulant",
     .built = "M processors in a circle; each is linked to those some fixed strides away, on both sides.",
     .reason = "A ring with shortcuts: the strides choose between few links and short ways. It stays alike from every "
               "processor, so that one schedule serves all.",
     .distances =
         "M processors, degree twice the number of strides (one less with a stride of M/2); the diameter depends "
         "on the strides.",
     .routing = "Take strides in any order: only how often each was taken counts, as the order of additions does not "
                "matter.",
     .trial = {"lockstep info circulant:16,1,4"}},
    {.family = "graph",
     .built = "Whatever the file says, as long as it is connected, and no link is double, directed or a loop.",
     .reason =
         "To look at a machine of one's own, or one from a collection of graphs, with all that holds for any graph.",
     .distances = "Found by breadth-first search, unless the graph is too large for that.",
     .routing =
         "Shortest paths by breadth-first search; alltoall/greedy and alltoall/search plan with them, and the methods "
         "called bfs-tree go down and up a tree of them.",
     .trial =
         {"printf '0 1\\n1 2\\n2 0\\n2 3\\n' >tailed.edges && lockstep run --machine graph:tailed.edges --algorithm "
          "alltoall/greedy"}},
    {.family = "bus",
     .built = "One medium that all processors hear. A transaction takes one payload from one processor to any set of "
              "others; kstar of them fit into a cycle, one if nothing else is said.",
     .reason = "The cheapest way to connect a few processors, and unbeaten in broadcasts: all hear at once. But what "
               "passes a single wire passes one after the other.",
     .distances = "Everybody is one transaction away from everybody, and kstar transactions a cycle are all there is.",
     .routing = "None: the sender names its receivers by rank.",
     .trial = {"lockstep run --machine bus:8 --algorithm allgather/direct"}},
    {.family = "shared",
     .built =
         "Processors around one memory of slots. What is written in a cycle can be read from the next one on, by any "
         "number of readers; kstar accesses fit into a cycle. With banks=B slot s is in bank s mod B, and a bank "
         "serves "
         "one processor a cycle.",
     .reason = "The model of a multiprocessor whose memory serves so many at a time. It takes two accesses to get a "
               "word from one processor to another, and one write is enough for all readers.",
     .distances = "A write and a read. kstar, or the number of banks if that is less, bounds everything else.",
     .routing = "None: processors name slots.",
     .trial = {"lockstep run --machine shared:8,kstar=2 --algorithm allgather/direct"}},
    {.family = "switch",
     .built =
         "A crossbar of K x K points: in a cycle every processor sends to at most one other and receives from at most "
         "one, a partial permutation of any form.",
     .reason = "Nothing but the ports limits it: the best that a network can be for processors with one port. Its "
               "hardware grows with the square of K.",
     .distances = "Everybody is one step away from everybody.",
     .routing = "None: whole permutations at a time.",
     .trial = {"lockstep run --machine switch:8 --algorithm allgather/doubling"}},
    {.family = "omega",
     .built = "log2 K stages, each a perfect shuffle of the K lines and then K/2 elements of two inputs and two "
              "outputs, which can copy one input to both (--multicast on).",
     .reason =
         "It costs (K/2) log2 K small elements instead of a crossbar's K^2 points, and still passes the permutations "
         "that algorithms ask for most: shifts, and exchanges over one bit of the rank. Others are "
         "blocked.",
     .distances = "All messages pass all stages in one cycle. Of the K! permutations 2^((K/2) log2 K) pass.",
     .routing =
         "By itself: in stage t a message takes the output that bit n - 1 - t of its destination names, K = 2^n.",
     .trial = {"lockstep run --machine omega:8 --algorithm alltoall/exchange"}},
    {.family = "inverse-omega",
     .built = "An Omega network that is crossed from its outputs to its inputs: log2 K stages, each K/2 elements that "
              "can copy, and then a perfect shuffle back.",
     .reason = "A permutation passes it if what undoes the permutation passes an Omega network. Shifts and exchanges "
               "over one bit undo shifts and exchanges; the ways down a binary tree, two of which may begin in one "
               "element and go on to ranks of one parity, are blocked.",
     .distances =
         "All messages pass all stages in one cycle. Of the K! permutations 2^((K/2) log2 K) pass, others than "
         "those of an Omega network from K = 4 on.",
     .routing = "By itself: in stage t a message takes the output that bit t of its destination names.",
     .trial = {"lockstep run --machine inverse-omega:8 --algorithm alltoall/exchange"}},
    {.family = "indirect-cube",
     .built = "log2 K stages; the elements of stage t, which can copy, have the two lines that differ in bit t: a "
              "hypercube whose dimensions follow each other, the lowest first.",
     .reason =
         "What a hypercube does in n steps, a dimension in each, messages do here in one cycle, as long as no two "
         "want the same line between two stages.",
     .distances = "All messages pass all stages in one cycle. The permutations that pass are those of inverse-omega: "
                  "both put bit t of the destination into the line's number in stage t.",
     .routing = "By itself: in stage t a message goes over to the other line if bit t of its line and destination "
                "differ.",
     .trial = {"lockstep run --machine indirect-cube:8 --algorithm allgather/doubling"}},
    {.family = "data-manipulator",
     .built = "log2 K stages of K cells. In stage t a cell passes one message on to its own line or to the one "
              "2^(n-1-t) above or below, modulo K = 2^n; every cell is set for itself.",
     .reason = "It moves data by distances instead of bits, and has several ways for most messages: it passes what an "
               "Omega network passes, and more.",
     .distances = "All messages pass all stages in one cycle. A cycle is refused only if no choice of ways parts all "
                  "messages, which is decided exactly.",
     .routing = "Each way is a sum of distances +-2^i or 0 that makes up the distance to the destination modulo K.",
     .trial = {"lockstep run --machine data-manipulator:8 --algorithm broadcast/tree"}},
};

}  // namespace lockstep::cli
