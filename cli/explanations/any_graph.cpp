#include "explanation.hpp"

// Methods of any connected machine.
namespace lockstep::cli {

extern const std::vector<Explanation> any_graph_explanations{
    {.method = "allgather/bfs-tree",
     .families = "",
     .idea = "All blocks go up a breadth-first tree to its root, each node sending all that its subtree has in one "
             "message. Then every child is sent what its subtree lacks. The root is in the middle of the machine, so "
             "that the tree is as low as can be.",
     .invariant = "When a node has sent up, its parent has the blocks of its whole subtree; when it has been sent to, "
                  "it has all.",
     .count = "n(root) steps up and as many down with one port, the height h with all ports, where n(root) is what a "
              "broadcast down the tree needs: 2 (P - 1) messages. Everybody receives every other block once: P (P - 1) "
              "w words. The longest sum is that of the largest subtrees, and of all but the smallest, step by step.",
     .use = "On machines for which there is nothing else, such as graphs from files. Messages are few and long: on "
            "rings and meshes allgather/daisy-chain or allgather/two-pass have a shorter longest sum.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep run --machine mesh:4x4 --algorithm allgather/bfs-tree` and the same with --ports all: "
                 "which steps are saved? `lockstep compare --operation allgather --machine mesh:4x4` sets it beside "
                 "the others: at which beta does it win?"},
    {.method = "allreduce/bfs-tree",
     .families = "",
     .idea = "Vectors are combined on the way up a breadth-first tree, whose root is in the middle of the machine, and "
             "the result goes down again. Subtrees are no ranks in a row, so the operator has to commute.",
     .invariant = "A message up stands for all ranks of its sender's subtree. A message down is the whole result.",
     .count = "2 n(root) steps with one port, 2 h with all, n(root) + h with one and multicast; 2 (P - 1) messages of "
              "m words.",
     .use = "For short vectors on any machine: no method of whole vectors has fewer messages. Long vectors on rings "
            "and tori: allreduce/ring, allreduce/torus.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep compare --operation allreduce --machine torus:4x4 --words 16` and --words 1600: from which "
                 "length on is the ring better?"},
    {.method = "barrier/bfs-tree",
     .families = "",
     .idea = "Whoever has arrived, and has the tokens of all its children in a breadth-first tree, sends its own to "
             "its parent. The root is in the middle of the machine; when it has all, a broadcast releases everybody.",
     .invariant =
         "A token stands for all arrivals in its sender's subtree. Nobody is released before the last has arrived.",
     .count = "If all arrive in cycle 0, n(root) steps up and down with one port, h with all: 2 n(root) or 2 h, and 2 "
              "(P - 1) messages. With --arrivals tokens set out at different times, which the planner knows from the "
              "seed: its count is exact too.",
     .use = "On machines other than cubes and reduced hypercubes, which have barrier/tree.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep run --machine ring:9 --algorithm barrier/bfs-tree --arrivals 20`: how soon after the last "
                 "arrival can the last release come, and which rank has to be last for that?"},
    {.method = "broadcast/bfs-tree",
     .families = "",
     .idea =
         "Every processor hangs below the first that finds it in a breadth-first search from the root, so that its way "
         "down the tree is a shortest one. With one port a node serves the child first whose subtree needs most steps. "
         "In packets (--packets) everything happens again and again, as soon as the busiest node is free.",
     .invariant = "After step t all nodes v have the item with a(v) <= t: a child's a is its parent's and its place "
                  "among the children, or 1 with all ports.",
     .count = "With all ports as many steps as the farthest processor is away. With one port n(root), where a leaf "
              "needs n = 0 steps and a node the most of i + n(i-th child): serving the greatest n first is best for "
              "the tree, as exchanging two neighbours in the order shows. P - 1 messages. nu packets take t (nu - 1) "
              "steps more, t being the most that a node has to do for a packet.",
     .use = "On any machine, in particular a graph of one's own. With all ports its steps are the bound. On cubes "
            "broadcast/sbt is as quick with one port; for long items on machines of high degree a path of packets may "
            "be better.",
     .paper = "Of no paper; the order of children is that of broadcast/drbt (Mukherjee, chapter 2).",
     .exercise = "`lockstep run --machine mesh:4x4 --algorithm broadcast/bfs-tree --root 5`: is the bound met? Then "
                 "--words 64 --packets 8: what does a packet more cost, and why is that so many steps?"},
    {.method = "gather/bfs-tree",
     .families = "",
     .idea = "The scatter backwards: a node that has the blocks of its whole subtree sends them to its parent in one "
             "message.",
     .invariant = "When a node has sent, its parent has the blocks of its whole subtree.",
     .count = "n(root) steps with one port, h with all, P - 1 messages. A block crosses as many links as its processor "
              "is away from the root. The longest message of a step is that of the largest subtree that sends.",
     .use = "On any machine where start-ups are dear. gather/two-way on rings and paths has the shortest longest sum.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep compare --operation gather --machine path:8 --ports all --words 10`: which method has "
                 "fewer words in the longest messages, and at what price?"},
    {.method = "reduce/bfs-tree",
     .families = "",
     .idea = "The broadcast backwards: a node combines its value with what comes from its children, and sends the "
             "result to its parent. Subtrees are no ranks in a row, so the operator has to commute.",
     .invariant = "A message stands for all ranks of its sender's subtree.",
     .count = "The steps of broadcast/bfs-tree: n(root) with one port, h with all; P - 1 messages of w words.",
     .use = "On any machine, for operators that commute. On cubes and reduced hypercubes reduce/tree keeps the order "
            "of the operands.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep run --machine star:4 --algorithm reduce/bfs-tree --operator max` and --root 23: why are "
                 "the steps the same?"},
    {.method = "scan/in-order-tree",
     .families = "",
     .idea = "A subtree of a breadth-first tree has runs of ranks in a row. Up go the results of all runs, put "
             "together wherever they meet; down go the prefixes that end before each run, from which a node tells "
             "those of its children.",
     .invariant = "A message up has one result for each run of its sender's subtree; a message down has one prefix for "
                  "each of them, but for the run that begins with rank 0.",
     .count = "At most 2 n(root) steps with one port, 2 h with all, and at most 2 (P - 1) messages; a subtree that "
              "needs no prefix is sent none. Words are w times the runs of all subtrees, up and down, less those that "
              "begin with rank 0.",
     .use = "On any machine, for any associative operator. On cubes scan/cube, on reduced hypercubes scan/hub have "
            "messages of one value.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep run --machine path:9 --algorithm scan/in-order-tree --operator concat` has messages of one "
                 "value; `lockstep run --machine star:4 --algorithm scan/in-order-tree` has longer ones. Why?"},
    {.method = "scatter/bfs-tree",
     .families = "",
     .idea = "The root sends every child, in one message, the blocks of the child's whole subtree in a breadth-first "
             "tree; every node does the same with what it gets. With one port the child comes first whose subtree "
             "needs most steps.",
     .invariant = "A node that has been sent to has the blocks of all of its subtree that has not.",
     .count = "n(root) steps with one port, h with all, P - 1 messages. A block crosses as many links as its processor "
              "is away from the root. The longest message of a step is that for the largest subtree that is served.",
     .use = "On any machine where start-ups are dear. scatter/two-way on rings and paths has the shortest longest sum.",
     .paper = "Of no paper. docs/algorithms/any-graph.md derives the counts.",
     .exercise = "`lockstep run --machine mesh:3x3 --algorithm scatter/bfs-tree --root 4`: which of the messages of a "
                 "step is the longest, and would another tree do better?"},
};

}  // namespace lockstep::cli
