#include "completion.hpp"

#include <algorithm>
#include <sstream>

#include "flags/setting_flags.hpp"
#include "flags/value_option.hpp"
#include "host/exit_code.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "learn/demo.hpp"
#include "lockstep/algorithms/choice_error.hpp"
#include "lockstep/machines/cost_presets.hpp"
#include "lockstep/machines/machine_family.hpp"
#include "report/quantity.hpp"
#include "reproduce/reproduction.hpp"
#include "texts/errata.hpp"
#include "texts/topic.hpp"

namespace lockstep::cli::shell {
namespace {

// Bash also splits words at ":" and "=": the line is split again at spaces, and what precedes bash's own word is cut
// from each completion.
constexpr const char* bash_script = R"script(# Completion of lockstep for bash.
_lockstep() {
  local line=${COMP_LINE:0:COMP_POINT} own=${COMP_WORDS[COMP_CWORD]} words found before
  read -ra words <<<"$line"
  [[ $line == *' ' ]] && words+=('')
  [[ $own == [:=] ]] && own=
  before=${words[-1]%"$own"}
  COMPREPLY=()
  while IFS=$'\t' read -r found _; do
    COMPREPLY+=("${found#"$before"}")
    [[ $found == *[:=] ]] && compopt -o nospace 2>/dev/null
  done < <("${words[0]}" completion words "${words[@]:1}" 2>/dev/null)
  return 0
}
complete -o default -F _lockstep lockstep
)script";

constexpr const char* zsh_script = R"script(#compdef lockstep
# Completion of lockstep for zsh.
_lockstep() {
  local line word meaning tab=$'\t'
  local -a plain open lines
  lines=(${(f)"$(${words[1]} completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  for line in $lines; do
    word=${line%%$tab*} meaning=${line#*$tab}
    if [[ $word == *[:=] ]]; then
      open+=($word)
    else
      plain+=(${word//:/\\:}${meaning:+:$meaning})
    fi
  done
  if (( ! $#lines )); then
    _files
    return
  fi
  (( $#open )) && compadd -S '' -a open
  (( $#plain )) && _describe lockstep plain
}
if [[ $funcstack[1] == _lockstep ]]; then
  _lockstep "$@"
else
  compdef _lockstep lockstep
fi
)script";

constexpr const char* fish_script = R"script(# Completion of lockstep for fish.
function __lockstep_completions
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] completion words $words[2..] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c lockstep -f -a '(__lockstep_completions)'
)script";

/// A completion and its meaning.
struct CompletionWord {
  std::string word;
  std::string meaning;
};
using CompletionWords = std::vector<CompletionWord>;

/// The command line before the word that is being completed.
struct Line {
  const flags::ShownCommand& command;
  std::vector<std::string> before;  ///< after the subcommand

  /// The value that was given to a flag; empty if there is none.
  std::string value_of(std::string_view flag) const {
    for (std::size_t index = 0; index < before.size(); ++index) {
      if (before[index] == flag && index + 1 < before.size()) return before[index + 1];
      if (before[index].starts_with(std::string(flag) + "=")) return before[index].substr(flag.size() + 1);
    }
    return {};
  }
};

bool is_positional(const flags::ShownOption& option) { return option.flag.empty(); }

/// The machine that the line names; empty if it names none, or none that exists.
std::optional<MachineSpec> machine_of(const Line& line) {
  try {
    return parse_machine(line.value_of("--machine"));
  } catch (const std::invalid_argument&) {
    return {};
  }
}

CompletionWords machines() {
  CompletionWords found;
  for (const MachineFamily& family : machine_families()) found.push_back({family.name + ":", family.summary});
  return found;
}

/// The methods that run on the line's machine family, or all if it names none.
CompletionWords methods(const Line& line) {
  const auto machine = machine_of(line);
  CompletionWords found;
  for (const Method* method : catalogue()) {
    if (!machine || is_for(*method, machine->family))
      found.push_back({std::string(method->name), std::string(method->summary)});
  }
  return found;
}

CompletionWords operations() {
  CompletionWords found;
  for (const Method* method : catalogue()) found.push_back({std::string(method->operation), ""});
  return found;
}

CompletionWords names_of_topics() {
  CompletionWords found;
  for (const texts::Topic& topic : texts::topics()) found.push_back({topic.name, std::string(name(topic.kind))});
  for (CompletionWord& topic : found) std::ranges::replace(topic.word, ' ', '-');  // a shell's word has no space
  return found;
}

CompletionWords named(const Line& line, const std::string& list) {
  if (list == "machines") {
    CompletionWords found = machines();
    for (CompletionWord& machine : found) machine.word.pop_back();
    return found;
  }
  if (list == "algorithms") {
    CompletionWords found = operations();
    std::ranges::copy(methods(line), std::back_inserter(found));
    return found;
  }
  CompletionWords found;
  for (const CostPreset& preset : cost_presets())
    found.push_back({std::string(preset.name), std::string(preset.machine)});
  return found;
}

/// The choices of a flag, read from its refusal of a value that is none of them.
CompletionWords choices_of(const std::function<void()>& give_none) {
  CompletionWords found;
  try {
    give_none();
  } catch (const ChoiceError& refusal) {
    for (const std::string& choice : refusal.choices()) found.push_back({choice, ""});
  } catch (const std::invalid_argument&) {
    // the flag has no list of choices; it takes a number, say
  }
  return found;
}

/// The choices of a parameter of the line's method on its machine.
CompletionWords choices_of_parameter(const Line& line, const std::string& flag) {
  const auto machine = machine_of(line);
  const auto& flags = setting_flags();
  const auto setting = std::ranges::find(flags, flag, &SettingFlag::flag);
  if (!machine || setting == flags.end()) return {};
  return choices_of([&] {
    const Method& method = find_method(line.value_of("--algorithm"), machine->family);
    Settings settings;
    setting->set(settings, "?");
    if (flags::takes(method, setting->name)) method.resolve(*machine, method.defaults, settings);
  });
}

/// "on|off" names two choices, "FILE|-" none.
CompletionWords choices_in(const std::string& type) {
  CompletionWords found;
  std::istringstream parts(type);
  for (std::string part; std::getline(parts, part, '|');) {
    if (part.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos) found.push_back({part, ""});
  }
  return found.size() > 1 ? found : CompletionWords();
}

CompletionWords values_of(const Line& line, const flags::ShownOption& option) {
  const std::string &flag = option.flag, &type = option.type, &command = line.command.name;
  if (type.starts_with("SPEC") || type == "MACHINE") return machines();
  const bool is_method = flag == "--method" || (flag == "--algorithm" && type == "NAME");
  if (is_method || type.starts_with("ALGORITHM")) return methods(line);
  if (flag == "--operation" && command != "new") return operations();
  if (command == "list" && flag.empty() && !line.before.empty()) return named(line, line.before.back());
  if (command == "explain" && is_positional(option)) return names_of_topics();
  if (command == "demo" && is_positional(option)) {
    CompletionWords found;
    for (const learn::Demo& demo : learn::demos()) found.push_back({demo.name, demo.summary});
    return found;
  }
  if (command == "errata" && is_positional(option)) {
    CompletionWords found;
    for (const texts::PaperErrata& paper : texts::all_errata()) found.push_back({paper.paper, paper.title});
    return found;
  }
  if (flag == "--by") return choices_of([&] { report::find_criterion("?", false, command == "sweep"); });
  if (command == "reproduce" && is_positional(option)) {
    CompletionWords found;
    for (const reproduce::ReproductionEntry& entry : reproduce::reproductions()) {
      found.push_back({entry.name, entry.summary});
    }
    return found;
  }
  CompletionWords found = choices_in(type);
  if (found.empty()) found = choices_of_parameter(line, flag);
  if (found.empty()) found = choices_of(option.give_no_choice);
  return found;
}

/// Whether the flag is a parameter that the line's method does not take.
bool is_foreign(const Line& line, const std::string& flag) {
  const std::string algorithm = line.value_of("--algorithm");
  const auto& flags = setting_flags();
  if (algorithm.empty() || std::ranges::find(flags, flag, &SettingFlag::flag) == flags.end()) return false;
  bool is_known = false;
  for (const Method* method : catalogue()) {
    if (!is_called(*method, algorithm)) continue;
    is_known = true;
    if (flags::takes(*method, flag.substr(2))) return false;
  }
  return is_known;
}

CompletionWords flags_of(const Line& line) {
  CompletionWords found;
  for (const flags::ShownOption& option : line.command.options) {
    if (is_positional(option) || is_foreign(line, option.flag)) continue;
    found.push_back({option.flag, option.description});
  }
  return found;
}

/// The option whose value comes next on the line: that of the flag before it, else the next positional argument.
const flags::ShownOption* expected(const Line& line) {
  const std::vector<flags::ShownOption>& options = line.command.options;
  const auto flag_named = [&options](const std::string& word) -> const flags::ShownOption* {
    const auto found = std::ranges::find_if(options, [&](const flags::ShownOption& option) {
      return word.starts_with("--") && option.flag == word && !option.type.empty();
    });
    return found == options.end() ? nullptr : &*found;
  };
  std::size_t positionals = 0;
  for (std::size_t index = 0; index < line.before.size(); ++index) {
    const flags::ShownOption* flag = flag_named(line.before[index]);
    if (flag != nullptr && ++index == line.before.size()) return flag;
    if (flag == nullptr && !line.before[index].starts_with("-")) ++positionals;
  }
  for (const flags::ShownOption& option : options) {
    if (is_positional(option) && positionals-- == 0) return &option;
  }
  return nullptr;
}

CompletionWords candidates(const flags::ShownCommand& command, const std::vector<std::string>& words) {
  const std::string& word = words.back();
  CompletionWords found;
  if (words.size() == 1) {
    found = flags_of({command, {}});
    for (const flags::ShownCommand& each : command.subcommands) found.push_back({each.name, each.description});
    return found;
  }
  const auto subcommand = std::ranges::find(command.subcommands, words.front(), &flags::ShownCommand::name);
  if (subcommand == command.subcommands.end()) return {};
  Line line{*subcommand, {words.begin() + 1, words.end() - 1}};
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  if (equals != std::string::npos) line.before.push_back(word.substr(0, equals));
  const flags::ShownOption* option = expected(line);
  const bool is_value = option != nullptr && !is_positional(*option);
  if (is_value || (option != nullptr && !word.starts_with("-"))) found = values_of(line, *option);
  if (!is_value && (word.empty() || word.starts_with("-")))
    std::ranges::copy(flags_of(line), std::back_inserter(found));
  for (CompletionWord& candidate : found) {
    if (equals != std::string::npos) candidate.word = word.substr(0, equals + 1) + candidate.word;
  }
  return found;
}

constexpr const char* completion_examples =
    R"(`cmake --install` puts the scripts where the shells find them; without an installation, add a line:
  source <(lockstep completion bash)      in ~/.bashrc
  source <(lockstep completion zsh)       in ~/.zshrc, after compinit
  lockstep completion fish | source       in ~/.config/fish/config.fish)";

}  // namespace

void add_completion_options(CLI::App& app, std::string& shell) {
  flags::add_value_option(app, "shell", "bash|zsh|fish", "the shell",
                          [&shell](const std::string& text) { shell = text; });
  flags::set_footer(app, completion_examples);
}

int completion_command(const std::string& shell) {
  if (shell.empty()) throw InputError("completion needs a shell: bash, zsh or fish");
  const std::vector<std::pair<std::string, const char*>> scripts{
      {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
  std::vector<std::string> shells;
  for (const auto& [name, script] : scripts) {
    if (name == shell) {
      host::begin_outputs();
      host::write_output(script);
      return host::verified;
    }
    shells.push_back(name);
  }
  refuse_choice("completion", shell, shells);
}

std::optional<std::vector<std::string>> words_to_complete(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() < 4 || words[1] != "completion" || words[2] != "words") return {};
  return std::vector<std::string>(words.begin() + 3, words.end());
}

std::string completions(const flags::ShownCommand& command, const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  std::string text;
  for (const auto& [word, meaning] : candidates(command, words)) {
    if (!word.starts_with(words.back()) || std::ranges::find(shown, word) != shown.end()) continue;
    shown.push_back(word);
    text += word + "\t" + meaning + "\n";
  }
  return text;
}

}  // namespace lockstep::cli::shell
