#include "study_command.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "host/exit_code.hpp"
#include "host/file_names.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "host/terminal.hpp"
#include "lockstep/core/printable.hpp"
#include "report/json_report.hpp"
#include "report/picture.hpp"
#include "run/failure.hpp"
#include "study_plot.hpp"
#include "study_presets.hpp"
#include "study_progress.hpp"
#include "study_results.hpp"
#include "study_verify.hpp"
#include "study_winners.hpp"

namespace lockstep::cli::study {
namespace {

constexpr std::string_view repetition_ending = ".repeat.json";

/// The files of a study's results.
struct ResultPaths {
  std::string stem;  ///< with which all begin
  std::string rows;
  std::string table;
  std::string repetition;

  ResultPaths(const std::string& folder, const std::string& name)
      : stem(folder.empty() ? name : (std::filesystem::path(folder) / name).string()),
        rows(stem + ".jsonl"),
        table(stem + ".csv"),
        repetition(stem + ".repeat.json") {}
};

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

int write_preset(const StudyArguments& arguments) {
  if (!arguments.file.empty() || arguments.dry_run || arguments.verify || !arguments.output.empty() || arguments.plot) {
    throw InputError("--new writes an example into the current folder and takes no other argument");
  }
  const std::string_view text = preset_text(*arguments.preset);
  const std::string path = *arguments.preset + ".toml";
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    throw OutputError(path, "it exists already");
  }
  host::OutputFile(path).write(std::string(text));
  if (!arguments.quiet) host::write_output("lockstep study " + path + " runs it\n");
  return host::verified;
}

void make_folder(const std::string& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw OutputError(folder, error.message());
}

StudyPlan planned_study(const Study& study, bool is_quiet, const std::atomic<bool>& stop) {
  StudyProgress progress(0, is_quiet);
  return plan_study(study, [&](double part) {
    if (stop) throw host::Interrupted();
    progress.show_planning(part);
  });
}

/// A line for all points of an experiment that a method cannot run on a machine for one reason.
std::string left_out_text(const StudyPlan& plan) {
  std::map<std::string, std::size_t> points;
  std::vector<std::pair<std::string, const LeftOutPoint*>> lines;  // with the first point of each
  for (const LeftOutPoint& out : plan.left_out) {
    const std::string run = key_of({out.point.words.begin(), out.point.words.begin() + 2});  // machine and method
    const std::string line = out.point.experiment + "\n" + run + "\n" + out.reason;
    if (++points[line] == 1) lines.emplace_back(line, &out);
  }
  std::string text;
  for (const auto& [line, out] : lines) {
    const bool is_one = points.at(line) == 1;
    const std::string run = is_one ? out->point.key : key_of({out->point.words.begin(), out->point.words.begin() + 2});
    text += host::wrapped("",
                          "Left out: " + printable(out->point.experiment) + ", " + printable(run) +
                              (is_one ? "" : " (" + host::counted(points.at(line), "point") + ")") + ": " +
                              printable(out->reason),
                          0, host::line_width());
  }
  return text;
}

std::size_t done_of(const StudyPlan& plan, const StudyRows& rows) {
  return static_cast<std::size_t>(
      std::ranges::count_if(plan.points, [&](const StudyPoint& point) { return rows.find(point) != nullptr; }));
}

int list_points(const StudyPlan& plan, const StudyRows& rows) {
  host::begin_outputs();
  std::string text;
  for (const StudyPoint& point : plan.points) {
    text += printable(point.experiment) + ", " + printable(point.key) + "\n";
  }
  text += left_out_text(plan);
  text += host::counted(plan.points.size(), "point") + ", of which " + host::grouped(done_of(plan, rows)) +
          " are done; " + host::grouped(plan.left_out.size()) + " left out\n";
  host::write_output(text);
  return host::verified;
}

/// Runs the points that are not done. Those that cannot run become left out.
void run_missing(StudyPlan& plan, StudyRows& rows, bool is_quiet, const std::atomic<bool>& stop) {
  std::vector<StudyPoint> missing;
  std::ranges::copy_if(plan.points, std::back_inserter(missing),
                       [&](const StudyPoint& point) { return rows.find(point) == nullptr; });
  StudyProgress progress(missing.size(), is_quiet);
  std::size_t done = 0;
  for (const StudyPoint& point : missing) {
    if (stop) throw host::Interrupted();
    if (rows.find(point) == nullptr) {  // an equal run of another experiment may have done it
      PointResult result = run_point(point, stop);
      if (result.row) {
        rows.add(point, std::move(*result.row));
      } else {
        plan.left_out.push_back({point, result.reason});
      }
    }
    progress.show(++done);
  }
  std::erase_if(plan.points, [&](const StudyPoint& point) { return rows.find(point) == nullptr; });
}

/// How the runs ended.
struct Endings {
  std::size_t verified = 0;
  std::size_t failed = 0;          ///< with faults, as a result
  std::size_t failed_unasked = 0;  ///< without a fault

  Endings(const StudyPlan& plan, const StudyRows& rows) {
    for (const StudyPoint& point : plan.points) {
      const Json& row = *rows.find(point);
      if (row.at("status") == "verified") {
        ++verified;
      } else {
        ++(row.contains("faults") ? failed : failed_unasked);
      }
    }
  }

  std::string text() const {
    std::string text = host::grouped(verified) + " verified";
    if (failed > 0) text += ", " + host::grouped(failed) + " failed by faults";
    if (failed_unasked > 0) text += ", " + host::grouped(failed_unasked) + " failed";
    return text;
  }
};

/// Writes table and repetition, and tells how the study ended.
int finish(const Study& study, const StudyPlan& plan, const StudyRows& rows, const std::vector<StudyRace>& races,
           const ResultPaths& paths, bool is_quiet) {
  host::OutputFile table(paths.table);
  host::OutputFile repetition(paths.repetition);
  table.prepare(csv_of(plan.points, rows));
  repetition.prepare(report::json_text(repetition_of(study, plan, rows)));
  const Endings endings(plan, rows);
  host::OutputFile* const outputs[] = {&table, &repetition};
  host::publish(outputs, [&] {
    if (is_quiet) return;
    std::string text = study.title.empty() ? "" : host::Style::of_output().heading(printable(study.title) + "\n");
    text +=
        winners_text(races) + left_out_text(plan) + host::counted(plan.points.size(), "point") + ": " + endings.text();
    if (rows.of_other_versions() > 0) {
      text += "; " + host::counted(rows.of_other_versions(), "row") + " of other versions of lockstep not used";
    }
    text += "\nin " + printable(paths.table) + " and " + printable(paths.rows) + "; lockstep study " +
            printable(paths.repetition) + " --verify repeats them\n";
    host::write_output(text);
  });
  if (endings.failed_unasked == 0) return host::verified;
  return run::print_last(host::counted(endings.failed_unasked, "run") + " failed without a fault; reasons are in " +
                             printable(paths.table),
                         host::run_failed);
}

/// Draws the races in files of that ending.
void draw(const std::vector<StudyRace>& races, const std::string& stem, const std::string& ending, bool is_quiet) {
  const std::vector<NamedPlot> plots = plots_of(races);
  if (plots.empty()) throw OutputError(stem + "-*" + ending, "no experiment has runs at two numbers on an axis");
  for (const auto& [name, plot] : plots) report::Picture(stem + "-" + name + ending).draw(plot);
  if (is_quiet) return;
  host::write_output(host::counted(plots.size(), "picture") + ", " +
                     printable(stem + "-" + plots.front().name + ending) + (plots.size() > 1 ? " and others" : "") +
                     "\n");
}

}  // namespace

int study_command(const StudyArguments& arguments, const std::atomic<bool>& stop) {
  if (arguments.preset) return write_preset(arguments);
  if (arguments.file.empty()) {
    throw InputError("study needs a file, e.g. lockstep study start.toml; --new start writes one");
  }
  if (arguments.verify) {
    if (arguments.dry_run) throw InputError("--dry-run runs nothing, and --verify everything");
    if (arguments.plot) throw InputError("--verify draws nothing: --plot is for the study itself");
    const bool is_repetition = arguments.file.ends_with(repetition_ending);
    const ResultPaths paths(arguments.output, stem_of(arguments.file));
    return verify_study(is_repetition ? arguments.file : paths.repetition, arguments.quiet, stop);
  }
  if (arguments.file.ends_with(repetition_ending)) {
    throw InputError(printable(arguments.file) + " is what a study has written: --verify repeats it");
  }
  const Study study = read_study(arguments.file);
  const ResultPaths paths(arguments.output, study.name);
  StudyPlan plan = planned_study(study, arguments.quiet, stop);
  std::vector<host::NamedFile> inputs{{"the study", study.path}};
  for (const std::string& path : plan.inputs) inputs.push_back({"a file that a run reads", path});
  host::refuse_shared_files(
      {{"the rows", paths.rows}, {"the table", paths.table}, {"the repetition", paths.repetition}}, inputs);
  StudyRows rows(paths.rows);
  if (arguments.dry_run) return list_points(plan, rows);
  make_folder(arguments.output);
  rows.begin();
  try {
    run_missing(plan, rows, arguments.quiet, stop);
  } catch (const host::Interrupted&) {
    host::begin_outputs();
    return run::print_last("interrupted after " + host::grouped(done_of(plan, rows)) + " of " +
                               host::counted(plan.points.size(), "point") + "; the same command goes on",
                           host::interrupt_code());
  }
  host::begin_outputs();
  const std::vector<StudyRace> races = races_of(plan.points, rows);
  const int code = finish(study, plan, rows, races, paths, arguments.quiet);
  if (!arguments.plot) return code;
  return report::code_after(code, [&] { draw(races, paths.stem, *arguments.plot, arguments.quiet); });
}

}  // namespace lockstep::cli::study
