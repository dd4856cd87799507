#include "program_run.hpp"

namespace lockstep::cli::trace {

Method method_of_program(const Model& model) {
  return {.name = "program",
          .operation = "program",
          .known_as = "program",
          .source = "your own program",
          .defaults = model,
          .predict = [](const MachineSpec&, const Model&, const Settings&) { return Prediction{}; }};
}

run::CommandFailure failure_of_program(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const RunError& error) {
    return {host::run_failed, error.what(), std::string(name(error.kind())), run::details_of(error)};
  } catch (const std::exception& error) {
    return {host::run_failed, error.what(), std::string(name(ErrorKind::exception))};
  } catch (...) {
    return {host::run_failed, "an exception of an unknown kind", std::string(name(ErrorKind::exception))};
  }
}

}  // namespace lockstep::cli::trace
