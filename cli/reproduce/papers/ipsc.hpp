#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/core/model.hpp"
#include "reproduce/reproduction.hpp"

namespace lockstep::cli::reproduce {

/// A square matrix on the n-cube that Johnsson & Ho measured, the Intel iPSC; its sides are powers of two.
struct IpscMatrix {
  std::uint64_t side;
  std::uint64_t n;

  double N() const;  ///< processors
  double K() const;  ///< words of one
  std::string name() const { return std::to_string(side) + "x" + std::to_string(side); }
};

/// The costs of --preset ipsc, in seconds.
const CostModel& ipsc_cost();

/// Blocks of fewer words are copied into a buffer: the paper's threshold.
inline constexpr std::uint64_t ipsc_copy_threshold = 64;

run::RunArguments arguments_of(const IpscMatrix& matrix, const std::string& method);

/// The paper's times, in seconds. `copied`: how much of K an exchange copies, 1 in section 8.1 and 1/2 in section 9.
double unbuffered_time(const IpscMatrix& matrix);
double buffered_time(const IpscMatrix& matrix, double copied);
double two_dimensional_time(const IpscMatrix& matrix);

/// Every matrix on all cubes of 1 to 6 dimensions whose processors each have a row.
std::vector<IpscMatrix> one_dimensional_matrices(const std::vector<std::uint64_t>& sides);
/// Every matrix on cubes of 2, 4 and 6 dimensions.
std::vector<IpscMatrix> two_dimensional_matrices(const std::vector<std::uint64_t>& sides);

/// Start-ups and copied words of one processor, where all processors have equally many.
std::uint64_t startups_of_one(const run::RunRecord& record);
std::uint64_t copies_of_one(const run::RunRecord& record);

/// Collects the curves of a figure over n: predictions and counts for every title.
class IpscCurves {
 public:
  void add(const std::string& title, const IpscMatrix& matrix, const run::RunRecord& record);
  void add(const std::string& title, const IpscMatrix& matrix, double predicted, double counted);
  /// The y axis is logarithmic.
  report::Plot plot(const std::string& y_label) const;

 private:
  std::vector<report::PlotSeries> series_;
};

/// The remark on what replaces the figure's points.
std::string ipsc_remark(std::string_view figure);

}  // namespace lockstep::cli::reproduce
