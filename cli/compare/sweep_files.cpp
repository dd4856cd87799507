#include "sweep_files.hpp"

#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"

namespace lockstep::cli::compare {

RowsOfFile::RowsOfFile(RowForm form, const std::string& path, const SweepArguments& arguments,
                       const PlannedTrials& planned, const report::Quantity& criterion)
    : form_(form),
      arguments_(arguments),
      file_(path, {header_of(form, arguments), beginning_of(form, arguments)}, arguments.resume) {
  for (std::size_t line = 0; line < file_.lines().size(); ++line) {
    try {
      note(read_row(form, arguments, file_.lines()[line], criterion), planned, criterion);
    } catch (const InputError& error) {
      throw InputError(file_.place_of(line) + " " + error.what());
    }
  }
}

const SweepRow* RowsOfFile::find(const std::string& key) const {
  const auto row = done_.find(key);
  return row == done_.end() ? nullptr : &row->second;
}

void RowsOfFile::note(SweepRow row, const PlannedTrials& planned, const report::Quantity& criterion) {
  const auto trial = planned.find(row.key);
  if (trial == planned.end()) throw InputError("is of no run of this sweep: " + printable(row.key));
  std::string line = row_of(form_, arguments_, *trial->second);
  line.pop_back();
  refuse_other_run(row, read_row(form_, arguments_, line, criterion));
  row.asked.clear();
  const std::string key = row.key;
  if (!done_.emplace(key, std::move(row)).second) throw InputError("has what another line has: " + printable(key));
}

SweepFiles::SweepFiles(const SweepArguments& arguments, const std::vector<SweepTrial>& trials,
                       const report::Quantity& criterion) {
  PlannedTrials planned;
  for (const SweepTrial& trial : trials) {
    if (arguments.resume) planned.emplace(key_of(arguments, trial), &trial);
  }
  if (arguments.csv) csv_.emplace(RowForm::csv, *arguments.csv, arguments, planned, criterion);
  if (arguments.jsonl) jsonl_.emplace(RowForm::json, *arguments.jsonl, arguments, planned, criterion);
  if (csv_) csv_->begin();
  if (jsonl_) jsonl_->begin();
}

const SweepRow* SweepFiles::find(const std::string& key) const {
  const SweepRow* const in_csv = csv_ ? csv_->find(key) : nullptr;
  const SweepRow* const in_jsonl = jsonl_ ? jsonl_->find(key) : nullptr;
  if ((csv_ && in_csv == nullptr) || (jsonl_ && in_jsonl == nullptr)) return nullptr;
  return csv_ ? in_csv : in_jsonl;
}

void SweepFiles::add(const std::string& key, const std::string& in_csv, const std::string& in_jsonl) {
  if (csv_ && csv_->find(key) == nullptr) csv_->add(in_csv);
  if (jsonl_ && jsonl_->find(key) == nullptr) jsonl_->add(in_jsonl);
}

}  // namespace lockstep::cli::compare
