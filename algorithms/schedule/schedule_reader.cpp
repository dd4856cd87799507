#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::json;

/// Of a number as JSON writes it.
bool is_integer(const std::string& digits) { return digits.find_first_of(".eE") == std::string::npos; }

std::string name_of(const std::string& path) { return is_standard_input(path) ? input_name(path) : quoted(path); }

/// Takes the members of a schedule out of a document while it is parsed, so that no tree of values is built.
class ScheduleReader final : public nlohmann::json_sax<Json> {
 public:
  ScheduleReader(const std::string& path, Rank processors) : path_(path), schedule_{.nodes = processors, .steps = {}} {}

  /// The schedule, after the whole document has been parsed.
  Schedule schedule() && {
    const Task& task = schedule_.task;
    for (const char* const member : {"steps", "root", "sources"}) {
      const bool is_needed = member == std::string_view("root")      ? has_root(task.operation)
                             : member == std::string_view("sources") ? has_few(task.operation)
                                                                     : true;
      if (is_needed && !seen_.contains(member)) refuse("\"" + std::string(member) + "\" is missing");
    }
    if (TaskBlocks(task, schedule_.nodes).are_for_all()) {
      for (auto& moves : schedule_.steps) {
        for (Move& move : moves) move.destination = move.origin;
      }
    }
    return std::move(schedule_);
  }

  bool null() override { return take("null"); }
  bool boolean(bool truth) override {
    if (inside() == Inside::document && member_ == "combined") {
      schedule_.combined = truth;
      return true;
    }
    return take(truth ? "true" : "false");
  }
  bool number_unsigned(std::uint64_t number) override {
    switch (inside()) {
      case Inside::document:
        return take_member(number);
      case Inside::move:
      case Inside::block:
        take_rank(number);
        return true;
      case Inside::blocks:
        take_rank(number);  // a block for all
        message_.blocks.push_back({ranks_[0], ranks_[0]});
        numbers_ = 0;
        return true;
      case Inside::message:
        if (key_ == "from") message_.from = checked(number);
        if (key_ == "to") message_.to = checked(number);
        if (key_ == "blocks") break;
        return true;
      default:
        break;
    }
    return take(std::to_string(number));
  }
  bool number_integer(std::int64_t number) override { return take(number == 0 ? "-0" : std::to_string(number)); }
  bool number_float(double, const std::string& digits) override {
    return take(is_integer(digits) ? "an integer too large for 64 bits" : printable(digits));
  }
  bool string(std::string& text) override {
    if (inside() != Inside::document || member_ != "operation") return take("a string");
    if (!moves_blocks(text)) refuse("\"operation\" is " + lockstep::quoted(text) + ", of which no schedule tells");
    schedule_.task.operation = text;
    return true;
  }
  bool binary(Json::binary_t&) override { return true; }  // not in JSON

  bool start_object(std::size_t) override {
    if (inside_.empty()) return enter(Inside::document);
    if (inside() == Inside::step) {
      message_ = {};
      return enter(Inside::message);
    }
    take("an object");
    return enter(Inside::other);
  }
  bool end_object() override {
    const Inside ended = leave();
    if (ended == Inside::message) end_message();
    return true;
  }

  bool key(std::string& name) override {
    if (inside() == Inside::message) key_ = name;
    if (inside() != Inside::document) return true;
    member_ = name;
    constexpr std::string_view known[] = {"steps", "combined", "processors", "operation", "root", "sources"};
    const bool is_known = std::find(std::begin(known), std::end(known), name) != std::end(known);
    if (is_known && !seen_.insert(name).second) refuse("\"" + name + "\" is there twice");
    return true;
  }

  bool start_array(std::size_t) override {
    numbers_ = 0;
    if (inside_.empty()) take("an array");
    switch (inside()) {
      case Inside::document:
        if (member_ == "steps") return enter(Inside::steps);
        break;
      case Inside::steps:
        begin_step();
        return enter(Inside::step);
      case Inside::step:
        return enter(Inside::move);
      case Inside::message:
        if (key_ == "blocks") return enter(Inside::blocks);
        break;
      case Inside::blocks:
        return enter(Inside::block);
      default:
        break;
    }
    take("an array");
    return enter(Inside::other);
  }
  bool end_array() override {
    const Inside ended = leave();
    if (ended == Inside::move) end_move();
    if (ended == Inside::block) end_block();
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
  /// What the brackets hold that are open. An item of a step is a move or a message:
  ///
  ///     {"steps": [[[from, to, origin, destination], {"from": 0, "to": 1, "blocks": [[origin, destination],
  ///     origin]}]]}
  enum class Inside { document, steps, step, move, message, blocks, block, other };

  struct ReadMessage {
    std::optional<Rank> from;
    std::optional<Rank> to;
    std::vector<BlockLabels> blocks;
  };

  static constexpr std::size_t numbers_of_a_move = 4;
  static constexpr std::size_t numbers_of_a_block = 2;

  Inside inside() const { return inside_.empty() ? Inside::other : inside_.back(); }
  bool enter(Inside what) {
    inside_.push_back(what);
    return true;
  }
  Inside leave() {
    const Inside left = inside_.back();
    inside_.pop_back();
    return left;
  }

  /// A value that is not what its place asks for; whatever is in other places does not matter.
  bool take(const std::string& value) const {
    if (inside_.empty()) refuse("it holds " + value + ", not an object with \"steps\"");
    switch (inside()) {
      case Inside::document:
        refuse_member(value);
        break;
      case Inside::steps:
        refuse("steps[" + std::to_string(schedule_.steps.size()) + "] is " + value + ", not an array of moves");
      case Inside::step:
        refuse(place() + " is " + value + ", not [from, to, origin, destination]");
      case Inside::message:
        if (key_ == "blocks") refuse(place() + ": \"blocks\" is " + value + ", not an array");
        if (key_ != "from" && key_ != "to") break;
        [[fallthrough]];
      case Inside::move:
      case Inside::block:
        refuse(place() + " has " + value + ", not a processor's number");
      case Inside::blocks:
        refuse(place() + " has " + value + ", not [origin, destination] or a processor's number");
      case Inside::other:
        break;
    }
    return true;
  }

  void refuse_member(const std::string& value) const {
    constexpr std::pair<std::string_view, std::string_view> expected[] = {
        {"steps", "an array"},         {"combined", "true or false"},    {"processors", "a number of processors"},
        {"operation", "an operation"}, {"root", "a processor's number"}, {"sources", "a number of dimensions"}};
    for (const auto& [member, what] : expected) {
      if (member == member_) refuse("\"" + member_ + "\" is " + value + ", not " + std::string(what));
    }
  }

  bool take_member(std::uint64_t number) {
    const auto text = std::to_string(number);
    if (member_ == "schema" && number != schedule_schema) {
      refuse("\"schema\" is " + text + ", of which nothing is known here; " + std::to_string(schedule_schema) + " is");
    } else if (member_ == "processors" && number != schedule_.nodes) {
      refuse("the schedule is for " + text + " processors, the machine has " + std::to_string(schedule_.nodes));
    } else if (member_ == "root") {
      if (number >= schedule_.nodes) refuse("\"root\": processor " + text + no_processor());
      schedule_.task.root = static_cast<Rank>(number);
    } else if (member_ == "sources") {
      const auto bits = static_cast<std::uint64_t>(std::bit_width(schedule_.nodes));
      if (number >= bits) refuse("\"sources\" is " + text + ", not 0 to " + std::to_string(bits - 1));
      schedule_.task.few = Rank{1} << number;
    } else if (member_ != "schema" && member_ != "processors") {
      return take(text);
    }
    return true;
  }

  std::string no_processor() const {
    return " does not exist, the machine has 0 to " + std::to_string(schedule_.nodes - 1);
  }

  Rank checked(std::uint64_t number) const {
    if (number >= schedule_.nodes) refuse(place() + ": processor " + std::to_string(number) + no_processor());
    return static_cast<Rank>(number);
  }
  void take_rank(std::uint64_t number) {
    if (numbers_ < numbers_of_a_move) ranks_[numbers_] = checked(number);
    ++numbers_;
  }

  /// Of empty steps in a row two are kept: the first is wrong enough, and a file of nothing else takes no memory.
  void begin_step() {
    const MoveSteps& steps = schedule_.steps;
    const bool follows_two = steps.size() >= 2 && steps.back().empty() && steps[steps.size() - 2].empty();
    if (!follows_two) schedule_.steps.emplace_back();
    items_ = 0;
  }

  void end_move() {
    if (numbers_ != numbers_of_a_move) {
      refuse(place() + " has " + std::to_string(numbers_) + " numbers, not [from, to, origin, destination]");
    }
    schedule_.steps.back().push_back({ranks_[0], ranks_[1], ranks_[2], ranks_[3]});
    ++items_;
  }

  void end_block() {
    if (numbers_ != numbers_of_a_block) {
      refuse(place() + " has a block of " + std::to_string(numbers_) + " numbers, not [origin, destination]");
    }
    message_.blocks.push_back({ranks_[0], ranks_[1]});
    numbers_ = 0;
  }

  void end_message() {
    const auto& [from, to, blocks] = message_;
    if (!from || !to || blocks.empty()) {
      refuse(place() + " has no " + (!from ? "\"from\"" : !to ? "\"to\"" : "\"blocks\""));
    }
    for (const BlockLabels& block : blocks) {
      schedule_.steps.back().push_back({*from, *to, block.origin, block.destination});
    }
    schedule_.combined = true;
    ++items_;
  }

  /// "steps[2][0]" while that item is read.
  std::string place() const {
    return "steps[" + std::to_string(schedule_.steps.size() - 1) + "][" + std::to_string(items_) + "]";
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_of(path_) + ": " + what); }

  const std::string& path_;
  Schedule schedule_;
  std::vector<Inside> inside_;
  std::string member_;          // of the document
  std::set<std::string> seen_;  // members that are read
  std::size_t items_ = 0;       // of the step so far
  std::array<Rank, numbers_of_a_move> ranks_{};
  std::size_t numbers_ = 0;  // of the move or block so far
  std::string key_;          // of the message
  ReadMessage message_;
};

}  // namespace

Schedule read_schedule(const std::string& path, Rank processors) {
  std::ifstream file = open_data(path);
  ScheduleReader reader(path, processors);
  Json::sax_parse(file, &reader);
  if (file.bad()) refuse_to_read(path);
  // The parser takes a byte of 0 for the end.
  if (file.peek() != std::ifstream::traits_type::eof()) throw InputError(name_of(path) + ": it has bytes of 0");
  return std::move(reader).schedule();
}

}  // namespace lockstep
