#include <ostream>

#include "host/number_text.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {
namespace {

constexpr std::string_view list_name = "traces.txt";
constexpr std::string_view first_part = "rank-";
constexpr std::string_view last_part = ".trace";

/// Writes the actions of one rank.
class Actions {
 public:
  Actions(const TracedRun& run, const MessagesByRank& messages, std::uint64_t word_bytes, Rank rank, std::ostream& out)
      : trace_(run.trace), messages_(messages), word_bytes_(word_bytes), rank_(std::to_string(rank)), out_(out) {}

  void add(const RankCycle& cycle) {
    if (cycle.sends.size() > 1 || cycle.receives.size() > 1) {
      at_once(cycle);
    } else if (cycle.sends.empty()) {
      receive("recv", cycle.receives.front());
    } else if (cycle.receives.empty()) {
      send("send", cycle.sends.front());
    } else {
      exchange(cycle.sends.front(), cycle.receives.front());
    }
  }
  void act(const std::string& action) { out_ << rank_ + " " + action + "\n"; }

 private:
  void exchange(MessageNumber sent, MessageNumber received) {
    receive("irecv", received);
    send("send", sent);
    act("wait " + std::to_string(trace_.messages()[received].from) + " " + rank_ + " " +
        std::to_string(messages_.number_in_pair(received)));
  }
  void at_once(const RankCycle& cycle) {
    for (const MessageNumber number : cycle.receives) receive("irecv", number);
    for (const MessageNumber number : cycle.sends) send("isend", number);
    act("waitall");
  }
  void receive(const std::string& verb, MessageNumber number) { act(verb, trace_.messages()[number].from, number); }
  void send(const std::string& verb, MessageNumber number) {
    act(verb, trace_.receivers(trace_.messages()[number]).front().rank, number);
  }
  void act(const std::string& verb, Rank other, MessageNumber number) {
    act(verb + " " + std::to_string(other) + " " + std::to_string(messages_.number_in_pair(number)) + " " +
        std::to_string(trace_.messages()[number].words * word_bytes_));
  }

  const run::Trace& trace_;
  const MessagesByRank& messages_;
  const std::uint64_t word_bytes_;
  const std::string rank_;
  std::ostream& out_;
};

}  // namespace

void write_replay(const TracedRun& run, std::uint64_t word_bytes,
                  const std::function<void(const std::string& name, const host::TextWriter& write)>& add) {
  const MessagesByRank messages(run);
  const std::string missing = missing_line(run).empty() ? "" : "# " + missing_line(run) + "\n";  // SimGrid skips it
  std::string list;
  for (Rank rank = 0; rank < messages.ranks(); ++rank) {
    // SimGrid would take a file whose name ends in .txt for a list of traces.
    const std::string name = std::string(first_part) + padded(rank, messages.ranks()) + std::string(last_part);
    add(name, [&](std::ostream& out) {
      out << missing;
      Actions actions(run, messages, word_bytes, rank, out);
      actions.act("init");
      messages.each_cycle(rank, [&actions](const RankCycle& cycle) { actions.add(cycle); });
      actions.act("finalize");
    });
    list += name + "\n";
  }
  add(std::string(list_name), [&list](std::ostream& out) { out << list; });
}

bool is_replay_file(const std::string& name) {
  if (name == list_name) return true;
  if (!name.starts_with(first_part) || !name.ends_with(last_part)) return false;
  const std::string_view rank =
      std::string_view(name).substr(first_part.size(), name.size() - first_part.size() - last_part.size());
  return !rank.empty() && rank.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace lockstep::cli::trace
