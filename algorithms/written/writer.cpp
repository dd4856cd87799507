#include <bit>
#include <nlohmann/json.hpp>
#include <span>
#include <tuple>

#include "lockstep/algorithms/schedule_file.hpp"
#include "written/file.hpp"

namespace lockstep {
namespace written {
namespace {

using Json = nlohmann::json;

/// Writes the steps of one plan: as [from, to, origin, destination] for total exchanges of blocks, else as messages.
class StepWriter {
 public:
  StepWriter(const Plan& plan, std::string& text)
      : plan_(plan),
        text_(text),
        as_moves_(plan.form == PlanForm::blocks && plan.task.operation == Task{}.operation),
        for_all_(plan.form == PlanForm::blocks && Chunks(plan).are_for_all()) {}

  bool as_moves() const { return as_moves_; }

  void write(std::span<const ChunkTransfer> step) {
    for (const char* between = ""; !step.empty(); between = ",") {
      text_.append(between);
      const std::size_t count = as_moves_ || !plan_.combined ? 1 : length_of_message(step);
      if (as_moves_) {
        append_move(step.front());
      } else {
        append_message(step.first(count));
      }
      step = step.subspan(count);
    }
  }

 private:
  StepWriter& append(const char* before, std::uint64_t number) {
    text_.append(before).append(std::to_string(number));
    return *this;
  }

  /// How many of the transfers from the first on form one message.
  static std::size_t length_of_message(std::span<const ChunkTransfer> step) {
    const auto message_of = [](const ChunkTransfer& one) {
      return std::tuple(one.from, one.to, std::uint32_t{one.adds}, std::uint32_t{one.sum});
    };
    std::size_t count = 1;
    while (count < step.size() && message_of(step[count]) == message_of(step[0])) ++count;
    return count;
  }

  void append_move(const ChunkTransfer& one) {
    append("[", one.from).append(",", one.to).append(",", one.origin).append(",", one.destination);
    text_.append("]");
  }

  /// {"from":0,"to":1,"blocks":[[0,1],[0,3]]}
  void append_message(std::span<const ChunkTransfer> message) {
    const ChunkTransfer& first = message.front();
    append("{\"from\":", first.from).append(",\"to\":", first.to);
    if (first.adds != 0) text_.append(",\"adds\":true");
    if (first.sum != 0) text_.append(",\"of\":").append(Json(plan_.summands(first)).dump());
    text_.append(",\"blocks\":[");
    const char* between = "";
    for (const ChunkTransfer& one : message) {
      text_.append(between);
      append_block(one);
      between = ",";
    }
    text_.append("]}");
  }

  /// [origin, destination], or the origin alone of a block that is for all; [origin, destination, chunk], or
  /// [origin, chunk].
  void append_block(const ChunkTransfer& one) {
    if (for_all_) {
      append("", one.origin);
      return;
    }
    append("[", one.origin);
    if (plan_.form == PlanForm::blocks || one.destination != one.origin) append(",", one.destination);
    if (plan_.form == PlanForm::chunks) append(",", one.chunk);
    text_.append("]");
  }

  const Plan& plan_;
  std::string& text_;
  bool as_moves_;
  bool for_all_;
};

}  // namespace

std::string text_of(const Plan& plan, const std::string& machine, const std::string& algorithm,
                    const std::string& graph) {
  const Task& task = plan.task;
  std::string text = "{\n  \"schema\": " + std::to_string(schedule_schema);
  const auto member = [&](const char* name, const std::string& value) {
    text.append(",\n  \"").append(name).append("\": ").append(value);
  };
  StepWriter writer(plan, text);
  member("machine", Json(machine).dump());
  if (!graph.empty()) member("graph", Json(graph).dump());
  member("algorithm", Json(algorithm).dump());
  if (!writer.as_moves()) member("operation", Json(task.operation).dump());
  if (has_root_in_chunks(task.operation)) member("root", std::to_string(task.root));
  if (has_few(task.operation)) member("sources", std::to_string(std::bit_width(task.few) - 1));
  member("processors", std::to_string(plan.nodes));
  if (writer.as_moves()) member("combined", plan.combined ? "true" : "false");
  if (plan.form == PlanForm::chunks) member("chunks", std::to_string(plan.chunks));
  if (plan.owners > 0) member("owners", std::to_string(plan.owners));
  text += ",\n  \"steps\": [";
  const char* between = "\n";
  for (std::size_t step = 0; step < plan.steps(); ++step) {
    text.append(between).append("    [");
    writer.write(plan.step(step));
    text.append("]");
    between = ",\n";
  }
  return text.append(plan.steps() == 0 ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace written

std::string schedule_text(const Schedule& schedule, const std::string& machine, const std::string& algorithm,
                          const std::string& graph) {
  return written::text_of(written::plan_of(schedule), machine, algorithm, graph);
}

std::string chunk_schedule_text(const ChunkSchedule& schedule, const std::string& machine, const std::string& algorithm,
                                const std::string& graph) {
  return written::text_of(written::plan_of(schedule), machine, algorithm, graph);
}

std::string found_schedule_text(const ChunkSchedule& schedule, const std::string& machine, const std::string& graph) {
  written::Plan plan = written::plan_of(schedule);
  // One chunk per block and nothing added: the form of every schedule of `lockstep plan`.
  if (plan.chunks == 1 && plan.task.operation != "allreduce") plan.form = written::PlanForm::blocks;
  return written::text_of(plan, machine, "search", graph);
}

}  // namespace lockstep
