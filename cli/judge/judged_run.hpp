#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge_options.hpp"

namespace lockstep::cli::judge {

/// Which run a process is to make of what is judged.
struct JudgedRunOrder {
  std::string machine;
  std::string method;
  ExecutorKind executor = ExecutorKind::sequential;
  std::uint64_t seed = 0;  ///< of seeded
};

/// What came of a run of what is judged.
struct JudgedRun {  // NOLINT(bugprone-exception-escape): of the JSON library's own
  enum class Ending { ended, failed, refused, out_of_time, out_of_memory, killed, crashed, no_result };

  Ending ending = Ending::no_result;
  std::string kind;  ///< of a run that failed: name(ErrorKind)
  std::string text;  ///< why there was no good end

  // Of a run that ended:
  std::string wrong;                     ///< with its data: what the oracle says, and who got it last; else empty
  std::vector<std::string> unexplained;  ///< data that no message can have brought
  std::vector<std::string> differing;    ///< from what the method predicts
  std::string digest;
  std::uint64_t steps = 0;
  double time = 0;               ///< of the synchronous clock
  bool combines_blocks = false;  ///< a total exchange, in messages of several

  // Of one that was planned:
  std::string ports;
  std::string task;
  nlohmann::ordered_json parameters;
  std::optional<std::uint64_t> bound;          ///< of the steps, as the method says
  std::optional<std::uint64_t> machine_bound;  ///< the same, as operation and machine say

  bool has_ended() const { return ending == Ending::ended; }
  bool has_right_data() const { return has_ended() && wrong.empty(); }
  /// Whether it was ended for what it took, which says nothing of the program's results.
  bool was_cut_short() const {
    return ending == Ending::out_of_time || ending == Ending::out_of_memory || ending == Ending::killed;
  }
};

/// Makes the run in a process of its own, whatever comes of that. Throws Interrupted.
JudgedRun run_apart(const JudgeArguments& arguments, const JudgedRunOrder& order, const std::atomic<bool>& stop);

/// What that process is to do, if it is what the command was called for.
bool is_judged_run(int argc, const char* const* argv);
[[noreturn]] void make_judged_run(int argc, const char* const* argv, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::judge
