#pragma once

#include <optional>
#include <string>
#include <vector>

#include "best.hpp"

namespace lockstep::cli::compare {

/// The format of a library's selection file.
enum class SelectionFormat { openmpi_json, openmpi_text, mpich_json, nccl_csv };

/// "openmpi-json".
std::string_view name(SelectionFormat format);

/// The value of --write.
struct SelectionPlace {
  SelectionFormat format;
  std::string path;  ///< or "-"
};

/// The library's algorithm for a range of message sizes in bytes.
struct SelectionRule {
  std::uint64_t first_byte = 0;
  std::uint64_t last_byte = 0;
  std::string method;               ///< of the catalogue
  std::uint64_t segment_bytes = 0;  ///< of a pipeline; 0: messages go whole
  std::uint64_t radix = 0;          ///< of a tree or of digits; 0 where there is no choice
};

/// A selection file before it is written.
struct Selection {
  SelectionFormat format;
  std::string operation;
  std::uint64_t ranks = 0;
  std::vector<SelectionRule> rules;   ///< without a gap
  std::vector<std::string> left_out;  ///< methods that the library lacks

  /// The whole file.
  std::string text() const;
  /// "Open MPI has no id for allreduce/swing"; empty if nothing was left out.
  std::string note() const;
};

/// Throws InputError unless a file can be written: --words must be varied, under --ports one, for an operation whose
/// algorithm the library chooses by message size.
void refuse_selection(SelectionFormat format, const SweepArguments& arguments);

/// The ranges among the library's methods, while `best` is among all methods. Throws InputError if the library has none
/// of those.
Selection selection(SelectionFormat format, const Best& best);

}  // namespace lockstep::cli::compare
