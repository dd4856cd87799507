// A program that uses the Processor of another rank is caught where assertions are on.
#include <functional>

#include "runs.hpp"
#include "wirings.hpp"

namespace lockstep::foreign_processor_test {
namespace {

using Self = Processor<Word>;

Process wait_for_ever(Self& self) { co_await self.message(0); }

/// One of the verbs, called on a processor.
struct Said {
  const char* verb;
  std::function<void(Self&)> say;
};

const std::vector<Said>& verbs() {
  static const std::vector<Said> all{
      {"send", [](Self& other) { other.send(0, 1); }},
      {"multicast", [](Self& other) { other.send(std::vector<Port>{0}, 1); }},
      {"forward",
       [](Self& other) {
         other.forward(0, Message<Word>{1, 0, 0});
       }},
      {"exchange", [](Self& other) { static_cast<void>(other.exchange(0, 1)); }},
      {"cycle", [](Self& other) { static_cast<void>(other.cycle()); }},
      {"until", [](Self& other) { static_cast<void>(other.until(3)); }},
      {"message of a port", [](Self& other) { static_cast<void>(other.message(0)); }},
      {"message", [](Self& other) { static_cast<void>(other.message()); }},
      {"arrived", [](Self& other) { static_cast<void>(other.arrived(0)); }},
      {"arrivals", [](Self& other) { static_cast<void>(other.arrivals()); }},
      {"receive", [](Self& other) { static_cast<void>(other.receive(0)); }},
      {"write", [](Self& other) { other.write(0, 1); }},
      {"read", [](Self& other) { static_cast<void>(other.read(0)); }},
      {"charge", [](Self& other) { other.charge(1); }},
      {"compute", [](Self& other) { other.compute(1); }},
      {"hold", [](Self& other) { other.hold(1); }},
      {"phase", [](Self& other) { other.phase("foreign"); }},
      {"sub-program",
       [](Self& other) {
         static std::vector<Process> kept;  // otherwise the compiler may remove the coroutine
         kept.push_back(wait_for_ever(other));
       }},
  };
  return all;
}

/// Rank 0 calls it on rank 1's processor in cycle 1.
Process say_to_other(Self& self, const std::vector<Self*>& all, const Said& said) {
  co_await self.cycle();
  if (self.rank() == 0) said.say(*all[1]);
}

TEST(ForeignProcessor, IsRefusedByEveryVerb) {
  const Topology two = wirings::pair();
  for (const Said& said : verbs()) {
    SCOPED_TRACE(said.verb);
    runs::on_every_executor(2, [&](Executor& executor) {
      Machine<Word> machine(two, {}, executor);
      std::vector<Self*> all(2);
      try {
        machine.run(
            [&](Self& self) {
              all[self.rank()] = &self;
              return say_to_other(self, all, said);
            },
            runs::options());
        ADD_FAILURE() << "the call was accepted";
      } catch (const ProgramError& error) {
        EXPECT_STREQ(error.what(),
                     "test: cycle 1, rank 0: the program threw: rank 0 uses the Processor of rank 1: a program may use "
                     "its own only");
      }
    });
  }
}

Process nested(Self& self, Word& got) {
  got = co_await self.exchange(0, 5 + self.rank());
  self.charge(1);
}

Process outer(Self& self, Word& got) { co_await nested(self, got); }

TEST(ForeignProcessor, IsNotSeenInAProgramOfManyParts) {
  const Topology two = wirings::pair();
  runs::on_every_executor(5, [&](Executor& executor) {
    Machine<Word> machine(two, {}, executor);
    std::array<Word, 2> got{};
    machine.run([&](Self& self) { return outer(self, got[self.rank()]); }, runs::options());
    EXPECT_EQ(got, (std::array<Word, 2>{6, 5}));
  });
}

}  // namespace
}  // namespace lockstep::foreign_processor_test
