#include "reproduce_command.hpp"

#include <nlohmann/json.hpp>

#include "flags/value_option.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "report/json_report.hpp"
#include "report/picture.hpp"
#include "reproduction_report.hpp"
#include "run/failure.hpp"

namespace lockstep::cli::reproduce {
namespace {

constexpr const char* explained =
    R"(Without a name: the list of reproductions. With one: the paper's formulas or table, the exact formula of the
method, the counts of the emulated machine and their modelled time. "paper is" is equal, bound (the paper has only a
bound, and it holds) or wrong (according to the errata in docs/algorithms; the note gives the reason); differs would be
an error of Lockstep.

Examples:
  lockstep reproduce
  lockstep reproduce dimakopoulos --quick
  lockstep reproduce saad-schultz-table-2 --markdown -

The exit code is 0 if everything agrees, 1 if something differs or a run failed, 2 if the input was bad or an output
could not be written, 130 if you interrupted it.)";

int list_reproductions(const ReproduceArguments& arguments) {
  const char* const flag = arguments.quick             ? "--quick"
                           : arguments.quiet           ? "--quiet"
                           : arguments.places.markdown ? "--markdown"
                           : arguments.places.csv      ? "--csv"
                           : arguments.plot            ? "--plot"
                                                       : nullptr;
  if (flag != nullptr) {
    throw InputError("reproduce needs the name of a reproduction for " + std::string(flag) +
                     ", e.g. lockstep reproduce saad-schultz-table-1 " + flag);
  }
  host::begin_outputs();
  if (arguments.places.json) {
    host::write_output(report::json_text(json_of(reproductions())));
  } else {
    host::write_output(text_of(reproductions()));
  }
  return host::verified;
}

}  // namespace

void add_reproduce_options(CLI::App& app, ReproduceArguments& arguments) {
  flags::add_value_option(app, "name", "NAME", "what to reproduce (default: list all)",
                          [&arguments](const std::string& text) { arguments.name = text; });
  const char* const output = "Output";
  flags::add_flag(app, "--quick", arguments.quick, "small sizes, which take only seconds");
  flags::add_report_options(app, arguments.places);
  flags::add_value_option(
      app, "--plot", "FILE",
      "draw FILE.svg, .pdf or .png (with gnuplot), .tex (pgfplots), or .gp, where the list has --plot",
      [&arguments](const std::string& text) { arguments.plot = text; })
      .group(output);
  flags::add_flag(app, "--quiet", arguments.quiet, "show neither tables nor progress").group(output);
  flags::set_footer(app, explained);
}

int reproduce(const ReproductionEntry& entry, const ReproduceArguments& arguments, const std::atomic<bool>& stop) {
  if (arguments.plot && !entry.has_plot()) throw InputError("--plot: " + entry.name + " has no plot");
  std::optional<report::Picture> picture;
  std::vector<host::NamedFile> drawn;
  if (arguments.plot) drawn = picture.emplace(*arguments.plot).files();
  flags::ReportFiles files(arguments.places, {}, drawn);
  Reproduction reproduction;
  try {
    ReproductionRuns runs(arguments.quick, arguments.quiet, stop);
    reproduction = entry.reproduce(runs);
  } catch (const RunFailed& failure) {
    return run::print_last(failure.what(), host::run_failed);
  }
  host::begin_outputs();
  files.write(
      {.markdown = [&] { return markdown_of(entry, reproduction); },
       .csv = [&] { return csv_of(reproduction); },
       .json = [&] { return report::json_text(json_of(entry, reproduction, arguments.quick)); }},
      [&] { return text_of(entry, reproduction); }, arguments.quiet);
  if (picture) picture->draw(reproduction.plot.value());
  for (const std::string& line : reproduction.disagreements) run::print_line(line);
  return reproduction.disagreements.empty() ? host::verified : host::run_failed;
}

int reproduce_command(const ReproduceArguments& arguments, const std::atomic<bool>& stop) {
  if (arguments.name.empty()) return list_reproductions(arguments);
  return reproduce(find_reproduction(arguments.name), arguments, stop);
}

}  // namespace lockstep::cli::reproduce
