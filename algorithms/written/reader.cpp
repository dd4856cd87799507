#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "lockstep/algorithms/data_file.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "written/file.hpp"
#include "written/json_text.hpp"
namespace lockstep {
namespace written {
namespace {

using Json = nlohmann::json;

/// Reads a plan from a document while it is parsed, so that no tree of values is built. For a plan in chunks the
/// members besides the steps are known before; for one in blocks they are read here too.
class PlanReader final : public nlohmann::json_sax<Json> {
 public:
  PlanReader(const std::string& text, const std::string& name, Plan known)
      : text_(text), name_(name), plan_(std::move(known)), is_of_any_size_(plan_.nodes == 0) {
    if (is_of_any_size_) plan_.nodes = no_rank;
    constexpr std::size_t least_text = 6;  // of a transfer: "[0,1],"
    const auto brackets = static_cast<std::size_t>(std::ranges::count(text, '['));
    plan_.transfers.reserve(std::min(brackets, text.size() / least_text));
  }

  Plan read() && {
    parse_json(text_, *this);
    // The parser takes a byte of 0 for the end.
    if (text_.find('\0') != std::string::npos) refuse("it has bytes of 0");
    for (const char* const member : {"steps", "root", "sources"}) {
      if (is_needed(member) && !seen_.contains(member)) refuse("\"" + std::string(member) + "\" is missing");
    }
    if (plan_.form == PlanForm::blocks && Chunks(plan_).are_for_all()) {
      for (ChunkTransfer& transfer : plan_.transfers) transfer.destination = transfer.origin;
    }
    return std::move(plan_);
  }

  bool null() override { return misplaced("null"); }
  bool boolean(bool truth) override {
    if (inside() == Inside::document && member_ == "combined" && has_blocks()) {
      plan_.combined = truth;
      return true;
    }
    if (inside() == Inside::message && key_ == "adds" && !has_blocks()) {
      message_.adds = truth;
      return true;
    }
    return misplaced(truth ? "true" : "false");
  }
  bool number_unsigned(std::uint64_t number) override {
    switch (inside()) {
      case Inside::document:
        return take_member(number);
      case Inside::move:
      case Inside::block:
        if (numbers_ < numbers_of_a_move) numbers_read_[numbers_] = number;
        if (has_blocks()) checked(number, "");
        ++numbers_;
        return true;
      case Inside::blocks:
        if (!has_blocks()) break;
        message_.blocks.push_back({checked(number, ""), checked(number, ""), 0});  // a block for all
        return true;
      case Inside::summands:
        message_.of.push_back(checked(number, "a rank of \"of\""));
        return true;
      case Inside::message:
        if (key_ == "from") message_.from = checked(number, "\"from\"");
        if (key_ == "to") message_.to = checked(number, "\"to\"");
        if (is_list(key_) || is_switch(key_)) break;
        return true;
      default:
        break;
    }
    return misplaced(std::to_string(number));
  }
  bool number_integer(std::int64_t number) override { return misplaced(number == 0 ? "-0" : std::to_string(number)); }
  bool number_float(double, const std::string& digits) override {
    return misplaced(is_integer(digits) ? "an integer too large for 64 bits" : printable(digits));
  }
  bool string(std::string& text) override {
    if (inside() != Inside::document || member_ != "operation" || !has_blocks()) return misplaced("a string");
    if (!moves_blocks(text)) refuse("\"operation\" is " + lockstep::quoted(text) + ", which no schedule has");
    plan_.task.operation = text;
    return true;
  }
  bool binary(Json::binary_t&) override { return true; }  // not in JSON

  bool start_object(std::size_t) override {
    if (inside_.empty()) return enter(Inside::document);
    if (inside() == Inside::step) {
      message_ = {};
      return enter(Inside::message);
    }
    misplaced("an object");
    return enter(Inside::other);
  }
  bool end_object() override {
    if (leave() == Inside::message) end_message();
    return true;
  }

  bool key(std::string& name) override {
    if (inside() == Inside::message) {
      refuse_unknown(name, members_of_messages, name_ + ": " + place(), "a message");
      key_ = name;
    }
    if (inside() != Inside::document) return true;
    refuse_unknown_member(name, name_);
    member_ = name;
    if (expected(name) != nullptr && !seen_.insert(name).second) refuse("\"" + name + "\" is given twice");
    return true;
  }

  bool start_array(std::size_t) override {
    numbers_ = 0;
    if (inside_.empty()) misplaced("an array");
    switch (inside()) {
      case Inside::document:
        if (member_ == "steps") return enter(Inside::steps);
        break;
      case Inside::steps:
        begin_step();
        return enter(Inside::step);
      case Inside::step:
        if (!has_blocks()) break;
        return enter(Inside::move);
      case Inside::message:
        if (key_ == "blocks") return enter(Inside::blocks);
        if (key_ == "of" && !has_blocks()) return enter(Inside::summands);
        break;
      case Inside::blocks:
        return enter(Inside::block);
      default:
        break;
    }
    misplaced("an array");
    return enter(Inside::other);
  }
  bool end_array() override {
    const Inside ended = leave();
    if (ended == Inside::move) end_move();
    if (ended == Inside::block) end_block();
    if (ended == Inside::summands) end_summands();
    if (ended == Inside::step) {
      plan_.end_step();
      ++step_;
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    refuse(syntax_error(text_, position, token, error));
  }

 private:
  /// What the open brackets contain. An item of a step is a move or a message; only chunks have "of" and "adds", and
  /// numbers after a block's labels:
  ///
  ///     {"steps": [[[from, to, origin, destination],
  ///                 {"from": 0, "to": 1, "blocks": [[origin, destination], origin]},
  ///                 {"from": 0, "to": 1, "adds": true, "of": [summand], "blocks": [[origin, chunk]]}]]}
  enum class Inside { document, steps, step, move, message, blocks, block, summands, other };

  struct ReadBlock {
    Rank origin;
    Rank destination;
    std::uint32_t chunk;
  };
  struct ReadMessage {
    std::optional<Rank> from;
    std::optional<Rank> to;
    bool adds = false;
    std::vector<Rank> of;
    std::vector<ReadBlock> blocks;
  };

  static constexpr std::size_t numbers_of_a_move = 4;
  static inline const std::vector<std::string> members_of_messages{"from", "to", "adds", "of", "blocks"};

  /// The expected value of a member of the document; null for those that are not read here.
  static const char* expected(std::string_view member) {
    constexpr std::pair<std::string_view, const char*> members[] = {
        {"steps", "an array"},         {"combined", "true or false"},    {"processors", "a number of processors"},
        {"operation", "an operation"}, {"root", "a processor's number"}, {"sources", "a number of dimensions"}};
    const auto* const found = std::ranges::find(members, member, &std::pair<std::string_view, const char*>::first);
    return found == std::end(members) ? nullptr : found->second;
  }

  bool has_blocks() const { return plan_.form == PlanForm::blocks; }
  bool is_list(std::string_view key) const { return key == "blocks" || (key == "of" && !has_blocks()); }
  bool is_switch(std::string_view key) const { return key == "adds" && !has_blocks(); }
  bool is_needed(std::string_view member) const {
    if (member == "steps") return true;
    return has_blocks() && (member == "root" ? has_root(plan_.task.operation) : has_few(plan_.task.operation));
  }

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

  /// For a value of a kind that its place does not allow: refuses it, or ignores it where any value may stand.
  bool misplaced(const std::string& value) const {
    if (inside_.empty()) refuse("it holds " + value + ", not an object with \"steps\"");
    switch (inside()) {
      case Inside::document:
        if (expected(member_) == nullptr || (!has_blocks() && member_ != "steps")) break;
        refuse("\"" + member_ + "\" is " + value + ", not " + expected(member_));
      case Inside::steps:
        refuse("steps[" + std::to_string(step_) + "] is " + value + ", not an array of moves");
      case Inside::step:
        refuse(place() + " is " + value + ", not " +
               (has_blocks() ? "[from, to, origin, destination]" : R"({"from", "to", "blocks"})"));
      case Inside::message:
        if (is_list(key_))
          refuse(place() + ": \"" + key_ + "\" is " + value + ", not " +
                 (key_ == "of" ? "a list of ranks" : "an array"));
        if (is_switch(key_)) refuse(place() + ": \"adds\" is " + value + ", not true or false");
        if (key_ != "from" && key_ != "to") break;
        [[fallthrough]];
      case Inside::move:
      case Inside::block:
      case Inside::summands:
        refuse(place() + " has " + value + ", not a processor's number");
      case Inside::blocks:
        refuse(place() + " has " + value + ", not " +
               (has_blocks() ? "[origin, destination] or a processor's number" : forms_of_a_chunk));
      case Inside::other:
        break;
    }
    return true;
  }

  bool take_member(std::uint64_t number) {
    const auto text = std::to_string(number);
    if (member_ == "schema") {
      if (number == schedule_schema) return true;
      refuse("\"schema\" is " + text + "; only " + std::to_string(schedule_schema) + " is known here");
    }
    if (!has_blocks()) return misplaced(text);
    if (member_ == "processors") {
      if (number == plan_.nodes || is_of_any_size_) return true;
      refuse(other_size(number, "the machine", plan_.nodes));
    }
    if (member_ == "root") {
      if (number >= plan_.nodes) refuse("\"root\": processor " + text + no_processor());
      plan_.task.root = static_cast<Rank>(number);
    } else if (member_ == "sources") {
      const auto bits = static_cast<std::uint64_t>(std::bit_width(plan_.nodes));
      if (number >= bits) refuse("\"sources\" is " + text + ", not 0 to " + std::to_string(bits - 1));
      plan_.task.few = Rank{1} << number;
    } else {
      return misplaced(text);
    }
    return true;
  }

  std::string no_processor() const {
    return " does not exist, the machine has 0 to " + std::to_string(plan_.nodes - 1);
  }
  /// Checks the number as a processor's; `what` names it for chunks.
  Rank checked(std::uint64_t number, const char* what) const {
    if (number >= plan_.nodes && has_blocks())
      refuse(place() + ": processor " + std::to_string(number) + no_processor());
    if (number >= plan_.nodes) refuse_number(what, number, plan_.nodes);
    return static_cast<Rank>(number);
  }
  [[noreturn]] void refuse_number(const char* what, std::uint64_t number, std::uint64_t end) const {
    refuse(place() + ": " + what + " is " + std::to_string(number) + ", not 0 to " + std::to_string(end - 1));
  }

  /// Keeps two of several empty steps in a row: the first is already an error, and the others take no memory.
  void begin_step() {
    const auto is_empty = [&](std::size_t step) { return plan_.step(step).empty(); };
    const std::size_t steps = plan_.steps();
    if (steps >= 2 && is_empty(steps - 1) && is_empty(steps - 2)) plan_.ends.pop_back();
    items_ = 0;
  }

  void end_move() {
    if (numbers_ != numbers_of_a_move) {
      refuse(place() + " has " + std::to_string(numbers_) + " numbers, not [from, to, origin, destination]");
    }
    const auto rank = [&](std::size_t place) { return static_cast<Rank>(numbers_read_[place]); };
    plan_.transfers.push_back({rank(0), rank(1), rank(2), rank(3)});
    ++items_;
  }

  void end_block() {
    const std::size_t numbers = std::exchange(numbers_, 0);
    if (numbers != 2 && (has_blocks() || numbers != 3)) {
      refuse(place() + " has a block of " + std::to_string(numbers) + " numbers, not " +
             (has_blocks() ? "[origin, destination]" : forms_of_a_chunk));
    }
    const std::uint64_t last = numbers_read_[numbers - 1];
    const Rank origin = checked(numbers_read_[0], "an origin");
    const Rank destination = numbers == 2 && !has_blocks() ? origin : checked(numbers_read_[1], "a destination");
    if (!has_blocks() && last >= plan_.chunks) refuse_number("a chunk", last, plan_.chunks);
    message_.blocks.push_back({origin, destination, has_blocks() ? 0 : static_cast<std::uint32_t>(last)});
  }

  void end_summands() {
    if (!is_summed_up(plan_.task.operation)) {
      refuse(place() + ": \"of\" is for sums, not for " + plan_.task.operation);
    }
    if (message_.of.empty()) refuse(place() + ": \"of\" is [], not a list of ranks");
    std::ranges::sort(message_.of);
    if (std::ranges::adjacent_find(message_.of) != message_.of.end()) {
      refuse(place() + ": \"of\" names a rank twice");
    }
  }

  void end_message() {
    const auto& [from, to, adds, of, blocks] = message_;
    if (!from || !to || blocks.empty()) {
      refuse(place() + " has no " + (!from ? "\"from\"" : !to ? "\"to\"" : "\"blocks\""));
    }
    ChunkTransfer transfer{.from = *from, .to = *to, .adds = adds ? 1U : 0U};
    sums_.set_summands(transfer, of, plan_);
    for (const ReadBlock& block : blocks) {
      transfer.origin = block.origin;
      transfer.destination = block.destination;
      transfer.chunk = block.chunk;
      plan_.transfers.push_back(transfer);
    }
    plan_.combined = true;
    ++items_;
  }

  /// "steps[2][0]" while that item is read; for chunks "step 2".
  std::string place() const {
    const std::string step = std::to_string(step_);
    return has_blocks() ? "steps[" + step + "][" + std::to_string(items_) + "]" : "step " + step;
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(name_ + ": " + what); }

  static constexpr const char* forms_of_a_chunk = "[origin, chunk] or [origin, destination, chunk]";

  const std::string& text_;
  const std::string& name_;
  Plan plan_;
  bool is_of_any_size_;
  SumNumbers sums_;
  std::vector<Inside> inside_;
  std::string member_;          // of the document
  std::set<std::string> seen_;  // members that are read
  std::size_t step_ = 0;        // of the document
  std::size_t items_ = 0;       // of the step so far
  std::array<std::uint64_t, numbers_of_a_move> numbers_read_{};
  std::size_t numbers_ = 0;  // of the move or block so far
  std::string key_;          // of the message
  ReadMessage message_;
};

}  // namespace

Plan read_blocks(const std::string& text, const std::string& name, Rank processors) {
  return PlanReader(text, name, {.nodes = processors}).read();
}

Plan read_chunks(const std::string& text, const std::string& name) {
  return PlanReader(text, name, members_of_chunks(text, name)).read();
}

}  // namespace written

Schedule read_schedule(const std::string& path, Rank processors) {
  return written::schedule_of(written::read_blocks(text_of_file(path), file_name_text(path), processors));
}

WrittenChunks read_chunk_schedule(const std::string& text, const std::string& name) {
  const written::Plan plan = written::read_chunks(text, name);
  WrittenChunks written;
  written.nodes = plan.nodes;
  written.task = plan.task;
  written.chunks = written::chunk_schedule_of(plan);
  return written;
}

}  // namespace lockstep
