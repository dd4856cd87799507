#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::cli::flags {

/// A flag or positional argument as help, completion and the manual page show it.
struct ShownOption {
  std::string flag;   ///< "--json"; empty if it is positional
  std::string name;   ///< the longest name, without dashes: "json"
  std::string names;  ///< all: "-h,--help"
  std::string type;   ///< of its value; empty if it takes none
  std::string description;
  /// Gives it a value that no list of choices has: it throws what it throws for such a value.
  std::function<void()> give_no_choice;
};

/// The command or a subcommand.
struct ShownCommand {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<ShownOption> options;
  std::vector<ShownCommand> subcommands;
};

/// The reader of a command's arguments; a call names one subcommand at most.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version,
              const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void add_subcommand(const std::string& name, const std::string& description,
                      const std::function<void(CLI::App&)>& add_options);

  /// Valid as long as this object.
  ShownCommand shown() const;

  /// What the arguments ask for.
  struct Call {
    std::string subcommand;  ///< empty if none is named
    std::string text;        ///< the help or the version; empty if the subcommand is to run
  };
  /// Reads the arguments. Throws what a flag throws for its value, and InputError for an unknown argument, with the
  /// nearest flag or subcommand, for a value that is missing, or for one of a flag that takes none.
  Call read(int argc, const char* const* argv);

 private:
  std::string help() const;

  std::unique_ptr<CLI::App> app_;
};

}  // namespace lockstep::cli::flags
