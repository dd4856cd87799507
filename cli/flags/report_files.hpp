#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/file_names.hpp"
#include "host/output_file.hpp"

namespace CLI {
class App;
}

namespace lockstep::cli::flags {

/// Where the forms of a report go: each a file, or "-".
struct ReportPlaces {
  std::optional<std::string> markdown;
  std::optional<std::string> csv;
  std::optional<std::string> json;
};

/// Adds --markdown, --csv and --json.
void add_report_options(CLI::App& app, ReportPlaces& places);

/// A report's forms, each made when it is asked for.
struct ReportForms {
  std::function<std::string()> markdown;
  std::function<std::string()> csv;
  std::function<std::string()> json;
};

/// The files of a report.
class ReportFiles {
 public:
  /// Throws InputError if two lead to one place (or to one of the others, or to an input), and OutputError if one
  /// cannot be written.
  ReportFiles(const ReportPlaces& places, const std::vector<host::NamedFile>& inputs,
              std::vector<host::NamedFile> others = {});

  /// Writes all of them and what was prepared of another output, or none; and `text` to standard output, if people are
  /// to see it there and none of them takes that.
  void write(const ReportForms& forms, const std::function<std::string()>& text, bool is_quiet,
             host::OutputFile* other = nullptr);

 private:
  struct File {
    std::string path;
    std::function<std::string()> ReportForms::*form;
    std::unique_ptr<host::OutputFile> output;
  };

  std::vector<File> files_;
};

}  // namespace lockstep::cli::flags
