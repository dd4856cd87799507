#pragma once

#include <string>
#include <vector>

#include "flags/command_line.hpp"

namespace lockstep::cli::shell {

/// A file from which `./dev docs` makes the reference: a page in Doxygen's Markdown ("terms.md"), or a machine as a
/// graph for neato ("machine-torus.dot").
struct ReferenceFile {
  std::string name;
  std::string text;
};

/// The reference pages: one for each subcommand, operation, method and machine family, and one each for parameters,
/// terms, errors and presets. The page machine-torus has the label machine-torus, and shows machine-torus.svg where the
/// family has links.
std::vector<ReferenceFile> reference_files(const flags::ShownCommand& command);

}  // namespace lockstep::cli::shell
