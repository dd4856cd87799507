#pragma once

#include <string>
#include <vector>

// Errors and open questions of the papers, and what holds instead. The files of errata/ are their only list: the
// command shows it, docs/algorithms is written from it, and a test runs every command in it.
namespace lockstep::cli::texts {

/// A command that shows what holds.
struct Demonstration {
  std::string command;  ///< without the program's name
  std::string shows;    ///< a part of its output, with one space for any white space
  int exit_code = 0;
};

struct Erratum {
  std::string number;  ///< "J23"
  std::string place;   ///< in the paper
  std::string printed;
  std::string holds;
  std::vector<Demonstration> demonstrations;  ///< empty where no command can show it
};

struct PaperErrata {
  std::string paper;  ///< "johnsson-ho", the name of the file and of the page in docs/algorithms
  std::string title;
  std::vector<Erratum> errata;
  std::string open;  ///< unsettled questions; empty if there are none
};

/// The errata of all papers, in the order of their names.
const std::vector<PaperErrata>& all_errata();

}  // namespace lockstep::cli::texts
