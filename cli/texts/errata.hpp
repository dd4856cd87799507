#pragma once

#include <string>
#include <vector>

// What the papers have wrong or leave open, and what holds instead: the files of errata/ are the one list of it that
// there is. The command shows it, docs/algorithms is written from it, and every command in it is run by a test.
namespace lockstep::cli::texts {

/// A command that shows what holds.
struct Demonstration {
  std::string command;  ///< without the program's name
  std::string shows;    ///< what stands in its output, if one space is written for any white space there
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
  std::string paper;  ///< "johnsson-ho", as the page of docs/algorithms and the file are called
  std::string title;
  std::vector<Erratum> errata;
  std::string open;  ///< what is not settled; empty if nothing is
};

/// Of all papers, in the order of their names.
const std::vector<PaperErrata>& all_errata();

}  // namespace lockstep::cli::texts
