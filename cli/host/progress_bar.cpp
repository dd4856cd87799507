#include "progress_bar.hpp"

#include <algorithm>

#include "number_text.hpp"

namespace lockstep::cli::host {

void ProgressBar::announce() { status_.show(label_); }

void ProgressBar::show(const Progress& progress) {
  if (!status_.is_due()) return;
  std::string line = label_ + "  ";
  if (steps_ && *steps_ > 0) {
    line += progress_bar(std::min(1.0, static_cast<double>(progress.steps) / static_cast<double>(*steps_)));
  }
  status_.show(line + "cycle " + grouped(progress.cycle) + ", " + counted(progress.messages, "message"));
}

}  // namespace lockstep::cli::host
