#include "selection_file.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "flags/setting_flags.hpp"
#include "host/joined.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "sweep_axis.hpp"

namespace lockstep::cli::compare {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t word_bytes = 8;

/// One algorithm under the names of three libraries; empty (0) where a library lacks it.
struct KnownMethod {
  std::string_view name;      ///< of the catalogue
  std::string_view families;  ///< on which it is that algorithm: "switch ring"; empty: all
  std::string_view openmpi;
  unsigned openmpi_id;
  std::string_view mpich;
  std::string_view nccl;
};

constexpr std::string_view switches_and_rings =
    "switch omega inverse-omega indirect-cube data-manipulator complete ring";

constexpr std::array<KnownMethod, 24> known_methods{{
    {"allgather/adea", "", "recursive_doubling", 3, "MPIR_Allgather_intra_recursive_doubling", ""},
    {"allgather/daisy-chain", switches_and_rings, "ring", 4, "MPIR_Allgather_intra_ring", "ring"},
    {"allgather/doubling", "", "bruck-k-fanout", 2, "MPIR_Allgather_intra_brucks", ""},
    {"allgather/neighbour-exchange", "", "neighbor", 5, "", ""},
    {"allgather/sparbit", "", "sparbit", 7, "", ""},
    {"allreduce/dimension-exchange", "", "recursive_doubling", 3, "MPIR_Allreduce_intra_recursive_doubling", ""},
    {"allreduce/rabenseifner", "", "rabenseifner", 6, "MPIR_Allreduce_intra_reduce_scatter_allgather", ""},
    {"allreduce/recursive-doubling", "", "recursive_doubling", 3, "MPIR_Allreduce_intra_recursive_doubling", ""},
    {"allreduce/ring", "", "ring", 4, "MPIR_Allreduce_intra_ring", "ring"},
    {"allreduce/two-tree", "", "", 0, "", "tree"},
    {"alltoall/bruck", "", "modified_bruck", 3, "MPIR_Alltoall_intra_brucks", ""},
    {"alltoall/pairwise", "", "pairwise", 2, "MPIR_Alltoall_intra_pairwise", ""},
    {"broadcast/doubling", "", "binomial", 6, "MPIR_Bcast_intra_binomial", ""},
    {"broadcast/k-nomial", "", "knomial", 7, "", ""},
    {"broadcast/ring", "", "pipeline", 3, "", "ring"},
    {"broadcast/sbt", "hypercube", "binomial", 6, "MPIR_Bcast_intra_binomial", ""},
    {"broadcast/scatter-allgather", "switch complete", "scatter_allgather_ring", 9,
     "MPIR_Bcast_intra_scatter_ring_allgather", ""},
    {"broadcast/scatter-doubling", "", "scatter_allgather", 8, "MPIR_Bcast_intra_scatter_recursive_doubling_allgather",
     ""},
    {"broadcast/tree-heap", "", "binary_tree", 5, "", ""},
    {"reduce/binomial", "", "binomial", 5, "MPIR_Reduce_intra_binomial", ""},
    {"reduce/chain", "", "pipeline", 3, "", "ring"},
    {"reduce-scatter/halving", "", "recursive_halving", 2, "MPIR_Reduce_scatter_intra_recursive_halving", ""},
    {"reduce-scatter/pairwise", "", "", 0, "MPIR_Reduce_scatter_intra_pairwise", ""},
    {"reduce-scatter/ring", "", "ring", 3, "", "ring"},
}};

/// An operation whose algorithm the libraries choose by the size of a message.
struct KnownOperation {
  std::string_view name;  ///< of the catalogue
  std::string_view openmpi;
  unsigned openmpi_id;
  std::string_view mpich;
  std::string_view nccl;   ///< empty: NCCL chooses none
  bool is_of_blocks;       ///< --words is one block, a library's size all ranks' blocks
  std::string_view size;   ///< MPICH's name of that size
  std::string_view other;  ///< MPICH's algorithm for other communicators: correct for any
  /// MPICH's condition for the choice, its opposite, and the algorithm for that; empty: no condition.
  std::string_view may, may_not, else_method;
};

constexpr std::array<KnownOperation, 6> known_operations{{
    {"allgather", "allgather", 0, "allgather", "allgather", true, "total_msg_size", "MPIR_Allgather_intra_brucks", "",
     "", ""},
    {"allreduce", "allreduce", 2, "allreduce", "allreduce", false, "avg_msg_size",
     "MPIR_Allreduce_intra_recursive_doubling", "is_op_built_in=yes", "is_op_built_in=no",
     "MPIR_Allreduce_intra_recursive_doubling"},
    {"alltoall", "alltoall", 3, "alltoall", "", true, "total_msg_size", "MPIR_Alltoall_intra_pairwise",
     "is_sendbuf_inplace=no", "is_sendbuf_inplace=yes", "MPIR_Alltoall_intra_pairwise_sendrecv_replace"},
    {"broadcast", "bcast", 7, "bcast", "broadcast", false, "avg_msg_size", "MPIR_Bcast_intra_binomial", "", "", ""},
    {"reduce", "reduce", 11, "reduce", "reduce", false, "avg_msg_size", "MPIR_Reduce_intra_binomial", "", "", ""},
    {"reduce-scatter", "reduce_scatter", 12, "reduce_scatter", "reducescatter", false, "total_msg_size",
     "MPIR_Reduce_scatter_intra_pairwise", "is_commutative=yes", "is_commutative=no",
     "MPIR_Reduce_scatter_intra_recursive_doubling"},
}};

std::string_view library(SelectionFormat format) {
  if (format == SelectionFormat::mpich_json) return "MPICH";
  return format == SelectionFormat::nccl_csv ? "NCCL" : "Open MPI";
}

/// The library's name of it; empty if the library lacks it.
std::string_view name_there(SelectionFormat format, const auto& known) {
  if (format == SelectionFormat::mpich_json) return known.mpich;
  return format == SelectionFormat::nccl_csv ? known.nccl : known.openmpi;
}

const KnownOperation* find_operation(SelectionFormat format, std::string_view name) {
  const auto found = std::ranges::find(known_operations, name, &KnownOperation::name);
  return found == known_operations.end() || name_there(format, *found).empty() ? nullptr : &*found;
}

const KnownMethod& known_method(std::string_view name) {
  return *std::ranges::find(known_methods, name, &KnownMethod::name);
}

/// Whether the library has the plan's algorithm.
bool has(SelectionFormat format, const run::RunPlan& plan) {
  const auto found = std::ranges::find(known_methods, std::string_view(plan.method->name), &KnownMethod::name);
  if (found == known_methods.end() || name_there(format, *found).empty()) return false;
  if (found->name == "alltoall/bruck" && plan.settings.radix != 2U) return false;
  const std::string families = " " + std::string(found->families) + " ";
  return found->families.empty() || families.find(" " + plan.machine.family + " ") != std::string::npos;
}

SelectionRule rule_of(const Win& win, std::uint64_t word) {
  const run::RunPlan& last = win.last.record->plan;
  SelectionRule rule{.first_byte = std::stoull(win.lead.from) * word,
                     .last_byte = std::stoull(win.lead.to) * word,
                     .method = win.first.method};
  const std::uint64_t packets = last.settings.packets.value_or(1);
  if (packets > 1) rule.segment_bytes = (*last.settings.words + packets - 1) / packets * word_bytes;
  if (last.method->name == "broadcast/k-nomial" || last.method->name == "alltoall/bruck") {
    rule.radix = *last.settings.radix;
  } else if (last.method->name == "allgather/doubling") {
    rule.radix = 2;
  }
  return rule;
}

std::string openmpi_json(const Selection& selection, const KnownOperation& operation) {
  Json rules = Json::array();
  for (const SelectionRule& rule : selection.rules) {
    rules.push_back({{"msg_size_min", rule.first_byte},
                     {"msg_size_max", rule.last_byte},
                     {"alg", known_method(rule.method).openmpi},
                     {"faninout", rule.radix},
                     {"seg_size", rule.segment_bytes}});
  }
  Json sizes = Json::array();
  sizes.push_back(
      {{"comm_size_min", selection.ranks}, {"comm_size_max", selection.ranks}, {"rules", std::move(rules)}});
  const Json json{{"rule_file_version", 3},
                  {"module", "tuned"},
                  {"collectives", {{std::string(operation.openmpi), std::move(sizes)}}}};
  return json.dump(2) + "\n";
}

/// Algorithm 0 leaves the choice to Open MPI: beyond the range, and in larger communicators.
std::string openmpi_text(const Selection& selection, const KnownOperation& operation) {
  std::vector<std::string> lines;
  if (selection.rules.front().first_byte > 0) lines.emplace_back("0 0 0 0");
  for (const SelectionRule& rule : selection.rules) {
    const KnownMethod& known = known_method(rule.method);
    lines.push_back(std::to_string(rule.first_byte) + " " + std::to_string(known.openmpi_id) + " " +
                    std::to_string(rule.radix) + " " + std::to_string(rule.segment_bytes) + " # " +
                    std::string(known.openmpi) + ": " + rule.method);
  }
  lines.push_back(std::to_string(selection.rules.back().last_byte + 1) + " 0 0 0");
  std::string text = "rule-file-version-2\n1 # collectives\n" + std::to_string(operation.openmpi_id) + " # " +
                     std::string(operation.openmpi) + "\n2 # sizes of communicators\n" +
                     std::to_string(selection.ranks) + "\n" + std::to_string(lines.size()) +
                     " # rules: bytes algorithm faninout segment\n";
  for (const std::string& line : lines) text += line + "\n";
  return text + std::to_string(selection.ranks + 1) + "\n1\n0 0 0 0\n";
}

Json mpich_leaf(std::string_view method) { return {{"algorithm=" + std::string(method), Json::object()}}; }

/// MPICH asserts that every call has a choice, so calls outside all ranges get one too.
std::string mpich_json(const Selection& selection, const KnownOperation& operation) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  Json ranges = Json::object();
  for (const SelectionRule& rule : selection.rules) {
    const KnownMethod& known = known_method(rule.method);
    Json leaf = mpich_leaf(known.mpich);
    if (rule.method == "allreduce/rabenseifner") {
      leaf = Json{{"count<pow2", mpich_leaf(operation.other)}, {"count=any", std::move(leaf)}};
    }
    const bool is_last = &rule == &selection.rules.back();
    if (!is_last && rule.last_byte > most) {
      throw InputError("mpich-json distinguishes sizes up to " + std::to_string(most) +
                       " bytes; here a range ends at " + std::to_string(rule.last_byte));
    }
    ranges[std::string(operation.size) + (is_last ? "=any" : "<=" + std::to_string(rule.last_byte))] = std::move(leaf);
  }
  if (!operation.may.empty()) {
    ranges = Json{{std::string(operation.may_not), mpich_leaf(operation.else_method)},
                  {std::string(operation.may), std::move(ranges)}};
  }
  Json sizes = Json::object();
  if (selection.ranks > 1) sizes["comm_size<=" + std::to_string(selection.ranks - 1)] = mpich_leaf(operation.other);
  sizes["comm_size<=" + std::to_string(selection.ranks)] = std::move(ranges);
  sizes["comm_size=any"] = mpich_leaf(operation.other);
  const Json json{{"collective=" + std::string(operation.mpich), {{"comm_type=intra", std::move(sizes)}}}};
  return json.dump(2) + "\n";
}

/// NCCL chooses protocol, channels and nodes itself.
std::string nccl_csv(const Selection& selection, const KnownOperation& operation) {
  std::string text =
      "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n";
  for (const SelectionRule& rule : selection.rules) {
    text += std::string(operation.nccl) + "," + std::to_string(rule.first_byte) + "," + std::to_string(rule.last_byte) +
            "," + std::string(known_method(rule.method).nccl) + ",simple,-1,-1," + std::to_string(selection.ranks) +
            ",-1,-1\n";
  }
  return text;
}

}  // namespace

std::string_view name(SelectionFormat format) {
  switch (format) {
    case SelectionFormat::openmpi_json:
      return "openmpi-json";
    case SelectionFormat::openmpi_text:
      return "openmpi-text";
    case SelectionFormat::mpich_json:
      return "mpich-json";
    case SelectionFormat::nccl_csv:
      return "nccl-csv";
  }
  return "";
}

std::string Selection::note() const {
  if (left_out.empty()) return {};
  return std::string(library(format)) + " has no id for " + host::joined(left_out);
}

std::string Selection::text() const {
  const KnownOperation& known = *find_operation(format, operation);
  const std::string comment = left_out.empty() ? "" : "# " + note() + "\n";
  switch (format) {
    case SelectionFormat::openmpi_json:
      return openmpi_json(*this, known);
    case SelectionFormat::openmpi_text:  // its first line has to be the version
      return openmpi_text(*this, known) + comment;
    case SelectionFormat::mpich_json:
      return mpich_json(*this, known);
    case SelectionFormat::nccl_csv:
      return comment + nccl_csv(*this, known);
  }
  return {};
}

void refuse_selection(SelectionFormat format, const SweepArguments& arguments) {
  const std::string flag = "--write " + std::string(name(format));
  const std::string& operation = arguments.trials.operation;
  if (find_operation(format, operation) == nullptr) {
    std::vector<std::string_view> known;
    for (const KnownOperation& one : known_operations) {
      if (!name_there(format, one).empty()) known.push_back(one.name);
    }
    throw InputError(flag + " is for " + host::joined(known) + ", not " + printable(operation));
  }
  if (varied_name(arguments) != "words") {
    throw InputError(flag + " writes ranges of sizes: it needs a range of --words, not of " + varied_name(arguments));
  }
  const std::vector<PortModel>& ports = arguments.trials.ports;
  if (!ports.empty() && ports != std::vector{PortModel::one}) {
    throw InputError(flag + " is for --ports one: processes of " + std::string(library(format)) +
                     " send and receive one message at a time");
  }
}

Selection selection(SelectionFormat format, const Best& best) {
  Selection made{.format = format, .operation = best.arguments.trials.operation, .rules = {}, .left_out = {}};
  SweepArguments arguments = best.arguments;
  arguments.trials.ports = {PortModel::one};
  std::vector<const Method*> known;
  for (const SweepTrial& trial : best.trials) {
    if (!trial.trial.record) continue;
    const run::RunPlan& plan = trial.trial.record->plan;
    made.ranks = plan.machine.processors;
    if (has(format, plan)) {
      known.push_back(plan.method);
    } else if (std::ranges::find(made.left_out, plan.name) == made.left_out.end()) {
      made.left_out.push_back(plan.name);
      arguments.trials.left_out.push_back(plan.method);
    }
  }
  if (known.empty()) throw InputError(made.note() + ", and none of its other methods runs here");
  std::erase_if(arguments.trials.settings, [&](const auto& given) {  // such as --radix of a method that is left out
    return std::ranges::none_of(known, [&](const Method* method) { return flags::takes(*method, given.first->name); });
  });
  const Best found = find_best(arguments, best.criterion);
  const std::uint64_t word = word_bytes * (find_operation(format, made.operation)->is_of_blocks ? made.ranks : 1);
  for (const Win& win : found.wins) {
    const Lead& first = found.wins.front().lead;
    if (!win.lead.is_beside(first)) {
      throw InputError("--write " + std::string(name(format)) + " is for one task; here are " + first.task + ", " +
                       text_of(first.rules) + " and " + win.lead.task + ", " + text_of(win.lead.rules));
    }
    if (!made.rules.empty()) made.rules.back().last_byte = std::stoull(win.lead.from) * word - 1;
    made.rules.push_back(rule_of(win, word));
  }
  return made;
}

}  // namespace lockstep::cli::compare
