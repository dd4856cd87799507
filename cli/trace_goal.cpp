#include "lockstep/core/printable.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli {
namespace {

/// The schedule of one rank. Every send waits for what the rank has received since its last cycle with sends, and for
/// the first send of that cycle, which waited likewise; further sends of one cycle wait for its first.
class RankSchedule {
 public:
  RankSchedule(const TracedRun& run, const std::vector<std::uint64_t>& tags) : run_(run), tags_(tags) {}

  std::string text(const std::vector<RankCycle>& cycles) {
    std::string text;
    for (const RankCycle& cycle : cycles) {
      std::string first;
      for (const std::size_t number : cycle.sends) {
        text += send(number, first);
        if (first.empty()) first = label('s', number);
      }
      if (!first.empty()) {
        before_ = {first};
      }
      for (const std::size_t number : cycle.receives) {
        text += label('r', number) + ": recv " + bytes(number) + " from " +
                std::to_string(run_.trace.messages()[number].from) + tag(number);
        before_.push_back(label('r', number));
      }
    }
    return text;
  }

 private:
  std::string send(std::size_t number, const std::string& first) const {
    const std::string own = label('s', number);
    std::string text = own + ": send " + bytes(number) + " to " +
                       std::to_string(run_.trace.receivers(run_.trace.messages()[number]).front().rank) + tag(number);
    if (!first.empty()) return text + own + " requires " + first + "\n";
    for (const std::string& other : before_) text += own + " requires " + other + "\n";
    return text;
  }

  static std::string label(char kind, std::size_t number) { return kind + std::to_string(number); }
  // A message of s bytes costs LogGOPSim s - 1 times G, and it cannot send none.
  std::string bytes(std::size_t number) const { return std::to_string(run_.trace.messages()[number].words + 1) + "b"; }
  std::string tag(std::size_t number) const { return " tag " + std::to_string(tags_[number]) + "\n"; }

  const TracedRun& run_;
  const std::vector<std::uint64_t>& tags_;
  std::vector<std::string> before_;  // what the next send waits for
};

}  // namespace

std::string trace_goal(const TracedRun& run) {
  const auto by_rank = cycles_by_rank(run);
  const std::vector<std::uint64_t> tags = numbers_in_pairs(run.trace);
  std::string text = "num_ranks " + std::to_string(by_rank.size()) + "\n";
  text += "// " + printable(run.plan().name) + " on " + printable(run.plan().machine.text) + "\n";
  if (const std::string line = missing_line(run); !line.empty()) text += "// " + line + "\n";
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    text += "rank " + std::to_string(rank) + " {\n" + RankSchedule(run, tags).text(by_rank[rank]) + "}\n";
  }
  return text;
}

}  // namespace lockstep::cli
