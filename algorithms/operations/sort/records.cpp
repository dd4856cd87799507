#include "compare_split.hpp"
#include "lockstep/algorithms/run_program_definition.hpp"

namespace lockstep {

using NumberRecords = sort::Records<sort::NumberKey>;
using TextRecords = sort::Records<sort::TextKey>;

template Report run_program<NumberRecords>(const RunRequest&, const std::function<Process(Processor<NumberRecords>&)>&,
                                           std::size_t);
template Report run_program<TextRecords>(const RunRequest&, const std::function<Process(Processor<TextRecords>&)>&,
                                         std::size_t);

template std::uint64_t machine_bytes<NumberRecords>(const MachineSpec&, const Model&, std::uint64_t);
template std::uint64_t machine_bytes<TextRecords>(const MachineSpec&, const Model&, std::uint64_t);

}  // namespace lockstep
