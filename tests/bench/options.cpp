#include "options.hpp"

namespace lockstep::bench {
namespace {

/// The text after "NAME=", `otherwise` for "NAME" alone; empty for another argument.
std::optional<std::string> value_behind(const std::string& name, const std::string& argument,
                                        const std::string& otherwise) {
  if (argument == name) return otherwise;
  if (argument.rfind(name + "=", 0) == 0) return argument.substr(name.size() + 1);
  return std::nullopt;
}

}  // namespace

Options read_options(const std::vector<std::string>& arguments, const std::string& home) {
  Options options;
  bool quick = false;
  bool tiny = false;
  for (const std::string& argument : arguments) {
    if (auto directory = value_behind("--record", argument, home)) {
      options.record = std::move(directory);
    } else if (auto table = value_behind("--check", argument, home + "/ratios.csv")) {
      options.check = std::move(table);
    } else if (argument == "--quick") {
      quick = true;
    } else if (argument == "--tiny") {
      tiny = true;
    } else {
      options.others.push_back(argument);
    }
  }
  if (options.record.has_value() + options.check.has_value() + tiny > 1 || (quick && !options.check)) {
    throw std::invalid_argument("--record, --check and --tiny exclude one another, and --quick goes with --check only");
  }
  if (options.record && !options.others.empty()) {
    throw std::invalid_argument("--record measures everything and takes no " + options.others.front());
  }
  if (options.check) options.form = Form::ratios;
  if (quick) options.form = Form::quick;
  if (tiny) options.form = Form::tiny;
  return options;
}

std::string options_help() {
  return "--record[=DIRECTORY]  on an idle host: measure everything and write RESULTS.md, its plot and ratios.csv\n"
         "--check[=TABLE]       measure the ratios and name those that fell by more than a quarter; then exit code 1\n"
         "--quick               with --check: only the ratios that take little time and memory\n"
         "--tiny                every kernel and method once at a tiny size, to check that its data is right\n"
         "--benchmark_...       Google Benchmark's own flags, e.g. --benchmark_filter=E/.*/16/\n"
         "Benchmarks are named KERNEL/WHAT RUNS IT/THREADS/SIZE, those of methods OPERATION/METHOD/THREADS/MACHINE. "
         "Without\n"
         "arguments everything is measured, and instructions are counted where valgrind is installed.\n";
}

}  // namespace lockstep::bench
