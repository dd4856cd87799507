#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host/gzip.hpp"
#include "texts/topic.hpp"
#include "trace_forms.hpp"

namespace lockstep::cli::trace {

/// Texts of a run beyond those of its method.
struct RunWords {
  std::string name{};  ///< "one port", to distinguish it from other runs
  std::vector<texts::Section> sections{};
};

/// The page of `lockstep trace --html`: an HTML document that shows one run, or several side by side, and needs nothing
/// else. Its data is a JSON document (docs/json.md, Pages), which is compressed as it is made.
class TracePage {
 public:
  explicit TracePage(const std::string& title);

  /// Adds a run, with json_report() or json_failure() of it.
  void add(const TracedRun& run, const nlohmann::ordered_json& report, const RunWords& words = {});

  /// Writes the document, once; no run can be added afterwards.
  void write(std::ostream& out);

 private:
  const std::string title_;
  bool is_empty_ = true;
  host::Gzip data_;
};

}  // namespace lockstep::cli::trace
