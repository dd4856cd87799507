#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "holdings.hpp"
#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/parameter.hpp"
#include "lockstep/algorithms/run_program.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/synthesis.hpp"
#include "lockstep/algorithms/task.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/input_file.hpp"
#include "method/collective_bound.hpp"
#include "schedule/follow.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr Parameter words_parameter{
    "words", "words of the vector, or of a processor's or a pair's block, a multiple of the schedule's chunks",
    "a word a chunk"};

/// The members of a document but its steps, which may be long; empty if it is no JSON.
Json members_of(const std::string& text) {
  const auto is_wanted = [](int depth, Json::parse_event_t event, Json& parsed) {
    return depth != 1 || event != Json::parse_event_t::key || parsed != Json("steps");
  };
  if (json_depth(text) > most_json_depth) return Json::object();
  Json document = Json::parse(text, is_wanted, false);
  return document.is_object() ? std::move(document) : Json::object();
}

class ChunkReader {
 public:
  ChunkReader(const std::string& text, const std::string& name) : name_(name) {
    if (json_depth(text) > most_json_depth) refuse("its brackets are deeper than any of a schedule");
    document_ = Json::parse(text, nullptr, false);
    if (document_.is_discarded()) refuse("it is not JSON");
    if (!document_.is_object()) refuse("it is no object");
  }

  WrittenChunks read() {
    constexpr std::uint64_t most_nodes = 1 << 16;
    constexpr std::uint64_t most_chunks = 1 << 20;
    ChunkSchedule schedule;
    ChunkTask& task = schedule.task;
    const Json& operation = member("operation");
    const auto& known = chunk_operations();
    if (!operation.is_string() || std::ranges::find(known, operation.get<std::string>()) == known.end()) {
      refuse("\"operation\" is " + printable(operation.dump()) + ", of which no schedule of chunks tells");
    }
    task.operation = operation;
    schedule.nodes = static_cast<Rank>(number(member("processors"), "\"processors\"", 1, most_nodes));
    const std::uint64_t last = std::uint64_t{schedule.nodes} - 1;
    task.chunks = static_cast<std::uint32_t>(number(member("chunks"), "\"chunks\"", 1, most_chunks));
    const bool has_a_root = has_root(task.operation) || task.operation == "reduce";
    if (has_a_root) task.root = static_cast<Rank>(number(member("root"), "\"root\"", 0, last));
    if (document_.contains("owners")) {
      task.owners = static_cast<Rank>(number(document_["owners"], "\"owners\"", 1, schedule.nodes));
    }
    constexpr std::uint64_t most_places = std::uint64_t{1} << 26;
    if (Wide{schedule.nodes} * schedule.nodes * task.chunks > most_places) {
      refuse("it has too many chunks to follow each of them");
    }
    const Json& steps = member("steps");
    if (!steps.is_array()) refuse("\"steps\" is no list");
    for (const Json& step : steps) {
      where_ = "step " + std::to_string(schedule.steps.size());
      if (!step.is_array()) refuse(where_ + " is no list of messages");
      schedule.steps.emplace_back();
      for (const Json& message : step) read_message(message, last, schedule);
    }
    WrittenChunks written;
    written.nodes = schedule.nodes;
    written.task.operation = task.operation;
    written.task.root = task.root;
    written.chunks = std::move(schedule);
    return written;
  }

 private:
  void read_message(const Json& message, std::uint64_t last, ChunkSchedule& schedule) const {
    const bool is_message = message.is_object() && message.contains("from") && message.contains("to") &&
                            message.contains("blocks") && message["blocks"].is_array();
    if (!is_message) refuse(where_ + ": a message is " + shortened(message) + R"(, not {"from", "to", "blocks"})");
    ChunkMove move;
    move.from = static_cast<Rank>(number(message["from"], where_ + ": \"from\"", 0, last));
    move.to = static_cast<Rank>(number(message["to"], where_ + ": \"to\"", 0, last));
    const Json adds = message.value("adds", Json(false));
    if (!adds.is_boolean()) refuse(where_ + ": \"adds\" is " + shortened(adds) + ", not true or false");
    move.adds = adds;
    if (message.contains("of")) move.of = read_summands(message["of"], last, schedule.task);
    for (const Json& block : message["blocks"]) {
      if (!block.is_array() || block.size() < 2 || block.size() > 3) {
        refuse(where_ + ": a block is " + shortened(block) + ", not [origin, chunk] or [origin, destination, chunk]");
      }
      move.origin = static_cast<Rank>(number(block.front(), where_ + ": an origin", 0, last));
      move.destination =
          block.size() == 2 ? move.origin : static_cast<Rank>(number(block[1], where_ + ": a destination", 0, last));
      const std::uint64_t most = std::uint64_t{schedule.task.chunks} - 1;
      move.chunk = static_cast<std::uint32_t>(number(block.back(), where_ + ": a chunk", 0, most));
      schedule.steps.back().push_back(move);
    }
  }

  /// Whose summands a message holds.
  std::vector<Rank> read_summands(const Json& of, std::uint64_t last, const ChunkTask& task) const {
    if (!is_summed_up(task)) refuse(where_ + ": \"of\" is for what is summed up, not for " + task.operation);
    if (!of.is_array() || of.empty()) refuse(where_ + ": \"of\" is " + shortened(of) + ", not a list of ranks");
    std::vector<Rank> ranks;
    for (const Json& rank : of)
      ranks.push_back(static_cast<Rank>(number(rank, where_ + ": a rank of \"of\"", 0, last)));
    std::ranges::sort(ranks);
    if (std::ranges::adjacent_find(ranks) != ranks.end()) refuse(where_ + ": \"of\" names a rank twice");
    return ranks;
  }

  const Json& member(const char* of) const {
    if (!document_.contains(of)) refuse(std::string("\"").append(of).append("\" is missing"));
    return document_[of];
  }

  std::uint64_t number(const Json& value, const std::string& what, std::uint64_t least, std::uint64_t most) const {
    const bool is_whole = value.is_number_unsigned();
    if (!is_whole || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most) {
      refuse(what + " is " + shortened(value) + ", not " + std::to_string(least) + " to " + std::to_string(most));
    }
    return value;
  }

  static std::string shortened(const Json& value) {
    constexpr std::size_t longest = 60;
    return printable(value.dump(-1, ' ', true, Json::error_handler_t::replace), longest);
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

  const std::string& name_;
  Json document_;
  std::string where_;
};

const WrittenChunks& written_in(const Settings& settings) {
  return static_cast<const WrittenChunks&>(*settings.written_schedule);
}

/// In which --words words are cut.
std::uint64_t chunks_of_words(const ChunkSchedule& schedule) {
  const ChunkTask& task = schedule.task;
  const bool has_parts = task.operation == "allreduce" || task.operation == "reduce-scatter";
  if (!has_parts) return task.chunks;
  return std::uint64_t{task.owners > 0 ? task.owners : schedule.nodes} * task.chunks;
}

void resolve(const MachineSpec& machine, const Model&, Settings& settings) {
  const WrittenChunks& written = written_in(settings);
  if (machine.processors != written.nodes) {
    throw InputError("the schedule is for " + std::to_string(written.nodes) + " processors, " +
                     printable(machine.text) + " has " + std::to_string(machine.processors));
  }
  const std::uint64_t chunks = chunks_of_words(written.chunks);
  settings.words = whole_number("words", settings.words.value_or(chunks), 1, most_words);
  if (*settings.words % chunks != 0) {
    throw InputError("--words " + std::to_string(*settings.words) + " do not divide into the schedule's " +
                     std::to_string(chunks) + " chunks of equal length");
  }
}

Prediction predict(const MachineSpec&, const Model&, const Settings&) { return {}; }

LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) {
  return method::collective_bound(written_in(settings).task.operation, machine, model, *settings.words);
}

std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) {
  const ChunkSchedule& schedule = written_in(settings).chunks;
  Wide moves = 0;
  for (const auto& step : schedule.steps) moves += step.size();
  constexpr std::uint64_t entry = 160;  // of a tree, with its block
  const Wide places = Wide{schedule.nodes} * schedule.nodes * schedule.task.chunks;
  return saturated(machine_bytes<Bundle>(machine, model) + 2 * moves * entry +
                   places * (entry + allocated_bytes(*settings.words / chunks_of_words(schedule))));
}

Outcome run(const RunRequest& request) {
  const WrittenChunks& written = written_in(request.settings);
  const Network network(request.machine, request.topology);
  try {
    // The machine itself knows the rule of rings.
    const PortModel ports = request.model.ports == PortModel::ring ? PortModel::all : request.model.ports;
    check(written.chunks, network, ports, request.model.multicast);
  } catch (const ScheduleError& error) {
    throw RunError(ErrorKind::invalid_schedule, error.step(), error.node(), error.ports(),
                   request.options.name + " is no schedule of operation " + written.task.operation + " on " +
                       printable(request.machine.text) + " under --ports " + std::string(name(request.model.ports)) +
                       ": " + error.what());
  }
  Settings of_chunks = request.settings;
  of_chunks.words = *of_chunks.words / chunks_of_words(written.chunks);
  return carry_out({.machine = request.machine,
                    .topology = request.topology,
                    .model = request.model,
                    .settings = of_chunks,
                    .executor = request.executor,
                    .options = request.options,
                    .channels = request.channels,
                    .observer = request.observer,
                    .carrier = request.carrier,
                    .start = request.start},
                   written.chunks);
}

std::map<std::string, Method, std::less<>> methods_by_operation() {
  std::vector<std::string_view> families = linked_families();
  families.push_back("switch");
  std::map<std::string, Method, std::less<>> methods;
  for (const std::string& operation : chunk_operations()) {
    methods.emplace(operation,
                    Method{.name = "schedule",
                           .operation = operation,
                           .known_as = operation,
                           .families = families,
                           .source = "a schedule from a file",
                           .summary = "carries out a schedule of chunks from a file",
                           .parameters = {words_parameter},
                           .defaults = {.ports = PortModel::one},
                           .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
                           .resolve = resolve,
                           .predict = predict,
                           .lower_bound = lower_bound,
                           .bytes = bytes,
                           .run = run});
  }
  return methods;
}

}  // namespace

bool is_chunk_schedule(const std::string& text) {
  if (text.find("\"chunks\"") == std::string::npos || text.find("\"msccl_type\"") != std::string::npos) return false;
  return members_of(text).contains("chunks");
}

std::string machine_in_schedule(const std::string& text) {
  const Json members = members_of(text);
  return members.contains("machine") && members["machine"].is_string() ? members["machine"] : Json("");
}

WrittenChunks read_chunk_schedule(const std::string& text, const std::string& name) {
  return ChunkReader(text, name).read();
}

const Method& chunk_schedule_method(const std::string& operation) {
  static const std::map<std::string, Method, std::less<>> methods = methods_by_operation();
  return methods.find(operation)->second;
}

}  // namespace lockstep
