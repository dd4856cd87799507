#include "lockstep/algorithms/method.hpp"

namespace lockstep {

template Report run_program<Announcement>(const RunRequest&, const Machine<Announcement>::Program&, std::size_t);
template Report run_program<Block>(const RunRequest&, const Machine<Block>::Program&, std::size_t);
template Report run_program<Bundle>(const RunRequest&, const Machine<Bundle>::Program&, std::size_t);

}  // namespace lockstep
