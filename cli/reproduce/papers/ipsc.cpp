// Johnsson & Ho's results for transpositions on the Intel iPSC, repeated on an emulated one.
#include "ipsc.hpp"

#include <algorithm>
#include <cmath>

#include "lockstep/machines/cost_presets.hpp"

namespace lockstep::cli::reproduce {
namespace {

constexpr auto threshold = static_cast<double>(ipsc_copy_threshold);

const CostPreset& preset() { return *std::ranges::find(cost_presets(), "ipsc", &CostPreset::name); }

double packets(double words) { return std::ceil(words / static_cast<double>(ipsc_cost().max_packet_words)); }

std::vector<IpscMatrix> matrices(const std::vector<std::uint64_t>& sides,
                                 const std::vector<std::uint64_t>& dimensions) {
  std::vector<IpscMatrix> all;
  for (const std::uint64_t side : sides) {
    for (const std::uint64_t n : dimensions) all.push_back({side, n});
  }
  return all;
}

}  // namespace

double IpscMatrix::N() const { return std::exp2(n); }
double IpscMatrix::K() const { return static_cast<double>(side * side) / N(); }

const CostModel& ipsc_cost() { return preset().cost; }

run::RunArguments arguments_of(const IpscMatrix& matrix, const std::string& method) {
  run::RunArguments arguments;
  arguments.machine = "hypercube:" + std::to_string(matrix.n);
  arguments.algorithm = method;
  arguments.settings.matrix = MatrixSize{matrix.side, matrix.side};
  arguments.model.preset = &preset();
  if (method == "transpose/1d-buffered") arguments.settings.copy_threshold = ipsc_copy_threshold;
  return arguments;
}

double unbuffered_time(const IpscMatrix& matrix) {
  const CostModel& cost = ipsc_cost();
  const auto n = static_cast<double>(matrix.n);
  const double in_packets = matrix.K() / static_cast<double>(cost.max_packet_words);
  const double startups =
      matrix.N() + packets(matrix.K() / 2) * std::min(n, std::log2(std::ceil(in_packets))) - in_packets;
  return n * matrix.K() / 2 * cost.tau + startups * cost.beta;
}

double buffered_time(const IpscMatrix& matrix, double copied) {
  const CostModel& cost = ipsc_cost();
  const auto n = static_cast<double>(matrix.n);
  const double in_packets = matrix.K() / static_cast<double>(cost.max_packet_words);
  const double buffered = std::max(0.0, n - std::log2(std::ceil(matrix.K() / threshold)));
  const double startups = std::min(matrix.N(), matrix.K() / threshold) - std::min(matrix.N(), in_packets) +
                          packets(matrix.K() / 2) * (std::min(n, std::log2(std::ceil(in_packets))) + buffered);
  return n * matrix.K() / 2 * cost.tau + copied * matrix.K() * buffered * cost.copy_cost + startups * cost.beta;
}

double two_dimensional_time(const IpscMatrix& matrix) {
  const CostModel& cost = ipsc_cost();
  const double step = matrix.K() * cost.tau + packets(matrix.K()) * cost.beta;
  return static_cast<double>(matrix.n) * step + 2 * matrix.K() * cost.copy_cost;
}

std::vector<IpscMatrix> one_dimensional_matrices(const std::vector<std::uint64_t>& sides) {
  return matrices(sides, {1, 2, 3, 4, 5, 6});
}

std::vector<IpscMatrix> two_dimensional_matrices(const std::vector<std::uint64_t>& sides) {
  return matrices(sides, {2, 4, 6});
}

std::uint64_t startups_of_one(const run::RunRecord& record) {
  return record.outcome.report.startups / record.facts.processors;
}

std::uint64_t copies_of_one(const run::RunRecord& record) {
  return record.outcome.report.copied_words / record.facts.processors;
}

void IpscCurves::add(const std::string& title, const IpscMatrix& matrix, const run::RunRecord& record) {
  add(title, matrix, run::predicted_time(record)->value, record.outcome.report.time_synchronous);
}

void IpscCurves::add(const std::string& title, const IpscMatrix& matrix, double predicted, double counted) {
  auto found = std::ranges::find(series_, title, &report::PlotSeries::title);
  if (found == series_.end()) found = series_.insert(found, {.title = title, .line = {}, .points = {}});
  const auto n = static_cast<double>(matrix.n);
  found->line.push_back({n, predicted});
  found->points.push_back({n, counted});
}

report::Plot IpscCurves::plot(const std::string& y_label) const {
  return {.title = {},
          .x = {.label = "dimensions of the cube", .is_log = false},
          .y = {.label = y_label, .is_log = true},
          .series = series_,
          .marks = {}};
}

std::string ipsc_remark(std::string_view figure) {
  return "The measured points of " + std::string(figure) +
         " are lost in the scan of the paper, with its axes: the times here are modelled, with --preset ipsc (5 ms a "
         "start-up, 4 us a word of 4 bytes, 256 words a packet, 36 us to copy a word), for sizes of our choice. K = "
         "PQ/N are the words of a processor, B_m = 256 those of a packet.";
}

}  // namespace lockstep::cli::reproduce
