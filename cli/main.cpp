#include "lockstep/command/command.hpp"
#include "started_processes.hpp"

int main(int argc, char** argv) {
  const auto processes = lockstep::started_processes();
  return lockstep::command(argc, argv, {}, processes.get());
}
