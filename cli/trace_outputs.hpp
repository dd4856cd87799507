#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output_directory.hpp"
#include "output_file.hpp"
#include "trace_forms.hpp"
#include "trace_options.hpp"

namespace lockstep::cli {

/// Where the forms of a trace go. All of them appear, or none.
class TraceOutputs {
 public:
  /// Throws InputError if a form cannot show the machine, if the limits do not suit it or a flag changes nothing, and
  /// OutputError if a place cannot be written.
  TraceOutputs(const TraceArguments& arguments, const RunRecord& planned);

  TraceRecorder& recorder() { return recorder_; }
  const Trace& trace() const { return recorder_.trace(); }

  /// Does all that may fail, but is not seen.
  void prepare(const TracedRun& run);
  /// Puts what is prepared in place.
  void publish();
  /// Whether one of the forms is all that standard output is to have.
  bool take_standard_output() const;
  /// For people: the text if it was asked for, and a line for every file.
  std::string human_text(const TracedRun& run) const;

 private:
  struct Form {
    std::string path;
    std::string (*text)(const TracedRun& run);
    std::unique_ptr<OutputFile> file;
  };

  const TraceArguments arguments_;
  TraceRecorder recorder_;
  std::vector<Form> forms_;
  std::optional<OutputDirectory> replay_;
};

}  // namespace lockstep::cli
