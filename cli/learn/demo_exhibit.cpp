#include "demo_exhibit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "demo_picture.hpp"
#include "host/number_text.hpp"
#include "host/table.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep::cli::learn {
namespace {

constexpr std::size_t least_width = 38;  ///< in which an exhibit is readable
constexpr std::size_t gap = 3;
constexpr std::size_t inset = 2;
constexpr std::size_t most_moves = 24;
constexpr std::size_t most_groups = 16;
constexpr std::size_t most_blocks = 8;

void add(Lines& lines, const std::string& text) {
  for (std::string& line : lines_of(text)) lines.push_back(std::move(line));
}

std::size_t blocks_a_row(std::size_t blocks, std::size_t width) {
  return std::max<std::size_t>(1, std::min(blocks, (width + gap) / (least_width + gap)));
}

void add_heading(Lines& lines, const std::string& text, std::size_t width, const host::Style& style) {
  for (const std::string& line : lines_of(host::wrapped("", text, 0, width))) lines.push_back(style.heading(line));
}

Lines titled(const ShownRun& run, std::size_t width, const host::Style& style) {
  Lines lines;
  if (!run.exhibit().title.empty()) add_heading(lines, run.exhibit().title, width, style);
  return lines;
}

/// The number of the trace's cycles before that one.
std::size_t cycles_before(const run::Trace& trace, Cycle cycle) {
  const auto& cycles = trace.cycles();
  return static_cast<std::size_t>(std::ranges::lower_bound(cycles, cycle, {}, &run::TracedCycle::cycle) -
                                  cycles.begin());
}

/// ● before processors that hold something and ○ before others, unless all do from the beginning.
std::vector<std::string> labels(const ShownRun& run, std::size_t cycles) {
  const auto* groups = run.held_after(cycles);
  if (groups == nullptr) return {};
  std::size_t holders = 0;
  for (const trace::Holders::HolderGroup& group : *run.held_after(0)) holders += group.ranks.size();
  if (holders == run.machine().processors) return {};
  std::vector<std::string> shown;
  for (Rank rank = 0; rank < run.machine().processors; ++rank) shown.push_back("○" + std::to_string(rank));
  for (const trace::Holders::HolderGroup& group : *groups) {
    for (const Rank rank : group.ranks) shown[rank] = "●" + std::to_string(rank);
  }
  return shown;
}

void add_picture(Lines& lines, const ShownRun& run, std::span<const run::TracedMessage> messages, std::size_t cycles,
                 std::size_t width) {
  std::vector<PictureLink> active;
  for (const run::TracedMessage& message : messages) {
    for (const End& to : run.trace().receivers(message)) active.push_back({message.from, to.rank});
  }
  std::string picture = machine_picture(run.machine(), active, labels(run, cycles), width - inset);
  if (picture.empty()) picture = machine_picture(run.machine(), active, {}, width - inset);
  for (const std::string& line : lines_of(picture)) lines.push_back(std::string(inset, ' ') + line);
}

/// "knows of 0 1 2 … (12)"
std::string known_text(std::span<const BlockLabels> known) {
  constexpr std::size_t most_known = 16;
  std::vector<Rank> ranks;
  for (const BlockLabels& block : known.first(std::min(known.size(), most_known))) ranks.push_back(block.origin);
  return "knows of" + trace::ranks_text(ranks) +
         (known.size() > most_known ? " … (" + std::to_string(known.size()) + ")" : "");
}

void add_holders(Lines& lines, const ShownRun& run, std::size_t cycles, std::size_t width) {
  const bool is_held = run.held_after(cycles) != nullptr;
  const auto* groups = is_held ? run.held_after(cycles) : run.known_after(cycles);
  if (groups == nullptr || (!is_held && cycles == 0)) return;
  std::size_t shown = 0;
  for (const auto& [ranks, blocks] : *groups) {
    if (shown++ == most_groups) {
      lines.push_back("    … and " + std::to_string(groups->size() - most_groups) + " more");
      return;
    }
    const bool is_all = ranks.size() == run.machine().processors;
    const std::string holders = is_all ? " all" : trace::ranks_text(ranks);
    add(lines, host::wrapped("  ●",
                             holders.substr(1) + ": " +
                                 (is_held ? trace::text_of_blocks(blocks, most_blocks) : known_text(blocks)),
                             4, width));
  }
}

std::string cargo(const ShownRun& run, const run::TracedMessage& message) {
  const bool says_less = run.trace().has_parts() || !message.lists_blocks || message.blocks == 0;
  if (says_less) return host::counted(message.words, "word");
  return trace::text_of_blocks(run.trace().blocks(message), most_blocks);
}

/// Cells in columns; a cell that is too wide is wrapped.
void add_cells(Lines& lines, const Lines& cells, std::size_t width) {
  std::size_t widest = 0;
  for (const std::string& cell : cells) widest = std::max(widest, host::columns(cell));
  const std::size_t in_row = std::max<std::size_t>(1, (width - 2 + gap) / (widest + gap));
  for (std::size_t first = 0; first < cells.size(); first += in_row) {
    const std::size_t last = std::min(cells.size(), first + in_row);
    if (in_row == 1) {
      add(lines,
          host::columns(cells[first]) + 2 <= width ? "  " + cells[first] : host::wrapped("", cells[first], 4, width));
      continue;
    }
    std::string row = " ";
    for (std::size_t index = first; index < last; ++index) {
      row += (index == first ? " " : "   ") + (index + 1 == last ? cells[index] : host::left(cells[index], widest));
    }
    lines.push_back(row);
  }
}

void add_moves(Lines& lines, const ShownRun& run, std::span<const run::TracedMessage> messages, std::size_t width) {
  const run::Trace& trace = run.trace();
  const std::string load = cargo(run, messages.front());
  const bool is_same =
      std::ranges::all_of(messages, [&](const run::TracedMessage& message) { return cargo(run, message) == load; });
  double clock = 0;
  for (const run::TracedMessage& message : messages) clock = std::max(clock, message.end);
  add(lines, host::wrapped("",
                           host::counted(messages.size(), "message") + (is_same ? " of " + load : "") +
                               ", there at time " + host::short_number(clock),
                           2, width));
  Lines cells;
  for (const run::TracedMessage& message : messages.first(std::min(messages.size(), most_moves))) {
    cells.push_back(trace::ends_text(trace, message, trace::rank_width(run.machine())) +
                    (is_same ? "" : "  " + cargo(run, message)));
  }
  if (messages.size() > most_moves) cells.push_back("…");
  add_cells(lines, cells, width);
}

void add_code(Lines& lines, const ShownRun& run, Cycle cycle, std::size_t width) {
  if (!run.code()) return;
  const auto& steps = run.code()->steps;
  const auto step = std::ranges::find(steps, cycle, &texts::PseudoCode::Step::cycle);
  if (step == steps.end()) return;
  const std::string values = step->values.empty() ? "" : " (" + step->values + ")";
  std::string text = run.code()->lines[step->line];
  // An unfinished sentence continues on the next line.
  for (std::size_t line = step->line + 1;
       line < run.code()->lines.size() && (text.ends_with(',') || text.ends_with(';')); ++line) {
    const std::string& next = run.code()->lines[line];
    text += " " + next.substr(std::min(next.find_first_not_of(' '), next.size()));
  }
  add(lines, host::wrapped("  ▸", text + values, 4, width));
}

/// "≤ 5" for an upper bound.
template <class Predicted>
std::string predicted_text(const std::optional<Predicted>& predicted, const std::string& value) {
  if (!predicted) return "";
  return (predicted->exact ? "" : "≤ ") + value;
}

std::string counts_of(const ShownRun& run) {
  const run::RunRecord& record = run.record();
  const Report& report = record.outcome.report;
  std::vector<host::Column> columns{
      {"", true, {}}, {"counted", false, {}}, {"predicted", false, {}}, {"bound", false, {}}};
  const auto row = [&columns](const std::string& name, const std::string& counted, const std::string& predicted,
                              const std::string& bound) {
    std::size_t column = 0;
    for (const std::string& cell : {"  " + name, counted, predicted, bound}) columns[column++].cells.push_back(cell);
  };
  const auto count = [&row](const std::string& name, std::uint64_t counted, const std::optional<Count>& predicted,
                            const std::optional<std::uint64_t>& bound = {}) {
    row(name, host::grouped(counted), predicted_text(predicted, predicted ? host::grouped(predicted->value) : ""),
        bound ? host::grouped(*bound) : "");
  };
  count("steps", report.steps, record.prediction.steps, record.lower_bound.steps);
  count("messages", report.messages, record.prediction.messages);
  count("words", report.words, record.prediction.words);
  const auto times = run::predicted_times(record);
  const auto& least = record.lower_bound.time;
  const bool is_same =
      host::short_number(report.time_synchronous, 6) == host::short_number(report.time_asynchronous, 6);
  for (const run::PredictedTime& time : times) {
    row(&time == &times.front() ? "time" : "async.", host::short_number(time.taken, 6),
        predicted_text(time.predicted, time.predicted ? host::short_number(time.predicted->value, 6) : ""),
        least ? host::short_number(std::floor(least->value * 100) / 100, 6) : "");
    if (is_same) break;
  }
  for (std::size_t column = columns.size() - 1; column > 1; --column) {
    const auto& cells = columns[column].cells;
    if (std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty(); }))
      columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return host::plain_table(columns);
}

}  // namespace

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t block_width(std::size_t blocks, std::size_t width) {
  const std::size_t in_row = blocks_a_row(blocks, width);
  return (width - gap * (in_row - 1)) / in_row;
}

std::string side_by_side(const std::vector<Lines>& blocks, std::size_t width) {
  const std::size_t in_row = blocks_a_row(blocks.size(), width);
  const std::size_t block = block_width(blocks.size(), width);
  std::string text;
  for (std::size_t first = 0; first < blocks.size(); first += in_row) {
    const std::span row = std::span(blocks).subspan(first, std::min(in_row, blocks.size() - first));
    std::size_t height = 0;
    for (const Lines& lines : row) height = std::max(height, lines.size());
    if (first > 0) text += "\n";
    for (std::size_t index = 0; index < height; ++index) {
      std::string line;
      for (const Lines& lines : row) {
        if (&lines != &row.front()) line += std::string(gap, ' ');
        line += host::left(index < lines.size() ? lines[index] : "", block);
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  return text;
}

Lines before_the_run(const ShownRun& run, std::size_t width, const host::Style& style) {
  const std::string name = printable(run.record().plan.name);
  const std::string what = name + " on " + printable(run.machine().text);
  Lines lines;
  if (run.exhibit().title == name) {
    add_heading(lines, what, width, style);
  } else {
    lines = titled(run, width, style);
    add(lines, host::wrapped("", what, inset, width));
  }
  add_picture(lines, run, {}, 0, width);
  add_holders(lines, run, 0, width);
  if (run.exhibit().program) {
    lines.emplace_back();
    for (const std::string& line : run.exhibit().program->lines)
      add(lines, host::wrapped("  ▸", line, 2 * inset, width));
  }
  return lines;
}

Lines in_cycle(const ShownRun& run, Cycle cycle, std::size_t width, const host::Style& style) {
  const run::Trace& trace = run.trace();
  Lines lines = titled(run, width, style);
  const std::size_t before = cycles_before(trace, cycle);
  const bool moves = before < trace.cycles().size() && trace.cycles()[before].cycle == cycle;
  const std::span<const run::TracedMessage> messages =
      moves ? trace.messages_of(before) : std::span<const run::TracedMessage>();
  const std::size_t after = before + (moves ? 1 : 0);
  add_picture(lines, run, messages, after, width);
  if (moves) {
    add_moves(lines, run, messages, width);
  } else {
    const bool is_over = before == trace.cycles().size();
    lines.push_back(!is_over        ? "  nothing moves"
                    : run.failure() ? "  " + style.bad("stopped by the machine: " + run.failure()->kind)
                                    : "  has ended");
  }
  add_holders(lines, run, after, width);
  add_code(lines, run, cycle, width);
  return lines;
}

Lines after_the_run(const ShownRun& run, std::size_t width, const host::Style& style) {
  Lines lines = titled(run, width, style);
  if (!run.failure()) {
    add(lines, counts_of(run));
    return lines;
  }
  lines.push_back(style.bad("The machine says:"));
  add(lines, host::wrapped("", printable(run.failure()->text, 2000), 2, width));
  lines.push_back("See: lockstep explain " + run.failure()->kind);
  return lines;
}

}  // namespace lockstep::cli::learn
