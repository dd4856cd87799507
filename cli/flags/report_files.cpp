#include "report_files.hpp"

#include <algorithm>

#include "value_option.hpp"

namespace lockstep::cli::flags {

void add_report_options(CLI::App& app, ReportPlaces& places) {
  const char* const output = "Output";
  add_value_option(app, "--markdown", "FILE|-", "write the tables as Markdown", [&places](const std::string& text) {
    places.markdown = text;
  }).group(output);
  add_value_option(app, "--csv", "FILE|-", "write one table of all rows with every field",
                   [&places](const std::string& text) { places.csv = text; })
      .group(output);
  add_json_option(app, "write JSON to FILE, or with - or no FILE as the only text on standard output",
                  [&places](const std::string& text) { places.json = text; })
      .group(output);
}

ReportFiles::ReportFiles(const ReportPlaces& places, const std::vector<host::NamedFile>& inputs,
                         std::vector<host::NamedFile> others) {
  const auto name = [&](const std::string& flag, const std::optional<std::string>& path,
                        std::function<std::string()> ReportForms::*form) {
    if (!path) return;
    others.push_back({flag, *path});
    files_.push_back({*path, form, nullptr});
  };
  name("--markdown", places.markdown, &ReportForms::markdown);
  name("--csv", places.csv, &ReportForms::csv);
  name("--json", places.json, &ReportForms::json);
  host::refuse_shared_files(others, inputs);
  for (File& file : files_) file.output = std::make_unique<host::OutputFile>(file.path);
}

void ReportFiles::write(const ReportForms& forms, const std::function<std::string()>& text, bool is_quiet,
                        host::OutputFile* other) {
  std::vector<host::OutputFile*> outputs;
  bool is_shown = !is_quiet && (other == nullptr || !other->is_standard_output());
  for (const File& file : files_) {
    file.output->prepare((forms.*file.form)());
    if (file.output->is_standard_output()) is_shown = false;
    outputs.push_back(file.output.get());
  }
  outputs.push_back(other);
  host::publish(outputs, [&] {
    if (is_shown) host::write_output(text());
  });
}

}  // namespace lockstep::cli::flags
