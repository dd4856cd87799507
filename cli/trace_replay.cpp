#include "number_text.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli {
namespace {

constexpr std::string_view list_name = "traces.txt";
constexpr std::string_view first_part = "rank-";
constexpr std::string_view last_part = ".trace";

/// The actions of one rank.
class Actions {
 public:
  Actions(const TracedRun& run, const std::vector<std::uint64_t>& tags, std::uint64_t word_bytes, std::size_t rank)
      : trace_(run.trace), tags_(tags), word_bytes_(word_bytes), rank_(std::to_string(rank)) {}

  std::string text(const std::vector<RankCycle>& cycles) {
    act("init");
    for (const RankCycle& cycle : cycles) {
      if (cycle.sends.size() + cycle.receives.size() > 2 || cycle.sends.size() > 1 || cycle.receives.size() > 1) {
        at_once(cycle);
      } else if (cycle.sends.empty()) {
        receive("recv", cycle.receives.front());
      } else if (cycle.receives.empty()) {
        send("send", cycle.sends.front());
      } else {
        exchange(cycle.sends.front(), cycle.receives.front());
      }
    }
    act("finalize");
    return text_;
  }

 private:
  void exchange(std::size_t sent, std::size_t received) {
    receive("irecv", received);
    send("send", sent);
    act("wait " + std::to_string(trace_.messages()[received].from) + " " + rank_ + " " +
        std::to_string(tags_[received]));
  }
  void at_once(const RankCycle& cycle) {
    for (const std::size_t number : cycle.receives) receive("irecv", number);
    for (const std::size_t number : cycle.sends) send("isend", number);
    act("waitall");
  }
  void receive(const std::string& verb, std::size_t number) { act(verb, trace_.messages()[number].from, number); }
  void send(const std::string& verb, std::size_t number) {
    act(verb, trace_.receivers(trace_.messages()[number]).front().rank, number);
  }
  void act(const std::string& verb, Rank other, std::size_t number) {
    act(verb + " " + std::to_string(other) + " " + std::to_string(tags_[number]) + " " +
        std::to_string(trace_.messages()[number].words * word_bytes_));
  }
  void act(const std::string& action) { text_ += rank_ + " " + action + "\n"; }

  const Trace& trace_;
  const std::vector<std::uint64_t>& tags_;
  const std::uint64_t word_bytes_;
  const std::string rank_;
  std::string text_;
};

}  // namespace

std::vector<NamedText> trace_replay(const TracedRun& run, std::uint64_t word_bytes) {
  const auto by_rank = cycles_by_rank(run);
  const std::vector<std::uint64_t> tags = numbers_in_pairs(run.trace);
  const std::string missing = missing_line(run).empty() ? "" : "# " + missing_line(run) + "\n";  // SimGrid skips it
  std::vector<NamedText> files;
  std::string list;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    // SimGrid would take a file whose name ends in .txt for a list of traces.
    const std::string name = std::string(first_part) + padded(rank, by_rank.size()) + std::string(last_part);
    files.push_back({name, missing + Actions(run, tags, word_bytes, rank).text(by_rank[rank])});
    list += name + "\n";
  }
  files.push_back({std::string(list_name), list});
  return files;
}

bool is_replay_file(const std::string& name) {
  if (name == list_name) return true;
  if (!name.starts_with(first_part) || !name.ends_with(last_part)) return false;
  const std::string_view rank =
      std::string_view(name).substr(first_part.size(), name.size() - first_part.size() - last_part.size());
  return !rank.empty() && rank.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace lockstep::cli
