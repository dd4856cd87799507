#include "demo.hpp"

#include <iterator>

#include "demos/lists.hpp"

namespace lockstep::cli {

const std::vector<Demo>& demos() {
  static const std::vector<Demo> all = [] {
    std::vector<Demo> made;
    for (std::vector<Demo> some : {collective_demos(), reduced_hypercube_demos(), matrix_demos(), six_machines_demos(),
                                   comparison_demos(), pipelining_demos(), failure_demos(), any_threads_demos()}) {
      made.insert(made.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    return made;
  }();
  return all;
}

}  // namespace lockstep::cli
