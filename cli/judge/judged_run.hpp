#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "judge_options.hpp"

namespace lockstep::cli::judge {

/// The run of a judged method that a process makes.
struct JudgedRunOrder {
  std::string machine;
  std::string method;
  ExecutorKind executor = ExecutorKind::sequential;
  std::uint64_t seed = 0;  ///< of seeded
};

/// The result of a judged method's run.
struct JudgedRun {  // NOLINT(bugprone-exception-escape): of the JSON library's own
  enum class Ending { ended, failed, refused, out_of_time, out_of_memory, killed, crashed, no_result };

  Ending ending = Ending::no_result;
  std::string kind;  ///< of a failed run: name(ErrorKind)
  std::string text;  ///< why it did not end well

  // If the run ended:
  std::string wrong;                     ///< the oracle's complaint and the data's last receiver; else empty
  std::vector<std::string> unexplained;  ///< data that no message can have brought
  std::vector<std::string> differing;    ///< from what the method predicts
  std::string digest;
  std::uint64_t steps = 0;
  double time = 0;  ///< of the synchronous clock

  // If it was planned:
  std::string ports;
  std::string duplex;
  bool multicast = false;
  bool combines = true;  ///< see Method::combines
  std::string rules;     ///< all of these in words: "one port, multicast"
  std::string task;
  nlohmann::ordered_json parameters;
  std::optional<std::uint64_t> bound;          ///< of the steps, from the method
  std::optional<std::uint64_t> machine_bound;  ///< of the steps, from operation and machine

  bool has_ended() const { return ending == Ending::ended; }
  bool has_right_data() const { return has_ended() && wrong.empty(); }
  /// Whether it was ended for its time or memory, which does not show whether the program is right.
  bool was_cut_short() const {
    return ending == Ending::out_of_time || ending == Ending::out_of_memory || ending == Ending::killed;
  }
};

/// Makes the run in its own process and returns its result, even of a crash. Throws Interrupted.
JudgedRun run_apart(const JudgeArguments& arguments, const JudgedRunOrder& order, const std::atomic<bool>& stop);

/// The work of that process, if the command was started as one.
bool is_judged_run(int argc, const char* const* argv);
[[noreturn]] void make_judged_run(int argc, const char* const* argv, const std::atomic<bool>& stop);

}  // namespace lockstep::cli::judge
