#pragma once

namespace lockstep::cli::host {

/// A terminal on standard input and output that gives every key at once and shows none, with a screen of its own in
/// place of what it showed before. It becomes what it was when the object goes, or when the program ends by
/// restore_terminal(). Interrupts come as they do else.
class RawTerminal {
 public:
  RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal();
};

/// Whether standard input and output are terminals that can do that.
bool is_interactive();

/// Makes a terminal what it was; nothing if it is that. A signal handler may call it.
void restore_terminal();

}  // namespace lockstep::cli::host
