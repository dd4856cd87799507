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

/// The page that `lockstep trace --html` writes, of a run of a program of one's own. Its machine shows it what moves:
///
///     ProgramPage page("ring-sum", parse_machine("ring:8"));
///     PayloadObserver<Word> observer(page.observer());
///     machine.observe(&observer);
///     page.write("page.html", machine.run(program));
class ProgramPage {
 public:
  /// Of so many messages at the most. The specification is of the machine's topology or medium, the model its own.
  ProgramPage(std::string program, const MachineSpec& machine, const Model& model = {},
              std::uint64_t max_messages = 1'000'000);
  ~ProgramPage();

  /// What the machine shows its messages to: hand it to the run.
  RunObserver& observer();

  /// Writes the page to a file, or for "-" to standard output, after a run that came to its end. Throws OutputError.
  void write(const std::string& path, const Report& report) const;
  /// The same after a run that ended with an exception: std::current_exception() where it is caught.
  void write(const std::string& path, const std::exception_ptr& failure) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lockstep
