// The moves of methods of the catalogue, written in the formats of other programs: right for the reader that validates
// such files and for a reader of MSCCL XML that shares nothing with it, with as many messages as the method sends, and
// no longer right when a step is left out.
#include <gtest/gtest.h>

#include <deque>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "catalogue_cases.hpp"
#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/run_observer.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::written_formats_test {
namespace {

using Json = nlohmann::json;

/// Whether processors of a path or ring, in the third exchange, send on only what has come last.
bool is_exchanged_in_parts(const MachineSpec& line) {
  return line.processors >= (line.family == "ring" && line.processors % 2 == 0 ? 6 : 3);
}

/// Methods that on some machines keep summands apart, to combine them in the order of the ranks or only once, and send
/// only some of them: an algorithm of SCCL knows one sum for each chunk and processor.
bool gives_parts_of_sums(const Case& one) {
  if (one.method->name == "allreduce/dimension-exchange" && !is_for(*one.method, "hypercube")) {
    const MachineSpec machine = parse_machine(one.machine);
    return machine.factors.empty() ? is_exchanged_in_parts(machine)
                                   : std::ranges::any_of(machine.factors, is_exchanged_in_parts);
  }
  if (one.method->name == "allreduce/gossip-sums") {
    // Of the machines here, only those that lie in a hypercube of as many processors exchange whole sums.
    const MachineSpec machine = parse_machine(one.machine);
    constexpr std::array<std::string_view, 3> like_cubes{"torus:2x2", "complete:4", "rh:1,0"};
    return machine.processors > 2 && machine.family != "hypercube" &&
           std::ranges::find(like_cubes, one.machine) == like_cubes.end();
  }
  return one.machine == "rh:1,1" && (one.method->name == "reduce/tree" || one.method->name == "allreduce/tree");
}

bool is_collective(const Method& method) {
  const auto& known = chunk_operations();
  return std::find(known.begin(), known.end(), method.operation) != known.end();
}

std::vector<Case> cases() {
  std::vector<Case> chosen;
  for (const Case& one : catalogue_cases()) {
    const MachineSpec machine = parse_machine(one.machine);
    const bool is_reached = !machine.medium || machine.family == "switch";
    if (is_collective(*one.method) && is_reached && machine.processors <= 9) chosen.push_back(one);
  }
  for (const Method* method : catalogue()) {
    for (const std::string_view family : method->families) {
      if (!is_collective(*method)) continue;
      for (const std::string size : {":3", ":4", ":5", ":7", ":1,0", ":1,1"}) {
        const bool is_of_rh = size.find(',') != std::string::npos;
        if (is_of_rh ? family != "rh" : family != "switch" && family != "complete") continue;
        const std::string machine = std::string(family) + size;
        if (accepts(*method, parse_machine(machine), required_settings(*method))) chosen.push_back({method, machine});
      }
    }
  }
  std::set<std::pair<std::string_view, std::string>> seen;
  std::erase_if(chosen, [&](const Case& one) { return !seen.emplace(one.method->name, one.machine).second; });
  return chosen;
}

/// Counts the messages that have words.
class Counter : public RunObserver {
 public:
  void barrier(MovingMessages& moving) override {
    for (std::size_t index = 0; index < moving.size(); ++index) messages += moving.message(index).words > 0 ? 1 : 0;
  }
  std::uint64_t messages = 0;
};

/// Reads and runs MSCCL XML: every step that may run does, those of the last processor first.
class Naive {
 public:
  /// (rank, input chunk), once for each time that it is in a sum.
  using Sum = std::multiset<std::pair<int, int>>;

  explicit Naive(const std::string& text) {
    pugi::xml_document document;
    if (!document.load_string(text.c_str())) throw std::invalid_argument("no XML");
    const pugi::xml_node algo = document.child("algo");
    coll_ = algo.attribute("coll").value();
    ranks_ = algo.attribute("ngpus").as_int();
    loop_ = algo.attribute("nchunksperloop").as_int();
    root_ = algo.attribute("root").as_int();
    in_place_ = algo.attribute("inplace").as_int() == 1;
    for (const pugi::xml_node gpu : algo.children("gpu")) {
      blocks_.emplace_back();
      for (const pugi::xml_node tb : gpu.children("tb")) {
        auto& block = blocks_.back().emplace_back();
        block.node = tb;
        for (const pugi::xml_node step : tb.children("step")) block.steps.push_back(step);
      }
    }
    for (int rank = 0; rank < ranks_; ++rank) fill(rank);
    while (any_goes_on()) {
    }
  }

  /// Whether all steps were done and every output is right.
  bool is_right() const {
    for (const auto& of_rank : blocks_) {
      for (const Block& block : of_rank) {
        if (block.next < block.steps.size()) return false;
      }
    }
    for (const auto& [connection, messages] : flying_) {
      if (!messages.empty()) return false;
    }
    for (int rank = 0; rank < ranks_; ++rank) {
      for (int chunk = 0; chunk < loop_; ++chunk) {
        const auto wanted = wanted_at(rank, chunk);
        if (!wanted) continue;
        const auto found = memory_.find(place(rank, 'o', chunk));
        if (found == memory_.end() || found->second != *wanted) return false;
      }
    }
    return true;
  }

  std::uint64_t messages() const { return messages_; }
  std::size_t longest_block() const {
    std::size_t longest = 0;
    for (const auto& of_rank : blocks_) {
      for (const Block& block : of_rank) longest = std::max(longest, block.steps.size());
    }
    return longest;
  }

 private:
  struct Block {
    pugi::xml_node node;
    std::vector<pugi::xml_node> steps;
    std::size_t next = 0;
  };
  using Place = std::tuple<int, char, int>;

  int each() const { return loop_ / ranks_; }
  Place place(int rank, char buffer, int offset) const {
    if (!in_place_ || buffer == 's') return {rank, buffer, offset};
    const bool has_long_output = coll_ == "allgather" || coll_ == "gather";
    const bool has_short_output = coll_ == "reducescatter" || coll_ == "scatter";
    if (buffer == 'i') return {rank, 'i', offset + (has_long_output ? rank * each() : 0)};
    return {rank, 'i', offset + (has_short_output ? rank * each() : 0)};
  }

  void fill(int rank) {
    const bool of_blocks = coll_ == "allgather" || coll_ == "gather";
    if ((coll_ == "broadcast" || coll_ == "scatter") && rank != root_) return;
    for (int chunk = 0; chunk < (of_blocks ? each() : loop_); ++chunk) {
      memory_[place(rank, 'i', chunk)] = {{rank, chunk}};
    }
  }

  std::optional<Sum> wanted_at(int rank, int chunk) const {
    Sum all;
    const bool is_part = coll_ == "reducescatter";
    for (int other = 0; other < ranks_; ++other) all.emplace(other, chunk + (is_part ? rank * each() : 0));
    if ((is_part || coll_ == "scatter") && chunk >= each()) return {};
    if ((coll_ == "reduce" || coll_ == "gather") && rank != root_) return {};
    if (is_part || coll_ == "allreduce" || coll_ == "reduce") return all;
    if (coll_ == "broadcast") return Sum{{root_, chunk}};
    if (coll_ == "scatter") return Sum{{root_, rank * each() + chunk}};
    if (coll_ == "alltoall") return Sum{{chunk / each(), rank * each() + chunk % each()}};
    return Sum{{chunk / each(), chunk % each()}};
  }

  bool any_goes_on() {
    bool any = false;
    for (int rank = ranks_ - 1; rank >= 0; --rank) {
      for (Block& block : blocks_[static_cast<std::size_t>(rank)]) {
        while (block.next < block.steps.size() && goes_on(rank, block)) any = true;
      }
    }
    return any;
  }

  bool goes_on(int rank, Block& block) {
    const pugi::xml_node step = block.steps[block.next];
    const int depid = step.attribute("depid").as_int(-1);
    if (depid >= 0) {
      const Block& other = blocks_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(depid)];
      const auto deps = static_cast<std::size_t>(step.attribute("deps").as_int());
      if (other.next <= deps || other.steps[deps].attribute("hasdep").as_int() != 1) return false;
    }
    const std::string type = step.attribute("type").value();
    const int channel = block.node.attribute("chan").as_int();
    const int count = step.attribute("cnt").as_int();
    const auto at = [&](const char* buffer, const char* offset, int chunk) {
      return place(rank, step.attribute(buffer).value()[0], step.attribute(offset).as_int() + chunk);
    };
    std::vector<Sum> taken;
    if (type == "r" || type == "rrc") {
      auto& queue = flying_[{block.node.attribute("recv").as_int(), rank, channel}];
      if (queue.empty()) return false;
      taken = queue.front();
      queue.pop_front();
      EXPECT_EQ(taken.size(), static_cast<std::size_t>(count));
    }
    if (type == "s") {
      auto& message = flying_[{rank, block.node.attribute("send").as_int(), channel}].emplace_back();
      for (int chunk = 0; chunk < count; ++chunk) message.push_back(memory_[at("srcbuf", "srcoff", chunk)]);
      ++messages_;
    }
    for (int chunk = 0; chunk < count && type != "s" && type != "nop"; ++chunk) {
      Sum& destination = memory_[at("dstbuf", "dstoff", chunk)];
      const Sum source = memory_[at("srcbuf", "srcoff", chunk)];
      if (type == "r") destination = taken[static_cast<std::size_t>(chunk)];
      if (type == "cpy") destination = source;
      if (type == "re") destination.insert(source.begin(), source.end());
      if (type != "rrc") continue;
      destination = source;
      destination.insert(taken[static_cast<std::size_t>(chunk)].begin(), taken[static_cast<std::size_t>(chunk)].end());
    }
    ++block.next;
    return true;
  }

  std::string coll_;
  int ranks_ = 0;
  int loop_ = 0;
  int root_ = 0;
  bool in_place_ = false;
  std::vector<std::vector<Block>> blocks_;
  std::map<Place, Sum> memory_;
  std::map<std::tuple<int, int, int>, std::deque<std::vector<Sum>>> flying_;
  std::uint64_t messages_ = 0;
};

class WrittenFormats : public testing::TestWithParam<Case> {
 protected:
  /// Sets the words, or lets the method choose them; false if it does not accept the number.
  bool set_words(std::optional<std::uint64_t> words) {
    settings_ = required_settings(method());
    if (takes(method(), "root")) settings_.root = machine_.processors - 1;
    if (words) settings_.words = *words * (method().operation == "reduce-scatter" ? machine_.processors : 1);
    if (!accepts(method(), machine_, settings_)) return false;
    method().resolve(machine_, method().defaults, settings_);
    return true;
  }

  const Method& method() const { return *GetParam().method; }

  RunRequest request(RunObserver* observer = nullptr) const {
    return {.machine = machine_,
            .topology = topology_,
            .model = method().defaults,
            .settings = settings_,
            .executor = *executor_,
            .options = {.name = "test"},
            .observer = observer};
  }

  /// The fault of the file; empty if there is none.
  std::string fault_of(const std::string& text, std::uint64_t* messages = nullptr) const {
    const auto program = std::make_shared<const ChunkProgram>(read_chunk_program(text, "schedule"));
    Model model;
    if (method().defaults.ports == PortModel::all) model.ports = PortModel::all;
    Settings settings;
    settings.written_schedule = program;
    const Method& chunks = chunk_program_method(program->task.operation);
    chunks.resolve(machine_, model, settings);
    try {
      const Outcome outcome = chunks.run({.machine = machine_,
                                          .topology = topology_,
                                          .model = model,
                                          .settings = settings,
                                          .executor = *executor_,
                                          .options = {.name = "schedule"}});
      if (messages != nullptr) *messages = outcome.report.messages;
      return outcome.wrong;
    } catch (const RunError& error) {
      return error.what();
    }
  }

  void expect_right() {
    Counter counter;
    ASSERT_EQ(method().run(request(&counter)).wrong, "");
    const MessageContents contents = message_contents(method(), request());
    const std::string text = msccl_text(contents, "test");
    std::uint64_t messages = 0;
    EXPECT_EQ(fault_of(text, &messages), "") << text;
    EXPECT_EQ(messages, counter.messages);
    const Naive naive(text);
    EXPECT_TRUE(naive.is_right()) << text;
    EXPECT_EQ(naive.messages(), counter.messages);
    EXPECT_LE(naive.longest_block(), 64U);
  }

  void expect_right_in_sccl() {
    const MessageContents contents = message_contents(method(), request());
    std::uint64_t chunks = 0;
    for (const auto& step : contents.steps) {
      for (const FilledMessage& message : step) chunks += message.sums.size();
    }
    if (gives_parts_of_sums(GetParam())) {
      EXPECT_THROW(sccl_text(contents, "test", network_), InputError);
      return;
    }
    const std::string text = sccl_text(contents, "test", network_);
    std::uint64_t messages = 0;
    EXPECT_EQ(fault_of(text, &messages), "") << text;
    EXPECT_EQ(messages, chunks);
    Json document = Json::parse(text);
    EXPECT_EQ(document["steps"].size(), contents.steps.size());
    if (contents.steps.empty()) return;
    // What its root sends away comes back to it: a reader that adds what comes does not need the first message.
    if (method().name == "reduce/rarest-first" || method().name == "reduce/gossip") return;
    auto& sends = document["steps"].front()["sends"];
    sends.erase(sends.begin());
    EXPECT_NE(fault_of(document.dump()), "");
  }

  /// The same for a schedule in Lockstep's own format.
  std::string fault_of_own(const std::string& text, Report* report = nullptr) const {
    EXPECT_TRUE(is_chunk_schedule(text));
    EXPECT_EQ(machine_in_schedule(text), GetParam().machine);
    const auto written = std::make_shared<const WrittenChunks>(read_chunk_schedule(text, "schedule"));
    const Model& model = method().defaults;
    Settings settings;
    settings.written_schedule = written;
    const Method& chunks = chunk_schedule_method(written->task.operation);
    chunks.resolve(machine_, model, settings);
    try {
      const Outcome outcome = chunks.run({.machine = machine_,
                                          .topology = topology_,
                                          .model = model,
                                          .settings = settings,
                                          .executor = *executor_,
                                          .options = {.name = "schedule"}});
      if (report != nullptr) *report = outcome.report;
      return outcome.wrong;
    } catch (const RunError& error) {
      return error.what();
    }
  }

  void expect_right_in_lockstep() {
    Counter counter;
    ASSERT_EQ(method().run(request(&counter)).wrong, "");
    const MessageContents contents = message_contents(method(), request());
    const ChunkSchedule schedule = chunk_schedule_of(contents);
    const std::string text = chunk_schedule_text(schedule, GetParam().machine, "test");
    Report report;
    EXPECT_EQ(fault_of_own(text, &report), "") << text;
    EXPECT_EQ(text.find("\"of\"") != std::string::npos, gives_parts_of_sums(GetParam())) << text;
    // The two links between neighbours of a torus with sides of 2 are one here.
    if (GetParam().machine == "torus:2x2") {
      EXPECT_LE(report.messages, counter.messages);
    } else {
      EXPECT_EQ(report.messages, counter.messages);
    }
    EXPECT_EQ(report.steps, contents.steps.size());
    EXPECT_EQ(fault_of(msccl_text(contents_of(schedule), "test")), "");
    Json document = Json::parse(text);
    if (document["steps"].empty()) return;
    auto& messages = document["steps"].front();
    messages.erase(messages.begin());
    EXPECT_NE(fault_of_own(document.dump()), "");
  }

  MachineSpec machine_ = parse_machine(GetParam().machine);
  Topology topology_ = build(machine_);
  SearchNetwork network_{machine_, topology_};
  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::sequential);
  Settings settings_;
};

TEST_P(WrittenFormats, AreRightWithAsManyMessages) {
  for (const auto words : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{12}}) {
    if (set_words(words)) expect_right();
  }
}

TEST_P(WrittenFormats, OfLockstepAreRightStepByStep) {
  for (const auto words : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{12}}) {
    if (set_words(words)) expect_right_in_lockstep();
  }
}

TEST_P(WrittenFormats, AreRefusedWithoutAStep) {
  set_words({});
  const std::string text = msccl_text(message_contents(method(), request()), "test");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  for (const pugi::xml_node gpu : document.child("algo").children("gpu")) {
    pugi::xml_node left_out;
    for (const pugi::xml_node tb : gpu.children("tb")) {
      for (const pugi::xml_node step : tb.children("step")) {
        if (std::string_view(step.attribute("type").value()) != "nop") left_out = step;
      }
    }
    if (!left_out) continue;
    const std::string type = left_out.attribute("type").value();
    left_out.attribute("type") = "nop";
    std::ostringstream faulty;
    document.save(faulty);
    left_out.attribute("type") = type.c_str();
    EXPECT_NE(fault_of(faulty.str()), "") << type << " left out\n" << text;
    EXPECT_FALSE(Naive(faulty.str()).is_right());
    return;  // one is enough
  }
}

TEST_P(WrittenFormats, OfScclAreRightWithAsManyChunks) {
  for (const auto words : {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{12}}) {
    if (set_words(words)) expect_right_in_sccl();
  }
}

// One processor sends its own summand before a sum that it received, which an algorithm of SCCL cannot express.
MessageContents parts_of_sums() {
  return {
      .operation = "reduce",
      .root = 2,
      .nodes = 3,
      .chunks = 1,
      .sums = {{{0, 0}}, {{1, 0}}},
      .steps = {{{0, 1, {0}}}, {{1, 2, {1}}}, {{1, 2, {0}}}},  // 1 has the summands of 0 and 1
  };
}

const char* const parts_of_sums_text = R"({
  "schema": 1,
  "machine": "switch:3",
  "algorithm": "test",
  "operation": "reduce",
  "root": 2,
  "processors": 3,
  "chunks": 1,
  "steps": [
    [{"from":0,"to":1,"adds":true,"blocks":[[2,0]]}],
    [{"from":1,"to":2,"adds":true,"of":[1],"blocks":[[2,0]]}],
    [{"from":1,"to":2,"adds":true,"of":[0],"blocks":[[2,0]]}]
  ]
}
)";

TEST(PartsOfSums, AreNamedByTheirRanks) {
  const MessageContents contents = parts_of_sums();
  EXPECT_TRUE(Naive(msccl_text(contents, "test")).is_right());
  const MachineSpec machine = parse_machine("switch:3");
  EXPECT_THROW(sccl_text(contents, "test", SearchNetwork(machine, build(machine))), InputError);
  const ChunkSchedule schedule = chunk_schedule_of(contents);
  EXPECT_EQ(chunk_schedule_text(schedule, "switch:3", "test"), parts_of_sums_text);
  EXPECT_EQ(contents_of(schedule).sums, contents.sums);
}

/// The error of validate for the schedule above with one text replaced by another; empty if it is right.
std::string fault_with(const std::string& old_text, const std::string& new_text) {
  std::string text = parts_of_sums_text;
  text.replace(text.find(old_text), old_text.size(), new_text);
  const MachineSpec machine = parse_machine("switch:3");
  const Topology topology = build(machine);
  const auto executor = make_executor(ExecutorKind::sequential);
  try {
    Settings settings;
    settings.written_schedule = std::make_shared<const WrittenChunks>(read_chunk_schedule(text, "s.json"));
    const Method& chunks = chunk_schedule_method("reduce");
    chunks.resolve(machine, {}, settings);
    return chunks
        .run({.machine = machine,
              .topology = topology,
              .model = {},
              .settings = settings,
              .executor = *executor,
              .options = {.name = "s.json"}})
        .wrong;
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(PartsOfSums, AreRefusedWhereTheyAreNoneOrNotAllThere) {
  const std::string begin = "s.json is no schedule of operation reduce on switch:3 under --ports one: ";
  EXPECT_EQ(fault_with("[1]", "[1]"), "");
  EXPECT_EQ(fault_with("[1]", "[2]"),
            begin + "step 1: processor 1 sends of chunk 0 of 2 the sum of 2, which it cannot make from what it has");
  EXPECT_EQ(fault_with("[1]", "[2, 0]"),
            begin + "step 1: processor 1 sends of chunk 0 of 2 the sum of 0, 2, which it cannot make from what it has");
  EXPECT_EQ(fault_with("[1]", "[0]"),
            begin + "step 2: processor 2 adds to chunk 0 of 2 the summand of processor 0 twice");
  EXPECT_EQ(fault_with("[1]", "[1, 0]"),
            begin + "step 2: processor 2 adds to chunk 0 of 2 the summand of processor 0 twice");
  EXPECT_EQ(fault_with(R"("adds":true,"of":[0])", R"("of":[0])"),
            begin + "after 3 steps: processor 2 lacks summands of chunk 0 of 2");
  EXPECT_EQ(fault_with("[1]", "[]"), "s.json: step 1: \"of\" is [], not a list of ranks");
  EXPECT_EQ(fault_with("[1]", "1"), "s.json: step 1: \"of\" is 1, not a list of ranks");
  EXPECT_EQ(fault_with("[1]", "[3]"), "s.json: step 1: a rank of \"of\" is 3, not 0 to 2");
  EXPECT_EQ(fault_with("[1]", "[1, 1]"), "s.json: step 1: \"of\" names a rank twice");
  EXPECT_EQ(fault_with("\"reduce\"", "\"broadcast\""), "s.json: step 1: \"of\" is for sums, not for broadcast");
}

TEST(PartsOfSums, ThatNoProcessorHoldsAreRefused) {
  MessageContents contents{.operation = "reduce",
                           .root = 2,
                           .nodes = 3,
                           .chunks = 1,
                           .sums = {{{0, 0}}, {{1, 0}}},
                           .steps = {{{0, 2, {0}}}, {{0, 2, {1}}}}};
  EXPECT_THROW(msccl_text(contents, "test"), InputError);  // 0 does not hold what 1 holds
  EXPECT_THROW(chunk_schedule_of(contents), InputError);
  contents.steps.pop_back();
  EXPECT_THROW(msccl_text(contents, "test"), InputError);  // 2 lacks it at the end
}

// Many separate chunks are copied together, in more steps than a threadblock may have: both ends of a pair continue in
// other threadblocks, on another channel.
TEST(WrittenFormatsOfManySteps, GoOnInOtherThreadblocks) {
  const MachineSpec machine = parse_machine("hypercube:7");
  const Topology topology = build(machine);
  const Method& method = find_method("alltoall/exchange", "hypercube");
  Settings settings;
  method.resolve(machine, method.defaults, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  const std::string text = msccl_text(message_contents(method, {.machine = machine,
                                                                .topology = topology,
                                                                .model = method.defaults,
                                                                .settings = settings,
                                                                .executor = *executor,
                                                                .options = {.name = "test"}}),
                                      "test");
  const Naive naive(text);
  EXPECT_TRUE(naive.is_right());
  EXPECT_EQ(naive.messages(), 7U * 128U);  // one message for each processor and dimension
  EXPECT_LE(naive.longest_block(), 64U);
}

TEST(WrittenFormatsOfManySteps, StayWithinTheLimitsOfTheRuntime) {
  const MachineSpec machine = parse_machine("switch:33");
  const Topology topology = build(machine);
  const Method& method = find_method("allreduce/ring", "switch");
  Settings settings;
  method.resolve(machine, method.defaults, settings);
  const auto executor = make_executor(ExecutorKind::sequential);
  const std::string text = msccl_text(message_contents(method, {.machine = machine,
                                                                .topology = topology,
                                                                .model = method.defaults,
                                                                .settings = settings,
                                                                .executor = *executor,
                                                                .options = {.name = "test"}}),
                                      "test");
  const Naive naive(text);
  EXPECT_TRUE(naive.is_right());
  EXPECT_EQ(naive.messages(), 33U * 64U);  // 2 P (P - 1); a threadblock would have 64 of them and waits
  EXPECT_LE(naive.longest_block(), 64U);
}

INSTANTIATE_TEST_SUITE_P(All, WrittenFormats, testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace lockstep::written_formats_test
