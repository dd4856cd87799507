#include "study_verify.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/json_value.hpp"
#include "host/output_file.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_file.hpp"
#include "run/failure.hpp"
#include "study_progress.hpp"
#include "study_results.hpp"

namespace lockstep::cli::study {
namespace {

/// A point of the file, and what its run must give.
struct RepeatedPoint {
  StudyPoint point;
  Json expected;
};

/// The content of such a file.
struct Repetition {
  std::string version;
  Json inputs;
  std::vector<RepeatedPoint> points;
};

Repetition repetition_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  std::error_code ignored;
  if (file && !std::filesystem::is_directory(path, ignored)) text << file.rdbuf();
  if (text.str().empty()) {
    throw InputError("cannot read " + lockstep::quoted(path) +
                     ": a study writes it when all points are done (without --verify)");
  }
  const auto refuse = [&] { throw InputError(printable(path) + " is not a file NAME.repeat.json of a study"); };
  if (json_depth(text.str()) > most_json_depth) refuse();
  const Json json = host::json_in(text.str());
  Repetition repetition;
  try {
    repetition.version = json.at("lockstep");
    repetition.inputs = json.at("inputs");
    for (const Json& entry : json.at("points")) {
      StudyPoint point{.experiment = entry.at("experiment"), .words = entry.at("flags"), .key = {}};
      point.key = key_of(point.words);
      repetition.points.push_back({std::move(point), entry.at("expected")});
    }
    if (!repetition.inputs.is_object()) refuse();
  } catch (const Json::exception&) {
    refuse();
  }
  return repetition;
}

std::string value_text(const Json& value) {
  return value.is_null() ? "missing" : printable(value.is_string() ? value.get<std::string>() : value.dump());
}

/// "digest is 12.., not 34..; steps is 3, not 4"; empty if all is as expected.
std::string differences(const Json& expected, const Json& found) {
  std::string text;
  const auto add = [&](const std::string& name, const Json& before, const Json& now) {
    text += (text.empty() ? "" : "; ") + printable(name) + " is " + value_text(now) + ", not " + value_text(before);
  };
  for (const auto& [name, value] : expected.items()) {
    const Json now = found.value(name, Json());
    if (now != value) add(name, value, now);
  }
  for (const auto& [name, value] : found.items()) {
    if (!expected.contains(name)) add(name, Json(), value);
  }
  return text;
}

/// The differences of a point's run now.
std::string repeat(const RepeatedPoint& repeated, const std::atomic<bool>& stop) {
  try {
    const PointResult result = run_point(repeated.point, stop);
    return result.row ? differences(repeated.expected, expected_of(*result.row)) : "cannot run: " + result.reason;
  } catch (const InputError& error) {
    return std::string("cannot run: ") + error.what();
  }
}

/// Files that are no longer what they were: a line each.
std::string changed_inputs(const Json& inputs) {
  std::string text;
  for (const auto& [path, digest] : inputs.items()) {
    if (digests_of_inputs({path}).at(path) != digest) text += printable(path) + " is not the file that it was\n";
  }
  return text;
}

}  // namespace

int verify_study(const std::string& path, bool is_quiet, const std::atomic<bool>& stop) {
  const Repetition repetition = repetition_in(path);
  std::string text = changed_inputs(repetition.inputs);
  std::size_t done = 0;
  std::size_t different = 0;
  {
    StudyProgress progress(repetition.points.size(), is_quiet);
    for (const RepeatedPoint& repeated : repetition.points) {
      if (stop) throw host::Interrupted();
      const std::string difference = repeat(repeated, stop);
      if (!difference.empty()) {
        ++different;
        text += printable(repeated.point.experiment) + ", " + printable(repeated.point.key) + ": " + difference + "\n";
      }
      progress.show(++done);
    }
  }
  host::begin_outputs();
  text += host::counted(done, "point") + " of lockstep " + printable(repetition.version) + " repeated by lockstep " +
          std::string(host::version) + ": " +
          (different == 0 ? "all digests, counts and modelled times are equal"
                          : host::counted(different, "run") + " differ") +
          "\n";
  if (!is_quiet) host::write_output(text);
  if (different == 0) return host::verified;
  return run::print_last(
      host::counted(different, "run") + " of " + host::grouped(done) + " differ from " + printable(path),
      host::run_failed);
}

}  // namespace lockstep::cli::study
