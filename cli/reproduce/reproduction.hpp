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

/// What came of a line of a paper when the machine counted the same.
enum class Verdict {
  equal,    ///< it says what was counted
  bound,    ///< it is only a bound, which holds
  wrong,    ///< it does not hold, as the errata say
  differs,  ///< it should hold and does not
};

std::string_view name(Verdict verdict);

/// What a line of a paper says of what is counted.
enum class Claim { equal, at_most, at_least };

/// A formula, an entry of a table, a sentence of a paper.
struct PaperLine {
  std::string name;  ///< "(4.3)", "scatter on the ring"
  Claim claim = Claim::equal;
  std::string mark{};       ///< of the note that says what is to be said of it; empty if there is none
  bool is_erratum = false;  ///< the errata say that it does not hold
};

/// Judges lines of a paper, each of which may have several values.
class Judgement {
 public:
  /// A line that does not hold differs, unless it is an erratum; an erratum has to be seen not to hold for one value.
  Verdict of(const PaperLine& line, double paper, double counted);

  /// Everything that is not as it should be, a line each.
  std::vector<std::string> disagreements() const;

 private:
  std::vector<std::string> differing_;
  std::map<std::string, bool> errata_;  ///< whether they were seen, by name
};

using ReproducedValue = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct ReproducedTable {
  struct Row {
    std::vector<ReproducedValue> values;  ///< one for every column
    std::optional<Verdict> verdict{};
    std::string mark{};  ///< of the note that gives the reason; empty if there is none
  };

  std::string name;     ///< "counted": one word, for programs
  std::string title{};  ///< for people; empty where the text of the reproduction has it
  std::vector<std::string> columns;
  std::vector<Row> rows{};
};

/// A table of a paper, a set of its formulas or a figure, beside what was counted.
struct Reproduction {
  struct Note {
    std::string mark;  ///< of an erratum in docs/algorithms, or a letter
    std::string text;
  };

  std::vector<ReproducedTable> tables{};
  std::vector<Note> notes{};
  std::vector<std::string> remarks{};
  std::vector<std::string> disagreements{};  ///< what should agree and does not; empty if all is well
  std::optional<report::Plot> plot{};        ///< where the entry says that there is one
};

/// Thrown where a run of a reproduction does not come out right.
class RunFailed : public std::exception {
 public:
  explicit RunFailed(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

/// What a reproduction runs and predicts with.
class ReproductionRuns {
 public:
  /// `quick`: only what takes seconds.
  ReproductionRuns(bool quick, bool quiet, const std::atomic<bool>& stop) : quick_(quick), quiet_(quiet), stop_(stop) {}

  bool quick() const { return quick_; }

  /// The run, verified, all of its counts as predicted. Throws RunFailed, Interrupted, InputError and MemoryError.
  run::RunRecord run(const run::RunArguments& arguments);
  /// What is predicted of it. Throws InputError.
  run::RunRecord predict(const run::RunArguments& arguments) const;

 private:
  bool quick_;
  bool quiet_;
  const std::atomic<bool>& stop_;
  std::uint64_t done_ = 0;
  host::StatusLine status_{};
};

/// Adds steps, longest sum, time and the paper's value behind the labels.
void add_timed_row(ReproducedTable& table, std::vector<ReproducedValue> labels, const PaperLine& line, double paper,
                   const run::RunRecord& record, Judgement& judgement);

/// Flags for a run or prediction: the machine, the method and the words, at a start-up of beta and a word of 1.
run::RunArguments run_of(const std::string& machine, const std::string& method, std::optional<std::uint64_t> words,
                         double beta = 1);

/// What `lockstep reproduce` knows by a name: what computes, and the words of texts/reproductions/NAME.md.
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
  /// What compute() makes, with these words.
  Reproduction reproduce(ReproductionRuns& runs) const;
};

/// In the order in which people see them.
std::span<const ReproductionEntry> reproductions();

/// Throws InputError with the nearest name.
const ReproductionEntry& find_reproduction(const std::string& name);

}  // namespace lockstep::cli::reproduce
