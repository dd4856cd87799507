#include "demo_story.hpp"

#include <algorithm>
#include <set>

#include "demo_exhibit.hpp"

namespace lockstep::cli::learn {
namespace {

/// Longer lines of prose are hard to read.
constexpr std::size_t widest_prose = 100;

std::string prose(std::string_view text, std::size_t width) {
  return host::wrapped("", text, 0, std::min(width, widest_prose));
}

}  // namespace

std::string command_of(const Exhibit& exhibit) {
  std::string text;
  for (const std::string& argument : exhibit.arguments) text += " " + argument;
  return text.empty() ? "" : "lockstep trace" + text;
}

DemoStory::DemoStory(const Demo& demo, const std::atomic<bool>& stop) : demo_(demo) {
  std::set<Cycle> cycles;
  for (const Exhibit& exhibit : demo.exhibits) {
    const ShownRun& run = runs_.emplace_back(exhibit, stop);
    for (const run::TracedCycle& cycle : run.trace().cycles()) cycles.insert(cycle.cycle);
  }
  cycles_.assign(cycles.begin(), cycles.end());
  if (demo.finale != nullptr) finale_ = demo.finale(stop);
}

std::string DemoStory::step_name(std::size_t step) const {
  return "step " + std::to_string(step) + " of " + std::to_string(steps()) + ", cycle " +
         std::to_string(cycles_[step - 1]);
}

std::string DemoStory::sentence(std::size_t step) const {
  std::string text;
  for (const auto& [at, said] : demo_.sentences) {
    if (at == step) text += (text.empty() ? "" : " ") + std::string(said);
  }
  return text;
}

std::string DemoStory::heading(std::size_t number, std::size_t width, const host::Style& style) const {
  const std::string place = number == 0 ? "before the run" : number > steps() ? "after the run" : step_name(number);
  const std::string title(demo_.title);
  const std::size_t inner = std::min(width, widest_prose);
  if (host::columns(title) + 2 + host::columns(place) > inner)
    return host::wrapped("", style.heading(title), 0, width) + place + "\n";
  return style.heading(title) + host::right(place, inner - host::columns(title)) + "\n";
}

std::string DemoStory::screen(std::size_t number, std::size_t width, const host::Style& style) const {
  return heading(number, width, style) + "\n" +
         (number == 0        ? begin(width, style)
          : number > steps() ? end(width, style)
                             : step(number, width, style));
}

std::string DemoStory::begin(std::size_t width, const host::Style& style) const {
  std::vector<Lines> blocks;
  for (const ShownRun& run : runs_) blocks.push_back(before_the_run(run, block_width(runs_.size(), width), style));
  return prose(demo_.introduction, width) + "\n" + side_by_side(blocks, width);
}

std::string DemoStory::step(std::size_t number, std::size_t width, const host::Style& style) const {
  std::vector<Lines> blocks;
  for (const ShownRun& run : runs_) {
    blocks.push_back(in_cycle(run, cycles_[number - 1], block_width(runs_.size(), width), style));
  }
  // Above the pictures, which may not fit on one screen.
  const std::string said = sentence(number);
  return (said.empty() ? "" : prose(said, width) + "\n") + side_by_side(blocks, width);
}

std::string DemoStory::end(std::size_t width, const host::Style& style) const {
  std::vector<Lines> blocks;
  for (const ShownRun& run : runs_) blocks.push_back(after_the_run(run, block_width(runs_.size(), width), style));
  std::string text = side_by_side(blocks, width) + "\n";
  if (!finale_.empty()) text += finale_ + "\n";
  return text + prose(demo_.ending, width) + "\n" + style.heading("To think about") + "\n" +
         prose(demo_.question, width);
}

std::string DemoStory::notes(std::size_t width, const host::Style& style) const {
  std::string text = style.heading(std::string(demo_.title)) + ": notes for the lecturer\n\n";
  for (const std::string& note : demo_.notes) text += host::wrapped("*", note, 2, std::min(width, widest_prose));
  text += "\n" + style.heading("To show it") + "\n" +
          host::wrapped("", "lockstep demo " + std::string(demo_.name), 2, width);
  for (const ShownRun& run : runs_) {
    const std::string command = command_of(run.exhibit());
    if (!command.empty()) text += host::wrapped("", command, 2, width);
  }
  text += "\n" + style.heading("before the run") + "\n" + prose(demo_.introduction, width);
  for (std::size_t number = 1; number <= steps(); ++number) {
    const std::string said = sentence(number);
    text += "\n" + style.heading(step_name(number)) + "\n" +
            (said.empty() ? prose("The line of the pseudo code shows what happens.", width) : prose(said, width));
  }
  return text + "\n" + style.heading("after the run") + "\n" + (finale_.empty() ? "" : finale_ + "\n") +
         prose(demo_.ending, width) + "\n" + style.heading("To think about") + "\n" + prose(demo_.question, width) +
         "\n" + style.heading("Answer") + "\n" + prose(demo_.answer, width);
}

std::vector<texts::Section> DemoStory::sections() const {
  std::vector<texts::Section> sections{{"this demonstration", std::string(demo_.introduction)}};
  for (std::size_t number = 1; number <= steps(); ++number) {
    const std::string said = sentence(number);
    if (!said.empty()) sections.push_back({step_name(number), said});
  }
  if (!finale_.empty()) sections.push_back({"in numbers", finale_});
  sections.push_back({"what the counts show", std::string(demo_.ending)});
  sections.push_back({"to think about", std::string(demo_.question)});
  return sections;
}

}  // namespace lockstep::cli::learn
