#pragma once

#include <array>
#include <vector>

#include "explanation.hpp"

namespace lockstep::cli {

extern const std::vector<Explanation> all_to_some_explanations;
extern const std::vector<Explanation> allgather_explanations;
extern const std::vector<Explanation> allreduce_explanations;
extern const std::vector<Explanation> alltoall_explanations;
extern const std::vector<Explanation> any_graph_explanations;
extern const std::vector<Explanation> application_explanations;
extern const std::vector<Explanation> barrier_explanations;
extern const std::vector<Explanation> broadcast_explanations;
extern const std::vector<Explanation> broadcast_packets_explanations;
extern const std::vector<Explanation> convert_explanations;
extern const std::vector<Explanation> exscan_explanations;
extern const std::vector<Explanation> gather_explanations;
extern const std::vector<Explanation> permute_explanations;
extern const std::vector<Explanation> reduce_explanations;
extern const std::vector<Explanation> reduce_scatter_explanations;
extern const std::vector<Explanation> route_explanations;
extern const std::vector<Explanation> scan_explanations;
extern const std::vector<Explanation> scatter_explanations;
extern const std::vector<Explanation> send_explanations;
extern const std::vector<Explanation> some_to_all_explanations;
extern const std::vector<Explanation> sort_explanations;
extern const std::vector<Explanation> transpose_explanations;

/// Every list of this folder; explanations() joins them.
inline std::array<const std::vector<Explanation>*, 22> explanation_lists() {
  return {&all_to_some_explanations, &allgather_explanations,   &allreduce_explanations,
          &alltoall_explanations,    &any_graph_explanations,   &application_explanations,
          &barrier_explanations,     &broadcast_explanations,   &broadcast_packets_explanations,
          &convert_explanations,     &exscan_explanations,      &gather_explanations,
          &permute_explanations,     &reduce_explanations,      &reduce_scatter_explanations,
          &route_explanations,       &scan_explanations,        &scatter_explanations,
          &send_explanations,        &some_to_all_explanations, &sort_explanations,
          &transpose_explanations};
}

}  // namespace lockstep::cli
