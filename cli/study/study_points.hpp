#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "study_file.hpp"

namespace lockstep::cli::study {

/// One run of a study.
struct StudyPoint {
  std::string experiment;          ///< its name
  std::vector<std::string> words;  ///< the arguments of `run`, in the order of its help
  std::string key;                 ///< the same in one text, which identifies the run whatever the order in the file

  /// The experiment and the key.
  std::string identity() const { return experiment + "\n" + key; }
};

/// A point that cannot run, and why.
struct LeftOutPoint {
  StudyPoint point;
  std::string reason;
};

/// The runs of a study.
struct StudyPlan {
  std::vector<StudyPoint> points;
  std::vector<LeftOutPoint> left_out;
  std::vector<std::string> inputs;  ///< the files that the runs read, each once
};

/// The text of the arguments as on a command line.
std::string key_of(const std::vector<std::string>& words);

/// Told which part of the points is planned; may throw.
using PlanningHearer = std::function<void(double part)>;

/// All points in the order of the experiments, machines, levels and methods, each planned but not run. As in a
/// comparison, a method takes part in the families that it is for; a parameter that only tunes methods applies to those
/// that have it. Throws InputError if a method does not exist, nothing of an experiment can run, or there are more than
/// a million points.
StudyPlan plan_study(const Study& study, const PlanningHearer& hear);

}  // namespace lockstep::cli::study
