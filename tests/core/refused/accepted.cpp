#include "lockstep/core/machine.hpp"

// The correct form of what the other files here do wrong, so that their refusal proves something.
struct Point {
  double x;
};
std::uint64_t words(const Point&) { return 1; }
lockstep::Process send_point(lockstep::Processor<Point>& self) {
  self.send(0, Point{1});
  co_await self.cycle();
}
lockstep::Report run(lockstep::Machine<Point>& machine) {
  return machine.run([](lockstep::Processor<Point>& self) { return send_point(self); });
}
