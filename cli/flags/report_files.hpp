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

/// A report's forms, each made on demand.
struct ReportForms {
  std::function<std::string()> markdown;
  std::function<std::string()> csv;
  std::function<std::string()> json;
};

/// The files of a report.
class ReportFiles {
 public:
  /// Throws InputError if two of them are one file (or one is also an input or one of the others), and OutputError if
  /// one cannot be written.
  ReportFiles(const ReportPlaces& places, const std::vector<host::NamedFile>& inputs,
              std::vector<host::NamedFile> others = {});

  /// Writes all of them and the other output, or none; and `text` to standard output unless it is quiet or one of them
  /// goes there.
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
