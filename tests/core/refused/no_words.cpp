#include "lockstep/core/machine.hpp"

// A payload without a length.
struct Point {
  double x;
};
lockstep::Process send_point(lockstep::Processor<Point>& self) {
  self.send(0, Point{1});
  co_await self.cycle();
}
