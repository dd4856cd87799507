#include "study_options.hpp"

#include <algorithm>
#include <vector>

#include "flags/value_option.hpp"
#include "lockstep/algorithms/choice_error.hpp"

namespace lockstep::cli::study {
namespace {

constexpr const char* study_explained =
    R"(A study file, in TOML or JSON, names machines, operations, methods, and values of any flag of `lockstep run`:

  [all]
  beta = 100
  [[experiment]]
  operation = "broadcast"
  machine = "switch:4..16*2"
  methods = ["doubling", "scatter-*"]
  words = "1..4096*8"

Every combination is a point. Each is run once; its row is added to NAME.jsonl at once, and a later call goes on with
what is missing, whether the study was interrupted, killed, or has become larger. When all points are done, NAME.csv has
the same rows as a table, and NAME.repeat.json the versions, flags, seeds and digests with which anybody can repeat the
study and compare. Parameters that the study does not give (packets, radix, ..) get their best values, as in `compare`.

Examples:
  lockstep study --new start
  lockstep study start.toml --dry-run
  lockstep study start.toml --plot svg
  lockstep study start.repeat.json --verify

The exit code is 0 if all runs without faults are verified, and with --verify if all are as before; 1 if not; 2 if the
input was bad or an output could not be written, 130 if you interrupted it.)";

}  // namespace

void add_study_options(CLI::App& app, StudyArguments& arguments) {
  flags::add_value_option(app, "file", "FILE", "the study, FILE.toml or FILE.json; with --verify also FILE.repeat.json",
                          [&arguments](const std::string& text) { arguments.file = text; })
      .group("What to study");
  flags::add_value_option(app, "--new", "NAME", "write an example as NAME.toml: start, failed-links or thakur-2005",
                          [&arguments](const std::string& text) { arguments.preset = text; })
      .group("What to study");
  flags::add_flag(app, "--dry-run", arguments.dry_run, "list the points; run nothing").group("What to study");
  flags::add_flag(app, "--verify", arguments.verify, "run all points again and compare digests, counts and times")
      .group("What to study");
  flags::add_value_option(app, "--output", "DIR", "the folder of the results (default: the current one)",
                          [&arguments](const std::string& text) { arguments.output = text; })
      .group("Output");
  flags::add_value_option(app, "--plot", "FORM",
                          "draw the modelled times of each experiment, by machine, as NAME-EXPERIMENT-MACHINE.FORM: "
                          "svg, pdf, png, tex or gp",
                          [&arguments](const std::string& text) {
                            static const std::vector<std::string> forms{"svg", "pdf", "png", "tex", "gp"};
                            if (std::ranges::find(forms, text) == forms.end()) refuse_choice("--plot", text, forms);
                            arguments.plot = "." + text;
                          })
      .group("Output");
  flags::add_flag(app, "--quiet", arguments.quiet, "show neither results nor progress").group("Output");
  flags::set_footer(app, study_explained);
}

}  // namespace lockstep::cli::study
