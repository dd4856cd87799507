#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "judge.hpp"

namespace lockstep::cli::judge {

/// One of the judged programs.
struct LeagueEntry {
  std::string program;
  std::string rules{};  ///< of its methods: "one port"; "one port and all ports" if they differ
  double points = 0;
  std::optional<std::uint64_t> steps{};  ///< on the largest machine, if its run ended
  std::optional<double> time{};
  std::string complaint{};  ///< the first; empty if all is right
};

/// The programs under the rules of the first, which is the judged one, then those under others; of equal rules in the
/// order of their points, then of steps and time on the largest machine.
using League = std::vector<LeagueEntry>;

/// The league of a judged program and its opponents, each judged by its own `judge` on the same machines. A program
/// without `judge`, or one that does not finish, has no points. Throws Interrupted.
League league(const JudgeArguments& arguments, const Assessment& assessment,
              const std::function<void(const std::string& what)>& show, const std::atomic<bool>& stop);

std::string text_of(const League& league);
nlohmann::ordered_json json_of(const League& league);

}  // namespace lockstep::cli::judge
