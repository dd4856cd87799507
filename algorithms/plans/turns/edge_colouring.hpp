#pragma once

#include <cstdint>
#include <vector>

#include "lockstep/core/topology.hpp"

namespace lockstep::turns {

/// A piece of work of one step that a job needs from a resource; a job may need a resource several times.
struct JobPart {
  Rank job;
  Rank resource;
};

/// The most parts that one job or one resource has.
Rank busiest_end(Rank jobs, Rank resources, const std::vector<JobPart>& parts);

/// When each part is done, as a step below busiest_end(): in a step a job has one part done, and a resource does one.
/// That many steps always suffice, since the edges of a bipartite graph can be coloured with as many colours as its
/// largest degree (König, 1916). Takes time in proportion to the parts times the resources at most.
std::vector<Rank> steps_of_parts(Rank jobs, Rank resources, const std::vector<JobPart>& parts);

}  // namespace lockstep::turns
