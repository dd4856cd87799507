#include "against.hpp"

#include <string_view>

#include "flags/model_options.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::run {

Against parse_against(const std::string& text) {
  const std::string example = ", e.g. allgather/tea1@all@hypercube:4";
  const std::size_t first = text.find('@');
  Against against{.text = text, .algorithm = text.substr(0, first), .ports = {}, .machine = {}};
  if (against.algorithm.empty()) {
    throw InputError("--against needs ALGORITHM[@PORTS][@MACHINE]" + example + ", not " + quoted(text));
  }
  if (first == std::string::npos) return against;
  std::string_view rest = std::string_view(text).substr(first + 1);
  against.ports = flags::port_model_called(rest.substr(0, rest.find('@')));
  if (against.ports) {
    if (rest.find('@') == std::string_view::npos) return against;
    rest.remove_prefix(rest.find('@') + 1);
  }
  if (rest.empty()) throw InputError("--against " + quoted(text) + " has nothing after its @" + example);
  against.machine = rest;
  return against;
}

}  // namespace lockstep::cli::run
