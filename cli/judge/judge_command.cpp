#include "judge_command.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "flags/report_files.hpp"
#include "host/exit_code.hpp"
#include "host/status_line.hpp"
#include "league.hpp"
#include "report/json_report.hpp"

namespace lockstep::cli::judge {

int judge_command(const JudgeArguments& given, const std::atomic<bool>& stop) {
  const JudgeArguments arguments = with_named_guest(given);
  flags::ReportFiles files({.markdown = {}, .csv = {}, .json = arguments.json}, inputs_of(arguments.trials));
  std::optional<host::StatusLine> status(std::in_place);
  const auto show = [&](const std::string& what) {
    if (!arguments.quiet && status->is_due()) status->show("judging " + what);
  };
  const Assessment assessment = judged(arguments, show, stop);
  League others;
  if (!arguments.against.empty()) others = league(arguments, assessment, show, stop);
  status.reset();
  host::begin_outputs();
  const auto json = [&] {
    auto all = json_of(assessment);
    all["league"] = others.empty() ? nlohmann::ordered_json() : json_of(others);
    return report::json_text(all);
  };
  const auto text = [&] { return text_of(arguments, assessment) + (others.empty() ? "" : "\n" + text_of(others)); };
  files.write({.markdown = {}, .csv = {}, .json = json}, text, arguments.quiet);
  return assessment.is_right() ? host::verified : host::run_failed;
}

}  // namespace lockstep::cli::judge
