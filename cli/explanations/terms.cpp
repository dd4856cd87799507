#include "texts.hpp"

namespace lockstep::cli {

const std::vector<TermText> term_texts{
    // Time
    {.name = "cycle",
     .also = {},
     .text = "The unit of the emulated machine's time. In a cycle every processor may look at what has arrived, "
             "compute and "
             "send; a barrier ends the cycle for all. What is sent in cycle c can be received from c + 1 on, so that "
             "nobody "
             "can observe the order within a cycle. A cycle in which all sleep is skipped and still counts.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm broadcast/sbt --cycles"}},
    {.name = "step",
     .also = {"communication step"},
     .text =
         "A cycle in which at least one message moves. Steps are what papers count; their step t is cycle t - 1. There "
         "are fewer steps than cycles where everybody waits in between, as at a barrier for a late comer.",
     .trial = {"lockstep run --machine rh:2,1 --algorithm barrier/tree --arrivals 100"}},
    {.name = "start-up",
     .also = {"startup", "beta", "latency", "alpha"},
     .text = "What a packet costs however short it is: the time of software and wires before its first word moves. A "
             "message of s start-ups and w words costs s * beta + w * tau. Where --beta is large, methods with few "
             "steps win; "
             "where words dominate, those that keep all links busy. Later texts call it alpha, and tau beta.",
     .trial = {"lockstep best --operation allgather --machine hypercube:4 --words 1..1024*4 --beta 100"}},
    {.name = "tau",
     .also = {"transfer time"},
     .text =
         "The time of one word on a link, --tau; the inverse of the bandwidth. Johnsson & Ho write t_c for it; Saad & "
         "Schultz write tau for the start-up in 1988 and for the word in 1985.",
     .trial = {"lockstep run --machine ring:8 --algorithm broadcast/two-way --words 64 --beta 10 --tau 0.5"}},
    {.name = "synchronous time",
     .also = {"synchronous", "synchronous clock"},
     .text = "The modelled time of a machine in which everybody waits for everybody: for every cycle the costliest "
             "message, "
             "the largest local copy and the most arithmetic, added up over all cycles. For methods whose messages of "
             "a step "
             "are alike it is steps * beta + longest sum * tau.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm scatter/sbt --words 4 --beta 10"}},
    {.name = "asynchronous time",
     .also = {"asynchronous", "asynchronous clock"},
     .text = "The modelled time of a machine in which every message goes as soon as it can: when its data is there, "
             "and the "
             "ports at both ends are free. The run's time is the last arrival or end of a copy. No barrier is charged, "
             "so that it is never more than the synchronous time for the methods of the catalogue; the two are equal "
             "where all messages of a step are alike and every step waits for the one before.",
     .trial = {"lockstep compare --operation scatter --machine hypercube:4 --words 4 --by async"}},
    {.name = "switching",
     .also = {"cut-through", "circuit switching", "hop cost", "wormhole"},
     .text = "How a message that knows its path gets over d links: stored whole at every one, d (beta + w tau), or "
             "behind a header that goes on at once (cut through) or has set up a circuit, beta + d hop + w tau.",
     .trial = {"lockstep run --machine hypercube:6 --algorithm route/ecube --switching cut-through"}},
    {.name = "look at a block",
     .also = {"looks", "scanned blocks", "scan cost"},
     .text = "What a processor does to see whether a block is to be sent to a neighbour: it reads its label. Saad & "
             "Schultz leave the cost out of the formulas of their total exchanges and say so. Each look costs "
             "--scan-cost, 0 unless given; tea1 and tea2 look at all blocks at hand, once for every neighbour.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/tea2 --scan-cost 0.1"}},
    {.name = "lower bound",
     .also = {"bound", "optimal"},
     .text =
         "What no method can beat for the problem under the rules of the run: often the distance, how fast holders can "
         "double, or how many words have to pass the ports of one processor. A run that meets those of steps and of "
         "longest sum is called optimal. A bound that nobody meets may still be improved.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/tea2"}},
    {.name = "prediction",
     .also = {"predicted"},
     .text =
         "What the formulas of a method say that a run will count. An exact one that fails makes the run fail; a "
         "limit, "
         "\"at most\", may not be passed. --predict compares methods by their predictions alone, for machines of any "
         "size.",
     .trial = {"lockstep compare --operation broadcast --machine hypercube:30 --predict"}},
    {.name = "preset",
     .also = {"cost model"},
     .text =
         "The costs of a machine that was built: start-up, word, longest packet, copy. Flags that are given too win "
         "over it.",
     .trial = {"lockstep list presets"}},
    {.name = "copy cost",
     .also = {"local copy", "copied words"},
     .text =
         "The time of a word that is copied within a processor, --copy-cost, 0 unless it is given. Where it is not 0 "
         "it "
         "can be better to send two blocks as two start-ups than to copy them into one buffer: transpose/1d-buffered "
         "finds the length from which on that is so.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm transpose/1d-buffered --matrix 64x64 --beta 10 "
               "--copy-cost 1"}},
    {.name = "stage cost",
     .also = {"set-up of a network", "pass"},
     .text = "The time that setting the elements of one stage takes in a network (omega, inverse-omega, indirect-cube, "
             "data-manipulator), --stage-cost, 0 unless it is given. A start-up is a pass through all log2 K stages, "
             "and takes beta + log2 K times that. A crossbar has no stages.",
     .trial = {"lockstep run --machine omega:8 --algorithm allgather/doubling --stage-cost 2"}},
    // Counts
    {.name = "longest sum",
     .also = {"longest"},
     .text = "The words of the longest message of every cycle, summed over all cycles: what words alone would cost if "
             "every "
             "cycle waited for its longest message. Multiplied by tau it is the words' part of the synchronous "
             "time.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/adea --cycles"}},
    {.name = "message",
     .also = {},
     .text = "What crosses one link in one direction in one cycle; on a medium, one transaction or access. It may hold "
             "several blocks or packets, whose lengths add up. Labels, which say whose block it is, have no length.",
     .trial = {"lockstep trace --machine hypercube:2 --algorithm allgather/adea"}},
    {.name = "word",
     .also = {"words"},
     .text = "64 bits, the unit of all lengths. What --words means depends on the operation: the whole item in a "
             "broadcast, "
             "one processor's block in a gather, the block of one pair in an alltoall.",
     .trial = {"lockstep list algorithms broadcast/sbt"}},
    {.name = "block",
     .also = {},
     .text =
         "The words that share an origin or a destination, and so travel together. A message of several blocks that "
         "are not gathered in a buffer pays a start-up for each.",
     .trial = {"lockstep trace --machine hypercube:2 --algorithm alltoall/exchange"}},
    {.name = "packet",
     .also = {"packets", "max-packet"},
     .text = "A part of an item that travels by itself. Pipelined methods cut an item into --packets; the machine cuts "
             "what "
             "is longer than --max-packet words and charges a start-up for each part.",
     .trial = {"lockstep run --machine ring:8 --algorithm send/pipelined --words 64 --packets 8"}},
    {.name = "pipelining",
     .also = {"pipeline", "pipelined"},
     .text = "Packets follow each other: while one crosses the second link the next crosses the first. Over L links P "
             "packets "
             "of N words take S = L + P - 1 steps instead of the L P of one after the other, and (L+P-1) beta + "
             "((L-1) ceil(N/P) + N) tau. Few packets are long and slow to pass on, many cost start-ups; "
             "P = sqrt((L-1) N tau / beta) balances the two, and the default is the whole number that is best.",
     .trial =
         {"lockstep sweep --operation send --machine ring:16 --words 256 --beta 4 --vary packets=1..64*2 --predict"}},
    {.name = "busiest link",
     .also = {"busiest link words", "busiest link messages"},
     .text =
         "The most words that crossed one link in one direction during the run; messages are counted too. If all links "
         "carry as much, nothing is gained by sending other ways.",
     .trial = {"lockstep compare --operation alltoall --machine torus:4x4 --by busiest-link"}},
    {.name = "hops",
     .also = {"sum of hops"},
     .text =
         "The links that all messages of a run have crossed together. A message of a machine with links crosses one. "
         "One of the complete graph embedded in a ring or torus crosses as many as its ends are apart: recursive "
         "doubling on a ring of p takes p (p-1) of them, while Swing and Bine trees stay near.",
     .trial = {"lockstep run --machine ring:16 --embed complete:16 --algorithm allreduce/swing"}},
    {.name = "peak words held",
     .also = {"memory of a processor"},
     .text =
         "The most words that a processor had at any time, what only passed through included. Gathers collect; methods "
         "such as alltoall/cayley have one foreign message in passing at a time.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm gather/sbt --words 4"}},
    {.name = "digest",
     .also = {},
     .text = "A number made of all data that the processors hold in the end, and of all counts, modelled times and "
             "measures. "
             "Equal digests mean equal runs, so that two lines show at once that threads, executor and seed made no "
             "difference.",
     .trial = {"lockstep run --machine hypercube:6 --algorithm alltoall/exchange --executor seeded --schedule-seed 7"}},
    {.name = "phase",
     .also = {},
     .text = "A named part of an algorithm, said by the program with self.phase(name). Steps, messages, words and "
             "longest sum "
             "are counted for each.",
     .trial = {"lockstep run --machine rh:2,1 --algorithm scan/hub"}},
    // Rules
    {.name = "port model",
     .also = {"ports", "port"},
     .text =
         "How many messages a processor may send and receive in one cycle: one on one port and one on another (one), "
         "both on the same port (one-strict), or one on every port in every direction (all). Rings have a rule of "
         "their "
         "own, too (ring). A port is a processor's end of a link, numbered from 0. Papers say one-port and n-port, and "
         "mean different things by the "
         "first.",
     .trial = {"lockstep compare --operation allgather --machine hypercube:4 --ports one --ports all"}},
    {.name = "one-port",
     .also = {"one port", "single-port"},
     .text =
         "--ports one: a processor sends at most one message and receives at most one in a cycle; the two ports may "
         "differ. Two messages that are sent to one processor in one cycle break the rule. Holders of an item can at "
         "most double in a step.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm broadcast/sbt --ports one"}},
    {.name = "one-strict model",
     .also = {"one-strict", "strict one-port"},
     .text = "--ports one-strict: as one-port, and what a processor sends and receives in a cycle uses one and the "
             "same port. "
             "It is Johnsson & Ho's one-port. Exchanges keep to it, what goes round a ring does not.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/adea --ports one-strict"}},
    {.name = "all-port",
     .also = {"n-port", "all ports"},
     .text =
         "--ports all: one message on every port in every direction in a cycle. On an n-cube a method may then move n "
         "times as much, if it finds work for all links at once: tea2 and rotated trees do.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/tea2 --ports all"}},
    {.name = "ring's rule",
     .also = {"ring rule", "ring ports"},
     .text = "--ports ring, on rings only: in a cycle a processor sends on both ports, or sends on one and receives on "
             "one. It is the rule that Saad & Schultz give for their ring; nobody reads from both neighbours at once. "
             "A scatter both ways round keeps to it and the gather backwards does not, nor does a transfer over both "
             "arcs. Whether the send and the receive may use one link is said by --duplex, as elsewhere.",
     .trial = {"lockstep run --machine ring:9 --algorithm scatter/two-way --ports ring"}},
    {.name = "multicast",
     .also = {},
     .text =
         "One payload leaves on any set of ports as one send, --multicast on. Every copy is a message. With it one "
         "port "
         "can feed a whole pipelined tree. On a bus a transaction is a multicast by nature, and one message however "
         "many hear it.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm broadcast/sbt-pipelined --words 64"}},
    {.name = "duplex",
     .also = {"full duplex", "half duplex"},
     .text =
         "Whether both directions may be used in one cycle: full (both directions of a link), half-link (one direction "
         "of "
         "each link), half-node (a processor either sends or receives). Methods of exchanges take two steps for each "
         "without full duplex.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/adea --duplex half-node"}},
    {.name = "violation",
     .also = {"broken rule"},
     .text =
         "A send or receive that the rules of the machine forbid. It ends the run with the method, the cycle, the "
         "rank, "
         "the ports and the rule; nothing is ever put off silently. What takes two sides is judged at the barrier, so "
         "that no verdict depends on who ran first. The reports of methods in port models for which they are not "
         "made show the first one.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm allgather/tea1 --ports one", 2}},
    {.name = "livelock",
     .also = {},
     .text = "A run that goes on and gets nowhere. It cannot be told from one that is slow, so that a run is ended at "
             "--max-cycles. In a deadlock, on the other hand, nobody can go on, which is found at once.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm broadcast/sbt --max-cycles 2", 1}},
    {.name = "wait-for cycle",
     .also = {"circular wait"},
     .text =
         "Processors of which each waits for a message of the next, the last for the first: a deadlock. The emulator "
         "reports it with ranks, ports and since when, and as a graph. On wormhole networks the like happens with "
         "channels; here channels hold messages, and only programs can wait in a circle.",
     .trial = {}},
    {.name = "channel",
     .also = {"channels"},
     .text = "One direction of a link: a bounded first-in-first-out queue without locks, of one sender and one "
             "receiver. It "
             "holds two messages; a third is an overflow. Whether Boost's queues or compact ones are used makes no "
             "difference to any result.",
     .trial = {"lockstep run --machine ring:8 --algorithm broadcast/one-way --words 8 --packets 8 --channels compact"}},
    {.name = "executor",
     .also = {"threads"},
     .text = "What makes the processors run on the host: tbb (oneTBB), threads (standard threads), sequential (one "
             "thread) or "
             "seeded (one thread, a random order in every cycle, which its seed repeats). Data, counts and modelled "
             "times never depend on it; wall-clock times do.",
     .trial = {"lockstep run --machine hypercube:6 --algorithm scan/cube --executor threads --threads 2"}},
    {.name = "verified",
     .also = {"oracle"},
     .text =
         "All processors hold in the end, block by block, what an independent sequential oracle says, which "
         "shares no schedule and no address arithmetic with the method. Data is generated so that every single message "
         "matters.",
     .trial = {"lockstep run --machine rh:2,1 --algorithm reduce/tree --operator concat"}},
    {.name = "schedule",
     .also = {"plan"},
     .text =
         "Who sends what over which link in which step, as a value: it can be written to a file, changed, checked "
         "against the rules and carried out. Where a schedule needs a view of the whole machine, a planner makes it "
         "beforehand, and no processor looks at another's state.",
     .trial = {"lockstep plan --machine path:3 --algorithm alltoall/factor"}},
    // Machines
    {.name = "rank",
     .also = {"processor"},
     .text =
         "The number of a processor, from 0 to N - 1. How ranks lie in a machine is its numbering: on a hypercube bits "
         "are dimensions, on a torus the first coordinate is the most significant.",
     .trial = {"lockstep info mesh:2x3"}},
    {.name = "medium",
     .also = {"media", "kstar"},
     .text = "What processors share instead of having links of their own: a bus, a memory, a crossbar or a network of "
             "stages. "
             "kstar is how many transactions of a bus or accesses to a memory fit into one cycle.",
     .trial = {"lockstep compare --operation broadcast --machine bus:8 --machine shared:8,kstar=2 --machine switch:8"}},
    {.name = "bank",
     .also = {"banks", "memory bank", "bank conflict"},
     .text = "A part of a shared memory that serves one processor a cycle: slot s is in bank s mod B on "
             "shared:K,kstar=S,banks=B. Schedules put what is used at a time into different banks; without banks=B "
             "there are no conflicts.",
     .trial = {"lockstep compare --operation allgather --machine shared:8,kstar=4 --machine "
               "shared:8,kstar=4,banks=2"}},
    {.name = "diameter",
     .also = {"distance"},
     .text = "The greatest distance between two processors, in links; what has to get from anybody to everybody takes "
             "at least so many steps.",
     .trial = {"lockstep info torus:4x4"}},
    {.name = "bisection width",
     .also = {"bisection"},
     .text = "The fewest links whose removal parts the processors into two halves, equal up to one. In an alltoall "
             "half of the "
             "blocks of each half have to cross it, N^2/4 in either direction, so that it bounds how fast that can go.",
     .trial = {"lockstep info hypercube:4"}},
    {.name = "status",
     .also = {"average status", "average distance"},
     .text =
         "Of a processor: the sum of its distances to all others. The average status AS, over all processors, bounds a "
         "total exchange with one port: the messages have AS N links to cross, and at most N cross one in a step, so "
         "that it takes at least AS steps, rounded up. The average distance is the status divided by N - 1.",
     .trial = {"lockstep info torus:4x4"}},
    {.name = "tree bound",
     .also = {"articulation vertex"},
     .text =
         "A processor through which all ways between some parts of the machine lead has to pass on all that goes "
         "between them, besides its own N - 1 messages. On trees and paths this bound on a total exchange is far above "
         "the average status.",
     .trial = {"lockstep info path:9"}},
    {.name = "dilation",
     .also = {"embedding"},
     .text = "Of an embedding of one machine in another: how many links of the host an edge of the guest becomes. A "
             "reduced "
             "hypercube emulates the hypercube of its size with edges of length 1, 3, .. up to 2N + 1, so that an "
             "algorithm "
             "of the cube runs on it with each step so much longer, and longer still where paths share links.",
     .trial = {"lockstep info rh:3,2 --embed ccc:4"}},
    {.name = "emulation",
     .also = {"emulate", "embed", "guest", "slowdown"},
     .text =
         "A method of one machine, the guest, runs on another, the host: whatever its processors send in a cycle is "
         "carried over the host's links, from processor to processor, before its next cycle begins. So a step of "
         "the guest becomes several of the host; the slowdown says how many. --emulate hypercube does so on reduced "
         "hypercubes; --embed runs grids on hypercubes, where Gray codes leave every link a link.",
     .trial = {"lockstep run --machine rh:2,2 --emulate hypercube --algorithm allgather/adea"}},
    {.name = "congestion",
     .also = {"expansion"},
     .text =
         "Of an embedding: the most edges of the guest whose paths share a link of the host, in one direction; of a "
         "run on it, the most messages over a link in one step of the guest. No order of sending needs fewer steps. "
         "The expansion is the number of the host's processors for one of the guest.",
     .trial = {"lockstep info hypercube:5 --embed torus:4x8"}},
    {.name = "Gray code",
     .also = {"Gray", "binary-reflected Gray code"},
     .text =
         "An order of all numbers of n bits in which neighbours differ in one bit: the i-th is i xor (i >> 1). As the "
         "last and the first differ in one bit, too, it is a ring through all processors of a hypercube. "
         "Matrices may be spread by it, so that neighbouring rows lie in neighbouring processors.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm allgather/daisy-chain"}},
    {.name = "Cayley graph",
     .also = {"generator"},
     .text =
         "A machine whose processors are the elements of a group, each linked to its products with some fixed "
         "elements, "
         "the generators. It looks the same from everywhere: one schedule, written for one processor, serves all, "
         "and nobody is in the way of anybody. Hypercubes, rings, tori, star graphs and reduced hypercubes are some.",
     .trial = {"lockstep run --machine star:4 --algorithm alltoall/cayley"}},
    {.name = "product of machines",
     .also = {"factor", "mixed radix"},
     .text =
         "A machine with a processor for every tuple of processors of its factors, linked where one factor has a link. "
         "A total exchange of the product can be put together from optimal ones of the factors. Ranks are mixed radix, "
         "the first factor most significant.",
     .trial = {"lockstep run --machine mesh:3x4 --algorithm alltoall/product"}},
    {.name = "building block",
     .also = {"subblock", "layer", "hub"},
     .text =
         "Of a reduced hypercube RH(K,N): a K-cube whose every node has one link out. The node's highest N bits, the "
         "subblock, say where that leads; the other bits are the layer. The hub is the node that collects a "
         "block's total in a scan.",
     .trial = {"lockstep info rh:2,1"}},
    {.name = "admissible permutation",
     .also = {"admissible", "omega passes"},
     .text =
         "A permutation that an Omega network passes in one cycle, as no two messages want the same output of an "
         "element. Of the K! permutations 2^((K/2) log2 K) are admissible: the cyclic shifts and the exchanges "
         "over one "
         "bit among them, bit reversal not (for K >= 4). As many others pass an inverse Omega network or an indirect "
         "binary n-cube, and all that pass an Omega network pass a data manipulator.",
     .trial = {"lockstep run --machine omega:8 --algorithm alltoall/exchange"}},
    // Algorithms
    {.name = "spanning tree",
     .also = {"tree"},
     .text = "Links that connect all processors without a circle. Data that follows one from its root reaches "
             "everybody once, "
             "over N - 1 links; turned round, it gathers or reduces. Trees differ in depth, in how "
             "their subtrees share the work, and in how many fit beside each other without a common link.",
     .trial = {"lockstep trace --machine hypercube:3 --algorithm broadcast/sbt"}},
    {.name = "spanning binomial tree",
     .also = {"SBT", "binomial tree"},
     .text =
         "The tree of the hypercube in which a processor's parent has the highest one bit of its address cleared "
         "(relative to the root). In step j the holders double over dimension j - 1. The subtree behind port d of the "
         "root "
         "has 2^(n-1-d) nodes: half of all hang on one link, which scatters feel. Reflected it corrects bits from the "
         "other end, rotated by r it begins with dimension r.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm broadcast/sbt"}},
    {.name = "spanning balanced n-tree",
     .also = {"SBnT", "necklace"},
     .text =
         "A tree of the n-cube whose n subtrees at the root have about N/n nodes each. A node belongs to the subtree "
         "of its base: how far its address has to be turned right to become its smallest rotation. Addresses that are "
         "rotations of each other (a necklace) are shared out among the subtrees, so that with all ports a scatter "
         "feeds all links of the root alike.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm scatter/sbnt"}},
    {.name = "multiple spanning binomial trees",
     .also = {"MSBT", "ERSBT", "edge-disjoint trees"},
     .text =
         "n binomial trees of the n-cube that have no directed link in common: tree j hangs on the root's neighbour "
         "over "
         "dimension j and uses the dimensions in an order turned by j. Each of them is an ERSBT, a binomial tree with "
         "one edge reversed, as the real root, otherwise its neighbour's child, feeds it. Parts of an item go down all "
         "trees at once. They are due to Johnsson & Ho. Rotated trees, as in scatter/rotated-sbt-halving, are related, "
         "but all begin "
         "at the root itself and so share its links.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm scatter/rotated-sbt-halving --words 4"}},
    {.name = "double-rooted binary tree",
     .also = {"DRBT", "spacer"},
     .text =
         "A complete binary tree of 2^d - 1 nodes with one node more, the spacer, on an edge at the root, so that it "
         "has "
         "the 2^d nodes of a hypercube and spans it: a complete binary tree alone does not fit for d > 2. On reduced "
         "hypercubes it says where data enters and leaves building blocks.",
     .trial = {"lockstep run --machine rh:2,1 --algorithm broadcast/drbt"}},
    {.name = "recursive doubling",
     .also = {"doubling", "recursive halving", "dimension exchange"},
     .text =
         "After step j everybody knows what its group of 2^j processors knows: neighbours in one dimension exchange "
         "all "
         "they have. Messages double, so that log2 N steps move (N-1) m words, which is as few as can be. Backwards, "
         "with messages that halve, it scatters.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm allgather/adea --cycles"}},
    {.name = "store-and-forward",
     .also = {},
     .text = "A processor takes in a whole message before it sends it on, so that L links take L times as long as one. "
             "Everything here works so; shorter packets, which follow each other, make up for it.",
     .trial = {"lockstep run --machine ring:8 --algorithm send/store-and-forward --words 64"}},
    {.name = "disjoint paths",
     .also = {"edge-disjoint", "node-disjoint"},
     .text =
         "Paths between two processors that share no link (or meet nowhere between). An n-cube has n from everybody to "
         "everybody: i of length i over the differing bits, and n - i of i + 2, which begin and end with another "
         "dimension. "
         "A long item goes over all of them at once.",
     .trial = {"lockstep trace --machine hypercube:3 --algorithm send/disjoint-paths --destination 1 --words 3"}},
    {.name = "e-cube routing",
     .also = {"e-cube", "dimension-order routing"},
     .text =
         "Packets correct the differing bits of their address in a fixed order, the lowest first. The way depends on "
         "nothing else, so that packets of some patterns meet on one link while others are idle.",
     .trial = {"lockstep run --machine hypercube:6 --algorithm route/ecube --pattern bit-reversal"}},
    {.name = "bitonic sort",
     .also = {"compare-split", "Batcher"},
     .text =
         "Batcher's network for the hypercube: for stages st = 0 .. n-1, for dimensions st .. 0, partners "
         "exchange what they have and one keeps the lower half, the other the higher. n(n+1)/2 exchanges, whatever the "
         "data.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm sort/bitonic --words 4"}},
    {.name = "storage form",
     .also = {"consecutive", "cyclic", "data layout"},
     .text = "Which bits of the row and column numbers of a matrix element choose its processor: the highest "
             "(consecutive), the lowest (cyclic), some in between (combined) or some of both (split), in binary or "
             "Gray code. "
             "To convert or transpose is to exchange such bits.",
     .trial =
         {"lockstep run --machine hypercube:2 --algorithm convert/exchange --from row-consecutive --to row-cyclic"}},
    {.name = "shuffle",
     .also = {"perfect shuffle", "unshuffle"},
     .text = "The permutation that turns the bits of every address left by one, as when two halves of a pack of cards "
             "are interleaved. p shuffles transpose a matrix of 2^p x 2^q.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm permute/shuffle"}},
    {.name = "total exchange",
     .also = {"multiscatter", "all-to-all"},
     .text = "A name for two operations: in Saad & Schultz the allgather (everybody's block to everybody), in "
             "Dimakopoulos & "
             "Dimopoulos the alltoall (a different block for everybody), which the former call multiscatter. Lockstep "
             "has MPI's names.",
     .trial = {"lockstep list algorithms alltoall/product"}},
    {.name = "personalized communication",
     .also = {"personalized"},
     .text = "Johnsson & Ho's word for operations in which every receiver gets data of its own: one-to-all "
             "personalized is a "
             "scatter, all-to-all personalized an alltoall. Without it, one-to-all is a broadcast.",
     .trial = {"lockstep list algorithms some-to-all"}},
    {.name = "relabelling",
     .also = {"root", "symmetry"},
     .text =
         "A schedule for root 0 becomes one for root R when every address x is replaced by its image under a symmetry "
         "of the machine: x xor R on a hypercube, x + R modulo the size on a ring. No count depends on the root then.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm broadcast/sbt --root 0b1010"}},
    {.name = "Hamming distance",
     .also = {"differing bits"},
     .text = "In how many bits two addresses differ: on a hypercube the length of the shortest way between them.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm send/store-and-forward --destination 0b0110"}},
    {.name = "trace",
     .also = {"observer"},
     .text = "Every message of a run, taken down by an observer at the barrier of its cycle: shown cycle by cycle, or "
             "written "
             "for other programs. An observer that changes nothing changes nothing.",
     .trial = {"lockstep trace --machine ring:4 --algorithm allgather/daisy-chain"}},
    {.name = "seed",
     .also = {"schedule seed"},
     .text =
         "--seed chooses the generated data, and whatever else is random about an operation; --schedule-seed the order "
         "in "
         "which the seeded executor resumes processors. Runs with equal seeds are equal, with another --schedule-seed "
         "too.",
     .trial = {"lockstep run --machine hypercube:4 --algorithm permute/two-alltoall --seed 2"}},
};

}  // namespace lockstep::cli
