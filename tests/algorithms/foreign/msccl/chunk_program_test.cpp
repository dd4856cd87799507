// Schedules of other programs: MSCCL XML and the JSON of SCCL.
#include "lockstep/algorithms/chunk_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <pugixml.hpp>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "../../../sanitized.hpp"
#include "../../../text_of_file.hpp"
#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/memory.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::chunk_program_test {
namespace {

std::string real_file(const std::string& name) { return text_of_file(LOCKSTEP_TEST_DATA "/msccl/" + name + ".xml"); }

struct Ran {
  Outcome outcome;
  std::vector<std::string> warnings;
  LowerBound bound;
};

/// Runs the schedule on a machine, by default a switch, or a complete graph under all ports.
Ran run_text(const std::string& text, const Model& model = {}, std::string machine_text = "",
             ExecutorKind kind = ExecutorKind::sequential, std::optional<std::uint64_t> words = {}) {
  const auto program = std::make_shared<const ChunkProgram>(read_chunk_program(text, "schedule"));
  if (machine_text.empty()) {
    machine_text = (model.ports == PortModel::all ? "complete:" : "switch:") + std::to_string(program->nodes);
  }
  const MachineSpec machine = parse_machine(machine_text);
  const Topology topology = build(machine);
  const auto executor = make_executor(kind);
  const Method& method = chunk_program_method(program->task.operation);
  Settings settings;
  settings.words = words;
  settings.written_schedule = program;
  method.resolve(machine, model, settings);
  Outcome outcome = method.run({.machine = machine,
                                .topology = topology,
                                .model = model,
                                .settings = settings,
                                .executor = *executor,
                                .options = {.name = "schedule"}});
  std::vector<std::string> warnings = warnings_of(*program, outcome);
  return {std::move(outcome), std::move(warnings), lower_bound(method, machine, model, settings)};
}

/// The fault of the schedule; empty if there is none.
std::string fault_of(const std::string& text, const Model& model = {}, const std::string& machine = "") {
  try {
    return run_text(text, model, machine).outcome.wrong;
  } catch (const RunError& error) {
    return error.what();
  }
}

// Reads and runs MSCCL XML independently of the library: random steps among those that may run.
class RandomOrder {
 public:
  explicit RandomOrder(const std::string& text) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(text.c_str()));
    const pugi::xml_node algo = document.child("algo");
    ranks_ = algo.attribute("ngpus").as_int();
    loop_ = algo.attribute("nchunksperloop").as_int();
    in_place_ = algo.attribute("inplace").as_int() == 1;
    collective_ = algo.attribute("coll").value();
    for (const pugi::xml_node gpu : algo.children("gpu")) {
      for (const pugi::xml_node tb : gpu.children("tb")) {
        Block block{gpu.attribute("id").as_int(),  tb.attribute("id").as_int(),   tb.attribute("send").as_int(),
                    tb.attribute("recv").as_int(), tb.attribute("chan").as_int(), {}};
        for (const pugi::xml_node step : tb.children("step")) {
          block.steps.push_back({step.attribute("type").value(), step.attribute("srcbuf").value()[0],
                                 step.attribute("dstbuf").value()[0], step.attribute("srcoff").as_int(),
                                 step.attribute("dstoff").as_int(), step.attribute("cnt").as_int(),
                                 step.attribute("depid").as_int(), step.attribute("deps").as_int()});
        }
        blocks_.push_back(std::move(block));
      }
    }
  }

  /// Whether the result is right with at most `slots` messages in a connection.
  bool is_right(std::mt19937_64& random, std::size_t slots) {
    fill();
    next_.assign(blocks_.size(), 0);
    for (std::size_t index = 0; index < blocks_.size(); ++index)
      place_[{blocks_[index].gpu, blocks_[index].id}] = index;
    connections_.clear();
    std::vector<std::size_t> order(blocks_.size());
    for (std::size_t index = 0; index < order.size(); ++index) order[index] = index;
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      std::shuffle(order.begin(), order.end(), random);
      for (const std::size_t index : order) {
        // Some threadblocks are far ahead of others.
        const std::size_t steps = 1 + random() % 4;
        for (std::size_t count = 0; count < steps && try_step(index, slots); ++count) goes_on = true;
      }
    }
    for (std::size_t index = 0; index < blocks_.size(); ++index) {
      if (next_[index] != blocks_[index].steps.size()) return false;
    }
    return has_result();
  }

  std::size_t messages = 0;
  std::size_t chunks = 0;

 private:
  using Sum = std::multiset<std::pair<int, int>>;
  using Place = std::tuple<int, char, int>;
  struct Step {
    std::string type;
    char source_buffer, destination_buffer;
    int source, destination, count, depid, deps;
  };
  struct Block {
    int gpu, id, send, receive, channel;
    std::vector<Step> steps;
  };

  Place place(int gpu, char buffer, int offset) const {
    const int part = loop_ / ranks_;
    if (in_place_ && collective_ == "allreduce" && buffer == 'o') buffer = 'i';
    if (in_place_ && collective_ == "allgather" && buffer == 'i') return {gpu, 'o', gpu * part + offset};
    return {gpu, buffer, offset};
  }

  void fill() {
    memory_.clear();
    const int inputs = collective_ == "allgather" ? loop_ / ranks_ : loop_;
    for (int rank = 0; rank < ranks_; ++rank) {
      for (int chunk = 0; chunk < inputs; ++chunk) memory_[place(rank, 'i', chunk)] = {{rank, chunk}};
    }
  }

  bool has_result() const {
    const int part = loop_ / ranks_;
    for (int rank = 0; rank < ranks_; ++rank) {
      for (int chunk = 0; chunk < loop_; ++chunk) {
        Sum expected;
        if (collective_ == "allgather") expected = {{chunk / part, chunk % part}};
        if (collective_ == "alltoall") expected = {{chunk / part, rank * part + chunk % part}};
        for (int other = 0; other < ranks_ && collective_ == "allreduce"; ++other) expected.emplace(other, chunk);
        const auto found = memory_.find(place(rank, 'o', chunk));
        if (found == memory_.end() || found->second != expected) return false;
      }
    }
    return true;
  }

  bool try_step(std::size_t index, std::size_t slots) {
    const Block& block = blocks_[index];
    if (next_[index] == block.steps.size()) return false;
    const Step& step = block.steps[next_[index]];
    if (step.depid >= 0 && next_[place_.at({block.gpu, step.depid})] <= static_cast<std::size_t>(step.deps))
      return false;
    const std::string& type = step.type;
    const bool receives = type == "r" || type == "rrc" || type == "rrs" || type == "rrcs" || type == "rcs";
    const bool sends = type == "s" || type == "rrs" || type == "rrcs" || type == "rcs";
    auto& from = connections_[{block.receive, block.gpu, block.channel}];
    auto& to = connections_[{block.gpu, block.send, block.channel}];
    if (receives && from.empty()) return false;
    if (sends && to.size() >= slots) return false;
    std::vector<Sum> values;
    if (receives) {
      values = from.front();
      from.pop_front();
      if (values.size() != static_cast<std::size_t>(step.count)) return false;
    }
    for (int chunk = 0; chunk < step.count && type != "nop"; ++chunk) {
      const Sum source = memory_[place(block.gpu, step.source_buffer, step.source + chunk)];
      Sum& destination = memory_[place(block.gpu, step.destination_buffer, step.destination + chunk)];
      if (!receives) values.push_back(source);
      if (type[0] == 'r' && type != "r" && type != "rcs" && type != "re")
        values[static_cast<std::size_t>(chunk)].insert(source.begin(), source.end());
      if (type == "re") values[static_cast<std::size_t>(chunk)].insert(destination.begin(), destination.end());
    }
    for (int chunk = 0; chunk < step.count && type != "nop" && type != "s" && type != "rrs"; ++chunk) {
      memory_[place(block.gpu, step.destination_buffer, step.destination + chunk)] =
          values[static_cast<std::size_t>(chunk)];
    }
    if (sends) {
      to.push_back(values);
      ++messages;
      chunks += values.size();
    }
    ++next_[index];
    return true;
  }

  int ranks_ = 0, loop_ = 0;
  bool in_place_ = false;
  std::string collective_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> next_;
  std::map<std::pair<int, int>, std::size_t> place_;
  std::map<Place, Sum> memory_;
  std::map<std::tuple<int, int, int>, std::deque<std::vector<Sum>>> connections_;
};

// Messages and chunks that the files move, according to their synthesizers.
struct RealFile {
  const char* name;
  std::uint64_t messages, chunks;
};
void PrintTo(const RealFile& file, std::ostream* stream) { *stream << file.name; }
const RealFile real_files[] = {
    {"ncv4_ag_hier_4_LL", 48, 48},    {"ncv4_ag_hier_4_Simple", 48, 48}, {"ncv4_ar_hier_12_Simple", 144, 144},
    {"ncv4_ar_tree_12_LL", 144, 144}, {"ndv4_a2a2ll", 112, 112},         {"ndv4_a2a4ll", 224, 224},
    {"ndv4_ag-1k-512k", 112, 112},    {"ndv4_ag-1m", 224, 224},          {"ndv4_ag-2m", 224, 224},
    {"ndv4_ag-4m", 224, 224},         {"ndv4_ag-8m", 224, 224},          {"ndv4_ag-16m", 224, 224},
    {"ndv4_ag-32m-1g", 1792, 1792},   {"ndv4_ap-1pass", 224, 1792},      {"ndv4_ap2ll", 224, 1792},
    {"ndv4_ap4ll", 448, 3584},        {"ndv4_r48ll", 896, 896},          {"ndv4_r48ll128", 896, 896}};

class RealFiles : public testing::TestWithParam<RealFile> {};

TEST_P(RealFiles, RunRight) {
  const auto& [name, messages, chunks] = GetParam();
  const std::string text = real_file(name);
  for (const PortModel ports : {PortModel::one, PortModel::one_strict, PortModel::all}) {
    for (const Duplex duplex : {Duplex::full, Duplex::half_link, Duplex::half_node}) {
      if (ports == PortModel::one && duplex == Duplex::half_link) continue;  // a switch has no links
      SCOPED_TRACE(std::string(lockstep::name(ports)) + " " + std::string(lockstep::name(duplex)));
      const Model model{.ports = ports, .duplex = duplex};
      const Ran run = run_text(
          text, model,
          ports == PortModel::one ? "" : "complete:" + std::to_string(std::string(name).starts_with("ncv4") ? 4 : 8));
      EXPECT_EQ(run.outcome.wrong, "");
      EXPECT_EQ(run.outcome.report.messages, messages);
      EXPECT_EQ(run.outcome.report.words, chunks);
      EXPECT_EQ(run.outcome.measures.front().value, 2U) << "slots";
      EXPECT_GE(run.outcome.report.steps, run.bound.steps);
      EXPECT_GE(run.outcome.report.longest_sum, run.bound.longest_sum);
    }
  }
}

TEST_P(RealFiles, RunRightOnAllExecutorsAlike) {
  const std::string text = real_file(GetParam().name);
  const Ran sequential = run_text(text);
  const Ran threads = run_text(text, {}, "", ExecutorKind::threads);
  EXPECT_EQ(sequential.outcome.data_digest, threads.outcome.data_digest);
  EXPECT_EQ(sequential.outcome.report.digest(), threads.outcome.report.digest());
}

// The independent interpreter agrees in any order of the threadblocks.
TEST_P(RealFiles, AreRightInAnyOrder) {
  RandomOrder random_order(real_file(GetParam().name));
  std::mt19937_64 random(1);
  EXPECT_TRUE(random_order.is_right(random, 2));
  EXPECT_EQ(random_order.messages, GetParam().messages);
  EXPECT_EQ(random_order.chunks, GetParam().chunks);
}

/// The steps of a document.
std::vector<pugi::xml_node> steps_of(const pugi::xml_document& document) {
  std::vector<pugi::xml_node> steps;
  for (const pugi::xml_node gpu : document.child("algo").children("gpu")) {
    for (const pugi::xml_node tb : gpu.children("tb")) {
      for (const pugi::xml_node step : tb.children("step")) steps.push_back(step);
    }
  }
  return steps;
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "", pugi::format_raw);
  return text.str();
}

bool is_type(const pugi::xml_node& step, const std::string& types) {
  return (" " + types + " ").find(" " + std::string(step.attribute("type").value()) + " ") != std::string::npos;
}

/// Removes a step; later ones move up, and steps that wait for them still do. Steps that wait for the removed one wait
/// for the one before it, if there is one.
void drop(pugi::xml_node step) {
  pugi::xml_node block = step.parent();
  const int number = step.attribute("s").as_int();
  for (pugi::xml_node other : block.parent().children("tb")) {
    for (pugi::xml_node each : other.children("step")) {
      if (each.attribute("depid").as_int() != block.attribute("id").as_int()) continue;
      const int deps = each.attribute("deps").as_int();
      if (deps >= number && deps > 0) each.attribute("deps") = deps - 1;
    }
  }
  for (pugi::xml_node each = step.next_sibling("step"); each; each = each.next_sibling("step")) {
    each.attribute("s") = each.attribute("s").as_int() - 1;
  }
  block.remove_child(step);
}

enum class Planted { dropped_step, swapped_dependence, hasdep_cleared, wrong_offset, exchanged_chunks };

/// Returns whether there was something of that kind to change.
bool plant(Planted kind, pugi::xml_document& document, std::mt19937_64& random) {
  const auto is_wait = [](const pugi::xml_node& step) { return step.attribute("depid").as_int() >= 0; };
  std::vector<pugi::xml_node> steps = steps_of(document);
  std::shuffle(steps.begin(), steps.end(), random);
  switch (kind) {
    case Planted::dropped_step:
      drop(steps.front());
      return true;
    case Planted::swapped_dependence:
      for (pugi::xml_node one : steps) {
        for (pugi::xml_node other : steps) {
          if (one.parent().parent() != other.parent().parent() || !is_wait(one) || !is_wait(other)) continue;
          const std::string depid = one.attribute("depid").value(), deps = one.attribute("deps").value();
          if (depid == other.attribute("depid").value() && deps == other.attribute("deps").value()) continue;
          one.attribute("depid") = other.attribute("depid").value();
          one.attribute("deps") = other.attribute("deps").value();
          other.attribute("depid") = depid.c_str();
          other.attribute("deps") = deps.c_str();
          return true;
        }
      }
      return false;
    case Planted::hasdep_cleared:
      for (pugi::xml_node step : steps) {
        if (step.attribute("hasdep").as_int() != 1) continue;
        step.attribute("hasdep") = 0;
        return true;
      }
      return false;
    case Planted::wrong_offset:
      for (pugi::xml_node step : steps) {
        const bool reads = is_type(step, "s cpy re rrc rrs rrcs");
        if (is_type(step, "nop")) continue;
        pugi::xml_attribute offset = step.attribute(reads ? "srcoff" : "dstoff");
        offset = offset.as_int() + 1;
        return true;
      }
      return false;
    case Planted::exchanged_chunks:
      for (pugi::xml_node one : steps) {
        for (pugi::xml_node other : steps) {
          if (one.parent().parent() != other.parent().parent() || !is_type(one, "s") || !is_type(other, "s")) continue;
          if (std::string(one.attribute("srcbuf").value()) != other.attribute("srcbuf").value()) continue;
          const int offset = one.attribute("srcoff").as_int();
          if (offset == other.attribute("srcoff").as_int()) continue;
          one.attribute("srcoff") = other.attribute("srcoff").as_int();
          other.attribute("srcoff") = offset;
          return true;
        }
      }
      return false;
  }
  return false;
}

// A planted change is refused with its gpu, threadblock and step, or it is harmless: the file's result is still right
// in each of many random orders. Only a dropped or swapped wait may be harmless, as others wait for the same.
TEST_P(RealFiles, AreRefusedWithAFault) {
  const std::string text = real_file(GetParam().name);
  const std::regex place("gpu [0-9]+(, threadblock [0-9]+, step [0-9]+|: )");
  for (const Planted kind : {Planted::dropped_step, Planted::swapped_dependence, Planted::hasdep_cleared,
                             Planted::wrong_offset, Planted::exchanged_chunks}) {
    for (std::uint64_t seed = 1; seed <= (sanitized ? 1 : 4); ++seed) {
      SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      pugi::xml_document document;
      ASSERT_TRUE(document.load_string(text.c_str()));
      if (!plant(kind, document, random)) {
        // Nothing to change: a file without flags, or whose gpus send one chunk each.
        EXPECT_TRUE(kind == Planted::hasdep_cleared || kind == Planted::swapped_dependence ||
                    kind == Planted::exchanged_chunks);
        continue;
      }
      const std::string changed = text_of(document);
      const std::string fault = fault_of(changed);
      if (!fault.empty()) {
        EXPECT_TRUE(std::regex_search(fault, place)) << fault;
        continue;
      }
      EXPECT_TRUE(kind == Planted::dropped_step || kind == Planted::swapped_dependence) << changed.size();
      for (int run = 0; run < 5; ++run) EXPECT_TRUE(RandomOrder(changed).is_right(random, 2)) << "not harmless";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Msccl, RealFiles, testing::ValuesIn(real_files), [](const auto& file) {
  return std::regex_replace(std::string(file.param.name), std::regex("-"), "_");
});

// Two ranks exchange their vectors and add.
std::string exchange(const std::string& changed_from = "", const std::string& changed_to = "") {
  std::string text =
      R"(<!-- a comment --><algo name="exchange" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="2" coll="allreduce" inplace="1">)";
  for (const std::string rank : {"0", "1"}) {
    const std::string peer = rank == "0" ? "1" : "0";
    text += "\n<gpu id=\"" + rank + R"(" i_chunks="1" o_chunks="0" s_chunks="1">
<tb id="0" send=")" +
            peer + "\" recv=\"" + peer + R"(" chan="0">
<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
<step s="1" type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
</tb>
<tb id="1" send="-1" recv="-1" chan="0">
<step s="0" type="re" srcbuf="s" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="0" deps="1" hasdep="0"/>
</tb></gpu>)";
  }
  text += "</algo>";
  if (const std::size_t at = text.find(changed_from); !changed_from.empty() && at != std::string::npos) {
    text.replace(at, changed_from.size(), changed_to);
  }
  return text;
}

TEST(ChunkProgram, IsAnExchangeOfTwo) {
  const Ran run = run_text(exchange());
  EXPECT_EQ(run.outcome.wrong, "");
  EXPECT_EQ(run.outcome.report.steps, 1U);
  EXPECT_EQ(run.outcome.report.messages, 2U);
  EXPECT_EQ(run.outcome.report.words, 2U);
  EXPECT_EQ(run.outcome.report.time_synchronous, 2.0);
  EXPECT_EQ(run.outcome.report.time_asynchronous, 2.0);
  EXPECT_TRUE(run.warnings.empty());
  EXPECT_EQ(run_text(exchange(), {.duplex = Duplex::half_node}).outcome.report.steps, 2U);
  EXPECT_EQ(run_text(exchange(), {}, "path:2", ExecutorKind::sequential, 7).outcome.report.words, 14U);
}

TEST(ChunkProgram, IsRefusedWithItsPlace) {
  const auto expect = [](const std::string& from, const std::string& to, const std::string& fault) {
    EXPECT_EQ(fault_of(exchange(from, to)), fault) << from;
  };
  expect(R"(type="re" srcbuf="s")", R"(type="cpy" srcbuf="s")",
         "gpu 0: i[0] lacks chunk 0 of rank 0; written by gpu 0, threadblock 1, step 0 (cpy)");
  expect(R"(type="re" srcbuf="s")", R"(type="re" srcbuf="i")",
         "gpu 0: i[0] lacks chunk 0 of rank 1 and has chunk 0 of rank 0 2 times; written by gpu 0, threadblock 1, step "
         "0 (re)");
  expect(
      R"(hasdep="1")", R"(hasdep="0")",
      "schedule: gpu 0, threadblock 1, step 0 (re) waits for threadblock 0, step 1, which sets no flag (hasdep is 0)");
  expect(R"(depid="0" deps="1")", R"(depid="-1" deps="-1")",
         "schedule: gpu 0, threadblock 1, step 0 (re) reads s[0], which was never written");
  expect(R"(depid="0" deps="1")", R"(depid="0" deps="2")",
         "schedule: gpu 0, threadblock 1, step 0 (re) waits for threadblock 0, step 2, which does not exist");
  expect(R"(srcoff="0" dstbuf="s" dstoff="0" cnt="1")", R"(srcoff="1" dstbuf="s" dstoff="0" cnt="1")",
         "schedule: gpu 0, threadblock 0, step 0 (s) uses i[1]; buffer i has 1 chunks");
  expect(R"(id="1" send="-1" recv="-1")", R"(id="1" send="1" recv="-1")",
         "schedule: gpu 0: threadblocks 0 and 1 both send to gpu 1 on channel 0");
  expect(R"(chan="0")", R"(chan="1")",
         "schedule: gpu 1, threadblock 0, step 1 (r) receives from gpu 0 on channel 0, where no step sends that: 0 are "
         "sent and 1 received");
  expect("<step s=\"0\" type=\"s\"", "<step s=\"0\" type=\"nop\"",
         "schedule: gpu 1, threadblock 0, step 1 (r) receives from gpu 0 on channel 0, where no step sends that: 0 are "
         "sent and 1 received");
}

TEST(ChunkProgram, NamesTheStepsOfADeadlock) {
  // Both receive before they send.
  std::string text = exchange();
  text = std::regex_replace(text, std::regex(R"(s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s")"),
                            R"(s="0" type="r" srcbuf="i" srcoff="0" dstbuf="s")");
  text = std::regex_replace(text, std::regex(R"(s="1" type="r" srcbuf="i" srcoff="0" dstbuf="s")"),
                            R"(s="1" type="s" srcbuf="i" srcoff="0" dstbuf="s")");
  EXPECT_EQ(fault_of(text),
            "schedule: no processor can continue after cycle 0: gpu 0, threadblock 0, step 0 (r) waits for a message "
            "of gpu 1 on channel 0; "
            "gpu 1, threadblock 0, step 0 (r) waits for a message of gpu 0 on channel 0");
}

TEST(ChunkProgram, NeedsTheLinksOfItsMachine) {
  EXPECT_EQ(fault_of(real_file("ncv4_ag_hier_4_LL"), {.ports = PortModel::all}, "path:4").substr(0, 10), "schedule: ");
  const ChunkProgram program = read_chunk_program(real_file("ncv4_ag_hier_4_LL"), "schedule");
  MachineSpec machine = parse_machine("path:4");
  machine.text = "path:\n4";
  try {
    plan_chunks(program, machine, build(machine), {.ports = PortModel::all});
    FAIL() << "a path has all links";
  } catch (const ChunkProgramError& error) {
    EXPECT_NE(std::string(error.what()).find("path:?4 has no link from"), std::string::npos) << error.what();
  }
}

// Sizes that do not match.
TEST(ChunkProgram, NamesBothEndsOfAMessage) {
  std::string text = exchange();
  text = std::regex_replace(text, std::regex("nchunksperloop=\"1\""), "nchunksperloop=\"2\"");
  text = std::regex_replace(text, std::regex("i_chunks=\"1\" o_chunks=\"0\" s_chunks=\"1\""),
                            "i_chunks=\"2\" o_chunks=\"0\" s_chunks=\"2\"");
  const std::size_t first = text.find("cnt=\"1\"");
  text.replace(first, 7, "cnt=\"2\"");
  EXPECT_EQ(
      fault_of(text),
      "schedule: gpu 0, threadblock 0, step 0 (s) sends 2 chunks to gpu 1, threadblock 0, step 1 (r), which takes 1");
}

// Three sends before the receiver takes one: it first waits for a step that the sender does after them.
TEST(ChunkProgram, SaysHowManyMessagesAConnectionHasToHold) {
  std::string text = R"(<algo name="slots" ngpus="2" nchunksperloop="3" coll="broadcast" nchannels="2" proto="Simple">
<gpu id="0" i_chunks="3" o_chunks="3" s_chunks="0">
<tb id="0" send="1" recv="-1" chan="0">)";
  for (const std::string step : {"0", "1", "2"}) {
    text += "<step s=\"" + step + "\" type=\"s\" srcbuf=\"i\" srcoff=\"" + step + "\" cnt=\"1\" hasdep=\"1\"/>";
  }
  text +=
      R"(</tb><tb id="1" send="1" recv="-1" chan="1"><step s="0" type="s" srcbuf="i" srcoff="0" cnt="1" depid="0" deps="2" hasdep="0"/></tb>
<tb id="2" send="-1" recv="-1" chan="0"><step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="3"/></tb></gpu>
<gpu id="1" i_chunks="0" o_chunks="3" s_chunks="1">
<tb id="0" send="-1" recv="0" chan="0">)";
  for (const std::string step : {"0", "1", "2"}) {
    text += "<step s=\"" + step + "\" type=\"r\" dstbuf=\"o\" dstoff=\"" + step + "\" cnt=\"1\"" +
            (step == "0" ? " depid=\"1\" deps=\"0\"" : "") + "/>";
  }
  text +=
      R"(</tb><tb id="1" send="-1" recv="0" chan="1"><step s="0" type="r" dstbuf="s" dstoff="0" cnt="1" hasdep="1"/></tb></gpu></algo>)";
  const Ran run = run_text(text);
  EXPECT_EQ(run.outcome.wrong, "");
  EXPECT_EQ(run.warnings,
            std::vector<std::string>{"connections have to hold 3 messages; where they hold 2, it deadlocks"});
}

TEST(ChunkProgram, IsRefusedIfItIsNone) {
  const auto expect = [](const std::string& text, const std::string& said) {
    try {
      read_chunk_program(text, "file");
      FAIL() << said;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), said);
    }
  };
  for (const std::string blank : {"", " \n", "\xef\xbb\xbf"}) {
    EXPECT_FALSE(is_chunk_program(blank));
    expect(blank, "file: it is not JSON");
  }
  expect("<algo", "file: it is not XML: Error parsing start element tag (line 1)");
  expect("<x/>", "file: it has no element <algo>");
  expect(exchange(R"(coll="allreduce")", R"(coll="custom")"),
         "file: coll=\"custom\" does not name the required result, so that it cannot be checked; name the "
         "collective, one of allreduce, allgather, reduce-scatter, alltoall, broadcast, reduce, gather, scatter");
  expect(exchange(R"(coll="allreduce")", R"(coll="alltoallv")"),
         "file: coll='alltoallv' is unknown here; known are allreduce, allgather, reduce-scatter, alltoall, broadcast, "
         "reduce, gather, scatter");
  expect(exchange(R"(type="re")", R"(type="x")"),
         "file: type is 'x', not s, r, cpy, re, rrc, rrs, rrcs, rcs or nop (line 8)");
  expect(exchange(R"(ngpus="2")", R"(ngpus="3")"), "file: gpu 2 is missing");
  expect(exchange(R"(ngpus="2")", R"(ngpus="1e9")"), "file: ngpus is '1e9', not 1 to 65536 (line 1)");
  expect(exchange(R"(cnt="1")", ""), "file: <step> has no cnt (line 4)");
  expect(exchange(R"(srcbuf="i")", R"(srcbuf="q")"), "file: srcbuf is 'q', not i, o or s (line 4)");
  expect(exchange(R"(step s="1")", R"(step s="2")"),
         "file: gpu 0, threadblock 0: step 2 stands in the place of step 1 (line 5)");
  expect(exchange(R"(coll="allreduce")", R"(coll="allgather")"),
         "file: nchunksperloop is 1, no multiple of its 2 gpus");
}

// Two ranks of SCCL, and the chunks that each lacks.
std::string allgather_of_two(const std::string& steps) {
  return R"({"msccl_type":"algorithm","name":"two","instance":{"msccl_type":"instance","steps":1,"extra_rounds":0,"chunks":1,
"pipeline":null,"extra_memory":null,"allow_exchange":false},"input_map":{"0":[0],"1":[1]},"output_map":{"0":[0,1],"1":[0,1]},
"steps":)" +
         steps + R"x(,"collective":{"msccl_type":"collective","name":"Allgather(n=2)","nodes":2,"chunks":[
{"msccl_type":"chunk","pre":[0],"post":[0,1],"addr":0},{"msccl_type":"chunk","pre":[1],"post":[0,1],"addr":1}],
"triggers":{},"runtime_name":"allgather"},"topology":{"msccl_type":"topology","name":"two","switches":[],"links":[[0,1],[1,0]]}})x";
}

/// The message with which a text is refused.
std::string refusal_of(const std::string& text) {
  try {
    read_chunk_program(text, "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ChunkProgram, RefusesBuffersThatTakeMoreMemoryThanAnyHost) {
  std::string text = R"(<algo name="large" ngpus="4096" nchunksperloop="1" coll="allreduce">)";
  for (int gpu = 0; gpu < 4096; ++gpu) text += "<gpu id=\"" + std::to_string(gpu) + "\" s_chunks=\"16777216\"/>";
  EXPECT_EQ(refusal_of(text + "</algo>"), "file: its buffers have too many chunks to follow each of them (line 1)");
}

TEST(ChunkProgram, ReadsAnAlltoallOfScclWhosePairsAreMoreThan2To32) {
  EXPECT_EQ(refusal_of(R"({"msccl_type":"algorithm","collective":{"runtime_name":"alltoall","nodes":65536,
"chunks":[{"pre":[0],"post":[1],"addr":0}]},"steps":[]})"),
            "nothing");
}

TEST(ChunkProgram, RefusesJsonThatIsDeeperThanAStack) {
  const std::string deep(300'000, '[');
  const std::string closed(300'000, ']');
  EXPECT_EQ(refusal_of(R"({"msccl_type":"algorithm","steps":[{"sends":[)" + deep + closed + "]}]}"),
            "file: its brackets are nested deeper than in any algorithm");
  const std::string of_chunks = R"({"operation":"allgather","processors":2,"chunks":1,"steps":)" + deep + closed + "}";
  EXPECT_FALSE(is_chunk_schedule(of_chunks));
  EXPECT_EQ(machine_in_schedule(R"({"machine":"ring:2","comment":)" + deep + closed + "}"), "");
  EXPECT_THROW(read_chunk_schedule(of_chunks, "file"), InputError);
}

TEST(ChunkProgram, RefusesAlgorithmsOfScclThatDemandLessThanTheirOperation) {
  const auto refusal = [](const std::string& operation, const std::string& chunks, const std::string& outputs) {
    return refusal_of(R"({"msccl_type":"algorithm","output_map":)" + outputs + R"(,"collective":{"runtime_name":")" +
                      operation + R"(","nodes":2,"chunks":)" + chunks + R"(},"steps":[]})");
  };
  const std::string both = R"([{"pre":[0],"post":[0,1],"addr":0},{"pre":[1],"post":[0,1],"addr":1}])";
  const std::string one_less = R"([{"pre":[0],"post":[0,1],"addr":0},{"pre":[1],"post":[1],"addr":1}])";
  const std::string nothing = R"([{"pre":[0],"post":[0,1],"addr":0},{"pre":[1],"post":[],"addr":1}])";
  const std::string all = R"({"0":[0,1],"1":[0,1]})";
  EXPECT_EQ(refusal("allgather", both, all), "nothing");
  EXPECT_EQ(refusal("allgather", nothing, "{}"), "file: \"post\" of chunk 1 has no rank");
  EXPECT_EQ(refusal("allgather", one_less, "{}"),
            "file: \"post\" of chunk 1 has 1 of 2 ranks, and allgather ends with every chunk at all of them");
  EXPECT_EQ(refusal("gather", one_less, "{}"), "file: \"post\" of chunk 1 has not rank 0, which that of chunk 0 has");
  EXPECT_EQ(refusal("alltoall", one_less, "{}"), "nothing");
  EXPECT_EQ(refusal("alltoall", one_less, all),
            "file: \"output_map\" has address 1 at rank 0, and no \"post\" demands it there");
}

TEST(ChunkProgram, ReadsTheAlgorithmsOfSccl) {
  const Ran run = run_text(allgather_of_two(R"([{"msccl_type":"step","rounds":1,"sends":[[0,0,1],[1,1,0]]}])"));
  EXPECT_EQ(run.outcome.wrong, "");
  EXPECT_EQ(run.outcome.report.steps, 1U);
  EXPECT_EQ(run.outcome.report.messages, 2U);
  EXPECT_EQ(fault_of(allgather_of_two(R"([{"rounds":1,"sends":[[0,0,1]]}])")),
            "gpu 0: address 1 lacks chunk 1 of rank 1; nothing wrote it");
  EXPECT_EQ(fault_of(allgather_of_two(R"([{"rounds":1,"sends":[[1,0,1],[1,1,0],[0,0,1]]}])")),
            "schedule: gpu 0, step 0, send [0,0,1]: the link from 0 to 1 takes 1 in 1 round");
  EXPECT_EQ(fault_of(allgather_of_two(R"([{"rounds":1,"sends":[[1,0,1],[1,1,0]]},{"rounds":1,"sends":[[0,0,1]]}])")),
            "schedule: gpu 0, step 0, send [1,0,1] reads address 1, which was never written");
}

// An allreduce on a ring: chunks of the first pass are added, those of the second replace the ones present.
TEST(ChunkProgram, AddsSummandsOfScclAndReplacesThemBySums) {
  const int ranks = 5;
  std::string chunks, steps;
  for (int address = 0; address < ranks; ++address) {
    for (int rank = 0; rank < ranks; ++rank) {
      chunks += std::string(chunks.empty() ? "" : ",") + R"({"msccl_type":"chunk","pre":[)" + std::to_string(rank) +
                R"(],"post":[0,1,2,3,4],"addr":)" + std::to_string(address) + "}";
    }
  }
  for (int step = 0; step < 2 * (ranks - 1); ++step) {
    std::string sends;
    for (int rank = 0; rank < ranks; ++rank) {
      sends += std::string(sends.empty() ? "" : ",") + "[" + std::to_string((rank + 2 * ranks - step) % ranks) + "," +
               std::to_string(rank) + "," + std::to_string((rank + 1) % ranks) + "]";
    }
    steps += std::string(steps.empty() ? "" : ",") + R"({"rounds":1,"sends":[)" + sends + "]}";
  }
  const std::string text = R"({"msccl_type":"algorithm","name":"ring","steps":[)" + steps +
                           R"(],"collective":{"nodes":5,"chunks":[)" + chunks + R"(],"runtime_name":"allreduce"}})";
  const Ran run = run_text(text, {}, "ring:5");
  EXPECT_EQ(run.outcome.wrong, "");
  // collectives.md, Allreduce: 2 (p - 1) steps, every rank sends m / p words in each.
  EXPECT_EQ(run.outcome.report.steps, 8U);
  EXPECT_EQ(run.outcome.report.messages, 40U);
  EXPECT_EQ(run.outcome.report.words, 40U);
}

/// A ring allgather with the given ranks and chunks a rank, in place: 2 (p - 1) c steps a rank and one flag a step.
std::string ring_allgather(int ranks, int chunks) {
  std::ostringstream text;
  text << "<algo name=\"ring\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"" << ranks * chunks << "\" ngpus=\""
       << ranks << "\" coll=\"allgather\" inplace=\"1\" outofplace=\"0\" minBytes=\"0\" maxBytes=\"0\">\n";
  for (int rank = 0; rank < ranks; ++rank) {
    text << "<gpu id=\"" << rank << "\" i_chunks=\"" << chunks << "\" o_chunks=\"" << ranks * chunks
         << "\" s_chunks=\"0\">\n";
    for (int chunk = 0; chunk < chunks; ++chunk) {
      text << "<tb id=\"" << chunk << "\" send=\"" << (rank + 1) % ranks << "\" recv=\"" << (rank + ranks - 1) % ranks
           << "\" chan=\"" << chunk << "\">\n";
      for (int step = 0; step < 2 * (ranks - 1); ++step) {
        const int origin = (rank + ranks - (step + 1) / 2) % ranks;
        text << "<step s=\"" << step << "\" type=\"" << (step % 2 == 0 ? "s" : "r") << "\" srcbuf=\"o\" srcoff=\""
             << origin * chunks + chunk << "\" dstbuf=\"o\" dstoff=\"" << origin * chunks + chunk
             << "\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"1\"/>\n";
      }
      text << "</tb>\n";
    }
    text << "</gpu>\n";
  }
  text << "</algo>\n";
  return text.str();
}

// No time is asserted; it is printed.
TEST(ChunkProgram, RunsTenThousandStepsOnThirtyTwoProcessors) {
  const std::string text = ring_allgather(32, 5);
  const auto start = std::chrono::steady_clock::now();
  const Ran run = run_text(text);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::cout << 32 * 5 * 62 << " steps: " << taken.count() << " s\n";
  EXPECT_EQ(run.outcome.wrong, "");
  EXPECT_EQ(run.outcome.report.messages, 32U * 31 * 5);
  EXPECT_EQ(run.outcome.report.steps, 31U * 5);  // the bound of one port: the chunks that every rank must receive
}

/// Two gpus that send their blocks to each other. Whoever runs it out of place lacks its own block.
std::string exchange_of_blocks(const std::string& where) {
  const auto gpu = [](int own, int other) {
    return "<gpu id=\"" + std::to_string(own) + "\" i_chunks=\"1\" o_chunks=\"2\" s_chunks=\"0\"><tb id=\"0\" send=\"" +
           std::to_string(other) + "\" recv=\"" + std::to_string(other) +
           "\" chan=\"0\"><step s=\"0\" type=\"s\" srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"" +
           std::to_string(own) +
           "\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/><step s=\"1\" type=\"r\" srcbuf=\"i\" "
           "srcoff=\"0\" dstbuf=\"o\" dstoff=\"" +
           std::to_string(other) + "\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/></tb></gpu>";
  };
  return "<algo name=\"ag\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\" coll=\"allgather\" " +
         where + ">" + gpu(0, 1) + gpu(1, 0) + "</algo>";
}

TEST(ChunkProgram, IsCheckedInPlaceAndOutOfPlaceWhereItIsForBoth) {
  EXPECT_EQ(run_text(exchange_of_blocks("inplace=\"1\" outofplace=\"0\"")).outcome.wrong, "");
  EXPECT_EQ(run_text(exchange_of_blocks("inplace=\"0\" outofplace=\"1\"")).outcome.wrong,
            "gpu 0: o[0] lacks chunk 0 of rank 0; nothing wrote it");
  EXPECT_EQ(run_text(exchange_of_blocks("inplace=\"1\" outofplace=\"1\"")).outcome.wrong,
            "out of place (outofplace=\"1\"): gpu 0: o[0] lacks chunk 0 of rank 0; nothing wrote it");
}

}  // namespace
}  // namespace lockstep::chunk_program_test
