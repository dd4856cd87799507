#include <optional>
#include <ostream>

#include "lockstep/core/printable.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {
namespace {

/// Writes the schedule of one rank. The first send of a cycle waits for everything the rank has received since its last
/// cycle with sends, and for the first send of that cycle; further sends of a cycle wait for its first.
class RankSchedule {
 public:
  RankSchedule(const TracedRun& run, const MessagesByRank& messages, std::ostream& out)
      : trace_(run.trace), messages_(messages), out_(out) {}

  void add(const RankCycle& cycle) {
    for (const MessageNumber number : cycle.sends) {
      const Rank receiver = trace_.receivers(trace_.messages()[number]).front().rank;
      out_ << label('s', number) + ": send " + bytes(number) + " to " + std::to_string(receiver) + tag(number);
      if (number == cycle.sends.front()) {
        if (last_send_) require(number, 's', *last_send_);
        for (const MessageNumber received : received_) require(number, 'r', received);
      } else {
        require(number, 's', cycle.sends.front());
      }
    }
    if (!cycle.sends.empty()) {
      last_send_ = cycle.sends.front();
      received_.clear();
    }
    for (const MessageNumber number : cycle.receives) {
      out_ << label('r', number) + ": recv " + bytes(number) + " from " +
                  std::to_string(trace_.messages()[number].from) + tag(number);
      received_.push_back(number);
    }
  }

 private:
  void require(MessageNumber send, char kind, MessageNumber other) {
    out_ << label('s', send) + " requires " + label(kind, other) + "\n";
  }

  static std::string label(char kind, MessageNumber number) { return kind + std::to_string(number); }
  // LogGOPSim charges a message of s bytes s - 1 times G, and cannot send 0 bytes.
  std::string bytes(MessageNumber number) const { return std::to_string(trace_.messages()[number].words + 1) + "b"; }
  std::string tag(MessageNumber number) const {
    return " tag " + std::to_string(messages_.number_in_pair(number)) + "\n";
  }

  const run::Trace& trace_;
  const MessagesByRank& messages_;
  std::ostream& out_;
  std::optional<MessageNumber> last_send_;  // the first of the last cycle with sends
  std::vector<MessageNumber> received_;     // since that cycle
};

}  // namespace

void write_goal(const TracedRun& run, std::ostream& out) {
  const MessagesByRank messages(run);
  out << "num_ranks " + std::to_string(messages.ranks()) + "\n";
  out << "// " + printable(run.plan().name) + " on " + printable(run.plan().machine.text) + "\n";
  if (const std::string line = missing_line(run); !line.empty()) out << "// " + line + "\n";
  for (Rank rank = 0; rank < messages.ranks(); ++rank) {
    out << "rank " + std::to_string(rank) + " {\n";
    RankSchedule schedule(run, messages, out);
    messages.each_cycle(rank, [&schedule](const RankCycle& cycle) { schedule.add(cycle); });
    out << "}\n";
  }
}

}  // namespace lockstep::cli::trace
