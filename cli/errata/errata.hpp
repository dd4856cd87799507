#pragma once

#include <array>
#include <string_view>
#include <vector>

// What the papers have wrong or leave open, and what holds instead: the one list of it that there is. The command shows
// it, docs/algorithms is written from it, and every command in it is run by a test.
namespace lockstep::cli {

/// A command that shows what holds.
struct Demonstration {
  std::string_view command;  ///< without the program's name
  std::string_view shows;    ///< what stands in its output, if one space is written for any white space there
  int exit_code = 0;
};

struct Erratum {
  std::string_view number;  ///< "J23"
  std::string_view place;   ///< in the paper
  std::string_view printed;
  std::string_view holds;
  std::vector<Demonstration> demonstrations;  ///< empty where no command can show it
};

struct PaperErrata {
  std::string_view paper;  ///< "johnsson-ho", as the page of docs/algorithms is called
  std::string_view title;
  std::vector<Erratum> errata;
  std::string_view open;  ///< what is not settled; empty if nothing is
};

PaperErrata dimakopoulos_errata();
PaperErrata johnsson_ho_errata();
PaperErrata mukherjee_errata();
PaperErrata saad_schultz_1985_errata();
PaperErrata saad_schultz_1988_errata();

/// Of all papers, in the order of their names.
inline std::array<PaperErrata, 5> all_errata() {
  return {dimakopoulos_errata(), johnsson_ho_errata(), mukherjee_errata(), saad_schultz_1985_errata(),
          saad_schultz_1988_errata()};
}

}  // namespace lockstep::cli
