#include "chunk_run.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

#include "lockstep/algorithms/run_program_definition.hpp"
#include "lockstep/algorithms/verification.hpp"

namespace lockstep::msccl {
namespace {

/// The content of one chunk. Sums never change, so that messages share them.
struct ChunkValue {
  std::shared_ptr<const ChunkSum> sum{};
  std::uint64_t words = 0;
};

/// The content of a message.
struct ChunkMessage {
  std::vector<ChunkValue> chunks{};
};

std::uint64_t words(const ChunkMessage& message) {
  std::uint64_t sum = 0;
  for (const ChunkValue& value : message.chunks) sum += value.words;
  return sum;
}

void pack(const ChunkMessage& message, ByteWriter& to) {
  to.put(std::uint64_t{message.chunks.size()});
  for (const ChunkValue& value : message.chunks) {
    to.put(value.words);
    to.put(std::uint8_t{value.sum != nullptr});
    if (value.sum == nullptr) continue;
    to.put(std::uint64_t{value.sum->size()});
    to.put_all(std::span(value.sum->data(), value.sum->size()));
  }
}
ChunkMessage unpack(ByteReader& from, std::type_identity<ChunkMessage>) {
  ChunkMessage message;
  for (std::size_t left = from.get_count(1); left > 0; --left) {
    ChunkValue value{.words = from.get<std::uint64_t>()};
    if (from.get<std::uint8_t>() != 0) {
      ChunkSum sum(from.get_count(sizeof(Contribution)));
      from.get_all(std::span(sum.data(), sum.size()));
      value.sum = std::make_shared<const ChunkSum>(std::move(sum));
    }
    message.chunks.push_back(std::move(value));
  }
  return message;
}

/// Removes a summand, for tests that this is detected.
[[maybe_unused]] void corrupt(ChunkMessage& message) {
  for (ChunkValue& value : message.chunks) {
    if (value.words == 0 || !value.sum || value.sum->empty()) continue;
    value.sum = std::make_shared<const ChunkSum>(value.sum->begin() + 1, value.sum->end());
    return;
  }
}

ChunkValue sum_of(const ChunkValue& one, const ChunkValue& other) {
  ChunkSum sum;
  std::merge(one.sum->begin(), one.sum->end(), other.sum->begin(), other.sum->end(), std::back_inserter(sum));
  return {std::make_shared<const ChunkSum>(std::move(sum)), std::max(one.words, other.words)};
}

/// The last step that wrote a chunk.
struct Writer {
  std::uint32_t threadblock = 0;
  std::uint32_t step = 0;
  bool exists = false;
};

/// The memory of one processor.
struct ChunkMemory {
  std::vector<ChunkValue> chunks;
  std::vector<Writer> writers;
  std::vector<std::deque<Message<ChunkMessage>>> arrived;  // by threadblock
  std::vector<double> ready;                               // by threadblock: the modelled end of its last step
  std::vector<std::map<std::uint32_t, double>> flags;      // by threadblock and step: the same
  std::uint64_t held = 0;                                  // words

  void set(std::uint32_t place, ChunkValue value, const Writer& writer) {
    held -= chunks[place].words;
    held += value.words;
    chunks[place] = std::move(value);
    writers[place] = writer;
  }
};

/// Whether the step combines chunks, with arithmetic.
bool combines(ChunkVerb verb) { return verb == ChunkVerb::reduce || (takes_message(verb) && reads_source(verb)); }

/// The results of a step on its operands, one value per chunk; written to the destination, if there is one.
std::vector<ChunkValue> results_of(const ChunkStep& step, const Writer& writer, const ChunkMessage& taken,
                                   ChunkMemory& memory) {
  std::vector<ChunkValue> results;
  for (std::uint32_t chunk = 0; chunk < step.count && step.verb != ChunkVerb::nothing; ++chunk) {
    ChunkValue value = takes_message(step.verb) ? taken.chunks[chunk] : memory.chunks[step.source + chunk];
    if (combines(step.verb) && takes_message(step.verb)) value = sum_of(value, memory.chunks[step.source + chunk]);
    if (step.verb == ChunkVerb::reduce) value = sum_of(memory.chunks[step.destination + chunk], value);
    results.push_back(std::move(value));
  }
  if (writes_destination(step.verb)) {
    for (std::uint32_t chunk = 0; chunk < results.size(); ++chunk)
      memory.set(step.destination + chunk, results[chunk], writer);
  }
  return results;
}

void carry_out(Processor<ChunkMessage>& self, const Threadblock& block, const ChunkPlan::Action& action,
               ChunkMemory& memory) {
  const ChunkStep& step = block.steps[action.step];
  double& ready = memory.ready[action.threadblock];
  for (const ChunkWait& wait : step.waits) ready = std::max(ready, memory.flags[wait.threadblock].at(wait.step));
  Message<ChunkMessage> taken;
  if (takes_message(step.verb)) {
    auto& queue = memory.arrived[action.threadblock];
    taken = std::move(queue.front());
    queue.pop_front();
    ready = std::max(ready, taken.arrival);
  }
  ChunkMessage results{results_of(step, {action.threadblock, action.step, true}, taken.payload, memory)};
  if (step.verb == ChunkVerb::copy) {
    self.charge(words(results));
    ready += static_cast<double>(words(results)) * self.model().cost.copy_cost;
  }
  if (combines(step.verb)) {
    self.compute(words(results));
    ready += static_cast<double>(words(results)) * self.model().cost.flop;
  }
  if (step.sets_flag) memory.flags[action.threadblock][action.step] = ready;
  if (sends_message(step.verb)) self.forward(action.port, {std::move(results), 0, ready});
}

// Each processor carries out its part of the plan, and sleeps in between.
Process follow_chunks(Processor<ChunkMessage>& self, const ChunkGpu& gpu, const std::vector<ChunkPlan::Action>& actions,
                      ChunkMemory& memory) {
  self.hold(memory.held);
  for (const ChunkPlan::Action& action : actions) {
    if (action.cycle > self.now()) co_await self.until(action.cycle);
    if (action.takes) {
      memory.arrived[action.threadblock].push_back(self.receive(action.port));
    } else {
      carry_out(self, gpu.threadblocks[action.threadblock], action, memory);
      self.hold(memory.held);
    }
  }
}

std::vector<ChunkMemory> memories_of(const ChunkProgram& program, std::uint64_t words) {
  std::vector<ChunkMemory> memories(program.gpus.size());
  for (Rank gpu = 0; gpu < program.gpus.size(); ++gpu) {
    const ChunkGpu& of = program.gpus[gpu];
    ChunkMemory& memory = memories[gpu];
    memory.chunks.resize(of.chunk_names.size());
    memory.writers.resize(of.chunk_names.size());
    memory.arrived.resize(of.threadblocks.size());
    memory.ready.resize(of.threadblocks.size());
    memory.flags.resize(of.threadblocks.size());
    for (const auto& [place, sum] : of.initial) {
      memory.set(place, {std::make_shared<const ChunkSum>(sum), program.chunk_words(sum.front().chunk, words)}, {});
    }
  }
  return memories;
}

std::string text_of(const Contribution& one) {
  return std::string("chunk ").append(std::to_string(one.chunk)).append(" of rank ").append(std::to_string(one.rank));
}

/// "lacks chunk 3 of rank 1 and has chunk 2 of rank 0 2 times"
std::string difference(const ChunkSum& held, const ChunkSum& demanded) {
  std::map<Contribution, std::pair<std::size_t, std::size_t>> times;
  for (const Contribution& one : held) ++times[one].first;
  for (const Contribution& one : demanded) ++times[one].second;
  std::string lacks, has;
  for (const auto& [one, counts] : times) {
    const auto [is, should] = counts;
    if (is < should && lacks.empty()) lacks.append("lacks ").append(text_of(one));
    if (is <= should || !has.empty()) continue;
    has.append("has ").append(text_of(one));
    if (should == 0) {
      has.append(", which does not belong there");
    } else {
      has.append(" ").append(std::to_string(is)).append(" times");
    }
  }
  if (!lacks.empty() && !has.empty()) lacks.append(" and ");
  return lacks.append(has);
}

Verdict judge(const ChunkProgram& program, Rank gpu, const ChunkMemory& memory) {
  WordDigest digest;
  Verdict verdict;
  for (const auto& [place, demanded] : program.gpus[gpu].demanded) {
    const auto& held = memory.chunks[place].sum;
    static const ChunkSum nothing;
    const ChunkSum& sum = held ? *held : nothing;
    for (const Contribution& one : sum) digest.add(std::uint64_t{one.rank} << 32 | one.chunk);
    digest.add(sum.size());
    if (!verdict.wrong.empty() || sum == demanded) continue;
    const Writer& writer = memory.writers[place];
    verdict.wrong.append("gpu ").append(std::to_string(gpu)).append(": ");
    verdict.wrong.append(program.gpus[gpu].chunk_names[place]).append(" ").append(difference(sum, demanded));
    verdict.wrong.append("; ").append(writer.exists ? "written by " : "nothing wrote it");
    if (writer.exists) verdict.wrong.append(program.place(gpu, writer.threadblock, writer.step));
  }
  verdict.digest = digest.value();
  return verdict;
}

}  // namespace

Outcome run_chunks(const RunRequest& request, const ChunkProgram& program, const ChunkPlan& plan) {
  std::vector<ChunkMemory> memories = memories_of(program, *request.settings.words);
  Outcome outcome;
  outcome.report = run_program<ChunkMessage>(request, [&](Processor<ChunkMessage>& self) {
    return follow_chunks(self, program.gpus[self.rank()], plan.actions[self.rank()], memories[self.rank()]);
  });
  const auto start = std::chrono::steady_clock::now();
  verify_ranks(
      request, start, [&](Rank rank) { return judge(program, rank, memories[rank]); }, outcome);
  return outcome;
}

Wide bytes_of_chunks(const MachineSpec& machine, const Model& model, const ChunkProgram& program) {
  constexpr std::uint64_t value = sizeof(ChunkValue) + 64;  // with what allocation adds
  constexpr std::uint64_t of_message = 1200;                // in plan, order and run, and as a step of the program
  constexpr std::uint64_t of_clock = 36;                    // of a message's clock, for every GPU
  Wide chunks = 0;
  Wide messages = 0;
  for (const ChunkGpu& gpu : program.gpus) {
    chunks += gpu.chunk_names.size();
    for (const Threadblock& block : gpu.threadblocks) {
      for (const ChunkStep& step : block.steps) messages += step.sets_flag || sends_message(step.verb) ? 1 : 0;
    }
  }
  return machine_bytes<ChunkMessage>(machine, model) + chunks * value +
         messages * (of_message + of_clock * Wide{machine.processors});
}

}  // namespace lockstep::msccl
