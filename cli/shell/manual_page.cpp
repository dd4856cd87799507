#include "manual_page.hpp"

#include "host/version.hpp"

namespace lockstep::cli::shell {
namespace {

constexpr const char* exit_codes = R"(.SH EXIT STATUS
.TP
.B 0
verified: all data and all counts are right
.TP
.B 1
the run failed: a rule broken, a deadlock, wrong data, a count or a modelled time that differs from an exact prediction
.TP
.B 2
bad input, or an output that cannot be written; one line says what is wrong and what is allowed
.TP
.B 3
an internal error
.TP
.BR 129 ", " 130 ", " 143
interrupted by SIGHUP, SIGINT, SIGTERM
.SH ENVIRONMENT
.TP
.B NO_COLOR
if set and not empty: no colours
.TP
.B COLUMNS
width of a terminal, to which lines are fitted
)";

/// Text in the language of man: no line is read as a request, and a dash is one that can be copied and typed.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    const bool starts_line = result.empty() || result.back() == '\n';
    if (starts_line && (letter == '.' || letter == '\'')) result += "\\&";
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      result += letter;
    }
  }
  return result;
}

std::string options_of(const flags::ShownCommand& command) {
  std::string text;
  for (const flags::ShownOption& option : command.options) {
    text += ".TP\n\\fB" + escaped(option.names) + "\\fR";
    text += (option.type.empty() ? "" : " \\fI" + escaped(option.type) + "\\fR") + "\n" + escaped(option.description) +
            "\n";
  }
  return text;
}

/// The text with its line breaks kept.
std::string as_it_is(const std::string& text) { return text.empty() ? "" : ".PP\n.nf\n" + escaped(text) + "\n.fi\n"; }

}  // namespace

std::string manual_page(const flags::ShownCommand& command) {
  std::string text = ".TH LOCKSTEP 1 \"\" \"lockstep " + std::string(host::version) + "\"\n.SH NAME\n" + command.name +
                     " \\- emulate message\\-passing machines and run algorithms on them\n.SH SYNOPSIS\n.B " +
                     command.name + "\n.I COMMAND\n.RI [ ARGUMENT ...]\n.SH DESCRIPTION\n" +
                     escaped(command.description) + "\n" + options_of(command) + as_it_is(command.footer) +
                     ".SH COMMANDS\n";
  for (const flags::ShownCommand& each : command.subcommands) {
    text += ".SS " + command.name + " " + each.name + "\n" + escaped(each.description) + ".\n" + options_of(each) +
            as_it_is(each.footer);
  }
  return text + exit_codes;
}

}  // namespace lockstep::cli::shell
