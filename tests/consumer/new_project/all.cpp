// All programs written by `lockstep new`, compiled as one, since headers take most of the time of each. The environment
// selects the one that runs.
#include <cstdlib>
#include <lockstep/algorithms/operation/alltoall.hpp>
#include <lockstep/algorithms/operation/barrier.hpp>
#include <lockstep/algorithms/operation/broadcast.hpp>
#include <lockstep/algorithms/operation/collection.hpp>
#include <lockstep/algorithms/operation/reduce.hpp>
#include <lockstep/algorithms/operation/scan.hpp>
#include <lockstep/algorithms/operation/scatter.hpp>
#include <lockstep/algorithms/operation/sort.hpp>
#include <lockstep/algorithms/operation/transpose.hpp>
#include <lockstep/command/command.hpp>
#include <string>

// The headers that they include are included already.
namespace broadcast_mine {
#include "broadcast-mine/broadcast-mine.cpp"
}
namespace reduce_mine {
#include "reduce-mine/reduce-mine.cpp"
}
namespace scan_mine {
#include "scan-mine/scan-mine.cpp"
}
namespace gather_mine {
#include "gather-mine/gather-mine.cpp"
}
namespace scatter_mine {
#include "scatter-mine/scatter-mine.cpp"
}
namespace allgather_mine {
#include "allgather-mine/allgather-mine.cpp"
}
namespace alltoall_mine {
#include "alltoall-mine/alltoall-mine.cpp"
}
namespace transpose_mine {
#include "transpose-mine/transpose-mine.cpp"
}
namespace sort_mine {
#include "sort-mine/sort-mine.cpp"
}
namespace barrier_mine {
#include "barrier-mine/barrier-mine.cpp"
}

int main(int argc, char** argv) {
  const char* const given = std::getenv("OPERATION");
  const std::string operation = given == nullptr ? "" : given;
  if (operation == "broadcast") return broadcast_mine::main(argc, argv);
  if (operation == "reduce") return reduce_mine::main(argc, argv);
  if (operation == "scan") return scan_mine::main(argc, argv);
  if (operation == "gather") return gather_mine::main(argc, argv);
  if (operation == "scatter") return scatter_mine::main(argc, argv);
  if (operation == "allgather") return allgather_mine::main(argc, argv);
  if (operation == "alltoall") return alltoall_mine::main(argc, argv);
  if (operation == "transpose") return transpose_mine::main(argc, argv);
  if (operation == "sort") return sort_mine::main(argc, argv);
  if (operation == "barrier") return barrier_mine::main(argc, argv);
  return 2;
}
