#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/status_line.hpp"
#include "report/plot.hpp"
#include "run/run_options.hpp"
#include "run/run_record.hpp"

namespace lockstep::cli::reproduce {

/// The verdict on a line of a paper, compared with the machine's counts.
enum class PaperVerdict {
  equal,    ///< equal to the counts
  bound,    ///< only a bound, which holds
  wrong,    ///< does not hold, according to the errata
  differs,  ///< should hold and does not
};

std::string_view name(PaperVerdict verdict);

/// The relation that a line of a paper claims to the counts.
enum class PaperClaim { equal, at_most, at_least };

/// A formula, an entry of a table, a sentence of a paper.
struct PaperLine {
  std::string name;  ///< "(4.3)", "scatter on the ring"
  PaperClaim claim = PaperClaim::equal;
  std::string mark{};       ///< of its note; empty if there is none
  bool is_erratum = false;  ///< it does not hold, according to the errata
};

/// Judges lines of a paper, each of which may have several values.
class Judgement {
 public:
  /// A line that does not hold differs, unless it is an erratum; an erratum must fail to hold for at least one value.
  PaperVerdict of(const PaperLine& line, double paper, double counted);

  /// All disagreements, one a line.
  std::vector<std::string> disagreements() const;

 private:
  std::vector<std::string> differing_;
  std::map<std::string, bool> errata_;  ///< whether they were seen, by name
};

using ReproducedValue = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct ReproducedTable {
  struct ReproducedRow {
    std::vector<ReproducedValue> values;  ///< one for every column
    std::optional<PaperVerdict> verdict{};
    std::string mark{};  ///< of the note that gives the reason; empty if there is none
  };

  std::string name;     ///< "counted": one word, for programs
  std::string title{};  ///< in text; empty where the reproduction's file has it
  std::vector<std::string> columns;
  std::vector<ReproducedRow> rows{};
};

/// A table of a paper, a set of its formulas or a figure, beside the counts.
struct Reproduction {
  struct Note {
    std::string mark;  ///< of an erratum in docs/algorithms, or a letter
    std::string text;
  };

  std::vector<ReproducedTable> tables{};
  std::vector<Note> notes{};
  std::vector<std::string> remarks{};
  std::vector<std::string> disagreements{};  ///< results that should agree and do not
  std::optional<report::Plot> plot{};        ///< where the entry has one
};

/// Thrown when a run of a reproduction fails.
class RunFailed : public std::exception {
 public:
  explicit RunFailed(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

/// Runs and predicts for a reproduction.
class ReproductionRuns {
 public:
  /// `quick`: only sizes that take seconds.
  ReproductionRuns(bool quick, bool quiet, const std::atomic<bool>& stop) : quick_(quick), quiet_(quiet), stop_(stop) {}

  bool quick() const { return quick_; }

  /// The run, verified, all of its counts as predicted. Throws RunFailed, Interrupted, InputError and MemoryError.
  run::RunRecord run(const run::RunArguments& arguments);
  /// The prediction for it. Throws InputError.
  run::RunRecord predict(const run::RunArguments& arguments) const;

 private:
  bool quick_;
  bool quiet_;
  const std::atomic<bool>& stop_;
  std::uint64_t done_ = 0;
  host::StatusLine status_{};
};

/// Adds steps, longest sum, time and the paper's value after the labels.
void add_timed_row(ReproducedTable& table, std::vector<ReproducedValue> labels, const PaperLine& line, double paper,
                   const run::RunRecord& record, Judgement& judgement);

/// Flags for a run or prediction: the machine, the method and the words, at a start-up of beta and a word of 1.
run::RunArguments arguments_for(const std::string& machine, const std::string& method,
                                std::optional<std::uint64_t> words, double beta = 1);

/// A named reproduction: the function that computes it, and the texts of texts/reproductions/NAME.md.
struct ReproductionEntry {
  std::string name;     ///< "saad-schultz-table-1"
  std::string source;   ///< paper, section
  std::string summary;  ///< one line
  Reproduction (*compute)(ReproductionRuns& runs);
  std::map<std::string, std::string> titles{};  ///< of tables, by their names
  std::string plot_title{};                     ///< empty where there is no plot
  std::vector<Reproduction::Note> notes{};
  std::vector<std::string> remarks{};

  bool has_plot() const { return !plot_title.empty(); }
  /// The result of compute() with these texts.
  Reproduction reproduce(ReproductionRuns& runs) const;
};

/// All reproductions in the order of the list.
std::span<const ReproductionEntry> reproductions();

/// Throws InputError with the nearest name.
const ReproductionEntry& find_reproduction(const std::string& name);

}  // namespace lockstep::cli::reproduce
