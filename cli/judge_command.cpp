#include "judge_command.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "exit_code.hpp"
#include "json_report.hpp"
#include "league.hpp"
#include "report_files.hpp"
#include "status_line.hpp"

namespace lockstep::cli {

int judge_command(const JudgeArguments& arguments, const std::atomic<bool>& stop) {
  ReportFiles files({.markdown = {}, .csv = {}, .json = arguments.json}, inputs_of(arguments.trials));
  std::optional<StatusLine> status(std::in_place);
  const auto show = [&](const std::string& what) {
    if (!arguments.quiet && status->is_due()) status->show("judging " + what);
  };
  const Assessment assessment = judged(arguments, show, stop);
  League others;
  if (!arguments.against.empty()) others = league(arguments, assessment, show, stop);
  status.reset();
  begin_outputs();
  files.write({.markdown = {}, .csv = {}, .json = [&] {
                 auto json = json_of(assessment);
                 json["league"] = others.empty() ? nlohmann::ordered_json() : json_of(others);
                 return json_text(json);
               }});
  if (!files.take_standard_output() && !arguments.quiet) {
    write_output(text_of(arguments, assessment) + (others.empty() ? "" : "\n" + text_of(others)));
  }
  return assessment.is_right() ? verified : run_failed;
}

}  // namespace lockstep::cli
