// The schedules of all methods that move whole blocks over links: the moves of a run are valid for the validator, which
// shares nothing with the methods, and running them gives the same counts and brings the same blocks to the same
// places.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "../../sanitized.hpp"
#include "../../temporary_directory.hpp"
#include "built_machine.hpp"
#include "catalogue_cases.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "recorded_run.hpp"

namespace lockstep::schedules_of_methods_test {
namespace {

/// Methods that always divide blocks or move parts of arrays.
const std::set<std::string_view> without_schedules{"all-to-some/rotated-sbt",
                                                   "gather/rotated-sbt",
                                                   "gather/rotated-sbt-halving",
                                                   "allgather/sequential",
                                                   "alltoall/rotated-sbt",
                                                   "broadcast/scatter-allgather",
                                                   "broadcast/two-streams",
                                                   "broadcast/two-streams-late",
                                                   "permute/general-exchange",
                                                   "permute/two-alltoall",
                                                   "scatter/rotated-sbt-halving",
                                                   "scatter/rotated-sbt-rbf",
                                                   "send/disjoint-paths",
                                                   "some-to-all/rotated-sbt",
                                                   "transpose/1d-buffered",
                                                   "transpose/1d-exchange",
                                                   "transpose/1d-unbuffered",
                                                   "transpose/2d-dpt",
                                                   "transpose/2d-mpt",
                                                   "transpose/2d-pivot",
                                                   "transpose/2d-spt",
                                                   "transpose/gray-mixed-naive",
                                                   "transpose/reassign-1",
                                                   "transpose/reassign-2",
                                                   "transpose/reassign-3",
                                                   "transpose/shuffles",
                                                   "broadcast/scatter-doubling",
                                                   "broadcast/scatter-gossip",
                                                   "broadcast/scatter-rarest-first"};

/// The method's own settings, with whole blocks where it has a choice.
Settings whole_blocks(const Method& method, const MachineSpec& machine) {
  Settings settings = required_settings(method);
  if (takes(method, "packets")) settings.packets = 1;
  if (takes(method, "root")) settings.root = machine.processors - 1;
  if (takes(method, "source")) settings.source = machine.processors - 1;
  method.resolve(machine, method.defaults, settings);
  if (takes(method, "packet-words")) {
    Settings whole = settings;
    whole.packet_words = settings.matrix ? settings.matrix->rows * settings.matrix->columns / machine.processors
                                         : settings.words.value_or(1);
    if (accepts(method, machine, whole)) return whole;
  }
  return settings;
}

std::vector<Case> cases() {
  std::vector<Case> chosen;
  for (const Case& one : catalogue_cases()) {
    const MachineSpec machine = parse_machine(one.machine);
    const bool is_small = machine.processors <= (sanitized ? 16 : 32);
    if (moves_blocks(one.method->operation) && !machine.medium && is_small) chosen.push_back(one);
  }
  return chosen;
}

class SchedulesOfMethods : public testing::TestWithParam<Case> {
 protected:
  const Method& method() const { return *GetParam().method; }

  Schedule written_and_read(const Schedule& schedule) const {
    const test::TemporaryDirectory directory;
    const std::string file = directory.file("schedule.json");
    std::ofstream(file) << schedule_text(schedule, machine_.spec.text, std::string(method().name));
    return read_schedule(file, schedule.nodes);
  }

  const BuiltMachine machine_{GetParam().machine};
};

TEST_P(SchedulesOfMethods, AreValidAndCarriedOutAlike) {
  const Model& model = method().defaults;
  const Settings settings = whole_blocks(method(), machine_.spec);
  const RecordedRun recorded(machine_, model, settings, {}, log_for(method(), settings));
  const Outcome original = method().run(recorded.request());
  ASSERT_EQ(original.wrong, "");
  const bool is_whole = !recorded.log().has_unlabelled && !recorded.log().has_parts;
  if (!without_schedules.contains(method().name)) {
    EXPECT_TRUE(is_whole);
  } else if (original.report.messages > 0 && machine_.topology.processors() >= 16) {
    EXPECT_FALSE(is_whole);  // on small machines a block may have only one part
  }
  if (!is_whole) return;

  Schedule schedule = recorded.log().schedule;
  schedule.nodes = machine_.topology.processors();
  const Schedule read = written_and_read(schedule);
  EXPECT_EQ(read.steps, schedule.steps);
  EXPECT_EQ(read.task, schedule.task);
  ASSERT_NO_THROW(validate(read, machine_.topology, model));

  Settings with_schedule;
  with_schedule.words = 1;
  with_schedule.written_schedule = std::make_shared<const Schedule>(read);
  const RecordedRun again(machine_, model, with_schedule);
  const Outcome carried_out = written_schedule_method(method().operation).run(again.request());
  EXPECT_EQ(carried_out.wrong, "");
  EXPECT_EQ(carried_out.report.steps, original.report.steps);
  EXPECT_EQ(carried_out.report.messages, original.report.messages);
  EXPECT_EQ(carried_out.report.sends, original.report.sends);
  EXPECT_EQ(again.log().schedule.steps, schedule.steps);
}

TEST_P(SchedulesOfMethods, AreRefusedWithAnyMoveLeftOut) {
  const Settings settings = whole_blocks(method(), machine_.spec);
  const RecordedRun recorded(machine_, method().defaults, settings, {}, log_for(method(), settings));
  method().run(recorded.request());
  if (recorded.log().has_unlabelled || recorded.log().has_parts) return;
  Schedule schedule = recorded.log().schedule;
  schedule.nodes = machine_.topology.processors();
  // These send copies that no receiver needs.
  if (method().name.starts_with("allgather/tea1") || sends_copies(method())) return;
  std::map<std::pair<Rank, Rank>, std::size_t> hops;  // of a block; a block without any hop is not identified by moves
  const bool told_by_moves = TaskBlocks(schedule.task, schedule.nodes).are_told_by_moves();
  for (const auto& moves : schedule.steps) {
    for (const Move& move : moves) ++hops[{move.origin, move.destination}];
  }
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    const std::vector<Move> moves = schedule.steps[step];
    for (const std::size_t left_out : {std::size_t{0}, moves.size() - 1}) {
      if (told_by_moves && moves.size() > 1 && hops[{moves[left_out].origin, moves[left_out].destination}] == 1)
        continue;
      schedule.steps[step].erase(schedule.steps[step].begin() + static_cast<std::ptrdiff_t>(left_out));
      EXPECT_THROW(validate(schedule, machine_.topology, method().defaults), ScheduleError) << "step " << step;
      schedule.steps[step] = moves;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SchedulesOfMethods, testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace lockstep::schedules_of_methods_test
