#include "lockstep/algorithms/schedule_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::json;

/// The version of what a schedule's document holds.
constexpr std::uint64_t schema = 1;

/// Of a number as JSON writes it.
bool is_integer(const std::string& digits) { return digits.find_first_of(".eE") == std::string::npos; }

std::string name_of(const std::string& path) { return is_standard_input(path) ? input_name(path) : quoted(path); }

/// Takes the members of a schedule out of a document while it is parsed, so that no tree of values is built.
class ScheduleReader final : public nlohmann::json_sax<Json> {
 public:
  ScheduleReader(const std::string& path, Rank processors) : path_(path), schedule_{.nodes = processors, .steps = {}} {}

  /// The schedule, after the whole document has been parsed.
  WrittenSchedule schedule() && {
    if (!seen_.contains("steps")) refuse("\"steps\" is missing");
    return std::move(schedule_);
  }

  bool null() override { return take("null"); }
  bool boolean(bool truth) override {
    if (depth_ == member_depth && member_ == "combined") {
      schedule_.combined = truth;
      return true;
    }
    return take(truth ? "true" : "false");
  }
  bool number_unsigned(std::uint64_t number) override {
    if (in_steps_ && depth_ == number_depth) {
      take_number(number);
      return true;
    }
    if (depth_ == member_depth && member_ == "schema" && number != schema) {
      refuse("\"schema\" is " + std::to_string(number) + ", of which nothing is known here; " + std::to_string(schema) +
             " is");
    }
    if (depth_ == member_depth && member_ == "processors") {
      if (number == schedule_.nodes) return true;
      refuse("the schedule is for " + std::to_string(number) + " processors, the machine has " +
             std::to_string(schedule_.nodes));
    }
    return take(std::to_string(number));
  }
  bool number_integer(std::int64_t number) override { return take(number == 0 ? "-0" : std::to_string(number)); }
  bool number_float(double, const std::string& digits) override {
    return take(is_integer(digits) ? "an integer too large for 64 bits" : printable(digits));
  }
  bool string(std::string&) override { return take("a string"); }
  bool binary(Json::binary_t&) override { return true; }  // not in JSON

  bool start_object(std::size_t) override {
    if (depth_ > 0) take("an object");
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }

  bool key(std::string& name) override {
    if (depth_ != member_depth) return true;
    member_ = name;
    in_steps_ = name == "steps";
    const bool is_known = in_steps_ || name == "combined" || name == "processors";
    if (is_known && !seen_.insert(name).second) refuse("\"" + name + "\" is there twice");
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ == 0 || (depth_ == member_depth && !in_steps_) || (in_steps_ && depth_ == number_depth)) {
      take("an array");
    }
    if (in_steps_ && depth_ == step_depth) begin_step();
    if (in_steps_ && depth_ == move_depth) numbers_ = 0;
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    if (in_steps_ && depth_ == move_depth) end_move();
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    std::ifstream file = open_data(path_);
    std::size_t line = 1;
    std::size_t column = 1;
    char letter = 0;
    for (std::size_t index = 1; index < position && file.get(letter); ++index) {
      column = letter == '\n' ? 1 : column + 1;
      line += letter == '\n' ? 1 : 0;
    }
    constexpr int number_overflow = 406;  // of a double, as which the parser reads what 64 bits cannot hold
    const std::string what = error.id != number_overflow ? "it is not JSON"
                             : is_integer(token)         ? "it has an integer too large for 64 bits"
                                                         : "it has a number too large";
    refuse(what + " at line " + std::to_string(line) + ", column " + std::to_string(column));
  }

 private:
  // {"steps": [[[from, to, origin, destination]]]}: how many brackets are open before the members, the steps, the
  // moves of a step, and the numbers of a move.
  static constexpr std::uint64_t member_depth = 1;
  static constexpr std::uint64_t step_depth = 2;
  static constexpr std::uint64_t move_depth = 3;
  static constexpr std::uint64_t number_depth = 4;
  static constexpr std::uint64_t numbers_of_a_move = 4;

  /// A value that is not what its place asks for; whatever is in other places does not matter.
  bool take(const std::string& value) {
    if (depth_ == 0) refuse("it holds " + value + ", not an object with \"steps\"");
    if (depth_ == member_depth) take_member(value);
    if (!in_steps_) return true;
    if (depth_ == step_depth) refuse(place() + " is " + value + ", not an array of moves");
    if (depth_ == move_depth) refuse(place() + " is " + value + ", not [from, to, origin, destination]");
    refuse(place() + " has " + value + ", not a processor's number");
  }

  void take_member(const std::string& value) const {
    const auto refuse_member = [&](const char* expected) {
      refuse("\"" + member_ + "\" is " + value + ", not " + expected);
    };
    if (member_ == "steps") refuse_member("an array");
    if (member_ == "combined") refuse_member("true or false");
    if (member_ == "processors") refuse_member("a number of processors");
  }

  void take_number(std::uint64_t number) {
    if (numbers_ < numbers_of_a_move && number >= schedule_.nodes) {
      refuse(place() + ": processor " + std::to_string(number) + " does not exist, the machine has 0 to " +
             std::to_string(schedule_.nodes - 1));
    }
    if (numbers_ < numbers_of_a_move) {
      constexpr Rank Move::*members[] = {&Move::from, &Move::to, &Move::origin, &Move::destination};
      move_.*members[numbers_] = static_cast<Rank>(number);
    }
    ++numbers_;
  }

  /// Of empty steps in a row two are kept: the first is wrong enough, and a file of nothing else takes no memory.
  void begin_step() {
    const MoveSteps& steps = schedule_.steps;
    const bool follows_two = steps.size() >= 2 && steps.back().empty() && steps[steps.size() - 2].empty();
    if (!follows_two) schedule_.steps.emplace_back();
  }

  void end_move() {
    if (numbers_ != numbers_of_a_move) {
      refuse(place() + " has " + std::to_string(numbers_) + " numbers, not [from, to, origin, destination]");
    }
    schedule_.steps.back().push_back(move_);
  }

  /// "steps[2][0]" while that move is read.
  std::string place() const {
    if (depth_ == step_depth) return "steps[" + std::to_string(schedule_.steps.size()) + "]";
    return "steps[" + std::to_string(schedule_.steps.size() - 1) + "][" +
           std::to_string(schedule_.steps.back().size()) + "]";
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_of(path_) + ": " + what); }

  const std::string& path_;
  WrittenSchedule schedule_;
  std::uint64_t depth_ = 0;
  std::string member_;
  bool in_steps_ = false;
  std::set<std::string> seen_;  // members that are read
  Move move_;
  std::uint64_t numbers_ = 0;  // of the move so far
};

}  // namespace

std::string schedule_text(const WrittenSchedule& schedule, const std::string& machine, const std::string& algorithm) {
  std::string text = "{\n  \"schema\": " + std::to_string(schema) + ",\n  \"machine\": " + Json(machine).dump() +
                     ",\n  \"algorithm\": " + Json(algorithm).dump() +
                     ",\n  \"processors\": " + std::to_string(schedule.nodes) +
                     ",\n  \"combined\": " + (schedule.combined ? "true" : "false") + ",\n  \"steps\": [";
  const char* between_steps = "\n";
  for (const auto& moves : schedule.steps) {
    text.append(between_steps).append("    [");
    const char* between_moves = "";
    for (const Move& move : moves) {
      text.append(between_moves).append("[");
      text.append(std::to_string(move.from)).append(",").append(std::to_string(move.to)).append(",");
      text.append(std::to_string(move.origin)).append(",").append(std::to_string(move.destination)).append("]");
      between_moves = ",";
    }
    text.append("]");
    between_steps = ",\n";
  }
  return text.append(schedule.steps.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

WrittenSchedule read_schedule(const std::string& path, Rank processors) {
  std::ifstream file = open_data(path);
  ScheduleReader reader(path, processors);
  Json::sax_parse(file, &reader);
  if (file.bad()) refuse_to_read(path);
  // The parser takes a byte of 0 for the end.
  if (file.peek() != std::ifstream::traits_type::eof()) throw InputError(name_of(path) + ": it has bytes of 0");
  return std::move(reader).schedule();
}

}  // namespace lockstep
