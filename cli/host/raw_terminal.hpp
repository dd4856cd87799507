#pragma once

namespace lockstep::cli::host {

/// A terminal on standard input and output that delivers every key at once without echo, on the alternate screen. It is
/// restored when the object goes, or by restore_terminal() when the program ends. Interrupts work as usual.
class RawTerminal {
 public:
  RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal();
};

/// Whether standard input and output are terminals that can do that.
bool is_interactive();

/// Restores the terminal if it was changed. A signal handler may call it.
void restore_terminal();

}  // namespace lockstep::cli::host
