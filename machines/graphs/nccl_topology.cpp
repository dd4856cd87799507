// Topologies of NCCL and RCCL: system > cpu > pci, nested > gpu > nvlink or xgmi with the bus id of its other end.
#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "graphs/graph_draft.hpp"
#include "graphs/graph_readers.hpp"
#include "graphs/graph_xml.hpp"
#include "graphs/number_in.hpp"
#include "graphs/refuse_graph.hpp"
#include "lockstep/core/printable.hpp"

namespace lockstep {

namespace {

using Element = pugi::xml_node;

class TopologyReader {
 public:
  explicit TopologyReader(const GraphXml& file) : file_(file) {}

  Graph graph() {
    find_gpus();
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) read_links(gpu);
    GraphDraft draft(GraphReading{});
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) draft.add({.name = gpu, .label = printable(gpus_[gpu].bus)});
    if (gpus_.size() > 1 && cables_.empty() &&
        std::ranges::all_of(gpus_, [](const Gpu& gpu) { return !gpu.to_switch; }))
      refuse_graph("no gpu has an nvlink or xgmi to another; links over PCI are not read");
    return graph_of(draft);
  }

 private:
  struct Gpu {
    Element element;
    std::string bus;
    std::uint32_t order = 0;      // the rank, or the device
    std::uint32_t to_switch = 0;  // cables
  };
  struct Cables {
    std::uint32_t count = 0;
    Element element;
  };

  static constexpr std::uint32_t most_cables = GraphDraft::most_cables;

  std::string place(const Element& element) const { return file_.place(element); }

  std::uint32_t number(const Element& element, const char* attribute) const {
    const std::string_view text = element.attribute(attribute).value();
    const auto value = number_in<std::uint32_t>(text);
    if (!value) {
      refuse_graph(place(element) + ": " + attribute + " is " + quoted(text) + ", not a whole number from 0 up");
    }
    return *value;
  }

  void find_gpus() {
    bool have_ranks = true;
    file_.root().find_node([&](const Element& element) {  // visits all, since none is found
      if (name_of(element) != "gpu") return false;
      const std::string_view bus = element.parent().attribute("busid").value();
      if (bus.empty()) refuse_graph(place(element) + ": the gpu is in no <pci> with a busid");
      gpus_.push_back({.element = element, .bus = in_small_letters(bus)});
      have_ranks = have_ranks && element.attribute("rank");
      return false;
    });
    if (gpus_.empty()) refuse_graph("there is no <gpu>");
    const char* const attribute = have_ranks ? "rank" : "dev";
    for (Gpu& gpu : gpus_) gpu.order = number(gpu.element, attribute);
    std::ranges::stable_sort(gpus_, {}, &Gpu::order);
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      const Element& element = gpus_[gpu].element;
      const std::string& bus = gpus_[gpu].bus;
      if (gpu > 0 && gpus_[gpu - 1].order == gpus_[gpu].order) {
        refuse_graph(place(element) + ": " + attribute + " " + std::to_string(gpus_[gpu].order) +
                     " is also that of another gpu");
      }
      if (!gpu_at_.emplace(bus, gpu).second) {
        refuse_graph(place(element) + ": the busid " + quoted(bus) + " is also that of another gpu");
      }
    }
  }

  // Ends that NCCL ignores are ignored: processors, and gpus that are not in the file.
  void read_links(std::size_t gpu) {
    for (const Element& link : gpus_[gpu].element.children()) {
      if (name_of(link) != "nvlink" && name_of(link) != "xgmi") continue;
      const std::uint32_t count = number(link, "count");
      if (count == 0 || count > most_cables) {
        refuse_graph(place(link) + ": count is " + std::to_string(count) + ", not 1 to " + std::to_string(most_cables));
      }
      if (in_small_letters(link.attribute("tclass").value()) == "0x068000") {
        add(gpus_[gpu].to_switch, count, link);
        continue;
      }
      const std::string_view target = link.attribute("target").value();
      if (target.empty()) refuse_graph(place(link) + ": the link has no target");
      const auto other = gpu_at_.find(in_small_letters(target));
      if (other == gpu_at_.end()) continue;
      Cables& cables = cables_[{gpu, other->second}];
      add(cables.count, count, link);
      cables.element = link;
    }
  }

  void add(std::uint32_t& sum, std::uint32_t count, const Element& link) const {
    sum += count;
    if (sum > most_cables)
      refuse_graph(place(link) + ": with it more than " + std::to_string(most_cables) + " cables join the two");
  }

  /// With a link for every pair that cables or a switch join.
  Graph graph_of(GraphDraft& draft) {
    std::vector<Element> elements;
    for (const auto& [ends, cables] : cables_) {
      const auto back = cables_.find({ends.second, ends.first});
      if (back == cables_.end() || back->second.count != cables.count) {
        refuse_graph(place(cables.element) + ": the other end lists " +
                     std::to_string(back == cables_.end() ? 0 : back->second.count) + " of these links, not " +
                     std::to_string(cables.count));
      }
      if (ends.first > ends.second) continue;
      draft.link(ends.first, ends.second, cables.count + through_switch(ends.first, ends.second));
      elements.push_back(cables.element);
    }
    for (std::size_t a = 0; a < gpus_.size(); ++a) {
      for (std::size_t b = a + 1; b < gpus_.size(); ++b) {
        if (through_switch(a, b) == 0 || cables_.contains({a, b})) continue;
        draft.link(a, b, through_switch(a, b));
        elements.push_back(gpus_[a].element);
      }
    }
    return draft.graph([&](std::size_t link) { return place(elements[link]); });
  }

  std::uint32_t through_switch(std::size_t a, std::size_t b) const {
    return std::min(gpus_[a].to_switch, gpus_[b].to_switch);
  }

  const GraphXml& file_;
  std::vector<Gpu> gpus_;                                         // by rank, in the end
  std::map<std::string, std::size_t> gpu_at_;                     // each bus id
  std::map<std::pair<std::size_t, std::size_t>, Cables> cables_;  // as the first end lists them
};

}  // namespace

Graph read_nccl_topology(const GraphXml& file) { return TopologyReader(file).graph(); }

}  // namespace lockstep
