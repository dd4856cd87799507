#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> send_explanations{
    {
        .method = "send/direct",
        .families = "bus, switch, omega, inverse-omega, indirect-cube, data-manipulator",
        .idea = "A bus and a switch connect everybody with everybody. The source sends the whole item to the "
                "destination in one message, with nobody between.",
        .invariant = "Before the one step only the source has the item, after it the destination too.",
        .count = "1 step, 1 message, N words, longest sum N: the time is beta + N tau. Every one of these is a bound.",
        .use = "It is the only send on these machines. As there is one hop, packets would only add start-ups. The "
               "distance of two processors does not matter; what they share with others does: a bus carries one such "
               "message a step, a switch up to k of them.",
        .paper = "Saad & Schultz 1988, (3.1) for the bus and section 3.1(f) for the switch, \"one to one\"; nothing is "
                 "wrong with them.",
        .exercise =
            "`lockstep compare --operation send --machine bus:16 --machine switch:16 --machine ring:16 --machine "
            "hypercube:4 --words 64 --ports one`: what does the distance cost on the ring and on the cube, and how "
            "much of that is left with packets? Which price of the bus does a single send not show?",
    },
    {
        .method = "send/direct",
        .families = "shared",
        .idea = "The source writes the item into a slot of the memory, and in the next step the destination reads it "
                "from there. What is written in a step can be read from the next one on, not earlier.",
        .invariant = "After step 1 the item is in the memory, after step 2 the destination has it.",
        .count = "2 steps, 2 messages (a write and a read), 2 N words, longest sum 2 N: everything crosses the way to "
                 "the memory twice. kstar does not matter, as only one processor is there at a time.",
        .use = "It is the only send through a memory. A bus or a switch does it in one step.",
        .paper = "Saad & Schultz 1988, (3.2), \"one to one\" with shared memory. Table 1 counts one start-up where the "
                 "text and the schedule have two (erratum B24).",
        .exercise = "`lockstep run --machine shared:6,kstar=4 --algorithm send/direct --words 10` takes 22. Sketch a "
                    "send in two packets in which the destination reads the first while the source writes the second: "
                    "what kstar does it need, how long does it take, and for which beta is it quicker?",
    },
    {
        .method = "send/disjoint-paths",
        .families = "",
        .idea = "A processor has several links, and as many ways to the destination can be found that have no link in "
                "common: n on a cube, two on a ring, four on a torus of two dimensions, six of three, and on a mesh as "
                "many as the ends have links, unless there are fewer lines between them. The item is cut in equal "
                "parts, one for "
                "each way, and all parts travel at once, each as a pipeline of nu packets. On a cube path r corrects "
                "the differing bits in cyclic order from the r-th on; every other dimension e gives a path that goes "
                "over e first, corrects all, and comes back over e.",
        .invariant = "After step t the destination has received the packets 0 to t - L of each path of L links, as far "
                     "as there are any; the processor h links along it the packets 0 to t - h.",
        .count =
            "All paths have nu packets; the longest of L links ends last: nu - 1 + L steps. Messages: nu times "
            "the links of all paths; words: over the paths, links times the words of the part. On a cube, at "
            "distance i, that is nu (i^2 + (n-i)(i+2)), and L = i if i = n, else i + 2; on a ring nu k and L = k "
            "- d; on a torus of sides of 5 or more, or inside a mesh, all paths have |x| + |y| + 2 links each if x "
            "and y are not 0. Where the page has no table of paths, near walls and on small tori, a search finds "
            "the set with the fewest links together. With w "
            "paths a packet has N/(w nu) words: longest sum S N / (w nu) if w nu divides N.",
        .use = "For long items with all ports: over w paths the longest sum comes near N/w, for a few links more. "
               "Where paths differ in length send/disjoint-paths-balanced is quicker. Short items take one path: "
               "send/pipelined.",
        .paper = "Saad & Schultz 1985, Prop. 3.1 and 3.2, and 1988, (3.6), (3.11), Prop. 3.3, \"one to one\". Closed "
                 "forms are lower bounds for whole numbers of packets (errata A2, B2). The ring needs a destination "
                 "that reads from both neighbours, which the paper's rule does not list (B4). That no four paths are "
                 "shorter on average than distance + 2 (Lemma 3.1) fails with wrap-around links (B6); the paths of "
                 "Prop. 3.2 need s >= 5 and are not the shortest (B7); over all pairs the longest has max(2h+2, h+4, "
                 "7) links, h = floor(s/2) (B8, on (3.12)). Table 2 lacks a factor 2 of the start-ups (B24).",
        .exercise = "`lockstep trace --machine hypercube:3 --algorithm send/disjoint-paths --destination 3`: follow "
                    "the three paths; which one arrives late? Then `lockstep sweep --operation send --machine ring:16 "
                    "--vary destination=1..8 --words 64 --beta 4 --predict`: why is the nearest destination the "
                    "slowest here, and from which distance on do both arcs beat one?",
    },
    {
        .method = "send/disjoint-paths-balanced",
        .families = "",
        .idea = "The paths of send/disjoint-paths, but not as many packets on each: a path of L links gets S + 1 - L "
                "of them, so that all paths end together, in step S. S is the least number of steps in which all paths "
                "together have room for the packets. Paths that are too long get none, and so one method does for all "
                "lengths.",
        .invariant = "After step t the destination has received the packets 0 to t - L of each path of L links, as far "
                     "as there are any; no other sharing of the packets over these paths ends before step S.",
        .count =
            "w paths in use of H links in all have room for w (S + 1) - H packets: S = ceil((P + H - w) / w) for P "
            "packets in all. Messages and words: over the paths, links times packets, and links times words. A packet "
            "has N/P words: longest sum S N / P if P divides N. If packets differ by a word the longer ones go first "
            "and are shared in the same way, so that no sharing over these paths has a smaller longest sum.",
        .use = "With all ports, on cubes and rings for any item: few packets all take the shortest path, as in "
               "send/pipelined, many use all links. Where all paths are equally long send/disjoint-paths is as good. "
               "The four paths on a torus are all longer than the shortest path, unless the ends are neighbours; so "
               "short items are quicker there by send/pipelined.",
        .paper = "After Saad & Schultz 1988: the text announces the best sharing over both arcs behind (3.6) without "
                 "formulas, and has a remark on unequal paths behind (3.12). The sharing is Lockstep's own; the paths "
                 "are those of (3.11), Prop. 3.3.",
        .exercise = "`lockstep run --machine torus:5x5 --algorithm send/disjoint-paths-balanced --words 64 --packets "
                    "16 --destination 1` has paths of 1, 3, 5 and 7 links: how many packets on each give 7 steps? "
                    "`lockstep run --machine torus:5x5 --algorithm send/disjoint-paths --words 64 --packets 4 "
                    "--destination 1` sends the same packets in 10. What would 12 packets take?",
    },
    {
        .method = "send/pipelined",
        .families = "",
        .idea =
            "The item goes along one shortest path, in packets one behind the other. While a processor on the way "
            "passes a packet on it receives the next; so all links of the path work at once, and a link of distance "
            "costs the time of a packet, not that of the item. On a cube the path corrects the lowest differing bit "
            "first; on a ring it takes the shorter arc; on a torus or a mesh it goes along the last dimension, then "
            "along the one before.",
        .invariant = "After step t the processor d > 0 links along the path has received the packets 0 to t - d and "
                     "passed on those before t - d, as far as there are any.",
        .count =
            "The last packet leaves in step nu and crosses d links: d + nu - 1 steps. Every packet crosses every link: "
            "d nu messages, d N words. Longer packets go first: longest sum (d - 1) ceil(N/nu) + N. The time is least "
            "near nu = sqrt((d - 1) N tau / beta), where it is near (sqrt(N tau) + sqrt((d - 1) beta))^2.",
        .use =
            "With one port, for items that are long against beta/tau; for one link, or very short items, it is "
            "send/store-and-forward. With all ports and long items send/disjoint-paths-balanced. Under half-node "
            "duplex, where no processor receives and sends in one step, packets leave two steps apart: d + 2 (nu - 1) "
            "steps for d > 1.",
        .paper = "Saad & Schultz 1985, section 3, (3.1), and 1988, (3.4), (3.5), (3.8), (3.14), \"one to one\". The "
                 "best number of packets is printed as sqrt(i tau / beta); it is sqrt((i-1) m tau / beta), which alone "
                 "gives (3.1) (erratum A1). The closed forms are lower bounds for whole numbers, for one hop too small "
                 "by exactly beta (A2, B2). \"nu = m\" after (3.5) is nu = N (B3). Section 2(e), either read or write, "
                 "can be meant for a channel only: read for a processor this takes L + 2 (P-1) steps (B5).",
        .exercise = "`lockstep sweep --operation send --machine hypercube:5 --vary packets=1..64*2 --words 64 --beta 4 "
                    "--predict`: which number is best, and is it the formula's? Then `lockstep run --machine "
                    "hypercube:5 --algorithm send/pipelined --words 64 --beta 4 --destination 1`: the square formula "
                    "says 64, the run 68. Whose is the missing start-up?",
    },
    {
        .method = "send/store-and-forward",
        .families = "",
        .idea = "The whole item goes along a shortest path from processor to processor; each has received it "
                "completely before it sends it on. The path is that of send/pipelined.",
        .invariant = "After step t the item is t links along the path, and nothing of it is farther.",
        .count = "d links, one after the other: d steps, d messages, d N words, longest sum d N; the time is d (beta + "
                 "N tau). The steps are a bound, the words are d times theirs, since only one link works at a time.",
        .use = "For short items: while (d - 1) floor(N/2) tau <= beta a second packet costs more than it saves, and so "
               "does every further one. Otherwise send/pipelined, or with all ports send/disjoint-paths-balanced.",
        .paper = "Saad & Schultz 1988, (3.3), \"one to one\" on the ring; the same with one packet on cube and grids. "
                 "As printed the time is i (tau + N) / b; it is i (tau + N/b) in the paper's letters, tau the start-up "
                 "and 1/b the time of a word (erratum B1).",
        .exercise = "`lockstep sweep --operation send --machine ring:16 --destination 8 --vary words=1..8 --beta 16 "
                    "--ports one --predict`: up to which length is it as good as send/pipelined? Derive (d - 1) "
                    "floor(N/2) tau <= beta from the times of one and two packets. The best real number of packets, "
                    "sqrt((d - 1) N tau / beta), passes 1 at 2.3 words already: why is that too early?",
    },
};

}  // namespace lockstep::cli
