#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "lockstep/algorithms/payload_observer.hpp"
#include "lockstep/core/model.hpp"
#include "lockstep/core/report.hpp"
#include "lockstep/machines/machine_spec.hpp"

namespace lockstep {

/// The page that `lockstep trace --html` writes, for a run of your own program. The machine shows it all messages:
///
///     ProgramPage page("ring-sum", parse_machine("ring:8"));
///     PayloadObserver<Word> observer(page.observer());
///     machine.observe(&observer);
///     page.write("page.html", machine.run(program));
class ProgramPage {
 public:
  /// Keeps at most that many messages. The specification is that of the machine's topology or medium, and the model is
  /// the machine's.
  ProgramPage(std::string program, const MachineSpec& machine, const Model& model = {},
              std::uint64_t max_messages = 1'000'000);
  ~ProgramPage();

  /// The observer of the machine's messages; pass it to the run.
  RunObserver& observer();

  /// Writes the page of a finished run to a file, or for "-" to standard output. Throws OutputError.
  void write(const std::string& path, const Report& report) const;
  /// Writes the page of a run that ended with an exception: std::current_exception() where it is caught.
  void write(const std::string& path, const std::exception_ptr& failure) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lockstep
