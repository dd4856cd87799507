#include "demo.hpp"

#include <iterator>

#include "demos/lists.hpp"
#include "lockstep/algorithms/method.hpp"
#include "lockstep/core/nearest_name.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

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

const Demo& find_demo(std::string_view name) {
  std::vector<std::string> names;
  for (const Demo& demo : demos()) {
    if (is_same_name(name, demo.name)) return demo;
    names.emplace_back(demo.name);
  }
  const auto nearest = nearest_name(name, names);
  throw InputError("no demonstration is called " + quoted(name) +
                   (nearest ? "; did you mean '" + *nearest + "'?" : "") + " (lockstep demo lists them)");
}

}  // namespace lockstep::cli
