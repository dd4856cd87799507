#include "failure.hpp"

#include <new>
#include <stdexcept>

#include "output_file.hpp"

namespace lockstep::cli {
namespace {

bool is_bad_alloc(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

Failure failure_of(const RunPlan& plan, const RunError& error) {
  const std::string& name = plan.name;
  const auto* thrown = dynamic_cast<const ProgramError*>(&error);
  if (thrown != nullptr && is_bad_alloc(thrown->cause())) {
    return {bad_input, name + " on " + plan.machine.text + " does not fit memory"};
  }
  std::string text = error.what();
  if (error.kind() == ErrorKind::interrupted) return {interrupted, text};
  const std::string changed = changed_rules(plan.model, plan.method->defaults);
  if (!error.is_violation() || changed.empty()) return {run_failed, text};
  if (text.starts_with(name + ": ")) text.erase(0, name.size() + 2);
  return {bad_input, name + " is not legal under " + changed + ": " + text};
}

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {bad_input, error.what()};
  } catch (const MachineSpecError& error) {
    return {bad_input, error.what()};
  } catch (const MemoryError& error) {
    return {bad_input, error.what()};
  } catch (const OutputError& error) {
    return {bad_input, error.what()};
  } catch (const std::bad_alloc&) {
    return {bad_input, "this run does not fit memory"};
  } catch (const std::exception& error) {
    return {internal_error, std::string("internal error: ") + error.what()};
  } catch (...) {
    return {internal_error, "internal error: an exception of an unknown kind"};
  }
}

}  // namespace lockstep::cli
