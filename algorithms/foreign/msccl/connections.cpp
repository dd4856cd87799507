#include "connections.hpp"

#include <algorithm>

#include "lockstep/core/printable.hpp"

namespace lockstep {
namespace {

/// "gpu 1 on channel 0"
std::string other_end(Rank rank, std::uint32_t channel) {
  return "gpu " + std::to_string(rank) + " on channel " + std::to_string(channel);
}

/// The steps of a threadblock that send, or that receive, in their order.
std::vector<std::uint32_t> steps_that(const Threadblock& block, bool (*does)(ChunkVerb)) {
  std::vector<std::uint32_t> steps;
  for (std::uint32_t step = 0; step < block.steps.size(); ++step) {
    if (does(block.steps[step].verb)) steps.push_back(step);
  }
  return steps;
}

void check_waits(const ChunkProgram& program, Rank gpu) {
  const auto& blocks = program.gpus[gpu].threadblocks;
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    for (std::uint32_t step = 0; step < blocks[block].steps.size(); ++step) {
      for (const ChunkWait& wait : blocks[block].steps[step].waits) {
        if (blocks[wait.threadblock].steps[wait.step].sets_flag) continue;
        throw ChunkProgramError(gpu, program.place(gpu, block, step) + " waits for threadblock " +
                                         std::to_string(blocks[wait.threadblock].id) + ", step " +
                                         std::to_string(wait.step) + ", which sets no flag (hasdep is 0)");
      }
    }
  }
}

void check_messages(const ChunkProgram& program, const msccl::Connection& connection) {
  const auto& [from, to, channel] = connection.ends;
  const auto steps_of = [&](Rank gpu, std::uint32_t block, bool (*does)(ChunkVerb)) {
    return block == msccl::no_threadblock ? std::vector<std::uint32_t>{}
                                          : steps_that(program.gpus[gpu].threadblocks[block], does);
  };
  const auto sends = steps_of(from, connection.sender, sends_message);
  const auto takes = steps_of(to, connection.receiver, takes_message);
  const auto count = [&](Rank gpu, std::uint32_t block, std::uint32_t step) {
    return program.gpus[gpu].threadblocks[block].steps[step].count;
  };
  for (std::size_t message = 0; message < std::min(sends.size(), takes.size()); ++message) {
    const std::uint32_t sent = count(from, connection.sender, sends[message]);
    const std::uint32_t taken = count(to, connection.receiver, takes[message]);
    if (sent == taken) continue;
    throw ChunkProgramError(
        from, program.place(from, connection.sender, sends[message]) + " sends " + counted(sent, "chunk") + " to " +
                  program.place(to, connection.receiver, takes[message]) + ", which takes " + std::to_string(taken));
  }
  if (sends.size() > takes.size()) {
    throw ChunkProgramError(from, program.place(from, connection.sender, sends[takes.size()]) + " sends to " +
                                      other_end(to, channel) +
                                      ", where no step receives that: " + std::to_string(sends.size()) +
                                      " are sent and " + std::to_string(takes.size()) + " received");
  }
  if (takes.size() > sends.size()) {
    throw ChunkProgramError(to, program.place(to, connection.receiver, takes[sends.size()]) + " receives from " +
                                    other_end(from, channel) +
                                    ", where no step sends that: " + std::to_string(sends.size()) + " are sent and " +
                                    std::to_string(takes.size()) + " received");
  }
}

}  // namespace

std::map<msccl::ConnectionEnds, msccl::Connection> msccl::connections_of(const ChunkProgram& program) {
  std::map<msccl::ConnectionEnds, msccl::Connection> connections;
  for (Rank gpu = 0; gpu < program.gpus.size(); ++gpu) {
    const auto& blocks = program.gpus[gpu].threadblocks;
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      const auto claim = [&](const msccl::ConnectionEnds& ends, std::uint32_t msccl::Connection::*end, const char* verb,
                             Rank peer) {
        msccl::Connection& connection = connections.try_emplace(ends, msccl::Connection{.ends = ends}).first->second;
        if (connection.*end != msccl::no_threadblock) {
          throw ChunkProgramError(gpu, "gpu " + std::to_string(gpu) + ": threadblocks " +
                                           std::to_string(blocks[connection.*end].id) + " and " +
                                           std::to_string(blocks[block].id) + " both " + verb + " " +
                                           other_end(peer, std::get<2>(ends)));
        }
        connection.*end = block;
      };
      const Threadblock& own = blocks[block];
      if (own.sends_to != no_rank)
        claim({gpu, own.sends_to, own.channel}, &msccl::Connection::sender, "send to", own.sends_to);
      if (own.receives_from != no_rank) {
        claim({own.receives_from, gpu, own.channel}, &msccl::Connection::receiver, "receive from", own.receives_from);
      }
    }
  }
  return connections;
}

void check_connections(const ChunkProgram& program) {
  for (const auto& [ends, connection] : msccl::connections_of(program)) check_messages(program, connection);
  for (Rank gpu = 0; gpu < program.gpus.size(); ++gpu) check_waits(program, gpu);
}

}  // namespace lockstep
