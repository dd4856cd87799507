#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/output_directory.hpp"
#include "host/output_file.hpp"
#include "run/trace_options.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {

/// Where the forms of a trace go. All of them appear, or none.
class TraceOutputs {
 public:
  /// Throws InputError if a form cannot show the machine, if the limits do not suit it or a flag changes nothing, and
  /// OutputError if a place cannot be written.
  TraceOutputs(const run::TraceArguments& arguments, const run::RunRecord& planned);

  run::TraceRecorder& recorder() { return recorder_; }
  const run::Trace& trace() const { return recorder_.trace(); }

  /// Does what may fail or take time, but is not seen. The record and the trace must be there until publish() is done.
  void prepare(const TracedRun& run);
  /// Shows people the text if it was asked for, and a line for every file, unless standard output is to have none of
  /// that, and `further`; and puts in place what is prepared, the page too if there is one.
  void publish(const TracedRun& run, bool is_shown, host::OutputFile* page, const std::string& further);
  /// Whether one of the forms is all that standard output is to have.
  bool take_standard_output() const;

 private:
  struct Form {
    std::string path;
    void (*write)(const TracedRun& run, std::ostream& out);
    std::unique_ptr<host::OutputFile> file;
  };

  std::string file_lines(const TracedRun& run) const;

  const run::TraceArguments arguments_;
  run::TraceRecorder recorder_;
  std::vector<Form> forms_;
  std::optional<host::OutputDirectory> replay_;
};

}  // namespace lockstep::cli::trace
