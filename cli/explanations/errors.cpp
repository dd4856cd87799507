#include "texts.hpp"

namespace lockstep::cli {

const std::vector<ErrorText> error_texts{
    {.kind = ErrorKind::no_link,
     .meaning =
         "A processor used a port that has no link (the end of a path, a side of 1), a port that the machine does "
         "not have, or on a bus or switch a rank, on a memory a slot, that does not exist.",
     .provoking =
         "No method of the catalogue does. A program of one's own does on path:3 with `self.send(1, x)` in "
         "rank 0: port 1 leads down, and below rank 0 there is nobody. A schedule that sends where no link leads "
         "is refused before it runs, as invalid-schedule.",
     .trial = {"echo '{\"steps\": [[[0,2,0,2]]]}' | lockstep validate - --machine path:3", 1},
     .mending =
         "Ask first: self.has_link(port) and self.neighbour(port). lockstep info MACHINE says where ports lead."},
    {.kind = ErrorKind::link_down,
     .meaning = "A processor sent over a link that has failed in this cycle or before, or to a processor that has: of "
                "what --fail-link and --fail-processor say.",
     .provoking = "Let a link fail that a method needs and does not ask for.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm broadcast/sbt --fail-link 0-2", 1},
     .mending = "Ask first: self.is_up(port). `lockstep explain broadcast/msbt-redundant` is a method that does."},
    {.kind = ErrorKind::send_limit,
     .meaning = "A processor sent more in one cycle than the port model or the link allows: a second message under "
                "--ports one, a second one on the same port under --ports all, or one payload on several ports without "
                "--multicast.",
     .provoking = "Run a method for all ports with one. It is refused beforehand with what would have happened; --json "
                  "names the kind.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm allgather/tea1 --ports one", 2},
     .mending = "Send the second message in a later cycle (co_await self.cycle() between them), or let `co_await "
                "spread(self, ports, x)` take as many cycles as the port model asks for. Of a method: lockstep list "
                "algorithms NAME says for which port models it is made."},
    {.kind = ErrorKind::overflow,
     .meaning =
         "A message was sent into a channel that is full: two messages lay in it, not taken in earlier cycles. "
         "A place that is vacated in cycle c is free from c + 1 on, so that the verdict does not depend on who came "
         "first.",
     .provoking = "No method of the catalogue does. A program does that sends in three cycles to somebody who sleeps: "
                  "`self.send(0, x); co_await self.cycle();` three times in rank 0 of ring:3, while rank 1 waits "
                  "with `co_await self.until(9)`.",
     .trial = {},
     .mending = "Take messages as they come, or let the sender wait for an answer. Queues of store-and-forward belong "
                "into the processor, not into the channel."},
    {.kind = ErrorKind::receive_limit,
     .meaning =
         "Under one port, two messages were sent to one processor in one cycle; or on a ring with the ring's rule, "
         "one to a processor that sent on both ports itself. It counts when they are sent, whenever the program "
         "takes them out.",
     .provoking = "Have one port gather what comes from two sides at once. It is refused beforehand.",
     .trial = {"lockstep run --machine torus:4x4 --algorithm gather/two-phase --ports one", 2},
     .mending = "One of the senders has to wait a cycle: a schedule has to know who sends to whom when, which the "
                "receiver cannot decide."},
    {.kind = ErrorKind::one_strict,
     .meaning = "Under --ports one-strict a processor sent on one port and received on another in the same cycle. The "
                "model allows an exchange with one neighbour in a cycle, nothing else.",
     .provoking = "Run a method in which data goes on while more comes in, as round a ring.",
     .trial = {"lockstep run --machine ring:5 --algorithm alltoall/factor --ports one-strict", 2},
     .mending = "Take --ports one if the machine allows it, or a method made of exchanges, such as allgather/adea or "
                "alltoall/exchange."},
    {.kind = ErrorKind::half_link,
     .meaning = "Both directions of one link carried a message in one cycle, under --duplex half-link.",
     .provoking = "Run a method in which neighbours exchange, and that has no form for half duplex.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm sort/bitonic --duplex half-link", 2},
     .mending =
         "Send one way in one cycle and the other way in the next. Methods such as allgather/adea have such a form "
         "and take it by themselves: lockstep list algorithms NAME, under duplex."},
    {.kind = ErrorKind::half_node,
     .meaning = "A processor sent and received in one cycle, under --duplex half-node.",
     .provoking = "Run a pipeline: whoever is between its ends passes one packet on while the next comes in.",
     .trial = {"lockstep run --machine ring:5 --algorithm alltoall/factor --duplex half-node", 2},
     .mending = "Let neighbours take turns, those of even and of odd parity, say, as allgather/tea1-grouped does; it "
                "takes about twice the steps."},
    {.kind = ErrorKind::medium_limit,
     .meaning = "In one cycle there were more transactions on a bus, or accesses to a memory, than its kstar.",
     .provoking =
         "No method of the catalogue does: all of them go through the processors in groups of kstar. A program "
         "does on bus:4 in which ranks 0 and 1 say `self.send(r, x)` in one cycle, each to another rank r.",
     .trial = {},
     .mending = "Let processors take turns, in groups of kstar: rank r in the cycle r / kstar. Or take a bus that "
                "serves more, bus:4,kstar=2."},
    {.kind = ErrorKind::blocked,
     .meaning = "Two messages wanted the same output of an element of an Omega network, an inverse Omega network or an "
                "indirect n-cube in one cycle, or some had no ways apart through a data manipulator. The error names "
                "two and the stage.",
     .provoking = "No method of the catalogue does: shifts, and exchanges over one dimension, pass. A program does on "
                  "omega:4 in which rank 0 says `self.send(1, x)` and rank 2 `self.send(0, x)` in one cycle.",
     .trial = {},
     .mending = "Part the permutation into several that pass, one a cycle; lockstep::omega_passes says of each whether "
                "it does, and lockstep::passes of the other networks. On switch:K all permutations pass."},
    {.kind = ErrorKind::write_conflict,
     .meaning = "Two processors wrote one slot of a memory in one cycle.",
     .provoking = "No method of the catalogue does. A program does on shared:2,kstar=2 in which both ranks "
                  "say `self.write(0, x)` in cycle 0.",
     .trial = {},
     .mending = "Give every processor slots of its own, as the methods on a memory do, or let them write in different "
                "cycles."},
    {.kind = ErrorKind::bank_conflict,
     .meaning = "Two processors had access to one bank of a memory in one cycle: slot s is in bank s mod banks, and a "
                "bank serves one processor a cycle. The error names the bank and all of them.",
     .provoking = "No method of the catalogue does. A program does on shared:2,kstar=2,banks=2 in which both ranks say "
                  "`self.write(2 * self.rank(), x)` in cycle 0: slots 0 and 2 are in bank 0.",
     .trial = {},
     .mending = "Spread what is used at a time over consecutive slots, or let processors take turns; "
                "lockstep info says how many banks there are. What all want to read can be copied, as broadcast/direct "
                "does."},
    {.kind = ErrorKind::nothing_arrived,
     .meaning =
         "A program took a message from a port at which none had arrived, or read a slot that nobody had written.",
     .provoking = "No method of the catalogue does. A program does with `self.receive(0)` in cycle 0: what others "
                  "send in cycle 0 can be received from cycle 1 on, never earlier.",
     .trial = {},
     .mending = "Wait for it: `co_await self.message(port)` sleeps until a message is there. Or ask: "
                "self.arrived(port)."},
    {.kind = ErrorKind::exception,
     .meaning = "The program of a processor threw an exception of its own, which ended the run. All other processors "
                "finish the cycle first.",
     .provoking = "No method of the catalogue does. A program does with `throw std::runtime_error(\"lost\");`.",
     .trial = {},
     .mending =
         "The error names the rank and the cycle and quotes the exception. Run with --executor sequential under a "
         "debugger: no result depends on the executor."},
    {.kind = ErrorKind::deadlock,
     .meaning =
         "Processors wait for messages that nobody will send: no program can go on, and not all have returned. "
         "The error has the cycle of waits (who waits on which port for whom, since when), or the chain of waits "
         "that leads to somebody whose program has ended, as text and as a graph of Graphviz.",
     .provoking = "No method of the catalogue does. A program does on ring:3 that begins with `co_await "
                  "self.message(1)` in all ranks: everybody waits for its neighbour to send first.",
     .trial = {},
     .mending = "Somebody has to send before it waits: co_await self.exchange(port, x) sends, ends the cycle and then "
                "receives. The cycle of waits says where to look."},
    {.kind = ErrorKind::livelock,
     .meaning = "The run went on past --max-cycles (10^9 if not given): processors are busy, or sleep until a cycle "
                "far away, and do not end.",
     .provoking = "Allow fewer cycles than the method needs.",
     .trial = {"lockstep run --machine hypercube:3 --algorithm broadcast/sbt --max-cycles 1", 1},
     .mending =
         "Give a limit a little above the predicted steps, so that a program that does not end is found at once, and "
         "look at the last cycles with lockstep trace."},
    {.kind = ErrorKind::undelivered,
     .meaning = "All programs have returned, and a message lies in a channel that nobody received. The error names the "
                "cycle in which it was sent.",
     .provoking = "No method of the catalogue does. A program does with `self.send(0, x); co_return;` in all ranks "
                  "of ring:3.",
     .trial = {},
     .mending =
         "Either nobody should have sent it, or its receiver ended too early: in a schedule of S steps it has to "
         "live until cycle S."},
    {.kind = ErrorKind::too_many_phases,
     .meaning = "The programs named more than 63 phases with self.phase(name).",
     .provoking = "No method of the catalogue does. A program does with `self.phase(std::to_string(i))` for i = 0..63.",
     .trial = {},
     .mending =
         "A phase is a part of an algorithm, such as \"gather\", not an iteration of it; for single cycles there are "
         "--cycles and lockstep trace."},
    {.kind = ErrorKind::count_overflow,
     .meaning =
         "The words or start-ups of messages, copied words, operations or looks at blocks add up to more than 64 "
         "bits hold, or those of one cycle were so many that they may have.",
     .provoking = "No method of the catalogue does. A program does that calls `self.compute(~std::uint64_t{0})` twice.",
     .trial = {},
     .mending =
         "No program does so much: look at what it passes to self.charge, self.compute and self.scan, and at what "
         "words() says of its messages."},
    {.kind = ErrorKind::interrupted,
     .meaning = "Somebody asked the run to stop: Ctrl-C (exit code 130), or another of the signals SIGHUP (129) and "
                "SIGTERM (143). The cycle at hand is finished, reports are written, outputs are taken back.",
     .provoking = "Press Ctrl-C while a long run is under way, or let a clock do it.",
     .trial = {"timeout --preserve-status --signal INT 1 lockstep run --machine hypercube:8 --algorithm "
               "alltoall/exchange --repeat 1000000 --quiet",
               130},
     .mending = "Predictions need no run: lockstep compare --predict. lockstep sweep --resume goes on where it was "
                "interrupted."},
    {.kind = ErrorKind::invalid_schedule,
     .meaning =
         "A schedule that the processors were to carry out breaks a rule or does not do its work: somebody sends "
         "what it does not hold, two messages on one port, or a block never arrives. It is found before anything "
         "runs, and said with the step, the processor and the messages.",
     .provoking = "Write a schedule of no steps for an operation that has work to do.",
     .trial = {"echo '{\"steps\": []}' | lockstep validate - --machine path:3", 1},
     .mending = "lockstep plan writes a schedule that is right: change it step by step. A schedule that needs several "
                "ports is right under --ports all."},
};

}  // namespace lockstep::cli
