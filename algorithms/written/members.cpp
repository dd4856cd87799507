#include <algorithm>

#include "lockstep/algorithms/message_contents.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "lockstep/machines/input_file.hpp"
#include "written/file.hpp"
#include "written/json_text.hpp"

namespace lockstep {
namespace written {
namespace {

using Json = nlohmann::json;

/// The members of a document but its steps, which may be long; empty if it is no object.
Json members_of(const std::string& text) {
  if (json_depth(text) > most_json_depth) return Json::object();
  Json document = json_in(text, "steps");
  return document.is_object() ? std::move(document) : Json::object();
}

/// The members of a text in chunks, other than its steps.
class Members {
 public:
  Members(const std::string& text, const std::string& name) : name_(name), members_(members_of(text)) {
    if (json_depth(text) > most_json_depth) refuse("its brackets are nested deeper than in any schedule");
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

Plan members_of_chunks(const std::string& text, const std::string& name) { return Members(text, name).read(); }

bool has_chunks(const std::string& text) {
  if (text.find("\"chunks\"") == std::string::npos || text.find("\"msccl_type\"") != std::string::npos) return false;
  return members_of(text).contains("chunks");
}

}  // namespace written

bool is_chunk_schedule(const std::string& text) { return written::has_chunks(text); }

std::string machine_in_schedule(const std::string& text) {
  const nlohmann::json members = written::members_of(text);
  return members.contains("machine") && members["machine"].is_string() ? members["machine"] : nlohmann::json("");
}

}  // namespace lockstep
