#include "embedding_report.hpp"

#include <nlohmann/json.hpp>

#include "fraction_text.hpp"
#include "host/number_text.hpp"
#include "host/version.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/input_error.hpp"
#include "report/json_report.hpp"
#include "run/memory_need.hpp"

namespace lockstep::cli::machine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_shown = 64;
constexpr std::uint64_t most_listed = 65'536;

/// "0:0 1:1 2:3 ..": the guest's ranks with the host's.
std::string places_text(const Embedding& embedding) {
  if (embedding.processors > most_shown)
    return "rank:rank of up to " + host::grouped(most_shown) + " processors; --json has more";
  std::string text;
  for (Rank rank = 0; rank < embedding.processors; ++rank) {
    text += (text.empty() ? "" : " ") + std::to_string(rank) + ":" + std::to_string(embedding.place(rank));
  }
  return text;
}

}  // namespace

EmbeddingInfo embedding_info(const std::string& guest, const MachineSpec& host, const std::optional<std::string>& map) {
  if (host.processors <= most_walked_processors) {
    run::refuse_if_too_large("counting what crosses the links of " + printable(host.text),
                             saturated(Wide{host.processors} * host.ports * sizeof(std::uint32_t)));
  }
  Embedding made = embedding(guest, host, map);
  if (host.processors > most_walked_processors) {
    throw InputError("the paths of " + printable(guest) + " in " + printable(host.text) +
                     " are followed one by one, on at most " + host::grouped(most_walked_processors) + " processors");
  }
  const EmbeddingCosts costs = costs_of(made);
  std::string flags = "--machine " + printable(host.text) + " --embed " + printable(guest);
  if (map) flags += " --map " + printable(*map);
  return {std::move(made), costs, std::move(flags)};
}

std::string text_of(const EmbeddingInfo& info, const host::Style& style) {
  const Embedding& embedding = info.embedding;
  const EmbeddingCosts& costs = info.costs;
  constexpr std::size_t indent = 18;
  const auto row = [&](std::string_view label, const std::string& text) {
    return style.heading(host::left(label, indent)) +
           host::wrapped("", text, indent, host::line_width()).substr(indent);
  };
  return row("guest", printable(embedding.guest) + ": " + host::counted(embedding.processors, "processor") + ", " +
                          host::counted(costs.links / 2, "link")) +
         row("host", printable(embedding.host.text) + ": " + host::counted(embedding.host.processors, "processor")) +
         row("map", embedding.map) + row("places", places_text(embedding)) +
         row("dilation", "at most " + host::counted(costs.dilation, "link") +
                             " of the host for one of the guest, on the average " +
                             fraction_text(costs.average_dilation)) +
         row("congestion", "at most " + host::counted(costs.congestion, "link") +
                               " of the guest over one of the host, each direction for itself") +
         row("expansion", fraction_text(costs.expansion) + " processors of the host for one of the guest") +
         row("source", embedding.source) +
         row("methods", embedding.machine ? "run " + info.flags : "none: no machine of the list of machines");
}

Json json_of(const EmbeddingInfo& info) {
  const Embedding& embedding = info.embedding;
  Json places;
  if (embedding.processors <= most_listed) {
    places = Json::array();
    for (Rank rank = 0; rank < embedding.processors; ++rank) places.push_back(embedding.place(rank));
  }
  return {{"lockstep", host::version},
          {"schema", host::schema},
          {"embedding",
           {{"guest", embedding.guest},
            {"guest_processors", embedding.processors},
            {"guest_links", info.costs.links / 2},
            {"host", embedding.host.text},
            {"host_processors", embedding.host.processors},
            {"map", embedding.map},
            {"source", embedding.source},
            {"dilation", info.costs.dilation},
            {"average_dilation", json_fraction(info.costs.average_dilation)},
            {"congestion", info.costs.congestion},
            {"expansion", json_fraction(info.costs.expansion)},
            {"places", std::move(places)}}}};
}

}  // namespace lockstep::cli::machine
