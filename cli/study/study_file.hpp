#pragma once

#include <string>
#include <vector>

#include "run/run_options.hpp"

namespace lockstep::cli::study {

/// A flag of `run` and what it is given in turn.
struct StudyFactor {
  std::string name;                              ///< of the flag, without dashes
  std::size_t order = 0;                         ///< of the flag in the help of `run`
  std::vector<std::vector<std::string>> levels;  ///< arguments of `run`: {"--words=4"}; none where it is not given
};

/// Methods of an operation on some machines, at all combinations of levels.
struct Experiment {
  std::string name;
  std::string place;  ///< "study.toml, line 3", in messages
  std::string operation;
  std::vector<std::string> methods;  ///< names and patterns; none: all
  std::vector<std::string> machines;
  std::vector<StudyFactor> factors;  ///< the last varies fastest
};

/// A study file, checked value by value; docs/studies.md says what may be in it.
struct Study {
  std::string path;
  std::string name;   ///< of the file, without folder and extension
  std::string text;   ///< of the whole file
  std::string title;  ///< empty if it has none
  std::vector<Experiment> experiments;
};

/// Reads a study from TOML, or from JSON if the file's name ends in .json. Throws InputError, "study.toml, line 3: ..",
/// for a file that cannot be read, unknown names with the nearest one, and invalid values.
Study read_study(const std::string& path);

/// The arguments of `run` that these words are. Throws InputError or MachineSpecError.
run::RunArguments arguments_of(const std::vector<std::string>& words);

}  // namespace lockstep::cli::study
