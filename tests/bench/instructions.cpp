#include "instructions.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "lockstep/algorithms/block.hpp"
#include "lockstep/core/machine.hpp"
#include "lockstep/machines/topologies.hpp"

namespace lockstep::bench {
namespace {

constexpr unsigned dimensions = 12;
constexpr unsigned few_rounds = 1;
constexpr unsigned many_rounds = 3;
constexpr char watched[] = "--watched=";  // followed by the number of a kernel, a comma and the rounds

Process exchange_words(Processor<Word>& self, Word& value, unsigned rounds) {
  value = self.rank();
  for (unsigned round = 0; round < rounds; ++round) {
    for (Port dimension = 0; dimension < self.ports(); ++dimension) {
      value += co_await self.exchange(dimension, value);
    }
  }
}

/// The blocks are exchanged unchanged: work of a block's owner is not part of a message.
Process exchange_blocks(Processor<Block>& self, Block& block, unsigned rounds) {
  block = Block(1);
  block[0] = self.rank();
  for (unsigned round = 0; round < rounds; ++round) {
    for (Port dimension = 0; dimension < self.ports(); ++dimension) {
      Message<Block> message = co_await self.exchange(dimension, std::move(block));
      block = std::move(message.payload);
    }
  }
}

template <Payload T>
void run(const InstructionKernel& kernel, unsigned rounds, Process (*program)(Processor<T>&, T&, unsigned)) {
  const Topology cube = hypercube(dimensions);
  const auto executor = make_executor(ExecutorKind::sequential);
  Machine<T> machine(cube, {.ports = kernel.ports}, *executor, kernel.channels);
  std::vector<T> values(cube.processors());
  const Report report = machine.run([&](Processor<T>& self) { return program(self, values[self.rank()], rounds); }, {});
  if (report.messages != std::uint64_t{rounds} * cube.slots()) throw std::logic_error("a message was not counted");
}

/// Instructions of a run of this program with the argument.
double instructions_of(const std::string& program, const std::string& argument) {
  const std::string command =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null '" + program + "' " + argument + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run valgrind");
  std::string output;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) output += buffer;
  const int status = pclose(pipe);
  constexpr std::string_view label = "Collected : ";
  const std::size_t at = output.find(label);
  if (status != 0 || at == std::string::npos) throw std::runtime_error("valgrind counted nothing:\n" + output);
  return std::stod(output.substr(at + label.size()));
}

}  // namespace

bool count_instructions(const std::string& program, Measurements& measurements) {
  if (std::system("command -v valgrind > /dev/null") != 0) return false;
  for (std::size_t number = 0; number < instruction_kernels.size(); ++number) {
    const auto instructions = [&](unsigned rounds) {
      return instructions_of(program, std::string(watched) + std::to_string(number) + "," + std::to_string(rounds));
    };
    constexpr double messages = (many_rounds - few_rounds) * dimensions * double{1U << dimensions};
    measurements.set_instructions(text(instruction_kernels[number]),
                                  (instructions(many_rounds) - instructions(few_rounds)) / messages);
  }
  return true;
}

bool run_watched(const std::string& argument) {
  unsigned number = 0;
  unsigned rounds = 0;
  if (std::sscanf(argument.c_str(), "--watched=%u,%u", &number, &rounds) != 2) return false;
  const InstructionKernel& kernel = instruction_kernels.at(number);
  if (std::string_view(kernel.payload) == "Word") {
    run<Word>(kernel, rounds, exchange_words);
  } else {
    run<Block>(kernel, rounds, exchange_blocks);
  }
  return true;
}

}  // namespace lockstep::bench
