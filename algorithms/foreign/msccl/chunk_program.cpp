#include "lockstep/algorithms/chunk_program.hpp"

#include <map>

#include "limits.hpp"

namespace lockstep {

const char* name(ChunkVerb verb) {
  switch (verb) {
    case ChunkVerb::send:
      return "s";
    case ChunkVerb::receive:
      return "r";
    case ChunkVerb::copy:
      return "cpy";
    case ChunkVerb::reduce:
      return "re";
    case ChunkVerb::receive_reduce:
      return "rrc";
    case ChunkVerb::reduce_send:
      return "rrs";
    case ChunkVerb::reduce_keep_send:
      return "rrcs";
    case ChunkVerb::receive_send:
      return "rcs";
    case ChunkVerb::nothing:
      return "nop";
  }
  return "";
}

bool takes_message(ChunkVerb verb) {
  return verb != ChunkVerb::send && verb != ChunkVerb::copy && verb != ChunkVerb::reduce && verb != ChunkVerb::nothing;
}

bool sends_message(ChunkVerb verb) {
  return verb == ChunkVerb::send || verb == ChunkVerb::reduce_send || verb == ChunkVerb::reduce_keep_send ||
         verb == ChunkVerb::receive_send;
}

bool reads_source(ChunkVerb verb) {
  return verb != ChunkVerb::receive && verb != ChunkVerb::receive_send && verb != ChunkVerb::nothing;
}

bool writes_destination(ChunkVerb verb) {
  return verb != ChunkVerb::send && verb != ChunkVerb::reduce_send && verb != ChunkVerb::nothing;
}

std::string ChunkProgram::place(Rank gpu, std::uint32_t threadblock, std::uint32_t step) const {
  const Threadblock& block = gpus[gpu].threadblocks[threadblock];
  const std::string of_gpu = "gpu " + std::to_string(gpu) + ", ";
  if (step < block.names.size()) return of_gpu + block.names[step];
  return of_gpu + "threadblock " + std::to_string(block.id) + ", step " + std::to_string(step) +
         (step < block.steps.size() ? std::string(" (") + lockstep::name(block.steps[step].verb) + ")" : "");
}

std::uint64_t ChunkProgram::chunk_words(std::uint32_t chunk, std::uint64_t words) const {
  const Wide part = chunk % chunks;
  return static_cast<std::uint64_t>((part + 1) * words / chunks - part * words / chunks);
}

std::uint64_t ChunkProgram::all_steps() const {
  std::uint64_t count = 0;
  for (const ChunkGpu& gpu : gpus) {
    for (const Threadblock& block : gpu.threadblocks) count += block.steps.size();
  }
  return count;
}

namespace {

std::vector<std::string> passed_limits(const ChunkProgram& program) {
  using msccl::most_blocks, msccl::most_channels, msccl::most_chunks, msccl::most_steps;
  const std::string takes = "MSCCL's runtime takes ";
  std::vector<std::string> passed;
  if (program.format != "MSCCL XML") return passed;
  // For each limit the first place that exceeds it.
  std::string steps, count, channel, blocks;
  for (Rank gpu = 0; gpu < program.gpus.size(); ++gpu) {
    std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> of_channel;
    const auto& threadblocks = program.gpus[gpu].threadblocks;
    for (std::uint32_t index = 0; index < threadblocks.size(); ++index) {
      const Threadblock& block = threadblocks[index];
      const std::string of_block = "gpu " + std::to_string(gpu) + ", threadblock " + std::to_string(block.id);
      if (steps.empty() && block.steps.size() > most_steps) {
        steps =
            of_block + " has " + std::to_string(block.steps.size()) + " steps; " + takes + std::to_string(most_steps);
      }
      for (std::uint32_t step = 0; step < block.steps.size(); ++step) {
        if (!count.empty() || block.steps[step].count <= most_chunks) continue;
        count = program.place(gpu, index, step) + ": cnt is " + std::to_string(block.steps[step].count) + "; " + takes +
                "fewer than " + std::to_string(most_chunks + 1);
      }
      if (channel.empty() && block.channel >= most_channels) {
        channel = of_block + ": chan is " + std::to_string(block.channel) + "; " + takes + "less than " +
                  std::to_string(most_channels);
      }
      auto& [senders, receivers] = of_channel[block.channel];
      senders += block.sends_to != no_rank ? 1 : 0;
      receivers += block.receives_from != no_rank ? 1 : 0;
      if (blocks.empty() && (senders > most_blocks || receivers > most_blocks)) {
        blocks = of_block + ": more than " + std::to_string(most_blocks) + " threadblocks " +
                 (senders > most_blocks ? "send" : "receive") + " on channel " + std::to_string(block.channel) + "; " +
                 takes + std::to_string(most_blocks);
      }
    }
  }
  for (std::string* text : {&steps, &count, &channel, &blocks}) {
    if (!text->empty()) passed.push_back(std::move(*text));
  }
  return passed;
}

}  // namespace

std::vector<std::string> warnings_of(const ChunkProgram& program, const Outcome& outcome) {
  std::vector<std::string> warnings = program.warnings;
  for (const Measure& measure : outcome.measures) {
    if (measure.name != "slots" || measure.value <= msccl::usual_slots) continue;
    warnings.push_back("connections have to hold " + std::to_string(measure.value) + " messages; where they hold " +
                       std::to_string(msccl::usual_slots) + ", it deadlocks");
  }
  for (std::string& passed : passed_limits(program)) warnings.push_back(std::move(passed));
  return warnings;
}

}  // namespace lockstep
