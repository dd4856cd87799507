#include "lockstep/algorithms/bundle.hpp"
#include "lockstep/algorithms/run_program_definition.hpp"

namespace lockstep {

template Report run_program<Block>(const RunRequest&, const std::function<Process(Processor<Block>&)>&, std::size_t);
template Report run_program<LabelledBlock>(const RunRequest&, const std::function<Process(Processor<LabelledBlock>&)>&,
                                           std::size_t);
template Report run_program<Bundle>(const RunRequest&, const std::function<Process(Processor<Bundle>&)>&, std::size_t);

template std::uint64_t machine_bytes<Block>(const MachineSpec&, const Model&, std::uint64_t);
template std::uint64_t machine_bytes<LabelledBlock>(const MachineSpec&, const Model&, std::uint64_t);
template std::uint64_t machine_bytes<Bundle>(const MachineSpec&, const Model&, std::uint64_t);

}  // namespace lockstep
