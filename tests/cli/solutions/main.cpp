#include "lockstep/command/command.hpp"
#include "solutions.hpp"

int main(int argc, char** argv) {
  using namespace lockstep;
  Additions additions{.sizes = {"hypercube:0", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4"}};
  for (const auto& methods : {solutions::broadcasts(), solutions::allgathers(), solutions::alltoalls(),
                              solutions::scans(), solutions::sorts()}) {
    additions.methods.insert(additions.methods.end(), methods.begin(), methods.end());
  }
  return command(argc, argv, additions);
}
