// The files from which `lockstep sweep --resume` continues: CSV and JSON, one row a line.
#include <span>
#include <string>

#include "compare/sweep_row.hpp"
#include "directory.hpp"
#include "host/row_file.hpp"
#include "lockstep/machines/input_error.hpp"
#include "target.hpp"

namespace lockstep::cli {
namespace {

/// The first byte selects the form; the header is left out.
void take(std::span<const std::uint8_t> bytes) {
  static const fuzz::Directory directory;
  if (bytes.empty()) return;
  compare::SweepArguments arguments;
  arguments.trials.operation = "allgather";
  arguments.trials.machines = {"hypercube:2"};
  arguments.variations = {{"words", {"1", "2"}}, {"beta", {"1", "2.5"}}};
  const compare::RowForm form = bytes.front() % 2 == 0 ? compare::RowForm::csv : compare::RowForm::json;
  const host::RowFile::Beginning beginning{compare::header_of(form, arguments), compare::beginning_of(form, arguments)};
  std::vector<std::uint8_t> all(beginning.text.begin(), beginning.text.end());
  all.insert(all.end(), bytes.begin() + 1, bytes.end());
  const host::RowFile file(fuzz::Directory::write("rows", all), beginning, true);
  for (const report::Quantity& quantity : report::quantities()) {
    for (const std::string& line : file.lines()) {
      try {
        compare::read_row(form, arguments, line, quantity);
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::cli

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  lockstep::cli::take({bytes, count});
  return 0;
}
