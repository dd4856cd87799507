#include "runs.hpp"

#include "lockstep/algorithms/run_program_definition.hpp"

namespace lockstep {

template std::uint64_t machine_bytes<operands::Runs<Block>>(const MachineSpec&, const Model&, std::uint64_t);
template std::uint64_t machine_bytes<operands::Runs<Strings>>(const MachineSpec&, const Model&, std::uint64_t);
template Report run_program(const RunRequest&, const std::function<Process(Processor<operands::Runs<Block>>&)>&,
                            std::size_t);
template Report run_program(const RunRequest&, const std::function<Process(Processor<operands::Runs<Strings>>&)>&,
                            std::size_t);

}  // namespace lockstep
