#include <limits>
#include <optional>
#include <unordered_map>

#include "foreign/replay/readers.hpp"
#include "foreign/replay/word_lines.hpp"

namespace lockstep {
namespace {

// GOAL as read by LogGOPSim's txt2bin; also with blanks before a statement, comments behind it, and any label and
// options in any order.
class GoalReader {
 public:
  GoalReader(const NamedText& file, std::uint64_t word_bytes) : lines_(file.name, file.text), word_bytes_(word_bytes) {}

  ReplayProgram read() {
    program_.format = "GOAL";
    program_.task.operation = replay_operation;
    if (!next() || words_.size() != 2 || words_[0] != "num_ranks") lines_.refuse("a line num_ranks N is missing");
    const auto ranks = static_cast<Rank>(lines_.number("num_ranks", words_[1], 1, replay::most_replay_ranks));
    while (next()) {
      if (words_.size() != 3 || words_[0] != "rank" || words_[2] != "{") lines_.refuse("a line rank R { is missing");
      lines_.number("the rank (all ranks are required, in order)", words_[1], number_of_rank(), number_of_rank());
      if (program_.ranks.size() == ranks) lines_.refuse("there are more ranks than num_ranks states");
      read_rank(ranks);
    }
    if (program_.ranks.size() < ranks) {
      lines_.refuse("it ends with " + std::to_string(program_.ranks.size()) + " of " + std::to_string(ranks) +
                    " ranks");
    }
    program_.nodes = ranks;
    tell_what_is_left_out();
    return std::move(program_);
  }

 private:
  std::int64_t number_of_rank() const { return static_cast<std::int64_t>(program_.ranks.size()); }

  /// Advances to the next line with words that are no comment.
  bool next() {
    while (lines_.next()) {
      words_.clear();
      for (std::string_view word : lines_.words()) {
        if (!in_comment_ && word.starts_with("//")) break;
        if (!in_comment_ && word.starts_with("/*")) {
          in_comment_ = true;
          word.remove_prefix(2);
        }
        if (!in_comment_) {
          words_.push_back(word);
        } else if (word.ends_with("*/")) {
          in_comment_ = false;
        }
      }
      if (!words_.empty()) return true;
    }
    return false;
  }

  void read_rank(Rank ranks) {
    program_.ranks.emplace_back();
    labels_.clear();
    while (next()) {
      if (words_.size() == 1 && words_[0] == "}") return;
      if (words_.size() == 3 && (words_[1] == "requires" || words_[1] == "irequires")) {
        ReplayOperation& later = program_.ranks.back()[labelled(words_[0])];
        (words_[1] == "requires" ? later.after_end : later.after_begin).push_back(labelled(words_[2]));
      } else {
        read_operation(ranks);
      }
    }
    lines_.refuse("the line } of rank " + std::to_string(program_.ranks.size() - 1) + " is missing");
  }

  std::uint32_t labelled(std::string_view label) const {
    const auto found = labels_.find(std::string(label));
    if (found == labels_.end()) lines_.refuse("nothing before is labelled " + quoted(label));
    return found->second;
  }

  void read_operation(Rank ranks) {
    auto& operations = program_.ranks.back();
    std::size_t at = 0;
    if (words_[0].ends_with(":")) {
      const std::string label(words_[0].substr(0, words_[0].size() - 1));
      const bool is_new = labels_.emplace(label, static_cast<std::uint32_t>(operations.size())).second;
      if (!is_new && label_told_.empty()) {
        label_told_ = "label " + quoted(label) + " of rank " + std::to_string(program_.ranks.size() - 1) +
                      " is given twice; requirements mean the first, as in LogGOPSim";
      }
      at = 1;
    }
    if (operations.size() == replay::most_rank_operations) lines_.refuse("the rank has too many operations");
    ReplayOperation operation{.line = lines_.line()};
    const std::string_view verb = word(at++);
    if (verb == "calc") {
      operation.verb = ReplayVerb::compute;
      operation.amount = static_cast<std::uint64_t>(lines_.number("calc", word(at++), 0, replay::most_replay_bytes));
    } else if (verb == "send" || verb == "recv") {
      operation.verb = verb == "send" ? ReplayVerb::send : ReplayVerb::receive;
      operation.amount = size(at);
      read_peer(verb == "send", ranks, at, operation);
    } else {
      lines_.refuse(quoted(verb) + " is none of send, recv, calc, requires, irequires and }");
    }
    read_options(at, operation);
    operations.push_back(std::move(operation));
  }

  std::string_view word(std::size_t at) const {
    if (at >= words_.size()) lines_.refuse("it breaks off");
    return words_[at];
  }

  /// "8b" or "8 b". Bytes count from the second on.
  std::uint64_t size(std::size_t& at) const {
    std::string_view text = word(at++);
    if (text.ends_with("b")) {
      text.remove_suffix(1);
    } else if (word(at++) != "b") {
      lines_.refuse("a size is " + quoted(text) + ", without b behind it");
    }
    const auto bytes = static_cast<std::uint64_t>(lines_.number("the size", text, 1, replay::most_replay_bytes));
    return (bytes - 1 + word_bytes_ - 1) / word_bytes_;
  }

  void read_peer(bool sends, Rank ranks, std::size_t& at, ReplayOperation& operation) const {
    const std::string_view between = sends ? "to" : "from";
    if (word(at++) != between) lines_.refuse(std::string(between) + " and a rank are missing");
    const std::int64_t peer = lines_.number("the rank", word(at++), sends ? 0 : -1, std::int64_t{ranks} - 1);
    if (peer >= 0) operation.peer = static_cast<Rank>(peer);
  }

  void read_options(std::size_t at, ReplayOperation& operation) {
    while (at < words_.size()) {
      const std::string_view name = words_[at++];
      if (name == "tag" && operation.verb != ReplayVerb::compute) {
        const bool receives = operation.verb == ReplayVerb::receive;
        operation.tag = lines_.number("tag", word(at++), receives ? -1 : 0, std::numeric_limits<std::uint32_t>::max());
        if (operation.tag < 0) operation.tag = any_tag;
      } else if (name == "cpu" || (name == "nic" && operation.verb != ReplayVerb::compute)) {
        has_places_ |= lines_.number(std::string(name), word(at++), 0, 255) != 0;
      } else {
        lines_.refuse(quoted(name) + " has no place here; options are tag, cpu and nic with a number");
      }
    }
  }

  void tell_what_is_left_out() {
    if (!label_told_.empty()) program_.warnings.push_back(label_told_);
    if (has_places_) {
      program_.warnings.emplace_back(
          "cpu and nic are ignored: a processor computes one thing at a time, "
          "and --ports sets over how many ports it sends and receives");
    }
  }

  replay::WordLines lines_;
  const std::uint64_t word_bytes_;
  std::vector<std::string_view> words_;
  bool in_comment_ = false;
  ReplayProgram program_;
  std::unordered_map<std::string, std::uint32_t> labels_;  // of the rank
  std::string label_told_;
  bool has_places_ = false;
};

}  // namespace

ReplayProgram replay::read_goal(const NamedText& file, std::uint64_t word_bytes) {
  return GoalReader(file, word_bytes).read();
}

}  // namespace lockstep
