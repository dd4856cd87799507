// Programs that break a rule of the machine, or wait for ever, beside others that do not.
#include "lists.hpp"
#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::cli {
namespace {

/// The run of a program on a machine of words.
template <class Program>
Report run_of_program(const char* name, const MachineSpec& spec, const Model& model, RunObserver& observer,
                      Program program) {
  const Topology topology = build(spec);
  Machine<Word> machine(topology, model);
  PayloadObserver<Word> words(observer);
  machine.observe(&words);
  return machine.run(program, {.name = name});
}

// On a path and a ring.
constexpr Port next = 0, previous = 1;

/// Passes the word of rank 0 along the path; everybody thanks who gave it: in the same cycle, or in the next.
Process pass_on(Processor<Word>& self, bool thanks_later) {
  Word item = 42;
  if (self.rank() > 0) item = co_await self.message(previous);
  if (self.has_link(next)) self.send(next, item);
  if (self.rank() > 0) {
    if (thanks_later && self.has_link(next)) co_await self.cycle();
    self.send(previous, item);
  }
  if (self.has_link(next)) co_await self.message(next);
}

template <bool thanks_later>
Report run_pass_on(const MachineSpec& machine, const Model& model, RunObserver& observer) {
  return run_of_program("pass-on", machine, model, observer,
                        [](Processor<Word>& self) { return pass_on(self, thanks_later); });
}

constexpr Word items = 4;

/// Rank 0 makes an item a cycle, rank 1 needs three cycles for each. Where it answers, rank 0 waits for that.
Process produce(Processor<Word>& self, bool answers) {
  if (self.rank() == 0) {
    for (Word item = 0; item < items; ++item) {
      self.send(next, item);
      if (answers) {
        co_await self.message(next);
      } else {
        co_await self.cycle();
      }
    }
  } else {
    for (Word item = 0; item < items; ++item) {
      const Word taken = co_await self.message(previous);
      co_await self.until(self.now() + 3);
      if (answers) self.send(previous, taken);
    }
  }
}

template <bool answers>
Report run_produce(const MachineSpec& machine, const Model& model, RunObserver& observer) {
  return run_of_program("produce", machine, model, observer,
                        [](Processor<Word>& self) { return produce(self, answers); });
}

/// Everybody has a word for the next one round the ring, and wants that of the one before.
Process greet(Processor<Word>& self, Rank senders_first) {
  if (self.rank() < senders_first) self.send(next, self.rank());
  co_await self.message(previous);
  if (self.rank() >= senders_first) self.send(next, self.rank());
}

template <Rank senders_first>
Report run_greet(const MachineSpec& machine, const Model& model, RunObserver& observer) {
  return run_of_program("greet", machine, model, observer,
                        [](Processor<Word>& self) { return greet(self, senders_first); });
}

using Lines = std::vector<std::string_view>;

Exhibit pass_on_exhibit(const char* title, PortModel ports, bool thanks_later) {
  const Lines hurried{"if not first: take the item", "send it to the next", "if not first: send thanks back"};
  const Lines patient{"if not first: take the item", "send it to the next", "end the cycle",
                      "if not first: send thanks back"};
  return {.title = title,
          .program = DemoProgram{.name = "pass-on",
                                 .machine = "path:4",
                                 .model = {.ports = ports},
                                 .run = thanks_later ? run_pass_on<true> : run_pass_on<false>,
                                 .lines = thanks_later ? patient : hurried}};
}

Demo port_violation() {
  return {
      .name = "port-violation",
      .title = "Two sends in one cycle",
      .summary = "a program that one port forbids, beside all ports that allow it and a remedy",
      .introduction =
          "The item of processor 0 goes along a path of four. Everybody passes it on, and sends thanks to whom it came "
          "from. The hurried program does both in one cycle. That is two sends, and under one port a "
          "processor may send on one port in a cycle only. The same program runs beside it under all ports, and a "
          "patient "
          "one under one port.",
      .exhibits = {pass_on_exhibit("hurried, one port", PortModel::one, false),
                   pass_on_exhibit("hurried, all ports", PortModel::all, false),
                   pass_on_exhibit("patient, one port", PortModel::one, true)},
      .sentences =
          {{1, "Processor 0 has nobody to thank, and sends once. All three programs are legal so far."},
           {2,
            "Processor 1 has the item. In the hurried program it sends twice in this cycle: with all ports both "
            "messages go, with one port the machine stops, and nothing of the cycle counts. The patient program passes "
            "the item on first."},
           {3,
            "The patient program thanks one cycle later. Under one port a processor may send and receive in "
            "a cycle, on different ports too."},
           {4,
            "Both end in this step. Patience cost nothing: the last processor is reached in the same cycle, and "
            "thanks are on their way while the item is."}},
      .ending =
          "The machine names the cycle, the processor, the ports and the rule. It judges what is sent when it is sent, "
          "so that the verdict is the same for any number of threads. The remedy is a cycle between the two sends. "
          "Here it makes the run no longer.",
      .question =
          "Change the order in the patient program: thanks first, and the item in the next cycle. Is that legal "
          "under one port, and how many steps does it take?",
      .answer =
          "It is legal, but every processor holds the item back for a cycle: 0 sends in step 1, 1 in step 3, 2 in "
          "step 5, and 3 thanks in step 6. What others wait for goes first.",
      .notes = {
          "4 minutes. Ask before step 2: who will be stopped, and why not processor 0?",
          "`lockstep explain send-limit` has the rule, `lockstep explain 'port model'` the three port models.",
          "A method of the catalogue shows the same: `lockstep run --machine hypercube:4 --algorithm allgather/tea2 "
          "--ports one` (exit code 2) is refused, as tea2 sends on all ports."}};
}

Exhibit produce_exhibit(const char* title, bool answers) {
  const Lines eager{"0: four times: send, end the cycle", "1: four times: take, work for 3 cycles"};
  const Lines polite{"0: four times: send, wait for the answer", "1: four times: take, work for 3 cycles, answer"};
  return {.title = title,
          .program = DemoProgram{.name = "produce",
                                 .machine = "path:2",
                                 .run = answers ? run_produce<true> : run_produce<false>,
                                 .lines = answers ? polite : eager}};
}

Demo channel_overflow() {
  return {
      .name = "channel-overflow",
      .title = "A channel that is full",
      .summary = "a sender that is faster than its receiver, beside one that waits for answers",
      .introduction =
          "Processor 0 makes four items, and processor 1 works on each for three cycles. Between them is a channel "
          "that "
          "holds two messages. One program sends an item in every cycle, whether 1 is ready or not. The other waits "
          "for an answer before it sends the next.",
      .exhibits = {produce_exhibit("sends at once", false), produce_exhibit("waits for an answer", true)},
      .sentences =
          {{1, "The first item is on its way in both. In the next cycle 1 takes it, and begins to work."},
           {2,
            "The second item follows at once, where 0 does not wait. It will lie in the channel, as 1 is at work. Who "
            "waits for an answer sends nothing."},
           {3,
            "The third item: now two lie in the channel, and it is full. 1 has not looked up yet. The next send, in "
            "cycle 3, finds no place, and the machine stops the run."},
           {4, "Where 0 waits, 1 has done its work on the first item, and answers."},
           {5,
            "The answer is a permission: 0 sends the second item. At no time is there more than one in the channel."},
           {6,
            "1 answers again. Of five cycles it works three: in the other two its answer and the next item are on "
            "their way."},
           {7, "The third item. The sender never runs ahead of the receiver now: five cycles for each item."},
           {8, "The third answer."},
           {9, "The fourth item, which the hasty sender never got rid of."},
           {10, "The last answer, and both programs end."}},
      .ending =
          "An item a cycle goes in, and one in three cycles comes out: were there no end of items, "
          "a channel of any size would overflow. One of two messages shows it soon. The machine says in which cycle, "
          "and "
          "whose. With answers the sender never runs ahead of the receiver, for twice as many messages.",
      .question =
          "With answers, 0 waits even while the channel has room. How would you let it run ahead by one item, so "
          "that 1 never waits for the next, without risking an overflow?",
      .answer =
          "Let 0 send two items first, and after that one for every answer: then at most two are on their way or "
          "in the channel. Two answers due are two permissions to send; networks call this credits.",
      .notes = {"4 minutes. Count with the students what lies in the channel after each step: 1, 1, 2.",
                "A place that is vacated in a cycle is free from the next on; the verdict does not depend on which "
                "processor a thread took first. `lockstep explain overflow` has the rule.",
                "Methods of the catalogue never overflow: those that store and forward keep their queues in the "
                "processor."}};
}

Exhibit greet_exhibit(const char* title, Rank senders_first) {
  const Lines waits{"wait for the previous one's word", "send mine to the next"};
  const Lines one{"0: send, then wait", "others: wait, then send"};
  const Lines sends{"send mine to the next", "wait for the previous one's word"};
  return {.title = title,
          .program = DemoProgram{.name = "greet",
                                 .machine = "ring:4",
                                 .run = senders_first == 0   ? run_greet<0>
                                        : senders_first == 1 ? run_greet<1>
                                                             : run_greet<4>,
                                 .lines = senders_first == 0   ? waits
                                          : senders_first == 1 ? one
                                                               : sends}};
}

Demo deadlock() {
  return {
      .name = "deadlock",
      .title = "Everybody waits for somebody",
      .summary = "four processors that wait for one another, beside two orders that work",
      .introduction =
          "On a ring of four everybody has a word for the next processor, and wants the word of the previous one. Each "
          "program has the same two actions, a send and a wait. Only their order differs: all wait first; processor 0 "
          "sends first and the others wait first; all send first.",
      .exhibits = {greet_exhibit("all wait first", 0), greet_exhibit("0 sends first", 1),
                   greet_exhibit("all send first", 4)},
      .sentences =
          {{1,
            "Where all wait first, nothing moves: 0 waits for 3, 3 for 2, 2 for 1, and 1 for 0. Nobody will ever send. "
            "Where 0 sends first, that chain has an end. Where all send first, every word arrives at once."},
           {2,
            "All send first: done in one step. One sends first: 1 has been woken by the word of 0, and sends its own."},
           {3, "The words go round one by one, as everybody is woken by the one before."},
           {4,
            "Processor 0 gets the word of 3, for which it has waited since the beginning. Four steps for what "
            "could be done in one."}},
      .ending =
          "A wait that nobody will end is a deadlock. The machine finds it in the cycle in which it comes about, since "
          "it knows who waits for whom: it names a cycle of waits, here all four. Breaking the cycle in one place is "
          "enough to end the deadlock. Sending first everywhere is faster, too.",
      .question =
          "Two processors exchange a word over one link, where only one message may be under way at a time "
          "(--duplex half-link). Both send first. What happens, and what order works?",
      .answer =
          "Both send in one cycle over one link: the rule half-link is broken, and the machine stops. One sends "
          "first and the other waits first; then they change roles. That takes two steps, and cannot deadlock, "
          "as one of them always sends.",
      .notes = {"5 minutes. Let four students stand in a circle, each to speak only when spoken to.",
                "Draw the waits as arrows: a deadlock is a cycle of them. `lockstep explain deadlock` has a program "
                "that provokes one.",
                "MPI programs deadlock so with MPI_Recv before MPI_Send; MPI_Sendrecv does both at once, like "
                "`self.exchange`."}};
}

}  // namespace

std::vector<Demo> failure_demos() { return {port_violation(), channel_overflow(), deadlock()}; }

}  // namespace lockstep::cli
