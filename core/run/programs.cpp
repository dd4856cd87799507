#include "run/programs.hpp"

#include <stdexcept>
#include <string>

#include "lockstep/core/process.hpp"

namespace lockstep::detail {

namespace {

thread_local const Control* visited = nullptr;

}  // namespace

void set_visited(const Control* control) { visited = control; }

void check_visited(const Control& used) {
  if (visited == nullptr || visited == &used) return;
  throw std::logic_error("rank " + std::to_string(visited->rank) + " uses the Processor of rank " +
                         std::to_string(used.rank) + ": a program may use its own only");
}

const std::exception_ptr& exception_of(const Control& control) {
  return Process::Handle::from_address(control.current.address()).promise().exception();
}

void destroy_program(Control& control) {
  if (!control.current) return;
  // The outermost coroutine owns those that it awaits.
  auto program = Process::Handle::from_address(control.current.address());
  while (program.promise().awaiter()) {
    program = Process::Handle::from_address(program.promise().awaiter().address());
  }
  control.current = {};
  program.destroy();
}

}  // namespace lockstep::detail
