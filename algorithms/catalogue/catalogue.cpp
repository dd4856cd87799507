#include <algorithm>
#include <cctype>
#include <limits>
#include <tuple>

#include "lockstep/algorithms/method.hpp"
#include "lockstep/algorithms/written_number.hpp"
#include "lockstep/core/nearest_name.hpp"

namespace lockstep {

// Each method's file ends in its entry.
extern const Method all_to_some_exchange_method;
extern const Method allgather_adea_method;
extern const Method allgather_daisy_chain_hypercube_method;
extern const Method allgather_daisy_chain_ring_method;
extern const Method allgather_daisy_chain_snake_method;
extern const Method allgather_daisy_chain_switch_method;
extern const Method allgather_daisy_chain_torus_method;
extern const Method allgather_direct_bus_method;
extern const Method allgather_direct_shared_method;
extern const Method allgather_doubling_method;
extern const Method allgather_sequential_method;
extern const Method allgather_tea1_grouped_method;
extern const Method allgather_tea1_method;
extern const Method allgather_tea2_grouped_method;
extern const Method allgather_tea2_method;
extern const Method allgather_two_pass_method;
extern const Method alltoall_cayley_method;
extern const Method alltoall_direct_bus_method;
extern const Method alltoall_direct_kstar_method;
extern const Method alltoall_direct_shared_method;
extern const Method alltoall_exchange_method;
extern const Method alltoall_exchange_switch_method;
extern const Method alltoall_factor_method;
extern const Method alltoall_greedy_method;
extern const Method alltoall_product_method;
extern const Method alltoall_rotate_drop_method;
extern const Method alltoall_rotated_sbt_method;
extern const Method alltoall_sbnt_method;
extern const Method alltoall_search_method;
extern const Method alltoall_sequential_gather_method;
extern const Method alltoall_two_phase_method;
extern const Method barrier_tree_method;
extern const Method broadcast_axis_method;
extern const Method broadcast_direct_bus_method;
extern const Method broadcast_direct_shared_method;
extern const Method broadcast_doubling_method;
extern const Method broadcast_drbt_method;
extern const Method broadcast_one_way_method;
extern const Method broadcast_ring_method;
extern const Method broadcast_sbt_method;
extern const Method broadcast_sbt_pipelined_method;
extern const Method broadcast_tree_heap_method;
extern const Method broadcast_tree_method;
extern const Method broadcast_two_phase_method;
extern const Method broadcast_two_streams_late_method;
extern const Method broadcast_two_streams_method;
extern const Method broadcast_two_way_method;
extern const Method convert_exchange_method;
extern const Method gather_direct_bus_method;
extern const Method gather_direct_shared_method;
extern const Method gather_sbt_method;
extern const Method gather_shift_method;
extern const Method gather_two_phase_method;
extern const Method gather_two_way_method;
extern const Method permute_general_exchange_method;
extern const Method permute_bit_reversal_method;
extern const Method permute_bit_reversal_pipelined_method;
extern const Method permute_dimension_halving_method;
extern const Method permute_dimension_two_round_method;
extern const Method permute_shuffle_method;
extern const Method permute_two_alltoall_method;
extern const Method reduce_tree_method;
extern const Method route_ecube_method;
extern const Method scan_cube_method;
extern const Method scan_hub_method;
extern const Method scatter_direct_bus_method;
extern const Method scatter_direct_one_message_method;
extern const Method scatter_direct_shared_method;
extern const Method scatter_rotated_sbt_halving_method;
extern const Method scatter_rotated_sbt_rbf_method;
extern const Method scatter_sbnt_method;
extern const Method scatter_sbt_all_port_method;
extern const Method scatter_sbt_method;
extern const Method scatter_sbt_reflected_method;
extern const Method scatter_shift_method;
extern const Method scatter_two_phase_method;
extern const Method scatter_two_way_method;
extern const Method send_direct_method;
extern const Method send_direct_shared_method;
extern const Method send_disjoint_paths_balanced_method;
extern const Method send_disjoint_paths_method;
extern const Method send_pipelined_method;
extern const Method send_store_and_forward_method;
extern const Method some_to_all_exchange_method;
extern const Method some_to_all_rotated_sbt_method;
extern const Method sort_bitonic_method;
extern const Method sort_classic_method;
extern const Method sort_merge_method;
extern const Method sort_resort_method;
extern const Method transpose_1d_buffered_method;
extern const Method transpose_1d_exchange_method;
extern const Method transpose_1d_sbnt_method;
extern const Method transpose_1d_unbuffered_method;
extern const Method transpose_1d_virtual_method;
extern const Method transpose_2d_dpt_method;
extern const Method transpose_2d_mpt_method;
extern const Method transpose_2d_pivot_method;
extern const Method transpose_2d_spt_method;
extern const Method transpose_2d_spt_pipelined_method;
extern const Method transpose_2d_virtual_method;
extern const Method transpose_binary_to_gray_method;
extern const Method transpose_diagonal_method;
extern const Method transpose_gray_mixed_method;
extern const Method transpose_gray_mixed_naive_method;
extern const Method transpose_gray_mixed_pipelined_method;
extern const Method transpose_gray_to_binary_method;
extern const Method transpose_reassign_1_method;
extern const Method transpose_reassign_2_method;
extern const Method transpose_reassign_3_method;
extern const Method transpose_shuffles_method;

namespace {

/// The name that somebody meant who wrote a wrong one, perhaps without its operation: "drbt" for "broadcast/drbt".
std::optional<std::string> nearest_method(std::string_view wrong) {
  std::vector<std::string> names;
  for (const Method* method : catalogue()) names.emplace_back(method->name);
  if (wrong.find('/') != std::string_view::npos) return nearest_name(wrong, names);
  std::vector<std::string> written;
  std::vector<std::string> meant = names;
  for (const Method* method : catalogue()) written.emplace_back(own_name(*method));
  for (const Method* method : catalogue()) {
    for (const std::string_view alias : method->aliases) {
      written.emplace_back(alias);
      meant.emplace_back(alias);
    }
  }
  const auto nearest = nearest_name(wrong, written);
  if (!nearest) return nearest_name(wrong, names);
  return meant[static_cast<std::size_t>(std::find(written.begin(), written.end(), *nearest) - written.begin())];
}

}  // namespace

const std::vector<const Method*>& catalogue() {
  static const std::vector<const Method*> methods{
      &all_to_some_exchange_method,
      &allgather_adea_method,
      &allgather_daisy_chain_hypercube_method,
      &allgather_daisy_chain_ring_method,
      &allgather_daisy_chain_snake_method,
      &allgather_daisy_chain_switch_method,
      &allgather_daisy_chain_torus_method,
      &allgather_direct_bus_method,
      &allgather_direct_shared_method,
      &allgather_doubling_method,
      &allgather_sequential_method,
      &allgather_tea1_method,
      &allgather_tea1_grouped_method,
      &allgather_tea2_method,
      &allgather_tea2_grouped_method,
      &allgather_two_pass_method,
      &alltoall_cayley_method,
      &alltoall_direct_bus_method,
      &alltoall_direct_shared_method,
      &alltoall_direct_kstar_method,
      &alltoall_exchange_method,
      &alltoall_exchange_switch_method,
      &alltoall_factor_method,
      &alltoall_greedy_method,
      &alltoall_product_method,
      &alltoall_rotate_drop_method,
      &alltoall_rotated_sbt_method,
      &alltoall_sbnt_method,
      &alltoall_search_method,
      &alltoall_sequential_gather_method,
      &alltoall_two_phase_method,
      &barrier_tree_method,
      &broadcast_axis_method,
      &broadcast_direct_bus_method,
      &broadcast_direct_shared_method,
      &broadcast_doubling_method,
      &broadcast_drbt_method,
      &broadcast_one_way_method,
      &broadcast_ring_method,
      &broadcast_sbt_method,
      &broadcast_sbt_pipelined_method,
      &broadcast_tree_method,
      &broadcast_tree_heap_method,
      &broadcast_two_phase_method,
      &broadcast_two_streams_method,
      &broadcast_two_streams_late_method,
      &broadcast_two_way_method,
      &convert_exchange_method,
      &gather_direct_bus_method,
      &gather_direct_shared_method,
      &gather_sbt_method,
      &gather_shift_method,
      &gather_two_phase_method,
      &gather_two_way_method,
      &permute_general_exchange_method,
      &permute_bit_reversal_method,
      &permute_bit_reversal_pipelined_method,
      &permute_dimension_halving_method,
      &permute_dimension_two_round_method,
      &permute_shuffle_method,
      &permute_two_alltoall_method,
      &reduce_tree_method,
      &route_ecube_method,
      &scan_cube_method,
      &scan_hub_method,
      &scatter_direct_bus_method,
      &scatter_direct_shared_method,
      &scatter_direct_one_message_method,
      &scatter_rotated_sbt_halving_method,
      &scatter_rotated_sbt_rbf_method,
      &scatter_sbnt_method,
      &scatter_sbt_method,
      &scatter_sbt_all_port_method,
      &scatter_sbt_reflected_method,
      &scatter_shift_method,
      &scatter_two_phase_method,
      &scatter_two_way_method,
      &send_direct_method,
      &send_direct_shared_method,
      &send_disjoint_paths_method,
      &send_disjoint_paths_balanced_method,
      &send_pipelined_method,
      &send_store_and_forward_method,
      &some_to_all_exchange_method,
      &some_to_all_rotated_sbt_method,
      &sort_bitonic_method,
      &sort_classic_method,
      &sort_merge_method,
      &sort_resort_method,
      &transpose_1d_buffered_method,
      &transpose_1d_exchange_method,
      &transpose_1d_sbnt_method,
      &transpose_1d_unbuffered_method,
      &transpose_1d_virtual_method,
      &transpose_2d_dpt_method,
      &transpose_2d_mpt_method,
      &transpose_2d_pivot_method,
      &transpose_2d_spt_method,
      &transpose_2d_spt_pipelined_method,
      &transpose_2d_virtual_method,
      &transpose_binary_to_gray_method,
      &transpose_diagonal_method,
      &transpose_gray_mixed_method,
      &transpose_gray_mixed_naive_method,
      &transpose_gray_mixed_pipelined_method,
      &transpose_gray_to_binary_method,
      &transpose_reassign_1_method,
      &transpose_reassign_2_method,
      &transpose_reassign_3_method,
      &transpose_shuffles_method,
  };
  return methods;
}

std::string_view own_name(const Method& method) { return method.name.substr(method.name.find('/') + 1); }

bool is_same_name(std::string_view one, std::string_view other) {
  const auto small = [](unsigned char letter) { return std::tolower(letter); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char letter, char counterpart) { return small(letter) == small(counterpart); });
}

bool is_called(const Method& method, std::string_view name) {
  return is_same_name(name, method.name) ||
         std::any_of(method.aliases.begin(), method.aliases.end(),
                     [&](std::string_view alias) { return is_same_name(name, alias); });
}

const Method& find_method(std::string_view name, std::string_view family) {
  std::string found;
  std::string families;
  for (const Method* method : catalogue()) {
    if (!is_called(*method, name)) continue;
    found = method->name;
    for (const std::string_view known : method->families) {
      if (known == family) return *method;
      families += (families.empty() ? "" : ", ") + std::string(known);
    }
  }
  if (!found.empty()) {
    if (!is_same_name(name, found)) found += " (" + std::string(name) + ")";
    throw InputError(found + " does not run on " + std::string(family) + ": it is for " + families);
  }
  std::string text = "unknown algorithm " + quoted(name);
  if (const auto nearest = nearest_method(name)) text += "; did you mean '" + *nearest + "'?";
  throw InputError(text + " (lockstep list algorithms names them all)");
}

std::vector<Duplex> duplex_forms(const Method& method) {
  std::vector<Duplex> forms{Duplex::full};
  if (method.strictest_duplex != Duplex::full) forms.push_back(Duplex::half_link);
  if (method.strictest_duplex == Duplex::half_node) forms.push_back(Duplex::half_node);
  return forms;
}

std::uint64_t whole_number(std::string_view flag, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return value;
  throw InputError("--" + std::string(flag) + " " + std::to_string(value) +
                   " is out of range: " + std::to_string(least) + " to " + std::to_string(most));
}

void refuse_choice(std::string_view flag, std::string_view text, const std::vector<std::string>& choices) {
  std::string line = std::string(flag) + " " + quoted(text) + " is not one of ";
  for (const std::string& choice : choices) line += (choice == choices.front() ? "" : ", ") + choice;
  if (const auto nearest = nearest_name(text, choices)) line += "; did you mean '" + *nearest + "'?";
  throw InputError(line);
}

std::optional<ModelledTime> synchronous_time(const Prediction& prediction, const CostModel& cost) {
  if (prediction.synchronous) return prediction.synchronous;
  const auto& [steps, longest_sum] = std::tie(prediction.steps, prediction.longest_sum);
  if (!steps || !steps->exact) return std::nullopt;
  if (prediction.message_words) {
    const double each = cost.time(cost.startups(*prediction.message_words), *prediction.message_words);
    return ModelledTime{static_cast<double>(steps->value) * each, "steps (startups beta + words tau)"};
  }
  if (!longest_sum || !longest_sum->exact) return std::nullopt;
  if (prediction.longest_startups) {
    return ModelledTime{cost.time(*prediction.longest_startups, longest_sum->value),
                        "start-ups of the longest message of every step, summed, beta + longest_sum tau"};
  }
  if (cost.max_packet_words != 0) return std::nullopt;
  return ModelledTime{cost.time(steps->value, longest_sum->value), "steps beta + longest_sum tau"};
}

std::optional<Count> exact_count(Wide value, std::string formula) {
  if (value > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  return Count{static_cast<std::uint64_t>(value), true, std::move(formula)};
}

std::uint64_t saturated(Wide value) {
  return static_cast<std::uint64_t>(std::min<Wide>(value, std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace lockstep
