// The programs that `lockstep explain` names for kinds of error that no method of the catalogue provokes.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"
#include "texts/explanations.hpp"

namespace lockstep::test::explained_errors_test {
namespace {

using Self = Processor<Word>;

/// As in the text of that kind.
Process provoke(Self& self, ErrorKind kind) {
  const Word x = 1;
  const Rank rank = self.rank();
  if (kind == ErrorKind::no_link && rank == 0) self.send(1, x);
  if (kind == ErrorKind::overflow && rank == 0) {
    for (int sends = 0; sends < 3; ++sends) {
      self.send(0, x);
      co_await self.cycle();
    }
  }
  if (kind == ErrorKind::overflow && rank == 1) co_await self.until(9);
  if (kind == ErrorKind::medium_limit && rank <= 1) self.send(rank + 1, x);
  if (kind == ErrorKind::blocked && rank == 0) self.send(1, x);
  if (kind == ErrorKind::blocked && rank == 2) self.send(0, x);
  if (kind == ErrorKind::write_conflict) self.write(0, x);
  if (kind == ErrorKind::bank_conflict) self.write(2 * rank, x);
  if (kind == ErrorKind::nothing_arrived) self.receive(0);
  if (kind == ErrorKind::exception) throw std::runtime_error("lost");
  if (kind == ErrorKind::deadlock) co_await self.message(1);
  if (kind == ErrorKind::undelivered) self.send(0, x);
  for (int i = 0; kind == ErrorKind::too_many_phases && i <= 63; ++i) self.phase(std::to_string(i));
  for (int i = 0; kind == ErrorKind::count_overflow && i < 2; ++i) self.compute(~std::uint64_t{0});
  co_await self.until(10);
}

struct Program {
  ErrorKind kind;
  std::string machine;
};

const std::vector<Program> programs{{ErrorKind::no_link, "path:3"},
                                    {ErrorKind::overflow, "ring:3"},
                                    {ErrorKind::medium_limit, "bus:4"},
                                    {ErrorKind::blocked, "omega:4"},
                                    {ErrorKind::write_conflict, "shared:2,kstar=2"},
                                    {ErrorKind::bank_conflict, "shared:2,kstar=2,banks=2"},
                                    {ErrorKind::nothing_arrived, "ring:3"},
                                    {ErrorKind::exception, "ring:3"},
                                    {ErrorKind::deadlock, "ring:3"},
                                    {ErrorKind::undelivered, "ring:3"},
                                    {ErrorKind::too_many_phases, "ring:3"},
                                    {ErrorKind::count_overflow, "ring:3"}};

TEST(ExplainedErrors, ComeOfTheProgramsThatTheTextsName) {
  for (const auto& [kind, machine] : programs) {
    SCOPED_TRACE(name(kind));
    const Topology topology = build(parse_machine(machine));
    const auto executor = make_executor(ExecutorKind::sequential);
    Machine<Word> emulated(topology, {}, *executor);
    if (topology.medium()) emulated.share(4);
    try {
      emulated.run([kind = kind](Self& self) { return provoke(self, kind); });
      ADD_FAILURE() << "no error occurred";
    } catch (const RunError& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
    }
  }
}

TEST(ExplainedErrors, HaveAProgramOrACommandEach) {
  for (const cli::texts::Explanation& text : cli::texts::error_texts()) {
    const bool has_program =
        std::ranges::any_of(programs, [&](const Program& program) { return name(program.kind) == text.name; });
    EXPECT_TRUE(has_program || text.text("try").starts_with('`')) << text.name;
    EXPECT_EQ(has_program, text.text("provoke").find("program") != std::string_view::npos) << text.name;
  }
}

}  // namespace
}  // namespace lockstep::test::explained_errors_test
