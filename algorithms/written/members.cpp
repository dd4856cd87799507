#include <algorithm>

#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/input_file.hpp"
#include "written/file.hpp"
#include "written/json_text.hpp"

namespace lockstep {
namespace written {
namespace {

using Json = nlohmann::json;

/// The document but its steps, which may be long; empty if it is too deep, discarded if it is not JSON.
Json without_steps(const std::string& text) {
  return json_depth(text) > most_json_depth ? Json::object() : json_in(text, "steps");
}

/// Its members; none if it is no object.
Json members_of(const std::string& text) {
  Json document = without_steps(text);
  return document.is_object() ? std::move(document) : Json::object();
}

/// The members of a text in chunks, other than its steps.
class Members {
 public:
  Members(const std::string& text, const std::string& name) : name_(name), members_(members_of(text)) {
    if (json_depth(text) > most_json_depth) refuse("its brackets are nested deeper than in any schedule");
    if (members_.empty()) refuse_if_not_json(text, name);
    for (const auto& [member, value] : members_.items()) refuse_unknown_member(member, name);
  }

  Plan read() const {
    constexpr std::uint64_t most_nodes = 1 << 16;
    constexpr std::uint64_t most_chunks = 1 << 20;
    Plan plan{.form = PlanForm::chunks, .combined = true};
    const Json& operation = member("operation");
    const auto& known = chunk_operations();
    if (!operation.is_string() || std::ranges::find(known, operation.get<std::string>()) == known.end()) {
      refuse("\"operation\" is " + printable(operation.dump()) + ", which no schedule of chunks has");
    }
    plan.task.operation = operation;
    plan.nodes = static_cast<Rank>(number("processors", 1, most_nodes));
    plan.chunks = static_cast<std::uint32_t>(number("chunks", 1, most_chunks));
    if (has_root_in_chunks(plan.task.operation)) plan.task.root = static_cast<Rank>(number("root", 0, plan.nodes - 1));
    if (members_.contains("owners")) plan.owners = static_cast<Rank>(number("owners", 1, plan.nodes));
    if (Wide{plan.nodes} * plan.nodes * plan.chunks > most_summands) {
      refuse("it has too many chunks to follow each of them");
    }
    return plan;
  }

 private:
  const Json& member(const char* of) const {
    if (!members_.contains(of)) refuse(std::string("\"").append(of).append("\" is missing"));
    return members_[of];
  }

  std::uint64_t number(const char* of, std::uint64_t least, std::uint64_t most) const {
    const Json& value = member(of);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most) {
      constexpr std::size_t longest = 60;
      const std::string found = printable(value.dump(-1, ' ', true, Json::error_handler_t::replace), longest);
      refuse(std::string("\"").append(of).append("\" is ").append(found).append(", not ") + std::to_string(least) +
             " to " + std::to_string(most));
    }
    return value;
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

  const std::string& name_;
  const Json members_;
};

}  // namespace

void refuse_unknown(const std::string& member, const std::vector<std::string>& known, const std::string& place,
                    const std::string& of) {
  if (std::ranges::find(known, member) != known.end()) return;
  throw InputError(place + ": \"" + printable(member) + "\" is no member of " + of + did_you_mean(member, known));
}

void refuse_unknown_member(const std::string& member, const std::string& name) {
  static const std::vector<std::string> known{"schema", "machine", "graph",      "algorithm", "operation",
                                              "root",   "sources", "processors", "combined",  "chunks",
                                              "owners", "comment", "steps"};
  refuse_unknown(member, known, name, "a schedule");
}

Plan members_of_chunks(const std::string& text, const std::string& name) { return Members(text, name).read(); }

bool has_chunks(const std::string& text) {
  if (text.find("\"chunks\"") == std::string::npos || text.find("\"msccl_type\"") != std::string::npos) return false;
  const Json document = without_steps(text);
  return document.is_discarded() || (document.is_object() && document.contains("chunks"));
}

}  // namespace written

bool is_chunk_schedule(const std::string& text) { return written::has_chunks(text); }

std::string machine_in_schedule(const std::string& text) {
  const nlohmann::json members = written::members_of(text);
  return members.contains("machine") && members["machine"].is_string() ? members["machine"] : nlohmann::json("");
}

std::string graph_in_schedule(const std::string& text) {
  if (text.find("\"graph\"") == std::string::npos) return {};
  const nlohmann::json members = written::members_of(text);
  if (!members.contains("graph")) return {};
  const nlohmann::json& graph = members["graph"];
  return graph.is_string() ? graph.get<std::string>() : graph.dump();
}

}  // namespace lockstep
