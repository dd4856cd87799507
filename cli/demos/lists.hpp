#pragma once

#include <vector>

#include "learn/demo.hpp"

// The demonstrations, by what they are about.
namespace lockstep::cli {

std::vector<Demo> collective_demos();
std::vector<Demo> reduced_hypercube_demos();
std::vector<Demo> matrix_demos();
std::vector<Demo> comparison_demos();
std::vector<Demo> six_machines_demos();
std::vector<Demo> pipelining_demos();
std::vector<Demo> failure_demos();  ///< on purpose
std::vector<Demo> any_threads_demos();

}  // namespace lockstep::cli
