#include "version.hpp"

namespace lockstep::cli::host {

constinit const std::string_view version = LOCKSTEP_VERSION;

}  // namespace lockstep::cli::host
