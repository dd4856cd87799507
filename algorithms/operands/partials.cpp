#include "partials.hpp"

#include "lockstep/algorithms/run_program_definition.hpp"

namespace lockstep {

using NumberPartial = operands::Partial<Block>;
using TextPartial = operands::Partial<Strings>;

template Report run_program<NumberPartial>(const RunRequest&, const std::function<Process(Processor<NumberPartial>&)>&,
                                           std::size_t);
template Report run_program<TextPartial>(const RunRequest&, const std::function<Process(Processor<TextPartial>&)>&,
                                         std::size_t);

template std::uint64_t machine_bytes<NumberPartial>(const MachineSpec&, const Model&, std::uint64_t);
template std::uint64_t machine_bytes<TextPartial>(const MachineSpec&, const Model&, std::uint64_t);

}  // namespace lockstep
