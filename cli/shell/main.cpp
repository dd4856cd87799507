#include "host/started_processes.hpp"
#include "lockstep/command/command.hpp"

int main(int argc, char** argv) {
  const auto processes = lockstep::started_processes();
  return lockstep::command(argc, argv, {}, processes.get());
}
