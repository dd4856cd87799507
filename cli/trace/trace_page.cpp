#include "trace_page.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "host/in_html.hpp"
#include "lockstep/core/printable.hpp"
#include "lockstep/machines/graph_text.hpp"
#include "page_template.hpp"
#include "texts/pseudo_code.hpp"
#include "texts/topic.hpp"

namespace lockstep::cli::trace {
namespace {

using Json = nlohmann::ordered_json;

/// The page draws machines only up to this size.
constexpr std::uint64_t too_many_to_draw = std::uint64_t{1} << 12;

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string graph_of(const run::RunRecord& record) {
  const MachineSpec& machine = record.plan.machine;
  const bool is_drawn = !machine.medium && machine.processors < too_many_to_draw && record.facts.links <= most_written;
  return is_drawn ? node_link_text(machine) : "null";
}

Json medium_of(const MachineSpec& machine) {
  if (!machine.medium) return {};
  if (machine.medium->kind == MediumKind::memory) return "memory";
  if (machine.medium->kind == MediumKind::bus) return "bus";
  return machine.family == "omega" ? "omega" : "switch";
}

/// The template's text before and after the first part that begins and ends so.
std::pair<std::string_view, std::string_view> parted(std::string_view text, std::string_view begin,
                                                     std::string_view end) {
  const std::size_t first = text.find(begin);
  const std::size_t last = text.find(end, first);
  if (last == std::string_view::npos) throw std::logic_error("cli/trace/page/page.html has no " + std::string(begin));
  return {text.substr(0, first), text.substr(last + end.size())};
}

}  // namespace

TracePage::TracePage(const std::string& title) : title_(printable(title, title.size())) {
  data_.add("{\"title\":" + text_of(title_) + ",\"runs\":[");
}

void TracePage::add(const TracedRun& run, const Json& report, const RunWords& words) {
  const texts::Topic topic = texts::topic_of(*run.plan().method);
  std::vector<texts::Section> sections = words.sections;
  sections.insert(sections.end(), topic.sections.begin(), topic.sections.end());
  data_.add(is_empty_ ? "{\"report\":" : ",{\"report\":");
  is_empty_ = false;
  data_.add(text_of(report));
  data_.add(",\"name\":" + text_of(words.name.empty() ? Json() : Json(words.name)));
  data_.add(",\"summary\":" + text_of(run.plan().method->summary));
  data_.add(",\"sections\":" + text_of(texts::json_sections(sections)));
  data_.add(",\"graph\":" + graph_of(run.record));
  data_.add(",\"medium\":" + text_of(medium_of(run.plan().machine)));
  const std::optional<texts::PseudoCode> code = texts::pseudo_code_of(run.plan(), run.trace);
  data_.add(",\"code\":" + text_of(code ? json_of(*code) : Json()));
  data_.add(",\"trace\":");
  host::write_in_pieces([&run](std::ostream& out) { write_trace_json(run, out); }, host::PatientWait(),
                        [this](std::string_view piece) { data_.add(piece); });
  data_.add("}");
}

void TracePage::write(std::ostream& out) {
  const auto [before_title, behind_title] = parted(page_template(), "<title>", "</title>");
  const auto [before_data, behind_data] = parted(behind_title, "<!--lockstep-data", "-->");
  out << before_title << "<title>" << host::in_html(title_) << "</title>" << before_data;
  out << "<script id=\"lockstep-data\" type=\"application/octet-stream\">";
  data_.add("]}");
  const std::string data = data_.finish();
  constexpr std::size_t piece = 3 << 14;  // whole groups of base 64
  for (std::size_t first = 0; first < data.size(); first += piece) {
    out << host::base64(std::string_view(data).substr(first, piece));
  }
  out << "</script>" << behind_data;
}

}  // namespace lockstep::cli::trace
