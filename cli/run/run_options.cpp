#include "run_options.hpp"

#include <algorithm>
#include <limits>

#include "flags/graph_options.hpp"
#include "flags/memory_size.hpp"
#include "flags/setting_flags.hpp"
#include "flags/value_option.hpp"
#include "host/number_text.hpp"
#include "lockstep/algorithms/chunk_program.hpp"
#include "lockstep/algorithms/replay.hpp"
#include "lockstep/algorithms/schedule_file.hpp"
#include "run_plan.hpp"

namespace lockstep::cli::run {
namespace {

constexpr unsigned most_threads = 1024;
constexpr std::uint64_t most_repeats = 1'000'000;

constexpr const char* counts_explained = R"(What a report counts:
  cycles              1 + the last cycle in which a message moved
  steps               cycles in which at least one message moved
  messages            journeys over a link; on a bus, around a memory or a switch the transactions
  sends               send operations; a payload sent on several ports at once (multicast) counts once
  words               the total length of all messages; a word has 64 bits
  longest sum         the words of the longest message of every cycle, summed over all cycles
  startups            packets of at most --max-packet words, at least one per message, and at least one per block where
                      blocks are sent without being gathered
  hops                links that all messages have crossed in total; none on media
  busiest link words  the most words over a link in one direction
  busiest link messages  the most messages over a link in one direction
  peak words held     the most words that a processor held at any time
  copied words        words copied within all processors, where the method charges for them
  operations          arithmetic operations of all processors, where the method charges for them
  scanned blocks      blocks examined by all processors, where the method charges for them
No method can beat a lower bound; a run is optimal if it meets those of steps and longest sum.
Modelled times: the synchronous time sums over all cycles the costliest message, startups * beta + words * tau, the
largest local copy and the most operations of a processor; in the asynchronous time every message starts as soon as
its data and its ports are ready.)";

constexpr const char* examples = R"(Examples:
  lockstep run --machine hypercube:10 --algorithm broadcast/sbt --root 0b1010
  lockstep run --machine rh:3,2 --algorithm broadcast/drbt --ports all --words 64
  lockstep run --machine torus:4x5 --algorithm alltoall/product --beta 5e-3 --tau 1e-6
  lockstep run --machine ring:16 --algorithm alltoall/factor --repeat 5 --json
  lockstep run --machine rh:2,2 --emulate hypercube --algorithm allgather/adea
  lockstep run --machine hypercube:5 --embed torus:4x8 --algorithm alltoall/product

The exit code is 0 if all data and counts are right, 1 if the run failed, 2 if the input was bad or an output could
not be written, 3 after an internal error, 130 if you interrupted it (129 after SIGHUP, 143 after SIGTERM). The file
of --output is written only if it is 0; reports are written for every run. Input files may be - for standard input.)";

constexpr const char* plan_examples =
    R"(plan runs the method and records what moves. The schedule of a method that moves whole blocks over links is a
list of steps, each a list of what moves in it. In a total exchange (alltoall) every block is a move [from, to, origin,
destination]; where several travel as one message, "combined" is true. In other operations every message is
{"from": F, "to": T, "blocks": [..]}, with each block as [origin, destination] or, if it is for all, as its origin.

Collectives that divide blocks, combine values, or use a switch are written in chunks: "chunks" is their number, and a
block is [origin, chunk] or [origin, destination, chunk]; "adds" is true for messages that the receiver adds to its own
data. Chunks are as long as --words allows. --format msccl and sccl write any collective for other programs; warnings
on standard error name limits of MSCCL's runtime that the schedule exceeds.

Methods that move parts of arrays (transposes, permutations with several packets) have no schedule. The exit codes are
those of `lockstep run`.

Examples:
  lockstep plan --machine path:3 --algorithm alltoall/factor
  lockstep plan --machine mesh:4x4 --algorithm alltoall/greedy --output schedule.json
  lockstep plan --machine hypercube:3 --algorithm scatter/sbt --root 5
  lockstep plan --machine switch:8 --algorithm allreduce/ring --format msccl --output ring8.xml)";

constexpr const char* validate_examples =
    R"(FILE may be another program's schedule: MSCCL XML, or the JSON that SCCL and TACCL write. It runs chunk by chunk
on --machine (by default switch:N, or complete:N under --ports all). The final content of every chunk is compared with
the collective's result; errors name gpu, threadblock and step. --words is the whole vector of allreduce,
reduce-scatter, reduce and broadcast, else a processor's or a pair's block.

Or FILE is in Lockstep's own form, as `lockstep plan` and `lockstep search` write it, for the "machine" that it names
unless --machine names another. That form is JSON:
{"steps": [[[from, to, origin, destination], ..], ..]}, a list of steps, each a list of moves; or of
messages {"from": F, "to": T, "blocks": [..]}, with each block as [origin, destination] or, if it is for all, as its
origin. "operation" is alltoall by default; or broadcast, scatter or gather with "root"; allgather; some-to-all or
all-to-some with "sources" (L: the ranks below 2^L); or permute, transpose or send, which bring the blocks that move to
their destinations. With "combined": true, or with messages, all blocks on one link in one step are one message.
"processors", if given, must be the machine's number. With "chunks": C, a block is [origin, chunk] or [origin,
destination, chunk], with chunks below C, into which --words words are cut evenly; with "adds": true the receiver adds
them to its own; "operation" may then be any collective of MSCCL's.
The rules are --ports one and --duplex full unless others are given.
The exit code is 0 if the schedule does its operation on the machine, 1 if it does not, 2 if the input was bad.

Examples:
  lockstep validate ring8.xml
  lockstep validate ring8.xml --machine torus:4x2 --ports all --words 64 --json
  lockstep validate schedule.json
  lockstep validate schedule.json --machine mesh:4x4 --ports all --json)";

constexpr const char* trace_examples =
    R"(trace runs what `lockstep run` does with the same flags, records what moves, and writes it in other programs'
forms. Start and end of a message are those of the asynchronous clock. A run that fails is traced up to its failure. A
trace that leaves messages out says so. The exit codes are those of `lockstep run`.

Examples:
  lockstep trace --machine hypercube:3 --algorithm broadcast/sbt
  lockstep trace --machine torus:4x4 --algorithm alltoall/product --perfetto trace.json
  lockstep trace --machine hypercube:4 --algorithm allgather/tea1 --against allgather/tea2 --html page.html
  lockstep trace --machine ring:8 --algorithm allgather/daisy-chain --goal ring.goal --ti ring --max-events 1000)";

void add_output_options(CLI::App& app, RunArguments& arguments) {
  const char* const group = "Output";
  flags::add_flag(app, "--cycles", arguments.cycles, "show what moved in every cycle").group(group);
  flags::add_json_option(app,
                         "write the report as JSON to FILE, or with - or no FILE as the only text on standard output",
                         [&arguments](const std::string& text) { arguments.json = text; })
      .group(group);
  flags::add_value_option(
      app, "--csv", "FILE|-",
      "append the report to FILE as one CSV row; a new file gets a header, the same for all methods",
      [&arguments](const std::string& text) { arguments.csv = text; })
      .group(group);
  flags::add_flag(app, "--quiet", arguments.quiet, "show neither report nor progress").group(group);
}

const char* const required = "What to run (required)";
const char* const of_method = "Parameters of the method";

void add_machine_option(CLI::App& app, RunArguments& arguments) {
  flags::add_value_option(app, "--machine", "SPEC", "the machine, e.g. torus:4x5; see `lockstep list machines`",
                          [&arguments](const std::string& text) { arguments.machine = text; })
      .group(required);
  flags::add_graph_options(app, [&arguments] { return std::vector<std::string*>{&arguments.machine}; });
}

void add_algorithm_option(CLI::App& app, const std::string& example, RunArguments& arguments) {
  flags::add_value_option(
      app, "--algorithm", "NAME",
      "the method, e.g. " + example +
          "; see `lockstep list algorithms`; or \"NAME on SPEC\", as with --embed SPEC; or file:FILE, a schedule",
      [&arguments](const std::string& text) { arguments.algorithm = text; })
      .group(required);
}

/// Adds the flags of those parameters, which set the arguments' settings.
void add_settings(CLI::App& app, RunArguments& arguments, const std::function<bool(std::string_view name)>& is_wanted) {
  run::add_setting_options(app, is_wanted, [&arguments](const SettingFlag& flag, const std::string& text) {
    flag.set(arguments.settings, text);
  });
}

}  // namespace

std::string_view name(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::lockstep:
      return "lockstep";
    case ScheduleFormat::msccl:
      return "msccl";
    case ScheduleFormat::sccl:
      return "sccl";
  }
  return "";
}

void add_setting_options(CLI::App& app, const std::function<bool(std::string_view name)>& is_wanted,
                         const std::function<void(const SettingFlag& flag, const std::string& text)>& take) {
  for (const SettingFlag& setting : setting_flags()) {
    if (!is_wanted(setting.name)) continue;
    const std::string description(setting.description);
    if (setting.type.empty()) {
      flags::add_flag(
          app, setting.flag(), [take, &setting] { take(setting, ""); }, description)
          .group(of_method);
    } else {
      flags::add_value_option(app, setting.flag(), std::string(setting.type), description,
                              [take, &setting](const std::string& text) { take(setting, text); })
          .group(of_method);
    }
  }
}

flags::Flag add_max_cycles_option(CLI::App& app, const std::string& otherwise, Cycle& max_cycles) {
  return flags::add_value_option(
      app, "--max-cycles", "C", "end a run after C cycles (default " + otherwise + ")",
      [&max_cycles](const std::string& text) { max_cycles = parse_whole_number("--max-cycles", text, 1, last_cycle); });
}

void add_execution_options(CLI::App& app, RunArguments& arguments) {
  const char* const group = "Execution";
  flags::add_value_option(app, "--threads", "N", "host threads of tbb and threads (default: all)",
                          [&arguments](const std::string& text) {
                            arguments.threads =
                                static_cast<unsigned>(parse_whole_number("--threads", text, 1, most_threads));
                          })
      .group(group);
  flags::add_value_option(
      app, "--executor", "NAME", "tbb (default), threads, sequential or seeded; the last two use 1 thread",
      [&arguments](const std::string& text) {
        arguments.executor = flags::parse_choice(
            "--executor", text,
            {ExecutorKind::tbb, ExecutorKind::threads, ExecutorKind::sequential, ExecutorKind::seeded});
      })
      .group(group);
  flags::add_value_option(
      app, "--schedule-seed", "S", "seed of the order in which seeded visits processors (default 1)",
      [&arguments](const std::string& text) {
        arguments.schedule_seed =
            parse_whole_number("--schedule-seed", text, 0, std::numeric_limits<std::uint64_t>::max());
      })
      .group(group);
  flags::add_value_option(app, "--channels", "KIND",
                          "queues of the links: lockfree (Boost.Lockfree's queues), compact, or auto (default: "
                          "lockfree up to 16 MiB of queues)",
                          [&arguments](const std::string& text) {
                            const auto kinds = {ChannelKind::lockfree, ChannelKind::compact};
                            const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                                           [&](ChannelKind each) { return name(each) == text; });
                            if (kind == kinds.end() && text != "auto") {
                              refuse_choice("--channels", text, {"lockfree", "compact", "auto"});
                            }
                            if (kind != kinds.end()) {
                              arguments.channels = *kind;
                            } else {
                              arguments.channels.reset();
                            }
                          })
      .group(group);
  flags::add_value_option(app, "--repeat", "R", "number of runs; wall-clock is their median (default 1)",
                          [&arguments](const std::string& text) {
                            arguments.repeat = parse_whole_number("--repeat", text, 1, most_repeats);
                          })
      .group(group);
  flags::add_value_option(app, "--warmup", "W", "runs before these that are not measured (default 0)",
                          [&arguments](const std::string& text) {
                            arguments.warmup = parse_whole_number("--warmup", text, 0, most_repeats);
                          })
      .group(group);
  add_max_cycles_option(app, "10^9", arguments.max_cycles).group(group);
  flags::add_value_option(
      app, "--memory-limit", "SIZE",
      "refuse a run that is estimated to need more, e.g. 8GiB or 500MB (default: what the host has left)",
      [&arguments](const std::string& text) {
        arguments.memory.limit = flags::parse_memory_size("--memory-limit", text);
      })
      .group(group);
  flags::add_flag(app, "--force", arguments.memory.force, "run whatever memory is estimated").group(group);
}

void add_guest_options(CLI::App& app, RunArguments& arguments) {
  const char* const group = "One machine on another";
  flags::add_value_option(app, "--emulate", "FAMILY",
                          "hypercube: run a method of the hypercube with as many processors, over longer paths",
                          [&arguments](const std::string& text) {
                            if (text != "hypercube") refuse_choice("--emulate", text, {"hypercube"});
                            arguments.emulate = text;
                          })
      .group(group);
  add_embed_options(app, group,
                    "run a method of SPEC embedded in the machine, e.g. torus:4x8 on hypercube:5 or complete:16 on "
                    "torus:4x4",
                    arguments.embed, arguments.map);
}

void add_embed_options(CLI::App& app, const std::string& group, const std::string& description,
                       std::optional<std::string>& embed, std::optional<std::string>& map) {
  const auto add = [&](const char* flag, const char* type, const std::string& text, std::optional<std::string>& value) {
    flags::Flag added =
        flags::add_value_option(app, flag, type, text, [&value](const std::string& given) { value = given; });
    if (!group.empty()) added.group(group);
  };
  add("--embed", "SPEC", description, embed);
  add("--map", "ORDER|FILE",
      "place its processors in that order (row-major, snake, gray, shuffled), or where a file has them: a rank of the "
      "machine a line",
      map);
}

void add_partition_option(CLI::App& app, const std::string& description,
                          std::function<void(PartitionKind partition)> take) {
  flags::add_value_option(app, "--partition", "NAME", description, [take = std::move(take)](const std::string& text) {
    take(flags::parse_choice("--partition", text, {PartitionKind::block, PartitionKind::gray, PartitionKind::metis}));
  });
}

void add_run_options(CLI::App& app, RunArguments& arguments) {
  add_machine_option(app, arguments);
  add_algorithm_option(app, "broadcast/sbt", arguments);
  add_guest_options(app, arguments);
  add_partition_option(app,
                       "how the processes that mpirun started divide the processors: block (default), gray or metis",
                       [&arguments](PartitionKind partition) { arguments.partition = partition; });
  add_settings(app, arguments, [](std::string_view) { return true; });
  flags::add_model_options(app, arguments.model);
  flags::add_fault_options(app, arguments.faults);
  add_execution_options(app, arguments);
  add_output_options(app, arguments);
  flags::set_footer(app, std::string(counts_explained) + "\n\n" + examples);
}

void add_trace_options(CLI::App& app, RunArguments& arguments) {
  TraceArguments& trace = arguments.trace.emplace();
  add_machine_option(app, arguments);
  add_algorithm_option(app, "broadcast/sbt", arguments);
  add_guest_options(app, arguments);
  add_trace_forms(app, trace);
  add_setting_options(
      app, [](std::string_view) { return true; },
      [&](const SettingFlag& flag, const std::string& text) {
        flag.set(arguments.settings, text);
        trace.word_bytes = arguments.settings.word_bytes;
        trace.settings.emplace_back(&flag, text);
      });
  flags::add_model_options(app, arguments.model);
  flags::add_fault_options(app, arguments.faults);
  add_execution_options(app, arguments);
  add_output_options(app, arguments);
  flags::set_footer(app, trace_examples);
}

namespace {

/// Whether `plan` can write schedules of the operation's methods.
bool has_schedule(std::string_view operation) { return moves_blocks(operation) || has_chunks(operation); }

}  // namespace

void add_plan_options(CLI::App& app, RunArguments& arguments) {
  arguments.plan = "-";
  add_machine_option(app, arguments);
  add_algorithm_option(app, "alltoall/greedy", arguments);
  add_guest_options(app, arguments);
  flags::add_value_option(app, "--output", "FILE|-", "file of the schedule (default: standard output)",
                          [&arguments](const std::string& text) { arguments.plan = text; });
  flags::add_value_option(
      app, "--format", "NAME", "lockstep (default), msccl (XML) or sccl (JSON)", [&arguments](const std::string& text) {
        arguments.format = flags::parse_choice("--format", text,
                                               {ScheduleFormat::lockstep, ScheduleFormat::msccl, ScheduleFormat::sccl});
      });
  const auto is_taken_by_a_mover_of_blocks = [](std::string_view name) {
    if (name == "output") return false;  // that is the schedule here
    return std::any_of(catalogue().begin(), catalogue().end(), [&](const Method* method) {
      return has_schedule(method->operation) && flags::takes(*method, name);
    });
  };
  add_settings(app, arguments, is_taken_by_a_mover_of_blocks);
  flags::add_model_options(app, arguments.model);
  flags::set_footer(app, plan_examples);
}

void add_validate_options(CLI::App& app, RunArguments& arguments) {
  arguments.schedule = "";
  flags::add_value_option(app, "schedule", "FILE",
                          "the schedule: MSCCL XML, SCCL's JSON, GOAL, SimGrid's trace, or the form of `lockstep plan`",
                          [&arguments](const std::string& text) { arguments.schedule = text; })
      .group(required);
  add_machine_option(app, arguments);
  add_settings(app, arguments, [](std::string_view name) {
    return flags::takes(written_schedule_method("alltoall"), name) || flags::takes(replay_method(), name);
  });
  flags::add_model_options(app, arguments.model);
  add_execution_options(app, arguments);
  add_output_options(app, arguments);
  flags::add_value_option(app, "--html", "FILE|-", "write a page for a browser that animates the run",
                          [&arguments](const std::string& text) { arguments.trace.emplace().html = text; })
      .group("Output");
  flags::set_footer(app, std::string(counts_explained) + "\n\n" + validate_examples);
}

}  // namespace lockstep::cli::run
