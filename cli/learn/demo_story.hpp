#pragma once

#include <deque>
#include <string>
#include <vector>

#include "demo_run.hpp"
#include "host/terminal.hpp"
#include "texts/topic.hpp"

namespace lockstep::cli::learn {

/// A demonstration after its runs, as a sequence of screens: one before the run, one per step, one for the end.
class DemoStory {
 public:
  /// Runs the exhibits. Throws what ShownRun does.
  DemoStory(const Demo& demo, const std::atomic<bool>& stop);

  const Demo& demo() const { return demo_; }
  const std::deque<ShownRun>& runs() const { return runs_; }
  std::size_t steps() const { return cycles_.size(); }
  std::size_t screens() const { return steps() + 2; }

  /// No line is longer than the width unless a single word is.
  std::string screen(std::size_t number, std::size_t width, const host::Style& style) const;

  /// The lecturer's notes for each step, with the commands that show the exhibits, and the answer.
  std::string notes(std::size_t width, const host::Style& style) const;

  /// The page's texts of the demonstration.
  std::vector<texts::Section> sections() const;

 private:
  std::string heading(std::size_t number, std::size_t width, const host::Style& style) const;
  std::string begin(std::size_t width, const host::Style& style) const;
  std::string step(std::size_t number, std::size_t width, const host::Style& style) const;
  std::string end(std::size_t width, const host::Style& style) const;
  /// The text of the step; empty if the line of the pseudo code suffices.
  std::string sentence(std::size_t step) const;
  std::string step_name(std::size_t step) const;

  const Demo& demo_;
  std::deque<ShownRun> runs_;
  std::vector<Cycle> cycles_;  // in which any exhibit moves something
  std::string finale_;
};

/// The command that shows the exhibit alone; empty for a program.
std::string command_of(const Exhibit& exhibit);

}  // namespace lockstep::cli::learn
