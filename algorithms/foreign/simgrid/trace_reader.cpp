#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "collective_calls.hpp"
#include "foreign/replay/readers.hpp"
#include "foreign/replay/word_lines.hpp"

namespace lockstep {
namespace {

/// The kinds of actions.
enum class ActionKind {
  nothing,
  communicator,
  test,
  sleep,
  compute,
  send,
  receive,
  send_receive,
  wait,
  wait_all,
  collective
};

struct TraceAction {
  std::string_view verb;
  ActionKind kind;
  std::size_t numbers = 0;  ///< at least, after the verb
  bool is_blocking = true;
};

// Collective operations, which check the number of their values themselves, are not among them.
constexpr std::array actions{TraceAction{"init", ActionKind::nothing},
                             TraceAction{"finalize", ActionKind::nothing},
                             TraceAction{"comm_size", ActionKind::nothing},
                             TraceAction{"comm_split", ActionKind::communicator},
                             TraceAction{"comm_dup", ActionKind::communicator},
                             TraceAction{"location", ActionKind::nothing},
                             TraceAction{"test", ActionKind::test, 3},
                             TraceAction{"sleep", ActionKind::sleep},
                             TraceAction{"compute", ActionKind::compute, 1},
                             TraceAction{"send", ActionKind::send, 3},
                             TraceAction{"isend", ActionKind::send, 3, false},
                             TraceAction{"recv", ActionKind::receive, 3},
                             TraceAction{"irecv", ActionKind::receive, 3, false},
                             TraceAction{"sendRecv", ActionKind::send_receive, 4},
                             TraceAction{"wait", ActionKind::wait, 3},
                             TraceAction{"waitall", ActionKind::wait_all}};

/// SMPI's null process: such messages do not exist.
constexpr std::int64_t process_null = -666;

/// The operations of a rank, in order.
class RankBuilder {
 public:
  explicit RankBuilder(std::vector<ReplayOperation>& operations) : operations_(operations) {}

  /// Adds an operation that comes after all that the rank has waited for.
  std::uint32_t add(ReplayOperation operation) {
    if (last_) operation.after_end.push_back(*last_);
    operations_.push_back(std::move(operation));
    return static_cast<std::uint32_t>(operations_.size() - 1);
  }
  /// Operations added from now on come after its end.
  void wait_for(std::uint32_t operation) { last_ = operation; }
  /// The same for several.
  void wait_for(const std::vector<std::uint32_t>& operations, std::uint64_t line) {
    if (operations.empty()) return;
    const std::uint32_t joined = add({.line = line});
    auto& after = operations_[joined].after_end;
    after.insert(after.end(), operations.begin(), operations.end());
    wait_for(joined);
  }

  /// Adds a request that a later line may wait for.
  void request(Rank from, Rank to, std::int64_t tag, std::uint32_t operation) {
    requests_[{from, to, tag}].push_back(operation);
  }
  /// Tests for such a request, or for a receive that would take that message: from now on it is the last of its kind.
  void test_request(Rank from, Rank to, std::int64_t tag) {
    const auto found = request_of(from, to, tag);
    if (found == requests_.end()) return;
    found->second.push_back(found->second.front());
    found->second.pop_front();
  }
  /// Waits for such a request; false if there is none.
  bool wait_for_request(Rank from, Rank to, std::int64_t tag, std::uint64_t line) {
    const auto found = request_of(from, to, tag);
    if (found == requests_.end()) return false;
    wait_for({found->second.front()}, line);
    found->second.pop_front();
    if (found->second.empty()) requests_.erase(found);
    return true;
  }
  void wait_for_all_requests(std::uint64_t line) {
    std::vector<std::uint32_t> all;
    for (const auto& [ends, waiting] : requests_) all.insert(all.end(), waiting.begin(), waiting.end());
    requests_.clear();
    wait_for(all, line);
  }

 private:
  using Requests = std::map<std::tuple<Rank, Rank, std::int64_t>, std::deque<std::uint32_t>>;  // from, to, tag

  Requests::iterator request_of(Rank from, Rank to, std::int64_t tag) {
    for (const auto& [peer, its_tag] : {std::pair(from, tag), std::pair(no_rank, tag), std::pair(from, any_tag)}) {
      if (const auto found = requests_.find({peer, to, its_tag}); found != requests_.end()) return found;
    }
    return requests_.find({no_rank, to, any_tag});
  }

  std::vector<ReplayOperation>& operations_;
  std::optional<std::uint32_t> last_;
  Requests requests_;
};

class TraceReader {
 public:
  TraceReader(const std::vector<NamedText>& files, std::uint64_t word_bytes) : files_(files), word_bytes_(word_bytes) {}

  ReplayProgram read() {
    for (std::size_t file = 0; file < files_.size(); ++file) read_file(file);
    if (lines_.empty()) throw InputError(files_.front().name + ": it has no line of a trace");
    program_.format = "SimGrid trace";
    program_.keeps_order = true;
    program_.task.operation = replay_operation;
    program_.nodes = static_cast<Rank>(lines_.size());
    program_.ranks.resize(lines_.size());
    std::vector<std::vector<simgrid::TraceLine>> calls(lines_.size());
    for (std::size_t rank = 0; rank < lines_.size(); ++rank) {
      for (const simgrid::TraceLine& line : lines_[rank]) {
        if (simgrid::is_collective(line.verb)) calls[rank].push_back(line);
      }
    }
    collectives_.emplace(std::move(calls), usual_type_, files_);
    for (Rank rank = 0; rank < lines_.size(); ++rank) build(rank);
    tell_what_is_left_out();
    return std::move(program_);
  }

 private:
  void read_file(std::size_t file) {
    replay::WordLines lines(files_[file].name, files_[file].text);
    while (lines.next()) {
      const auto& words = lines.words();
      if (words.front().starts_with("#")) continue;
      const auto rank = static_cast<std::size_t>(lines.number("the rank", words[0], 0, replay::most_replay_ranks - 1));
      if (words.size() < 2) lines.refuse("it breaks off after the rank");
      const TraceAction& action = action_of(lines, words[1]);
      if (lines_.size() <= rank) lines_.resize(rank + 1);
      simgrid::TraceLine line{action.verb, file, lines.line()};
      if (action.verb == "init") usual_type_ = words.size() > 2 ? simgrid::trace_type_double : simgrid::trace_type_byte;
      if (action.kind != ActionKind::nothing) line.values = values_of(lines);
      if (line.values.size() < action.numbers) {
        lines.refuse(std::string(action.verb) + " needs " + std::to_string(action.numbers) + " numbers");
      }
      lines_[rank].push_back(std::move(line));
    }
  }

  static TraceAction action_of(const replay::WordLines& lines, std::string_view verb) {
    const auto found = std::ranges::find(actions, verb, &TraceAction::verb);
    if (found != actions.end()) return *found;
    const std::string_view collective = simgrid::collective_name(verb);
    if (collective.empty()) lines.refuse(quoted(verb) + " is not a known action of traces");
    return {collective, ActionKind::collective};
  }

  static std::vector<std::int64_t> values_of(const replay::WordLines& lines) {
    std::vector<std::int64_t> values;
    for (std::size_t at = 2; at < lines.words().size(); ++at) {
      const std::string_view word = lines.words()[at];
      double value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      const bool is_number = error == std::errc() && end == word.data() + word.size();
      if (!is_number || !(std::abs(value) <= static_cast<double>(replay::most_replay_bytes))) {
        lines.refuse(quoted(word) + " is not a number up to 2^50");
      }
      values.push_back(std::llround(value));
    }
    return values;
  }

  std::uint64_t words_of(std::uint64_t bytes) const { return bytes / word_bytes_ + (bytes % word_bytes_ != 0 ? 1 : 0); }

  void build(Rank rank) {
    RankBuilder builder(program_.ranks[rank]);
    std::size_t call = 0;
    for (const simgrid::TraceLine& line : lines_[rank]) {
      if (program_.ranks[rank].size() > replay::most_rank_operations) {
        throw InputError(files_.front().name + ": rank " + std::to_string(rank) + " has too many operations");
      }
      if (simgrid::is_collective(line.verb)) {
        build_collective(rank, call++, builder);
      } else {
        build_action(rank, line, *std::ranges::find(actions, line.verb, &TraceAction::verb), builder);
      }
    }
  }

  void build_action(Rank rank, const simgrid::TraceLine& line, const TraceAction& action, RankBuilder& builder) {
    switch (action.kind) {
      case ActionKind::test:
        has_tests_ = true;
        builder.test_request(rank_of(line.values[0]), rank_of(line.values[1]), tag_of(line.values[2]));
        break;
      case ActionKind::sleep:
        has_sleeps_ = true;
        break;
      case ActionKind::compute:
        compute(line.values[0], line.number, builder);
        break;
      case ActionKind::send:
      case ActionKind::receive: {
        const bool sends = action.kind == ActionKind::send;
        const auto operation = message(rank, line, sends, line.values[0], line.values[1], 2, 3);
        if (!operation) break;
        const std::uint32_t number = builder.add(*operation);
        if (action.is_blocking) {
          builder.wait_for(number);
        } else {
          builder.request(sends ? rank : operation->peer, sends ? operation->peer : rank, operation->tag, number);
        }
        break;
      }
      case ActionKind::send_receive: {
        std::vector<std::uint32_t> both;
        if (const auto receive = message(rank, line, false, line.values[3], 0, 2, 5))
          both.push_back(builder.add(*receive));
        if (const auto send = message(rank, line, true, line.values[1], 0, 0, 4)) both.push_back(builder.add(*send));
        builder.wait_for(both, line.number);
        break;
      }
      case ActionKind::wait:
        if (!builder.wait_for_request(rank_of(line.values[0]), rank_of(line.values[1]), tag_of(line.values[2]),
                                      line.number)) {
          ++idle_waits_;
        }
        break;
      case ActionKind::wait_all:
        builder.wait_for_all_requests(line.number);
        break;
      case ActionKind::communicator:
        has_communicators_ = true;
        break;
      case ActionKind::nothing:
      case ActionKind::collective:
        break;
    }
  }

  Rank rank_of(std::int64_t value) const {
    return value < 0 || value >= std::int64_t{program_.nodes} ? no_rank : static_cast<Rank>(value);
  }

  static std::int64_t tag_of(std::int64_t value) { return value < 0 ? any_tag : value; }

  /// Empty if the peer is SMPI's null process.
  std::optional<ReplayOperation> message(Rank rank, const simgrid::TraceLine& line, bool sends, std::int64_t peer,
                                         std::int64_t tag, std::size_t count_at, std::size_t type_at) const {
    if (peer == process_null || (sends && peer < 0)) return {};
    const std::string place = simgrid::place_of(files_, rank, line);
    if (peer >= std::int64_t{program_.nodes}) throw InputError(place + ": there is no rank " + std::to_string(peer));
    if (tag > std::numeric_limits<std::int32_t>::max()) {
      throw InputError(place + ": there is no tag " + std::to_string(tag));
    }
    const bool is_of_any_length = !sends && line.values[count_at] < 0;
    return ReplayOperation{.verb = sends ? ReplayVerb::send : ReplayVerb::receive,
                           .peer = rank_of(peer),
                           .tag = sends ? tag : tag_of(tag),
                           .amount = is_of_any_length
                                         ? any_length
                                         : words_of(simgrid::bytes_of(line, count_at, type_at, usual_type_, place)),
                           .line = line.number};
  }

  static void compute(std::int64_t operations, std::uint64_t line, RankBuilder& builder) {
    if (operations <= 0) return;
    builder.wait_for(
        builder.add({.verb = ReplayVerb::compute, .amount = static_cast<std::uint64_t>(operations), .line = line}));
  }

  void build_collective(Rank rank, std::size_t call, RankBuilder& builder) {
    const std::uint64_t line = collectives_->line(rank, call).number;
    const std::vector<simgrid::CollectiveMessage> messages = collectives_->messages(rank, call);
    std::vector<std::uint32_t> turn;
    for (std::size_t index = 0; index < messages.size(); ++index) {
      const simgrid::CollectiveMessage& message = messages[index];
      turn.push_back(builder.add({.verb = message.sends ? ReplayVerb::send : ReplayVerb::receive,
                                  .peer = message.peer,
                                  .tag = first_collective_tag + static_cast<std::int64_t>(call),
                                  .amount = words_of(message.bytes),
                                  .line = line}));
      if (index + 1 < messages.size() && messages[index + 1].turn == message.turn) continue;
      builder.wait_for(turn, line);
      turn.clear();
    }
    compute(static_cast<std::int64_t>(collectives_->operations(rank, call)), line, builder);
  }

  void tell_what_is_left_out() {
    auto& warnings = program_.warnings;
    if (has_tests_) warnings.emplace_back("test: nothing waits for requests that are only tested");
    if (has_sleeps_) warnings.emplace_back("sleep: takes no time here");
    if (has_communicators_)
      warnings.emplace_back("communicators: all ranks take part in all collective operations here");
    if (idle_waits_ > 0) {
      warnings.push_back("wait: " + std::to_string(idle_waits_) +
                         " of the lines name a request that was never begun, or that an earlier line waited for");
    }
  }

  const std::vector<NamedText>& files_;
  const std::uint64_t word_bytes_;
  std::size_t usual_type_ = simgrid::trace_type_byte;
  std::vector<std::vector<simgrid::TraceLine>> lines_;  // by rank
  std::optional<simgrid::CollectiveCalls> collectives_;
  ReplayProgram program_;
  bool has_tests_ = false;
  bool has_sleeps_ = false;
  bool has_communicators_ = false;
  std::uint64_t idle_waits_ = 0;
};

}  // namespace

ReplayProgram replay::read_trace(const std::vector<NamedText>& files, std::uint64_t word_bytes) {
  return TraceReader(files, word_bytes).read();
}

}  // namespace lockstep
