#include "edge_colouring.hpp"

#include <algorithm>
#include <cassert>

namespace lockstep {
namespace {

constexpr Rank none = no_rank;

// Parts are edges between jobs and resources, steps their colours. Edge by edge: it gets the colour a that is free at
// its job. If a is taken at the resource and b is free there, the path that leaves the resource over edges of the
// colours a, b, a, .. has these two exchanged first, which frees a at the resource. The path does not end at the job:
// it would reach it over an edge of the colour a, and the job has none.
class Colouring {
 public:
  Colouring(Rank jobs, Rank resources, const std::vector<JobPart>& parts)
      : parts_(parts),
        colours_(busiest_end(jobs, resources, parts)),
        colour_of_(parts.size(), none),
        at_job_(jobs),
        at_resource_(std::size_t{resources} * colours_, none) {}

  std::vector<Rank> run() {
    for (Rank part = 0; part < parts_.size(); ++part) {
      const Rank a = free_at_job(parts_[part].job);
      if (at_resource(parts_[part].resource, a) != none) free_at_resource(parts_[part].resource, a);
      set(part, a);
    }
    return std::move(colour_of_);
  }

 private:
  Rank& at_resource(Rank resource, Rank colour) { return at_resource_[std::size_t{resource} * colours_ + colour]; }
  /// A job has few parts.
  Rank at_job(Rank job, Rank colour) const {
    const auto found = std::ranges::find_if(at_job_[job], [&](Rank part) { return colour_of_[part] == colour; });
    return found == at_job_[job].end() ? none : *found;
  }

  Rank free_at_job(Rank job) const {
    Rank colour = 0;
    while (at_job(job, colour) != none) ++colour;
    assert(colour < colours_);
    return colour;
  }

  void free_at_resource(Rank resource, Rank a) {
    Rank b = 0;
    while (at_resource(resource, b) != none) ++b;
    std::vector<Rank> path;
    for (Rank part = at_resource(resource, a); part != none;) {
      path.push_back(part);
      const bool to_job = path.size() % 2 == 1;
      part = to_job ? at_job(parts_[part].job, b) : at_resource(parts_[part].resource, a);
    }
    for (const Rank part : path) at_resource(parts_[part].resource, colour_of_[part]) = none;
    for (const Rank part : path) {
      colour_of_[part] = colour_of_[part] == a ? b : a;
      at_resource(parts_[part].resource, colour_of_[part]) = part;
    }
  }

  void set(Rank part, Rank colour) {
    colour_of_[part] = colour;
    at_job_[parts_[part].job].push_back(part);
    at_resource(parts_[part].resource, colour) = part;
  }

  const std::vector<JobPart>& parts_;
  Rank colours_;
  std::vector<Rank> colour_of_;            // of a part
  std::vector<std::vector<Rank>> at_job_;  // its coloured parts
  std::vector<Rank> at_resource_;          // its part of each colour
};

}  // namespace

Rank busiest_end(Rank jobs, Rank resources, const std::vector<JobPart>& parts) {
  std::vector<Rank> of_job(jobs);
  std::vector<Rank> of_resource(resources);
  Rank most = 0;
  for (const auto& [job, resource] : parts) most = std::max({most, ++of_job[job], ++of_resource[resource]});
  return most;
}

std::vector<Rank> steps_of_parts(Rank jobs, Rank resources, const std::vector<JobPart>& parts) {
  return Colouring(jobs, resources, parts).run();
}

}  // namespace lockstep
