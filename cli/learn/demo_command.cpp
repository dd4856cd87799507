#include "demo_command.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "demo_player.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/number_text.hpp"
#include "host/output_file.hpp"
#include "host/raw_terminal.hpp"
#include "lockstep/core/printable.hpp"
#include "run/failure.hpp"
#include "trace/trace_page.hpp"

namespace lockstep::cli {
namespace {

std::string list() {
  const Style style = Style::of_output();
  const std::size_t width = line_width();
  std::size_t indent = 0;
  for (const Demo& demo : demos()) indent = std::max(indent, demo.name.size() + 4);
  std::string text = style.heading("Demonstrations") + " (lockstep demo NAME)\n\n";
  for (const Demo& demo : demos()) text += wrapped("  " + std::string(demo.name), demo.summary, indent, width);
  return text;
}

void refuse_idle_flags(const DemoArguments& arguments) {
  const auto refuse = [](const char* flag, const char* reason) { throw InputError(std::string(flag) + " " + reason); };
  if (arguments.name.empty()) {
    if (arguments.seconds) refuse("--auto", "is for one demonstration, and none is named");
    if (arguments.html) refuse("--html", "is for one demonstration, and none is named");
    if (arguments.speaker) refuse("--speaker", "is for one demonstration, and none is named");
  }
  if (arguments.html && arguments.speaker) refuse("--speaker", "prints notes, and --html writes a page: choose one");
  if (arguments.seconds && (arguments.html || arguments.speaker))
    refuse("--auto", "is for the terminal, not for --html or --speaker");
}

void write_page(const DemoStory& story, const std::string& path) {
  OutputFile file(path);
  TracePage page{std::string(story.demo().title)};
  std::string messages;
  RunWords words{{}, story.sections()};
  for (const ShownRun& run : story.runs()) {
    words.name = run.exhibit().title;
    page.add(run.traced(), run.report(), words);
    words.sections.clear();  // they are said once
    messages += (messages.empty() ? "" : ", ") + messages_line(run.traced());
  }
  file.prepare([&page](std::ostream& out) { page.write(out); });
  begin_outputs();
  publish(std::array{&file}, [&] {
    if (path != "-") write_output(printable(path) + ": " + messages + "\n");
  });
}

/// verified, unless a run that came to its end is not as predicted.
int judge(const DemoStory& story) {
  ExitCode code = verified;
  for (const ShownRun& run : story.runs()) {
    print_problems(run.record());
    if (!run.record().problems.empty()) code = run_failed;
  }
  return code;
}

}  // namespace

int demo_command(const DemoArguments& arguments, const std::atomic<bool>& stop) {
  refuse_idle_flags(arguments);
  if (arguments.name.empty()) {
    begin_outputs();
    write_output(list());
    return verified;
  }
  const DemoStory story(find_demo(arguments.name), stop);
  if (arguments.html) {
    write_page(story, *arguments.html);
  } else if (arguments.speaker || !is_interactive()) {
    begin_outputs();
    const Style style = Style::of_output();
    write_output(arguments.speaker ? story.notes(line_width(), style) : told(story, line_width(), style));
  } else {
    play(story, arguments.seconds, stop);
  }
  return judge(story);
}

}  // namespace lockstep::cli
