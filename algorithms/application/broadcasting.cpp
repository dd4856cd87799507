#include "broadcasting.hpp"

#include <stdexcept>
#include <vector>

#include "operations/broadcast/drbt.hpp"
#include "operations/broadcast/sbt.hpp"
#include "operations/broadcast/sbt_pipelined.hpp"
#include "plans/tree/drbt_schedule.hpp"

namespace lockstep::application {
namespace {

class SbtBroadcasting : public Broadcasting {
 public:
  Process broadcast(Processor<Block>& self, Rank root, std::uint64_t, Block& item, Cycle) override {
    return broadcast::broadcast_sbt(self, self.rank() ^ root, self.ports(), item);
  }
};

class DrbtBroadcasting : public Broadcasting {
 public:
  explicit DrbtBroadcasting(Port dimensions) : schedule_(tree::drbt_schedule_on_cube(dimensions)) {}

  Process broadcast(Processor<Block>& self, Rank root, std::uint64_t, Block& item, Cycle) override {
    return broadcast::broadcast_drbt(self, schedule_, self.rank() ^ root, item);
  }

 private:
  TreeSchedule schedule_;
};

Process broadcast_in_packets(Processor<Block>& self, std::vector<packets::Relay> relays, std::vector<Part> parts,
                             Block& item, Cycle start) {
  co_await packets::relay(self, relays, parts, item, start);
}

class PipelinedBroadcasting : public Broadcasting {
 public:
  PipelinedBroadcasting(const RunRequest& request, const Method& method, std::uint64_t most_words) {
    for (std::uint64_t words = 1; words <= most_words; ++words) {
      Settings settings;
      settings.words = words;
      method.resolve(request.machine, request.model, settings);
      packets_.push_back(*settings.packets);
    }
  }

  Process broadcast(Processor<Block>& self, Rank root, std::uint64_t words, Block& item, Cycle start) override {
    std::vector<packets::Relay> relays = broadcast::sbt_relays(self.ports(), self.rank() ^ root);
    for (packets::Relay& one : relays) one.interval = packet_interval(self.model(), self.ports());
    return broadcast_in_packets(self, std::move(relays), split_in_parts(words, 1, packets_[words - 1]), item, start);
  }

 private:
  std::vector<std::uint64_t> packets_;  // of items of 1, 2, .. words
};

}  // namespace

std::unique_ptr<Broadcasting> make_broadcasting(const RunRequest& request, const Method& method,
                                                std::uint64_t most_words) {
  const std::string_view name = own_name(method);
  if (name == "sbt") return std::make_unique<SbtBroadcasting>();
  if (name == "drbt") return std::make_unique<DrbtBroadcasting>(request.topology.ports());
  if (name == "sbt-pipelined") return std::make_unique<PipelinedBroadcasting>(request, method, most_words);
  throw std::logic_error(std::string(method.name) + " is no broadcast for applications");
}

}  // namespace lockstep::application
