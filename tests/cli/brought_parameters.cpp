// A program for brought_parameters_test.cpp: the command with a method of its own that brings two parameters, and one
// more that the environment names.
#include <array>
#include <cstdlib>

#include "lockstep/algorithms/operation/broadcast.hpp"
#include "lockstep/command/command.hpp"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 2> ways{"up", "down"};
constexpr BroughtNumber pause{"pause", "cycles that every processor waits", "0", {0, 9, 0}};
constexpr BroughtChoice way{"way", "direction of the item round the ring", ways};

/// Round the ring; every processor waits before it sends the item on.
Process send_round(Processor<Block>& self, Rank root, std::uint64_t wait, bool is_up, Block& item) {
  const Rank last = (root + self.processors() + (is_up ? self.processors() - 1 : 1)) % self.processors();
  if (self.rank() != root) item = (co_await self.message(is_up ? 1 : 0)).payload;
  for (std::uint64_t cycle = 0; cycle < wait; ++cycle) co_await self.cycle();
  if (self.rank() != last) self.send(is_up ? 0 : 1, item);
}

Outcome run_round(const RunRequest& request) {
  const Rank root = request.root();
  const std::uint64_t wait = pause.of(request.settings);
  const bool is_up = way.of(request.settings) == "up";
  return broadcast::run(request,
                        [=](Processor<Block>& self, Block& item) { return send_round(self, root, wait, is_up, item); });
}

Method broadcast_round() {
  Method method = broadcast::with_defaults({.name = "broadcast/round", .families = {"ring"}, .run = run_round});
  method.parameters.insert(method.parameters.end(), {pause, way});
  if (const char* const name = std::getenv("LOCKSTEP_BROUGHT")) {
    method.parameters.push_back(BroughtNumber(name, "a number", "1", {}));
  }
  method.resolve = [](const MachineSpec& machine, const Model& model, Settings& settings) {
    broadcast::resolve(machine, model, settings);
    pause.resolve(settings);
    way.resolve(settings);
  };
  return method;
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) { return lockstep::command(argc, argv, {.methods = {lockstep::broadcast_round()}}); }
