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

/// The files of a trace's forms. All of them appear, or none.
class TraceOutputs {
 public:
  /// Throws InputError if a form cannot show the machine, the limits do not fit it or a flag has no effect, and
  /// OutputError if a file cannot be written.
  TraceOutputs(const run::TraceArguments& arguments, const run::RunRecord& planned);

  run::TraceRecorder& recorder() { return recorder_; }
  const run::Trace& trace() const { return recorder_.trace(); }

  /// Does what may fail or take time; nothing is visible yet. The record and the trace must live until publish()
  /// returns.
  void prepare(const TracedRun& run);
  /// If `is_shown`, writes the text (if requested), a line for every file, and `further` to standard output; then puts
  /// the prepared files in place, and the page if there is one.
  void publish(const TracedRun& run, bool is_shown, host::OutputFile* page, const std::string& further);
  /// Whether one of the forms goes to standard output, which then carries nothing else.
  bool takes_standard_output() const;

 private:
  struct TraceForm {
    std::string path;
    void (*write)(const TracedRun& run, std::ostream& out);
    std::unique_ptr<host::OutputFile> file;
  };

  std::string file_lines(const TracedRun& run) const;

  const run::TraceArguments arguments_;
  run::TraceRecorder recorder_;
  std::vector<TraceForm> forms_;
  std::optional<host::OutputDirectory> replay_;
};

}  // namespace lockstep::cli::trace
