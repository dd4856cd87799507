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

namespace lockstep::cli::learn {
namespace {

std::string list() {
  const host::Style style = host::Style::of_output();
  const std::size_t width = host::line_width();
  std::size_t indent = 0;
  for (const Demo& demo : demos()) indent = std::max(indent, demo.name.size() + 4);
  std::string text = style.heading("Demonstrations") + " (lockstep demo NAME)\n\n";
  for (const Demo& demo : demos()) text += host::wrapped("  " + std::string(demo.name), demo.summary, indent, width);
  return text;
}

void refuse_idle_flags(const DemoArguments& arguments) {
  const auto refuse = [](const char* flag, const char* reason) { throw InputError(std::string(flag) + " " + reason); };
  if (arguments.name.empty()) {
    if (arguments.seconds) refuse("--auto", "needs the name of a demonstration");
    if (arguments.html) refuse("--html", "needs the name of a demonstration");
    if (arguments.speaker) refuse("--speaker", "needs the name of a demonstration");
  }
  if (arguments.html && arguments.speaker) refuse("--speaker", "prints notes, and --html writes a page: choose one");
  if (arguments.seconds && (arguments.html || arguments.speaker))
    refuse("--auto", "is for the terminal, not for --html or --speaker");
}

void write_page(const DemoStory& story, const std::string& path) {
  host::OutputFile file(path);
  trace::TracePage page{std::string(story.demo().title)};
  std::string messages;
  trace::RunWords words{{}, story.sections()};
  for (const ShownRun& run : story.runs()) {
    words.name = run.exhibit().title;
    page.add(run.traced(), run.report(), words);
    words.sections.clear();  // once per page
    messages += (messages.empty() ? "" : ", ") + trace::messages_line(run.traced());
  }
  file.prepare([&page](std::ostream& out) { page.write(out); });
  host::begin_outputs();
  host::publish(std::array{&file}, [&] {
    if (path != "-") host::write_output(printable(path) + ": " + messages + "\n");
  });
}

/// verified, unless a finished run differs from its prediction.
host::ExitCode exit_code_of(const DemoStory& story) {
  host::ExitCode code = host::verified;
  for (const ShownRun& shown : story.runs()) {
    run::print_problems(shown.record());
    code = std::max(code, run::exit_code_of(shown.record()));
  }
  return code;
}

}  // namespace

int demo_command(const DemoArguments& arguments, const std::atomic<bool>& stop) {
  refuse_idle_flags(arguments);
  if (arguments.name.empty()) {
    host::begin_outputs();
    host::write_output(list());
    return host::verified;
  }
  const DemoStory story(find_demo(arguments.name), stop);
  if (arguments.html) {
    write_page(story, *arguments.html);
  } else if (arguments.speaker || !host::is_interactive()) {
    host::begin_outputs();
    const host::Style style = host::Style::of_output();
    host::write_output(arguments.speaker ? story.notes(host::line_width(), style)
                                         : told(story, host::line_width(), style));
  } else {
    play(story, arguments.seconds, stop);
  }
  return exit_code_of(story);
}

}  // namespace lockstep::cli::learn
