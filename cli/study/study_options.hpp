#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace lockstep::cli::study {

/// The arguments of `lockstep study`, each flag checked by itself.
struct StudyArguments {
  std::string file;                   ///< empty if none is given
  std::optional<std::string> preset;  ///< of --new
  std::string output;                 ///< the folder of the results; empty: the current one
  std::optional<std::string> plot;    ///< the ending of the pictures' names, with the dot
  bool dry_run = false;
  bool verify = false;
  bool quiet = false;
};

/// Adds the flags of `lockstep study` and its help text. The arguments must outlive the app.
void add_study_options(CLI::App& app, StudyArguments& arguments);

}  // namespace lockstep::cli::study
