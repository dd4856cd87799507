#include <fstream>
#include <iostream>
#include <string>
#include <string_view>

#include "command.hpp"
#include "host/version.hpp"
#include "manual_page.hpp"
#include "reference.hpp"
#include "report/fields.hpp"
#include "study/study_results.hpp"

// Writes the generated pages of the reference into a directory; `./dev docs` makes HTML of them.
// With --fields, writes the rows of the fields of a run for docs/json.md instead, with --columns those of the columns
// of studies for docs/studies.md, with --manual the manual page, all to standard output.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "lockstep_reference: takes the directory for its pages, --fields, --columns, --manual or --version\n";
    return 2;
  }
  if (std::string_view(argv[1]) == "--version") {
    std::cout << lockstep::cli::host::version << "\n";
    return 0;
  }
  if (std::string_view(argv[1]) == "--fields") {
    std::cout << lockstep::cli::report::field_table();
    return 0;
  }
  if (std::string_view(argv[1]) == "--columns") {
    std::cout << lockstep::cli::study::column_table();
    return 0;
  }
  if (std::string_view(argv[1]) == "--manual") {
    std::cout << lockstep::cli::shell::manual_page(lockstep::cli::shell::shown_command());
    return 0;
  }
  for (const auto& [name, text] : lockstep::cli::shell::reference_files(lockstep::cli::shell::shown_command())) {
    const std::string path = std::string(argv[1]) + "/" + name;
    if (!(std::ofstream(path) << text)) {
      std::cerr << "lockstep_reference: cannot write " << path << "\n";
      return 2;
    }
  }
}
