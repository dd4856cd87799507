#include <algorithm>

#include "lockstep/algorithms/bounds.hpp"
#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/algorithms/parameter.hpp"
#include "lockstep/algorithms/run_request.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/error.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "written/carry_out.hpp"
#include "written/check.hpp"
#include "written/file.hpp"
#include "written/written_method.hpp"

namespace lockstep {
namespace written {
namespace {

/// "--ports all --duplex half-link"
std::string rules(const Model& model) {
  std::string text = "--ports " + std::string(name(model.ports));
  if (model.multicast) text += " --multicast on";
  if (model.duplex != Duplex::full) text += " --duplex " + std::string(name(model.duplex));
  return text;
}

/// One of Lockstep's own schedules, of blocks or of chunks.
class WrittenPlan final : public WrittenSource {
 public:
  explicit WrittenPlan(Plan plan) : plan_(std::move(plan)) {}

  std::string_view operation() const override { return plan_.task.operation; }
  Rank processors() const override { return plan_.nodes; }
  const Method& method() const override {
    return has_blocks() ? written_schedule_method(operation()) : chunk_schedule_method(plan_.task.operation);
  }

  bool combines() const override { return operation() != "alltoall" || !has_blocks() || plan_.combined; }

  void resolve(const MachineSpec& machine, const Model&, Settings& settings) const override {
    if (!has_blocks()) refuse_other_size(*this, machine);
    const std::uint64_t chunks = chunks_of_words();
    settings.words = whole_number("words", settings.words.value_or(chunks), 1, most_words);
    if (*settings.words % chunks == 0) return;
    throw InputError("--words " + std::to_string(*settings.words) + " do not divide into the schedule's " +
                     std::to_string(chunks) + " chunks of equal length");
  }

  /// Known for collectives.
  LowerBound lower_bound(const MachineSpec& machine, const Model& model, const Settings& settings) const override {
    return bound_of_task(operation(), plan_.task.root, machine, model, *settings.words, combines());
  }

  std::uint64_t bytes(const MachineSpec& machine, const Model& model, const Settings& settings) const override {
    return saturated(
        bytes_to_carry_out(machine, model, Chunks(plan_), *settings.words / chunks_of_words(), plan_.transfers.size()) +
        Wide{plan_.steps()} * sizeof(std::size_t));
  }

  Outcome carry_out(const RunRequest& request) const override {
    const std::uint64_t words = *request.settings.words / chunks_of_words();
    try {
      check(plan_, request.topology, has_blocks() ? request.model : rules_of_chunks(request.model));
    } catch (const ScheduleError& error) {
      show_steps_before(error, request, words);
      const bool is_exchange = has_blocks() && operation() == "alltoall";
      const std::string noun = is_exchange ? "total exchange" : "schedule of operation " + plan_.task.operation;
      throw RunError(ErrorKind::invalid_schedule, error.step(), error.node(), error.ports(),
                     request.options.name + " is no " + noun + " on " + printable(request.machine.text) + " under " +
                         rules(request.model) + ": " + error.what());
    }
    return written::carry_out(request, plan_, words);
  }

  MessageContents contents(const RunRequest& request) const override {
    return has_blocks() ? WrittenSource::contents(request) : contents_of(chunk_schedule_of(plan_));
  }

 private:
  bool has_blocks() const { return plan_.form == PlanForm::blocks; }

  /// The chunks into which --words words are cut.
  std::uint64_t chunks_of_words() const {
    const bool has_parts = operation() == "allreduce" || operation() == "reduce-scatter";
    return has_parts ? std::uint64_t{plan_.owners > 0 ? plan_.owners : plan_.nodes} * plan_.chunks : plan_.chunks;
  }

  /// The rules that are checked before a run; the machine itself checks the others.
  static Model rules_of_chunks(const Model& model) {
    Model rules;
    rules.multicast = model.multicast;
    const bool has_several_sends = sends_on_several_ports(model.ports) || is_k_ports(model.ports);
    rules.ports = has_several_sends ? PortModel::all : PortModel::one;
    return rules;
  }

  /// Shows an observer of the run the steps before a wrong one.
  void show_steps_before(const ScheduleError& error, const RunRequest& request, std::uint64_t words) const {
    if (request.observer == nullptr || error.step() == 0) return;
    Plan before = plan_;
    before.ends.resize(error.step());
    before.transfers.resize(before.ends.back());
    RunRequest to_there = request;
    to_there.options.max_cycles = RunOptions{}.max_cycles;
    written::carry_out(to_there, before, words);
  }

  Plan plan_;
};

constexpr Parameter words_of_blocks{"words", "words of every block, at least 1", "1"};
constexpr Parameter words_of_chunks{
    "words", "words of the vector, or of a processor's or a pair's block, a multiple of the schedule's chunks",
    "a word a chunk"};

Methods methods_of_blocks() {
  std::vector<std::string> operations;
  for (const Method* method : catalogue()) {
    if (moves_blocks(method->operation)) operations.emplace_back(method->operation);
  }
  Methods methods =
      methods_for(operations, {.summary = "carries out a schedule from a file",
                               .parameter = words_of_blocks,
                               .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring},
                               .runs_on_switch = false});
  for (auto& [operation, method] : methods) {  // by the papers' names
    const auto entry = std::ranges::find(catalogue(), operation, &Method::operation);
    method.known_as = operation == "alltoall" ? "total exchange" : (*entry)->known_as;
  }
  return methods;
}

}  // namespace
}  // namespace written

const Method& written_schedule_method(std::string_view operation) {
  static const written::Methods methods = written::methods_of_blocks();
  return methods.find(operation)->second;
}

const Method& chunk_schedule_method(const std::string& operation) {
  static const written::Methods methods = written::methods_for(
      chunk_operations(), {.summary = "carries out a schedule of chunks from a file",
                           .parameter = written::words_of_chunks,
                           .port_models = {PortModel::one, PortModel::one_strict, PortModel::all, PortModel::ring}});
  return methods.find(operation)->second;
}

WrittenSchedule::Shared WrittenSchedule::source_of(const std::shared_ptr<const Schedule>& schedule) {
  return std::make_shared<const written::WrittenPlan>(written::plan_of(*schedule));
}

WrittenSchedule::Shared WrittenSchedule::source_of(const std::shared_ptr<const WrittenChunks>& schedule) {
  return std::make_shared<const written::WrittenPlan>(written::plan_of(schedule->chunks));
}

WrittenSchedule read_written_schedule(const std::string& text, const std::string& name, Rank processors) {
  const bool has_chunks = written::has_chunks(text);
  return std::make_shared<const written::WrittenPlan>(has_chunks ? written::read_chunks(text, name)
                                                                 : written::read_blocks(text, name, processors));
}

}  // namespace lockstep
