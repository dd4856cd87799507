// The files from which `lockstep sweep --resume` goes on: CSV and JSON, a line a row.
#include <span>
#include <string>

#include "directory.hpp"
#include "lockstep/machines/input_error.hpp"
#include "row_file.hpp"
#include "sweep.hpp"
#include "target.hpp"

namespace lockstep::cli {
namespace {

/// Behind a first byte that says which, without the header.
void take(std::span<const std::uint8_t> bytes) {
  static const fuzz::Directory directory;
  if (bytes.empty()) return;
  SweepArguments arguments;
  arguments.trials.operation = "allgather";
  arguments.trials.machines = {"hypercube:2"};
  arguments.variations = {{"words", {"1", "2"}}, {"beta", {"1", "2.5"}}};
  const bool is_csv = bytes.front() % 2 == 0;
  const std::string header = is_csv ? csv_header(arguments) : "";
  std::vector<std::uint8_t> all(header.begin(), header.end());
  all.insert(all.end(), bytes.begin() + 1, bytes.end());
  const RowFile file(fuzz::Directory::write("rows", all), header, true);
  for (const Quantity& quantity : quantities()) {
    for (const std::string& line : file.lines()) {
      if (is_csv) {
        read_csv_line(arguments, line, quantity);
      } else {
        read_json_line(arguments, line, quantity);
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
